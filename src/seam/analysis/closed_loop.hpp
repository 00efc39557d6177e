// The coupled equations at one frequency.
#pragma once

#include <vector>

#include "seam/analysis/linear_parts.hpp"
#include "seam/lti/frequency_response.hpp"
#include "seam/lti/sparse_solve.hpp"

namespace seam::analysis {

/// y = G u with u = K y, and the excitation beside it. Connections are few beside pairs of ports, so the equations are
/// sparse; their unknowns are the inputs that are connected.
class ClosedLoop {
 public:
  ClosedLoop(const LinearParts& linear, lti::Matrix excitation);

  /// Of the same parts, for another thread.
  ClosedLoop another() const { return ClosedLoop(linear_, excitation_); }

  void go_to(double w);
  /// A column an output, over all members; a row an excitation.
  const lti::ComplexMatrix& exact() const { return exact_; }
  /// Squares of the errors of the outputs, added over all excitations, if the member answers to the input of the column
  /// by that row of `answers` and all else is exact.
  lti::Matrix alone(const std::vector<Eigen::Index>& inputs, const lti::ComplexMatrix& answers);

 private:
  struct Link {
    std::size_t member = 0;              ///< that hears
    Eigen::Index input = 0, output = 0;  ///< of the member, over all members
    double gain = 0.0;
    Eigen::Index unknown = 0;  ///< the input's number among those that hear
  };
  /// What is put beside the answers of the members to their inputs, a column an output, and what inputs hear of it.
  struct Beside {
    lti::ComplexMatrix outputs, heard;
  };
  Beside beside(lti::ComplexMatrix outputs) const;
  /// The outputs then.
  lti::ComplexMatrix closed(const Beside& beside);
  lti::ComplexMatrix excited() const;

  const LinearParts& linear_;
  lti::Matrix excitation_;
  std::vector<lti::FrequencyResponse> members_;
  std::vector<lti::ComplexMatrix> responses_;  // outputs of each member by its own inputs
  std::vector<Link> links_;
  Eigen::Index unknowns_ = 0;
  std::vector<std::size_t> member_of_input_;
  lti::ComplexMatrix exact_;
  lti::SparseSolver solver_;
};

}  // namespace seam::analysis
