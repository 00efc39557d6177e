#include "seam/lti/input_prediction.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

#include "seam/lti/discretise.hpp"
#include "seam/lti/interconnect.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::lti {
namespace {

/// Directions in which inputs move the states less than this, beside what inputs do usually, are not used: a larger
/// input than its inverse is no remedy.
constexpr double without_effect = 1e-6;

using Index = Eigen::Index;
using Kind = InputForm::Kind;

/// First state, predicted input, output, other input and coefficient of a part among those of all.
struct PartOffsets {
  Index state = 0, input = 0, output = 0, other = 0, coefficient = 0;
};

PartOffsets behind(const PartOffsets& at, const PredictedPart& part) {
  return {at.state + part.system.states(), at.input + part.predicted, at.output + part.system.outputs(),
          at.other + part.system.inputs() - part.predicted, at.coefficient + part.predicted * part.form.coefficients};
}

/// Of 1, theta, theta^2, … over [0, 1]: the integrals of their products.
Matrix gram(Index count) {
  Matrix result(count, count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) result(i, j) = 1.0 / static_cast<double>(i + j + 1);
  }
  return result;
}

/// From repeated integrals I_1 = integral of u, I_2 = integral of I_1, … over [0, 1] to the integrals of theta^k u, by
/// parts: I_1, I_1 - I_2, I_1 - 2 (I_2 - I_3).
Matrix moments_from_integrals(Index count) {
  Matrix result = Matrix::Zero(count, count);
  for (Index k = 0; k < count; ++k) {
    double factor = 1.0;
    for (Index j = 0; j <= k; factor *= -static_cast<double>(k - j), ++j) result(k, j) = factor;
  }
  return result;
}

/// What a share of the macro step makes of the states of a system: one column a column of the prediction.
using Motion = Matrix;

class Predictor {
 public:
  explicit Predictor(const PredictionTask& task) : task_(task) {
    for (const PredictedPart& part : task.parts) {
      first_.push_back(end_);
      end_ = behind(end_, part);
    }
    columns_ = {static_cast<int>(end_.state), static_cast<int>(end_.output), static_cast<int>(end_.other),
                task.courses};
  }

  std::optional<InputPrediction> predict();

 private:
  /// The inputs of a system whose states and courses are among those of the prediction.
  struct Sources {
    Index state = 0, states = 0;  ///< first column, and how many
    Index output = 0, outputs = 0, other = 0, others = 0;
    bool residuals = false, constant = false;
  };
  Motion motion_of(const StateSpace& system, const Sources& sources, double share) const;
  std::optional<StateSpace> coupled() const;
  void find_motions(const StateSpace& system);
  const Motion& motion(double share) const { return motions_.at(share); }
  Matrix input_in_the_middle() const;
  Matrix fit(std::size_t part) const;
  Matrix effect_of_coefficients(const PredictedPart& part) const;
  void steer(std::size_t part, Matrix& coefficients) const;
  void drop_rounding(Matrix& gains) const;

  Index all_inputs() const { return 2 * end_.output + end_.other + 1; }
  Matrix integral(std::size_t part, int number, double share) const {
    return motion(share).middleRows(end_.state + (number - 1) * end_.input + first_[part].input,
                                    task_.parts[part].predicted);
  }

  const PredictionTask& task_;
  std::vector<PartOffsets> first_;
  PartOffsets end_;
  PredictionColumns columns_;
  Matrix inputs_, through_;  ///< predicted inputs from the coupled states, and from what drives these
  std::map<double, Motion>
      motions_;  ///< of the coupled states and the integrals of the inputs, by the share of the step
};

