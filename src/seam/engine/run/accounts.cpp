#include "seam/engine/run/accounts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/coupling/corrector/learning.hpp"
#include "seam/engine/predict/held_feedthrough.hpp"
#include "seam/load/opened_fmus.hpp"

namespace seam::engine {
namespace {

std::string times(std::int64_t number) { return number == 1 ? "once" : fmt::format("{} times", number); }
std::string steps(std::int64_t number) { return number == 1 ? "1 step" : fmt::format("{} steps", number); }

/// When models were taken into use, and why they were not.
void tell_of_learning(const coupling::Program& program, const coupling::Memory& memory, RunSummary& summary) {
  const coupling::Learning& learning = *memory.learning;
  for (std::size_t i = 0; i < learning.count(); ++i) {
    const coupling::LearningAccount account = learning.account(i);
    const int lane = program.correction->lanes[static_cast<std::size_t>(learning.lane(i))].lane;
    const int member = program.lanes[static_cast<std::size_t>(lane)].member;
    const std::string& name = program.assembly->members[static_cast<std::size_t>(member)].name;
    if (account.first_use < 0) {
      summary.notices.push_back(fmt::format("corrector: no identified model of {} was taken into use, in {}: {}", name,
                                            steps(account.steps), lti::words(account.why_not())));
      continue;
    }
    std::string text = fmt::format("corrector: a model of {} was identified and taken into use at {:.6g} s", name,
                                   program.grid.time(account.first_use));
    if (account.changes > 0) text += fmt::format(", later replaced {}", times(account.changes));
    if (account.used < account.steps)
      text += fmt::format("; {} of {} went without, the last because {}", account.steps - account.used,
                          steps(account.steps), lti::words(account.why_not()));
    summary.notices.push_back(text);
  }
}

}  // namespace

void account_for_time(const coupling::Program& program, RunSummary& summary) {
  const stepping::Timing& timing = summary.result.timing;
  summary.times.watched_steps = timing.steps;
  if (timing.steps == 0) return;
  double left = summary.wall_time;
  for (const coupling::Lane& lane : program.lanes) {
    const auto member = static_cast<std::size_t>(lane.member);
    const double seconds = timing.lanes[member] * static_cast<double>(summary.result.steps);
    summary.times.subsystems.emplace_back(program.assembly->members[member].name, seconds);
    left -= seconds;
  }
  if (timing.looks > 0) summary.times.recording = timing.look * static_cast<double>(summary.rows) + timing.finish;
  if (summary.threads > 1) {  // side by side they take longer than the clock
    summary.times.engine = timing.rest * static_cast<double>(summary.result.steps);
    return;
  }
  summary.times.engine = std::max(0.0, left - summary.times.recording.value_or(0.0));
}

std::vector<FmuVersion> fmu_versions(const System& system) {
  std::vector<FmuVersion> versions;
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    const auto fmu = load::fmu_of(subsystem);
    if (!fmu) continue;
    const fmi::ModelDescription& description = fmu->description;
    versions.push_back({subsystem.name, subsystem.fmu()->path, description.version_text, description.model_version,
                        description.generation_tool, fmu->hash});
  }
  return versions;
}

void tell_of_held_outputs(const System& system, const Live& live, const coupling::Memory& memory, RunSummary& summary) {
  if (!live.monitors.feedthrough || summary.result.ending != stepping::Ending::completed) return;
  std::vector<stepping::HeldOutput> found;
  try {
    found = live.monitors.feedthrough->outputs(live.program, memory);
  } catch (const base::Error& error) {  // the run is complete without it
    summary.notices.push_back(fmt::format("what held outputs lack is not known: {}", error.what()));
  }
  for (const stepping::HeldOutput& held : found) {
    const assembly::Member& member = live.assembly->members[static_cast<std::size_t>(held.member)];
    const auto name = [&](const system::Port& port) { return member.name + "." + port.name; };
    HeldOutput& told = summary.held_outputs.emplace_back();
    told.output = name(member.outputs[static_cast<std::size_t>(held.output)]);
    for (const int input : held.inputs) told.inputs.push_back(name(member.inputs[static_cast<std::size_t>(input)]));
    told.lacking = held.lacking;
    told.size = held.size;
    told.ways = ways_to_send_fresh(system.description.subsystems[static_cast<std::size_t>(held.member)]);
  }
}

void tell_of_corrector(const coupling::Program& program, const coupling::Memory& memory, RunSummary& summary) {
  const coupling::Correction& correction = *program.correction;
  const auto count = [&](int first, std::size_t i) { return memory.knowledge[static_cast<std::size_t>(first) + i]; };
  if (memory.learning) tell_of_learning(program, memory, summary);
  for (const std::string& notice : correction.notices) summary.notices.push_back(notice);
  /// `text` has places for who it is and how often it happened.
  const auto tell = [&](std::int64_t number, fmt::string_view text, const std::string& who) {
    if (number > 0) summary.notices.push_back("corrector: " + fmt::format(fmt::runtime(text), who, times(number)));
  };
  for (std::size_t w = 0; w < correction.wires.size(); ++w) {
    const std::string sink =
        program.assembly->sink_name(program.assembly->wires[static_cast<std::size_t>(correction.wires[w].wire)]);
    tell(count(correction.clamped, w), "{} would have left its limits {} and was kept there", sink);
    tell(count(correction.cut, w), "the offset of {} was held back by its limits {}", sink);
  }
  for (std::size_t l = 0; l < correction.lanes.size(); ++l) {
    const int member = program.lanes[static_cast<std::size_t>(correction.lanes[l].lane)].member;
    const std::string& name = program.assembly->members[static_cast<std::size_t>(member)].name;
    tell(count(correction.skipped, l), "nothing was corrected at {} in steps with an event, {}", name);
    tell(count(correction.unreported, l), "{} did not tell its derivatives {}; the ones before were used", name);
  }
  if (correction.fallen >= 0 && count(correction.fallen, coupling::how_often) > 0)
    summary.notices.push_back(fmt::format(
        "corrector: the models foretold the outputs worse than a hold, {}, first at {:.6g} s; a hold took their place "
        "then{}. Models that are probed (model: probed) or a smaller step may help",
        times(count(correction.fallen, coupling::how_often)),
        program.grid.time(count(correction.fallen, coupling::first_point)),
        count(correction.fallen, coupling::is_fallen) ? ", and at the end" : ""));
  tell(count(correction.unsolved, 0), "the equations of {} had no solution {}; nothing was corrected then",
       "the coupled subsystems");
}

}  // namespace seam::engine
