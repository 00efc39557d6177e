#include "seam/fmi/subsystem/port_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/fmi/description/ports.hpp"

namespace seam::fmi {
namespace {

void resize(Values& values, Type type, std::size_t elements) {
  if (store_of(type) == Store::integers) values.integers.resize(elements);
  if (store_of(type) == Store::texts) values.texts.resize(elements);
}

std::vector<int> sorted(std::vector<int> ports) {
  if (!std::is_sorted(ports.begin(), ports.end())) std::sort(ports.begin(), ports.end());
  return ports;
}

}  // namespace

void RealBatch::reserve(std::size_t variables) {
  references.reserve(variables);
  places.reserve(variables);
}

void RealBatch::add(const PortVariable& v) {
  references.push_back(v.reference);
  for (std::size_t e = 0; e < v.elements; ++e) places.push_back(static_cast<int>(v.first + e));
}

void RealBatch::finish() {
  for (std::size_t i = 0; i < places.size(); ++i)
    contiguous = contiguous && places[i] == places[0] + static_cast<int>(i);
  if (!contiguous) buffer.resize(places.size());
}

void DiscreteBatch::gather(std::span<const system::DiscreteValue> discrete_values) {
  const bool text = store_of(type) == Store::texts;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const system::DiscreteValue& discrete_value = discrete_values[static_cast<std::size_t>(places[i])];
    if (text) {
      buffer.texts[i] = discrete_value.text;
    } else {
      buffer.integers[i] = discrete_value.integer;
    }
  }
}

void DiscreteBatch::scatter(std::span<system::DiscreteValue> discrete_values) const {
  const bool text = store_of(type) == Store::texts;
  for (std::size_t i = 0; i < places.size(); ++i) {
    system::DiscreteValue& discrete_value = discrete_values[static_cast<std::size_t>(places[i])];
    if (text) {
      discrete_value.text = buffer.texts[i];
    } else {
      discrete_value.integer = buffer.integers[i];
    }
  }
}

void DiscreteBatch::set_whole(int discrete_value, std::int64_t value) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] == discrete_value) buffer.integers[i] = value;
  }
}

PortBatches::PortBatches(const std::vector<PortVariable>& variables, std::size_t real_ports,
                         const std::vector<int>* wanted) {
  const auto add_port = [&](const PortVariable& v) {
    PortVariable own = v;
    if (store_of(v.type) != Store::reals) own.first -= real_ports;
    add(own);
  };
  if (wanted) {
    const PortVariable* last = nullptr;
    for (const int port : sorted(*wanted)) {
      const PortVariable* const owner = owner_of(port, variables);
      if (owner && owner != last) add_port(*owner);
      last = owner;
    }
  } else {
    doubles.reserve(variables.size());
    for (const PortVariable& v : variables) add_port(v);
  }
  finish();
}

void PortBatches::add(const PortVariable& v) {
  if (v.type == Type::clock) return;
  if (store_of(v.type) == Store::reals) return (v.type == Type::float32 ? floats : doubles).add(v);
  auto batch = std::find_if(discrete_values.begin(), discrete_values.end(),
                            [&](const DiscreteBatch& b) { return b.type == v.type; });
  if (batch == discrete_values.end())
    batch = discrete_values.insert(discrete_values.end(), DiscreteBatch{v.type, {}, {}, {}});
  batch->references.push_back(v.reference);
  for (std::size_t e = 0; e < v.elements; ++e) batch->places.push_back(static_cast<int>(v.first + e));
}

void PortBatches::finish() {
  doubles.finish();
  floats.floats.resize(floats.places.size());
  for (DiscreteBatch& batch : discrete_values) resize(batch.buffer, batch.type, batch.places.size());
}

Drives::Drives(const std::vector<assembly::Drive>& all, const std::vector<system::Port>& inputs) {
  const auto count = static_cast<int>(system::count_reals(inputs));
  for (const assembly::Drive& drive : all) {
    const system::Port& port = inputs[static_cast<std::size_t>(drive.input)];
    if (drive.input < count) {
      reals.push_back(drive);
    } else {
      wholes.push_back({drive, drive.input - count, port.name, port.type});
    }
  }
}

std::vector<system::DiscreteValue> first_discrete_values(const std::vector<system::Port>& inputs) {
  std::vector<system::DiscreteValue> first;
  for (std::size_t i = system::count_reals(inputs); i < inputs.size(); ++i) first.push_back(inputs[i].first);
  return first;
}

void Drives::follow(int input, double factor, double offset) {
  const auto change = [&](assembly::Drive& drive) {
    if (drive.input != input) return;
    drive.factor = factor;
    drive.offset = offset;
  };
  for (assembly::Drive& drive : reals) change(drive);
  for (WholeDrive& whole : wholes) change(whole.drive);
}

std::int64_t WholeDrive::at(double t, const std::string& subsystem) const {
  const double number = drive.factor * drive.signal->at(t) + drive.offset;
  if (const auto whole = system::whole_for(type, number)) return *whole;
  throw base::Error(
      base::Failure::subsystem,
      fmt::format("{}.{} is of type {}, and the signal that feeds it is {} at {} s\n   a signal for such an input "
                  "has whole numbers only, and between its rows the last one holds (interpolate: hold)",
                  subsystem, name, system::word(type), number, t));
}

}  // namespace seam::fmi
