#include "seam/engine/predict/probing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/load/fmu_settings.hpp"
#include "seam/load/opened_fmus.hpp"

namespace seam::engine {
namespace {

using analysis::ModelSource;
using analysis::SubsystemModel;
using analysis::Trial;
using coupling::Lane;

constexpr int most_rounds = 4;
/// Beyond this other motions are tried: larger ones against the noise of a solver, smaller ones since what is wanted of
/// a nonlinear subsystem is the model of the operating point.
constexpr double visible = 1e-5;
constexpr double parts_of_motion[] = {1.0, 10.0, 0.1};
/// Beyond this an FMU that is called several times a step may not see the calls apart.
constexpr double visibly_wrong = 1e-3, clearly_better = 0.1;

constexpr double part_of_nominal = 0.01, part_of_range = 0.05, part_of_value = 0.01, usual = 1e-3;
constexpr double least_part = 1e-4;
/// Below this a nonlinear subsystem cannot be told from the tolerance of a solver.
constexpr double linear_to = 1e-3;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Opened {
  std::shared_ptr<const fmi::Fmu> fmu;
  fmi::Ports ports;
  fmi::Structure structure;
};

/// The description was read without problems before.
Opened opened(const system::Subsystem& subsystem) {
  base::Problems said_before;
  Opened result;
  result.fmu = load::fmu_of(subsystem);
  if (!result.fmu) return result;
  result.structure = load::structure_of(load::read_fmu_settings(subsystem, result.fmu->description, said_before));
  result.ports = fmi::ports_of(result.fmu->description, result.structure);
  return result;
}

bool is_size(const std::optional<double>& value) { return value && std::isfinite(*value) && *value != 0.0; }

analysis::InputMotion sized(const InputSize& size, const SeenInput& seen) {
  const auto around_zero = [](double amplitude, const char* because) {
    return analysis::InputMotion{-amplitude, amplitude, 0.0, because};
  };
  if (is_size(size.nominal)) return around_zero(part_of_nominal * std::abs(*size.nominal), "1 % of its nominal value");
  const bool moves = part_of_range * seen.range > least_part * std::abs(seen.value);  // else it has come to rest
  if (std::isfinite(seen.range) && seen.range > 0.0 && moves)
    return around_zero(part_of_range * seen.range, "5 % of its range in a short run");
  if (seen.value != 0.0) return around_zero(part_of_value * std::abs(seen.value), "1 % of its value");
  return around_zero(usual, "0.001 of its unit, since nothing tells its size");
}

/// One a real input, from the description of the FMU.
std::vector<InputSize> input_sizes(const system::Subsystem& subsystem) {
  std::vector<InputSize> sizes(system::count_reals(subsystem.inputs));
  const Opened fmu = opened(subsystem);
  for (std::size_t i = 0; i < std::min(sizes.size(), fmu.ports.input_owners.size()); ++i) {
    const fmi::Variable& variable = *fmu.ports.input_owners[i];
    sizes[i] = {variable.nominal, variable.min, variable.max};
  }
  return sizes;
}

/// By the nominal value, else by the range in the run, else by the value, else a default; inside min and max, with room
/// for twice the motion. `part` shrinks all of it.
analysis::InputMotion motion_of(const InputSize& size, const SeenInput& seen, double part) {
  analysis::InputMotion motion = sized(size, seen);
  const double up = std::max(size.max.value_or(infinity) - seen.value, 0.0);
  const double down = std::max(seen.value - size.min.value_or(-infinity), 0.0);
  motion.high = std::min(part * motion.high, 0.5 * up);
  motion.low = -std::min(-part * motion.low, 0.5 * down);
  const double far = 5.0 * std::max(motion.high, -motion.low);
  const double room_up = up - motion.high, room_down = down + motion.low;
  motion.shift = room_up >= std::min(far, room_down) ? std::min(far, room_up) : -std::min(far, room_down);
  return motion;
}

/// All that the input did in the run, within min and max. One that did not move there moves as usual.
analysis::InputMotion motion_of_run(const InputSize& size, const SeenInput& seen, double part) {
  if (!(seen.range > 0.0) || !std::isfinite(seen.range)) return motion_of(size, seen, part);
  const double up = std::max(size.max.value_or(infinity) - seen.value, 0.0);
  const double down = std::max(seen.value - size.min.value_or(-infinity), 0.0);
  return {-std::min(seen.value - seen.low, down), std::min(seen.low + seen.range - seen.value, up), 0.0,
          "its range in a short run"};
}

/// How many continuous states the FMU lists; none if it lists none.
std::optional<int> listed_states(const system::Subsystem& subsystem) {
  const Opened fmu = opened(subsystem);
  if (!fmu.fmu) return std::nullopt;
  std::size_t states = 0;
  for (const fmi::Unknown& unknown : fmu.fmu->description.structure.derivatives) {
    const fmi::Variable& variable = fmu.fmu->description.variables[unknown.variable];
    states += fmi::element_count(fmu.fmu->description, variable, fmu.structure).value_or(1);
  }
  constexpr std::size_t most = 100;  // more cannot be told apart by looking from outside
  if (states == 0 || states > most) return std::nullopt;
  return static_cast<int>(states);
}

double error_of(const SubsystemModel& model) {
  if (!model.quality) return infinity;
  return std::max({model.quality->prediction_error, model.quality->amplitude_error, model.quality->point_error});
}

/// Everything but what a probe finds.
void take_over(const SubsystemModel& found, SubsystemModel& model) {
  model.source = found.source;
  model.linearity = found.linearity;
  model.map = found.map;
  model.other_maps = found.other_maps;
  model.quality = found.quality;
  model.is_whole = found.is_whole;
  model.how = found.how;
  model.warnings = found.warnings;
  model.equations = found.map ? analysis::equations_behind(*found.map) : std::nullopt;
}

}  // namespace

std::vector<int> Probing::looked_at(int member, Side side, LinearModelRequest::Ports wanted) const {
  const system::Subsystem& subsystem = system_.description.subsystems[static_cast<std::size_t>(member)];
  const bool in = side == Side::inputs;
  const auto& ports = in ? subsystem.inputs : subsystem.outputs;
  const auto is_connected = [&](int port) {
    return std::ranges::any_of(system_.description.connections, [&](const system::Connection& connection) {
      const system::PortPath& end = in ? connection.to : connection.from;
      return end.subsystem == member && end.port == port;
    });
  };
  std::vector<int> result;
  for (int i = 0; i < static_cast<int>(system::count_reals(ports)); ++i) {
    const bool continuous = ports[static_cast<std::size_t>(i)].variability == system::Variability::continuous;
    if ((continuous && wanted == LinearModelRequest::Ports::all) || is_connected(i)) result.push_back(i);
  }
  return result;
}

void Probing::add(const OperatingPoint& at, const Lane& lane, LinearModelRequest::Ports outputs,
                  SubsystemModel& model) {
  const system::Subsystem& described = system_.description.subsystems[static_cast<std::size_t>(lane.member)];
  Candidate candidate;
  candidate.model = &model;
  candidate.name = model.name;
  candidate.all_outputs = lane.outputs;
  candidate.lane = static_cast<int>(&lane - at.program().lanes.data());
  candidate.moved = looked_at(lane.member, Side::inputs, request_.ports);
  candidate.outputs = looked_at(lane.member, Side::outputs, outputs);
  candidate.calls = at.calls_of(lane);
  candidate.as_in_runs = request_.motions == LinearModelRequest::Motions::of_runs;
  const assembly::Capabilities can = lane.subsystem->capabilities();
  candidate.takes_polynomials = can.takes_polynomials;
  candidate.shortest_call = can.shortest_step;
  candidate.call_unit = can.step_unit;
  candidate.keeps_its_length = request_.time && !can.can_shorten;
  if (candidate.moved.empty()) {
    const Calls& calls = candidate.calls;
    const auto columns = Eigen::Index{lane.inputs * (calls.degree + 1)}, rows = Eigen::Index{lane.outputs};
    model.source = ModelSource::exact;
    model.map = {calls.length,
                 calls.degree,
                 {lti::Matrix(0, 0), lti::Matrix(0, columns), lti::Matrix(rows, 0), lti::Matrix::Zero(rows, columns)}};
    model.how = "exact: nothing that is coupled moves it, since no input is fed by a subsystem";
    return;
  }
  if (lane.subsystem->facets().discrete_part) {
    model.how = "not known: its events are dealt with by the coupling, so it cannot be probed alone";
    return;
  }
  candidate.sizes = input_sizes(described);
  candidate.states = listed_states(described);
  for (const double value : at.inputs_of(lane)) candidate.seen.push_back({value, 0.0});
  candidates_.push_back(std::move(candidate));
}

void Probing::tell(const SubsystemModel& told) {
  const auto found = std::ranges::find(candidates_, told.name, &Candidate::name);
  if (found != candidates_.end()) found->told = told;
}

namespace {

/// The values of an input in a short run.
struct WatchedInput {
  double least, most;
  double size = 0.0;  ///< when it had one first

