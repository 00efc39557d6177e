#include "seam/fmi/co_simulation/event_exchange.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"

namespace seam::fmi {

EventExchange::EventExchange(const Ports& ports, const std::vector<int>& fed) : inputs_(ports, fed) {
  for (const system::Port& port : ports.inputs) {
    if (port.type == system::PortType::real) {
      real_names_.push_back(port.name);
      set_.push_back(port.start.value_or(0.0));
    } else {
      discrete_names_.push_back(port.name);
      given_.push_back(port.first);
    }
  }
  set_discrete_values_ = given_;
  shown_.resize(system::count_reals(ports.outputs));
  shown_discrete_values_.resize(ports.outputs.size() - shown_.size());
}

void EventExchange::want(const Ports& ports, const std::vector<int>* outputs) {
  outputs_ = EventOutputs(ports, outputs);
  real_places_.clear();
  const auto add = [&](const PortBatches& batches) {
    for (const RealBatch* batch : {&batches.doubles, &batches.floats})
      real_places_.insert(real_places_.end(), batch->places.begin(), batch->places.end());
  };
  add(outputs_.always);
  for (const ClockedBatch& batch : outputs_.clocked) add(batch.ports);
}

bool EventExchange::ticks(std::uint32_t clock) const {
  return std::find(ticking_.begin(), ticking_.end(), clock) != ticking_.end();
}

void EventExchange::set(EventInstance& instance, PortBatches& ports, const double* inputs) {
  for (DiscreteBatch& batch : ports.discrete_values) batch.gather(given_);
  set_ports(instance, ports, inputs);
}

void EventExchange::remember(const std::vector<int>& reals, const std::vector<int>& discrete_values,
                             const double* inputs) {
  for (const int place : reals) set_[static_cast<std::size_t>(place)] = inputs[place];
  for (const int place : discrete_values)
    set_discrete_values_[static_cast<std::size_t>(place)] = given_[static_cast<std::size_t>(place)];
}

void EventExchange::set_first(EventInstance& instance, const double* inputs) {
  set_moving(instance, inputs);
  set(instance, inputs_.switched, inputs);
  remember(inputs_.switched_reals, inputs_.switched_discrete_values, inputs);
  for (ClockedBatch& batch : inputs_.clocked) {
    set(instance, batch.ports, inputs);
    remember(batch.reals, batch.discrete_values, inputs);
  }
}

void EventExchange::read_first(EventInstance& instance) {
  read(instance);
  for (ClockedBatch& batch : outputs_.clocked) {
    get_reals(instance, batch.ports, shown_.data());
    read_discrete_values(instance, batch.ports);
    scatter(batch.ports);
  }
}

const std::string* EventExchange::changed(const double* inputs) const {
  for (const ClockPort& clock : inputs_.clocks) {
    if (given_[clock.discrete_value].integer != clock.ticks) return &clock.name;
  }
  const auto in_batch = [&](const std::vector<int>& reals,
                            const std::vector<int>& discrete_values) -> const std::string* {
    for (const int place : reals) {
      if (inputs[place] != set_[static_cast<std::size_t>(place)]) return &real_names_[static_cast<std::size_t>(place)];
    }
    for (const int place : discrete_values) {
      const auto p = static_cast<std::size_t>(place);
      if (given_[p] != set_discrete_values_[p]) return &discrete_names_[p];
    }
    return nullptr;
  };
  if (const std::string* name = in_batch(inputs_.switched_reals, inputs_.switched_discrete_values)) return name;
  for (const ClockedBatch& batch : inputs_.clocked) {
    if (!any_ticks(batch.clocks, ticking_)) continue;
    if (const std::string* name = in_batch(batch.reals, batch.discrete_values)) return name;
  }
  return nullptr;
}

void EventExchange::set_all(EventInstance& instance, const double* inputs) {
  set_moving(instance, inputs);
  set(instance, inputs_.switched, inputs);
  remember(inputs_.switched_reals, inputs_.switched_discrete_values, inputs);
  for (ClockedBatch& batch : inputs_.clocked) {
    if (!any_ticks(batch.clocks, ticking_)) continue;
    set(instance, batch.ports, inputs);
    remember(batch.reals, batch.discrete_values, inputs);
  }
}

void EventExchange::pass_on_ticks(EventInstance& instance) {
  for (ClockPort& clock : inputs_.clocks) {
    const std::int64_t come = given_[clock.discrete_value].integer - clock.ticks;
    if (come == 0) continue;
    clock.ticks = given_[clock.discrete_value].integer;
    const bool ticks_already = ticks(clock.reference);
    merged_ticks_ += ticks_already ? come : come - 1;
    if (ticks_already) continue;
    instance.tick(clock.reference);
    ticking_.push_back(clock.reference);
  }
}

void EventExchange::scatter(PortBatches& ports) {
  for (const DiscreteBatch& batch : ports.discrete_values) batch.scatter(shown_discrete_values_);
}

void EventExchange::read(EventInstance& instance) {
  get_reals(instance, outputs_.always, shown_.data());
  read_discrete_values(instance, outputs_.always);
  scatter(outputs_.always);
}

/// Clocks may belong to clocks themselves, so one round of questions may open another.
void EventExchange::ask_output_clocks(EventInstance& instance) {
  for (bool news = true; news;) {
    news = false;
    for (ClockPort& clock : outputs_.clocks) {
      if (ticks(clock.reference) || (!clock.clocks.empty() && !any_ticks(clock.clocks, ticking_))) continue;
      if (!instance.ticks(clock.reference)) continue;
      ticking_.push_back(clock.reference);
      ++shown_discrete_values_[clock.discrete_value].integer;
      news = true;
    }
  }
}

void EventExchange::read_instant(EventInstance& instance) {
  ask_output_clocks(instance);
  read(instance);
  for (ClockedBatch& batch : outputs_.clocked) {
    if (!any_ticks(batch.clocks, ticking_)) continue;
    get_reals(instance, batch.ports, shown_.data());
    read_discrete_values(instance, batch.ports);
    scatter(batch.ports);
  }
}

EventMemory EventExchange::memory() const {
  EventMemory memory{set_, set_discrete_values_};
  memory.numbers.insert(memory.numbers.end(), shown_.begin(), shown_.end());
  for (const ClockPort& clock : inputs_.clocks) memory.numbers.push_back(static_cast<double>(clock.ticks));
  memory.discrete_values.insert(memory.discrete_values.end(), shown_discrete_values_.begin(),
                                shown_discrete_values_.end());
  return memory;
}

void EventExchange::restore(std::span<const double> numbers, std::span<const system::DiscreteValue> discrete_values) {
  std::copy_n(numbers.begin(), set_.size(), set_.begin());
  std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(set_.size()), shown_.size(), shown_.begin());
  for (std::size_t i = 0; i < inputs_.clocks.size(); ++i) {
    const double ticks = numbers[set_.size() + shown_.size() + i];
    if (!(std::abs(ticks) < 0x1p53)) throw base::Error(base::Failure::subsystem, "a saved clock has no count of ticks");
    inputs_.clocks[i].ticks = static_cast<std::int64_t>(ticks);
  }
  std::copy_n(discrete_values.begin(), set_discrete_values_.size(), set_discrete_values_.begin());
  std::copy_n(discrete_values.begin() + static_cast<std::ptrdiff_t>(set_discrete_values_.size()),
              shown_discrete_values_.size(), shown_discrete_values_.begin());
  given_ = set_discrete_values_;
  ticking_.clear();
}

}  // namespace seam::fmi
