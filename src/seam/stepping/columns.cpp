#include "seam/stepping/columns.hpp"

#include <algorithm>
#include <iterator>

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

}  // namespace

Column column_of(const Program& program, Direction direction, int member, int port) {
  return direction == Direction::output ? output_column(program, member, port) : input_column(program, member, port);
}

std::vector<Column> observed_columns(const Program& program, int member) {
  std::vector<Column> columns;
  const auto found = std::ranges::find(program.observed, member, [&](const coupling::ObservedLane& observed) {
    return program.lanes[static_cast<std::size_t>(observed.lane)].member;
  });
  if (found == program.observed.end()) return columns;
  const int reals = program.lanes[static_cast<std::size_t>(found->lane)].outputs;
  const auto real_outputs =
      static_cast<int>(std::ranges::count_if(found->outputs, [&](int output) { return output < reals; }));
  int place = found->place + real_outputs;
  int discrete_place = found->discrete_place + static_cast<int>(found->outputs.size()) - real_outputs;
  for (const coupling::RecordRequest::Variable& variable : found->variables) {
    Column column;
    column.name = program.assembly->members[static_cast<std::size_t>(member)].name + "." + variable.port.name;
    column.unit = variable.port.unit;
    column.direction = Direction::none;
    column.member = member;
    column.port = variable.number;
    column.type = variable.port.type;
    column.place = column.type == system::PortType::real ? place++ : discrete_place++;
    columns.push_back(std::move(column));
  }
  return columns;
}

void put_reals_first(std::vector<Column>& columns) {
  std::stable_partition(columns.begin(), columns.end(),
                        [](const Column& column) { return column.type == system::PortType::real; });
}

std::vector<Column> all_columns(const Program& program) {
  std::vector<Column> columns;
  for (std::size_t m = 0; m < program.assembly->members.size(); ++m) {
    const Member& member = program.assembly->members[m];
    for (std::size_t p = 0; p < member.outputs.size(); ++p)
      columns.push_back(output_column(program, static_cast<int>(m), static_cast<int>(p)));
    for (std::size_t p = 0; p < member.inputs.size(); ++p)
      columns.push_back(input_column(program, static_cast<int>(m), static_cast<int>(p)));
    std::ranges::move(observed_columns(program, static_cast<int>(m)), std::back_inserter(columns));
  }
  put_reals_first(columns);
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
