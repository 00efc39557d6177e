#include "seam/lti/identification.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lti/random_matrices.hpp"
#include "seam/base/error.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

struct Record {
  std::vector<double> u, y;
  Samples samples() const { return {u, y}; }
};

/// The response of a system to inputs that look random; the outputs get noise of this part of their own size.
Record simulate(const StateSpace& system, const Vector& x0, int count, RandomMatrices& random, double noise = 0.0) {
  Record record;
  Vector x = x0;
  for (int i = 0; i < count; ++i) {
    const Vector u = random.matrix(system.inputs(), 1);
    const Vector y = system.C * x + system.D * u;
    record.u.insert(record.u.end(), u.begin(), u.end());
    record.y.insert(record.y.end(), y.begin(), y.end());
    x = system.A * x + system.B * u;
  }
  if (noise == 0.0) return record;
  const auto ny = static_cast<std::size_t>(system.outputs());
  for (std::size_t j = 0; j < ny; ++j) {
    double squares = 0.0;
    for (std::size_t i = j; i < record.y.size(); i += ny) squares += record.y[i] * record.y[i];
    const double size = std::sqrt(3.0 * squares * static_cast<double>(ny) / static_cast<double>(record.y.size()));
    for (std::size_t i = j; i < record.y.size(); i += ny) record.y[i] += noise * size * random.matrix(1, 1)(0, 0);
  }
  return record;
}

StateSpace random_system(RandomMatrices& random, int n, int inputs, int outputs, double radius) {
  StateSpace system{random.matrix(n, n), random.matrix(n, inputs), random.matrix(outputs, n),
                    random.matrix(outputs, inputs)};
  if (n > 0) system.A *= radius / spectral_radius(system.A);
  return system;
}

/// The largest difference of D, C B, C A B, … by their largest entry.
double markov_distance(const StateSpace& a, const StateSpace& b, int count) {
  double distance = (a.D - b.D).cwiseAbs().maxCoeff(), size = a.D.cwiseAbs().maxCoeff();
  Matrix left = a.B, right = b.B;
  for (int i = 0; i < count; ++i) {
    const Matrix of_a = a.C * left, of_b = b.C * right;
    distance = std::max(distance, (of_a - of_b).cwiseAbs().maxCoeff());
    size = std::max(size, of_a.cwiseAbs().maxCoeff());
    left = a.A * left;
    right = b.A * right;
  }
  return distance / size;
}

TEST(Identification, recovers_random_systems_with_their_order_from_clean_data) {
  RandomMatrices random(41);
  for (const auto fit : {InputFit::simulation, InputFit::projection}) {
    for (int draw = 0; draw < 30; ++draw) {
      const int n = 1 + draw % 6, inputs = 1 + draw % 3, outputs = 1 + (draw / 3) % 3;
      SCOPED_TRACE("draw " + std::to_string(draw));
      const StateSpace system = random_system(random, n, inputs, outputs, 0.95);
      const Record record = simulate(system, random.matrix(n, 1), 300, random);
      Identification identification({inputs, outputs, 300, 10, 9});
      IdentificationChoices choices;
      choices.input_fit = fit;
      const IdentificationReport report = identification.identify(record.samples(), choices);
      ASSERT_EQ(report.finding, Finding::identified) << words(report.finding);
      ASSERT_EQ(report.order, n) << "gap " << report.gap;
      EXPECT_LT(markov_distance(system, identification.model(), 30), 1e-8);
      const auto expected = eigenvalues(system.A), found = eigenvalues(identification.model().A);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        double nearest = 1.0;
        for (const auto& pole : found) nearest = std::min(nearest, std::abs(pole - expected[i]));
        EXPECT_LT(nearest, 1e-7);
      }
      EXPECT_LT(identification.residual(), 1e-8);
      const Record fresh = simulate(system, random.matrix(n, 1), 200, random);
      EXPECT_LT(identification.prediction_error(fresh.samples(), FirstState::fitted), 1e-7);
      EXPECT_GT(identification.prediction_error(fresh.samples(), FirstState::zero), 1e-6) << "it began elsewhere";
    }
  }
}

