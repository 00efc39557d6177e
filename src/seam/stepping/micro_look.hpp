// Hands the micro steps of macro steps to those who record them.
#pragma once

#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/stepping/run.hpp"

namespace seam::stepping {

class MicroLook {
 public:
  /// Micro steps before the tick `first` are no concern of it.
  MicroLook(const coupling::Program& program, const std::vector<MicroRecord>& records, base::Tick first);

  /// Steps that may be made before it has to look again.
  base::Tick steps_left(const coupling::Memory& memory) const;
  /// All micro steps that ended since the last look.
  void look(const coupling::Memory& memory);
  /// After the shorter last step, which began at memory.tick.
  void last_step(const coupling::Memory& memory);
  void flush();
  void finish();

 private:
  /// Steps of a lane of which the first ends at `end`.
  struct Steps {
    base::Tick end = 0, count = 0;
    int multiple = 1, segments = 1;
    bool operator==(const Steps&) const = default;
  };
  void find_times(const Steps& steps);
  void hand_on(std::size_t record, const double* numbers);

  const coupling::Program& program_;
  const std::vector<MicroRecord>& records_;
  base::Tick looked_;
  std::vector<double> times_, numbers_;
  Steps timed_;                  // those of times_
  std::vector<double> offsets_;  // of the micro steps in a step
  double offset_ = 0.0;          // of the second of them
};

}  // namespace seam::stepping
