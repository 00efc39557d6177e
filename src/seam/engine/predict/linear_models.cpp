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
#include "seam/engine/predict/probed_candidate.hpp"
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

/// What it did in the first trial, with the inputs as they were.
std::optional<analysis::RestRecord> rest_of(const ProbeCandidate& candidate) {
  if (!candidate.kept) return std::nullopt;
  const analysis::ProbeSetup& setup = candidate.kept->setup();
  analysis::RestRecord rest{setup.call * setup.calls_a_sample,
                            {},
                            setup.outputs,
                            setup.all_outputs,
                            candidate.kept->idle_record(analysis::Trial::rest)};
  const auto& record = candidate.kept->record(analysis::Trial::rest);
  rest.values.insert(rest.values.end(), record.begin(), record.end());
  for (const SeenInput& input : candidate.seen) rest.inputs.push_back(input.value);
  return rest;
}

/// Parts of the plan's steps by which the motions of runs are seen.
constexpr int finer = 8;

/// By what the subsystems tell, then by what they answer.
class Finding {
 public:
  Finding(const System& system, const LinearModelRequest& request)
      : system_(system), request_(request), with_both_(fmus_with_both_interfaces(system)), probing_(system, request) {}

  std::vector<SubsystemModel> operator()() {
    ask();
    if (is_of_runs() && probing_.any()) watch_finely();
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
    for (const ProbeCandidate& candidate : probing_.candidates()) model_of(candidate).rest = rest_of(candidate);
    if (is_of_runs()) look_at_whole_motions();
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

  /// Shorter steps than the plan's have smaller errors: how far inputs move without them.
  void watch_finely() {
    constexpr int steps = 40;  // of the plan
    System system = system_;
    system.plan.step /= finer;
    try {
      OperatingPoint at = reach(system, request_);
      probing_.watch(at, finer * steps);
    } catch (const base::Error&) {  // of the plan's steps it is known
    } catch (const base::ProblemsFound&) {
    }
  }

  bool is_of_runs() const { return request_.motions == LinearModelRequest::Motions::of_runs; }

  SubsystemModel& model_of(const ProbeCandidate& candidate) {
    return *std::ranges::find(models_, candidate.name, &SubsystemModel::name);
  }

  /// Of subsystems that are not linear, by shorter calls, which no frequency of interest hides from: equations of the
  /// operating point, or those of motions as in a run, whatever foretells such a motion better.
  void look_at_whole_motions() {
    std::vector<ProbeCandidate> nonlinear = probing_.candidates();
    std::erase_if(nonlinear, [](const ProbeCandidate& one) {
      const bool is_linear = one.kept && one.found.linearity == analysis::Linearity::linear;
      return is_linear || one.calls_a_sample > 1 || one.seen.empty() || one.seen.front().course.empty();
    });
    std::vector<ProbeTask> tasks;
    for (const ProbeCandidate& one : nonlinear) {
      const double call = one.calls.length * one.calls.a_step / finer;
      auto probe = std::make_shared<analysis::Probe>(one.probe_of_run(call));
      tasks.push_back({&one, std::move(probe), one.calls.a_step});
    }
    if (!tasks.empty()) run_trials(system_, request_, tasks, {});
    for (const ProbeTask& task : tasks) {
      SubsystemModel& model = model_of(*task.candidate);
      SubsystemModel whole = task.failure.empty() ? task.probe->conclude_whole_motions() : SubsystemModel{};
      const double call = task.probe->setup().call;
      const bool is_better =
          whole.equations && (!model.equations || task.probe->whole_error_of(analysis::step_map(
                                                      *model.equations, call, 0)) > whole.quality->prediction_error);
      if (!is_better) continue;
      model.source = whole.source;
      model.equations = whole.equations;
      model.solver_error.reset();
      model.quality = whole.quality;
      model.how = whole.how;
      const analysis::ProbeSetup& setup = task.probe->setup();
      model.rest = {call, setup.course, setup.outputs, setup.all_outputs, task.probe->record(analysis::Trial::rest)};
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
    const bool is_nonlinear = is_of_runs() && known.linearity == analysis::Linearity::at_this_point;
    const bool derived = known.source == ModelSource::derivatives || is_nonlinear;
    if (!derived && (known.source != ModelSource::none || !known.how.empty())) return;
    const auto number = static_cast<std::size_t>(lane.member);
    const bool shows = !derived && std::ranges::count(with_both_, number) > 0;
    probing_.add(at, lane, derived || shows ? Ports::all : request_.ports, probed);
    if (shows && probed.how.empty()) to_be_shown_.push_back({number, at.calls_of(lane)});
  }

  /// Where model exchange and co-simulation do not begin alike, what the former shows is of another point.
  std::vector<ProbeCandidate> candidates_beside(const std::vector<ShownEquations>& shown) {
    std::vector<ProbeCandidate> candidates = probing_.candidates();
    // what is not linear has no equations behind calls of all lengths, and what is ours shows its own
    std::erase_if(candidates, [&](const ProbeCandidate& candidate) {
      const auto& model = *std::ranges::find(models_, candidate.name, &SubsystemModel::name);
      return is_of_runs() &&
             (candidate.found.linearity != analysis::Linearity::linear || model.source == ModelSource::exact);
    });
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

namespace {

using Source = coupling::ModelNeeds::Source;

coupling::ModelNeeds needs_of(const system::Plan& plan) {
  if (plan.corrector.name.empty()) return {};
  return coupling::make_corrector(plan.corrector)->shape().models;
}

bool predicts(const coupling::ModelNeeds& needs) { return needs.reads == coupling::ModelNeeds::Reads::coupled; }

/// Whose models the corrector does not ask the subsystems themselves for.
std::vector<std::string> looked_at(const System& system, const assembly::Assembly& assembly,
                                   const coupling::ModelNeeds& needs) {
  std::vector<std::string> names;
  if (needs.source == Source::none || (needs.source != Source::probed && !predicts(needs))) return names;
  for (std::size_t i = 0; i < assembly.members.size(); ++i) {
    const assembly::Subsystem* const subsystem = assembly.members[i].subsystem.get();
    const bool is_fmu = system.description.subsystems[i].fmu() != nullptr;
    if (!subsystem || (is_fmu && needs.source == Source::exact)) continue;
    const bool shows = assembly::linear_offer_of(*subsystem).kind == assembly::LinearOffer::Kind::fixed;
    if (is_fmu || (predicts(needs) && !shows)) names.push_back(assembly.members[i].name);
  }
  return names;
}

bool is_wanted(const SubsystemModel& model, const coupling::ModelNeeds& needs) {
  return needs.source != Source::derivatives || model.source != ModelSource::probed;
}

}  // namespace

bool wants_probed_models(const system::Plan& plan) {
  const coupling::ModelNeeds needs = needs_of(plan);
  return needs.source == Source::probed || (predicts(needs) && needs.source == Source::automatic);
}

std::vector<coupling::GivenModel> corrector_models(const System& system, const assembly::Assembly& assembly,
                                                   std::vector<std::string>& notices) {
  std::vector<coupling::GivenModel> given;
  const coupling::ModelNeeds needs = needs_of(system.plan);
  LinearModelRequest request;
  request.subsystems = looked_at(system, assembly, needs);
  if (request.subsystems.empty()) return given;
  if (predicts(needs) && wants_probed_models(system.plan)) request.motions = LinearModelRequest::Motions::of_runs;
  System bare = system;  // the motions of a probe are not to be mended
  bare.plan.corrector = {};
  const auto& members = assembly.members;
  for (const SubsystemModel& model : linear_models(bare, request)) {
    const auto equations = is_wanted(model, needs) ? analysis::equations_with_solver(model) : std::nullopt;
    if (equations) {
      coupling::GivenModel& one = given.emplace_back();
      one.member = static_cast<int>(std::ranges::find(members, model.name, &assembly::Member::name) - members.begin());
      one.equations = *equations;
      // equations of our own are in the states that the subsystem shows
      if (model.rest && model.source != ModelSource::exact)
        one.start = analysis::start_state(*equations, *model.rest).state;
    } else {
      const std::string why = !is_wanted(model, needs) ? "it tells no derivatives"
                              : model.map              ? "no equations make its steps"
                                                       : model.how;
      notices.push_back(fmt::format("corrector: nothing was found out about {}: {}", model.name, why));
    }
    if (predicts(needs) && equations && model.linearity == analysis::Linearity::at_this_point)
      notices.push_back(fmt::format("corrector: {} is not linear; its model is {}", model.name, model.how));
    for (const std::string& warning : model.warnings)
      notices.push_back(fmt::format("corrector: {}: {}", model.name, warning));
  }
  return given;
}

}  // namespace seam::engine