TEST(Identification, errs_by_as_much_as_there_is_noise) {
  RandomMatrices random(42);
  for (int draw = 0; draw < 10; ++draw) {
    const StateSpace system = random_system(random, 3, 2, 2, 0.9);
    const Record record = simulate(system, Vector::Zero(3), 1500, random, 1e-3);
    Identification identification({2, 2, 1500, 8, 6});
    const IdentificationReport report = identification.identify(record.samples(), {});
    ASSERT_EQ(report.finding, Finding::identified);
    EXPECT_EQ(report.order, 3) << "draw " << draw;
    EXPECT_LT(markov_distance(system, identification.model(), 20), 3e-3) << "draw " << draw;
    EXPECT_NEAR(identification.residual(), 1e-3, 3e-4) << "draw " << draw;
    const Record fresh = simulate(system, Vector::Zero(3), 1500, random);
    EXPECT_LT(identification.prediction_error(fresh.samples(), FirstState::zero), 2e-3) << "draw " << draw;
  }
}

TEST(Identification, does_not_care_for_units) {
  RandomMatrices random(43);
  const StateSpace system = random_system(random, 4, 2, 2, 0.9);
  Record record = simulate(system, Vector::Zero(4), 200, random);
  for (std::size_t i = 0; i < record.u.size(); i += 2) record.u[i] *= 1e9;
  for (std::size_t i = 1; i < record.y.size(); i += 2) record.y[i] *= 1e-12;
  Identification identification({2, 2, 200, 6, 6});
  ASSERT_EQ(identification.identify(record.samples(), {}).order, 4);
  StateSpace model = identification.model();
  model.B.col(0) *= 1e9;
  model.D.col(0) *= 1e9;
  model.C.row(1) *= 1e12;
  model.D.row(1) *= 1e12;
  EXPECT_LT(markov_distance(system, model, 20), 1e-9);
}

TEST(Identification, recovers_a_free_mass_and_an_unstable_system) {
  RandomMatrices random(44);
  const StateSpace mass{Matrix{{1.0, 0.01}, {0.0, 1.0}}, Matrix{{5e-5}, {0.01}}, Matrix{{1.0, 0.0}, {0.0, 1.0}},
                        Matrix{{0.0}, {0.0}}};
  StateSpace unstable = random_system(random, 3, 1, 2, 1.2);
  for (const StateSpace& system : {mass, unstable}) {
    const int count = 60, n = static_cast<int>(system.states());
    const Record record = simulate(system, Vector::Zero(n), count, random);
    Identification identification({1, 2, count, 5, 5});
    IdentificationChoices choices;
    choices.input_fit = InputFit::projection;
    const IdentificationReport report = identification.identify(record.samples(), choices);
    ASSERT_EQ(report.finding, Finding::identified);
    ASSERT_EQ(report.order, n);
    EXPECT_LT(markov_distance(system, identification.model(), 10), 1e-8);
  }
}

TEST(Identification, of_a_gain_has_no_states) {
  RandomMatrices random(45);
  const StateSpace gain{Matrix(0, 0), Matrix(0, 2), Matrix(2, 0), Matrix{{2.0, -1.0}, {0.0, 3.0}}};
  const Record record = simulate(gain, Vector(0), 100, random);
  Identification identification({2, 2, 100, 4, 5});
  const IdentificationReport report = identification.identify(record.samples(), {});
  ASSERT_EQ(report.finding, Finding::identified);
  EXPECT_EQ(report.order, 0);
  EXPECT_LT((identification.model().D - gain.D).norm(), 1e-13);
}

TEST(Identification, with_the_first_state_known_needs_no_fit_of_it) {
  RandomMatrices random(46);
  const StateSpace system = random_system(random, 2, 1, 1, 0.8);
  const Record record = simulate(system, Vector::Zero(2), 80, random);
  Identification identification({1, 1, 80, 5, 4});
  IdentificationChoices choices;
  choices.first_state = FirstState::zero;
  ASSERT_EQ(identification.identify(record.samples(), choices).order, 2);
  EXPECT_EQ(identification.first_state().norm(), 0.0);
  EXPECT_LT(markov_distance(system, identification.model(), 20), 1e-9);
}

