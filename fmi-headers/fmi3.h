/* The C interface of FMI 3.0 (standard version 3.0.2), declared by us from its text: types, and one function type for each function.
   Used by the importer (src/seam/fmi) and by our own FMUs (fmus). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 time, fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                               fmi3Boolean step_finished, fmi3Boolean can_return_early, fmi3Boolean* early_return_requested,
                                               fmi3Float64* early_return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* All interfaces. */
typedef const char* fmi3GetVersionTYPE(void);
typedef fmi3Status fmi3SetDebugLoggingTYPE(fmi3Instance, fmi3Boolean on, size_t count, const fmi3String categories[]);
typedef fmi3Instance fmi3InstantiateModelExchangeTYPE(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                      fmi3Boolean logging, fmi3InstanceEnvironment, fmi3LogMessageCallback);
typedef fmi3Instance fmi3InstantiateCoSimulationTYPE(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                     fmi3Boolean logging, fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
                                                     const fmi3ValueReference required_intermediate[], size_t count, fmi3InstanceEnvironment,
                                                     fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
typedef void fmi3FreeInstanceTYPE(fmi3Instance);
typedef fmi3Status fmi3EnterInitializationModeTYPE(fmi3Instance, fmi3Boolean tolerance_defined, fmi3Float64 tolerance, fmi3Float64 start,
                                                   fmi3Boolean stop_defined, fmi3Float64 stop);
typedef fmi3Status fmi3ExitInitializationModeTYPE(fmi3Instance);
typedef fmi3Status fmi3EnterEventModeTYPE(fmi3Instance);
typedef fmi3Status fmi3TerminateTYPE(fmi3Instance);
typedef fmi3Status fmi3ResetTYPE(fmi3Instance);
typedef fmi3Status fmi3EnterConfigurationModeTYPE(fmi3Instance);
typedef fmi3Status fmi3ExitConfigurationModeTYPE(fmi3Instance);

/* Values: n_values is the sum of the sizes of all variables. */
#define SEAM_FMI3_VALUES(Type, C)                                                                                       \
  typedef fmi3Status fmi3Get##Type##TYPE(fmi3Instance, const fmi3ValueReference[], size_t, C values[], size_t n_values); \
  typedef fmi3Status fmi3Set##Type##TYPE(fmi3Instance, const fmi3ValueReference[], size_t, const C values[], size_t n_values)
SEAM_FMI3_VALUES(Float32, fmi3Float32);
SEAM_FMI3_VALUES(Float64, fmi3Float64);
SEAM_FMI3_VALUES(Int8, fmi3Int8);
SEAM_FMI3_VALUES(UInt8, fmi3UInt8);
SEAM_FMI3_VALUES(Int16, fmi3Int16);
SEAM_FMI3_VALUES(UInt16, fmi3UInt16);
SEAM_FMI3_VALUES(Int32, fmi3Int32);
SEAM_FMI3_VALUES(UInt32, fmi3UInt32);
SEAM_FMI3_VALUES(Int64, fmi3Int64);
SEAM_FMI3_VALUES(UInt64, fmi3UInt64);
SEAM_FMI3_VALUES(Boolean, fmi3Boolean);
SEAM_FMI3_VALUES(String, fmi3String);
#undef SEAM_FMI3_VALUES
typedef fmi3Status fmi3GetBinaryTYPE(fmi3Instance, const fmi3ValueReference[], size_t, size_t sizes[], fmi3Binary values[], size_t n_values);
typedef fmi3Status fmi3SetBinaryTYPE(fmi3Instance, const fmi3ValueReference[], size_t, const size_t sizes[], const fmi3Binary values[],
                                     size_t n_values);
typedef fmi3Status fmi3GetClockTYPE(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Clock values[]);
typedef fmi3Status fmi3SetClockTYPE(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Clock values[]);

typedef fmi3Status fmi3GetNumberOfVariableDependenciesTYPE(fmi3Instance, fmi3ValueReference, size_t* count);
typedef fmi3Status fmi3GetVariableDependenciesTYPE(fmi3Instance, fmi3ValueReference dependent, size_t dependent_elements[],
                                                   fmi3ValueReference independents[], size_t independent_elements[], fmi3DependencyKind[],
                                                   size_t count);
typedef fmi3Status fmi3GetFMUStateTYPE(fmi3Instance, fmi3FMUState*);
typedef fmi3Status fmi3SetFMUStateTYPE(fmi3Instance, fmi3FMUState);
typedef fmi3Status fmi3FreeFMUStateTYPE(fmi3Instance, fmi3FMUState*);
typedef fmi3Status fmi3SerializedFMUStateSizeTYPE(fmi3Instance, fmi3FMUState, size_t*);
typedef fmi3Status fmi3SerializeFMUStateTYPE(fmi3Instance, fmi3FMUState, fmi3Byte[], size_t);
typedef fmi3Status fmi3DeserializeFMUStateTYPE(fmi3Instance, const fmi3Byte[], size_t, fmi3FMUState*);
typedef fmi3Status fmi3GetDirectionalDerivativeTYPE(fmi3Instance, const fmi3ValueReference unknowns[], size_t,
                                                    const fmi3ValueReference knowns[], size_t, const fmi3Float64 seed[], size_t,
                                                    fmi3Float64 sensitivity[], size_t);
typedef fmi3GetDirectionalDerivativeTYPE fmi3GetAdjointDerivativeTYPE;

/* Clocks and discrete states. */
typedef fmi3Status fmi3GetIntervalDecimalTYPE(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64 intervals[], fmi3IntervalQualifier[]);
typedef fmi3Status fmi3GetIntervalFractionTYPE(fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                               fmi3IntervalQualifier[]);
typedef fmi3Status fmi3GetShiftDecimalTYPE(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64 shifts[]);
typedef fmi3Status fmi3GetShiftFractionTYPE(fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64 counters[], fmi3UInt64 resolutions[]);
typedef fmi3Status fmi3SetIntervalDecimalTYPE(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Float64 intervals[]);
typedef fmi3Status fmi3SetIntervalFractionTYPE(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt64 counters[],
                                               const fmi3UInt64 resolutions[]);
typedef fmi3Status fmi3SetShiftDecimalTYPE(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Float64 shifts[]);
typedef fmi3Status fmi3SetShiftFractionTYPE(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt64 counters[],
                                            const fmi3UInt64 resolutions[]);
typedef fmi3Status fmi3EvaluateDiscreteStatesTYPE(fmi3Instance);
typedef fmi3Status fmi3UpdateDiscreteStatesTYPE(fmi3Instance, fmi3Boolean* need_update, fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
                                                fmi3Boolean* states_changed, fmi3Boolean* next_event_time_defined, fmi3Float64* next_event_time);

/* Model exchange. */
typedef fmi3Status fmi3EnterContinuousTimeModeTYPE(fmi3Instance);
typedef fmi3Status fmi3CompletedIntegratorStepTYPE(fmi3Instance, fmi3Boolean no_set_state_prior, fmi3Boolean* enter_event_mode,
                                                   fmi3Boolean* terminate);
typedef fmi3Status fmi3SetTimeTYPE(fmi3Instance, fmi3Float64);
typedef fmi3Status fmi3SetContinuousStatesTYPE(fmi3Instance, const fmi3Float64[], size_t);
typedef fmi3Status fmi3GetContinuousStateDerivativesTYPE(fmi3Instance, fmi3Float64[], size_t);
typedef fmi3Status fmi3GetEventIndicatorsTYPE(fmi3Instance, fmi3Float64[], size_t);
typedef fmi3Status fmi3GetContinuousStatesTYPE(fmi3Instance, fmi3Float64[], size_t);
typedef fmi3Status fmi3GetNominalsOfContinuousStatesTYPE(fmi3Instance, fmi3Float64[], size_t);
typedef fmi3Status fmi3GetNumberOfEventIndicatorsTYPE(fmi3Instance, size_t*);
typedef fmi3Status fmi3GetNumberOfContinuousStatesTYPE(fmi3Instance, size_t*);

/* Co-simulation. */
typedef fmi3Status fmi3EnterStepModeTYPE(fmi3Instance);
typedef fmi3Status fmi3GetOutputDerivativesTYPE(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Int32 orders[], fmi3Float64[], size_t);
typedef fmi3Status fmi3DoStepTYPE(fmi3Instance, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_set_state_prior, fmi3Boolean* event_needed,
                                  fmi3Boolean* terminate, fmi3Boolean* early_return, fmi3Float64* last_successful_time);

#ifdef __cplusplus
}
#endif
