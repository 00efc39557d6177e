#include "fmus/framework/instance.hpp"

#include <cstring>

#include "fmus/strict/rules.hpp"

namespace seam::fmus {
namespace {

template <typename Value>
void read(const Memory& memory, const Variable& variable, Value* values) {
  for (std::size_t i = 0; i < variable.size; ++i) {
    if constexpr (std::is_floating_point_v<Value>) {
      values[i] = static_cast<Value>(memory.reals[variable.offset + i]);
    } else {
      values[i] = static_cast<Value>(memory.integers[variable.offset + i]);
    }
  }
}

template <typename Value>
void write(Memory& memory, const Variable& variable, const Value* values) {
  for (std::size_t i = 0; i < variable.size; ++i) {
    if constexpr (std::is_floating_point_v<Value>) {
      memory.reals[variable.offset + i] = static_cast<double>(values[i]);
    } else {
      memory.integers[variable.offset + i] = static_cast<std::int64_t>(values[i]);
    }
  }
}

std::string quoted(const Variable& variable) { return "\"" + variable.name + "\""; }

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
  enter(Phase::step);
  tuned_ = false;
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

Status Instance::step(double t, double h) {
  Memory& memory = model_->memory();
  const std::optional<double>& stop = memory.experiment.stop;
  // A last step may end beyond the stop time by the rounding of its begin.
  if (stop && t + h > *stop + 1e-9 * h) return refuse("DoStep", "the step ends after the stop time");
  if (tuned_) model_->retune();
  tuned_ = false;
  last_ = model_->step(t, h);
  memory.stale = false;
  memory.awaits_end = last_.ending == Ending::asks_to_end;
  if (last_.status == Status::discard && model_->version() == Version::fmi2) enter(Phase::failed);
  return last_.status;
}

void Instance::refresh() {
  Memory& memory = model_->memory();
  if (!memory.stale || memory.phase != Phase::initialization) return;
  model_->initialise();
  model_->evaluate();
  memory.stale = false;
}

void Instance::touched(const Variable& variable) {
  Memory& memory = model_->memory();
  memory.stale = true;
  if (memory.phase == Phase::step && is_parameter(variable)) tuned_ = true;
}

const Variable* Instance::find(const Call& call, Type family, std::uint32_t reference) const {
  const Variable* variable = model_->find(family, reference);
  if (variable) return variable;
  const std::string what = "no variable of this type has the value reference " + std::to_string(reference);
  if (strict) rules::broken(call.name, name_, what);
  refuse(call.name, what);
  return nullptr;
}

bool Instance::may_get(const Call& call, const Variable& variable) const {
  return !strict || rules::may_get(const_cast<Instance&>(*this), call, variable);
}

bool Instance::may_set(const Call& call, const Variable& variable) const {
  if (strict && !rules::may_set(const_cast<Instance&>(*this), call, variable)) return false;
  if (is_input(variable)) return true;
  if (!is_parameter(variable) || variable.variability == Variability::constant) {
    refuse(call.name, quoted(variable) + " cannot be set");
    return false;
  }
  if (phase() == Phase::step && variable.variability != Variability::tunable) {
    refuse(call.name, quoted(variable) + " is fixed after initialisation");
    return false;
  }
  return true;
}

template <typename Value>
Status Instance::get(const Call& call, Type family, References references, Value* values, std::size_t count) {
  refresh();
  std::size_t done = 0;
  for (const std::uint32_t reference : references) {
    const Variable* variable = find(call, family, reference);
    if (!variable || !may_get(call, *variable)) return Status::error;
    if (variable->size > count - done) break;
    read(model_->memory(), *variable, values + done);
    done += variable->size;
  }
  if (done == count) return Status::ok;
  if (strict) rules::broken(call.name, name_, "the number of values is not the sum of the variables' sizes");
  return refuse(call.name, "the number of values is not the sum of the variables' sizes");
}

template <typename Value>
Status Instance::set(const Call& call, Type family, References references, const Value* values, std::size_t count) {
  std::size_t done = 0;
  for (const std::uint32_t reference : references) {
    const Variable* variable = find(call, family, reference);
    if (!variable || !may_set(call, *variable)) return Status::error;
    if (variable->size > count - done) break;
    if constexpr (!std::is_floating_point_v<Value>) {
      const auto value = static_cast<std::int64_t>(values[done]);
      if (strict && !rules::may_take(*this, call, *variable, value)) return Status::error;
      const auto last = static_cast<std::int64_t>(variable->items.size());
      if (variable->type == Type::enumeration && (value < 1 || value > last)) {
        return refuse(call.name, quoted(*variable) + " has no item " + std::to_string(value));
      }
    }
    write(model_->memory(), *variable, values + done);
    touched(*variable);
    done += variable->size;
  }
  if (done == count) return Status::ok;
  if (strict) rules::broken(call.name, name_, "the number of values is not the sum of the variables' sizes");
  return refuse(call.name, "the number of values is not the sum of the variables' sizes");
}

Status Instance::get_texts(const Call& call, Type family, References references, std::span<const char*> values,
                           std::size_t* sizes) {
  refresh();
  if (values.size() != references.size()) return refuse(call.name, "the number of values is wrong");
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Variable* variable = find(call, family, references[i]);
    if (!variable || !may_get(call, *variable)) return Status::error;
    const std::string& text = model_->memory().texts[variable->offset];
    values[i] = text.data();
    if (sizes) sizes[i] = text.size();
  }
  return Status::ok;
}

Status Instance::set_texts(const Call& call, Type family, References references, std::span<const char* const> values,
                           const std::size_t* sizes) {
  if (values.size() != references.size()) return refuse(call.name, "the number of values is wrong");
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Variable* variable = find(call, family, references[i]);
    if (!variable || !may_set(call, *variable)) return Status::error;
    const std::size_t size = sizes ? sizes[i] : values[i] ? std::strlen(values[i]) : 0;
    if (!values[i] && (size > 0 || !sizes)) return refuse(call.name, "a null pointer for " + quoted(*variable));
    model_->memory().texts[variable->offset].assign(values[i] ? values[i] : "", size);
    touched(*variable);
  }
  return Status::ok;
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
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Variable* variable = model_->find(Type::float64, references[i]);
    const auto slope = variable && orders[i] == 1 ? model_->output_derivative(model_->place(*variable)) : std::nullopt;
    if (!slope) return refuse("GetOutputDerivatives", "only first derivatives of outputs are known");
    values[i] = *slope;
  }
  return Status::ok;
}

Status Instance::restore(const Memory& saved) {
  model_->restore(saved);
  tuned_ = false;
  last_ = {};
  last_.reached = saved.time;
  return Status::ok;
}

#define SEAM_VALUES(Value)                                                           \
  template Status Instance::get(const Call&, Type, References, Value*, std::size_t); \
  template Status Instance::set(const Call&, Type, References, const Value*, std::size_t)
SEAM_VALUES(float);
SEAM_VALUES(double);
SEAM_VALUES(std::int8_t);
SEAM_VALUES(std::uint8_t);
SEAM_VALUES(std::int16_t);
SEAM_VALUES(std::uint16_t);
SEAM_VALUES(std::int32_t);
SEAM_VALUES(std::uint32_t);
SEAM_VALUES(std::int64_t);
SEAM_VALUES(std::uint64_t);
SEAM_VALUES(bool);
#undef SEAM_VALUES

}  // namespace seam::fmus
