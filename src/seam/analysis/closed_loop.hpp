// The coupled equations at one frequency: what a coupling without error would answer.
#pragma once

#include <optional>
#include <vector>

#include "seam/analysis/linear_parts.hpp"
#include "seam/lti/frequency_response.hpp"

namespace seam::analysis {

class ClosedLoop {
 public:
  /// `excitation` at the inputs of all members, a column each. None if direct feed-through has no solution.
  static std::optional<ClosedLoop> of(const LinearParts& linear, const lti::Matrix& excitation,
                                      const std::vector<assembly::Wire>& wires);

  /// Outputs of all members; a column an excitation, then one an input of a wire.
  lti::ComplexMatrix at(double w) const { return whole_.at(w); }
  /// Squares of the errors of the outputs, added over all excitations, if the sink of one wire answers by that column
  /// of `answers` and all else is exact, as in `exact` = at(w). A column a wire.
  lti::Matrix alone(double w, const lti::ComplexMatrix& exact, const lti::ComplexMatrix& answers) const;

 private:
  /// A wire between outputs and inputs over all members.
  struct Link {
    std::size_t member = 0;              ///< the sink
    Eigen::Index input = 0, output = 0;  ///< of the sink, over all members
    double gain = 0.0;
  };
  ClosedLoop(const lti::StateSpace& whole, const LinearParts& linear);

  const LinearParts* linear_ = nullptr;
  lti::FrequencyResponse whole_;
  std::vector<lti::FrequencyResponse> members_;
  std::vector<Link> links_;
};

}  // namespace seam::analysis
