// A program between two communication points as one vector, and the derivative of its macro step by that vector, found
// by making the step itself: there is no second formula that could drift from the code.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::coupling {

/// z = (states of all subsystems, Program::signals).
std::vector<double> read_state(const Program& program, const Memory& memory);
void write_state(const Program& program, Memory& memory, const std::vector<double>& z);

/// What a lane reads beside z, such as a known signal.
struct FurtherArgument {
  int lane = 0;
  std::function<void(double)> set;
};

enum class Probing {
  exact,       ///< the step is affine: one difference from z = 0, of any size
  differences  ///< central differences around the given z
};

/// What probing may cost.
struct ProbeBudget {
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  std::size_t entries = unlimited;  ///< of the derivative, that are not 0
  std::size_t steps = unlimited;    ///< that are made
};

class StepProbe {
 public:
  /// Makes the step of a memory in which everything but z is as in `settled`, and throws where it cannot.
  using Step = std::function<void(Memory& memory)>;
  /// Rows of the derivative are the states of all subsystems, then these places of Memory::values.
  StepProbe(const Program& program, const Memory& settled, std::vector<int> places, Step step,
            std::vector<FurtherArgument> further = {});

  struct Entry {
    int row = 0, column = 0;
    double value = 0.0;
  };

  int rows() const { return states_ + static_cast<int>(places_.size()); }
  /// Those that are not 0; none if that would exceed the budget. One column an entry of z, then one a further argument.
  /// The subsystems are left as they were, also after a throw.
  std::optional<std::vector<Entry>> entries(Probing probing, const ProbeBudget& budget = {});
  /// The same as a matrix.
  lti::Matrix columns(Probing probing);
  /// After the exact entries: what the step adds whatever z and the further arguments are.
  const std::vector<double>& constants() const { return at_centre_; }

 private:
  /// Arguments that the same lane reads, and the rows that depend on them.
  struct Cluster {
    std::vector<int> entries;
    std::vector<int> rows;
  };
  /// What one step makes of z and the further arguments.
  std::vector<double> image(const std::vector<double>& z);
  std::vector<Cluster> clusters() const;
  /// By how much an argument is moved.
  double step_of(std::size_t entry, Probing probing) const;
  /// Clusters from `first` to `end`, and rows outside of which none depends on them.
  struct Range {
    std::size_t first = 0, end = 0;
    std::vector<int> rows;
  };
  void move(const Range& range, const std::vector<Cluster>& clusters, Probing probing, std::vector<double>& z) const;
  std::vector<Range> halves_of(const std::vector<Range>& ranges, const std::vector<Cluster>& clusters, Probing probing);
  /// Which rows depend on which cluster, by halves of all clusters, then halves of these. False if that
  /// exceeds the budget.
  bool find_rows(std::vector<Cluster>& clusters, Probing probing, const ProbeBudget& budget);

  const Program& program_;
  const Memory& settled_;
  std::vector<int> places_;
  Step step_;
  std::vector<FurtherArgument> further_;
  int states_ = 0;
  Memory work_;
  std::vector<double> centre_, at_centre_;
  double amplitude_ = 1.0;
  std::size_t steps_ = 0;  ///< made so far
};

}  // namespace seam::coupling
