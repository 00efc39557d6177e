// The compensator of the H-infinity coupling (Chen et al. 2021, section 3.2): K1 with a small weighted error
// and poles that its solver can follow. The infimum over all K1 is 0 and not attained; the number of poles, the disc
// and the limit on K1(infinity) are what makes the problem a problem.
#pragma once

#include <optional>
#include <string>

#include "seam/analysis/compensator_search.hpp"

namespace seam::analysis {

struct CompensatorTask {
  ErrorSystem system;
  double micro_steps = 10.0;         ///< H/h of the sender
  double radius = 0.95;              ///< poles lie in |1 + h lambda| < radius
  std::optional<double> gain_limit;  ///< of K1(infinity); none: that of the closed form with its default pole
  SearchRequest::StaticGain static_gain = SearchRequest::StaticGain::free;
};

/// All poles at -pole: D = (1 + p/pole)^n with n the least that makes K1 proper, K1 K2 H* = N/D where D - N begins
/// with gamma times the denominator of Wf, gamma = wf^m binomial(n, m)/pole^m. So Tue begins with gamma.
Compensator closed_form(const ErrorSystem& system, double pole);
/// 15/H, or half as far outside the centre of the disc where micro steps are few.
double closed_form_pole(const CompensatorTask& task);

struct Synthesis {
  Compensator compensator;
  CompensatorReport report;
  std::string fault;  ///< why it must not be used; empty: it passed its check
};

/// The better one of the closed form and of a search inside the disc.
Synthesis synthesise(const CompensatorTask& task);
/// Poles in the disc, K1(infinity) below its limit, K1(0) as asked for, an error below that of sending nothing.
std::string fault_of(const CompensatorTask& task, const CompensatorReport& report);

}  // namespace seam::analysis
