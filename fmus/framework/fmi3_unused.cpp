// FMI 3.0: what the standard wants every library to have, and co-simulation without events has no use for.
#include "fmus/framework/fmi3_call.hpp"

using namespace seam::fmus;
using namespace seam::fmus::fmi3;

#define SEAM_UNUSED(Function, ...)                                                                       \
  SEAM_FMI3 fmi3Status fmi3##Function(fmi3Instance handle __VA_OPT__(, ) __VA_ARGS__) {                  \
    static const Call call{"fmi3" #Function, 0};                                                         \
    const auto work = [](Instance& instance) { return instance.refuse(call.name, "not for this FMU"); }; \
    return perform(handle, call, work);                                                                  \
  }
SEAM_UNUSED(GetNumberOfVariableDependencies, fmi3ValueReference, size_t*)
SEAM_UNUSED(GetVariableDependencies, fmi3ValueReference, size_t*, fmi3ValueReference*, size_t*, fmi3DependencyKind*,
            size_t)
SEAM_UNUSED(EnterEventMode)
SEAM_UNUSED(EnterStepMode)
SEAM_UNUSED(EnterContinuousTimeMode)
SEAM_UNUSED(GetClock, const fmi3ValueReference*, size_t, fmi3Clock*)
SEAM_UNUSED(SetClock, const fmi3ValueReference*, size_t, const fmi3Clock*)
SEAM_UNUSED(GetIntervalDecimal, const fmi3ValueReference*, size_t, fmi3Float64*, fmi3IntervalQualifier*)
SEAM_UNUSED(GetIntervalFraction, const fmi3ValueReference*, size_t, fmi3UInt64*, fmi3UInt64*, fmi3IntervalQualifier*)
SEAM_UNUSED(GetShiftDecimal, const fmi3ValueReference*, size_t, fmi3Float64*)
SEAM_UNUSED(GetShiftFraction, const fmi3ValueReference*, size_t, fmi3UInt64*, fmi3UInt64*)
SEAM_UNUSED(SetIntervalDecimal, const fmi3ValueReference*, size_t, const fmi3Float64*)
SEAM_UNUSED(SetIntervalFraction, const fmi3ValueReference*, size_t, const fmi3UInt64*, const fmi3UInt64*)
SEAM_UNUSED(SetShiftDecimal, const fmi3ValueReference*, size_t, const fmi3Float64*)
SEAM_UNUSED(SetShiftFraction, const fmi3ValueReference*, size_t, const fmi3UInt64*, const fmi3UInt64*)
SEAM_UNUSED(EvaluateDiscreteStates)
SEAM_UNUSED(UpdateDiscreteStates, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Float64*)
SEAM_UNUSED(CompletedIntegratorStep, fmi3Boolean, fmi3Boolean*, fmi3Boolean*)
SEAM_UNUSED(SetTime, fmi3Float64)
SEAM_UNUSED(SetContinuousStates, const fmi3Float64*, size_t)
SEAM_UNUSED(GetContinuousStateDerivatives, fmi3Float64*, size_t)
SEAM_UNUSED(GetEventIndicators, fmi3Float64*, size_t)
SEAM_UNUSED(GetContinuousStates, fmi3Float64*, size_t)
SEAM_UNUSED(GetNominalsOfContinuousStates, fmi3Float64*, size_t)
SEAM_UNUSED(GetNumberOfEventIndicators, size_t*)
SEAM_UNUSED(GetNumberOfContinuousStates, size_t*)

SEAM_FMI3 fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                    fmi3InstanceEnvironment, fmi3LogMessageCallback) {
  if (strict) rules::broken("fmi3InstantiateModelExchange", "", "this is a co-simulation FMU");
  return nullptr;
}
