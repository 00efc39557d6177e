// The mode that decides about stability: who takes part in it, and which connection moves it.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "seam/analysis/transition.hpp"
#include "seam/lti/mode.hpp"

namespace seam::analysis {

struct Participant {
  std::string subsystem;
  double share = 0.0;  ///< of 1
};

class DominantMode {
 public:
  /// `eigenvalue` is one of the step's matrix.
  DominantMode(const Transition& step, std::complex<double> eigenvalue);

  /// Shares |left| |right| of the states and samples of each subsystem, the largest first, those under 1 % left out. A
  /// sample on its way counts for its sink.
  std::vector<Participant> participants(const Transition& step, const assembly::Assembly& assembly) const;
  /// Growth of the eigenvalue's magnitude for a change into from^T of the step's matrix.
  double growth(const lti::Vector& into, const lti::Vector& from) const;

 private:
  std::complex<double> eigenvalue_;
  lti::Mode mode_;
};

}  // namespace seam::analysis
