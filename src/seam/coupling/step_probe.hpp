// A program between two communication points as one vector, and the derivative of its macro step by that vector, found
// by making the step itself: there is no second formula that could drift from the code.
#pragma once

#include <functional>
#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"

namespace seam::coupling {

/// z = (states of all subsystems, Program::signals).
std::vector<double> read_state(const Program& program, const Memory& memory);
void write_state(const Program& program, Memory& memory, const std::vector<double>& z);

/// A column of the derivative; rows that are not named are 0.
struct ProbedColumn {
  struct Entry {
    int row = 0;
    double value = 0.0;
  };
  std::vector<Entry> entries;
};

enum class Probing {
  exact,       ///< the step is affine: one difference from z = 0, of any size
  differences  ///< central differences around the given z
};

class StepProbe {
 public:
  /// Makes the step of a memory in which everything but z is as in `settled`, and throws where it cannot.
  using Step = std::function<void(Memory& memory)>;
  /// Rows of the derivative are the states of all subsystems, then these places of Memory::values.
  StepProbe(const Program& program, const Memory& settled, std::vector<int> places, Step step);

  int rows() const { return states_ + static_cast<int>(places_.size()); }
  /// One column an entry of z. The subsystems are left as they were, also after a throw.
  std::vector<ProbedColumn> columns(Probing probing);
  /// After columns(exact): what the step adds whatever z is, and the derivative by something else than z, which `set`
  /// gives a value.
  const std::vector<double>& constants() const { return at_centre_; }
  std::vector<double> column_of(const std::function<void(double)>& set);

 private:
  /// Entries of z that the same lane reads, and the rows that depend on them.
  struct Cluster {
    std::vector<int> entries;
    std::vector<int> rows;
  };
  /// What one step makes of z.
  std::vector<double> image(const std::vector<double>& z);
  std::vector<Cluster> clusters() const;
  /// By how much an entry of z is moved.
  double step_of(std::size_t entry, Probing probing) const;
  void find_rows(std::vector<Cluster>& clusters, Probing probing);

  const Program& program_;
  const Memory& settled_;
  std::vector<int> places_;
  Step step_;
  int states_ = 0;
  Memory work_;
  std::vector<double> centre_, at_centre_;
  double amplitude_ = 1.0;
};

}  // namespace seam::coupling
