#include "seam/engine/run/micro_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "seam/base/names.hpp"
#include "seam/engine/run/selection.hpp"

namespace seam::engine {
namespace {

using stepping::Column;
using stepping::Direction;

/// A port as patterns see it.
struct Candidate {
  std::string name;
  int member = -1, port = -1;
  Direction direction = Direction::output;
  const char* why_not = nullptr;  ///< why it has no samples at micro steps; null: it has
};

std::vector<Candidate> candidates(const assembly::Assembly& assembly) {
  std::vector<Candidate> all;
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    const assembly::Member& member = assembly.members[m];
    for (const Direction direction : {Direction::output, Direction::input}) {
      const auto& ports = direction == Direction::output ? member.outputs : member.inputs;
      for (std::size_t p = 0; p < ports.size(); ++p) {
        const char* why_not = !member.subsystem                         ? "is a signal known at every time"
                              : ports[p].type != system::PortType::real ? "is no real number"
                                                                        : nullptr;
        all.push_back(
            {member.name + "." + ports[p].name, static_cast<int>(m), static_cast<int>(p), direction, why_not});
      }
    }
  }
  return all;
}

bool chosen(const std::string& pattern, const Candidate& port, const assembly::Assembly& assembly) {
  return chosen_by(pattern, port.name, port.direction, assembly.members[static_cast<std::size_t>(port.member)].name);
}

/// A pattern chooses something that can be recorded, or says what is wrong with it.
void check(const std::string& pattern, const base::Location& where, const std::vector<Candidate>& ports,
           const assembly::Assembly& assembly, base::Problems& problems) {
  const Candidate* unfit = nullptr;
  for (const Candidate& port : ports) {
    if (!chosen(pattern, port, assembly)) continue;
    if (!port.why_not) return;
    unfit = &port;
  }
  if (unfit) {
    problems.add(where,
                 fmt::format("\"{}\" has no samples at micro steps: {} {}", pattern, unfit->name, unfit->why_not));
    return;
  }
  std::vector<std::string> names;
  for (const Candidate& port : ports) names.push_back(port.name);
  problems.add(where, "no variable matches \"" + pattern + "\"", base::did_you_mean(pattern, names));
}

/// The columns of a row, in its order.
std::vector<Column> columns_of(const coupling::Program& program, const coupling::MicroRows& rows) {
  const int member = program.lanes[static_cast<std::size_t>(rows.lane)].member;
  std::vector<Column> columns;
  for (const auto& [direction, ports] :
       {std::pair{Direction::output, &rows.outputs}, std::pair{Direction::input, &rows.inputs}}) {
    for (const int port : *ports) columns.push_back(stepping::column_of(program, direction, member, port));
  }
  return columns;
}

template <class Make>
MicroRecorders make(const coupling::Program& program, const Make& recorder) {
  MicroRecorders made;
  for (const coupling::MicroRows& rows : program.micro_rows) {
    const int member = program.lanes[static_cast<std::size_t>(rows.lane)].member;
    made.subsystems.push_back(program.assembly->members[static_cast<std::size_t>(member)].name);
    made.columns.push_back(columns_of(program, rows));
    made.recorders.push_back(recorder(made.subsystems.back(), made.columns.back()));
  }
  return made;
}

}  // namespace

std::vector<coupling::MicroRequest> micro_requests(const system::SystemDescription& description,
                                                   const assembly::Assembly& assembly, base::Problems& problems) {
  const system::RecordRequest& record = description.record;
  if (record.micro.empty()) return {};
  const std::vector<Candidate> ports = candidates(assembly);
  for (std::size_t i = 0; i < record.micro.size(); ++i)
    check(record.micro[i], i < record.micro_where.size() ? record.micro_where[i] : base::Location{}, ports, assembly,
          problems);
  std::vector<coupling::MicroRequest> requests;
  for (const Candidate& port : ports) {
    const bool wanted = !port.why_not && std::ranges::any_of(record.micro, [&](const auto& pattern) {
      return chosen(pattern, port, assembly);
    });
    if (!wanted) continue;
    if (requests.empty() || requests.back().member != port.member) requests.push_back({port.member, {}, {}});
    (port.direction == Direction::output ? requests.back().outputs : requests.back().inputs).push_back(port.port);
  }
  return requests;
}

std::string micro_file(const std::string& result, const std::string& subsystem) {
  std::filesystem::path file(result);
  std::string name = subsystem;
  std::ranges::replace(name, '/', '_');
  const std::string ending = file.extension().string();
  return file.replace_extension().string() + ".micro." + name + ending;
}

std::vector<stepping::MicroRecord> MicroRecorders::records(const coupling::Program& program) const {
  std::vector<stepping::MicroRecord> all;
  for (std::size_t i = 0; i < recorders.size(); ++i)
    all.push_back({&program.micro_rows[i], columns[i], recorders[i].get()});
  return all;
}

formats::Table taken_from(std::vector<formats::Table>& spare) {
  formats::Table table;
  if (spare.empty()) return table;
  table = std::move(spare.back());
  spare.pop_back();
  return table;
}

MicroRecorders micro_recorders_in_memory(const coupling::Program& program, std::vector<formats::Table>& spare) {
  MicroRecorders made = make(program, [&](const std::string&, const std::vector<Column>& columns) {
    return std::make_unique<record::TableRecorder>(columns, taken_from(spare));
  });
  constexpr base::Tick most = 1 << 20;  // a run may end early: memory for more is not taken ahead
  for (std::size_t i = 0; i < made.recorders.size(); ++i) {
    const coupling::Lane& lane = program.lanes[static_cast<std::size_t>(program.micro_rows[i].lane)];
    const base::Tick rows = std::min(most, program.ticks / lane.multiple * lane.segments + lane.segments);
    static_cast<record::TableRecorder&>(*made.recorders[i]).expect(static_cast<std::size_t>(rows));
  }
  return made;
}

MicroRecorders micro_recorders(const coupling::Program& program, const std::string& said, const std::string& path) {
  MicroRecorders made = make(program, [&](const std::string& subsystem, const std::vector<Column>& columns) {
    return record::make_recorder(micro_file(path, subsystem), columns);
  });
  for (const std::string& subsystem : made.subsystems) made.files.push_back(micro_file(said, subsystem));
  return made;
}

std::vector<std::string> micro_notices(const coupling::Program& program) {
  std::vector<std::string> notices;
  for (const coupling::MicroRows& rows : program.micro_rows) {
    const coupling::Lane& lane = program.lanes[static_cast<std::size_t>(rows.lane)];
    const bool needs_no_parts = lane.degree == 0 && lane.emitters.empty() && lane.segments > 1;
    const double part = lane.multiple * program.grid.step / lane.segments;
    if (!needs_no_parts || lane.subsystem->capabilities().is_divisible_by(part)) continue;
    notices.push_back(
        fmt::format("{} is stepped in {} parts because record.micro asks for samples inside its steps: its result may "
                    "differ from a "
                    "run without",
                    program.assembly->members[static_cast<std::size_t>(lane.member)].name, lane.segments));
  }
  return notices;
}

}  // namespace seam::engine
