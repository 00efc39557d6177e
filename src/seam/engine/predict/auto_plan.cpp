#include "seam/engine/predict/auto_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/analysis/complete_compensators.hpp"
#include "seam/base/error.hpp"
#include "seam/base/grid.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/complete_plan.hpp"
#include "seam/coupling/turns.hpp"
#include "seam/engine/predict/held_feedthrough.hpp"
#include "seam/engine/predict/step_search.hpp"
#include "seam/system/resolve.hpp"

namespace seam::engine {
namespace {

using system::Feedthrough;
using system::Plan;
using system::PlanRequest;
using Kind = system::Schedule::Kind;

/// As in the recommendation of analyze: what is simplest stays unless something else has less than this part of its
/// error.
constexpr double much_better = 0.3;

/// One way to fill in what is open; nothing where nothing is to be chosen.
struct Candidate {
  std::string coupling;
  std::optional<Feedthrough> feedthrough;
  std::optional<Kind> schedule;
  SweepPoint point = {};  ///< how it does
};

std::string words(const Candidate& candidate) {
  std::string text = candidate.coupling;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (candidate.feedthrough)
    add(*candidate.feedthrough == Feedthrough::held ? "feed-through held" : "feed-through fresh");
  if (candidate.schedule) add(*candidate.schedule == Kind::jacobi ? "jacobi" : "gauss-seidel");
  return text;
}

class Choosing {
 public:
  explicit Choosing(System& system) : system_(system), asked_(system.description.plan) {
    base::Problems said_before;
    const system::RequestedPlan requested = system::spread(system.description, said_before);
    for (const system::CouplingRequest* request : requested.connections) open_.push_back(request->is_auto());
    for (const system::SubsystemPlanRequest& request : requested.subsystems) {
      own_feedthrough_.push_back(request.feedthrough.has_value());
    }
    if (asked_.schedule && asked_.schedule->kind == Kind::automatic) {
      system::SystemDescription in_turn = system.description;
      in_turn.plan.schedule->kind = Kind::gauss_seidel;
      turns_ = coupling::choose_turns(in_turn, said_before);
    }
  }

  void operator()() {
    if (!system_.plan.corrector.name.empty())
      cannot_decide(fmt::format("what the corrector \"{}\" leaves of the error is not known before the run",
                                system_.plan.corrector.name),
                    fmt::format("{}, or leave the corrector out", by_hand));
    OutlookRequest request;
    request.depth = OutlookRequest::Depth::verdict;
    Outlook outlook = look_ahead(system_, request);
    require_known(outlook);
    band_ = band_for(system_, *outlook.stability, {});
    System searched = system_;
    if (asked_.auto_step && !asked_.auto_step->around) {
      searched.plan = plan_for_search(linear_rehearsal(system_, outlook), band_);
      outlook = look_ahead(searched, request);
      require_known(outlook);
    }
    if (!asked_.auto_step) band_ = analysis::below_nyquist(band_, system_.plan.step);
    const Rehearsal rehearsal = linear_rehearsal(searched, outlook);
    std::vector<Candidate> candidates = all_candidates(rehearsal);
    for (Candidate& candidate : candidates) look_at(rehearsal, candidate);
    const std::string usual = words(candidates.front());
    std::erase_if(candidates, [&](const Candidate& candidate) { return !is_usable(candidate); });
    if (candidates.empty()) cannot_decide(why_none(), mend_none());
    const Candidate simplest = candidates.front(), best = best_of(rehearsal, candidates);
    const bool simple_enough =
        !asked_.auto_step && words(simplest) == usual && *best.point.error > much_better * *simplest.point.error;
    const Candidate& taken = simple_enough ? simplest : best;
    settle(rehearsal, taken, simplest);
    tell_of_exchange(outlook, *taken.point.error);
  }

 private:
  static constexpr const char* by_hand = "say it instead, for example plan: {step: 1 ms, coupling: zoh}";

  void require_known(const Outlook& outlook) const {
    if (outlook.stability) return;
    cannot_decide(outlook.unknown.empty() ? "nothing is known of its stability" : outlook.unknown.front(), by_hand);
  }

  [[noreturn]] void cannot_decide(const std::string& reason, const std::string& mend) const {
    const bool coupling = asked_.coupling && asked_.coupling->is_auto();
    const auto connection = std::find_if(asked_.connections.begin(), asked_.connections.end(),
                                         [](const auto& request) { return request.coupling.is_auto(); });
    const base::Location where = asked_.auto_step                         ? asked_.step_where
                                 : coupling                               ? asked_.coupling->where
                                 : connection == asked_.connections.end() ? asked_.schedule_where
                                                                          : connection->where;
    base::Problems problems;
    problems.add(where, "what is auto in the plan cannot be decided: " + reason, mend);
    throw base::ProblemsFound(problems);
  }

