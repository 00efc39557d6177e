// Rows of an affine map, y = constants + sum_k column_k z[from_k], for vectors of the processor: the one kernel by
// which linear subsystems, and programs that are affine as a whole, make their steps.
#pragma once

#include <limits>
#include <vector>

#include "seam/base/numbers.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::lti {

inline constexpr int rows_a_block = 4;  ///< rows are added up side by side in blocks of four numbers

/// What the rows are: one row a result, one column an argument.
struct AffineMap {
  Matrix columns;
  std::vector<int> from;                ///< the argument of each column, as a place in z
  std::vector<double> constants = {};   ///< one a row; empty: all 0
  std::vector<double> magnitudes = {};  ///< one a row, beyond which a result is not sound; empty: infinity
};

class AffineRows {
 public:
  AffineRows() = default;
  explicit AffineRows(const AffineMap& map);

  /// Writes written() numbers from `to` on: the rows, then zeros that fill the last block. `to` may not overlap the
  /// arguments unless there is one part. Whether every row is a number within its limit.
  bool apply(const double* z, double* to) const {
    bool sound = true;
    for (const Part& part : parts_) {
      sound &= part.add_up(numbers_.data() + part.first, from_.data(), from_.size(), z, to);
      to += part.blocks * rows_a_block;
    }
    return sound;
  }

  int rows() const { return rows_; }
  int written() const { return (rows_ + rows_a_block - 1) / rows_a_block * rows_a_block; }
  int columns() const { return static_cast<int>(from_.size()); }

 private:
  /// As many blocks as registers hold.
  struct Part {
    /// `numbers`: limits, constants, then column by column.
    using AddUp = bool (*)(const double* numbers, const int* from, std::size_t columns, const double* z, double* to);
    AddUp add_up = nullptr;
    std::size_t first = 0;  ///< of its numbers
    int blocks = 0;
  };
  friend struct AffineKernels;

  int rows_ = 0;
  std::vector<int> from_;
  std::vector<Part> parts_;
  base::Numbers numbers_;
};

}  // namespace seam::lti
