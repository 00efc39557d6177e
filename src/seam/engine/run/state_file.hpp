// A whole system frozen at a communication point, in a file: the states of the subsystems and what the coupling
// remembers.
#pragma once

#include <string>
#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::engine {

struct SavedState {
  double start = 0.0, step = 0.0;   ///< of the grid it was saved on, s
  double time = 0.0;                ///< s
  coupling::Memory memory;          ///< without what is found anew
  std::vector<double> learned;      ///< what coupling::Learning knows
  std::vector<std::string> layout;  ///< what the system is made of, a line each: only the same one can go on
  std::vector<std::string> states;  ///< bytes, one a lane
};

/// Throws base::ProblemsFound if a subsystem cannot say its state.
void require_states_can_be_saved(const System& system, const Live& live);

SavedState frozen(const System& system, const Live& live, const coupling::Memory& memory, double time);

/// Throws base::Error(file) if it cannot be written, or cannot be read, or is no such file.
void write_state(const std::string& path, const SavedState& state);
SavedState read_state(const std::string& path);

/// The system on the grid that goes on from the state: the same grid, or a new one where nothing remembers the old.
/// Throws base::ProblemsFound if the state is of another system or the grids do not fit.
System continued(const System& system, const SavedState& state, const std::string& path);

/// Instead of coupling::start.
coupling::Memory resumed(const System& system, const Live& live, const SavedState& state, const std::string& path);

}  // namespace seam::engine
