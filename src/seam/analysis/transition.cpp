#include "seam/analysis/transition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    if (correction.writes_inputs) {
      name(wire.coefficients, 0, sink + " (with its offset)");
      for (int k = 1; k <= wire.degree; ++k)
        name(wire.coefficients + k * wire.stride, 0, fmt::format("{} (power {} of its offset)", sink, k));
    }
    name(wire.corrected, 0, wire.is_sample ? sink : sink + " (corrected)");
    name(correction.before, w, sink + " (corrected, the point before)");
    name(correction.owed, w, sink + " (what its offset makes good)");
    name(correction.offset, w, sink + " (offset)");
    name(correction.sent, static_cast<std::size_t>(wire.output), program.assembly->source_name(ends) + " (corrected)");
  }
  for (const coupling::CorrectedLane& lane : correction.lanes) {
    const Lane& own = program.lanes[static_cast<std::size_t>(lane.lane)];
    for (int s = 0; correction.tracks() && s < lane.states; ++s) {
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
  std::vector<std::string> places(program.initial_values.size(), "sent sample");
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

bool is_affine(const Program& program) {
  return std::all_of(program.lanes.begin(), program.lanes.end(),
                     [](const Lane& lane) { return lane.subsystem->capabilities().affine; });
}

/// One hyper-period from z; everything that is not in z is as in `settled`.
class Images {
 public:
  Images(const Program& program, const Memory& settled)
      : program_(program),
        settled_(settled),
        // Sources are silent where that changes nothing but rounding; where the step is not affine they decide where
        // it is linearised.
        sources_(is_affine(program) ? Sources::silent : Sources::live) {}

  /// None, with the reason, if the step did not come to its end.
  std::optional<std::vector<double>> of(const std::vector<double>& z, std::string& reason) {
    work_ = settled_;
    write_state(program_, work_, z);
    const coupling::Advance made = coupling::advance(program_, work_, program_.hyper_period(), sources_);
    if (made.outcome == base::Outcome::accepted || made.outcome == base::Outcome::ended)
      return read_state(program_, work_);
    if (made.outcome == base::Outcome::diverged || made.member < 0) {
      reason = "a macro step multiplies a disturbance beyond all numbers";
    } else {
      const assembly::Member& member = program_.assembly->members[static_cast<std::size_t>(made.member)];
      const std::string complaint = member.subsystem->complaint();
      reason = "\"" + member.name + "\" does not make a step from nearby" + (complaint.empty() ? "" : ": " + complaint);
    }
    return std::nullopt;
  }

 private:
  const Program& program_;
  const Memory& settled_;
  Sources sources_;
  Memory work_;
};

/// The matrix by its columns; false, with the reason, if a step did not come to its end.
bool find_columns(const Program& program, const Memory& settled, Transition& result, std::string& reason) {
  const bool exact = result.exactness == Exactness::exact;
  Images images(program, settled);
  std::vector<double> centre = read_state(program, settled);
  if (exact) std::fill(centre.begin(), centre.end(), 0.0);
  const auto size = static_cast<Eigen::Index>(centre.size());
  result.matrix.resize(size, size);
  std::optional<std::vector<double>> behind, ahead;
  if (exact && !(behind = images.of(centre, reason))) return false;
  for (Eigen::Index column = 0; column < size; ++column) {
    const auto at = static_cast<std::size_t>(column);
    const double delta = exact ? 1.0 : 1e-6 * std::max(1.0, std::abs(centre[at]));
    std::vector<double> z = centre;
    z[at] += delta;
    if (!(ahead = images.of(z, reason))) return false;
    z[at] = centre[at] - delta;
    if (!exact && !(behind = images.of(z, reason))) return false;
    for (Eigen::Index row = 0; row < size; ++row) {
      const auto r = static_cast<std::size_t>(row);
      result.matrix(row, column) = ((*ahead)[r] - (*behind)[r]) / (exact ? 1.0 : 2.0 * delta);
    }
  }
  return true;
}

}  // namespace

std::vector<double> read_state(const Program& program, const Memory& memory) {
  std::vector<double> z;
  for (const Lane& lane : program.lanes) {
    const auto x = lane.subsystem->states();
    z.insert(z.end(), x.begin(), x.end());
  }
  for (const int place : program.signals) z.push_back(memory.values[static_cast<std::size_t>(place)]);
  return z;
}

void write_state(const Program& program, Memory& memory, const std::vector<double>& z) {
  auto next = z.begin();
  for (const Lane& lane : program.lanes) {
    for (double& x : lane.subsystem->states()) x = *next++;
  }
  for (const int place : program.signals) memory.values[static_cast<std::size_t>(place)] = *next++;
}

std::optional<Transition> transition(const Program& program, const Memory& around, std::string& reason) {
  if (program.learning) {
    reason = "models that the corrector identifies do not exist before the run";
    return std::nullopt;
  }
  Transition result;
  result.names = names_of(program, result.states);
  result.exactness = is_affine(program) ? Exactness::exact : Exactness::linearised;
  for (const Lane& lane : program.lanes) {
    if (!lane.subsystem->shows_states()) {
      reason =
          "\"" + program.assembly->members[static_cast<std::size_t>(lane.member)].name + "\" does not show its states";
      return std::nullopt;
    }
  }
  std::vector<assembly::Snapshot> kept;
  for (const Lane& lane : program.lanes) kept.push_back(lane.subsystem->save());
  const auto put_back = [&] {
    for (std::size_t i = 0; i < kept.size(); ++i) program.lanes[i].subsystem->restore(kept[i]);
  };
  Memory settled = around;
  coupling::settle(program, settled);
  bool found = false;
  try {
    found = find_columns(program, settled, result, reason);
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
  if (!found) return std::nullopt;
  return result;
}

}  // namespace seam::analysis
