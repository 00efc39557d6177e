// The energy that the coupling adds to a power bond or takes from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/coupling/step_watch.hpp"
#include "seam/stepping/columns.hpp"
#include "seam/system/description.hpp"

namespace seam::stepping {

/// Power and energy of a bond up to now: eqs 2.22 and 2.23 of Chen 2021 (thesis) with the giver as subsystem 1. The
/// energy that the giver sent minus the energy that its partner received: energy that the coupling added is negative.
struct BondEnergy {
  double delta_power = 0.0;           ///< at the last communication point
  double largest_delta_power = 0.0;   ///< absolute
  double delta = 0.0;                 ///< rough: the power at the end of every step times its length
  std::optional<double> delta_micro;  ///< accurate: left sum over the micro steps, where both sides have them
  double through = 0.0;               ///< what went to and fro: |power| times length, the mean of both sides

  /// By the coupling, of the better formula there is.
  double added() const { return -delta_micro.value_or(delta); }
};

/// Follows bonds through a run. Effort and flow count as they are sent: what arrived is taken back through gain and
/// offset, so that an exact exchange conserves energy in all units. Steps in which an event of the experiment replaces
/// one of the two inputs do not count: that energy is not the coupling's.
class EnergyMonitor final : public coupling::StepMonitor {
 public:
  explicit EnergyMonitor(const system::SystemDescription& description);

  /// What it wants to be compiled in.
  std::vector<coupling::WatchRequest> requests(coupling::WatchRequest::MicroPoints micro) const;
  /// After that: takes its places in the program and sees every step from then on. It must outlive the program.
  void attach(coupling::Program& program);

  void measure(const coupling::Program& program, const coupling::Now& now, double* values) const override;

  /// bond.NAME.delta_P and bond.NAME.delta_E, and bond.NAME.delta_E_micro where it is known.
  std::vector<Column> columns() const;
  /// One a bond of the description.
  std::vector<BondEnergy> energies(const coupling::Memory& memory) const;

 private:
  /// One side of a bond: what it sends, what it hears, and what that was when it was sent.
  struct Side {
    int member = -1, output = -1, input = -1;  ///< ports
    double gain = 1.0, offset = 0.0;           ///< of the connection to the input
    double sign = 1.0;                         ///< of its power in the difference: the giver's is positive
    const coupling::StepWatch* watch = nullptr;
    const coupling::Lane* lane = nullptr;
    const coupling::Intervention* intervention = nullptr;  ///< of the input; null: no event concerns it
    int heard = -1, sent = -1;                             ///< numbers in the watch
  };
  struct Followed {
    std::string name;
    double to_si = 1.0;
    bool is_power = false;
    Side sender, receiver;  ///< of the effort
    bool has_micro_points = false;
    base::Tick period = 1;  ///< after which steps of both sides end
    int place = -1;         ///< of the first of its numbers
  };

  static bool is_overridden(const Followed& bond, base::Tick end);

  double micro_sum(const coupling::Program& program, const Side& side, double fraction, const double* values) const;

  std::vector<Followed> bonds_;
};

}  // namespace seam::stepping
