// What a hold makes of a sine: the part of the coupling error that no simulator can help.
#pragma once

#include <complex>

#include "seam/coupling/receiver/receiver.hpp"
#include "seam/system/plan.hpp"

namespace seam::analysis {

/// Factors on a sine of the exchanged signal, in the base band: images at other frequencies are left out
/// (Chen et al. 2021, eq. 3, its first part).
struct HoldResponse {
  std::complex<double> over_step;  ///< of the input over a step: H(jw)/T of eq. 4
  std::complex<double> at_end;     ///< of the input at the end of a step, which direct feed-through sees when held
};

/// How a subsystem reads its input inside a step.
struct Reading {
  int constant_parts = 0;  ///< as a staircase of so many values, each the one at its begin; 0: as the signal it is
};

/// `phase` is w T, T the sink's macro step. From the receiver itself, not from a formula for it.
HoldResponse hold_response(const coupling::Receiver& receiver, const coupling::SampleTiming& timing, double phase,
                           const Reading& reading = {});

/// |xi_u| / |u| = |H(jw)/T - 1| at f = normalised/T, samples a macro step apart (Chen et al. 2021, Fig. 4).
/// Of a coupling with filters on both sides |K1 K2 H/T - 1|, as if they were followed without error.
double coupling_error(const system::Coupling& coupling, double normalised_frequency);

}  // namespace seam::analysis
