#include "fmus/strict/ledger.hpp"

#include <cstdio>
#include <cstdlib>

#include "fmus/strict/rules.hpp"

namespace seam::fmus::rules {

Ledger::~Ledger() {
  for (const auto& [instance, life] : instances) broken("FreeInstance", life.name, "the instance was never freed");
}

Ledger& ledger() {
  static Ledger only;
  return only;
}

bool broken(const char* call, const std::string& instance, const std::string& what) {
  const char* path = std::getenv("SEAM_STRICT_LOG");
  std::FILE* file = path ? std::fopen(path, "a") : nullptr;
  if (!file) return false;
  const std::string line = std::string(call) + " (" + instance + "): " + what + "\n";
  std::fputs(line.c_str(), file);
  std::fclose(file);
  return false;
}

void born(Instance* instance) {
  const auto lock = alone();
  ledger().instances[instance] = {instance->name(), std::this_thread::get_id()};
}

void died(Instance* instance) {
  const auto lock = alone();
  ledger().instances.erase(instance);
  auto& states = ledger().states;
  for (auto state = states.begin(); state != states.end();) {
    if (state->second != instance) {
      ++state;
      continue;
    }
    delete static_cast<const Memory*>(state->first);
    state = states.erase(state);
  }
}

void state_born(Instance& instance, const void* state) {
  const auto lock = alone();
  ledger().states[state] = &instance;
}
void state_died(const void* state) {
  const auto lock = alone();
  ledger().states.erase(state);
}

bool state_alive(Instance& instance, const char* call, const void* state) {
  const auto lock = alone();
  const auto found = ledger().states.find(state);
  if (found == ledger().states.end()) {
    return broken(call, instance.name(), "this state does not exist; was it freed before?");
  }
  if (found->second != &instance) return broken(call, instance.name(), "this state is that of another instance");
  return true;
}

}  // namespace seam::fmus::rules
