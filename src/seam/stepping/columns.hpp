// Which numbers of a run are looked at, and where they are.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"

namespace seam::stepping {

enum class Direction { input, output };

/// One variable: a place in the memory, or a signal known ahead of time.
struct Column {
  std::string name;  ///< subsystem.port
  std::string unit;
  Direction direction = Direction::output;
  bool connected = false;
  int member = -1, port = -1;
  int place = -1;                                 ///< in Memory::values, or
  std::shared_ptr<const ode::TimeSignal> signal;  ///< factor*signal(t) + offset
  double factor = 1.0, offset = 0.0;
};

/// Every port of every member: its outputs, then its inputs.
std::vector<Column> all_columns(const coupling::Program& program);

/// The values at time t; `row` has one entry a column.
void read_columns(const std::vector<Column>& columns, const coupling::Memory& memory, double t, std::span<double> row);

}  // namespace seam::stepping
