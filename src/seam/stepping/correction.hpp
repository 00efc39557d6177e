// What a corrector changed of the values that were sent.
#pragma once

#include <string>
#include <vector>

#include "seam/coupling/step_watch.hpp"
#include "seam/stepping/columns.hpp"
#include "seam/system/plan.hpp"

namespace seam::stepping {

/// Follows every connection that is corrected: what the sink got minus what the source said, in the sink's unit.
class CorrectionMonitor final : public coupling::StepMonitor {
 public:
  CorrectionMonitor(const system::SystemDescription& description, const system::Plan& plan);

  std::vector<coupling::WatchRequest> requests() const;
  /// Takes its places in the program and sees every step from then on. It must outlive the program.
  void attach(coupling::Program& program);
  void measure(const coupling::Program& program, const coupling::Now& now, double* values) const override;

  /// correction.SINK
  std::vector<Column> columns() const;

 private:
  struct Followed {
    int connection = -1, sink = -1, input = -1;
    std::string name, unit;
    int place = -1, got = -1, said = -1;  ///< in the memory
    double gain = 1.0, offset = 0.0;
  };
  std::vector<Followed> connections_;
};

}  // namespace seam::stepping
