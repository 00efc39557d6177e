// An FMU of both versions for model exchange that is strict: a call in the wrong mode is an error. x' = u - x; a ball
// of height h that bounces with half its speed; a count that grows every 0.25 s; a relay that u switches at 0.5; an
// integer k that is doubled. Some behave oddly: the name of the instance says how.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "fmi2.h"
#include "fmi3.h"

#define SEAM_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum class Mode { begin, initialising, event, continuous, ended };
enum Number : unsigned { u = 1, x, der_x, h, der_h, v, der_v, y, k = 10, count, doubled, relay };

struct Memory {
  Mode mode = Mode::begin;
  bool settled = false, resting = false, wished = false, on = false;
  double time = 0.0, completed = 0.0, next = 0.25;
  double u = 0.0, x = 1.0, h = 1.0, v = 0.0;
  int k = 0, count = 0, doubled = 0;
};

struct Update {
  bool again = false, ends = false;
};

struct Exchange {
  std::string behaviour;
  fmi2CallbackFunctions callbacks = {};
  fmi3LogMessageCallback log = nullptr;
  fmi3InstanceEnvironment environment = nullptr;
  Memory now = {};

  bool is(const char* name) const { return behaviour == name; }
  int illegal(const char* what) const {
    if (log) log(environment, fmi3Error, "rules", what);
    if (callbacks.logger) callbacks.logger(callbacks.componentEnvironment, "", fmi2Error, "rules", what);
    return fmi2Error;
  }
  bool computes() const {
    return now.mode == Mode::initialising || now.mode == Mode::event || now.mode == Mode::continuous;
  }

  int change(Mode from, Mode to) {
    if (now.mode != from) return illegal("this mode cannot be entered from here");
    if (to == Mode::continuous && !now.settled) return illegal("Event Mode is left before everything has settled");
    now.mode = to;
    now.settled = false;
    return fmi2OK;
  }
  int set_real(unsigned number, double value) {
    if (number != Number::u || now.mode == Mode::begin) return illegal("this variable must not be set now");
    now.u = value;
    return fmi2OK;
  }
  int set_integer(unsigned number, int value) {
    if (number != Number::k || (now.mode != Mode::event && now.mode != Mode::initialising))
      return illegal("a discrete variable is set outside Event Mode");
    now.k = value;
    return fmi2OK;
  }
  int set_time(double t) {
    if (now.mode != Mode::continuous) return illegal("time is set outside Continuous-Time Mode");
    if (t < now.completed) return illegal("time goes back beyond what is over");
    now.time = t;
    return fmi2OK;
  }
  int set_states(const double* values, std::size_t size) {
    if (now.mode != Mode::continuous || size != 3) return illegal("states are set outside Continuous-Time Mode");
    now.x = values[0];
    now.h = values[1];
    now.v = values[2];
    return fmi2OK;
  }
  int states(double* values) const {
    if (!computes()) return illegal("there are no states now");
    values[0] = now.x;
    values[1] = now.h;
    values[2] = now.v;
    return fmi2OK;
  }
  int derivatives(double* values) const {
    if (!computes()) return illegal("there are no derivatives now");
    if (is("impatient") && now.time > now.completed + 0.01) return fmi2Discard;
    for (std::size_t i = 0; i < 3; ++i) values[i] = real(Number::der_x + 2 * static_cast<unsigned>(i));
    return fmi2OK;
  }
  int indicators(double* values) const {
    if (!computes()) return illegal("there are no event indicators now");
    values[0] = now.resting ? 1.0 : now.h;
    values[1] = now.u - 0.5;
    return fmi2OK;
  }
  int nominals(double* values) const {
    values[0] = 1.0;
    values[1] = is("odd-nominals") ? 0.0 : 1.0;
    values[2] = is("odd-nominals") ? std::nan("") : 10.0;
    return fmi2OK;
  }
  double real(unsigned number) const {
    switch (number) {
      case Number::u:
        return now.u;
      case Number::x:
        return now.x;
      case Number::der_x:
        return now.u - now.x;
      case Number::h:
        return now.h;
      case Number::der_h:
      case Number::v:
        return now.v;
      case Number::der_v:
        return now.resting ? 0.0 : -9.81;
      default:
        return now.x + now.u;
    }
  }
  /// The change of a variable if the others change like this.
  static double slope(unsigned unknown, const Memory& seed) {
    if (unknown == Number::der_x) return seed.u - seed.x;
    if (unknown == Number::der_h) return seed.v;
    if (unknown == Number::h) return seed.h;
    return unknown == Number::y ? seed.x + seed.u : 0.0;
  }
  int integer(unsigned number) const {
    return number == Number::k ? now.k : number == Number::count ? now.count : now.doubled;
  }

