#include "seam/engine/predict/outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "seam/analysis/dominant_mode.hpp"
#include "seam/base/error.hpp"
#include "seam/base/in_parallel.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/predict/method_outlook.hpp"
#include "seam/engine/predict/operating_point.hpp"
#include "seam/fmi/instance/host_guard.hpp"

namespace seam::engine {
namespace {

using analysis::SubsystemModel;

/// What is known of the whole step when a connection is looked at.
struct WholeStep {
  analysis::Transition transition;
  analysis::DominantMode mode;
  bool stable = false;
};

/// Margins and Nyquist curves cost a few thousand looks at the loop: so many connections have them.
constexpr std::size_t most_margins = 16;

/// Largest sensitivity first.
std::vector<ConnectionOutlook> look_at_connections(const Live& live, const system::Plan& plan, const WholeStep& step) {
  std::vector<analysis::ConnectionLoop> loops;
  if (step.transition.exactness == analysis::Exactness::exact) {
    loops = analysis::open_connections(*live.assembly, plan, step.transition.matrix);
  } else {
    for (const assembly::Wire& ends : live.assembly->wires)
      loops.push_back({live.assembly->source_name(ends) + " -> " + live.assembly->sink_name(ends),
                       0.0,
                       {},
                       {},
                       "the step is not affine"});
  }
  std::vector<ConnectionOutlook> result;
  for (const analysis::ConnectionLoop& loop : loops) {
    result.push_back({loop.connection, 0.0, {}, {}, loop.reason});
    if (loop.is_open()) result.back().sensitivity = step.mode.growth(loop.into, loop.from);
  }
  std::vector<std::size_t> order(result.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) {  // those that rounding alone tells apart keep their order
    return static_cast<float>(std::abs(result[i].sensitivity));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::vector<std::size_t> looked_at;
  std::vector<analysis::ConnectionLoop> most_sensitive;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!loops[order[i]].is_open()) continue;
    if (i >= most_margins) {
      result[order[i]].reason = fmt::format("not among the {} most sensitive connections", most_margins);
      continue;
    }
    looked_at.push_back(order[i]);
    most_sensitive.push_back(loops[order[i]]);
  }
  const auto curves = analysis::curves_of(most_sensitive, step.transition.matrix);
  base::in_parallel(curves.size(), [&](std::size_t i) {
    ConnectionOutlook& own = result[looked_at[i]];
    own.nyquist = analysis::nyquist_curve(curves[i], most_sensitive[i].period, 120);
    if (step.stable) {
      own.margins = analysis::margins(curves[i], most_sensitive[i].period);
    } else {
      own.reason = "the coupling is not stable: there is nothing left to lose";
    }
  });
  std::vector<ConnectionOutlook> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(result[i]));
  return sorted;
}

/// After so many macro steps the system is looked at again.
constexpr base::Tick later_steps[] = {5, 20, 100};

bool is_fmu(const System& system, const std::string& name) {
  const auto& all = system.description.subsystems;
  return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name && system::is_fmu(one); });
}

/// Built-in models whose step is not affine.
std::vector<std::string> nonlinear_models(const System& system) {
  std::vector<std::string> names;
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    if (subsystem.fmu() || subsystem.is_signal) continue;
    names.push_back(subsystem.name);
  }
  if (names.empty()) return names;
  base::Problems problems;
  const auto assembly = load::assemble(system.description, system.plan, {}, problems);
  base::require_none(problems);
  std::erase_if(names, [&](const std::string& name) {
    const auto& members = assembly->members;
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.name == name; });
    return !found->subsystem || found->subsystem->capabilities().affine;
  });
  return names;
}

/// The equations at the end of the step: a motion may leave a kink at once.
void take_step_for_instant(SubsystemModel& model) {
  if (model.after_step) model.equations = model.after_step;
}

