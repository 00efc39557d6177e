// The life of an instance: FMI 2.0.5, 3.2.3 and 4.2.4 (tables of allowed calls); FMI 3.0.2, 2.3, 3.2 and 4.2 (states
// and what is allowed in each); FMI 1.0 for co-simulation, 3.5, and for model exchange, 2.9.
#include "fmus/strict/rules.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmus/strict/ledger.hpp"

namespace seam::fmus::rules {
namespace {

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

}  // namespace

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
    case Phase::intermediate:
      return "inside an intermediate update";
    case Phase::event:
      return "in Event Mode";
    case Phase::continuous:
      return "in Continuous-Time Mode";
  }
  return "";
}

bool broken(const Instance& instance, const Call& call, const std::string& what) {
  return broken(call.name, instance.name(), what);
}

bool alive(const void* instance, const Call& call) {
  const auto lock = alone();
  const auto found = ledger().instances.find(instance);
  if (found == ledger().instances.end())
    return broken(call.name, "?", "there is no such instance; was it freed before?");
  if (found->second.thread != std::this_thread::get_id())
    return broken(call.name, found->second.name, "called on another thread than the one it was made on");
  auto& known = *const_cast<Instance*>(static_cast<const Instance*>(instance));
  const Phase phase = known.phase();
  if (!(call.interfaces & of(known.kind()))) {
    known.enter(Phase::error);
    return broken(known, call,
                  known.kind() == Interface::model_exchange ? "not for model exchange" : "not for co-simulation");
  }
  if (call.phases & in(phase)) return true;
  if (phase != Phase::fatal && !std::strstr(call.name, "Free")) known.enter(Phase::error);
  return broken(call.name, found->second.name, "not allowed " + words(phase));
}

bool may_instantiate(const char* call, const char* name, const char* resources, Version version) {
  if (!name || std::all_of(name, name + std::strlen(name), [](char c) { return c == ' '; })) {
    return broken(call, "?", "an instance needs a name");
  }
  if (!resources) return broken(call, name, "no place of the resources was given, but there are some");
  const std::string folder = version == Version::fmi3 ? resources : path_of_uri(resources);
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
  if (in(instance.phase()) & (while_it_runs | in(Phase::failed))) {
    good = broken(call, instance.name(), "Terminate was not called before");
  }
  const auto lock = alone();
  for (const auto& [state, owner] : ledger().states) {
    if (owner == &instance) good = broken(call, instance.name(), "a saved state was not freed before");
  }
  return good;
}

// Whether the user gave a tolerance is known to the test, which says so in the parameter expected_tolerance.
bool may_initialise(Instance& instance, const char* call, const Experiment& experiment) {
  const std::string& name = instance.name();
  if (!std::isfinite(experiment.start)) return broken(call, name, "the start time is not finite");
  if (experiment.stop && !(*experiment.stop >= experiment.start)) {
    return broken(call, name, "the stop time is before the start time");
  }
  // An environment that solves the equations has a tolerance of its own (FMI 3.0.2, 2.3.2).
  if (instance.kind() == Interface::model_exchange) {
    if (experiment.tolerance.value_or(1.0) > 0.0) return true;
    return broken(call, name, "a tolerance must be more than 0");
  }
  const double expected = real_named(instance, "expected_tolerance");
  if (experiment.tolerance.value_or(0.0) != expected) {
    return broken(call, name, expected > 0.0 ? "not the tolerance that was expected" : "a tolerance nobody gave");
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
