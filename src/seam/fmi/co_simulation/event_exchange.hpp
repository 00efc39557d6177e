// What an FMU in Event Mode is given and asked: all that changes at events, and the ticks of clocks.
#pragma once

#include "seam/fmi/co_simulation/clock_times.hpp"
#include "seam/fmi/co_simulation/event_memory.hpp"
#include "seam/fmi/co_simulation/event_ports.hpp"

namespace seam::fmi {

/// Inputs as they were set last and outputs as they were read last. Discrete inputs are set in Event Mode alone, and
/// clocked variables touched while a clock of theirs ticks.
class EventExchange {
 public:
  EventExchange(const Ports& ports, const std::vector<int>& fed);
  /// Reads these outputs alone, all of them if it is null.
  void want(const Ports& ports, const std::vector<int>* outputs);

  void give(std::span<const system::DiscreteValue> discrete_values) {
    given_.assign(discrete_values.begin(), discrete_values.end());
  }
  void give_whole(int discrete_value, std::int64_t value) {
    given_[static_cast<std::size_t>(discrete_value)].integer = value;
  }
  void take(std::span<system::DiscreteValue> discrete_values) const {
    std::copy(shown_discrete_values_.begin(), shown_discrete_values_.end(), discrete_values.begin());
  }
  /// The reals that are read.
  void show(std::span<double> outputs) const {
    for (const int place : real_places_)
      outputs[static_cast<std::size_t>(place)] = shown_[static_cast<std::size_t>(place)];
  }

  /// Everything that can be set, and read, in Initialization Mode.
  void set_first(EventInstance& instance, const double* inputs);
  void read_first(EventInstance& instance);

  /// The name of a discrete input that differs from what was set last, or of a clock that has ticked since; null: none.
  const std::string* changed(const double* inputs) const;

  void set_moving(EventInstance& instance, const double* inputs) { set_ports(instance, inputs_.moving, inputs); }
  void set_all(EventInstance& instance, const double* inputs);
  /// Ticks of other FMUs' clocks that have come since the last time.
  void pass_on_ticks(EventInstance& instance);
  std::vector<InstanceBase::Reference>& ticking() { return ticking_; }
  void end_instant() { ticking_.clear(); }
  /// What is there without a clock.
  void read(EventInstance& instance);
  /// In Event Mode: the same, output clocks, and what belongs to clocks that tick.
  void read_instant(EventInstance& instance);

  std::int64_t merged_ticks() const { return merged_ticks_; }  ///< that came together with another
  EventMemory memory() const;
  std::size_t number_count() const { return set_.size() + shown_.size() + inputs_.clocks.size(); }
  std::size_t discrete_count() const { return set_discrete_values_.size() + shown_discrete_values_.size(); }
  void restore(std::span<const double> numbers, std::span<const system::DiscreteValue> discrete_values);

 private:
  void set(EventInstance& instance, PortBatches& ports, const double* inputs);
  void remember(const std::vector<int>& reals, const std::vector<int>& discrete_values, const double* inputs);
  void ask_output_clocks(EventInstance& instance);
  void scatter(PortBatches& ports);
  bool ticks(std::uint32_t clock) const;

  EventInputs inputs_;
  EventOutputs outputs_;
  std::vector<std::string> real_names_, discrete_names_;  // of inputs
  std::vector<system::DiscreteValue> given_, set_discrete_values_;
  std::vector<double> set_, shown_;
  std::vector<int> real_places_;  // of outputs that are read
  std::vector<system::DiscreteValue> shown_discrete_values_;
  std::vector<InstanceBase::Reference> ticking_;  // in the instant under way
  std::int64_t merged_ticks_ = 0;
};

}  // namespace seam::fmi
