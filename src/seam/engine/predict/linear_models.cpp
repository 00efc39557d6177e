#include "seam/engine/predict/linear_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/engine/predict/interface_check.hpp"
#include "seam/engine/predict/probed_calls.hpp"
#include "seam/engine/predict/shown_equations.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/load/fmu_subsystem.hpp"
#include "seam/load/system_values.hpp"

namespace seam::engine {
namespace {

using analysis::ModelSource;
using analysis::SubsystemModel;
using coupling::Lane;

/// Below this a nonlinear subsystem cannot be told from the tolerance of a solver.
constexpr double linear_to = 1e-3;

void check(const System& system, const LinearModelRequest& request) {
  base::Problems problems;
  std::vector<std::string> names;
  for (const system::Subsystem& subsystem : system.description.subsystems) names.push_back(subsystem.name);
  for (const std::string& name : request.subsystems) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      problems.add({}, fmt::format("there is no subsystem \"{}\"", name), base::did_you_mean(name, names));
  }
  const system::Experiment& experiment = system.description.experiment;
  const bool early = request.time && !(*request.time >= experiment.start);
  if (early || (request.time && experiment.stop && *request.time > *experiment.stop))
    problems.add({}, fmt::format("the operating point at {} s lies outside the experiment", *request.time),
                 experiment.stop ? fmt::format("it runs from {} s to {} s", experiment.start, *experiment.stop)
                                 : fmt::format("it begins at {} s", experiment.start));
  base::require_none(problems);
}

/// Where nothing but the direct feed-through is told. One step later than the operating point, since the derivatives of
/// a co-simulation are those of the end of a step.
void add_feedthrough(const OperatingPoint& at, const Lane& lane, SubsystemModel& model) {
  if (model.source != ModelSource::none || lane.inputs == 0 || !lane.subsystem->capabilities().can_evaluate) return;
  try {
    model.feedthrough = analysis::direct_feedthrough(*lane.subsystem, at.time(), at.inputs_of(lane), lane.outputs);
  } catch (const base::Error&) {  // the model has to do without
  }
}

/// Derivatives that an FMU tells are those of an instant; nothing else says whether they are the same elsewhere.
bool is_told(const System& system, const Lane& lane, const SubsystemModel& model) {
  const bool fmu = system::is_fmu(system.description.subsystems[static_cast<std::size_t>(lane.member)]);
  const bool told = model.source == ModelSource::derivatives || model.source == ModelSource::exact;
  return fmu && told && model.equations && model.linearity == analysis::Linearity::at_this_point;
}

/// For co-simulation the list of states is optional. Derivatives without states are told by an FMU without states, and
/// by one that lists none: only a probe can say which.
bool hides_states(const SubsystemModel& model) {
  return model.source == ModelSource::derivatives && model.equations && model.equations->states() == 0;
}

/// Largest difference of an entry, beside the largest of its row.
double apart(const lti::Matrix& a, const lti::Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (Eigen::Index row = 0; row < a.rows() && a.cols() > 0; ++row) {
    const double size = a.row(row).cwiseAbs().maxCoeff();
    if (size > 0.0) most = std::max(most, (a.row(row) - b.row(row)).cwiseAbs().maxCoeff() / size);
  }
  return most;
}

/// The same model a macro step later: what differs is not sure.
void compare(SubsystemModel& model, SubsystemModel later) {
  if (!later.map || !later.equations) return;
  const lti::StateSpace &a = *model.equations, &b = *later.equations;
  const double most = std::max({apart(a.A, b.A), apart(a.B, b.B), apart(a.C, b.C), apart(a.D, b.D)});
  if (most <= linear_to) return;
  model.warnings.push_back(fmt::format(
      "it depends on the operating point: its derivatives differ by {:.2g} % one macro step later", 100.0 * most));
  model.other_maps.push_back(std::move(*later.map));
}

/// By what the subsystems tell, then by what they answer.
class Finding {
 public:
  Finding(const System& system, const LinearModelRequest& request)
      : system_(system), request_(request), with_both_(fmus_with_both_interfaces(system)), probing_(system, request) {}

  std::vector<SubsystemModel> operator()() {
    ask();
    const std::vector<ShownEquations> shown = shown_equations(system_, request_, to_be_shown_);
    for (const ShownEquations& one : shown) probing_.tell(one.model);
    probing_.run();
    for (std::size_t i = 0; i < models_.size(); ++i) {
      const bool is_probed = models_[i].source == ModelSource::none && models_[i].how.empty();
      if (!is_probed && !hides_states(models_[i])) {
        if (models_[i].source == ModelSource::derivatives && probed_[i].source == ModelSource::none)
          models_[i].warnings.push_back("not checked against its steps: " + probed_[i].how);
        continue;
      }
      probed_[i].feedthrough = std::move(models_[i].feedthrough);
      models_[i] = std::move(probed_[i]);
    }
    if (probing_.any()) std::make_shared<ProbedCalls>(system_, request_, candidates_beside(shown))->complete(models_);
    return std::move(models_);
  }

