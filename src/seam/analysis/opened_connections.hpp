// Every connection by itself: what its sink makes of a tone that the source sends, and nothing comes back.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "seam/analysis/linear_parts.hpp"
#include "seam/analysis/steady_answers.hpp"
#include "seam/coupling/compile.hpp"

namespace seam::analysis {

/// The coupling as it is compiled, with sources that send tones, one for each connection, and sinks that no one hears.
class OpenedConnections {
 public:
  /// None if such a program is refused, or if a corrector sees to all connections together.
  static std::optional<OpenedConnections> of(const coupling::Program& program, const system::Plan& plan,
                                             const LinearParts& linear);
  std::optional<SteadyAnswers> find(double highest) const;

  /// In the mean over the steps: a row an output of all members, a column a connection. Also what integrators of the
  /// inputs make of the tones.
  struct Answers {
    lti::ComplexMatrix outputs;
    Eigen::VectorXcd integrals;
  };
  Answers sorted(const SteadyAnswers& found, const lti::ComplexMatrix& at_tone) const;

 private:
  const Interconnection* wiring_ = nullptr;
  int members_ = 0;
  std::unique_ptr<assembly::Assembly> assembly_;
  coupling::Program program_;
  std::vector<Excitation> tones_;      // one a connection
  std::vector<Eigen::Index> outputs_;  // of each member
  std::vector<int> multiples_;
};

}  // namespace seam::analysis
