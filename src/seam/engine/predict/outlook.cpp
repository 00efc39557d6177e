#include "seam/engine/predict/outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "seam/analysis/dominant_mode.hpp"
#include "seam/base/error.hpp"
#include "seam/base/in_parallel.hpp"
#include "seam/engine/predict/known_models.hpp"
#include "seam/engine/predict/method_outlook.hpp"
#include "seam/engine/predict/rehearsal.hpp"
#include "seam/fmi/instance/host_guard.hpp"

namespace seam::engine {
namespace {

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

/// How far the radius moves if each model is replaced by those from other records of the same FMU.
double spread(const System& system, const std::vector<analysis::SubsystemModel>& models, double radius) {
  double furthest = 0.0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (const analysis::StepMap& other : models[i].other_maps) {
      std::vector<analysis::SubsystemModel> changed = models;
      changed[i].map = other;
      changed[i].equations = analysis::equations_behind(other);
      const auto found = radius_of(Rehearsal(system, changed, Rehearsal::Replaced::nonlinear), system.plan);
      furthest = std::max(furthest, found ? std::abs(*found - radius) : std::numeric_limits<double>::infinity());
    }
  }
  return furthest;
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
    outlook_.uncertainty = spread(system_, outlook_.models, outlook_.stability->spectral_radius);
    if (request_.depth == OutlookRequest::Depth::verdict) return std::move(outlook_);
    outlook_.later = look_later(system_, outlook_.models, request_.time);
    if (request_.depth == OutlookRequest::Depth::all) look_at_mode(live, std::move(*step));
    look_at_equations(live);
    look_at_methods(rehearsal);
    outlook_.sweep = sweep_steps(rehearsal, band_, request_.sweep);
    outlook_.recommendation = recommend(system_, outlook_);
    return std::move(outlook_);
  }

 private:
  void tell(const std::string& what, double fraction) const {
    if (request_.progress) request_.progress(what, fraction);
  }

  bool is_fmu(const analysis::SubsystemModel& model) const {
    const auto& all = system_.description.subsystems;
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& one) { return one.name == model.name && system::is_fmu(one); });
  }

  bool know_models() {
    LinearModelRequest request;
    request.time = request_.time;
    request.progress = [this](double fraction) { tell("linear models of the FMUs", fraction); };
    outlook_.models = models_of_nonlinear(system_, request);
    for (const analysis::SubsystemModel& model : outlook_.models) {
      if (!model.map) outlook_.unknown.push_back(fmt::format("\"{}\": {}", model.name, model.how));
    }
    return outlook_.unknown.empty();
  }

  /// Whether built-in models were linearised; of FMUs their models say it.
  bool is_linearised() const {
    return std::any_of(outlook_.models.begin(), outlook_.models.end(),
                       [this](const analysis::SubsystemModel& model) { return !is_fmu(model); });
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

  void look_at_equations(const Live& live) {
    const double start = system_.description.experiment.start;
    const auto linear = analysis::linear_parts(*live.assembly, start, outlook_.accuracy_reason);
    if (!linear) return;
    band_ = band_for(system_, *outlook_.stability, request_.band);
    outlook_.band = *band_;
    outlook_.loops = analysis::loop_gains(*live.assembly, *linear, {0.05 / system_.plan.step});
    outlook_.ports = analysis::port_passivity(*live.assembly, *linear, system_.description.bonds);
    if (!system_.plan.corrector.name.empty())
      outlook_.accuracy_reason = "what a corrector leaves of it is not known before the run";
    else if (outlook_.stability->stable())
      outlook_.accuracy = analysis::predict_accuracy(
          {live.program, system_.plan}, *linear,
          outlook_.stability->monolithic_poles.value_or(std::vector<analysis::Complex>{}), *band_);
    else
      outlook_.accuracy_reason = "an unstable coupling has no error that could be told";
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
