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

/// y = (G diag(over_step) + D diag(at_end)) u with u = K y, and the excitation beside it, which no hold disturbs.
/// Connections are few beside pairs of ports, so the equations are sparse; their unknowns are the inputs that hear.
class ClosedLoop {
 public:
  ClosedLoop(const LinearParts& linear, lti::Matrix excitation);

  /// Of the same parts, for another thread.
  ClosedLoop another() const { return ClosedLoop(linear_, excitation_); }

  void go_to(double w);
  /// A column an output, over all members; a row an excitation; without holds.
  const lti::ComplexMatrix& exact() const { return exact_; }
  /// Of the same, all these inputs held.
  lti::ComplexMatrix error(const std::vector<HeldInput>& held);
  /// Squares of the errors of the outputs, added over all excitations, if the input of the column alone is held.
  lti::Matrix alone(const std::vector<HeldInput>& held);

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
    Eigen::Index unknown = 0;  ///< the input's number among those that hear
  };
  using Factors = std::vector<HoldResponse>;
  /// Answers of a member's outputs to one of its inputs.
  Eigen::VectorXcd answer(std::size_t member, Eigen::Index input, const HoldResponse& factor) const;
  /// What is put beside the answers of the members to their inputs, a column an output, and what inputs hear of it.
  struct Beside {
    lti::ComplexMatrix outputs, heard;
  };
  Beside beside(lti::ComplexMatrix outputs) const;
  /// The outputs then.
  lti::ComplexMatrix closed(const Factors& factors, const Beside& beside);
  lti::ComplexMatrix excited() const;
  /// What each input that is held adds to the outputs before the loop carries it on.
  lti::ComplexMatrix disturbances(const std::vector<HeldInput>& held) const;

  const LinearParts& linear_;
  lti::Matrix excitation_;
  std::vector<lti::FrequencyResponse> members_;
  std::vector<Response> responses_;
  std::vector<Link> links_;
  Eigen::Index unknowns_ = 0;
  std::vector<std::size_t> member_of_input_;
  Factors unheld_;
  Beside excited_;
  lti::ComplexMatrix exact_;
  lti::SparseSolver solver_;
};

}  // namespace seam::analysis
