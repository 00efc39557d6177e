// The latest samples of inputs and outputs, oldest first and without a break in memory. Nothing is allocated after
// construction.
#pragma once

#include <span>
#include <vector>

#include "seam/lti/identification.hpp"

namespace seam::lti {

class SlidingWindow {
 public:
  SlidingWindow(int inputs, int outputs, int capacity);

  /// The oldest sample goes where there is no room.
  void add(std::span<const double> inputs, std::span<const double> outputs);
  void clear();

  int count() const { return static_cast<int>(memory_[0]); }
  int capacity() const { return capacity_; }
  Samples samples() const { return newest(count()); }
  /// At most as many as there are.
  Samples newest(int count) const;

  /// Whether its memory is one that it may have written.
  bool is_sound() const;

  /// All that it remembers, flat: copying it there and back is a checkpoint.
  std::span<double> memory() { return memory_; }
  std::span<const double> memory() const { return memory_; }

 private:
  int inputs_, outputs_, capacity_;
  std::vector<double> memory_;  ///< count, place of the next sample, then every input twice, then every output twice

  std::size_t place_of_inputs(int sample) const;
  std::size_t place_of_outputs(int sample) const;
};

}  // namespace seam::lti
