/* The C interface of FMI 1.0 for model exchange and for co-simulation, declared by us from their texts: types, and one function type for
   each function. In a library each name has the modelIdentifier before it: ID_fmiDoStep. Used by the importer (src/seam/fmi) and by our own
   FMUs (fmus). */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void* fmiComponent;
typedef unsigned int fmiValueReference;
typedef double fmiReal;
typedef int fmiInteger;
typedef char fmiBoolean;
typedef const char* fmiString;

enum { fmiFalse = 0, fmiTrue = 1 };
/* Of a state that is no variable. */
#define fmiUndefinedValueReference ((fmiValueReference)-1)

/* fmiPending is of co-simulation alone. */
typedef enum { fmiOK, fmiWarning, fmiDiscard, fmiError, fmiFatal, fmiPending } fmiStatus;
typedef enum { fmiDoStepStatus, fmiPendingStatus, fmiLastSuccessfulTime } fmiStatusKind;

typedef void (*fmiCallbackLogger)(fmiComponent, fmiString instance, fmiStatus, fmiString category, fmiString message, ...);
typedef void* (*fmiCallbackAllocateMemory)(size_t count, size_t size);
typedef void (*fmiCallbackFreeMemory)(void*);
typedef void (*fmiStepFinished)(fmiComponent, fmiStatus);

/* Both are called fmiCallbackFunctions by the standard, and handed over by value. */
typedef struct {
  fmiCallbackLogger logger;
  fmiCallbackAllocateMemory allocateMemory;
  fmiCallbackFreeMemory freeMemory;
} fmiModelCallbacks;
typedef struct {
  fmiCallbackLogger logger;
  fmiCallbackAllocateMemory allocateMemory;
  fmiCallbackFreeMemory freeMemory;
  fmiStepFinished stepFinished;
} fmiSlaveCallbacks;

typedef struct {
  fmiBoolean iterationConverged;
  fmiBoolean stateValueReferencesChanged;
  fmiBoolean stateValuesChanged;
  fmiBoolean terminateSimulation;
  fmiBoolean upcomingTimeEvent;
  fmiReal nextEventTime;
} fmiEventInfo;

/* Both interfaces. */
typedef const char* fmiGetVersionTYPE(void);
typedef fmiStatus fmiSetDebugLoggingTYPE(fmiComponent, fmiBoolean on);
typedef fmiStatus fmiGetRealTYPE(fmiComponent, const fmiValueReference[], size_t, fmiReal[]);
typedef fmiStatus fmiGetIntegerTYPE(fmiComponent, const fmiValueReference[], size_t, fmiInteger[]);
typedef fmiStatus fmiGetBooleanTYPE(fmiComponent, const fmiValueReference[], size_t, fmiBoolean[]);
typedef fmiStatus fmiGetStringTYPE(fmiComponent, const fmiValueReference[], size_t, fmiString[]);
typedef fmiStatus fmiSetRealTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiReal[]);
typedef fmiStatus fmiSetIntegerTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiInteger[]);
typedef fmiStatus fmiSetBooleanTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiBoolean[]);
typedef fmiStatus fmiSetStringTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiString[]);

/* Model exchange. */
typedef const char* fmiGetModelTypesPlatformTYPE(void);
typedef fmiComponent fmiInstantiateModelTYPE(fmiString name, fmiString guid, fmiModelCallbacks, fmiBoolean logging);
typedef void fmiFreeModelInstanceTYPE(fmiComponent);
typedef fmiStatus fmiSetTimeTYPE(fmiComponent, fmiReal);
typedef fmiStatus fmiSetContinuousStatesTYPE(fmiComponent, const fmiReal[], size_t);
typedef fmiStatus fmiCompletedIntegratorStepTYPE(fmiComponent, fmiBoolean* call_event_update);
typedef fmiStatus fmiInitializeTYPE(fmiComponent, fmiBoolean tolerance_controlled, fmiReal tolerance, fmiEventInfo*);
typedef fmiStatus fmiGetDerivativesTYPE(fmiComponent, fmiReal[], size_t);
typedef fmiStatus fmiGetEventIndicatorsTYPE(fmiComponent, fmiReal[], size_t);
typedef fmiStatus fmiEventUpdateTYPE(fmiComponent, fmiBoolean intermediate_results, fmiEventInfo*);
typedef fmiStatus fmiGetContinuousStatesTYPE(fmiComponent, fmiReal[], size_t);
typedef fmiStatus fmiGetNominalContinuousStatesTYPE(fmiComponent, fmiReal[], size_t);
typedef fmiStatus fmiGetStateValueReferencesTYPE(fmiComponent, fmiValueReference[], size_t);
typedef fmiStatus fmiTerminateTYPE(fmiComponent);

/* Co-simulation. */
typedef const char* fmiGetTypesPlatformTYPE(void);
typedef fmiComponent fmiInstantiateSlaveTYPE(fmiString name, fmiString guid, fmiString location, fmiString mime_type, fmiReal timeout,
                                             fmiBoolean visible, fmiBoolean interactive, fmiSlaveCallbacks, fmiBoolean logging);
typedef fmiStatus fmiInitializeSlaveTYPE(fmiComponent, fmiReal start, fmiBoolean stop_defined, fmiReal stop);
typedef fmiStatus fmiTerminateSlaveTYPE(fmiComponent);
typedef fmiStatus fmiResetSlaveTYPE(fmiComponent);
typedef void fmiFreeSlaveInstanceTYPE(fmiComponent);
typedef fmiStatus fmiSetRealInputDerivativesTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiInteger order[], const fmiReal[]);
typedef fmiStatus fmiGetRealOutputDerivativesTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiInteger order[], fmiReal[]);
typedef fmiStatus fmiDoStepTYPE(fmiComponent, fmiReal time, fmiReal step, fmiBoolean new_step);
typedef fmiStatus fmiCancelStepTYPE(fmiComponent);
typedef fmiStatus fmiGetStatusTYPE(fmiComponent, fmiStatusKind, fmiStatus*);
typedef fmiStatus fmiGetRealStatusTYPE(fmiComponent, fmiStatusKind, fmiReal*);
typedef fmiStatus fmiGetIntegerStatusTYPE(fmiComponent, fmiStatusKind, fmiInteger*);
typedef fmiStatus fmiGetBooleanStatusTYPE(fmiComponent, fmiStatusKind, fmiBoolean*);
typedef fmiStatus fmiGetStringStatusTYPE(fmiComponent, fmiStatusKind, fmiString*);

#ifdef __cplusplus
}
#endif
