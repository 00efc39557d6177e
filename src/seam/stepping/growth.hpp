// Values that grow without end but stay below the limit at which a run has diverged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/stepping/run.hpp"

namespace seam::stepping {

struct Growth {
  std::string name;             ///< the output that grew most
  double from = 0.0, to = 0.0;  ///< the largest absolute values in the first and in the last eighth of the run
};

/// Sees the outputs of a run in eighths of its time. They grow if the last one has a thousand times the largest value
/// of the first, and each of the last four eighths more than the one before, together at least sqrt(1000): an
/// exponential does, but neither a step, which stays, nor a power of the time up to the fourth.
class GrowthWatch final : public Observer {
 public:
  GrowthWatch(const std::vector<Column>& columns, double start, double stop);
  void sample(double t, const Row& row) override;
  /// None: nothing grows like that, or the run did not come to its end.
  std::optional<Growth> found() const;

 private:
  std::vector<std::pair<std::size_t, std::string>> outputs_;  ///< numbers among the columns, and names
  std::vector<double> largest_;                               ///< of each output, one an eighth
  double start_, length_;
};

}  // namespace seam::stepping