 private:
  /// All that is known without moving anything, on one system.
  void ask() {
    OperatingPoint at = reach(system_, request_);
    const auto& wanted = request_.subsystems;
    std::vector<const Lane*> lanes;
    for (const Lane& lane : at.program().lanes) {
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), at.member(lane).name) != wanted.end())
        lanes.push_back(&lane);
    }
    probed_.reserve(lanes.size());  // candidates point at them
    for (const Lane* lane : lanes) ask(at, *lane);
    bool tells = false;
    for (std::size_t i = 0; i < lanes.size(); ++i) tells = tells || is_told(system_, *lanes[i], models_[i]);
    const bool steps_on =
        (probing_.any() || tells) &&
        coupling::advance(at.program(), at.memory, at.program().hyper_period()).outcome == base::Outcome::accepted;
    for (std::size_t i = 0; steps_on && i < lanes.size(); ++i) {
      add_feedthrough(at, *lanes[i], models_[i]);
      if (is_told(system_, *lanes[i], models_[i])) compare(models_[i], known_model(system_, at, *lanes[i]));
    }
    if (steps_on && probing_.any()) probing_.watch(at);
    for (const SubsystemModel& model : models_) {
      if (model.source == ModelSource::derivatives) probing_.tell(model);
    }
  }

  void ask(const OperatingPoint& at, const Lane& lane) {
    using Ports = LinearModelRequest::Ports;
    const SubsystemModel& known = models_.emplace_back(known_model(system_, at, lane));
    SubsystemModel& probed = probed_.emplace_back();
    probed.name = known.name;
    probed.time = known.time;
    probed.inputs = known.inputs;
    probed.outputs = known.outputs;
    // derivatives describe the model, not the solver inside the FMU; and so does model exchange
    const bool derived = known.source == ModelSource::derivatives;
    if (!derived && (known.source != ModelSource::none || !known.how.empty())) return;
    const auto number = static_cast<std::size_t>(lane.member);
    const bool shows = !derived && std::ranges::count(with_both_, number) > 0;
    probing_.add(at, lane, derived || shows ? Ports::all : request_.ports, probed);
    if (shows && probed.how.empty()) to_be_shown_.push_back({number, at.calls_of(lane)});
  }

  /// Where model exchange and co-simulation do not begin alike, what the former shows is of another point.
  std::vector<ProbeCandidate> candidates_beside(const std::vector<ShownEquations>& shown) {
    std::vector<ProbeCandidate> candidates = probing_.candidates();
    for (ProbeCandidate& candidate : candidates) {
      const auto by = std::ranges::find_if(shown, [&](const auto& one) { return one.model.name == candidate.name; });
      const bool calls_are_seen_apart = candidate.kept && candidate.kept->setup().calls_a_sample == 1;
      if (by == shown.end() || !calls_are_seen_apart || starts_alike(*by, candidate)) continue;
      candidate.told.reset();
      std::ranges::find(models_, candidate.name, &SubsystemModel::name)
          ->warnings.emplace_back("its model exchange does not go on from where its co-simulation does");
    }
    return candidates;
  }

  const System& system_;
  const LinearModelRequest& request_;
  const std::vector<std::size_t> with_both_;
  Probing probing_;
  std::vector<SubsystemModel> models_, probed_;
  std::vector<ShownBy> to_be_shown_;
};

}  // namespace

double operating_time(const std::string& text) {
  base::Problems problems;
  const auto time = load::read_time_flag("--at", text, problems);
  base::require_none(problems);
  return time->seconds;
}

std::vector<SubsystemModel> linear_models(const System& system, const LinearModelRequest& request) {
  const fmi::HostGuard guard;
  check(system, request);
  System probed = system;  // between events an FMU in event mode moves as it does without
  for (std::size_t i = 0; i < probed.plan.subsystems.size(); ++i) {
    if (load::is_fresh_in_event_mode(probed.description.subsystems[i]))
      probed.plan.subsystems[i].feedthrough = system::Feedthrough::held;
  }
  return Finding(probed, request)();
}

bool wants_probed_models(const system::Plan& plan) {
  return !plan.corrector.name.empty() &&
         coupling::make_corrector(plan.corrector)->shape().models.source == coupling::ModelNeeds::Source::probed;
}

std::vector<coupling::GivenModel> corrector_models(const System& system, std::vector<std::string>& notices) {
  std::vector<coupling::GivenModel> given;
  if (!wants_probed_models(system.plan)) return given;
  System bare = system;  // the motions of a probe are not to be mended
  bare.plan.corrector = {};
  LinearModelRequest request;
  const auto& subsystems = system.description.subsystems;
  for (const system::Subsystem& subsystem : subsystems) {
    if (subsystem.fmu()) request.subsystems.push_back(subsystem.name);
  }
  if (request.subsystems.empty()) return given;
  for (const SubsystemModel& model : linear_models(bare, request)) {
    const auto found = std::find_if(subsystems.begin(), subsystems.end(),
                                    [&](const system::Subsystem& subsystem) { return subsystem.name == model.name; });
    if (const auto equations = analysis::equations_with_solver(model))
      given.push_back({static_cast<int>(found - subsystems.begin()), *equations});
    else
      notices.push_back(fmt::format("corrector: nothing was found out about {}: {}", model.name,
                                    model.map ? "no equations make its steps" : model.how));
    for (const std::string& warning : model.warnings)
      notices.push_back(fmt::format("corrector: {}: {}", model.name, warning));
  }
  return given;
}

}  // namespace seam::engine
