/* x' = -k x, solved exactly, as a source FMU of FMI 2.0: co-simulation. Compiled by the tests, through the command. */
#include "fmi2Functions.h"

#include <math.h>
#include <stdlib.h>

#ifdef RATE
static const double first_rate = RATE;
#else
static const double first_rate = 1.0;
#endif

typedef struct {
  double values[2]; /* x, k */
} Decay;

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean logging) {
  Decay* decay = functions->allocateMemory(1, sizeof(Decay));
  (void)name, (void)type, (void)guid, (void)resources, (void)visible, (void)logging;
  decay->values[0] = 1.0;
  decay->values[1] = first_rate;
  return decay;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean stop_defined, fmi2Real stop) {
  (void)c, (void)tolerance_defined, (void)tolerance, (void)start, (void)stop_defined, (void)stop;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2Terminate(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Real values[]) {
  for (size_t i = 0; i < count; ++i) values[i] = ((Decay*)c)->values[references[i]];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Real values[]) {
  for (size_t i = 0; i < count; ++i) ((Decay*)c)->values[references[i]] = values[i];
  return fmi2OK;
}
#ifndef WITHOUT_STEP
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_set_state_prior) {
  Decay* decay = c;
  (void)time, (void)no_set_state_prior;
  decay->values[0] *= exp(-decay->values[1] * step);
  return fmi2OK;
}
#endif