  std::string why_none(const std::string& not_confirmed = "") const {
    if (asked_.auto_step) {
      const std::string nearest = not_confirmed.empty() ? words_of_nearest(nearest_) : not_confirmed;
      return fmt::format("no step and method reaches an expected error of {}{}{}", percent(asked_.auto_step->target),
                         nearest.empty() ? "" : "; ", nearest);
    }
    return fmt::format("no method is known to be stable at a macro step of {} s", system_.plan.step);
  }
  std::string mend_none() const {
    if (asked_.auto_step) return "ask for less, for example step: {auto: {target: 0.1}}, or look with seam analyze";
    return "use a smaller step, or step: auto";
  }

  std::vector<Candidate> all_candidates(const Rehearsal& rehearsal) const {
    const bool couples = std::find(open_.begin(), open_.end(), true) != open_.end();
    std::vector<std::string> couplings = {""};
    std::vector<std::optional<Feedthrough>> ways = {std::nullopt};
    std::vector<std::optional<Kind>> schedules = {std::nullopt};
    if (couples) couplings = coupling::names(coupling::Part::coupling);
    if (asked_.coupling && asked_.coupling->is_auto() && !asked_.feedthrough &&
        feeds_through(*rehearsal.live(system_.plan).assembly))
      ways = {Feedthrough::held, Feedthrough::fresh};
    if (!turns_.empty()) schedules = {Kind::jacobi, Kind::gauss_seidel};
    std::vector<Candidate> result;
    for (const auto& schedule : schedules) {
      for (const auto& way : ways) {
        for (const std::string& coupling : couplings) result.push_back({coupling, way, schedule});
      }
    }
    return result;
  }

  Plan filled(const Rehearsal& rehearsal, Plan plan, const Candidate& candidate) const {
    if (!candidate.coupling.empty()) {
      const system::Coupling coupling = coupling_named(candidate.coupling);
      for (std::size_t i = 0; i < plan.connections.size(); ++i) {
        if (open_[i]) plan.connections[i] = coupling;
      }
    }
    if (candidate.feedthrough) {
      const Plan sent = rehearsal.with_feedthrough(plan, *candidate.feedthrough);
      for (std::size_t i = 0; i < plan.subsystems.size(); ++i) {
        if (!own_feedthrough_[i]) plan.subsystems[i].feedthrough = sent.subsystems[i].feedthrough;
      }
    }
    if (candidate.schedule) {
      plan.schedule = *candidate.schedule;
      plan.order = *candidate.schedule == Kind::gauss_seidel ? turns_ : std::vector<int>();
    }
    return plan;
  }

  void look_at(const Rehearsal& rehearsal, Candidate& candidate) {
    const PlanAt plan_at = [&](double step) { return filled(rehearsal, rehearsal.with_step(step), candidate); };
    try {
      rehearsal.live(filled(rehearsal, system_.plan, candidate));
    } catch (const base::ProblemsFound&) {  // some subsystem cannot be coupled like that
      return;
    } catch (const base::Error&) {  // a model does not tell these calls
      return;
    }
    if (!asked_.auto_step) {
      judge(rehearsal, filled(rehearsal, system_.plan, candidate), candidate);
      return;
    }
    const StepFound found = largest_accurate_step(
        rehearsal, {plan_at, stable_steps_of(rehearsal, plan_at), band_, asked_.auto_step->target});
    nearest_.emplace_back(words(candidate), found.nearest);
    if (found.point) judge(rehearsal, plan_at(found.point->step), candidate);
  }

  /// The models are as sure as they are for this plan: where another one is unstable they may tell less.
  void judge(const Rehearsal& rehearsal, const Plan& plan, Candidate& candidate) const {
    candidate.point = outlook_of(rehearsal, plan, band_);
    if (candidate.point.radius) candidate.point.uncertainty = uncertainty_of(rehearsal, plan, *candidate.point.radius);
  }

  /// The largest step or the smallest error that is confirmed.
  Candidate best_of(const Rehearsal& rehearsal, std::vector<Candidate> candidates) const {
    std::string why_not;
    while (!candidates.empty()) {
      const auto best = std::min_element(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
        if (asked_.auto_step && a.point.step != b.point.step) return a.point.step > b.point.step;
        return *a.point.error < *b.point.error;
      });
      if (!asked_.auto_step) return *best;
      const PlanAt plan_at = [&](double step) { return filled(rehearsal, rehearsal.with_step(step), *best); };
      const Confirmation confirmation =
          confirm(rehearsal, {plan_at, {}, band_, asked_.auto_step->target}, best->point, {});
      if (confirmation.point) {
        best->point = *confirmation.point;
        return *best;
      }
      if (why_not.empty()) why_not = words(*best) + (words(*best).empty() ? "" : ", ") + confirmation.why_not;
      candidates.erase(best);
    }
    cannot_decide(why_none(why_not), mend_none());
  }

