// FMI 3.0: values, states and derivatives. The signatures are the standard's.
#include <algorithm>

#include "fmus/framework/fmi3_call.hpp"

using namespace seam::fmus;
using namespace seam::fmus::fmi3;

namespace {

constexpr unsigned derived = in(Phase::step) | in(Phase::intermediate) | in(Phase::terminated) | in(Phase::error);

Memory* memory_of(fmi3FMUState state) { return static_cast<Memory*>(state); }

}  // namespace

#define SEAM_REFERENCES const fmi3ValueReference references[], size_t count
#define SEAM_VALUES(Kind, type, get_phases, set_phases)                                                              \
  SEAM_FMI3 fmi3Status fmi3Get##Kind(fmi3Instance handle, SEAM_REFERENCES, fmi3##Kind values[], size_t size) {       \
    static const Call call{"fmi3Get" #Kind, get_phases};                                                             \
    const auto work = [&](Instance& i) { return i.get(call, Type::type, {references, count}, values, size); };       \
    return perform_with(handle, call, work, needed(references, count), needed(values, size));                        \
  }                                                                                                                  \
  SEAM_FMI3 fmi3Status fmi3Set##Kind(fmi3Instance handle, SEAM_REFERENCES, const fmi3##Kind values[], size_t size) { \
    static const Call call{"fmi3Set" #Kind, set_phases};                                                             \
    const auto work = [&](Instance& i) { return i.set(call, Type::type, {references, count}, values, size); };       \
    return perform_with(handle, call, work, needed(references, count), needed(values, size));                        \
  }
SEAM_VALUES(Float32, float32, readable_reals, writable_reals)
SEAM_VALUES(Float64, float64, readable_reals, writable_reals)
SEAM_VALUES(Int8, int8, readable, writable)
SEAM_VALUES(UInt8, uint8, readable, writable)
SEAM_VALUES(Int16, int16, readable, writable)
SEAM_VALUES(UInt16, uint16, readable, writable)
SEAM_VALUES(Int32, int32, readable, writable)
SEAM_VALUES(UInt32, uint32, readable, writable)
SEAM_VALUES(Int64, int64, readable, writable)
SEAM_VALUES(UInt64, uint64, readable, writable)
SEAM_VALUES(Boolean, boolean, readable, writable)

SEAM_FMI3 fmi3Status fmi3GetString(fmi3Instance handle, SEAM_REFERENCES, fmi3String values[], size_t size) {
  static const Call call{"fmi3GetString", readable};
  const auto work = [&](Instance& instance) {
    return instance.get_texts(call, Type::string, {references, count}, {values, size}, nullptr);
  };
  return perform_with(handle, call, work, needed(references, count), needed(values, size));
}

SEAM_FMI3 fmi3Status fmi3SetString(fmi3Instance handle, SEAM_REFERENCES, const fmi3String values[], size_t size) {
  static const Call call{"fmi3SetString", writable};
  const auto work = [&](Instance& instance) {
    return instance.set_texts(call, Type::string, {references, count}, {values, size}, nullptr);
  };
  return perform_with(handle, call, work, needed(references, count), needed(values, size));
}

SEAM_FMI3 fmi3Status fmi3GetBinary(fmi3Instance handle, SEAM_REFERENCES, size_t sizes[], fmi3Binary values[],
                                   size_t size) {
  static const Call call{"fmi3GetBinary", readable};
  const auto work = [&](Instance& instance) {
    std::vector<const char*> bytes(size);
    const Status status = instance.get_texts(call, Type::binary, {references, count}, bytes, sizes);
    for (std::size_t i = 0; i < size; ++i) values[i] = reinterpret_cast<fmi3Binary>(bytes[i]);
    return status;
  };
  return perform_with(handle, call, work, needed(references, count), needed(sizes, size), needed(values, size));
}

SEAM_FMI3 fmi3Status fmi3SetBinary(fmi3Instance handle, SEAM_REFERENCES, const size_t sizes[],
                                   const fmi3Binary values[], size_t size) {
  static const Call call{"fmi3SetBinary", writable};
  const auto work = [&](Instance& instance) {
    std::vector<const char*> bytes;
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(reinterpret_cast<const char*>(values[i]));
    return instance.set_texts(call, Type::binary, {references, count}, bytes, sizes);
  };
  return perform_with(handle, call, work, needed(references, count), needed(sizes, size), needed(values, size));
}

