// What the standard forbids, for the strict FMUs. All others are built without these checks.
#pragma once

#include "fmus/framework/instance.hpp"

namespace seam::fmus {

#ifdef SEAM_STRICT_FMU
constexpr bool strict = true;
#else
constexpr bool strict = false;
#endif

namespace rules {

/// Says what was wrong in the file that the environment variable SEAM_STRICT_LOG names; false, for callers to return.
bool broken(const char* call, const std::string& instance, const std::string& what);

/// The instance is alive and the function is allowed in its phase.
bool alive(const void* instance, const Call& call);
bool may_instantiate(const char* call, const char* name, const char* resources, Version version);
void born(Instance* instance);
bool may_die(Instance& instance, const char* call);
void died(Instance* instance);

bool may_get(Instance& instance, const Call& call, const Variable& variable);
bool may_set(Instance& instance, const Call& call, const Variable& variable);
bool may_take(Instance& instance, const Call& call, const Variable& variable, std::int64_t value);
bool may_initialise(Instance& instance, const char* call, const Experiment& experiment);
bool may_step(Instance& instance, const char* call, double t, double h);
bool may_configure(Instance& instance, const char* call);

/// States: born, known to be alive and of this instance, and dead.
void state_born(Instance& instance, const void* state);
bool state_alive(Instance& instance, const char* call, const void* state);
void state_died(const void* state);

}  // namespace rules
}  // namespace seam::fmus
