// The rows of a program's macro step, found by making the step from unit vectors.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "seam/coupling/step_probe.hpp"

namespace seam::coupling {

/// The map before it has its places: rows are the states, then places; columns the entries of z, then known signals.
struct ProbedStep {
  using Entry = StepProbe::Entry;
  std::vector<int> places;  ///< of the rows behind the states
  std::size_t states = 0;
  std::size_t carried = 0;         ///< rows that are read by the next step, too
  std::size_t every_step = 0;      ///< these, and rows with a limit of growth
  std::size_t kept = 0;            ///< these, and what others read; micro samples stand behind them
  std::vector<Entry> entries;      ///< by rows, then by columns
  std::vector<std::size_t> first;  ///< of the entries of each row, and the end
  std::vector<double> constants;
  std::vector<int> equal;  ///< to each row: itself, or the first of those with the same numbers if no step reads it

  std::span<const Entry> row(std::size_t number) const {
    return {entries.data() + first[number], first[number + 1] - first[number]};
  }
};

/// Of a program that is affine as a whole; none if that exceeds the budget.
std::optional<ProbedStep> probe_step(const Program& program, const ProbeBudget& budget);

}  // namespace seam::coupling