SEAM_FMI3 fmi3Status fmi3GetFMUState(fmi3Instance handle, fmi3FMUState* state) {
  static const Call call{"fmi3GetFMUState", in_any_phase};
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

SEAM_FMI3 fmi3Status fmi3SetFMUState(fmi3Instance handle, fmi3FMUState state) {
  static const Call call{"fmi3SetFMUState", in_any_phase};
  const auto work = [&](Instance& instance) {
    if (strict && !rules::state_alive(instance, call.name, state)) return Status::error;
    return instance.restore(*memory_of(state));
  };
  return perform_with(handle, call, work, state);
}

SEAM_FMI3 fmi3Status fmi3FreeFMUState(fmi3Instance handle, fmi3FMUState* state) {
  static const Call call{"fmi3FreeFMUState", in_any_phase};
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

SEAM_FMI3 fmi3Status fmi3SerializedFMUStateSize(fmi3Instance handle, fmi3FMUState state, size_t* size) {
  static const Call call{"fmi3SerializedFMUStateSize", in_any_phase};
  const auto work = [&](Instance& instance) {
    if (strict && !rules::state_alive(instance, call.name, state)) return Status::error;
    *size = to_bytes(*memory_of(state)).size();
    return Status::ok;
  };
  return perform_with(handle, call, work, state, size);
}

SEAM_FMI3 fmi3Status fmi3SerializeFMUState(fmi3Instance handle, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  static const Call call{"fmi3SerializeFMUState", in_any_phase};
  const auto work = [&](Instance& instance) {
    if (strict && !rules::state_alive(instance, call.name, state)) return Status::error;
    const std::string written = to_bytes(*memory_of(state));
    if (size < written.size()) return instance.refuse(call.name, "not enough room");
    std::copy(written.begin(), written.end(), bytes);
    return Status::ok;
  };
  return perform_with(handle, call, work, state, bytes);
}

SEAM_FMI3 fmi3Status fmi3DeserializeFMUState(fmi3Instance handle, const fmi3Byte bytes[], size_t size,
                                             fmi3FMUState* state) {
  static const Call call{"fmi3DeserializeFMUState", in_any_phase};
  const auto work = [&](Instance& instance) {
    auto memory = from_bytes(reinterpret_cast<const char*>(bytes), size);
    if (!memory) return instance.refuse(call.name, "these are not the bytes of a state");
    auto* copy = new Memory(std::move(*memory));
    if (strict) rules::state_born(instance, copy);
    *state = copy;
    return Status::ok;
  };
  return perform_with(handle, call, work, bytes, state);
}

#define SEAM_UNKNOWNS const fmi3ValueReference unknowns[], size_t unknown_count
#define SEAM_KNOWNS const fmi3ValueReference knowns[], size_t known_count
#define SEAM_SEED const fmi3Float64 seed[], size_t seed_count
#define SEAM_SENSITIVITY fmi3Float64 sensitivity[], size_t sensitivity_count
SEAM_FMI3 fmi3Status fmi3GetDirectionalDerivative(fmi3Instance handle, SEAM_UNKNOWNS, SEAM_KNOWNS, SEAM_SEED,
                                                  SEAM_SENSITIVITY) {
  static const Call call{"fmi3GetDirectionalDerivative", readable & ~in(Phase::instantiated)};
  const auto work = [&](Instance& instance) {
    if (seed_count != known_count || sensitivity_count != unknown_count) {
      return instance.refuse(call.name, "one seed a known and one sensitivity an unknown are needed");
    }
    return instance.derive(
        {{unknowns, unknown_count}, {knowns, known_count}, {seed, seed_count}, {sensitivity, sensitivity_count}});
  };
  return perform_with(handle, call, work, unknowns, knowns, seed, sensitivity);
}

SEAM_FMI3 fmi3Status fmi3GetAdjointDerivative(fmi3Instance handle, SEAM_UNKNOWNS, SEAM_KNOWNS, SEAM_SEED,
                                              SEAM_SENSITIVITY) {
  static const Call call{"fmi3GetAdjointDerivative", readable & ~in(Phase::instantiated)};
  const auto work = [&](Instance& instance) {
    if (seed_count != unknown_count || sensitivity_count != known_count) {
      return instance.refuse(call.name, "one seed an unknown and one sensitivity a known are needed");
    }
    return instance.derive({{unknowns, unknown_count},
                            {knowns, known_count},
                            {seed, seed_count},
                            {sensitivity, sensitivity_count},
                            Direction::Kind::adjoint});
  };
  return perform_with(handle, call, work, unknowns, knowns, seed, sensitivity);
}

SEAM_FMI3 fmi3Status fmi3GetOutputDerivatives(fmi3Instance handle, SEAM_REFERENCES, const fmi3Int32 orders[],
                                              fmi3Float64 values[], size_t) {
  static const Call call{"fmi3GetOutputDerivatives", derived, simulation};
  const auto work = [&](Instance& instance) {
    return instance.output_derivatives({references, count}, {orders, count}, values);
  };
  return perform_with(handle, call, work, needed(references, count), needed(orders, count), needed(values, count));
}
