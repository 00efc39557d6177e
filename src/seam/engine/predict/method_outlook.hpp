// The same system coupled by every method of the catalog: at which steps each is stable, and how wrong.
#pragma once

#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/predict/rehearsal.hpp"

namespace seam::engine {

/// With linear models in the place of all that is not linear: otherwise it would have to be integrated anew for every
/// other step and method, far away from where it was linearised.
Rehearsal linear_rehearsal(const System& system, const Outlook& outlook);

/// Spectral radius of the plan's step; none where it is not known or the plan does not fit.
std::optional<double> radius_of(const Rehearsal& rehearsal, const system::Plan& plan);
/// How far it may be off, from the spread of the models: what each of them adds at most by itself, added up. Infinite
/// where another record has none.
double uncertainty_of(const Rehearsal& rehearsal, const system::Plan& plan, double radius);
/// And the error that is expected of it, where it is stable.
SweepPoint outlook_of(const Rehearsal& rehearsal, const system::Plan& plan, const std::optional<analysis::Band>& band);

/// A plan at another macro step.
using PlanAt = std::function<system::Plan(double step)>;
/// How often a step may be looked at to find gaps (analysis::StepRange); of large systems less often.
enum class GapLooks { none = 0, few = 60, many = 300 };
/// Where such plans are stable, looked for from a hundredth of the plan's step to a hundred times it; of large systems
/// in a narrower range. None of very large ones.
std::optional<analysis::StableSteps> stable_steps_of(const Rehearsal& rehearsal, const PlanAt& plan_at,
                                                     GapLooks looks = GapLooks::many);

/// Whether some output that is sent follows a connected input at once and can be evaluated without a step: only then
/// are held and fresh two things.
bool feeds_through(const assembly::Assembly& assembly);
/// A coupling of the catalog with all its defaults.
system::Coupling coupling_named(const std::string& name);

/// Where the coupled equations move, which is where errors are expected, unless a band was asked for. It does not
/// depend on the step, if they move at all.
analysis::Band band_for(const System& system, const analysis::Stability& stability,
                        const std::optional<analysis::Band>& asked);

/// 0.0052 as "0.52 %".
std::string percent(double error);

enum class Methods {
  of_the_plan,
  all  ///< and every coupling of the catalog with feed-through held and, of those that can, fresh
};

/// The plan as it is comes first.
std::vector<MethodOutlook> compare_methods(const Rehearsal& rehearsal, Methods methods,
                                           const std::optional<analysis::Band>& band,
                                           const std::function<void(double fraction)>& progress);

/// The plan of one of the methods at another macro step.
system::Plan plan_of(const Rehearsal& rehearsal, const MethodOutlook& method, double step);

/// What to do, from what is known; none where nothing is.
std::optional<Recommendation> recommend(const System& system, const Outlook& outlook);

}  // namespace seam::engine
