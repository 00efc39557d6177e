/* The function types of FMI 3.0, for sources that include it by the standard's name and bring none. Declared by us. */
#pragma once

#include "fmi3PlatformTypes.h"

/* Scheduled execution, which seam does not run and sources may define all the same. */
#ifdef __cplusplus
extern "C" {
#endif
typedef fmi3Instance fmi3InstantiateScheduledExecutionTYPE(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                           fmi3Boolean logging, fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                           fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                                           fmi3UnlockPreemptionCallback);
typedef fmi3Status fmi3ActivateModelPartitionTYPE(fmi3Instance, fmi3ValueReference clock, fmi3Float64 activation_time);
#ifdef __cplusplus
}
#endif
