// Which numbers of a run are looked at, and where they are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"

namespace seam::stepping {

enum class Direction {
  input,
  output,
  none  ///< no port
};

/// One variable: a place in the memory, or a signal known ahead of time. A discrete value has a place among the
/// discrete values.
struct Column {
  std::string name;  ///< subsystem.port
  std::string unit;
  Direction direction = Direction::output;
  bool changed_by_events = false;
  int member = -1;
  int port = -1;  ///< number of the port, or of the variable in assembly::Observables::variables()
  system::PortType type = system::PortType::real;
  int place = -1;                                 ///< in Memory::values (a real) or Memory::discrete_values, or
  std::shared_ptr<const ode::TimeSignal> signal;  ///< factor*signal(t) + offset
  double factor = 1.0, offset = 0.0;
};

/// Every port of every member, its outputs, then its inputs, then the variables that are observed; all reals first,
/// then what travels as discrete values.
std::vector<Column> all_columns(const coupling::Program& program);

/// That of one port.
Column column_of(const coupling::Program& program, Direction direction, int member, int port);

/// Those of the variables of a member that are no ports and are observed.
std::vector<Column> observed_columns(const coupling::Program& program, int member);

/// As a row has them.
void put_reals_first(std::vector<Column>& columns);

/// One row of a result: a number for each real column, then a discrete value for each of the others.
struct Row {
  explicit Row(const std::vector<Column>& columns);
  std::vector<double> numbers;
  std::vector<system::DiscreteValue> discrete_values;
};

/// The values at time t. `columns` lists reals first.
void read_columns(const std::vector<Column>& columns, const coupling::Memory& memory, double t, Row& row);

}  // namespace seam::stepping
