// The same system coupled by every method of the catalog: at which steps each is stable, and how wrong.
#pragma once

#include "seam/engine/outlook.hpp"
#include "seam/engine/rehearsal.hpp"

namespace seam::engine {

/// For other steps and methods, with linear models only: what is not linear would have to be integrated anew for every
/// one of them, far away from where it was linearised. `time` is the operating point; none: the start.
Rehearsal linear_rehearsal(const System& system, const Outlook& outlook, const std::optional<double>& time);

/// Spectral radius of the plan's step; none where it is not known or the plan does not fit.
std::optional<double> radius_of(const Rehearsal& rehearsal, const system::Plan& plan);

enum class Methods {
  of_the_plan,
  all  ///< and every coupling of the catalog with feed-through held and, where all can, fresh
};

/// The plan as it is comes first. Steps are looked at from a hundredth of the plan's to a hundred times it; of large
/// systems in a narrower range, and of very large ones not at all.
std::vector<MethodOutlook> compare_methods(const Rehearsal& rehearsal, Methods methods,
                                           const std::optional<analysis::Band>& band,
                                           const std::function<void(double fraction)>& progress);

/// The plan at other macro steps.
std::vector<SweepPoint> sweep_steps(const Rehearsal& rehearsal, const std::optional<analysis::Band>& band,
                                    const std::vector<double>& steps);

/// One of the methods at another macro step.
SweepPoint outlook_at(const Rehearsal& rehearsal, const MethodOutlook& method, double step, const analysis::Band& band);

/// What to do, from what is known; none where nothing is.
std::optional<Recommendation> recommend(const System& system, const Outlook& outlook);

}  // namespace seam::engine
