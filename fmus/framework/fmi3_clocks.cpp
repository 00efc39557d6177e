// FMI 3.0: clocks. The signatures are the standard's.
#include "fmus/framework/fmi3_call.hpp"

using namespace seam::fmus;
using namespace seam::fmus::fmi3;

namespace {

constexpr unsigned scheduled = in(Phase::initialization) | in(Phase::event);

}  // namespace

#define SEAM_REFERENCES const fmi3ValueReference references[], size_t count
SEAM_FMI3 fmi3Status fmi3GetClock(fmi3Instance handle, SEAM_REFERENCES, fmi3Clock values[]) {
  static const Call call{"fmi3GetClock", in(Phase::event)};
  const auto work = [&](Instance& i) { return i.get(call, Type::clock, {references, count}, values, count); };
  return perform_with(handle, call, work, needed(references, count), needed(values, count));
}

SEAM_FMI3 fmi3Status fmi3SetClock(fmi3Instance handle, SEAM_REFERENCES, const fmi3Clock values[]) {
  static const Call call{"fmi3SetClock", in(Phase::event)};
  const auto work = [&](Instance& i) { return i.set(call, Type::clock, {references, count}, values, count); };
  return perform_with(handle, call, work, needed(references, count), needed(values, count));
}

SEAM_FMI3 fmi3Status fmi3GetIntervalDecimal(fmi3Instance handle, SEAM_REFERENCES, fmi3Float64 intervals[],
                                            fmi3IntervalQualifier qualifiers[]) {
  static const Call call{"fmi3GetIntervalDecimal", scheduled};
  const auto work = [&](Instance& instance) {
    std::vector<Instance::Qualifier> known(count);
    const References clocks(references, count);
    const Status status = instance.get_timing(call, Instance::Timing::interval, clocks, intervals, known.data());
    for (std::size_t i = 0; i < count; ++i) qualifiers[i] = static_cast<fmi3IntervalQualifier>(known[i]);
    return status;
  };
  return perform_with(handle, call, work, needed(references, count), needed(intervals, count),
                      needed(qualifiers, count));
}

SEAM_FMI3 fmi3Status fmi3GetShiftDecimal(fmi3Instance handle, SEAM_REFERENCES, fmi3Float64 shifts[]) {
  static const Call call{"fmi3GetShiftDecimal", in(Phase::initialization)};
  const auto work = [&](Instance& instance) {
    return instance.get_timing(call, Instance::Timing::shift, {references, count}, shifts, nullptr);
  };
  return perform_with(handle, call, work, needed(references, count), needed(shifts, count));
}

SEAM_FMI3 fmi3Status fmi3SetIntervalDecimal(fmi3Instance handle, SEAM_REFERENCES, const fmi3Float64 intervals[]) {
  static const Call call{"fmi3SetIntervalDecimal", scheduled};
  const auto work = [&](Instance& instance) {
    return instance.set_timing(call, Instance::Timing::interval, {references, count}, intervals);
  };
  return perform_with(handle, call, work, needed(references, count), needed(intervals, count));
}

SEAM_FMI3 fmi3Status fmi3SetShiftDecimal(fmi3Instance handle, SEAM_REFERENCES, const fmi3Float64 shifts[]) {
  static const Call call{"fmi3SetShiftDecimal", in(Phase::initialization)};
  const auto work = [&](Instance& instance) {
    return instance.set_timing(call, Instance::Timing::shift, {references, count}, shifts);
  };
  return perform_with(handle, call, work, needed(references, count), needed(shifts, count));
}
