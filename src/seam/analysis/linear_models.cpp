#include "seam/analysis/linear_models.hpp"

#include <algorithm>
#include <cmath>

#include "seam/assembly/eventful_equations.hpp"
#include "seam/base/error.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/logarithm.hpp"
#include "seam/lti/solve.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::analysis {
namespace {

using lti::Matrix;
using lti::StateSpace;
using lti::Vector;

/// Calls the subsystem from this state and gives (state, outputs) after it.
Vector called(assembly::Subsystem& subsystem, const CallPoint& point, const Vector& from, int outputs) {
  const assembly::StepFunction function = subsystem.prepare({point.step.length, point.degree});
  const auto x = subsystem.states();
  const auto n = static_cast<Eigen::Index>(x.size());
  std::copy_n(from.data(), n, x.begin());
  const auto width = static_cast<int>(point.coefficients.size()) / (point.degree + 1);
  Vector result(n + outputs);
  const auto outcome = function.advance(point.step, {from.data() + n, point.degree, width},
                                        {result.data() + n, static_cast<std::size_t>(outputs)});
  if (outcome != base::Outcome::accepted)
    throw base::Error(base::Failure::subsystem, "a step that analysis tried was refused: " + subsystem.complaint());
  std::copy_n(x.begin(), n, result.data());
  return result;
}

}  // namespace

StepMap step_map(const StateSpace& equations, double step, int degree) {
  const lti::PolynomialStep exact = lti::discretise(equations, step, degree);
  const auto n = equations.states(), m = equations.inputs();
  StateSpace map{exact.Ad, Matrix(n, m * (degree + 1)), equations.C * exact.Ad,
                 Matrix(equations.outputs(), m * (degree + 1))};
  for (int j = 0; j <= degree; ++j) {
    const Matrix& G = exact.G[static_cast<std::size_t>(j)];
    map.B.middleCols(j * m, m) = G;
    map.D.middleCols(j * m, m) = equations.C * G + equations.D;  // every power of theta is 1 at the end
  }
  return {step, degree, std::move(map)};
}

// y = C' x + D' u at the end of the step is y = C x+ + D u with C = C' A^-1 and D = D' - C B.
std::optional<InstantOutputs> outputs_behind(const StepMap& map) {
  // a delay is singular but for rounding; where that puts its poles (three at 0 move by 1e-5) may have a logarithm
  constexpr double rounding = 1e-14;
  if (lti::null_space(map.matrices.A, rounding).cols() > 0) return std::nullopt;
  const int m = map.inputs();
  InstantOutputs result{Matrix(map.matrices.C.rows(), map.matrices.states()), {}};
  const Matrix transposed = map.matrices.A.transpose();
  for (Eigen::Index row = 0; row < result.C.rows(); ++row) {
    const auto solved = lti::solve(transposed, map.matrices.C.row(row).transpose());
    if (!solved) return std::nullopt;
    result.C.row(row) = solved->transpose();
  }
  const Matrix at_the_end = map.matrices.D.leftCols(m), of_states = result.C * map.matrices.B.leftCols(m);
  const Matrix size = at_the_end.cwiseAbs() + result.C.cwiseAbs() * map.matrices.B.leftCols(m).cwiseAbs();
  constexpr double cancelled = 1e-10;  // of identified maps: what rounding leaves of terms that cancel
  result.D = at_the_end - of_states;
  result.D = (result.D.array().abs() > cancelled * size.array()).select(result.D, 0.0);
  return result;
}

std::optional<StateSpace> equations_behind(const StepMap& map) {
  const auto outputs = outputs_behind(map);
  if (!outputs) return std::nullopt;
  const int m = map.inputs();
  const StateSpace held{map.matrices.A, map.matrices.B.leftCols(m), outputs->C, outputs->D};
  return lti::undo_hold(held, map.step);
}

StepMap step_map(assembly::Subsystem& subsystem, const CallPoint& point, int outputs) {
  const auto x = subsystem.states();
  const auto n = static_cast<Eigen::Index>(x.size()), m = static_cast<Eigen::Index>(point.coefficients.size());
  const assembly::Snapshot kept = subsystem.save();
  const bool affine = subsystem.capabilities().affine;
  CallPoint call = point;
  Vector centre = Vector::Zero(n + m);
  if (affine) {
    call.step.sources = assembly::Sources::silent;
  } else {
    std::copy(x.begin(), x.end(), centre.data());
    std::copy(point.coefficients.begin(), point.coefficients.end(), centre.data() + n);
  }
  Matrix all(n + outputs, n + m);
  const Vector rest = affine ? called(subsystem, call, centre, outputs) : Vector();
  for (Eigen::Index column = 0; column < n + m; ++column) {
    const double delta = affine ? 1.0 : 1e-6 * std::max(1.0, std::abs(centre(column)));
    Vector moved = centre;
    moved(column) += delta;
    if (!affine) subsystem.restore(kept);
    const Vector ahead = called(subsystem, call, moved, outputs);
    moved(column) = centre(column) - delta;
    if (!affine) subsystem.restore(kept);
    const Vector behind = affine ? rest : called(subsystem, call, moved, outputs);
    all.col(column) = (ahead - behind) / (affine ? 1.0 : 2.0 * delta);
  }
  subsystem.restore(kept);
  return {point.step.length,
          point.degree,
          {all.topLeftCorner(n, n), all.topRightCorner(n, m), all.bottomLeftCorner(outputs, n),
           all.bottomRightCorner(outputs, m)}};
}

