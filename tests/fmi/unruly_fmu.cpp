// An FMU of both versions that breaks rules our other FMUs keep. It does what the name of its instance says. It has one
// input `u`, which refuses negative values, one output `b`, whose true is 2, and only the functions for these types.
// SEAM_UNRULY names one deed that a program does not survive, and where: "exit step", "throw load".
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "fmi2.h"
#include "fmi3.h"

#define SEAM_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Unruly {
  std::string behaviour;
  fmi2CallbackFunctions callbacks = {};
  fmi3LogMessageCallback log = nullptr;
  fmi3InstanceEnvironment environment = nullptr;

  bool is(const char* name) const { return behaviour == name; }
};
Unruly& of(void* instance) { return *static_cast<Unruly*>(instance); }

int* volatile nowhere = nullptr;

/// The deed of SEAM_UNRULY, if this is its place.
void do_deed_at(const std::string& place) {
  const char* const wish = std::getenv("SEAM_UNRULY");
  const std::string text = wish ? wish : "";
  if (!text.ends_with(" " + place)) return;
  const std::string deed = text.substr(0, text.find(' '));
  if (deed == "exit") std::exit(3);
  if (deed == "quick_exit") std::quick_exit(3);
  if (deed == "throw") throw std::runtime_error("out of \x1b[31mtune");
  if (deed == "throw_number") throw 42;
  if (deed == "thread_throw") std::thread([] { throw std::runtime_error("astray"); }).join();
  if (deed == "crash") *nowhere = 1;
  if (deed == "alarm") alarm(1);
  int ends[2];
  if (deed == "pipe" && pipe(ends) == 0 && close(ends[0]) == 0 && write(ends[1], "x", 1) < 0) return;
  while (deed == "hang" || deed == "alarm") pause();
}

struct Lifetime {
  Lifetime() { do_deed_at("load"); }
  ~Lifetime() noexcept(false) { do_deed_at("unload"); }
} lifetime;

int terminated(void* instance) {
  if (of(instance).is("fails-to-terminate")) return fmi2Error;
  return of(instance).is("dies-of-terminating") ? fmi2Fatal : fmi2OK;
}

}  // namespace

SEAM_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type, fmi2String, fmi2String,
                                          const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean) {
  do_deed_at("instantiate");
  return new Unruly{name, *callbacks};
}
SEAM_EXPORT void fmi2FreeInstance(fmi2Component instance) { delete &of(instance); }
SEAM_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean, std::size_t count,
                                           const fmi2String categories[]) {
  const auto& callbacks = of(instance).callbacks;
  for (std::size_t i = 0; i < count; ++i)
    callbacks.logger(callbacks.componentEnvironment, "", fmi2OK, categories[i], "I will\n\x1b[31mtell %d", 42);
  return of(instance).is("hates-categories") ? fmi2Error : fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) {
  return fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component) {
  do_deed_at("initialise");
  return fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component) { return fmi2OK; }
SEAM_EXPORT fmi2Status fmi2Terminate(fmi2Component instance) { return static_cast<fmi2Status>(terminated(instance)); }
SEAM_EXPORT fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real t, fmi2Real, fmi2Boolean) {
  if (t > 0.45) do_deed_at("step");
  return of(instance).is("never-finishes") ? fmi2Pending : fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2GetReal(fmi2Component, const fmi2ValueReference[], std::size_t, fmi2Real[]) {
  return fmi2Discard;
}
SEAM_EXPORT fmi2Status fmi2SetReal(fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Real values[]) {
  return values[0] < 0.0 ? fmi2Discard : fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2GetBoolean(fmi2Component, const fmi2ValueReference[], std::size_t, fmi2Boolean values[]) {
  values[0] = 2;
  return fmi2OK;
}
SEAM_EXPORT fmi2Status fmi2SetBoolean(fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Boolean[]) {
  return fmi2OK;
}

SEAM_EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                     fmi3Boolean, fmi3Boolean, const fmi3ValueReference[], std::size_t,
                                                     fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                     fmi3IntermediateUpdateCallback) {
  do_deed_at("instantiate");
  return new Unruly{name, {}, log, environment};
}
SEAM_EXPORT void fmi3FreeInstance(fmi3Instance instance) { delete &of(instance); }
SEAM_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean, std::size_t count,
                                           const fmi3String categories[]) {
  for (std::size_t i = 0; i < count; ++i)
    of(instance).log(of(instance).environment, fmi3OK, categories[i], "I will\n\x1b[31mtell 42");
  return of(instance).is("hates-categories") ? fmi3Error : fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean,
                                                   fmi3Float64) {
  do_deed_at("initialise");
  return fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance) { return fmi3OK; }
SEAM_EXPORT fmi3Status fmi3Terminate(fmi3Instance instance) { return static_cast<fmi3Status>(terminated(instance)); }
SEAM_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance, const fmi3ValueReference[], std::size_t, fmi3Float64[],
                                      std::size_t) {
  return fmi3Discard;
}
SEAM_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3Float64 values[],
                                      std::size_t) {
  return values[0] < 0.0 ? fmi3Discard : fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3GetBoolean(fmi3Instance, const fmi3ValueReference[], std::size_t, fmi3Boolean values[],
                                      std::size_t) {
  std::memset(values, 2, 1);
  return fmi3OK;
}
SEAM_EXPORT fmi3Status fmi3SetBoolean(fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3Boolean[],
                                      std::size_t) {
  return fmi3OK;
}

/// One that stops early stops after 0.1 s.
SEAM_EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h, fmi3Boolean,
                                  fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                                  fmi3Float64* reached) {
  if (t > 0.45) do_deed_at("step");
  *event_needed = of(instance).is("has-events");
  *terminate = false;
  *early_return = of(instance).is("stops-early") && h > 0.1;
  *reached = *early_return ? t + 0.1 : t + h;
  if (!of(instance).is("is-stuck") && !of(instance).is("crawls")) return fmi3OK;
  *early_return = true;
  *reached = of(instance).is("is-stuck") ? t : t + 1e-9;
  return fmi3OK;
}
