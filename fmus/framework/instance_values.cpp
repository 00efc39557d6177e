// What an instance reads and writes: variables of every type.
#include <algorithm>
#include <cstring>

#include "fmus/framework/abilities.hpp"
#include "fmus/framework/instance.hpp"
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
      memory.integers[variable.offset + i] = static_cast<std::int64_t>(+values[i]);
    }
  }
}

std::string quoted(const Variable& variable) { return "\"" + variable.name + "\""; }

}  // namespace

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
  const std::vector<int>& states = model_->states();
  const bool state = std::find(states.begin(), states.end(), model_->place(variable)) != states.end();
  if (state && kind_ == Interface::model_exchange && (in(phase()) & while_it_runs)) return true;
  if (!is_parameter(variable) || variable.variability == Variability::constant) {
    refuse(call.name, quoted(variable) + " cannot be set");
    return false;
  }
  if ((in(phase()) & while_it_runs) && variable.variability != Variability::tunable) {
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
    if constexpr (std::is_floating_point_v<Value>) {
      if (strict && !rules::may_take(*this, call, *variable, static_cast<double>(values[done]))) return Status::error;
    } else {
      const auto value = static_cast<std::int64_t>(+values[done]);
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

Status Instance::set_input_derivatives(const Call& call, References references, const std::int32_t* orders,
                                       const double* values) {
  Memory& memory = model_->memory();
  Status status = Status::ok;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Variable* variable = find(call, Type::float64, references[i]);
    if (!variable) return Status::error;
    const bool follows = is_input(*variable) && variable->variability == Variability::continuous;
    if (!follows || orders[i] < 1)
      return refuse(call.name, "only continuous inputs have derivatives, of order 1 and more");
    if (orders[i] > abilities.input_derivatives) {
      // The standard has no word on it; a warning lets the run go on, an error would not.
      status = Status::warning;
      model_->log(status, quoted(*variable) + " does not follow derivatives of order " + std::to_string(orders[i]),
                  Model::LogForm::text);
      continue;
    }
    const InputDerivative given{model_->place(*variable), orders[i], values[i]};
    std::erase_if(memory.input_derivatives, [&](const InputDerivative& known) {
      return known.place == given.place && known.order == given.order;
    });
    memory.input_derivatives.push_back(given);
    memory.stale = true;
  }
  return status;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type takes none
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
SEAM_VALUES(char);  // a Boolean of FMI 1.0
#undef SEAM_VALUES
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace seam::fmus