bool has_state_events(assembly::Subsystem& subsystem) {
  auto* equations = assembly::eventful_equations_of(subsystem);
  return equations && equations->indicator_count() > 0;
}

std::optional<StateSpace> differenced_equations(assembly::Subsystem& subsystem, double t, assembly::In inputs,
                                                int outputs) {
  if (!assembly::eventful_equations_of(subsystem)) return std::nullopt;
  assembly::EventfulEquations& equations = *assembly::eventful_equations_of(subsystem);
  const auto n = static_cast<Eigen::Index>(equations.state_count()), m = static_cast<Eigen::Index>(inputs.size());
  Vector centre(n + m), nominals(n);
  equations.states({centre.data(), static_cast<std::size_t>(n)});
  equations.nominals({nominals.data(), static_cast<std::size_t>(n)});
  std::copy(inputs.begin(), inputs.end(), centre.data() + n);
  const auto rates_at = [&](const Vector& point, Vector& result) {
    const assembly::In x(point.data(), static_cast<std::size_t>(n)), u(point.data() + n, static_cast<std::size_t>(m));
    using Answer = assembly::EventfulEquations::Answer;
    return equations.derivatives(t, x, u, {result.data(), static_cast<std::size_t>(n)}) == Answer::given &&
           equations.outputs(t, x, u, {result.data() + n, static_cast<std::size_t>(outputs)}) == Answer::given;
  };
  Matrix all(n + outputs, n + m);
  Vector ahead(n + outputs), behind(n + outputs);
  for (Eigen::Index column = 0; column < n + m; ++column) {
    const double usual = column < n ? std::abs(nominals(column)) : 1.0;
    const double delta = 1e-5 * std::max(usual, std::abs(centre(column)));
    Vector moved = centre;
    moved(column) += delta;
    if (!rates_at(moved, ahead)) return std::nullopt;
    moved(column) = centre(column) - delta;
    if (!rates_at(moved, behind)) return std::nullopt;
    all.col(column) = (ahead - behind) / (2.0 * delta);
  }
  if (!rates_at(centre, ahead)) return std::nullopt;  // back to where it was
  return StateSpace{all.topLeftCorner(n, n), all.topRightCorner(n, m), all.bottomLeftCorner(outputs, n),
                    all.bottomRightCorner(outputs, m)};
}

Matrix direct_feedthrough(assembly::Subsystem& subsystem, double t, assembly::In inputs, int outputs) {
  Matrix result(outputs, static_cast<Eigen::Index>(inputs.size()));
  std::vector<double> moved(inputs.begin(), inputs.end());
  Vector ahead(outputs), behind(outputs);
  const auto evaluate = [&](Vector& y) {
    subsystem.evaluate(t, assembly::Sources::live, moved, {y.data(), static_cast<std::size_t>(outputs)});
  };
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    const double delta = 1e-5 * std::max(1.0, std::abs(inputs[j]));
    moved[j] = inputs[j] + delta;
    evaluate(ahead);
    moved[j] = inputs[j] - delta;
    evaluate(behind);
    moved[j] = inputs[j];
    result.col(static_cast<Eigen::Index>(j)) = (ahead - behind) / (2.0 * delta);
  }
  return result;
}

// The slowest equations that make a map are others where a motion is faster than half a turn a call.
std::optional<StateSpace> equations_with_solver(const SubsystemModel& model) {
  if (!model.solver_error || !model.map) return model.equations;
  constexpr double half_a_turn = 3.0;
  const bool is_fast = model.equations && std::ranges::any_of(poles(*model.equations), [&](const auto& pole) {
                         return std::abs(pole.imag()) * model.map->step > half_a_turn;
                       });
  return is_fast ? model.equations : equations_behind(*model.map);
}

std::vector<std::complex<double>> poles(const StateSpace& equations) { return lti::eigenvalues(equations.A); }

const char* word(ModelSource source) {
  switch (source) {
    case ModelSource::exact:
      return "exact";
    case ModelSource::derivatives:
      return "derivatives";
    case ModelSource::exchange:
      return "model exchange";
    case ModelSource::probed:
      return "probed";
    case ModelSource::none:
      break;
  }
  return "none";
}

const char* word(Linearity linearity) {
  switch (linearity) {
    case Linearity::linear:
      return "linear";
    case Linearity::at_this_point:
      return "at this point";
    case Linearity::not_tested:
      break;
  }
  return "not tested";
}

}  // namespace seam::analysis