  /// Whether it runs away: the growth of an unstable coupling is not the size of a motion.
  bool take(double value, SeenInput& seen) {
    constexpr double runaway = 1e3;
    least = std::min(least, value);
    most = std::max(most, value);
    seen.range = most - least;
    seen.low = least;
    seen.course.push_back(value);
    if (size == 0.0) size = std::max(seen.range, std::abs(seen.value));
    return size > 0.0 && !(seen.range <= runaway * size);
  }
};

}  // namespace

void Probing::watch(OperatingPoint& at, int steps) {
  for (Candidate& candidate : candidates_) {
    for (SeenInput& input : candidate.seen) input.course.clear();
  }
  std::vector<std::vector<WatchedInput>> watched(candidates_.size());
  const auto runs_away = [&] {
    bool any = false;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const auto inputs = at.inputs_of(at.program().lanes[static_cast<std::size_t>(candidates_[c].lane)]);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (watched[c].size() <= i) watched[c].push_back({inputs[i], inputs[i]});
        any = watched[c][i].take(inputs[i], candidates_[c].seen[i]) || any;
      }
    }
    return any;
  };
  try {
    for (int step = 0; step <= steps && !runs_away(); ++step) {
      if (coupling::advance(at.program(), at.memory, at.program().hyper_period()).outcome != base::Outcome::accepted)
        return;
    }
  } catch (const base::Error&) {  // what was seen until then has to do
  }
}

