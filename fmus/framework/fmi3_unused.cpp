// FMI 3.0: what the standard wants every library to have, and none of ours has a use for.
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
SEAM_UNUSED(GetIntervalFraction, const fmi3ValueReference*, size_t, fmi3UInt64*, fmi3UInt64*, fmi3IntervalQualifier*)
SEAM_UNUSED(GetShiftFraction, const fmi3ValueReference*, size_t, fmi3UInt64*, fmi3UInt64*)
SEAM_UNUSED(SetIntervalFraction, const fmi3ValueReference*, size_t, const fmi3UInt64*, const fmi3UInt64*)
SEAM_UNUSED(SetShiftFraction, const fmi3ValueReference*, size_t, const fmi3UInt64*, const fmi3UInt64*)