/// Of the FMUs, and of built-in models whose step is not linear. For other steps than the plan's the latter tell the
/// equations at the end of the step that begins at the operating point, not those of that instant.
std::vector<SubsystemModel> models_of_nonlinear(const System& system, const LinearModelRequest& request) {
  LinearModelRequest wanted = request;
  wanted.subsystems = nonlinear_models(system);
  const std::size_t built_in = wanted.subsystems.size();
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    if (subsystem.fmu()) wanted.subsystems.push_back(subsystem.name);
  }
  if (wanted.subsystems.empty()) return {};
  std::vector<SubsystemModel> models = linear_models(system, wanted);
  for (SubsystemModel& model : models) {
    if (built_in > 0 && !is_fmu(system, model.name)) take_step_for_instant(model);
  }
  return models;
}

/// The radius a few macro steps after the operating point, with the built-in models as they are there; empty if all are
/// linear.
std::vector<LaterPoint> look_later(const System& system, const std::vector<SubsystemModel>& models,
                                   const std::optional<double>& time) {
  const bool built_in = std::any_of(models.begin(), models.end(), [&](const SubsystemModel& model) {
    return !is_fmu(system, model.name) && model.linearity != analysis::Linearity::linear;
  });
  std::vector<LaterPoint> points;
  if (!built_in) return points;
  LinearModelRequest request;
  request.time = time;
  OperatingPoint at = reach(system, request);
  const coupling::Program& program = at.program();
  base::Tick made = 0;
  for (const base::Tick steps : later_steps) {
    const base::Tick ahead = (steps - made) * program.hyper_period();
    const double then = program.grid.time(at.memory.tick + ahead + program.hyper_period());
    if (system.description.experiment.stop && then > *system.description.experiment.stop) break;
    if (coupling::advance(program, at.memory, ahead).outcome != base::Outcome::accepted) break;
    made = steps;
    std::vector<SubsystemModel> there = models;
    for (SubsystemModel& model : there) {
      if (is_fmu(system, model.name)) continue;
      for (const coupling::Lane& lane : program.lanes) {
        if (at.member(lane).name == model.name) model = known_model(system, at, lane);
      }
      take_step_for_instant(model);
    }
    if (const auto radius = radius_of(Rehearsal(system, there, Rehearsal::Replaced::nonlinear), system.plan))
      points.push_back({at.time(), *radius});
  }
  return points;
}

class Looking {
 public:
  Looking(const System& system, const OutlookRequest& request) : system_(system), request_(request) {}

  Outlook operator()() {
    outlook_.time = request_.time;
    if (!know_models()) return std::move(outlook_);
    const Rehearsal rehearsal = linear_rehearsal(system_, outlook_);
    const Live live = rehearsal.live(system_.plan);
    const coupling::Memory memory = coupling::start(live.program);
    std::string reason;
    auto step = analysis::transition(live.program, memory, reason);
    if (step)
      outlook_.stability = analysis::stability(*step, analysis::period_of(live.program), rehearsal.equation_poles(),
                                               reason, rehearsal.unsure_eigenvalues());
    if (!outlook_.stability) {
      outlook_.unknown.push_back(reason);
      return std::move(outlook_);
    }
    if (is_linearised()) outlook_.stability->exactness = analysis::Exactness::linearised;
    outlook_.uncertainty = uncertainty_of(rehearsal, system_.plan, outlook_.stability->spectral_radius);
    if (request_.depth == OutlookRequest::Depth::verdict) return std::move(outlook_);
    if (request_.depth == OutlookRequest::Depth::sweep) {
      sweep(rehearsal);
      return std::move(outlook_);
    }
    outlook_.later = look_later(system_, outlook_.models, request_.time);
    if (request_.depth == OutlookRequest::Depth::all) look_at_mode(live, std::move(*step));
    look_at_equations(live, rehearsal);
    look_at_methods(rehearsal);
    sweep(rehearsal);
    outlook_.recommendation = recommend(system_, outlook_);
    return std::move(outlook_);
  }

 private:
  void tell(const std::string& what, double fraction) const {
    if (request_.progress) request_.progress(what, fraction);
  }

