// The coupling error of a compensator K1 before the sampler and a smoother K2 behind the hold
// (Chen et al. 2021, sections 3.1 to 3.3): Tue = Wf (1 - K1 K2 H*). Times are counted in macro steps H:
// p = s H, frequencies are f H.
#pragma once

#include <complex>
#include <vector>

#include "seam/lti/norms.hpp"
#include "seam/lti/rational.hpp"

namespace seam::analysis {

enum class HoldOrder { zero, first, second };

/// Low-pass filter of Butterworth.
struct Filter {
  int order = 1;
  double cutoff = 0.0;  ///< f H
};

/// What a compensator is made for.
struct ErrorSystem {
  HoldOrder hold = HoldOrder::zero;
  Filter smoother{2, 0.5};
  Filter weight{1, 0.01};
};

/// K1(p) = gain * prod(p - zero)/prod(p - pole).
struct Compensator {
  std::vector<std::complex<double>> zeros, poles;
  double gain = 0.0;
};

/// The weight's cut-off that section 3.3 proposes for its order 1, 2, 3.
double proposed_weight_cutoff(int order);

lti::Rational low_pass(const Filter& filter);
/// H*: the hold as a rational function, by the Pade approximation 12/(p^2 + 6p + 12) of (1 - e^-p)/p in eq. 4.
lti::Rational hold_approximation(HoldOrder order);
/// K2 H*.
lti::Rational path_behind_sampler(const ErrorSystem& system);

lti::Rational transfer_function(const Compensator& compensator);
/// The exact norm of Tue; frequencies in w H.
lti::PeakGain weighted_error(const ErrorSystem& system, const Compensator& compensator);
/// |1 - K1 K2 H*| at a frequency f H.
double error_at(const ErrorSystem& system, const Compensator& compensator, double frequency);

/// What a person wants to know of a compensator before it is used.
struct CompensatorReport {
  lti::PeakGain error;      ///< its norm is gamma
  double flatness = 0.0;    ///< smallest |Tue| between the weight's cut-off and the Nyquist frequency, over gamma
  double at_rest = 0.0;     ///< K1(0)
  double at_jumps = 0.0;    ///< K1(infinity): what it makes of a jump or of noise
  double worst_pole = 0.0;  ///< the largest |1 + h lambda| with the micro step h
};
CompensatorReport describe(const ErrorSystem& system, const Compensator& compensator, double micro_steps);

}  // namespace seam::analysis
