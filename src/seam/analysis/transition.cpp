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
    name(wire.sum, 0, sink + " (still owed to it)");
    name(wire.sum, 1, sink + " (added for what it was owed)");
    const auto output = static_cast<std::size_t>(wire.output);
    const std::string source = program.assembly->source_name(ends);
    name(correction.sent, output, source + " (corrected)");
    for (std::size_t r = 0; r < correction.shape.output_rows.size(); ++r)
      name(correction.output_row(static_cast<int>(r)), output, source + " (" + correction.shape.output_rows[r] + ")");
  }
  for (const coupling::CorrectedLane& lane : correction.lanes) {
    const Lane& own = program.lanes[static_cast<std::size_t>(lane.lane)];
    for (int s = 0; !correction.shape.of_states.empty() && s < lane.states; ++s) {
      const std::string what = members[static_cast<std::size_t>(own.member)].name + " (" + correction.shape.of_states +
                               " " + std::to_string(s + 1);
      name(lane.at_begin, static_cast<std::size_t>(s), what + " at the begin of its step)");
      name(lane.carried, static_cast<std::size_t>(s), what + ")");
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

/// Sources are silent where that changes nothing but rounding; where the step is not affine they decide where it is
/// linearised.
void make_steps(const Program& program, base::Tick count, Sources sources, Memory& memory) {
  const coupling::Advance made = coupling::advance_by_operations(program, memory, count, {sources});
  if (made.outcome == base::Outcome::accepted || made.outcome == base::Outcome::ended) return;
  if (made.outcome == base::Outcome::diverged || made.member < 0) throw ProbeFailed{beyond_all_numbers};
  const assembly::Member& member = program.assembly->members[static_cast<std::size_t>(made.member)];
  const std::string complaint = member.subsystem->complaint();
  throw ProbeFailed{"\"" + member.name + "\" does not make a step from nearby" +
                    (complaint.empty() ? "" : ": " + complaint)};
}

/// One hyper-period; outputs go to the places from `first_output` on.
void make_period(const Program& program, Sources sources, const std::vector<Arrival>& outputs, std::size_t first_output,
                 Memory& memory) {
  base::Tick made = 0;
  for (const Arrival& output : outputs) {
    if (output.ticks > made) make_steps(program, output.ticks - made, sources, memory);
    made = output.ticks;
    memory.values[first_output++] =
        memory.values[static_cast<std::size_t>(program.output_place(output.member, output.output))];
  }
  if (made < program.hyper_period()) make_steps(program, program.hyper_period() - made, sources, memory);
}

}  // namespace

std::vector<Arrival> arrivals(const Program& program) {
  std::vector<Arrival> result;
  for (base::Tick ticks = 1; ticks <= program.hyper_period(); ++ticks) {
    for (const Lane& lane : program.lanes) {
      for (int i = 0; ticks % lane.multiple == 0 && i < lane.outputs; ++i) result.push_back({lane.member, i, ticks});
    }
  }
  return result;
}

std::optional<Transition> transition(const Program& program, const Memory& around, std::string& reason,
                                     const FurtherProbe& further) {
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
  std::vector<int> places = program.signals;
  const std::size_t first_output = settled.values.size();
  settled.values.resize(first_output + further.outputs.size());
  for (std::size_t i = 0; i < further.outputs.size(); ++i) places.push_back(static_cast<int>(first_output + i));
  const auto step = [&](Memory& memory) {
    make_period(program, exact ? Sources::silent : Sources::live, further.outputs, first_output, memory);
  };
  coupling::StepProbe probe(program, settled, places, step, further.arguments);
  try {
    const lti::Matrix all = probe.columns(exact ? coupling::Probing::exact : coupling::Probing::differences);
    if (!all.allFinite()) throw ProbeFailed{beyond_all_numbers};
    const auto outputs = static_cast<Eigen::Index>(further.outputs.size());
    const auto arguments = static_cast<Eigen::Index>(further.arguments.size());
    const Eigen::Index size = all.rows() - outputs;
    result.matrix = all.topLeftCorner(size, size);
    result.further = all.topRightCorner(size, arguments);
    result.outputs = all.bottomLeftCorner(outputs, size);
    result.direct = all.bottomRightCorner(outputs, arguments);
  } catch (const ProbeFailed& failed) {
    reason = failed.reason;
    return std::nullopt;
  }
  return result;
}

}  // namespace seam::analysis