  int update(Update& said) {
    if (now.mode != Mode::event) return illegal("discrete states change in Event Mode alone");
    const Memory before = now;
    now.completed = now.time;
    now.on = now.u > 0.5;
    now.doubled = 2 * now.k;
    if (now.time >= now.next) {
      ++now.count;
      now.next += 0.25;
    }
    if (now.h <= 0.0 && now.v < 0.0) {
      now.h = 0.0;
      now.v = -0.5 * now.v;
      now.resting = now.v < 1e-3;
      if (now.resting) now.v = 0.0;
    }
    if (is("asks") && now.time > 0.3 && !now.wished) {
      now.wished = true;
      now.count += 100;
    }
    said.again = is("restless") || now.on != before.on || now.count != before.count || now.v != before.v;
    said.ends = is("ends-at-its-second-count") && now.count == 2;
    now.settled = !said.again || said.ends;
    return fmi2OK;
  }
  int completed(bool& event, bool& ends) {
    if (now.mode != Mode::continuous || is("needs-no-completed-steps"))
      return illegal("no step of the integrator is to be completed now");
    now.completed = now.time;
    event = is("asks") && now.time > 0.3 && !now.wished;
    ends = is("quits") && now.time >= 0.6;
    return fmi2OK;
  }
};
Exchange& of(void* instance) { return *static_cast<Exchange*>(instance); }

template <class Reference>
int derivative(const Reference* unknowns, std::size_t rows, const Reference* knowns, std::size_t columns,
               const double* change, double* result) {
  Memory seed;
  seed.u = seed.x = seed.h = seed.v = 0.0;
  for (std::size_t j = 0; j < columns; ++j) {
    double& place = knowns[j] == Number::u   ? seed.u
                    : knowns[j] == Number::x ? seed.x
                    : knowns[j] == Number::h ? seed.h
                                             : seed.v;
    place = change[j];
  }
  for (std::size_t i = 0; i < rows; ++i) result[i] = Exchange::slope(unknowns[i], seed);
  return fmi2OK;
}

}  // namespace

// What both versions call alike but for the prefix.
#define SEAM_ALIKE(P)                                                                                                 \
  SEAM_EXPORT void P##FreeInstance(void* i) { delete &of(i); }                                                        \
  SEAM_EXPORT P##Status P##ExitInitializationMode(void* i) {                                                          \
    return P##Status(of(i).change(Mode::initialising, Mode::event));                                                  \
  }                                                                                                                   \
  SEAM_EXPORT P##Status P##Terminate(void* i) {                                                                       \
    const bool runs = of(i).now.mode == Mode::event || of(i).now.mode == Mode::continuous;                            \
    of(i).now.mode = Mode::ended;                                                                                     \
    return P##Status(runs ? fmi2OK : of(i).illegal("it does not run"));                                               \
  }                                                                                                                   \
  SEAM_EXPORT P##Status P##EnterEventMode(void* i) { return P##Status(of(i).change(Mode::continuous, Mode::event)); } \
  SEAM_EXPORT P##Status P##EnterContinuousTimeMode(void* i) {                                                         \
    return P##Status(of(i).change(Mode::event, Mode::continuous));                                                    \
  }                                                                                                                   \
  SEAM_EXPORT P##Status P##SetTime(void* i, double t) { return P##Status(of(i).set_time(t)); }                        \
  SEAM_EXPORT P##Status P##SetContinuousStates(void* i, const double x[], std::size_t n) {                            \
    return P##Status(of(i).set_states(x, n));                                                                         \
  }                                                                                                                   \
  SEAM_EXPORT P##Status P##GetContinuousStates(void* i, double x[], std::size_t) {                                    \
    return P##Status(of(i).states(x));                                                                                \
  }                                                                                                                   \
  SEAM_EXPORT P##Status P##GetEventIndicators(void* i, double z[], std::size_t) {                                     \
    return P##Status(of(i).indicators(z));                                                                            \
  }                                                                                                                   \
  SEAM_EXPORT P##Status P##GetNominalsOfContinuousStates(void* i, double n[], std::size_t) {                          \
    return P##Status(of(i).nominals(n));                                                                              \
  }                                                                                                                   \
  SEAM_EXPORT P##Status P##CompletedIntegratorStep(void* i, P##Boolean, P##Boolean* event, P##Boolean* ends) {        \
    bool wants_event = false, wants_end = false;                                                                      \
    const int status = of(i).completed(wants_event, wants_end);                                                       \
    *event = wants_event;                                                                                             \
    *ends = wants_end;                                                                                                \
    return P##Status(status);                                                                                         \
  }