  static bool is_usable(const Candidate& candidate) { return candidate.point.stable() && candidate.point.error; }

  std::string reason(const Candidate& taken, const Candidate& simplest) const {
    if (asked_.auto_step)
      return fmt::format("expected error {}: the largest step with at most {} and room to the limit of stability",
                         percent(*taken.point.error), percent(asked_.auto_step->target));
    const std::string at = fmt::format("expected error {} at {:.7g} s", percent(*taken.point.error), taken.point.step);
    if (words(taken) == words(simplest)) return at + ", and nothing else is much more accurate";
    return fmt::format("{}; {}: {}", at, words(simplest), percent(*simplest.point.error));
  }

  void note(const std::string& entry, const std::string& value, const std::string& why) {
    system_.description.plan.chosen.push_back({entry, value, why});
    system_.description.notices.push_back(fmt::format("plan.{}: auto is {}: {}", entry, value, why));
  }

  /// Fresh as far as it is possible.
  void send(const Rehearsal& rehearsal, Feedthrough way, const std::string& why) {
    PlanRequest& plan = system_.description.plan;
    plan.feedthrough = way;
    note("feedthrough", way == Feedthrough::held ? "held" : "fresh", why);
    for (std::size_t i = 0; way == Feedthrough::fresh && i < own_feedthrough_.size(); ++i) {
      if (own_feedthrough_[i] || rehearsal.can_send_fresh(i)) continue;
      system::SubsystemPlanRequest request;
      request.pattern = system_.description.subsystems[i].name;
      request.feedthrough = Feedthrough::held;
      note(fmt::format("subsystems.{}.feedthrough", request.pattern), "held",
           "its outputs cannot be evaluated without a step");
      plan.subsystems.push_back(std::move(request));
    }
  }

  /// The request says now what was chosen, so that completing it again gives the same plan.
  void settle(const Rehearsal& rehearsal, const Candidate& taken, const Candidate& simplest) {
    PlanRequest& plan = system_.description.plan;
    const std::string why = reason(taken, simplest);
    if (plan.auto_step) {
      plan.step = taken.point.step;
      plan.auto_step.reset();
      note("step", fmt::format("{:.12g} s", taken.point.step), why);
    }
    const auto name = [&](system::CouplingRequest& request, const std::string& entry) {
      if (!request.is_auto()) return;
      request.coupling->name = taken.coupling;
      note(entry, taken.coupling, why);
    };
    const bool couples = !taken.coupling.empty();
    if (couples && plan.coupling) name(*plan.coupling, "coupling");
    for (system::ConnectionPlanRequest& request : plan.connections) {
      if (couples) name(request.coupling, "connections." + request.pattern);
    }
    if (taken.feedthrough) send(rehearsal, *taken.feedthrough, why);
    if (taken.schedule) {
      plan.schedule->kind = *taken.schedule;
      note("schedule", *taken.schedule == Kind::jacobi ? "jacobi" : "gauss-seidel", why);
    }
    base::Problems problems;
    auto complete = coupling::complete_plan(system_.description, problems);
    if (complete) analysis::complete_compensators(system_.description, *complete, problems);
    base::require_none(problems);
    system_.plan = *complete;
  }

  /// Other equations than those of co-simulation are not chosen in silence.
  void tell_of_exchange(const Outlook& outlook, double error) {
    const std::optional<ByExchange> better = by_exchange(system_, outlook, band_);
    if (!better || !(better->error < much_better * error)) return;
    system_.description.notices.push_back(
        fmt::format("plan: with  interface: me  and  feedthrough: fresh  for {} the expected error would be {} instead "
                    "of {}; auto does not choose that",
                    fmt::join(better->subsystems, ", "), percent(better->error), percent(error)));
  }

  System& system_;
  const PlanRequest asked_;
  std::vector<bool> open_;             // connections whose coupling is to be chosen
  std::vector<bool> own_feedthrough_;  // subsystems of which the user said it
  std::vector<int> turns_;             // the order of Gauss-Seidel, if that is to be chosen
  analysis::Band band_;
  std::vector<std::pair<std::string, std::optional<SweepPoint>>> nearest_;  // one a search, with its words
};

}  // namespace

void choose_autos(System& system) { Choosing{system}(); }

}  // namespace seam::engine
