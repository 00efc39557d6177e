#include "fmus/framework/instance.hpp"

#include <algorithm>
#include <cmath>

#include "fmus/framework/abilities.hpp"
#include "fmus/strict/rules.hpp"

namespace seam::fmus {
namespace {

bool is_milliseconds(double h) {
  const double parts = h / 1e-3, nearest = std::round(parts);
  return nearest >= 1.0 && std::abs(parts - nearest) < 1e-6;
}

}  // namespace

Status Instance::refuse(const char* call, const std::string& why) const {
  if (model_->log) model_->log(Status::error, std::string(call) + ": " + why, Model::LogForm::text);
  return Status::error;
}

Status Instance::setup(const Experiment& experiment) {
  model_->memory().experiment = experiment;
  model_->memory().experiment.told = true;
  return Status::ok;
}

Status Instance::enter_initialization() {
  model_->set_time(model_->memory().experiment.start);
  enter(Phase::initialization);
  model_->memory().stale = true;
  return Status::ok;
}

Status Instance::exit_initialization() {
  refresh();
  const bool awaits_events =
      kind_ == Interface::model_exchange || model_->agreement.events == Agreement::Events::reported;
  tuned_ = false;
  if (awaits_events) {
    enter(Phase::event);
    model_->memory().stale = true;
    if (strict) rules::entered_events(*this);
    return Status::ok;
  }
  enter(Phase::step);
  model_->settle();
  return Status::ok;
}

Status Instance::exit_configuration() {
  model_->resize();
  enter(Phase::instantiated);
  return Status::ok;
}

Status Instance::reset() {
  model_->reset();
  tuned_ = false;
  last_ = {};
  return Status::ok;
}

Status Instance::terminate() {
  refresh();
  enter(Phase::terminated);
  return Status::ok;
}

Status Instance::step(const Call& call, double t, double h) {
  if (strict && !rules::may_step(*this, call, t, h)) return Status::error;
  Memory& memory = model_->memory();
  const std::optional<double>& stop = memory.experiment.stop;
  // A last step may end beyond the stop time by the rounding of its begin.
  if (stop && t + h > *stop + 1e-9 * h) return refuse(call.name, "the step ends after the stop time");
  if (abilities.milliseconds && !is_milliseconds(h)) return refuse(call.name, "the step must be a multiple of 1 ms");
  if (tuned_) model_->retune();
  tuned_ = false;
  last_ = model_->step(t, h);
  memory.stale = false;
  memory.input_derivatives.clear();
  memory.awaits_end = last_.ending == Ending::asks_to_end;
  memory.trace.must_enter_events = last_.event == StepReport::Event::awaits_handling ? 1 : 0;
  if (last_.status == Status::discard && model_->version() != Version::fmi3) enter(Phase::failed);
  return last_.status;
}

// Between two steps of a co-simulation nothing is computed: outputs are those of the last step.
void Instance::refresh() {
  constexpr unsigned alive =
      in(Phase::initialization) | in(Phase::intermediate) | in(Phase::event) | in(Phase::continuous);
  Memory& memory = model_->memory();
  if (!memory.stale || !(alive & in(memory.phase))) return;
  if (memory.phase == Phase::initialization) {
    model_->initialise();
    model_->start_clocks();
  }
  if (tuned_) model_->retune();
  tuned_ = false;
  model_->evaluate();
  memory.stale = false;
}

void Instance::touched(const Variable& variable) {
  Memory& memory = model_->memory();
  memory.stale = true;
  inside.touched = true;
  if (!(while_it_runs & in(memory.phase))) return;
  if (is_parameter(variable)) tuned_ = true;
  const auto state = std::find(model_->states().begin(), model_->states().end(), model_->place(variable));
  if (state == model_->states().end()) return;
  memory.states[static_cast<std::size_t>(state - model_->states().begin())] = memory.reals[variable.offset];
}

Status Instance::derive(const Direction& direction) {
  refresh();
  if (!model_->linearise()) return refuse("GetDirectionalDerivative", "this model has none");
  const bool forward = direction.kind == Direction::Kind::directional;
  for (double& entry : direction.sensitivity) entry = 0.0;
  for (std::size_t row = 0; row < direction.unknowns.size(); ++row) {
    for (std::size_t column = 0; column < direction.knowns.size(); ++column) {
      const Variable* unknown = model_->find(Type::float64, direction.unknowns[row]);
      const Variable* known = model_->find(Type::float64, direction.knowns[column]);
      const auto slope =
          unknown && known ? model_->partial(model_->place(*unknown), model_->place(*known)) : std::nullopt;
      if (!slope)
        return refuse("GetDirectionalDerivative", "unknowns are outputs and derivatives, knowns inputs and states");
      direction.sensitivity[forward ? row : column] += *slope * direction.seed[forward ? column : row];
    }
  }
  return Status::ok;
}

Status Instance::output_derivatives(References references, std::span<const std::int32_t> orders, double* values) {
  model_->linearise();
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Variable* variable = model_->find(Type::float64, references[i]);
    const auto slope = variable && orders[i] == 1 ? model_->output_derivative(model_->place(*variable)) : std::nullopt;
    if (!slope) return refuse("GetOutputDerivatives", "only first derivatives of outputs are known");
    values[i] = *slope;
  }
  return Status::ok;
}

Status Instance::restore(const Memory& saved) {
  unsigned foreign = in(Phase::step) | in(Phase::failed);
  if (kind_ == Interface::co_simulation) {
    const bool handles_events = model_->agreement.events == Agreement::Events::reported;
    foreign = in(Phase::continuous) | (handles_events ? 0 : in(Phase::event));
  }
  if (foreign & in(saved.phase)) return refuse("SetFMUState", "this is a state of another interface");
  model_->restore(saved);
  tuned_ = false;
  last_ = {};
  last_.reached = saved.time;
  return Status::ok;
}

}  // namespace seam::fmus