/// Driven by residuals, innovations, other inputs and 1, in this order, as far as there are sources for them.
Motion Predictor::motion_of(const StateSpace& system, const Sources& s, double share) const {
  const KnownCourses& d = task_.courses;
  const int degree = std::max({0, d.residual, d.drive, d.others});
  const PolynomialStep step = discretise(system, share * task_.step, degree);
  Motion result = Motion::Zero(system.states(), columns_.count());
  result.middleCols(s.state, s.states) = step.Ad.leftCols(s.states);
  Index input = 0;
  const auto add = [&](int highest, Index count, const auto& column) {
    for (int k = 0; k <= highest; ++k)  // theta^k in the theta of the shorter step
      result.middleCols(column(k), count) =
          std::pow(share, k) * step.G[static_cast<std::size_t>(k)].middleCols(input, count);
    input += count;
  };
  const int output = static_cast<int>(s.output), other = static_cast<int>(s.other);
  if (s.residuals) add(d.residual, s.outputs, [&](int k) { return columns_.residual(k, output); });
  add(d.drive, s.outputs, [&](int k) { return columns_.drive(k, output); });
  add(d.others, s.others, [&](int k) { return columns_.other(k, other); });
  if (s.constant) add(0, 1, [&](int) { return columns_.constant(); });
  return result;
}

/// Its inputs: residuals and innovations of all outputs, the other inputs, and 1.
std::optional<StateSpace> Predictor::coupled() const {
  std::vector<StateSpace> parts;
  Index inputs = 0;
  for (const PredictedPart& part : task_.parts) inputs += part.system.inputs() + 2 * part.system.outputs();
  Matrix K = Matrix::Zero(inputs, end_.output), E = Matrix::Zero(inputs, all_inputs());
  Index row = 0;
  for (std::size_t i = 0; i < task_.parts.size(); ++i) {
    const PredictedPart& part = task_.parts[i];
    const PartOffsets& at = first_[i];
    const StateSpace& own = part.system;
    const Index n = own.states(), m = own.inputs(), p = own.outputs(), others = m - part.predicted;
    StateSpace whole{own.A, Matrix(n, m + 2 * p), own.C, Matrix::Zero(p, m + 2 * p)};
    whole.B << own.B, Matrix::Zero(n, p), part.drive;
    whole.D.leftCols(m) = own.D;
    whole.D.middleCols(m, p).setIdentity();
    parts.push_back(std::move(whole));
    K.middleRows(row, part.predicted) = task_.wiring.L.middleRows(at.input, part.predicted);
    E.block(row, all_inputs() - 1, part.predicted, 1) = task_.wiring.l.segment(at.input, part.predicted);
    E.block(row + part.predicted, 2 * end_.output + at.other, others, others).setIdentity();
    E.block(row + m, at.output, p, p).setIdentity();
    E.block(row + m + p, end_.output + at.output, p, p).setIdentity();
    row += m + 2 * p;
  }
  return interconnect(parts, K, E);
}

/// With integrals of the inputs over theta beside the states: I_1' = u / step, I_2' = I_1 / step, …
void Predictor::find_motions(const StateSpace& system) {
  Index integrals = 0;
  std::vector<double> shares = {1.0};
  for (const PredictedPart& part : task_.parts) {
    if (part.predicted == 0) continue;
    if (part.form.kind == Kind::midpoint) shares.push_back(0.5);
    if (part.form.kind == Kind::polynomial) integrals = std::max<Index>(integrals, part.form.coefficients);
    if (part.form.kind != Kind::pieces) continue;
    integrals = std::max<Index>(integrals, 1);
    for (int k = 1; k < part.form.coefficients; ++k) shares.push_back(static_cast<double>(k) / part.form.coefficients);
  }
  const Index n = end_.state, m = end_.input, size = n + integrals * m;
  StateSpace whole{Matrix::Zero(size, size), Matrix::Zero(size, all_inputs()), {}, {}};
  whole.A.topLeftCorner(n, n) = system.A;
  whole.B.topRows(n) = system.B;
  if (integrals > 0) {
    whole.A.block(n, 0, m, n) = inputs_ / task_.step;
    whole.B.middleRows(n, m) = through_ / task_.step;
  }
  for (Index k = 1; k < integrals; ++k)
    whole.A.block(n + k * m, n + (k - 1) * m, m, m) = Matrix::Identity(m, m) / task_.step;
  for (const double share : shares) {
    if (motions_.count(share) == 0)
      motions_[share] = motion_of(whole, {0, n, 0, end_.output, 0, end_.other, true, true}, share);
  }
}

