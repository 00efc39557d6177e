// The latest samples of inputs and outputs, oldest first and without a break in memory. Nothing is allocated after
// construction.
#pragma once

#include <cstddef>
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

  int count() const { return count_; }
  int capacity() const { return capacity_; }
  Samples samples() const { return newest(count()); }
  /// At most as many as there are.
  Samples newest(int count) const;

  /// All that it remembers as flat numbers: their count, then inputs, then outputs, oldest first. A window of the same
  /// sizes that loads them goes on the same way.
  std::size_t memory_size() const;
  void save(std::span<double> memory) const;
  /// False, and nothing is remembered, if no window can have saved that.
  bool load(std::span<const double> memory);

 private:
  int inputs_, outputs_, capacity_;
  int count_ = 0, next_ = 0;  ///< the place of the next sample
  std::vector<double> input_samples_, output_samples_;
};

}  // namespace seam::lti
