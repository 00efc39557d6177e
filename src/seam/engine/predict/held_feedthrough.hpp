// Outputs of co-simulation FMUs that follow an input at once and are sent held, and what would be better.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/engine/predict/outlook.hpp"

namespace seam::engine {

/// How the FMU of a subsystem could send such outputs with the inputs that have just arrived, the cheapest first, as
/// keys of a system file or a plan; empty: it offers no way.
std::vector<std::string> ways_to_send_fresh(const system::Subsystem& subsystem);

/// A held output in a system that was looked at.
struct HeldPort {
  int subsystem = -1;
  std::string output;
  std::vector<std::string> inputs;  ///< that it follows, of those that subsystems feed
  double gain = 0.0;                ///< the largest of the derivatives by them, as the model of the FMU tells it
  std::vector<std::string> ways;
};
struct HeldFeedthrough {
  std::vector<HeldPort> ports;
  std::optional<double> held, fresh;  ///< expected errors of the plan's method; none: not known
};
/// Of the FMUs for co-simulation whose models were found.
HeldFeedthrough held_feedthrough(const System& system, const Outlook& outlook);

/// The plan with such FMUs stepped by model exchange and their outputs sent fresh.
struct ByExchange {
  std::vector<std::string> subsystems;
  double error = 0.0;  ///< expected, of the worst output
};
/// None where no held output is of an FMU that offers it, or where it is not stable.
std::optional<ByExchange> by_exchange(const System& system, const Outlook& outlook, const analysis::Band& band);

}  // namespace seam::engine