SEAM_ALIKE(fmi2)
SEAM_ALIKE(fmi3)

// States of the FMU, which the versions spell differently.
#define SEAM_STATES(P, State, Deserialise)                                                              \
  SEAM_EXPORT P##Status P##GetFMU##State(void* i, void** state) {                                       \
    if (!*state) *state = new Memory;                                                                   \
    *static_cast<Memory*>(*state) = of(i).now;                                                          \
    return P##OK;                                                                                       \
  }                                                                                                     \
  SEAM_EXPORT P##Status P##SetFMU##State(void* i, void* state) {                                        \
    of(i).now = *static_cast<Memory*>(state);                                                           \
    return P##OK;                                                                                       \
  }                                                                                                     \
  SEAM_EXPORT P##Status P##FreeFMU##State(void*, void** state) {                                        \
    delete static_cast<Memory*>(*state);                                                                \
    *state = nullptr;                                                                                   \
    return P##OK;                                                                                       \
  }                                                                                                     \
  SEAM_EXPORT P##Status P##SerializedFMU##State##Size(void*, void*, std::size_t* size) {                \
    *size = sizeof(Memory);                                                                             \
    return P##OK;                                                                                       \
  }                                                                                                     \
  SEAM_EXPORT P##Status P##SerializeFMU##State(void*, void* state, P##Byte bytes[], std::size_t size) { \
    std::memcpy(bytes, state, size);                                                                    \
    return P##OK;                                                                                       \
  }                                                                                                     \
  SEAM_EXPORT P##Status Deserialise(void*, const P##Byte bytes[], std::size_t size, void** state) {     \
    auto* memory = new Memory;                                                                          \
    std::memcpy(static_cast<void*>(memory), bytes, size);                                               \
    *state = memory;                                                                                    \
    return P##OK;                                                                                       \
  }
SEAM_STATES(fmi2, state, fmi2DeSerializeFMUstate)
SEAM_STATES(fmi3, State, fmi3DeserializeFMUState)

