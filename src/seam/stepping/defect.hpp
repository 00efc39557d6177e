// The coupling defect: what a sink got against what its source says at the same time; and what a corrector changed.
#pragma once

#include <string>
#include <vector>

#include "seam/coupling/step_watch.hpp"
#include "seam/stepping/columns.hpp"
#include "seam/system/description.hpp"
#include "seam/system/plan.hpp"

namespace seam::stepping {

/// Of one connection, in the sink's unit.
struct Defect {
  int connection = -1;
  double largest = 0.0;  ///< absolute
  double rms = 0.0;      ///< over the points at which it was seen
  double signal = 0.0;   ///< rms of what the source says there

  double relative() const { return signal > 0.0 ? rms / signal : 0.0; }
};

/// Follows every connection that a coupling method acts on: the input at the end of each step of the sink minus what
/// the source sends at that time, where the source arrives there too.
class DefectMonitor final : public coupling::StepMonitor {
 public:
  explicit DefectMonitor(const system::SystemDescription& description);

  std::vector<coupling::WatchRequest> requests() const;
  /// Takes its places in the program and sees every step from then on. It must outlive the program.
  void attach(coupling::Program& program);

  void measure(const coupling::Program& program, const coupling::Now& now, double* values) const override;

  /// defect.SINK
  std::vector<Column> columns() const;
  std::vector<Defect> defects(const coupling::Memory& memory) const;

 private:
  struct Followed {
    int connection = -1;
    std::string sink, unit;
    int from = -1, output = -1, to = -1, input = -1;  ///< members and ports
    double gain = 1.0, offset = 0.0;
    const coupling::StepWatch* watch = nullptr;
    const coupling::Lane *source = nullptr, *lane = nullptr;
    int heard = -1;  ///< number in the watch
    int place = -1;
  };
  std::vector<Followed> connections_;
};

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
    int connection = -1, to = -1, input = -1;
    std::string name, unit;
    int place = -1, got = -1, said = -1;  ///< in the memory
    double gain = 1.0, offset = 0.0;
  };
  std::vector<Followed> connections_;
};

}  // namespace seam::stepping
