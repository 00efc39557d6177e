#include "seam/lti/input_prediction.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "lti/random_matrices.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/exponential.hpp"
#include "seam/lti/observer.hpp"

namespace seam::lti {
namespace {

constexpr double length = 0.7;  // of the step

enum class Graph { pair, chain, ring };

/// Systems of 1 to 3 states with feed-through, each with two predicted inputs and one other.
PredictionTask random_task(RandomMatrices& random, Graph graph, InputForm form) {
  const int count = graph == Graph::pair ? 2 : 5;
  PredictionTask task;
  for (int i = 0; i < count; ++i) {
    const Eigen::Index n = 1 + i % 3;
    PredictedPart part{{random.matrix(n, n), random.matrix(n, 3), random.matrix(2, n), 0.3 * random.matrix(2, 3)},
                       2,
                       form,
                       {},
                       random.matrix(n, 2)};
    part.metric = output_metric(part.system, Vector::Ones(2), length);
    task.parts.push_back(std::move(part));
  }
  task.wiring = {Matrix::Zero(2 * count, 2 * count), random.matrix(2 * count, 1)};
  const auto connect = [&](int to, int from) { task.wiring.L.block(2 * to, 2 * from, 2, 2) = random.matrix(2, 2); };
  for (int i = 0; i + 1 < count; ++i) {
    connect(i, i + 1);
    connect(i + 1, i);
  }
  if (graph == Graph::ring) connect(0, count - 1);
  task.log_sizes = Vector::Zero(2 * count);
  task.step = length;
  task.courses = {2, 1, 2};
  return task;
}

/// A course with coefficients in theta, of which `columns` says where each lies.
template <class Column>
Vector course(const Vector& v, int degree, int count, double theta, const Column& column) {
  Vector result = Vector::Zero(count);
  for (int k = degree; k >= 0; --k) result = (theta * result + v.segment(column(k), count)).eval();
  return result;
}

/// The coupled equations, written down part by part: the right side and the inputs at an instant.
struct Coupled {
  const PredictionTask& task;
  const PredictionColumns& columns;
  const Vector& v;  ///< the columns' values

