#include "seam/assembly/linear_subsystem.hpp"

#include <algorithm>
#include <cmath>

#include "seam/assembly/polynomial.hpp"
#include "seam/base/error.hpp"
#include "seam/lti/discretise.hpp"

namespace seam::assembly {
namespace {

// A known signal on one solver step is replaced by the parabola through its values at the begin, the middle and the end.
constexpr int driven_degree = 2;

// result_i = sum_k rows[i][k] z_k with z = (x, c); x and c lie in two places.
inline void multiply(int count, int n, int width, const double* rows, const double* x, const double* c, double* result) {
  for (int i = 0; i < count; ++i) {
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += rows[k] * x[k];
    for (int k = 0; k < width; ++k) sum += rows[n + k] * c[k];
    result[i] = sum;
    rows += n + width;
  }
}

}  // namespace

LinearSubsystem::LinearSubsystem(NativeModel model) : NativeSubsystem(std::move(model)) {
  const auto sizes = equations().sizes();
  n_ = sizes.states;
  m_ = sizes.inputs;
  p_ = sizes.outputs;
  const bool linear = equations().nature() == ode::Ode::Nature::linear;
  if (!linear && n_ > 0) throw base::Error(base::Failure::internal, "the exact solver was given equations that are not linear");
  next_.resize(static_cast<std::size_t>(n_));
  end_.resize(static_cast<std::size_t>(m_));
  local_.resize(static_cast<std::size_t>((driven_degree + 1) * m_));
  if (!linear || !this->model().drives.empty()) {
    output_map_ = OutputMap::by_equations;
    return;
  }
  ode::Jacobians j;
  equations().jacobians(0.0, std::vector<double>(next_.size()), end_, j);
  const bool feeds = std::any_of(j.D.begin(), j.D.end(), [](double d) { return d != 0.0; });
  output_map_ = feeds ? OutputMap::from_states_and_inputs : OutputMap::from_states;
  for (int i = 0; i < p_; ++i) {
    output_rows_.insert(output_rows_.end(), j.C.begin() + i * n_, j.C.begin() + (i + 1) * n_);
    if (feeds) output_rows_.insert(output_rows_.end(), j.D.begin() + i * m_, j.D.begin() + (i + 1) * m_);
  }
}

Capabilities LinearSubsystem::capabilities() const {
  return {.takes_polynomials = model().reading == InputReading::signal,
          .can_evaluate = true,
          .can_shorten = true,
          .affine = equations().nature() == ode::Ode::Nature::linear,
          .wants_micro_steps = samples_known_signals()};
}

void LinearSubsystem::prepare(double length, int degree) {
  if (n_ == 0) return;
  const bool in_solver_steps = model().reading == InputReading::signal && !model().drives.empty();
  if (in_solver_steps) {
    length = length / solver_steps(length);
    degree = std::max(degree, driven_degree);
    local_.resize(std::max(local_.size(), static_cast<std::size_t>((degree + 1) * m_)));
  }
  for (const Table& known : tables_) {
    if (known.length == length && known.degree == degree) return;
  }
  const auto linear = linearise(0.0, end_);
  const lti::PolynomialStep step = lti::discretise(linear->matrices, length, degree);
  Table table{length, degree, {}};
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) table.rows.push_back(step.Ad(i, k));
    for (const lti::Matrix& G : step.G) {
      for (int k = 0; k < m_; ++k) table.rows.push_back(G(i, k));
    }
  }
  tables_.push_back(std::move(table));
}

const LinearSubsystem::Table& LinearSubsystem::table(double length, int degree) const {
  for (const Table& known : tables_) {
    if (known.length == length && known.degree == degree) return known;
  }
  throw base::Error(base::Failure::internal, "a linear subsystem was stepped over a length it was not prepared for");
}

void LinearSubsystem::step_states(const Table& table, const double* coefficients) {
  multiply(n_, n_, (table.degree + 1) * m_, table.rows.data(), x_.data(), coefficients, next_.data());
  std::copy(next_.begin(), next_.end(), x_.begin());
}

void LinearSubsystem::step_driven(const Step& step, const InputPolynomials& input) {
  const int steps = solver_steps(step.length);
  const double length = step.length / steps;
  const int degree = std::max(input.degree, driven_degree);
  const Table& exact = table(length, degree);
  const std::size_t width = static_cast<std::size_t>(m_);
  for (int s = 0; s < steps; ++s) {
    std::fill(local_.begin(), local_.end(), 0.0);
    restrict_polynomial(input, static_cast<double>(s) / steps, static_cast<double>(s + 1) / steps, local_.data());
    for (const ode::DrivenInput& d : driven(step.sources)) {
      const double begin = step.begin + s * length;
      const double a = d.factor * d.signal->at(begin) + d.offset;
      const double b = d.factor * d.signal->at(begin + 0.5 * length) + d.offset;
      const double c = d.factor * d.signal->before(begin + length) + d.offset;
      const std::size_t i = static_cast<std::size_t>(d.input);
      for (std::size_t j = 0; j <= static_cast<std::size_t>(degree); ++j) local_[j * width + i] = 0.0;
      local_[i] = a;
      local_[width + i] = -3.0 * a + 4.0 * b - c;
      local_[2 * width + i] = 2.0 * a - 4.0 * b + 2.0 * c;
    }
    step_states(exact, local_.data());
  }
}

void LinearSubsystem::write_outputs(const Step& step, const InputPolynomials& input, Out outputs) {
  const double* u = input.coefficients;
  if (input.degree > 0 && output_map_ != OutputMap::from_states) {
    input.at(1.0, end_);
    u = end_.data();
  }
  switch (output_map_) {
    case OutputMap::from_states:
      multiply(p_, n_, 0, output_rows_.data(), x_.data(), u, outputs.data());
      return;
    case OutputMap::from_states_and_inputs:
      multiply(p_, n_, m_, output_rows_.data(), x_.data(), u, outputs.data());
      return;
    case OutputMap::by_equations:
      outputs_at(step.begin + step.length, step.begin, step.sources, {u, static_cast<std::size_t>(m_)}, outputs);
      return;
  }
}

Outcome LinearSubsystem::advance(const Step& step, const InputPolynomials& input, Out outputs) {
  if (n_ > 0) {
    if (model().drives.empty()) {
      step_states(table(step.length, input.degree), input.coefficients);
    } else if (model().reading == InputReading::signal) {
      step_driven(step, input);
    } else {
      std::copy(input.coefficients, input.coefficients + m_, end_.begin());
      drive(step.begin, step.sources, end_);
      step_states(table(step.length, 0), end_.data());
    }
  }
  write_outputs(step, input, outputs);
  return Outcome::accepted;
}

}  // namespace seam::assembly
