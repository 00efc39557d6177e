#include "seam/engine/predict/probe_motions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/fmi/description/ports.hpp"
#include "seam/load/fmu_settings.hpp"
#include "seam/load/fmu_subsystem.hpp"

namespace seam::engine {
namespace {

constexpr double part_of_nominal = 0.01, part_of_range = 0.05, part_of_value = 0.01, usual = 1e-3;
constexpr double least_part = 1e-4;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Opened {
  std::shared_ptr<const fmi::Fmu> fmu;
  fmi::Ports ports;
  fmi::Structure structure;
};

/// The description was read without problems before.
Opened opened(const system::Subsystem& subsystem) {
  base::Problems said_before;
  Opened result;
  result.fmu = load::fmu_of(subsystem);
  if (!result.fmu) return result;
  result.structure = load::structure_of(load::read_fmu_settings(subsystem, result.fmu->description, said_before));
  result.ports = fmi::ports_of(result.fmu->description, result.structure);
  return result;
}

bool is_size(const std::optional<double>& value) { return value && std::isfinite(*value) && *value != 0.0; }

analysis::InputMotion sized(const InputSize& size, const SeenInput& seen) {
  const auto around_zero = [](double amplitude, const char* because) {
    return analysis::InputMotion{-amplitude, amplitude, 0.0, because};
  };
  if (is_size(size.nominal)) return around_zero(part_of_nominal * std::abs(*size.nominal), "1 % of its nominal value");
  const bool moves = part_of_range * seen.range > least_part * std::abs(seen.value);  // else it has come to rest
  if (std::isfinite(seen.range) && seen.range > 0.0 && moves)
    return around_zero(part_of_range * seen.range, "5 % of its range in a short run");
  if (seen.value != 0.0) return around_zero(part_of_value * std::abs(seen.value), "1 % of its value");
  return around_zero(usual, "0.001 of its unit, since nothing tells its size");
}

}  // namespace

std::vector<InputSize> input_sizes(const system::Subsystem& subsystem) {
  std::vector<InputSize> sizes(system::count_reals(subsystem.inputs));
  const Opened fmu = opened(subsystem);
  for (std::size_t i = 0; i < std::min(sizes.size(), fmu.ports.input_owners.size()); ++i) {
    const fmi::Variable& variable = *fmu.ports.input_owners[i];
    sizes[i] = {variable.nominal, variable.min, variable.max};
  }
  return sizes;
}

analysis::InputMotion motion_of(const InputSize& size, const SeenInput& seen, double part) {
  analysis::InputMotion motion = sized(size, seen);
  const double up = std::max(size.max.value_or(infinity) - seen.value, 0.0);
  const double down = std::max(seen.value - size.min.value_or(-infinity), 0.0);
  motion.high = std::min(part * motion.high, 0.5 * up);
  motion.low = -std::min(-part * motion.low, 0.5 * down);
  const double far = 5.0 * std::max(motion.high, -motion.low);
  const double room_up = up - motion.high, room_down = down + motion.low;
  motion.shift = room_up >= std::min(far, room_down) ? std::min(far, room_up) : -std::min(far, room_down);
  return motion;
}

std::optional<int> listed_states(const system::Subsystem& subsystem) {
  const Opened fmu = opened(subsystem);
  if (!fmu.fmu) return std::nullopt;
  std::size_t states = 0;
  for (const fmi::Unknown& unknown : fmu.fmu->description.structure.derivatives) {
    const fmi::Variable& variable = fmu.fmu->description.variables[unknown.variable];
    states += fmi::element_count(fmu.fmu->description, variable, fmu.structure).value_or(1);
  }
  constexpr std::size_t most = 100;  // more cannot be told apart by looking from outside
  if (states == 0 || states > most) return std::nullopt;
  return static_cast<int>(states);
}

}  // namespace seam::engine