class PoorData : public testing::Test {
 protected:
  RandomMatrices random{47};
  StateSpace system = random_system(random, 2, 2, 1, 0.8);
  Identification identification{{2, 1, 200, 4, 4}};

  /// Inputs as a function of the sample and the latest output.
  template <class Input>
  IdentificationReport after(Input input) {
    Record record;
    Vector x = random.matrix(2, 1);
    double y = 0.0;
    for (int i = 0; i < 200; ++i) {
      const Vector u = input(i, y);
      y = (system.C * x + system.D * u)(0);
      record.u.insert(record.u.end(), u.begin(), u.end());
      record.y.push_back(y);
      x = system.A * x + system.B * u;
    }
    return identification.identify(record.samples(), {});
  }
};

TEST_F(PoorData, constant_inputs_are_not_believed) {
  EXPECT_EQ(after([](int, double) { return Vector{{1.0, 2.0}}; }).finding, Finding::not_exciting);
}

TEST_F(PoorData, an_input_that_never_moves_is_not_believed) {
  EXPECT_EQ(after([&](int, double) {
              return Vector{{random.matrix(1, 1)(0, 0), 0.0}};
            }).finding,
            Finding::not_exciting);
}

TEST_F(PoorData, inputs_that_move_together_are_not_believed) {
  EXPECT_EQ(after([&](int, double) {
              return Vector(random.matrix(1, 1)(0, 0) * Vector{{1.0, -3.0}});
            }).finding,
            Finding::not_exciting);
}

TEST_F(PoorData, a_loop_closed_by_constant_gains_is_not_believed) {
  EXPECT_EQ(after([](int, double y) { return Vector{{0.5 * y, -0.3 * y}}; }).finding, Finding::not_exciting);
}

TEST_F(PoorData, a_single_sine_is_not_believed) {
  EXPECT_EQ(after([](int i, double) {
              return Vector{{std::sin(0.3 * i), std::cos(0.3 * i)}};
            }).finding,
            Finding::not_exciting);
}

TEST_F(PoorData, numbers_that_are_none_are_refused) {
  EXPECT_EQ(after([](int i, double) { return Vector{{1.0, i == 50 ? NAN : 0.0}}; }).finding, Finding::not_finite);
  Record record = simulate(system, Vector::Zero(2), 200, random);
  record.y[70] = NAN;
  EXPECT_EQ(identification.identify(record.samples(), {}).finding, Finding::not_finite) << "one output";
  record.y[70] = -INFINITY;
  EXPECT_EQ(identification.identify(record.samples(), {}).finding, Finding::not_finite) << "one output";
}

TEST_F(PoorData, too_few_samples_are_told) {
  const std::vector<double> u(2 * 11), y(11);
  EXPECT_EQ(identification.identify({u, y}, {}).finding, Finding::too_few_samples);
}

TEST_F(PoorData, an_order_beyond_what_moves_is_refused) {
  const Record record = simulate(system, Vector::Zero(2), 200, random);
  IdentificationChoices choices;
  choices.order = 3;
  EXPECT_EQ(identification.identify(record.samples(), choices).finding, Finding::fewer_states_moved);
  choices.order = 4;
  EXPECT_EQ(identification.fit(choices).finding, Finding::too_few_block_rows);
  choices.order = 2;
  EXPECT_EQ(identification.fit(choices).finding, Finding::identified);
}

TEST_F(PoorData, a_shorter_record_than_the_order_needs_leaves_no_column_to_spare) {
  const Record record = simulate(system, Vector::Zero(2), 13, random);
  IdentificationChoices choices;
  choices.order = 2;
  const IdentificationReport report = identification.identify(record.samples(), choices);
  EXPECT_EQ(report.spare_columns, 0);
}

TEST(Identification, refuses_sizes_that_fit_nothing) {
  EXPECT_THROW(Identification({0, 1, 10, 3, 2}), base::Error);
  EXPECT_THROW(Identification({1, 1, 2, 3, 2}), base::Error);
  Identification identification({1, 1, 10, 3, 2});
  const std::vector<double> too_many(11);
  EXPECT_THROW(identification.identify({too_many, too_many}, {}), base::Error);
}

}  // namespace
}  // namespace seam::lti
