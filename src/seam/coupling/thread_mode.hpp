// Whether the threads of a run step together or one after the other: whichever was faster lately.
#pragma once

#include <algorithm>

#include "seam/base/grid.hpp"

namespace seam::coupling {

/// Steps are timed in blocks of about a millisecond. On a machine that others keep busy, threads that wait for each
/// other can take many times as long as one; the other mode is tried now and then for a part of a block, more and more
/// rarely where it loses, so that trials cost next to nothing. Both modes give the same bits.
class ThreadMode {
 public:
  enum Mode { together, in_turn };

  Mode mode() const { return trying_ ? other(mode_) : mode_; }
  /// Steps until the clock is to be read again.
  base::Tick block() const { return trying_ ? std::max<base::Tick>(1, steps_ / 8) : steps_; }

  /// A block has been made.
  void add(double seconds) {
    const double cost = seconds / static_cast<double>(block());
    if (trying_) {
      trying_ = false;
      cost_[other(mode_)] = cost;
      if (cost < cost_[mode_]) change();
      return;
    }
    cost_[mode_] = last_ > 0.0 ? std::min(cost, last_) : cost;  // one block that was interrupted does not count
    last_ = cost;
    steps_ = std::clamp<base::Tick>(static_cast<base::Tick>(usual_block / std::max(cost, 1e-9)), 1, 1 << 16);
    const bool is_slower = cost_[other(mode_)] > 0.0 && cost_[mode_] > 1.02 * cost_[other(mode_)];
    if (++blocks_ < wait_ && !is_slower) return;
    trying_ = true;
    blocks_ = 0;
    wait_ = std::min(2 * wait_, longest_wait);
  }

 private:
  static constexpr double usual_block = 1e-3;  // s
  static constexpr int longest_wait = 4096;
  static Mode other(Mode mode) { return mode == together ? in_turn : together; }
  void change() {
    mode_ = other(mode_);
    last_ = 0.0;
  }

  Mode mode_ = together;
  bool trying_ = false;
  base::Tick steps_ = 1;
  int blocks_ = 0, wait_ = 2;
  double cost_[2] = {0.0, 0.0};  ///< s a step; 0: not known
  double last_ = 0.0;            ///< of the last block in this mode
};

}  // namespace seam::coupling
