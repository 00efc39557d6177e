/* x' = -k x, solved exactly, as a source FMU of FMI 3.0: co-simulation. Compiled by the tests, through the command. */
#include "fmi3Functions.h"

#include <math.h>
#include <stdlib.h>

#include "rate.h"

typedef struct {
  double values[3]; /* time, x, k */
} Decay;

const char* fmi3GetVersion(void) { return fmi3Version; }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean event_mode_used,
                                         fmi3Boolean early_return_allowed, const fmi3ValueReference required[],
                                         size_t count, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
  Decay* decay = calloc(1, sizeof(Decay));
  (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)event_mode_used;
  (void)early_return_allowed, (void)required, (void)count, (void)environment, (void)log, (void)update;
  decay->values[1] = 1.0;
  decay->values[2] = RATE;
  return decay;
}
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stop_defined, fmi3Float64 stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  ((Decay*)c)->values[0] = start;
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }
fmi3Status fmi3Terminate(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 values[],
                          size_t n_values) {
  (void)n_values;
  for (size_t i = 0; i < count; ++i) values[i] = ((Decay*)c)->values[references[i]];
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t n_values) {
  (void)n_values;
  for (size_t i = 0; i < count; ++i) ((Decay*)c)->values[references[i]] = values[i];
  return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_set_state_prior,
                      fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_successful_time) {
  Decay* decay = c;
  (void)no_set_state_prior;
  decay->values[1] *= exp(-decay->values[2] * step);
  decay->values[0] = time + step;
  *event_needed = *terminate = *early_return = fmi3False;
  *last_successful_time = time + step;
  return fmi3OK;
}
