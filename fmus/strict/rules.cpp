// FMI 2.0.5, 4.2.4 (table of allowed calls) and FMI 3.0.2, 2.3 and 4.2 (states and what is allowed in each).
#include "fmus/strict/rules.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmus/strict/ledger.hpp"

namespace seam::fmus::rules {
namespace {

std::string words(Phase phase) {
  switch (phase) {
    case Phase::instantiated:
      return "before initialisation";
    case Phase::configuration:
      return "in Configuration Mode";
    case Phase::initialization:
      return "in Initialization Mode";
    case Phase::step:
      return "between steps";
    case Phase::failed:
      return "after a discarded step";
    case Phase::terminated:
      return "after Terminate";
    case Phase::error:
      return "after an error";
    case Phase::fatal:
      return "after a fatal error";
  }
  return "";
}

/// file:///a%20b/resources as a path; empty if it is no such URI.
std::string path_of_uri(const std::string& uri) {
  if (uri.rfind("file:///", 0) != 0) return {};
  std::string path;
  for (std::size_t i = 7; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      path += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path + "/";
}

double real_named(Instance& instance, const char* name) {
  for (const Variable& variable : instance.model().variables()) {
    if (variable.name == name) return instance.model().memory().reals[variable.offset];
  }
  return 0.0;
}

/// Which variables may be set when; what is left is forbidden.
bool settable(Phase phase, Version version, const Variable& variable) {
  if (variable.variability == Variability::constant) return false;
  const bool structural = variable.causality == Causality::structural_parameter;
  if (phase == Phase::configuration || structural) return phase == Phase::configuration && structural;
  const bool exact = variable.initial == Initial::exact;
  if (phase == Phase::initialization) return exact || is_input(variable);
  if (phase == Phase::step) return is_input(variable) || variable.variability == Variability::tunable;
  return exact || variable.initial == Initial::approx || (version == Version::fmi3 && is_input(variable));
}

}  // namespace

bool alive(const void* instance, const Call& call) {
  const auto found = ledger().instances.find(instance);
  if (found == ledger().instances.end())
    return broken(call.name, "?", "there is no such instance; was it freed before?");
  auto& known = *const_cast<Instance*>(static_cast<const Instance*>(instance));
  const Phase phase = known.phase();
  if (call.phases & static_cast<unsigned>(phase)) return true;
  if (phase != Phase::fatal && std::strcmp(call.name + 4, "FreeInstance") != 0) known.enter(Phase::error);
  return broken(call.name, found->second, "not allowed " + words(phase));
}

bool may_instantiate(const char* call, const char* name, const char* resources, Version version) {
  if (!name || std::all_of(name, name + std::strlen(name), [](char c) { return c == ' '; })) {
    return broken(call, "?", "an instance needs a name");
  }
  if (!resources) return broken(call, name, "no place of the resources was given, but there are some");
  const std::string folder = version == Version::fmi2 ? path_of_uri(resources) : resources;
  if (folder.empty()) return broken(call, name, "the place of the resources must be a URI file:///…");
  if (folder.front() != '/' || folder.back() != '/') {
    return broken(call, name, "the path of the resources must be absolute and end with a separator");
  }
  if (access((folder + "readme.txt").c_str(), R_OK) != 0) {
    return broken(call, name, "readme.txt is not in the resources at " + folder);
  }
  return true;
}

bool may_die(Instance& instance, const char* call) {
  bool good = true;
  if (instance.phase() == Phase::step || instance.phase() == Phase::failed) {
    good = broken(call, instance.name(), "Terminate was not called before");
  }
  for (const auto& [state, owner] : ledger().states) {
    if (owner == &instance) good = broken(call, instance.name(), "a saved state was not freed before");
  }
  return good;
}

bool may_get(Instance& instance, const Call& call, const Variable& variable) {
  const Memory& memory = instance.model().memory();
  if (memory.phase == Phase::step && memory.stale) {
    return broken(call.name, instance.name(), "\"" + variable.name + "\" after a Set and before the next DoStep");
  }
  return true;
}

bool may_set(Instance& instance, const Call& call, const Variable& variable) {
  if (settable(instance.phase(), instance.model().version(), variable)) return true;
  return broken(call.name, instance.name(), "\"" + variable.name + "\" must not be set " + words(instance.phase()));
}

bool may_take(Instance& instance, const Call& call, const Variable& variable, std::int64_t value) {
  const auto last = static_cast<std::int64_t>(variable.items.size());
  const bool wrong = (variable.type == Type::boolean && value != 0 && value != 1) ||
                     (variable.type == Type::enumeration && (value < 1 || value > last));
  if (!wrong) return true;
  return broken(call.name, instance.name(), "\"" + variable.name + "\" cannot be " + std::to_string(value));
}

// Whether the user gave a tolerance is known to the test, which says so in the parameter expected_tolerance.
bool may_initialise(Instance& instance, const char* call, const Experiment& experiment) {
  const std::string& name = instance.name();
  if (!std::isfinite(experiment.start)) return broken(call, name, "the start time is not finite");
  if (experiment.stop && !(*experiment.stop >= experiment.start)) {
    return broken(call, name, "the stop time is before the start time");
  }
  const double expected = real_named(instance, "expected_tolerance");
  if (experiment.tolerance.value_or(0.0) != expected) {
    return broken(call, name, expected > 0.0 ? "not the tolerance that was expected" : "a tolerance nobody gave");
  }
  return true;
}

bool may_step(Instance& instance, const char* call, double t, double h) {
  const Memory& memory = instance.model().memory();
  const std::string& name = instance.name();
  if (memory.awaits_end) return broken(call, name, "the FMU had asked for the end of the run");
  if (!(h > 0.0) || !std::isfinite(h)) return broken(call, name, "the step size must be more than 0");
  // t_n = t0 + n h and the end of the last step differ by rounding alone.
  if (!(std::abs(t - memory.time) <= 1e-9 * h)) {
    return broken(call, name,
                  "the step begins at " + number(t) + " s, but the last one ended at " + number(memory.time));
  }
  if (memory.experiment.stop && t + h > *memory.experiment.stop) {
    return broken(call, name, "the step ends at " + number(t + h) + " s, after the stop time");
  }
  return true;
}

bool may_configure(Instance& instance, const char* call) {
  for (const Variable& variable : instance.model().variables()) {
    if (variable.causality == Causality::structural_parameter) return true;
  }
  return broken(call, instance.name(), "there are no structural parameters");
}

}  // namespace seam::fmus::rules
