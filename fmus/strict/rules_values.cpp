// Which variables may be read and written when.
#include <algorithm>

#include "fmus/strict/rules.hpp"

namespace seam::fmus::rules {
namespace {

std::string quoted(const Variable& variable) { return "\"" + variable.name + "\""; }

bool contains(const std::vector<int>& places, int place) {
  return std::find(places.begin(), places.end(), place) != places.end();
}

bool is_state(Instance& instance, const Variable& variable) {
  return instance.kind() == Interface::model_exchange &&
         contains(instance.model().states(), instance.model().place(variable));
}

/// FMI 2.0.5, 3.2.3 and 4.2.4, condition 2: outputs and what stands among the initial unknowns.
bool is_known_early(Instance& instance, const Variable& variable) {
  const int place = instance.model().place(variable);
  return variable.causality == Causality::output || contains(instance.model().states(), place) ||
         contains(instance.model().derivatives(), place);
}

/// FMI 3.0.2, 4.2.2: only what was announced, all gets before all sets.
bool may_get_inside(Instance& instance, const Call& call, const Variable& variable) {
  const std::string what = quoted(variable) + " inside an intermediate update";
  if (instance.inside.touched) return broken(instance, call, what + " after a Set there");
  if (!instance.inside.readable) return broken(instance, call, what + " with tentative states");
  if (contains(instance.required, instance.model().place(variable))) return true;
  return broken(instance, call, what + " without having announced it");
}

/// A clocked variable is there while a clock of it ticks, and in Initialization Mode (FMI 3.0.2, 2.2.7.2).
bool is_there(Instance& instance, const Variable& variable) {
  const Phase phase = instance.phase();
  if (variable.clocks.empty() || phase == Phase::initialization) return true;
  const auto ticks = [&](int clock) { return instance.model().ticks(clock); };
  return phase == Phase::event && std::any_of(variable.clocks.begin(), variable.clocks.end(), ticks);
}

/// What is left is forbidden.
bool settable(Instance& instance, const Variable& variable) {
  if (variable.variability == Variability::constant) return false;
  const Phase phase = instance.phase();
  const bool third = instance.model().version() == Version::fmi3, first = instance.model().version() == Version::fmi1;
  const bool structural = variable.causality == Causality::structural_parameter;
  if (phase == Phase::configuration || structural) return phase == Phase::configuration && structural;
  const bool exact = variable.initial == Initial::exact;
  const bool tuned = variable.causality == Causality::parameter && variable.variability == Variability::tunable;
  const bool state = is_state(instance, variable);
  switch (phase) {
    case Phase::initialization:
      return (exact && !first) || is_input(variable);  // of FMI 1.0: initialised, and no step was made
    case Phase::step:
      return is_input(variable) || tuned;
    case Phase::event:
      return is_input(variable) || tuned || (third && state && variable.role != Role::reset_state);
    case Phase::continuous:
      return state || (is_input(variable) && (first || variable.variability == Variability::continuous));
    case Phase::intermediate:
      return contains(instance.model().agreement.intermediate_inputs, instance.model().place(variable));
    default:
      return exact || variable.initial == Initial::approx || ((first || third) && is_input(variable));
  }
}

/// With event mode, discrete inputs change there (FMI 3.0.2, 4.2.1: the environment enters it for such changes).
bool changes_in_step_mode(Instance& instance, const Variable& variable) {
  return instance.phase() == Phase::step && variable.variability == Variability::discrete && is_input(variable) &&
         instance.model().agreement.events == Agreement::Events::reported;
}

}  // namespace

bool may_get(Instance& instance, const Call& call, const Variable& variable) {
  Memory& memory = instance.model().memory();
  if (memory.phase == Phase::intermediate) return may_get_inside(instance, call, variable);
  if (!is_there(instance, variable)) return broken(instance, call, quoted(variable) + " while its clock does not tick");
  if (memory.phase == Phase::step && memory.stale) {
    return broken(instance, call, quoted(variable) + " after a Set and before the next DoStep");
  }
  const bool early = memory.phase == Phase::initialization && instance.model().version() == Version::fmi2;
  if (early && !is_known_early(instance, variable)) {
    return broken(instance, call, quoted(variable) + " is neither an output nor an initial unknown");
  }
  if (is_state(instance, variable)) memory.trace.must_read_states = 0;
  return true;
}

bool may_set(Instance& instance, const Call& call, const Variable& variable) {
  if (!settable(instance, variable)) {
    return broken(instance, call, quoted(variable) + " must not be set " + words(instance.phase()));
  }
  return is_there(instance, variable) || broken(instance, call, quoted(variable) + " while its clock does not tick");
}

bool may_take(Instance& instance, const Call& call, const Variable& variable, std::int64_t value) {
  if (variable.type == Type::clock) return may_set_clock(instance, call, variable, value != 0);
  const auto last = static_cast<std::int64_t>(variable.items.size());
  const bool wrong = (variable.type == Type::boolean && value != 0 && value != 1) ||
                     (variable.type == Type::enumeration && (value < 1 || value > last));
  if (wrong) return broken(instance, call, quoted(variable) + " cannot be " + std::to_string(value));
  if (!changes_in_step_mode(instance, variable) || instance.model().memory().integers[variable.offset] == value) {
    return true;
  }
  return broken(instance, call, quoted(variable) + " is discrete and changes outside of Event Mode");
}

bool may_take(Instance& instance, const Call& call, const Variable& variable, double value) {
  if (!changes_in_step_mode(instance, variable) || instance.model().memory().reals[variable.offset] == value)
    return true;
  return broken(instance, call, quoted(variable) + " is discrete and changes outside of Event Mode");
}

}  // namespace seam::fmus::rules