  void sweep(const Rehearsal& rehearsal) {
    for (const double at : request_.sweep)
      outlook_.sweep.push_back(outlook_of(rehearsal, rehearsal.with_step(at), band_));
  }

  bool know_models() {
    LinearModelRequest request;
    request.time = request_.time;
    request.progress = [this](double fraction) { tell("linear models of the FMUs", fraction); };
    outlook_.models = models_of_nonlinear(system_, request);
    for (const SubsystemModel& model : outlook_.models) {
      if (!model.map) outlook_.unknown.push_back(fmt::format("\"{}\": {}", model.name, model.how));
      if (model.is_whole)
        outlook_.unknown.push_back(fmt::format(
            "\"{}\" does not see the calls of a macro step apart: give it a micro_step that is a multiple of "
            "its own step, or use zoh",
            model.name));
    }
    return outlook_.unknown.empty();
  }

  /// Whether built-in models were linearised; of FMUs their models say it.
  bool is_linearised() const {
    return std::any_of(outlook_.models.begin(), outlook_.models.end(),
                       [this](const SubsystemModel& model) { return !is_fmu(system_, model.name); });
  }

  void look_at_mode(const Live& live, analysis::Transition found) {
    const analysis::Stability& stability = *outlook_.stability;
    if (stability.eigenvalues.empty() || stability.spectral_radius == 0.0) return;
    analysis::DominantMode mode(found, stability.eigenvalues.front());
    const WholeStep step{std::move(found), std::move(mode), stability.stable()};
    outlook_.participants = step.mode.participants(step.transition, *live.assembly);
    tell("margins of the connections", 0.0);
    outlook_.connections = look_at_connections(live, system_.plan, step);
  }

  void look_at_equations(const Live& live, const Rehearsal& rehearsal) {
    const double start = system_.description.experiment.start;
    const auto linear = analysis::linear_parts(*live.assembly, start, outlook_.accuracy_reason);
    if (!linear) return;
    band_ = band_for(system_, *outlook_.stability, request_.band);
    if (!request_.band) band_ = analysis::below_nyquist(*band_, system_.plan.step);
    outlook_.band = *band_;
    outlook_.loops = analysis::loop_gains(*live.assembly, *linear, {0.05 / system_.plan.step});
    outlook_.ports = analysis::port_passivity(*live.assembly, *linear, system_.description.bonds);
    if (!outlook_.stability->stable()) {
      outlook_.accuracy_reason = "an unstable coupling has no error that could be told";
      return;
    }
    const analysis::Motion motion{outlook_.stability->monolithic_poles.value_or(std::vector<analysis::Complex>{}),
                                  *band_};
    outlook_.accuracy =
        analysis::predict_accuracy({live.program, system_.plan}, *linear, motion, outlook_.accuracy_reason);
    if (const auto exact = outlook_.accuracy ? rehearsal.without_solvers() : std::nullopt) {
      const Live solved = exact->live(system_.plan);
      coupling::start(solved.program);
      outlook_.accuracy->of_solvers = analysis::predict_worst_difference(live.program, solved.program, *linear, motion);
    }
  }

  void look_at_methods(const Rehearsal& rehearsal) {
    const auto all = request_.depth == OutlookRequest::Depth::all ? Methods::all : Methods::of_the_plan;
    outlook_.methods =
        compare_methods(rehearsal, all, band_, [this](double fraction) { tell("steps and methods", fraction); });
  }

  const System& system_;
  const OutlookRequest& request_;
  std::optional<analysis::Band> band_;
  Outlook outlook_;
};

}  // namespace

Outlook::Verdict Outlook::verdict() const {
  if (!stability || !(std::abs(stability->spectral_radius - 1.0) > uncertainty))
    return stability && uncertainty == 0.0 ? Verdict::marginal : Verdict::not_known;
  if (stability->marginal()) return Verdict::marginal;
  return stability->stable() ? Verdict::stable : Verdict::unstable;
}

Outlook look_ahead(const System& system, const OutlookRequest& request) {
  const fmi::HostGuard guard;
  return Looking(system, request)();
}

}  // namespace seam::engine
