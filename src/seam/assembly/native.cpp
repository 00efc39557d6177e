#include "seam/assembly/native.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "seam/base/error.hpp"
#include "seam/base/grid.hpp"

namespace seam::assembly {
namespace {

/// What a known signal is while analysis probes.
class Silence final : public ode::TimeSignal {
 public:
  double at(double) const override { return 0.0; }
  double steady_until(double) const override { return std::numeric_limits<double>::infinity(); }
};
const Silence silence;

lti::Matrix matrix(const std::vector<double>& row_major, int rows, int columns) {
  lti::Matrix result(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) result(i, j) = row_major[static_cast<std::size_t>(i * columns + j)];
  }
  return result;
}

}  // namespace

NativeSubsystem::NativeSubsystem(NativeModel model)
    : x_(model.x0), model_(std::move(model)), u_(static_cast<std::size_t>(model_.ode->sizes().inputs)) {
  for (const Drive& drive : model_.drives) {
    driven_.push_back({drive.input, drive.signal.get(), drive.factor, drive.offset});
    excited_.push_back({drive.input, &silence, 0.0, 0.0});
  }
  facets_.equations = this;
  facets_.states = this;
  facets_.tuning = this;
  facets_.excitable = this;
  facets_.persistence = this;
}

bool NativeSubsystem::feeds_through(int output, int input, Phase /*phase*/) const {
  return model_.ode->feeds_through(output, input);
}

void NativeSubsystem::initialise(double /*t0*/) { x_ = model_.x0; }

void NativeSubsystem::follow(int input, double factor, double offset) { ode::follow(driven_, input, factor, offset); }

double NativeSubsystem::signal_at(int input, double t, Limit limit, Sources sources) const {
  for (const ode::DrivenInput& d : driven(sources)) {
    if (d.input == input) return d.factor * (limit == Limit::before ? d.signal->before(t) : d.signal->at(t)) + d.offset;
  }
  return 0.0;
}

double NativeSubsystem::next_corner(int input, double t, Sources sources) const {
  double next = std::numeric_limits<double>::infinity();
  for (const ode::DrivenInput& d : driven(sources)) {
    if (d.input == input) next = std::min(next, d.signal->next_corner(t));
  }
  return next;
}

void NativeSubsystem::tune(int /*parameter*/, double /*number*/, const DiscreteValue& /*discrete_value*/) {
  throw base::Error(base::Failure::internal, "a subsystem without tunable parameters was to be tuned");
}

void NativeSubsystem::excite(int input, const ode::TimeSignal* signal, double factor) {
  auto own = std::find_if(excited_.begin(), excited_.end(), [&](const auto& one) { return one.input == input; });
  if (own == excited_.end()) own = excited_.insert(own, {input, &silence, 0.0, 0.0, 1.0});
  own->signal = signal ? signal : &silence;
  own->factor = signal ? factor : 0.0;
}

void NativeSubsystem::evaluate(double t, Sources sources, In inputs, Out outputs) {
  outputs_at(t, t, sources, inputs, outputs);
}

std::optional<lti::Matrix> NativeSubsystem::feedthrough_matrix(double t, Sources sources, In inputs) {
  const ode::Ode& ode = *model_.ode;
  if (ode.nature() != ode::Ode::Nature::linear && ode.jacobian_source() != ode::Ode::JacobianSource::analytic)
    return std::nullopt;
  std::copy(inputs.begin(), inputs.end(), u_.begin());
  drive(t, sources, u_);
  ode::Jacobians j;
  ode.jacobians(t, x_, u_, j);
  return matrix(j.D, ode.sizes().outputs, ode.sizes().inputs);
}

void NativeSubsystem::outputs_at(double t, double held_at, Sources sources, In inputs, Out outputs) {
  if (driven(sources).empty()) {
    model_.ode->outputs(t, x_, inputs, outputs);
    return;
  }
  std::copy(inputs.begin(), inputs.end(), u_.begin());
  drive(model_.reading == InputReading::stepped ? held_at : t, sources, u_);
  model_.ode->outputs(t, x_, u_, outputs);
}

void NativeSubsystem::drive(double t, Sources sources, Out inputs) const {
  for (const ode::DrivenInput& d : driven(sources)) {
    double& u = inputs[static_cast<std::size_t>(d.input)];
    u = d.kept * u + d.factor * d.signal->at(t) + d.offset;
  }
}

int NativeSubsystem::solver_steps(double length) const {
  const base::Division division = base::divide(length, model_.solver_step);
  if (division.exact && division.whole >= 1) return static_cast<int>(division.whole);
  // A part of a macro step may be shorter than the solver step, and a last step may end between two of them.
  return static_cast<int>(division.whole) + 1;
}

Snapshot NativeSubsystem::save() { return {x_, nullptr}; }

void NativeSubsystem::restore(const Snapshot& snapshot) {
  if (snapshot.flat.size() != x_.size()) {
    throw base::Error(base::Failure::internal, fmt::format("a snapshot of {} states was given to a subsystem with {}",
                                                           snapshot.flat.size(), x_.size()));
  }
  std::copy(snapshot.flat.begin(), snapshot.flat.end(), x_.begin());
}

std::string NativeSubsystem::serialise() {
  return {reinterpret_cast<const char*>(x_.data()), x_.size() * sizeof(double)};
}

void NativeSubsystem::resume(double t, std::string_view state) {
  initialise(t);
  if (state.size() != x_.size() * sizeof(double))
    throw base::Error(base::Failure::subsystem, "a saved state has the wrong size: it is of another subsystem");
  if (!state.empty()) std::memcpy(x_.data(), state.data(), state.size());
}

std::optional<LinearModel> NativeSubsystem::linearise(double t, In inputs) {
  const ode::Ode& ode = *model_.ode;
  if (ode.nature() == ode::Ode::Nature::discrete) return std::nullopt;
  std::copy(inputs.begin(), inputs.end(), u_.begin());
  drive(t, Sources::live, u_);
  ode::Jacobians j;
  ode.jacobians(t, x_, u_, j);
  const auto [n, m, p] = ode.sizes();
  return LinearModel{
      {matrix(j.A, n, n), matrix(j.B, n, m), matrix(j.C, p, n), matrix(j.D, p, m)},
      ode.nature() == ode::Ode::Nature::linear ? LinearModel::Origin::exact : LinearModel::Origin::linearised};
}

LinearOffer NativeSubsystem::linear_offer() const {
  const ode::Ode& ode = *model_.ode;
  if (ode.nature() == ode::Ode::Nature::discrete) return {};
  const bool linear = ode.nature() == ode::Ode::Nature::linear;
  return {linear ? LinearOffer::Kind::fixed : LinearOffer::Kind::moving, ode.sizes().states};
}

bool NativeSubsystem::tell_linear(double t, In inputs, const LinearNumbers& numbers) {
  const ode::Ode& ode = *model_.ode;
  std::copy(inputs.begin(), inputs.end(), u_.begin());
  drive(t, Sources::live, u_);
  ode.jacobians(t, x_, u_, told_);
  const auto [n, m, p] = ode.sizes();
  const auto turn = [](const std::vector<double>& row_major, int rows, int columns, double* to) {
    for (int c = 0; c < columns; ++c) {
      for (int r = 0; r < rows; ++r) *to++ = row_major[static_cast<std::size_t>(r * columns + c)];
    }
  };
  turn(told_.A, n, n, numbers.A);
  turn(told_.B, n, m, numbers.B);
  turn(told_.C, p, n, numbers.C);
  turn(told_.D, p, m, numbers.D);
  return true;
}

}  // namespace seam::assembly
