#include "seam/lti/output_prediction.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "lti/random_matrices.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

struct Record {
  std::vector<double> u, y;
  Samples samples() const { return {u, y}; }
};

Record simulate(const StateSpace& model, Vector x, int count, RandomMatrices& random) {
  Record record;
  for (int i = 0; i < count; ++i) {
    const Vector u = random.matrix(model.inputs(), 1), y = model.C * x + model.D * u;
    record.u.insert(record.u.end(), u.begin(), u.end());
    record.y.insert(record.y.end(), y.begin(), y.end());
    x = model.A * x + model.B * u;
  }
  return record;
}

StateSpace random_model(RandomMatrices& random, int n, int inputs, int outputs) {
  StateSpace model{random.matrix(n, n), random.matrix(n, inputs), random.matrix(outputs, n),
                   random.matrix(outputs, inputs)};
  model.A *= 0.95 / spectral_radius(model.A);
  return model;
}

TEST(RelativeError, is_that_of_eq_30) {
  const std::vector<double> seen{2.0, -4.0}, foretold{2.5, -4.0};
  EXPECT_DOUBLE_EQ(relative_error(seen, foretold), 1.0 / (2.0 / 0.5 + 1.0) / std::sqrt(2.0));
  EXPECT_EQ(relative_error(seen, seen), 0.0);
  const std::vector<double> nothing{0.0, 0.0};
  EXPECT_EQ(relative_error(nothing, nothing), 0.0);
  EXPECT_EQ(relative_error(nothing, seen), 1.0) << "never more than 1";
  const std::vector<double> endless{INFINITY, NAN};
  EXPECT_EQ(relative_error(seen, endless), 1.0);
}

TEST(OutputPrediction, of_the_right_model_is_exact_from_any_state_and_for_inputs_that_move_inside_of_steps) {
  RandomMatrices random(71);
  for (const int r : {1, 3, 5}) {
    for (int draw = 0; draw < 10; ++draw) {
      const StateSpace right = random_model(random, 2, 2, 1 + draw % 2);
      const ModelSize size{2, 2, static_cast<int>(right.outputs())};
      PairedModel model(size);
      model.take(right);
      OutputPrediction prediction(size, {r, 3});
      const std::vector<double> scales(static_cast<std::size_t>(size.outputs), 1.0);
      ASSERT_TRUE(prediction.prepare(model, scales));
      const Record record = simulate(right, random.matrix(2, 1), 3 * r, random);
      EXPECT_LT(prediction.error(model, record.samples()), 1e-9);
      StateSpace wrong = right;
      wrong.D(0, 0) += 0.5;
      model.take(wrong);
      ASSERT_TRUE(prediction.prepare(model, scales));
      EXPECT_GT(prediction.error(model, record.samples()), 1e-3);
    }
  }
}

TEST(OutputPrediction, needs_all_steps_and_states_that_can_be_told_apart) {
  RandomMatrices random(72);
  PairedModel model({2, 1, 1});
  OutputPrediction prediction({2, 1, 1}, {1, 3});
  const std::vector<double> scales{1.0};
  const StateSpace right = random_model(random, 2, 1, 1);
  model.take(right);
  ASSERT_TRUE(prediction.prepare(model, scales));
  EXPECT_EQ(prediction.error(model, simulate(right, Vector::Zero(2), 2, random).samples()), INFINITY);
  StateSpace hidden = right;
  hidden.A = Matrix{{0.5, 0.0}, {0.0, 0.7}};
  hidden.C = Matrix{{1.0, 0.0}};
  model.take(hidden);
  EXPECT_FALSE(prediction.prepare(model, scales));
  EXPECT_EQ(prediction.error(model, simulate(right, Vector::Zero(2), 3, random).samples()), INFINITY);
}

TEST(CoordinateChange, keeps_all_outputs_to_come) {
  RandomMatrices random(73);
  for (int draw = 0; draw < 10; ++draw) {
    const StateSpace before = random_model(random, 2, 1, 1);
    const Matrix T = random.matrix(2, 2) + 2.0 * Matrix::Identity(2, 2), inverse = T.inverse();
    const StateSpace after{T * before.A * inverse, T * before.B, before.C * inverse, before.D};
    PairedModel first({2, 1, 1}), second({2, 1, 1});
    first.take(before);
    second.take(after);
    CoordinateChange change({2, 1, 1}, 6);
    ASSERT_TRUE(change.find(first, second, std::vector<double>{1.0}));
    EXPECT_LT((change.map() - T).norm(), 1e-9 * T.norm());
  }
}

TEST(CoordinateChange, to_a_model_with_hidden_states_is_none) {
  PairedModel first({2, 1, 1}), second({2, 1, 1});
  first.take(StateSpace{Matrix{{0.5, 0.1}, {0.0, 0.7}}, Matrix{{0.0}, {1.0}}, Matrix{{1.0, 0.0}}, Matrix{{0.0}}});
  second.take(StateSpace{Matrix{{0.5, 0.0}, {0.0, 0.7}}, Matrix{{0.0}, {1.0}}, Matrix{{1.0, 0.0}}, Matrix{{0.0}}});
  CoordinateChange change({2, 1, 1}, 6);
  EXPECT_FALSE(change.find(first, second, std::vector<double>{1.0}));
  EXPECT_EQ(change.map().norm(), 0.0);
}

}  // namespace
}  // namespace seam::lti
