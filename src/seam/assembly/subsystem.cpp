#include "seam/assembly/subsystem.hpp"

#include <cstring>

#include "seam/base/error.hpp"

namespace seam::assembly {

StepFunction Subsystem::step_function() {
  const auto call = [](void* who, const Step& step, const InputPolynomials& input, Out outputs) {
    return static_cast<Subsystem*>(who)->advance(step, input, outputs);
  };
  return {call, this};
}

void Subsystem::tune(int /*parameter*/, double /*number*/, const DiscreteValue& /*discrete value*/) {
  throw base::Error(base::Failure::internal, "a subsystem without tunable parameters was to be tuned");
}

// Of a subsystem whose snapshot is flat.
std::string Subsystem::serialise() {
  const Snapshot snapshot = save();
  std::string bytes(snapshot.flat.size() * sizeof(double), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), snapshot.flat.data(), bytes.size());
  return bytes;
}

void Subsystem::resume(double t, std::string_view state) {
  initialise(t);
  Snapshot snapshot = save();
  if (state.size() != snapshot.flat.size() * sizeof(double))
    throw base::Error(base::Failure::subsystem, "a saved state has the wrong size: it is of another subsystem");
  if (!state.empty()) std::memcpy(snapshot.flat.data(), state.data(), state.size());
  restore(snapshot);
}

}  // namespace seam::assembly