SEAM_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String, fmi2String,
                                          const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean) {
  return type == fmi2ModelExchange ? new Exchange{name, *callbacks} : nullptr;
}
SEAM_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) {
  return fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component i) {
  return fmi2Status(of(i).change(Mode::begin, Mode::initialising));
}
SEAM_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component i, fmi2Real dx[], std::size_t) {
  return fmi2Status(of(i).derivatives(dx));
}
SEAM_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component i, fmi2EventInfo* info) {
  Update said;
  const int status = of(i).update(said);
  *info = {said.again, said.ends, fmi2False, fmi2True, fmi2True, of(i).now.next};
  return fmi2Status(status);
}
SEAM_EXPORT fmi2Status fmi2GetReal(fmi2Component i, const fmi2ValueReference r[], std::size_t n, fmi2Real values[]) {
  for (std::size_t j = 0; j < n; ++j) values[j] = of(i).real(r[j]);
  return fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2SetReal(fmi2Component i, const fmi2ValueReference r[], std::size_t, const fmi2Real value[]) {
  return fmi2Status(of(i).set_real(r[0], value[0]));
}
SEAM_EXPORT fmi2Status fmi2GetInteger(fmi2Component i, const fmi2ValueReference r[], std::size_t n,
                                      fmi2Integer values[]) {
  for (std::size_t j = 0; j < n; ++j) values[j] = of(i).integer(r[j]);
  return fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2SetInteger(fmi2Component i, const fmi2ValueReference r[], std::size_t,
                                      const fmi2Integer value[]) {
  return fmi2Status(of(i).set_integer(r[0], value[0]));
}
SEAM_EXPORT fmi2Status fmi2GetBoolean(fmi2Component i, const fmi2ValueReference[], std::size_t, fmi2Boolean values[]) {
  values[0] = of(i).now.on;
  return fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2SetBoolean(fmi2Component i, const fmi2ValueReference[], std::size_t, const fmi2Boolean[]) {
  return fmi2Status(of(i).illegal("no Boolean may be set"));
}
SEAM_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component, const fmi2ValueReference unknowns[], std::size_t m,
                                                    const fmi2ValueReference knowns[], std::size_t n,
                                                    const fmi2Real seed[], fmi2Real result[]) {
  return fmi2Status(derivative(unknowns, m, knowns, n, seed, result));
}

SEAM_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                      fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  return new Exchange{name, {}, log, environment};
}
SEAM_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean,
                                                   fmi3Float64) {
  return fmi3Status(of(i).change(Mode::begin, Mode::initialising));
}
SEAM_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance, std::size_t* n) {
  *n = 3;
  return fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance, std::size_t* n) {
  *n = 2;
  return fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64 dx[], std::size_t) {
  return fmi3Status(of(i).derivatives(dx));
}
SEAM_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean* again, fmi3Boolean* ends,
                                                fmi3Boolean* nominals, fmi3Boolean* states, fmi3Boolean* has_next,
                                                fmi3Float64* next) {
  Update said;
  const int status = of(i).update(said);
  *again = said.again;
  *ends = said.ends;
  *nominals = false;
  *states = *has_next = true;
  *next = of(i).now.next;
  return fmi3Status(status);
}
SEAM_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference r[], std::size_t n, fmi3Float64 values[],
                                      std::size_t) {
  for (std::size_t j = 0; j < n; ++j) values[j] = of(i).real(r[j]);
  return fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference r[], std::size_t,
                                      const fmi3Float64 value[], std::size_t) {
  return fmi3Status(of(i).set_real(r[0], value[0]));
}
SEAM_EXPORT fmi3Status fmi3GetInt32(fmi3Instance i, const fmi3ValueReference r[], std::size_t n, fmi3Int32 values[],
                                    std::size_t) {
  for (std::size_t j = 0; j < n; ++j) values[j] = of(i).integer(r[j]);
  return fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3SetInt32(fmi3Instance i, const fmi3ValueReference r[], std::size_t, const fmi3Int32 value[],
                                    std::size_t) {
  return fmi3Status(of(i).set_integer(r[0], value[0]));
}
SEAM_EXPORT fmi3Status fmi3GetBoolean(fmi3Instance i, const fmi3ValueReference[], std::size_t, fmi3Boolean values[],
                                      std::size_t) {
  values[0] = of(i).now.on;
  return fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3SetBoolean(fmi3Instance i, const fmi3ValueReference[], std::size_t, const fmi3Boolean[],
                                      std::size_t) {
  return fmi3Status(of(i).illegal("no Boolean may be set"));
}
SEAM_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance, const fmi3ValueReference unknowns[], std::size_t m,
                                                    const fmi3ValueReference knowns[], std::size_t n,
                                                    const fmi3Float64 seed[], std::size_t, fmi3Float64 result[],
                                                    std::size_t) {
  return fmi3Status(derivative(unknowns, m, knowns, n, seed, result));
}