  Vector residual(double theta) const {
    return course(v, columns.degrees.residual, columns.outputs, theta, [&](int k) { return columns.residual(k, 0); });
  }
  Vector drive(double theta) const {
    return course(v, columns.degrees.drive, columns.outputs, theta, [&](int k) { return columns.drive(k, 0); });
  }
  Vector others(double theta) const {
    return course(v, columns.degrees.others, columns.others, theta, [&](int k) { return columns.other(k, 0); });
  }
  /// u = L y + l, y = C x + D (u, w) + r.
  Vector inputs(const Vector& x, double theta) const {
    const Eigen::Index m = task.wiring.L.rows(), p = task.wiring.L.cols();
    Matrix D = Matrix::Zero(p, m);
    Vector known = residual(theta);
    const Vector w = others(theta);
    Eigen::Index state = 0, input = 0, output = 0, other = 0;
    for (const PredictedPart& part : task.parts) {
      const StateSpace& s = part.system;
      const Eigen::Index rest = s.inputs() - part.predicted;
      D.block(output, input, s.outputs(), part.predicted) = s.D.leftCols(part.predicted);
      known.segment(output, s.outputs()) +=
          s.C * x.segment(state, s.states()) + s.D.rightCols(rest) * w.segment(other, rest);
      state += s.states();
      input += part.predicted;
      output += s.outputs();
      other += rest;
    }
    return (Matrix::Identity(m, m) - task.wiring.L * D).fullPivLu().solve(task.wiring.L * known + task.wiring.l);
  }
  Vector rate(const Vector& x, double theta) const {
    const Vector u = inputs(x, theta), w = others(theta), f = drive(theta);
    Vector result(x.size());
    Eigen::Index state = 0, input = 0, output = 0, other = 0;
    for (const PredictedPart& part : task.parts) {
      const StateSpace& s = part.system;
      const Eigen::Index rest = s.inputs() - part.predicted;
      result.segment(state, s.states()) =
          s.A * x.segment(state, s.states()) + s.B.leftCols(part.predicted) * u.segment(input, part.predicted) +
          s.B.rightCols(rest) * w.segment(other, rest) + part.drive * f.segment(output, s.outputs());
      state += s.states();
      input += part.predicted;
      output += s.outputs();
      other += rest;
    }
    return result;
  }
  /// Runge-Kutta of order 4.
  Vector end() const {
    constexpr int pieces = 80;
    const double h = length / pieces;
    Vector x = v.head(columns.states);
    for (int i = 0; i < pieces; ++i) {
      const double theta = static_cast<double>(i) / pieces, half = 0.5 / pieces;
      const Vector a = rate(x, theta), b = rate(x + 0.5 * h * a, theta + half), c = rate(x + 0.5 * h * b, theta + half),
                   d = rate(x + h * c, theta + 2.0 * half);
      x += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    return x;
  }
};

/// Where each part ends alone, under the inputs that it gets.
Vector ends_alone(const PredictionTask& task, const InputPrediction& prediction, const Vector& v) {
  const PredictionColumns& columns = prediction.columns;
  const Vector given = prediction.gains * v;
  Vector result(columns.states);
  int state = 0, coefficient = 0, output = 0, other = 0;
  for (const PredictedPart& part : task.parts) {
    const StateSpace& s = part.system;
    const int n = static_cast<int>(s.states()), m = part.predicted, count = part.form.coefficients;
    const int rest = static_cast<int>(s.inputs()) - m, p = static_cast<int>(s.outputs());
    const bool pieces = part.form.kind == InputForm::Kind::pieces;
    const auto coefficients = [&](int k) {
      Vector u(m);
      for (int i = 0; i < m; ++i) u(i) = given(coefficient + i * count + k);
      return u;
    };
    Vector x = v.segment(state, n);
    const StateSpace driven{s.A, s.B.leftCols(m), {}, {}};
    const PolynomialStep own = discretise(driven, pieces ? length / count : length, 2);
    if (!pieces) x = (own.Ad * x).eval();
    for (int k = 0; k < count; ++k) {
      if (pieces) x = (own.Ad * x).eval();
      x += own.G[pieces ? 0 : static_cast<std::size_t>(k)] * coefficients(k);
    }
    Matrix beside(n, rest + p);
    beside << s.B.rightCols(rest), part.drive;
    const PolynomialStep known = discretise({s.A, beside, {}, {}}, length, 2);
    for (int k = 0; k <= columns.degrees.others; ++k)
      x += known.G[static_cast<std::size_t>(k)].leftCols(rest) * v.segment(columns.other(k, other), rest);
    for (int k = 0; k <= columns.degrees.drive; ++k)
      x += known.G[static_cast<std::size_t>(k)].rightCols(p) * v.segment(columns.drive(k, output), p);
    result.segment(state, n) = x;
    state += n;
    coefficient += m * count;
    output += p;
    other += rest;
  }
  return result;
}

/// Without courses beside the motion and without constants: by the exponential of the whole.
Vector end_of_coupled(const PredictionTask& task, const PredictionColumns& columns, const Vector& v) {
  const int n = columns.states;
  const Coupled coupled{task, columns, v};
  Matrix A(n, n);
  for (int i = 0; i < n; ++i) A.col(i) = coupled.rate(Vector::Unit(n, i), 0.0);
  return exponential(length * A) * v.head(n);
}

Vector random_columns(RandomMatrices& random, const PredictionColumns& columns) {
  Vector v = random.matrix(columns.count(), 1);
  v(columns.constant()) = 1.0;
  return v;
}

// Two inputs of two coefficients each reach every end of three states.
TEST(InputPrediction, brings_every_part_to_where_the_coupled_motion_ends) {
  using Kind = InputForm::Kind;
  RandomMatrices random(11);
  int tried = 0;
  for (int round = 0; round < 2; ++round) {
    for (const Graph graph : {Graph::pair, Graph::chain, Graph::ring}) {
      for (const InputForm form :
           {InputForm{Kind::polynomial, 2}, {Kind::polynomial, 3}, {Kind::pieces, 2}, {Kind::pieces, 3}}) {
        const PredictionTask task = random_task(random, graph, form);
        const auto prediction = predict_inputs(task);
        ASSERT_TRUE(prediction);
        const Vector v = random_columns(random, prediction->columns);
        const Vector expected = Coupled{task, prediction->columns, v}.end();
        const Vector reached = ends_alone(task, *prediction, v);
        EXPECT_LT((reached - expected).norm(), 1e-7 * (1.0 + expected.norm())) << "round " << round;
        ++tried;
      }
    }
  }
  EXPECT_EQ(tried, 24);
}

// Against the exponential of the whole instead of a solver, without courses beside the motion: to rounding.
TEST(InputPrediction, of_undisturbed_systems_is_the_monolithic_step_to_1e_12) {
  RandomMatrices random(12);
  for (int round = 0; round < 6; ++round) {
    PredictionTask task =
        random_task(random, round % 2 == 0 ? Graph::pair : Graph::ring, {InputForm::Kind::polynomial, 2});
    task.courses = {};
    task.wiring.l.setZero();
    const auto prediction = predict_inputs(task);
    ASSERT_TRUE(prediction);
    Vector v = Vector::Zero(prediction->columns.count());
    const int n = prediction->columns.states;
    v.head(n) = random.matrix(n, 1);
    const Vector expected = end_of_coupled(task, prediction->columns, v);
    EXPECT_LT((ends_alone(task, *prediction, v) - expected).norm(), 1e-12 * (1.0 + expected.norm())) << round;
  }
}

/// Two parts that are nothing but what their outputs were: y = r(theta).
PredictionTask without_models(InputForm form, int degree) {
  const StateSpace nothing{Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), Matrix::Zero(1, 1)};
  PredictionTask task;
  task.parts = {{nothing, 1, form, Matrix(0, 0), Matrix(0, 1)}, {nothing, 1, form, Matrix(0, 0), Matrix(0, 1)}};
  task.wiring = {Matrix::Zero(2, 2), Vector{{0.5, 0.0}}};
  task.wiring.L << 0, 2, -3, 0;
  task.log_sizes = Vector::Zero(2);
  task.step = length;
  task.courses = {degree, -1, 0};
  return task;
}

TEST(InputPrediction, without_models_inputs_are_what_is_known_of_the_outputs) {
  for (int degree = 0; degree <= 2; ++degree) {
    const auto prediction = predict_inputs(without_models({InputForm::Kind::polynomial, degree + 1}, degree));
    ASSERT_TRUE(prediction);
    const PredictionColumns& c = prediction->columns;
    Matrix expected = Matrix::Zero(2 * (degree + 1), c.count());
    for (int k = 0; k <= degree; ++k) {
      expected(k, c.residual(k, 1)) = 2.0;
      expected(degree + 1 + k, c.residual(k, 0)) = -3.0;
    }
    expected(0, c.constant()) = 0.5;
    EXPECT_LT((prediction->gains - expected).cwiseAbs().maxCoeff(), 1e-13) << degree;
  }
}

TEST(InputPrediction, without_models_pieces_are_the_means_of_what_is_known_of_the_outputs) {
  const auto prediction = predict_inputs(without_models({InputForm::Kind::pieces, 2}, 1));
  ASSERT_TRUE(prediction);
  const PredictionColumns& c = prediction->columns;
  EXPECT_NEAR(prediction->gains(0, c.residual(1, 1)), 2.0 * 0.25, 1e-14);
  EXPECT_NEAR(prediction->gains(1, c.residual(1, 1)), 2.0 * 0.75, 1e-14);
  EXPECT_NEAR(prediction->gains(1, c.residual(0, 1)), 2.0, 1e-14);
}

TEST(InputPrediction, a_part_that_gets_no_predicted_input_has_no_coefficients_whatever_its_form) {
  for (const InputForm form : {InputForm{InputForm::Kind::midpoint, 1}, InputForm{InputForm::Kind::pieces, 3}}) {
    PredictionTask task = without_models({InputForm::Kind::polynomial, 2}, 0);
    task.parts[1] = {{Matrix(0, 0), Matrix(0, 0), Matrix(1, 0), Matrix(1, 0)}, 0, form, Matrix(0, 0), Matrix(0, 1)};
    task.wiring = {Matrix{{0.0, 2.0}}, Vector{{0.5}}};
    const auto prediction = predict_inputs(task);
    ASSERT_TRUE(prediction);
    EXPECT_EQ(prediction->gains.rows(), 2);
    EXPECT_EQ(prediction->gains(0, prediction->columns.residual(0, 1)), 2.0);
    EXPECT_EQ(prediction->gains(1, prediction->columns.residual(0, 1)), 0.0);
  }
}

TEST(InputPrediction, one_constant_is_the_predicted_input_in_the_middle_of_the_step) {
  RandomMatrices random(13);
  PredictionTask task = random_task(random, Graph::chain, {InputForm::Kind::midpoint, 1});
  const auto prediction = predict_inputs(task);
  ASSERT_TRUE(prediction);
  const Vector v = random_columns(random, prediction->columns);
  // the state in the middle: the end of half a step with the courses of that half
  task.step = 0.5 * length;
  PredictionColumns columns = prediction->columns;
  Vector half = v;
  const auto halve = [&](int degree, int count, const auto& column) {
    for (int k = 0; k <= degree; ++k) half.segment(column(k), count) *= std::pow(0.5, k);
  };
  halve(2, columns.outputs, [&](int k) { return columns.residual(k, 0); });
  halve(1, columns.outputs, [&](int k) { return columns.drive(k, 0); });
  halve(2, columns.others, [&](int k) { return columns.other(k, 0); });
  for (PredictedPart& part : task.parts) {  // Coupled::end() makes steps of `length`
    part.system.A *= 0.5;
    part.system.B *= 0.5;
    part.drive *= 0.5;
  }
  const Vector middle = Coupled{task, columns, half}.end();
  const Vector expected = Coupled{task, columns, v}.inputs(middle, 0.5);
  EXPECT_LT((prediction->gains * v - expected).norm(), 1e-7 * expected.norm());
}

// Two constants cannot take five states everywhere: what is left over is at right angles to all that they can do.
TEST(InputPrediction, what_it_cannot_reach_it_misses_as_little_as_the_outputs_can_tell) {
  RandomMatrices random(14);
  const InputForm form{InputForm::Kind::pieces, 2};
  PredictionTask task;
  for (int i = 0; i < 2; ++i) {
    PredictedPart part{{random.matrix(5, 5), random.matrix(5, 1), random.matrix(1, 5), Matrix::Zero(1, 1)},
                       1,
                       form,
                       {},
                       Matrix::Zero(5, 1)};
    part.system.A -= 2.0 * Matrix::Identity(5, 5);
    part.metric = output_metric(part.system, Vector::Ones(1), length);
    task.parts.push_back(part);
  }
  task.wiring = {Matrix(2, 2), Vector::Zero(2)};
  task.wiring.L << 0, 1, 1, 0;
  task.log_sizes = Vector::Zero(2);
  task.step = length;
  const auto prediction = predict_inputs(task);
  ASSERT_TRUE(prediction);
  Vector v = Vector::Zero(prediction->columns.count());
  v.head(10) = random.matrix(10, 1);
  const Vector missed = end_of_coupled(task, prediction->columns, v) - ends_alone(task, *prediction, v);
  for (int i = 0; i < 2; ++i) {
    const PredictedPart& part = task.parts[static_cast<std::size_t>(i)];
    const PolynomialStep piece = discretise({part.system.A, part.system.B, {}, {}}, 0.5 * length, 0);
    const Vector rest = part.metric * missed.segment(5 * i, 5);
    const Vector last = part.metric * piece.G[0], first = part.metric * piece.Ad * piece.G[0];
    EXPECT_GT(rest.norm(), 1e-8);
    EXPECT_LT(std::abs(rest.dot(last)), 1e-6 * rest.norm() * last.norm());
    EXPECT_LT(std::abs(rest.dot(first)), 1e-6 * rest.norm() * first.norm());
  }
}

// A constant moves an undamped oscillator nowhere in a whole period: no inputs as large as numbers go.
TEST(InputPrediction, inputs_stay_bounded_where_a_period_divides_the_step) {
  for (const double beside : {0.0, 1e-12, 1e-9, 1e-6, 1e-3}) {
    const double w = 2.0 * std::numbers::pi / length * (1.0 + beside);
    StateSpace system{Matrix::Zero(2, 2), Matrix::Zero(2, 1), Matrix::Identity(1, 2), Matrix::Zero(1, 1)};
    system.A << 0, 1, -w * w, 0;
    system.B << 0, w * w;
    PredictionTask task;
    for (int i = 0; i < 2; ++i)
      task.parts.push_back({system,
                            1,
                            {InputForm::Kind::polynomial, 1},
                            output_metric(system, Vector::Ones(1), length),
                            Matrix::Zero(2, 1)});
    task.wiring = {Matrix(2, 2), Vector::Zero(2)};
    task.wiring.L << 0, 0.1, 0.1, 0;
    task.log_sizes = Vector::Zero(2);
    task.step = length;
    const auto prediction = predict_inputs(task);
    ASSERT_TRUE(prediction);
    EXPECT_LT(prediction->gains.cwiseAbs().maxCoeff(), 1e6) << beside;
  }
}

// Far ends of a chain do not depend on each other within a step.
TEST(InputPrediction, entries_below_rounding_are_dropped) {
  const int count = 24;
  StateSpace mass{Matrix::Zero(2, 2), Matrix::Zero(2, 2), Matrix::Identity(1, 2), Matrix::Zero(1, 2)};
  mass.A << 0, 1, -2.0, -0.1;
  mass.B << 0, 0, 1, 1;
  PredictionTask task;
  task.wiring = {Matrix::Zero(2 * count, count), Vector::Zero(2 * count)};
  for (int i = 0; i < count; ++i) {
    task.parts.push_back(
        {mass, 2, {InputForm::Kind::polynomial, 2}, output_metric(mass, Vector::Ones(1), 1.0), Matrix::Zero(2, 1)});
    if (i > 0) task.wiring.L(2 * i, i - 1) = 1.0;
    if (i + 1 < count) task.wiring.L(2 * i + 1, i + 1) = 1.0;
  }
  task.log_sizes = Vector::Zero(count);
  task.step = 0.1;
  const auto prediction = predict_inputs(task);
  ASSERT_TRUE(prediction);
  const PredictionColumns& c = prediction->columns;
  for (Eigen::Index row = 0; row < prediction->gains.rows(); ++row) {
    const auto part = static_cast<int>(row / 4);
    for (int other = 0; other < count; ++other) {
      if (std::abs(other - part) > 8) {
        EXPECT_EQ(prediction->gains(row, c.state(2 * other)), 0.0) << row << " " << other;
      }
    }
    const int neighbour = row % 4 < 2 ? part - 1 : part + 1;
    if (row % 2 == 0 && neighbour >= 0 && neighbour < count) {
      EXPECT_NEAR(prediction->gains(row, c.state(2 * neighbour)), 1.0, 0.02) << row;
    }
  }
}

TEST(InputPrediction, there_is_none_where_feed_through_closes_a_loop_of_gain_1) {
  const StateSpace gain{Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), Matrix::Ones(1, 1)};
  PredictionTask task = without_models({InputForm::Kind::polynomial, 1}, 0);
  task.parts[0].system = task.parts[1].system = gain;
  task.wiring.L << 0, 1, 1, 0;
  EXPECT_FALSE(predict_inputs(task));
}

}  // namespace
}  // namespace seam::lti
