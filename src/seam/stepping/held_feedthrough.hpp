// What outputs that follow an input at once lack because they are sent with the input of the step that has ended.
#pragma once

#include <vector>

#include "seam/coupling/step_watch.hpp"
#include "seam/system/plan.hpp"

namespace seam::stepping {

/// Of one output, in its own unit.
struct HeldOutput {
  int member = -1, output = -1;
  std::vector<int> inputs;  ///< that it follows, of those that are fed
  double lacking = 0.0;     ///< rms of D du: the change that the inputs at the communication point would make of it
  double size = 0.0;        ///< rms of the output as it was sent

  double relative() const { return size > 0.0 ? lacking / size : 0.0; }
};

/// Follows the subsystems that are coupled by co-simulation, send held, and tell their feed-through D. Over a run it
/// sums the products of the changes du of their inputs at communication points; D is taken at the end of the run.
class HeldFeedthroughMonitor final : public coupling::StepMonitor {
 public:
  HeldFeedthroughMonitor(const assembly::Assembly& assembly, const system::SystemDescription& description,
                         const system::Plan& plan);

  std::vector<coupling::WatchRequest> requests() const;
  /// Takes its places in the program and sees every step from then on. It must outlive the program.
  void attach(coupling::Program& program);

  void measure(const coupling::Program& program, const coupling::Now& now, double* values) const override;

  /// After the last step of a run that came to its end.
  std::vector<HeldOutput> outputs(const coupling::Program& program, const coupling::Memory& memory) const;

 private:
  struct Fed {
    assembly::Wire wire;
    const coupling::Lane* source = nullptr;
    int received = -1;  ///< number in the watch
  };
  struct Followed {
    int member = -1;
    std::vector<Fed> fed;
    std::vector<int> outputs;
    const coupling::StepWatch* watch = nullptr;
    const coupling::Lane* lane = nullptr;
    int changes = -1;   ///< place of the present du
    int products = -1;  ///< of the sums of du du', row by row
    int squares = -1;   ///< of the sums of the outputs' squares, and of their number behind them
  };
  std::vector<Followed> lanes_;
};

}  // namespace seam::stepping