analysis::Probe ProbeCandidate::probe(double call, int degree, std::size_t trials) const {
  analysis::ProbeSetup setup;
  setup.inputs.resize(seen.size());
  for (const int i : moved) {
    const auto at = static_cast<std::size_t>(i);
    setup.inputs[at] = (as_in_runs ? motion_of_run : motion_of)(sizes[at], seen[at], part);
  }
  setup.outputs = outputs;
  setup.all_outputs = all_outputs;
  setup.call = call;
  setup.calls_a_sample = calls_a_sample;
  setup.degree = calls_a_sample > 1 ? 0 : degree;
  setup.states = states;
  setup.trials = as_in_runs ? analysis::brief_trial_count : trials;  // larger motions than those of runs may break it
  return analysis::Probe(std::move(setup));
}

analysis::Probe ProbeCandidate::probe_of_run(double call) const {
  constexpr double beside = 0.1;  // of the range
  analysis::ProbeSetup setup;
  setup.inputs.resize(seen.size());
  for (const int i : moved) {
    const SeenInput& own = seen[static_cast<std::size_t>(i)];
    setup.inputs[static_cast<std::size_t>(i)] = {-beside * own.range, beside * own.range, 0.0,
                                                 "its motion in a short run"};
  }
  for (std::size_t row = 0; row < seen.front().course.size(); ++row) {
    for (const SeenInput& input : seen) setup.course.push_back(input.course[row]);
  }
  setup.outputs = outputs;
  setup.all_outputs = all_outputs;
  setup.call = call;
  setup.states = states;
  setup.trials = analysis::brief_trial_count;
  return analysis::Probe(std::move(setup));
}

void run_trials(const System& system, const LinearModelRequest& request, std::vector<ProbeTask>& tasks,
                const std::function<void(std::size_t trials)>& done) {
  std::size_t most = 0, finished = 0;
  for (const ProbeTask& task : tasks) most = std::max(most, task.probe->trials().size());
  for (const Trial trial : std::span(analysis::all_trials).first(most)) {
    OperatingPoint at = reach(system, request);
    for (ProbeTask& task : tasks) {
      if (!task.failure.empty() || std::ranges::count(task.probe->trials(), trial) == 0) continue;
      const Lane& lane = at.program().lanes[static_cast<std::size_t>(task.candidate->lane)];
      const analysis::ProbePoint point{at.time(), task.calls_a_step, at.inputs_of(lane), at.driven_inputs_of(lane)};
      std::string reason;
      auto record = analysis::run_trial(*lane.subsystem, *task.probe, trial, point, reason);
      if (record) {
        task.probe->take(trial, std::move(*record));
      } else {
        task.failure = "it did not go through a trial: " + reason;
      }
    }
    if (done) done(++finished);
  }
}

