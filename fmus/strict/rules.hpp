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
bool broken(const Instance& instance, const Call& call, const std::string& what);
std::string words(Phase phase);

/// The instance is alive and the function is allowed in its phase and for its interface.
bool alive(const void* instance, const Call& call);
bool may_instantiate(const char* call, const char* name, const char* resources, Version version);
void born(Instance* instance);
bool may_die(Instance& instance, const char* call);
void died(Instance* instance);
bool may_initialise(Instance& instance, const char* call, const Experiment& experiment);
bool may_configure(Instance& instance, const char* call);

bool may_get(Instance& instance, const Call& call, const Variable& variable);
bool may_set(Instance& instance, const Call& call, const Variable& variable);
/// What only the new value shows.
bool may_take(Instance& instance, const Call& call, const Variable& variable, std::int64_t value);
bool may_take(Instance& instance, const Call& call, const Variable& variable, double value);

/// Steps of a co-simulation; modes, time and states of model exchange; Event Mode of both.
bool may_step(Instance& instance, const Call& call, double t, double h);
bool may_enter_events(Instance& instance, const Call& call);
void entered_events(Instance& instance);
bool may_update(Instance& instance, const Call& call);
void updated(Instance& instance, const EventReport& report);
bool may_leave_events(Instance& instance, const Call& call);
void left_events(Instance& instance);
bool may_set_time(Instance& instance, const Call& call, double t);
bool may_set_states(Instance& instance, const Call& call);
bool may_complete(Instance& instance, const Call& call);
void completed(Instance& instance, const CompletionReport& report);

/// Clocks: set, asked for their times, told their times, and ticking when they are due.
bool may_set_clock(Instance& instance, const Call& call, const Variable& clock, bool active);
bool may_ask_clock(Instance& instance, const Call& call, const Variable& clock, Instance::Timing timing);
bool may_tell_clock(Instance& instance, const Call& call, const Variable& clock, double value);
bool may_reach(Instance& instance, const Call& call, double t);
bool clocks_are_done(Instance& instance, const Call& call);

/// States: born, known to be alive and of this instance, and dead.
void state_born(Instance& instance, const void* state);
bool state_alive(Instance& instance, const char* call, const void* state);
void state_died(const void* state);

}  // namespace rules
}  // namespace seam::fmus
