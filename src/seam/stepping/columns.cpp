#include "seam/stepping/columns.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace seam::stepping {
namespace {

using assembly::Member;
using coupling::Program;

Column plain_column(const Program& program, Direction direction, int member_index, int port) {
  const Member& member = program.assembly->members[static_cast<std::size_t>(member_index)];
  const bool output = direction == Direction::output;
  const system::Port& described = (output ? member.outputs : member.inputs)[static_cast<std::size_t>(port)];
  Column column;
  column.name = member.name + "." + described.name;
  column.unit = described.unit;
  column.direction = direction;
  column.member = member_index;
  column.port = port;
  column.type = described.type;
  const bool real = column.type == system::PortType::real;
  column.place =
      output ? (real ? program.output_place(member_index, port) : program.discrete_output_place(member_index, port))
             : (real ? program.input_place(member_index, port) : program.discrete_input_place(member_index, port));
  column.changed_by_events = !output && program.intervention(member_index, port);
  return column;
}

Column output_column(const Program& program, int member_index, int port) {
  Column column = plain_column(program, Direction::output, member_index, port);
  const Member& member = program.assembly->members[static_cast<std::size_t>(member_index)];
  if (column.place < 0) column.signal = member.signals[static_cast<std::size_t>(port)];
  return column;
}

Column input_column(const Program& program, int member_index, int port) {
  Column column = plain_column(program, Direction::input, member_index, port);
  for (const assembly::Drive& drive : program.assembly->members[static_cast<std::size_t>(member_index)].drives) {
    if (drive.input != port) continue;
    column.type = system::PortType::real;  // as the file has it
    column.place = -1;
    column.signal = drive.signal;
    column.factor = drive.factor;
    column.offset = drive.offset;
    if (const coupling::Intervention* overridden = program.intervention(member_index, port)) {
      column.place = overridden->place;
      column.signal = nullptr;
    }
  }
  return column;
}

/// Those of its variables that are no ports.
std::vector<Column> observed_columns(const Program& program, const coupling::ObservedLane& observed) {
  const coupling::Lane& lane = program.lanes[static_cast<std::size_t>(observed.lane)];
  const auto real_outputs =
      static_cast<int>(std::ranges::count_if(observed.outputs, [&](int output) { return output < lane.outputs; }));
  int place = observed.place + real_outputs;
  int discrete_place = observed.discrete_place + static_cast<int>(observed.outputs.size()) - real_outputs;
  std::vector<Column> columns;
  for (const coupling::RecordRequest::Variable& variable : observed.variables) {
    Column column;
    column.name = program.assembly->members[static_cast<std::size_t>(lane.member)].name + "." + variable.port.name;
    column.unit = variable.port.unit;
    column.direction = Direction::none;
    column.member = lane.member;
    column.port = variable.number;
    column.type = variable.port.type;
    column.place = column.type == system::PortType::real ? place++ : discrete_place++;
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

Column column_of(const Program& program, Direction direction, int member, int port) {
  const bool output = direction == Direction::output;
  Column column = output ? output_column(program, member, port) : input_column(program, member, port);
  const auto& connections = program.assembly->connections;
  column.connected = std::ranges::any_of(connections, [&](const system::Connection& connection) {
    const system::PortPath& end = output ? connection.from : connection.to;
    return end.subsystem == member && end.port == port;
  });
  return column;
}

std::vector<Column> all_columns(const Program& program) {
  std::vector<Column> columns;
  std::set<std::pair<int, int>> sources, sinks;  // subsystem and port
  for (const system::Connection& connection : program.assembly->connections) {
    sources.emplace(connection.from.subsystem, connection.from.port);
    sinks.emplace(connection.to.subsystem, connection.to.port);
  }
  auto observed = program.observed.begin();
  for (std::size_t m = 0; m < program.assembly->members.size(); ++m) {
    const Member& member = program.assembly->members[m];
    for (std::size_t p = 0; p < member.outputs.size(); ++p)
      columns.push_back(output_column(program, static_cast<int>(m), static_cast<int>(p)));
    for (std::size_t p = 0; p < member.inputs.size(); ++p)
      columns.push_back(input_column(program, static_cast<int>(m), static_cast<int>(p)));
    const auto is_next = [&] {
      return observed != program.observed.end() &&
             program.lanes[static_cast<std::size_t>(observed->lane)].member == static_cast<int>(m);
    };
    for (; is_next(); ++observed) std::ranges::move(observed_columns(program, *observed), std::back_inserter(columns));
  }
  for (Column& column : columns) {
    if (column.direction == Direction::none) continue;
    column.connected = (column.direction == Direction::output ? sources : sinks).contains({column.member, column.port});
  }
  std::stable_partition(columns.begin(), columns.end(),
                        [](const Column& column) { return column.type == system::PortType::real; });
  return columns;
}

Row::Row(const std::vector<Column>& columns) {
  const auto reals = static_cast<std::size_t>(
      std::ranges::count_if(columns, [](const Column& c) { return c.type == system::PortType::real; }));
  numbers.resize(reals);
  discrete_values.resize(columns.size() - reals);
}

void read_columns(const std::vector<Column>& columns, const coupling::Memory& memory, double t, Row& row) {
  std::size_t i = 0;
  for (; i < row.numbers.size(); ++i) {
    const Column& column = columns[i];
    row.numbers[i] = column.place >= 0 ? memory.values[static_cast<std::size_t>(column.place)]
                                       : column.factor * column.signal->at(t) + column.offset;
  }
  for (; i < columns.size(); ++i)
    row.discrete_values[i - row.numbers.size()] = memory.discrete_values[static_cast<std::size_t>(columns[i].place)];
}

}  // namespace seam::stepping
