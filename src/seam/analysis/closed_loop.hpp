// The coupled members at one frequency, with the signals between them as they are and as holds make them.
#pragma once

#include <vector>

#include "seam/analysis/hold_response.hpp"
#include "seam/analysis/linear_parts.hpp"
#include "seam/lti/frequency_response.hpp"
#include "seam/lti/sparse_solve.hpp"

namespace seam::analysis {

struct HeldInput {
  Eigen::Index input = 0;  ///< over all members
  HoldResponse response;
};

/// At one frequency; rows are outputs of all members, columns of the first two are excitations.
struct LoopErrors {
  lti::ComplexMatrix exact;  ///< outputs without holds
  lti::ComplexMatrix error;  ///< of the outputs, all inputs held
  lti::Matrix alone;         ///< squares of the errors, added over all excitations, if input `column` alone is held
};

/// y = (G diag(over_step) + D diag(at_end)) u with u = K y, and the excitation beside it, which no hold disturbs.
/// Connections are few beside pairs of ports, so the equations are sparse.
class ClosedLoop {
 public:
  ClosedLoop(const LinearParts& linear, lti::Matrix excitation);

  LoopErrors at(double w, const std::vector<HeldInput>& held);

 private:
  /// Outputs of one member by its own inputs.
  struct Response {
    lti::ComplexMatrix dynamic;  ///< C (jw - A)^-1 B
    const lti::Matrix* direct = nullptr;
    lti::ComplexMatrix whole() const { return dynamic + direct->cast<lti::Complex>(); }
  };
  struct Link {
    std::size_t member = 0;              ///< that hears
    Eigen::Index input = 0, output = 0;  ///< of the member, over all members
    double gain = 0.0;
  };
  void respond(double w);
  /// I - (G diag(factors) + D diag(factors)) K.
  const std::vector<lti::Term>& equations(const std::vector<HoldResponse>& factors);
  lti::ComplexMatrix excited() const;
  /// What each input that is held adds to the outputs before the loop carries it on.
  lti::ComplexMatrix disturbances(const std::vector<HeldInput>& held) const;

  const LinearParts& linear_;
  lti::Matrix excitation_;
  std::vector<lti::FrequencyResponse> members_;
  std::vector<Response> responses_;
  std::vector<Link> links_;
  std::vector<std::size_t> member_of_input_;
  std::vector<lti::Term> terms_;
  lti::SparseSolver solver_;
};

}  // namespace seam::analysis
