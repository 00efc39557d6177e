// From A and C to B, D and the first state: least squares; and the free run of a model.
#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/lti/identification_workspace.hpp"

namespace seam::lti {
namespace {

using Block = Eigen::Map<Matrix>;

/// All channels at one moment, of channels that lie so far apart.
using Sample = Eigen::Map<const Vector, 0, Eigen::InnerStride<>>;
Sample sample(const std::vector<double>& channels, int moment, int count, int apart) {
  return {channels.data() + moment, count, Eigen::InnerStride<>(apart)};
}

/// Columns of the equations, of length 1, that count as combinations of others.
constexpr double dependent = 1e-11;

}  // namespace

bool Identification::Workspace::solve_equations(int rows, int columns) {
  if (columns == 0) return true;
  if (rows < columns) return false;
  for (int j = 0; j < columns; ++j) {
    double& norm = column_norms[static_cast<std::size_t>(j)];
    norm = Eigen::Map<const Vector>(&equation(0, j), rows).norm();
    if (!std::isfinite(norm)) return false;
    if (norm > 0.0) Eigen::Map<Vector>(&equation(0, j), rows) /= norm;
  }
  if (least_squares.solve({equations.data(), right_side.data(), rows, columns, 1, equation_rows}, dependent) < columns)
    return false;
  for (int j = 0; j < columns; ++j)
    right_side[static_cast<std::size_t>(j)] /= column_norms[static_cast<std::size_t>(j)];
  return true;
}

/// C A^i for the first state, in the first columns.
void Identification::Workspace::write_free_response(int samples) {
  const Block dynamics(A.data(), order, order);
  Block seen(filters.data(), outputs, order), next(scratch.data(), outputs, order);
  seen = Block(C.data(), outputs, order);
  for (int i = 0; i < samples; ++i) {
    for (int s = 0; s < order; ++s) {
      for (int j = 0; j < outputs; ++j) equation(i * outputs + j, s) = seen(j, s);
    }
    next.noalias() = seen.lazyProduct(dynamics);
    seen = next;
  }
}

/// What every entry of B and of D alone would answer to the inputs.
void Identification::Workspace::write_forced_response(int first_column) {
  const int n = order, samples = fitted.count;
  const Block dynamics(A.data(), n, n), seen(C.data(), outputs, n);
  Block moved(filters.data(), n, n), next(scratch.data(), n, n);
  for (int b = 0; b < inputs; ++b) {
    moved.setZero();
    for (int i = 0; i < samples; ++i) {
      const double u = input(fitted, i, b);
      for (int s = 0; s < n; ++s) {
        for (int j = 0; j < outputs; ++j)
          equation(i * outputs + j, first_column + b * n + s) = seen.row(j).dot(moved.col(s));
      }
      next.noalias() = dynamics.lazyProduct(moved);
      moved = next;
      moved.diagonal().array() += u;
      for (int column = 0; column < outputs; ++column) {
        for (int j = 0; j < outputs; ++j) {
          equation(i * outputs + j, first_column + inputs * n + b * outputs + column) = j == column ? u : 0.0;
        }
      }
    }
  }
}

// y(i) = C A^i x0 + sum over j < i of C A^(i-1-j) B u(j) + D u(i) is linear in x0, B and D.
bool Identification::Workspace::find_inputs_by_simulation(FirstState first) {
  const int states = first == FirstState::fitted ? order : 0;
  if (states > 0) write_free_response(fitted.count);
  write_forced_response(states);
  const int rows = fitted.count * outputs;
  for (int i = 0; i < rows; ++i) right_side[static_cast<std::size_t>(i)] = output(fitted, i / outputs, i % outputs);
  if (!solve_equations(rows, states + inputs * (order + outputs))) return false;
  const double* solution = right_side.data();
  std::fill_n(x0.begin(), order, 0.0);
  std::copy_n(solution, states, x0.begin());
  std::copy_n(solution + states, order * inputs, B.begin());
  std::copy_n(solution + states + order * inputs, outputs * inputs, D.begin());
  return true;
}

// Eq. 26: N^T Psi L11 = N^T L21 with N the singular vectors that are no states. Psi is the block Toeplitz matrix of D,
// C B, C A B, …, so that an entry of B or D contributes sum over i of (rows i of N seen through it) times rows i of
// L11.
void Identification::Workspace::write_projection() {
  const int n = order, k = block_rows, rest = output_rows() - n;
  const Eigen::Map<const Matrix> U(singular.left(), output_rows(), output_rows());
  const Block dynamics(A.data(), n, n), seen(C.data(), outputs, n);
  // through(i) = sum over j > i of N_j^T C A^(j-i-1), by Horner from below; kept for all i
  const auto through = [&](int i) { return Block(projector.data() + i * rest * n, rest, n); };
  through(k - 1).setZero();
  for (int i = k - 2; i >= 0; --i) {
    through(i).noalias() = through(i + 1).lazyProduct(dynamics);
    const auto below = U.block((i + 1) * outputs, n, outputs, rest);
    through(i).noalias() += below.transpose().lazyProduct(seen);
  }
  const auto fill = [&](int column, int b, auto&& effect) {  // effect(i, r): row r of N^T seen at block i
    for (int c = 0; c < input_rows(); ++c) {
      for (int r = 0; r < rest; ++r) {
        double sum = 0.0;
        for (int i = 0; i < k; ++i) {
          const int row = i * inputs + b;  // L11 = R11^T, lower triangular
          if (c <= row) sum += effect(i, r) * hankel_at(c, row);
        }
        equation(c * rest + r, column) = sum;
      }
    }
  };
  for (int b = 0; b < inputs; ++b) {
    for (int s = 0; s < n; ++s) fill(b * n + s, b, [&](int i, int r) { return through(i)(r, s); });
    for (int j = 0; j < outputs; ++j) {
      fill(inputs * n + b * outputs + j, b, [&](int i, int r) { return U(i * outputs + j, n + r); });
    }
  }
  for (int c = 0; c < input_rows(); ++c) {  // L21 = R12^T
    for (int r = 0; r < rest; ++r) {
      double sum = 0.0;
      for (int i = 0; i < output_rows(); ++i) sum += U(i, n + r) * hankel_at(c, input_rows() + i);
      right_side[static_cast<std::size_t>(c * rest + r)] = sum;
    }
  }
}

bool Identification::Workspace::find_inputs_by_projection() {
  write_projection();
  if (!solve_equations((output_rows() - order) * input_rows(), inputs * (order + outputs))) return false;
  std::copy_n(right_side.begin(), order * inputs, B.begin());
  std::copy_n(right_side.begin() + order * inputs, outputs * inputs, D.begin());
  return true;
}

bool Identification::Workspace::find_inputs(const IdentificationChoices& choices) {
  if (choices.input_fit == InputFit::simulation) return find_inputs_by_simulation(choices.first_state);
  if (!find_inputs_by_projection()) return false;
  std::fill(state.begin(), state.end(), 0.0);
  // over a few samples: the record may grow without bound
  if (choices.first_state == FirstState::fitted && !fit_first_state(fitted, block_rows)) return false;
  std::copy_n(state.begin(), order, x0.begin());
  return true;
}

bool Identification::Workspace::fit_first_state(const Record& record, int samples) {
  const int n = order;
  const Block dynamics(A.data(), n, n), driven(B.data(), n, inputs), seen(C.data(), outputs, n);
  const Block direct(D.data(), outputs, inputs);
  Block x(state.data(), n, 1), next(state.data() + n, n, 1);
  samples = std::min(samples, record.count);
  write_free_response(samples);
  x.setZero();
  for (int i = 0; i < samples; ++i) {
    const Sample u = sample(record.u, i, inputs, most_samples), y = sample(record.y, i, outputs, most_samples);
    Eigen::Map<Vector> rest(right_side.data() + i * outputs, outputs);
    rest = y;
    rest.noalias() -= seen.lazyProduct(x);
    rest.noalias() -= direct.lazyProduct(u);
    next.noalias() = dynamics.lazyProduct(x);
    next.noalias() += driven.lazyProduct(u);
    x = next;
  }
  const bool solved = solve_equations(samples * outputs, n);
  for (int s = 0; s < n; ++s) x(s, 0) = solved ? right_side[static_cast<std::size_t>(s)] : 0.0;
  return solved;
}

double Identification::Workspace::run_freely(const Record& record) {
  const int n = order;
  const Block dynamics(A.data(), n, n), driven(B.data(), n, inputs), seen(C.data(), outputs, n);
  const Block direct(D.data(), outputs, inputs);
  Block x(state.data(), n, 1), next(state.data() + n, n, 1);
  Eigen::Map<Vector> squares(errors.data(), outputs), sizes(scratch.data(), outputs);
  Eigen::Map<Vector> difference(right_side.data(), outputs);
  squares.setZero();
  sizes.setZero();
  for (int i = 0; i < record.count; ++i) {
    const Sample u = sample(record.u, i, inputs, most_samples), y = sample(record.y, i, outputs, most_samples);
    difference = y;
    difference.noalias() -= seen.lazyProduct(x);
    difference.noalias() -= direct.lazyProduct(u);
    squares.array() += difference.array().square();
    sizes.array() += y.array().square();
    next.noalias() = dynamics.lazyProduct(x);
    next.noalias() += driven.lazyProduct(u);
    x = next;
  }
  double worst = 0.0;
  for (int j = 0; j < outputs; ++j) {
    double& error = errors[static_cast<std::size_t>(j)];
    error = squares(j) == 0.0 ? 0.0 : std::sqrt(squares(j) / sizes(j));
    if (!std::isfinite(error)) error = std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst;
}

}  // namespace seam::lti
