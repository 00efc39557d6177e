// The ports of an FMU by the time at which they may be touched: while it steps, at events, or while a clock ticks.
#pragma once

#include <span>
#include <vector>

#include "seam/fmi/instance/event_instance.hpp"
#include "seam/fmi/subsystem/port_exchange.hpp"

namespace seam::fmi {

/// Variables that are there while one of their clocks ticks (FMI 3.0.2, 2.2.7.2).
struct ClockedBatch {
  std::vector<std::uint32_t> clocks;
  PortBatches ports;
  std::vector<int> reals, discrete_values;  ///< flat places
};

/// Whether one of the clocks ticks.
bool any_ticks(const std::vector<std::uint32_t>& clocks, std::span<const std::uint32_t> ticking);

/// A clock that travels between FMUs: its discrete value is the number of its ticks so far.
struct ClockPort {
  std::uint32_t reference = 0;
  std::size_t discrete_value = 0;
  std::string name;
  std::vector<std::uint32_t> clocks;  ///< it is there while one of these ticks; none: always
  std::int64_t ticks = 0;             ///< of an input: those that were passed on
};

struct EventInputs {
  EventInputs(const Ports& ports, const std::vector<int>& fed);

  PortBatches moving;    ///< continuous: in Step Mode too
  PortBatches switched;  ///< in Event Mode alone
  std::vector<ClockedBatch> clocked;
  std::vector<ClockPort> clocks;  ///< triggered ones
  std::vector<int> switched_reals, switched_discrete_values;
};

struct EventOutputs {
  EventOutputs() = default;
  /// `wanted` lists the flat ports that matter; all of them if it is null. What belongs to a clock is there in its
  /// ticks alone, and therefore always wanted.
  EventOutputs(const Ports& ports, const std::vector<int>* wanted);

  PortBatches always;
  std::vector<ClockedBatch> clocked;
  std::vector<ClockPort> clocks;
};

/// Reads what is not real into the batches' own buffers.
void read_discrete_values(EventInstance& instance, PortBatches& ports);

}  // namespace seam::fmi
