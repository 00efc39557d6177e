#include "seam/stepping/columns.hpp"

#include <algorithm>

namespace seam::stepping {
namespace {

using assembly::Member;
using coupling::Program;

void describe(Column& column, const Member& member, const system::Port& port) {
  column.name = member.name + "." + port.name;
  column.unit = port.unit;
  column.type = port.type;
}

Column output_column(const Program& program, int member_index, int port) {
  const Member& member = program.assembly->members[static_cast<std::size_t>(member_index)];
  const system::Port& output = member.outputs[static_cast<std::size_t>(port)];
  Column column;
  column.direction = Direction::output;
  describe(column, member, output);
  column.member = member_index;
  column.port = port;
  column.place = column.type == system::PortType::real ? program.output_place(member_index, port)
                                                       : program.parcel_output_place(member_index, port);
  if (column.place < 0) column.signal = member.signals[static_cast<std::size_t>(port)];
  for (const system::Connection& c : program.assembly->connections) {
    column.connected = column.connected || (c.from.subsystem == member_index && c.from.port == port);
  }
  return column;
}

Column input_column(const Program& program, int member_index, int port) {
  const Member& member = program.assembly->members[static_cast<std::size_t>(member_index)];
  const system::Port& input = member.inputs[static_cast<std::size_t>(port)];
  Column column;
  column.direction = Direction::input;
  describe(column, member, input);
  column.member = member_index;
  column.port = port;
  column.place = column.type == system::PortType::real ? program.input_place(member_index, port)
                                                       : program.parcel_input_place(member_index, port);
  for (const assembly::Drive& drive : member.drives) {
    if (drive.input != port) continue;
    column.type = system::PortType::real;  // as the file has it
    column.place = -1;
    column.signal = drive.signal;
    column.factor = drive.factor;
    column.offset = drive.offset;
  }
  for (const system::Connection& c : program.assembly->connections) {
    column.connected = column.connected || (c.to.subsystem == member_index && c.to.port == port);
  }
  return column;
}

}  // namespace

std::vector<Column> all_columns(const Program& program) {
  std::vector<Column> columns;
  for (std::size_t m = 0; m < program.assembly->members.size(); ++m) {
    const Member& member = program.assembly->members[m];
    for (std::size_t p = 0; p < member.outputs.size(); ++p)
      columns.push_back(output_column(program, static_cast<int>(m), static_cast<int>(p)));
    for (std::size_t p = 0; p < member.inputs.size(); ++p)
      columns.push_back(input_column(program, static_cast<int>(m), static_cast<int>(p)));
  }
  std::stable_partition(columns.begin(), columns.end(),
                        [](const Column& column) { return column.type == system::PortType::real; });
  return columns;
}

Row::Row(const std::vector<Column>& columns) {
  const auto reals = static_cast<std::size_t>(
      std::count_if(columns.begin(), columns.end(), [](const Column& c) { return c.type == system::PortType::real; }));
  numbers.resize(reals);
  parcels.resize(columns.size() - reals);
}

void read_columns(const std::vector<Column>& columns, const coupling::Memory& memory, double t, Row& row) {
  std::size_t i = 0;
  for (; i < row.numbers.size(); ++i) {
    const Column& column = columns[i];
    row.numbers[i] = column.place >= 0 ? memory.values[static_cast<std::size_t>(column.place)]
                                       : column.factor * column.signal->at(t) + column.offset;
  }
  for (; i < columns.size(); ++i)
    row.parcels[i - row.numbers.size()] = memory.parcels[static_cast<std::size_t>(columns[i].place)];
}

}  // namespace seam::stepping