std::vector<ProbeTask> Probing::tasks() const {
  std::vector<ProbeTask> result;
  for (const Candidate& c : candidates_) {
    if (c.done) continue;
    auto probe = std::make_shared<analysis::Probe>(c.probe(c.calls.length, c.calls.degree, analysis::trial_count));
    result.push_back({&c, std::move(probe), c.calls.a_step});
  }
  return result;
}

/// Keeps the better of what was found before and now, and says whether another round may do better.
void Probing::conclude(Candidate& candidate, const ProbeTask& task) const {
  SubsystemModel found;
  found.how = task.failure;
  if (task.failure.empty()) found = task.probe->conclude(candidate.told ? candidate.told->equations : std::nullopt);
  if (found.source == ModelSource::none) found.how = "not known: " + found.how;
  if (candidate.as_in_runs && found.quality) {
    const bool misses = found.quality->prediction_error > std::max(linear_to, 10.0 * found.quality->resolution);
    found.linearity = misses ? analysis::Linearity::at_this_point : analysis::Linearity::linear;
  }
  for (const int i : candidate.moved) {
    const analysis::InputMotion& motion = task.probe->setup().inputs[static_cast<std::size_t>(i)];
    const std::string& port = candidate.model->inputs[static_cast<std::size_t>(i)];
    if (!motion.moves()) found.warnings.push_back(fmt::format("{} was not moved: its min and max leave no room", port));
  }
  // an FMU that is not linear misses both; one that does not see the calls apart misses them alone
  const bool as_a_whole = candidate.calls_a_sample > 1 && !candidate.model->is_whole;
  const bool better = candidate.model->source == ModelSource::none ||
                      error_of(found) < (as_a_whole ? clearly_better : 1.0) * error_of(*candidate.model);
  if (found.linearity == analysis::Linearity::at_this_point && !found.warnings.empty())
    candidate.crooked.emplace_back(candidate.part, found.warnings.front());
  if (better && (found.source != ModelSource::none || candidate.model->source == ModelSource::none)) {
    take_over(found, *candidate.model);
    candidate.kept_part = candidate.part;
    candidate.kept = found.map ? task.probe : nullptr;
    candidate.found = *candidate.model;
  }

  candidate.done = error_of(found) <= visible;
  const bool was_whole = candidate.calls_a_sample > 1;
  candidate.calls_a_sample = candidate.model->is_whole ? candidate.calls.a_step : 1;
  if (candidate.done) return;
  if (candidate.calls.a_step > 1 && candidate.attempt == 0 && !was_whole && !(error_of(found) <= visibly_wrong)) {
    candidate.calls_a_sample = candidate.calls.a_step;
  } else if (!candidate.as_in_runs && ++candidate.attempt < std::size(parts_of_motion)) {
    candidate.part = parts_of_motion[candidate.attempt];
  } else {
    candidate.done = true;
  }
}

/// The smallest motions show the best model and the least of what is not linear. What only smaller ones show is the
/// noise of a solver.
void Probing::mention_larger_motions(Candidate& candidate) const {
  SubsystemModel& model = *candidate.model;
  if (model.source != ModelSource::probed || model.linearity == analysis::Linearity::at_this_point) return;
  for (const auto& [part, warning] : candidate.crooked) {
    if (!(part > candidate.kept_part)) continue;
    model.linearity = analysis::Linearity::at_this_point;
    model.warnings.push_back(fmt::format("{} (motions {:g} times as large)", warning, part / candidate.kept_part));
    return;
  }
}

void Probing::run() {
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<ProbeTask> open = tasks();
    if (open.empty()) break;
    run_trials(system_, request_, open, [&](std::size_t trials) {
      if (request_.progress)
        request_.progress((round + static_cast<double>(trials) / analysis::trial_count) / most_rounds);
    });
    std::size_t next = 0;
    for (Candidate& candidate : candidates_) {
      if (!candidate.done) conclude(candidate, open[next++]);
    }
  }
  for (Candidate& candidate : candidates_) {
    candidate.part = candidate.kept_part;
    mention_larger_motions(candidate);
  }
  if (request_.progress) request_.progress(1.0);
}

}  // namespace seam::engine
