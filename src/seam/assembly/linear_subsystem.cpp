#include "seam/assembly/linear_subsystem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/assembly/polynomial.hpp"
#include "seam/base/error.hpp"
#include "seam/lti/discretise.hpp"

namespace seam::assembly {
namespace {

// A known signal on one solver step is replaced by the parabola through its values at the start, the middle and the
// end.
constexpr int driven_degree = 2;
// So many parabolas follow a period to 1e-5.
constexpr double parts_a_period = 16.0;

}  // namespace

LinearSubsystem::LinearSubsystem(NativeModel model, std::optional<ode::Method> method)
    : NativeSubsystem(std::move(model)),
      z_(static_cast<std::size_t>(equations().sizes().states)),
      end_(static_cast<std::size_t>(equations().sizes().inputs)) {
  if (!is_linear() && equations().sizes().states > 0)
    throw base::Error(base::Failure::internal, "the exact solver was given equations that are not linear");
  if (method) solver_ = std::make_unique<ode::FixedStepSolver>(equations(), *method);
}

Capabilities LinearSubsystem::capabilities() const {
  return {.takes_polynomials = model().reading == InputReading::signal,
          .can_evaluate = true,
          .can_shorten = true,
          .affine = is_linear(),
          .wants_micro_steps = samples_known_signals(),
          .divisible_by = divisible_by()};
}

std::optional<double> LinearSubsystem::divisible_by() const {
  if (!is_linear() || samples_known_signals()) return std::nullopt;
  return !solver_ && model().drives.empty() ? 0.0 : model().solver_step;
}

std::pair<int, int> LinearSubsystem::followed_parts(double length, int degree, Sources sources) const {
  double rate = 0.0;
  for (const ode::DrivenInput& d : driven(sources))
    rate = std::max(rate, sources == Sources::live ? 0.0 : d.signal->rate());
  const auto parts = static_cast<int>(std::ceil(parts_a_period * rate * length));
  return {std::max(solver_steps(length), parts), std::max(degree, driven_degree)};
}

bool LinearSubsystem::is_prepared(double length, int degree) const {
  return std::any_of(tables_.begin(), tables_.end(),
                     [&](const Table& known) { return known.length == length && known.degree == degree; });
}

StepFunction LinearSubsystem::prepare(const Calls& calls) {
  const StepFunction function = StepFunction::of(*this);
  if (!is_linear()) return function;
  const auto [length, degree] = std::pair(calls.length, calls.degree);
  if (!is_prepared(length, degree)) tables_.push_back(make_table(length, degree));
  if (solver_ || model().drives.empty() || samples_known_signals()) return function;
  const auto [parts, part_degree] = followed_parts(length, degree, Sources::live);
  if (!is_prepared(length / parts, part_degree)) tables_.push_back(make_table(length / parts, part_degree));
  return function;
}

/// Rows of the states after the step: columns of the states, then of the coefficients, power by power.
lti::Matrix LinearSubsystem::exact_states(double length, int degree) {
  const lti::PolynomialStep exact = lti::discretise(linearise(0.0, end_)->matrices, length, degree);
  const Eigen::Index n = exact.Ad.rows(), m = equations().sizes().inputs;
  lti::Matrix rows(n, n + (degree + 1) * m);
  rows.leftCols(n) = exact.Ad;
  for (int j = 0; j <= degree; ++j) rows.middleCols(n + j * m, m) = exact.G[static_cast<std::size_t>(j)];
  return rows;
}

/// The same, by the solver's own steps from unit vectors.
lti::Matrix LinearSubsystem::solved_states(double length, int degree) {
  const auto [n, m, p] = equations().sizes();
  std::vector<double> z(static_cast<std::size_t>(n + (degree + 1) * m));
  std::vector<double> x(static_cast<std::size_t>(n));
  lti::Matrix rows(n, static_cast<Eigen::Index>(z.size()));
  for (std::size_t column = 0; column < z.size(); ++column) {
    std::fill(z.begin(), z.end(), 0.0);
    z[column] = 1.0;
    std::copy_n(z.begin(), n, x.begin());
    solver_->advance(0.0, length, solver_steps(length), {{z.data() + n, degree, m}, {}, 0.0, length}, x);
    for (int i = 0; i < n; ++i) rows(i, static_cast<Eigen::Index>(column)) = x[static_cast<std::size_t>(i)];
  }
  return rows;
}

LinearSubsystem::Table LinearSubsystem::make_table(double length, int degree) {
  const auto [n, m, p] = equations().sizes();
  const lti::StateSpace matrices = linearise(0.0, end_)->matrices;
  lti::AffineMap map;
  map.columns.resize(n + p, n + (degree + 1) * m);
  map.columns.topRows(n) = solver_ ? solved_states(length, degree) : exact_states(length, degree);
  map.columns.bottomRows(p) = matrices.C * map.columns.topRows(n);
  for (int j = 0; j <= degree; ++j) map.columns.block(n, n + j * m, p, m) += matrices.D;  // u(1) is their sum
  if (!map.columns.allFinite()) {
    throw base::Error(
        base::Failure::subsystem,
        fmt::format("a linear model grows beyond all numbers within {} s: its A is too large for this step", length));
  }
  for (Eigen::Index k = 0; k < map.columns.cols(); ++k) map.from.push_back(static_cast<int>(k));
  Table table{length, degree, lti::AffineRows(map)};
  z_.resize(std::max(z_.size(), map.from.size()));
  result_.resize(static_cast<std::size_t>(table.rows.written()));
  return table;
}

const LinearSubsystem::Table& LinearSubsystem::table(double length, int degree) {
  if (latest_ && latest_->length == length && latest_->degree == degree) return *latest_;
  for (const Table& known : tables_) {
    if (known.length == length && known.degree == degree) return *(latest_ = &known);
  }
  if (unprepared_.length != length || unprepared_.degree != degree) unprepared_ = make_table(length, degree);
  return *(latest_ = &unprepared_);
}

/// result_ = (state, outputs) after the step from z_.
void LinearSubsystem::apply(const Table& table) {
  std::copy(x_.begin(), x_.end(), z_.begin());
  table.rows.apply(z_.data(), result_.data());
  std::copy_n(result_.begin(), x_.size(), x_.begin());
}

bool LinearSubsystem::write_constant_signals(const Step& step) {
  const std::span<const ode::DrivenInput> followed = driven(step.sources);
  const bool sampled = model().reading == InputReading::stepped;
  const double end = step.begin + step.length;
  // what is added changes between two looks at the same time
  if (!sampled && !(step.sources == Sources::live && step.begin >= steady_from_ && end < steady_until_)) {
    steady_from_ = step.sources == Sources::live ? step.begin : std::numeric_limits<double>::infinity();
    steady_until_ = std::numeric_limits<double>::infinity();
    for (const ode::DrivenInput& d : followed)
      steady_until_ = std::min(steady_until_, d.signal->steady_until(step.begin));
    if (!(end < steady_until_)) return false;
  }
  const std::size_t width = end_.size(), n = x_.size();
  for (const ode::DrivenInput& d : followed) {
    for (std::size_t k = n + static_cast<std::size_t>(d.input); k < z_.size(); k += width) z_[k] *= d.kept;
    z_[n + static_cast<std::size_t>(d.input)] += d.factor * d.signal->at(step.begin) + d.offset;
  }
  return true;
}

/// A step in which a known signal changes.
void LinearSubsystem::follow_signals(const Step& step, const InputPolynomials& input, Out outputs) {
  if (solver_) {
    solver_->advance(step.begin, step.length, solver_steps(step.length),
                     {input, driven(step.sources), step.begin, step.length}, x_);
  } else {
    const auto [steps, degree] = followed_parts(step.length, input.degree, step.sources);
    const double length = step.length / steps;
    const Table& exact = table(length, degree);
    const std::size_t width = end_.size(), n = x_.size();
    for (int s = 0; s < steps; ++s) {
      std::fill(z_.begin(), z_.end(), 0.0);
      restrict_polynomial(input, static_cast<double>(s) / steps, static_cast<double>(s + 1) / steps, z_.data() + n);
      const double begin = step.begin + s * length;
      for (const ode::DrivenInput& d : driven(step.sources)) {
        const double a = d.factor * d.signal->at(begin) + d.offset;
        const double b = d.factor * d.signal->at(begin + 0.5 * length) + d.offset;
        const double c = d.factor * d.signal->before(begin + length) + d.offset;
        const auto i = n + static_cast<std::size_t>(d.input);
        for (std::size_t j = 0; j <= static_cast<std::size_t>(degree); ++j) z_[j * width + i] *= d.kept;
        z_[i] += a;
        z_[width + i] += -3.0 * a + 4.0 * b - c;
        z_[2 * width + i] += 2.0 * a - 4.0 * b + 2.0 * c;
      }
      apply(exact);
    }
  }
  input.at(1.0, end_);
  outputs_at(step.begin + step.length, step.begin, step.sources, end_, outputs);
}

Outcome LinearSubsystem::advance(const Step& step, const InputPolynomials& input, Out outputs) {
  if (!is_linear()) {
    input.at(1.0, end_);
    outputs_at(step.begin + step.length, step.begin, step.sources, end_, outputs);
    return Outcome::accepted;
  }
  const Table& whole = table(step.length, input.degree);  // first: z_ is long enough then
  std::copy_n(input.coefficients, static_cast<std::size_t>(input.degree + 1) * end_.size(),
              z_.begin() + static_cast<std::ptrdiff_t>(x_.size()));
  if (!driven(step.sources).empty() && !write_constant_signals(step)) {
    follow_signals(step, input, outputs);
    return Outcome::accepted;
  }
  apply(whole);
  std::copy_n(result_.begin() + static_cast<std::ptrdiff_t>(x_.size()), outputs.size(), outputs.begin());
  return Outcome::accepted;
}

}  // namespace seam::assembly