Matrix Predictor::input_in_the_middle() const {
  Matrix result = inputs_ * motion(0.5).topRows(end_.state);
  const KnownCourses& d = task_.courses;
  Index input = 0;
  const auto add = [&](int highest, Index count, const auto& column) {
    for (int k = 0; k <= highest; ++k)
      result.middleCols(column(k), count) += std::pow(0.5, k) * through_.middleCols(input, count);
    input += count;
  };
  add(d.residual, end_.output, [&](int k) { return columns_.residual(k, 0); });
  input = 2 * end_.output;
  add(d.others, end_.other, [&](int k) { return columns_.other(k, 0); });
  add(0, 1, [&](int) { return columns_.constant(); });
  return result;
}

/// The nearest to the predicted inputs that the form allows, in the mean square over the step; one input behind the
/// other.
Matrix Predictor::fit(std::size_t number) const {
  const PredictedPart& part = task_.parts[number];
  const int count = part.form.coefficients, inputs = part.predicted;
  if (inputs == 0) return Matrix(0, columns_.count());
  Matrix result(inputs * count, columns_.count());
  if (part.form.kind == Kind::midpoint) return input_in_the_middle().middleRows(first_[number].input, inputs);
  std::vector<Matrix> coefficients;
  if (part.form.kind == Kind::pieces) {
    for (int k = 0; k < count; ++k) {
      coefficients.push_back(count * integral(number, 1, static_cast<double>(k + 1) / count));
      if (k > 0) coefficients.back() -= count * integral(number, 1, static_cast<double>(k) / count);
    }
  } else {
    const Matrix from_integrals = Eigen::PartialPivLU<Matrix>(gram(count)).solve(moments_from_integrals(count));
    for (int k = 0; k < count; ++k) {
      coefficients.push_back(Matrix::Zero(inputs, columns_.count()));
      for (int j = 0; j < count; ++j) coefficients.back() += from_integrals(k, j) * integral(number, j + 1, 1.0);
    }
  }
  for (int i = 0; i < inputs; ++i) {
    for (int k = 0; k < count; ++k) result.row(i * count + k) = coefficients[static_cast<std::size_t>(k)].row(i);
  }
  return result;
}

/// On its states at the end of the step.
Matrix Predictor::effect_of_coefficients(const PredictedPart& part) const {
  const Index n = part.system.states();
  const int count = part.form.coefficients;
  const StateSpace driven{part.system.A, part.system.B.leftCols(part.predicted), {}, {}};
  Matrix result(n, part.predicted * count);
  const auto put = [&](int k, const Matrix& effect) {
    for (int i = 0; i < part.predicted; ++i) result.col(i * count + k) = effect.col(i);
  };
  if (part.form.kind == Kind::pieces) {
    const PolynomialStep piece = discretise(driven, task_.step / count, 0);
    Matrix effect = piece.G[0];
    for (int k = count - 1; k >= 0; --k, effect = (piece.Ad * effect).eval()) put(k, effect);
    return result;
  }
  const PolynomialStep step = discretise(driven, task_.step, count - 1);
  for (int k = 0; k < count; ++k) put(k, step.G[static_cast<std::size_t>(k)]);
  return result;
}

