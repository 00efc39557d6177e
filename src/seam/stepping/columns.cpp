#include "seam/stepping/columns.hpp"

#include <algorithm>

namespace seam::stepping {
namespace {

using assembly::Member;
using coupling::Program;

Column output_column(const Program& program, int member_index, int port) {
  const Member& member = program.assembly->members[static_cast<std::size_t>(member_index)];
  const system::Port& output = member.outputs[static_cast<std::size_t>(port)];
  Column column{member.name + "." + output.name,
                output.unit,
                Direction::output,
                false,
                member_index,
                port,
                -1,
                nullptr,
                1.0,
                0.0};
  column.place = program.output_place(member_index, port);
  if (column.place < 0) column.signal = member.signals[static_cast<std::size_t>(port)];
  for (const system::Connection& c : program.assembly->connections) {
    column.connected = column.connected || (c.from.subsystem == member_index && c.from.port == port);
  }
  return column;
}

Column input_column(const Program& program, int member_index, int port) {
  const Member& member = program.assembly->members[static_cast<std::size_t>(member_index)];
  const system::Port& input = member.inputs[static_cast<std::size_t>(port)];
  Column column{
      member.name + "." + input.name, input.unit, Direction::input, false, member_index, port, -1, nullptr, 1.0, 0.0};
  column.place = program.input_place(member_index, port);
  for (const assembly::Drive& drive : member.drives) {
    if (drive.input != port) continue;
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
  return columns;
}

void read_columns(const std::vector<Column>& columns, const coupling::Memory& memory, double t, std::span<double> row) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    row[i] = column.place >= 0 ? memory.values[static_cast<std::size_t>(column.place)]
                               : column.factor * column.signal->at(t) + column.offset;
  }
}

}  // namespace seam::stepping
