// What a coupling with filters on both sides makes of a sine: emitter, sampler and receiver as they run, with the micro
// steps they run by.
#pragma once

#include <memory>

#include "seam/analysis/hold_response.hpp"
#include "seam/lti/frequency_response.hpp"
#include "seam/system/plan.hpp"

namespace seam::analysis {

/// Micro steps in the interval between two samples.
struct MicroSteps {
  int of_source = 1, of_sink = 1;
};

class FilteredPath {
 public:
  enum class Sink {
    signal,  ///< follows the receiver's polynomials
    stepped  ///< sees the value at the begin of every micro step
  };
  FilteredPath(const system::Coupling& coupling, MicroSteps steps, Sink sink);

  /// `phase` is w H, H the interval between samples. Factors as those of a hold.
  HoldResponse at(double phase) const;

 private:
  void probe_receiver(const system::Coupling& coupling);

  MicroSteps steps_;
  Sink sink_;
  std::unique_ptr<lti::FrequencyResponse> sent_;      // of the emitter, in micro steps of the source
  std::unique_ptr<lti::FrequencyResponse> received_;  // of the receiver, in intervals: all polynomials of an interval
};

}  // namespace seam::analysis