/// Of all changes of the coefficients that take the part to where the coupled motion ends, the smallest, measured by
/// the sizes of the inputs; where none does, as near to it as its outputs can tell.
void Predictor::steer(std::size_t number, Matrix& coefficients) const {
  const PredictedPart& part = task_.parts[number];
  const PartOffsets& at = first_[number];
  const Index n = part.system.states(), p = part.system.outputs(), others = part.system.inputs() - part.predicted;
  if (part.form.kind == Kind::midpoint || part.metric.rows() == 0 || part.predicted == 0) return;
  StateSpace alone{part.system.A, Matrix(n, p + others), {}, {}};
  alone.B << part.drive, part.system.B.rightCols(others);
  const Matrix effect = effect_of_coefficients(part);
  const Matrix missed = motion(1.0).middleRows(at.state, n) -
                        motion_of(alone, {at.state, n, at.output, p, at.other, others, false, false}, 1.0) -
                        effect * coefficients;
  const Vector of_outputs = (task_.log_sizes.array() - part.log_unit).exp();
  Vector sizes = Vector::Ones(coefficients.rows());
  for (Index i = 0; i < sizes.size(); ++i) {
    const auto gains = task_.wiring.L.row(at.input + i / part.form.coefficients);
    double size = 0.0;
    for (Index j = 0; j < gains.size(); ++j) size += gains(j) == 0.0 ? 0.0 : std::abs(gains(j)) * of_outputs(j);
    if (size > 0.0 && std::isfinite(size)) sizes(i) = size;
  }
  const Matrix scaled = part.metric * effect * sizes.asDiagonal();
  // an input that goes on for a whole period of a mode moves it nowhere: how much it moves it on the way counts
  double usual = scaled.norm();
  for (const double share : {0.25, 0.5}) {
    const Matrix on_the_way =
        discretise({part.system.A, part.system.B.leftCols(part.predicted), {}, {}}, share * task_.step, 0).G[0];
    for (Index i = 0; i < part.predicted; ++i)
      usual = std::max(usual, sizes(i * part.form.coefficients) * (part.metric * on_the_way.col(i)).norm());
  }
  coefficients += sizes.asDiagonal() * (pseudo_inverse(scaled, without_effect * usual) * (part.metric * missed));
}

/// The far ends of a chain do not depend on each other. Units do not matter: rows and columns are scaled until the
/// largest entry of each is 1, and what is rounding beside that becomes 0. Columns of known inputs stay.
void Predictor::drop_rounding(Matrix& gains) const {
  constexpr int rounds = 5;
  const double rounding = -56.0 * std::log(2.0);
  const Index columns = columns_.other(0, 0), rows = gains.rows();
  Matrix logs = gains.leftCols(columns).array().abs().log();  // minus infinity where there is nothing
  for (int round = 0; round < rounds && rows > 0 && columns > 0; ++round) {
    for (Index row = 0; row < rows; ++row) {
      const double largest = logs.row(row).maxCoeff();
      if (std::isfinite(largest)) logs.row(row).array() -= largest;
    }
    for (Index c = 0; c < columns; ++c) {
      const double largest = logs.col(c).maxCoeff();
      if (std::isfinite(largest)) logs.col(c).array() -= largest;
    }
  }
  for (Index c = 0; c < columns; ++c) {
    for (Index row = 0; row < rows; ++row) {
      if (logs(row, c) < rounding) gains(row, c) = 0.0;
    }
  }
}

std::optional<InputPrediction> Predictor::predict() {
  const auto system = coupled();
  if (!system) return std::nullopt;
  inputs_ = task_.wiring.L * system->C;
  through_ = task_.wiring.L * system->D;
  through_.col(all_inputs() - 1) += task_.wiring.l;
  find_motions(*system);
  InputPrediction result{columns_, Matrix(end_.coefficient, columns_.count()), motion(1.0).topRows(end_.state)};
  for (std::size_t i = 0; i < task_.parts.size(); ++i) {
    Matrix coefficients = fit(i);
    steer(i, coefficients);
    result.gains.middleRows(first_[i].coefficient, coefficients.rows()) = coefficients;
  }
  drop_rounding(result.gains);
  drop_rounding(result.motion);
  return result;
}

}  // namespace

std::optional<InputPrediction> predict_inputs(const PredictionTask& task) { return Predictor(task).predict(); }

}  // namespace seam::lti
