#include "seam/assembly/linear_subsystem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/assembly/polynomial.hpp"
#include "seam/base/error.hpp"
#include "seam/lti/discretise.hpp"

namespace seam::assembly {
namespace {

// A known signal on one solver step is replaced by the parabola through its values at the begin, the middle and the
// end.
constexpr int driven_degree = 2;

void append_columns(const std::vector<double>& row_major, int rows, int columns, std::vector<double>& result) {
  for (int k = 0; k < columns; ++k) {
    for (int i = 0; i < rows; ++i) result.push_back(row_major[static_cast<std::size_t>(i * columns + k)]);
  }
}

}  // namespace

LinearSubsystem::LinearSubsystem(NativeModel model) : NativeSubsystem(std::move(model)) {
  const auto [n, m, p] = equations().sizes();
  const bool linear = equations().nature() == ode::Ode::Nature::linear;
  if (!linear && n > 0)
    throw base::Error(base::Failure::internal, "the exact solver was given equations that are not linear");
  scratch_.resize(static_cast<std::size_t>(n + m));
  end_.resize(static_cast<std::size_t>(m));
  unused_.resize(static_cast<std::size_t>(p));
  sizes_ = {.x = x_.data(), .scratch = scratch_.data(), .n = n, .m = m, .p = p};
  if (!linear) {
    way_ = Way::without_states;
  } else if (!this->model().drives.empty()) {
    way_ = this->model().reading == InputReading::signal ? Way::driven : Way::sampled;
  }
  if (!linear) return;
  ode::Jacobians j;
  equations().jacobians(0.0, std::vector<double>(static_cast<std::size_t>(n)), end_, j);
  sizes_.feeds_through = std::any_of(j.D.begin(), j.D.end(), [](double d) { return d != 0.0; });
  append_columns(j.C, p, n, output_columns_);
  if (sizes_.feeds_through) append_columns(j.D, p, m, output_columns_);
  sizes_.out = output_columns_.data();
}

Capabilities LinearSubsystem::capabilities() const {
  return {.takes_polynomials = model().reading == InputReading::signal,
          .can_evaluate = true,
          .can_shorten = true,
          .can_serialise = true,
          .affine = equations().nature() == ode::Ode::Nature::linear,
          .wants_micro_steps = samples_known_signals()};
}

bool LinearSubsystem::is_same_in_parts(double part) const {
  return way_ == Way::plain || (way_ == Way::driven && is_whole_solver_steps(part));
}

std::pair<double, int> LinearSubsystem::solver_step(double length, int degree) {
  if (way_ != Way::driven) return {length, degree};
  degree = std::max(degree, driven_degree);
  local_.resize(std::max(local_.size(), static_cast<std::size_t>((degree + 1) * sizes_.m)));
  return {length / solver_steps(length), degree};
}

bool LinearSubsystem::is_prepared(double length, int degree) const {
  return std::any_of(tables_.begin(), tables_.end(),
                     [&](const Table& known) { return known.length == length && known.step.degree == degree; });
}

void LinearSubsystem::prepare(double length, int degree) {
  if (way_ == Way::without_states) return;
  const auto [part, own_degree] = solver_step(length, degree);
  if (!is_prepared(part, own_degree)) fill(tables_.emplace_back(), part, own_degree);
}

void LinearSubsystem::prepare_once(double length, int degree) {
  if (way_ == Way::without_states) return;
  const auto [part, own_degree] = solver_step(length, degree);
  if (!is_prepared(part, own_degree)) fill(once_, part, own_degree);
}

void LinearSubsystem::fill(Table& table, double length, int degree) {
  const lti::PolynomialStep exact = lti::discretise(linearise(0.0, end_)->matrices, length, degree);
  if (!exact.Ad.allFinite()) {
    throw base::Error(
        base::Failure::subsystem,
        fmt::format("a linear model grows beyond all numbers within {} s: its A is too large for this step", length));
  }
  table.length = length;
  table.columns.assign(exact.Ad.data(), exact.Ad.data() + exact.Ad.size());
  for (const lti::Matrix& G : exact.G) table.columns.insert(table.columns.end(), G.data(), G.data() + G.size());
  table.step = sizes_;
  table.step.degree = degree;
  table.step.step = table.columns.data();
  table.kernel = linear_kernel(table.step);
  latest_ = &table;
}

const LinearSubsystem::Table& LinearSubsystem::table(double length, int degree) {
  if (latest_ && latest_->length == length && latest_->step.degree == degree) return *latest_;
  for (const Table& known : tables_) {
    if (known.length == length && known.step.degree == degree) return *(latest_ = &known);
  }
  if (once_.length == length && once_.step.degree == degree) return *(latest_ = &once_);
  throw base::Error(base::Failure::internal, "a linear subsystem was stepped over a length it was not prepared for");
}

void LinearSubsystem::advance_driven(const Step& step, const InputPolynomials& input, Out outputs) {
  const int steps = solver_steps(step.length);
  const double length = step.length / steps;
  const int degree = std::max(input.degree, driven_degree);
  const Table& exact = table(length, degree);
  const auto width = static_cast<std::size_t>(sizes_.m);
  for (int s = 0; s < steps; ++s) {
    std::fill(local_.begin(), local_.end(), 0.0);
    restrict_polynomial(input, static_cast<double>(s) / steps, static_cast<double>(s + 1) / steps, local_.data());
    const double begin = step.begin + s * length;
    for (const ode::DrivenInput& d : driven(step.sources)) {
      const double a = d.factor * d.signal->at(begin) + d.offset;
      const double b = d.factor * d.signal->at(begin + 0.5 * length) + d.offset;
      const double c = d.factor * d.signal->before(begin + length) + d.offset;
      const auto i = static_cast<std::size_t>(d.input);
      for (std::size_t j = 0; j <= static_cast<std::size_t>(degree); ++j) local_[j * width + i] = 0.0;
      local_[i] = a;
      local_[width + i] = -3.0 * a + 4.0 * b - c;
      local_[2 * width + i] = 2.0 * a - 4.0 * b + 2.0 * c;
    }
    exact.kernel(exact.step, local_.data(), unused_.data());
  }
  outputs_by_equations(step, input, outputs);
}

void LinearSubsystem::advance_sampled(const Step& step, const InputPolynomials& input, Out outputs) {
  std::copy_n(input.coefficients, sizes_.m, end_.begin());
  drive(step.begin, step.sources, end_);
  const Table& exact = table(step.length, 0);
  exact.kernel(exact.step, end_.data(), outputs.data());
}

void LinearSubsystem::outputs_by_equations(const Step& step, const InputPolynomials& input, Out outputs) {
  input.at(1.0, end_);
  outputs_at(step.begin + step.length, step.begin, step.sources, end_, outputs);
}

Outcome LinearSubsystem::advance(const Step& step, const InputPolynomials& input, Out outputs) {
  switch (way_) {
    case Way::plain: {
      const Table& exact = table(step.length, input.degree);
      exact.kernel(exact.step, input.coefficients, outputs.data());
      break;
    }
    case Way::driven:
      advance_driven(step, input, outputs);
      break;
    case Way::sampled:
      advance_sampled(step, input, outputs);
      break;
    case Way::without_states:
      outputs_by_equations(step, input, outputs);
      break;
  }
  return Outcome::accepted;
}

std::optional<DirectStep> LinearSubsystem::direct_step(double length, int degree) {
  if (way_ != Way::plain) return std::nullopt;
  const Table& exact = table(length, degree);
  return DirectStep{exact.kernel, &exact.step};
}

}  // namespace seam::assembly
