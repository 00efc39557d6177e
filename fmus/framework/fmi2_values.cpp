// FMI 2.0: values, states and derivatives. The signatures are the standard's.
#include <algorithm>

#include "fmus/framework/abilities.hpp"
#include "fmus/framework/fmi2_call.hpp"

using namespace seam::fmus;
using namespace seam::fmus::fmi2;

namespace {

Memory* memory_of(fmi2FMUstate state) { return static_cast<Memory*>(state); }

}  // namespace

#define SEAM_VALUES(Kind, Value, type, set_phases)                                                              \
  SEAM_FMI2 fmi2Status fmi2Get##Kind(fmi2Component handle, const fmi2ValueReference references[], size_t count, \
                                     Value values[]) {                                                          \
    static const Call call{"fmi2Get" #Kind, readable};                                                          \
    const auto work = [&](Instance& i) { return i.get(call, Type::type, {references, count}, values, count); }; \
    return perform_with(handle, call, work, needed(references, count), needed(values, count));                  \
  }                                                                                                             \
  SEAM_FMI2 fmi2Status fmi2Set##Kind(fmi2Component handle, const fmi2ValueReference references[], size_t count, \
                                     const Value values[]) {                                                    \
    static const Call call{"fmi2Set" #Kind, set_phases};                                                        \
    const auto work = [&](Instance& i) { return i.set(call, Type::type, {references, count}, values, count); }; \
    return perform_with(handle, call, work, needed(references, count), needed(values, count));                  \
  }
SEAM_VALUES(Real, fmi2Real, float64, writable_reals)
SEAM_VALUES(Integer, fmi2Integer, int32, writable)
SEAM_VALUES(Boolean, fmi2Boolean, boolean, writable)

SEAM_FMI2 fmi2Status fmi2GetString(fmi2Component handle, const fmi2ValueReference references[], size_t count,
                                   fmi2String values[]) {
  static const Call call{"fmi2GetString", readable};
  const auto work = [&](Instance& instance) {
    return instance.get_texts(call, Type::string, {references, count}, {values, count}, nullptr);
  };
  return perform_with(handle, call, work, needed(references, count), needed(values, count));
}

SEAM_FMI2 fmi2Status fmi2SetString(fmi2Component handle, const fmi2ValueReference references[], size_t count,
                                   const fmi2String values[]) {
  static const Call call{"fmi2SetString", writable};
  const auto work = [&](Instance& instance) {
    return instance.set_texts(call, Type::string, {references, count}, {values, count}, nullptr);
  };
  return perform_with(handle, call, work, needed(references, count), needed(values, count));
}

SEAM_FMI2 fmi2Status fmi2GetFMUstate(fmi2Component handle, fmi2FMUstate* state) {
  static const Call call{"fmi2GetFMUstate", in_any_phase};
  const auto work = [&](Instance& instance) {
    if (strict && *state && !rules::state_alive(instance, call.name, *state)) return Status::error;
    if (*state) {
      *memory_of(*state) = instance.model().memory();
      return Status::ok;
    }
    *state = instance.save();
    if (strict) rules::state_born(instance, *state);
    return Status::ok;
  };
  return perform_with(handle, call, work, state);
}

SEAM_FMI2 fmi2Status fmi2SetFMUstate(fmi2Component handle, fmi2FMUstate state) {
  static const Call call{"fmi2SetFMUstate", in_any_phase};
  const auto work = [&](Instance& instance) {
    if (strict && !rules::state_alive(instance, call.name, state)) return Status::error;
    return instance.restore(*memory_of(state));
  };
  return perform_with(handle, call, work, state);
}

SEAM_FMI2 fmi2Status fmi2FreeFMUstate(fmi2Component handle, fmi2FMUstate* state) {
  static const Call call{"fmi2FreeFMUstate", in_any_phase};
  const auto work = [&](Instance& instance) {
    if (!*state) return Status::ok;
    if (strict) {
      if (!rules::state_alive(instance, call.name, *state)) return Status::error;
      rules::state_died(*state);
    }
    delete memory_of(*state);
    *state = nullptr;
    return Status::ok;
  };
  return perform_with(handle, call, work, state);
}

SEAM_FMI2 fmi2Status fmi2SerializedFMUstateSize(fmi2Component handle, fmi2FMUstate state, size_t* size) {
  static const Call call{"fmi2SerializedFMUstateSize", in_any_phase};
  const auto work = [&](Instance& instance) {
    if (strict && !rules::state_alive(instance, call.name, state)) return Status::error;
    *size = to_bytes(*memory_of(state)).size();
    return Status::ok;
  };
  return perform_with(handle, call, work, state, size);
}

SEAM_FMI2 fmi2Status fmi2SerializeFMUstate(fmi2Component handle, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  static const Call call{"fmi2SerializeFMUstate", in_any_phase};
  const auto work = [&](Instance& instance) {
    if (strict && !rules::state_alive(instance, call.name, state)) return Status::error;
    const std::string written = to_bytes(*memory_of(state));
    if (size < written.size()) return instance.refuse(call.name, "not enough room");
    std::copy(written.begin(), written.end(), bytes);
    return Status::ok;
  };
  return perform_with(handle, call, work, state, bytes);
}

SEAM_FMI2 fmi2Status fmi2DeSerializeFMUstate(fmi2Component handle, const fmi2Byte bytes[], size_t size,
                                             fmi2FMUstate* state) {
  static const Call call{"fmi2DeSerializeFMUstate", in_any_phase};
  const auto work = [&](Instance& instance) {
    auto memory = from_bytes(bytes, size);
    if (!memory) return instance.refuse(call.name, "these are not the bytes of a state");
    auto* copy = new Memory(std::move(*memory));
    if (strict) rules::state_born(instance, copy);
    *state = copy;
    return Status::ok;
  };
  return perform_with(handle, call, work, bytes, state);
}

#define SEAM_UNKNOWNS const fmi2ValueReference unknowns[], size_t unknown_count
#define SEAM_KNOWNS const fmi2ValueReference knowns[], size_t known_count
SEAM_FMI2 fmi2Status fmi2GetDirectionalDerivative(fmi2Component handle, SEAM_UNKNOWNS, SEAM_KNOWNS,
                                                  const fmi2Real seed[], fmi2Real sensitivity[]) {
  static const Call call{"fmi2GetDirectionalDerivative", readable};
  const auto work = [&](Instance& instance) {
    return instance.derive(
        {{unknowns, unknown_count}, {knowns, known_count}, {seed, known_count}, {sensitivity, unknown_count}});
  };
  return perform_with(handle, call, work, unknowns, knowns, seed, sensitivity);
}

SEAM_FMI2 fmi2Status fmi2SetRealInputDerivatives(fmi2Component handle, const fmi2ValueReference references[],
                                                 size_t count, const fmi2Integer orders[], const fmi2Real values[]) {
  static const Call call{"fmi2SetRealInputDerivatives", abilities.input_derivatives > 0 ? writable : 0, simulation};
  const auto work = [&](Instance& instance) {
    if (abilities.input_derivatives == 0) return instance.refuse(call.name, "inputs are held");
    return instance.set_input_derivatives(call, {references, count}, orders, values);
  };
  return perform_with(handle, call, work, needed(references, count), needed(orders, count), needed(values, count));
}

SEAM_FMI2 fmi2Status fmi2GetRealOutputDerivatives(fmi2Component handle, const fmi2ValueReference references[],
                                                  size_t count, const fmi2Integer orders[], fmi2Real values[]) {
  static const Call call{"fmi2GetRealOutputDerivatives", readable & ~in(Phase::initialization), simulation};
  const auto work = [&](Instance& instance) {
    return instance.output_derivatives({references, count}, {orders, count}, values);
  };
  return perform_with(handle, call, work, needed(references, count), needed(orders, count), needed(values, count));
}
