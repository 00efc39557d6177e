#include "seam/analysis/transition.hpp"

#include <algorithm>

namespace seam::analysis {
namespace {

using assembly::Sources;
using coupling::Lane;
using coupling::Memory;
using coupling::Program;

/// What a corrector carries on, by the names of the sinks.
void name_correction(const Program& program, std::vector<std::string>& places) {
  const coupling::Correction& correction = *program.correction;
  const auto name = [&](int first, std::size_t i, const std::string& text) {
    if (first >= 0) places[static_cast<std::size_t>(first) + i] = text;
  };
  const auto& members = program.assembly->members;
  for (std::size_t w = 0; w < correction.wires.size(); ++w) {
    const coupling::CorrectedWire& wire = correction.wires[w];
    const assembly::Wire& ends = program.assembly->wires[static_cast<std::size_t>(wire.wire)];
    const std::string sink = program.assembly->sink_name(ends);
    name(wire.corrected, 0, wire.is_sample ? sink : sink + " (corrected)");
    for (std::size_t r = 0; r < correction.shape.rows.size(); ++r)
      name(correction.row(static_cast<int>(r)), w, sink + " (" + correction.shape.rows[r] + ")");
    name(correction.offset, w, sink + " (offset)");
    name(correction.sent, static_cast<std::size_t>(wire.output), program.assembly->source_name(ends) + " (corrected)");
  }
  for (const coupling::CorrectedLane& lane : correction.lanes) {
    const Lane& own = program.lanes[static_cast<std::size_t>(lane.lane)];
    for (int s = 0; correction.shape.tracks && s < lane.states; ++s) {
      name(lane.error, static_cast<std::size_t>(s),
           members[static_cast<std::size_t>(own.member)].name + " (error of state " + std::to_string(s + 1) + ")");
    }
  }
}

/// Name of every entry of z: "subsystem.state", then "sink (sample k back)" for what the coupling remembers.
std::vector<std::string> names_of(const Program& program, int& states) {
  std::vector<std::string> names;
  for (const Lane& lane : program.lanes) {
    const std::string& owner = program.assembly->members[static_cast<std::size_t>(lane.member)].name;
    const auto known = lane.subsystem->state_names();
    for (std::size_t i = 0; i < lane.subsystem->states().size(); ++i) {
      names.push_back(owner + "." + (i < known.size() ? known[i] : "state " + std::to_string(i + 1)));
    }
  }
  states = static_cast<int>(names.size());
  std::vector<std::string> places(program.initial.values.size(), "sent sample");
  for (const Lane& lane : program.lanes) {
    const assembly::Member& member = program.assembly->members[static_cast<std::size_t>(lane.member)];
    for (int i = 0; i < lane.inputs; ++i) {
      places[static_cast<std::size_t>(lane.coefficients + i)] =
          member.name + "." + member.inputs[static_cast<std::size_t>(i)].name;
    }
  }
  for (const coupling::ReceiverGroup& group : program.receivers) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(group.lane)];
    for (int row = 0; row < group.receiver->shape().history; ++row) {
      for (std::size_t p = 0; p < group.columns.size(); ++p) {
        places[static_cast<std::size_t>(group.history) + static_cast<std::size_t>(row) * group.columns.size() + p] =
            places[static_cast<std::size_t>(lane.coefficients + group.columns[p])] + " (sample " + std::to_string(row) +
            " back)";
      }
    }
  }
  if (program.correction) name_correction(program, places);
  for (const int place : program.signals) names.push_back(places[static_cast<std::size_t>(place)]);
  return names;
}

bool has_affine_lanes(const Program& program) {
  return std::all_of(program.lanes.begin(), program.lanes.end(),
                     [](const Lane& lane) { return lane.subsystem->capabilities().affine; });
}

constexpr const char* beyond_all_numbers = "a macro step multiplies a disturbance beyond all numbers";

/// Why a step that was probed did not come to its end.
struct ProbeFailed {
  std::string reason;
};

/// One hyper-period. Sources are silent where that changes nothing but rounding; where the step is not affine they
/// decide where it is linearised.
void make_step(const Program& program, Sources sources, Memory& memory) {
  const coupling::Advance made = coupling::advance_by_operations(program, memory, program.hyper_period(), {sources});
  if (made.outcome == base::Outcome::accepted || made.outcome == base::Outcome::ended) return;
  if (made.outcome == base::Outcome::diverged || made.member < 0) throw ProbeFailed{beyond_all_numbers};
  const assembly::Member& member = program.assembly->members[static_cast<std::size_t>(made.member)];
  const std::string complaint = member.subsystem->complaint();
  throw ProbeFailed{"\"" + member.name + "\" does not make a step from nearby" +
                    (complaint.empty() ? "" : ": " + complaint)};
}

}  // namespace

std::optional<Transition> transition(const Program& program, const Memory& around, std::string& reason) {
  if (program.initial.learning) {
    reason = "models that the corrector identifies do not exist before the run";
    return std::nullopt;
  }
  Transition result;
  result.names = names_of(program, result.states);
  result.exactness = has_affine_lanes(program) ? Exactness::exact : Exactness::linearised;
  for (const Lane& lane : program.lanes) {
    if (!lane.subsystem->shows_states()) {
      reason =
          "\"" + program.assembly->members[static_cast<std::size_t>(lane.member)].name + "\" does not show its states";
      return std::nullopt;
    }
  }
  Memory settled = around;
  coupling::settle(program, settled);
  const bool exact = result.exactness == Exactness::exact;
  coupling::StepProbe probe(program, settled, program.signals, [&](Memory& memory) {
    make_step(program, exact ? Sources::silent : Sources::live, memory);
  });
  try {
    result.matrix = probe.columns(exact ? coupling::Probing::exact : coupling::Probing::differences);
    if (!result.matrix.allFinite()) throw ProbeFailed{beyond_all_numbers};
  } catch (const ProbeFailed& failed) {
    reason = failed.reason;
    return std::nullopt;
  }
  return result;
}

}  // namespace seam::analysis
