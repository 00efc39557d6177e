// Between the flat ports of the engine and the calls of an FMU: which variables go together, and in which buffers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "seam/assembly/native.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/instance/instance2.hpp"
#include "seam/fmi/instance/instance3.hpp"
#include "seam/fmi/subsystem/real_ports.hpp"

namespace seam::fmi {

/// Real variables of one type whose elements are handed over together, and where these lie among the flat ports.
struct RealBatch {
  std::vector<std::uint32_t> references;
  std::vector<int> places;
  bool contiguous = true;      ///< they lie one after the other: nothing to gather or scatter
  std::vector<double> buffer;  ///< where they do not
  std::vector<float> floats;   ///< for Float32

  RealVariables variables() const { return {references, places.size(), first()}; }
  /// Where the elements begin in what gathered() and room() give.
  std::size_t first() const { return contiguous && !places.empty() ? static_cast<std::size_t>(places[0]) : 0; }
  const double* gathered(const double* flat) {
    if (contiguous) return flat;
    for (std::size_t i = 0; i < places.size(); ++i) buffer[i] = flat[places[i]];
    return buffer.data();
  }
  double* room(double* flat) { return contiguous ? flat : buffer.data(); }
  /// What was read into room().
  void scatter(double* flat) const {
    for (std::size_t i = 0; !contiguous && i < places.size(); ++i) flat[places[i]] = buffer[i];
  }
  void reserve(std::size_t variables);
  void add(const PortVariable& variable);
  void finish();
};

/// The same for one type that is no real; places are numbers of discrete values.
struct DiscreteBatch {
  Type type = Type::int32;
  std::vector<std::uint32_t> references;
  std::vector<int> places;
  Values buffer;

  void gather(std::span<const system::DiscreteValue> discrete_values);
  void scatter(std::span<system::DiscreteValue> discrete_values) const;
  void set_whole(int discrete_value, std::int64_t value);
};

/// One side of an FMU: its inputs (the connected ones), or its outputs. Clocks are no values.
struct PortBatches {
  PortBatches() = default;
  /// `wanted` lists the flat ports that matter; all of them if it is null. Of an array all elements are handed over,
  /// since FMI knows no part of one. The variables are in the order of their flat ports.
  PortBatches(const std::vector<PortVariable>& variables, std::size_t real_ports, const std::vector<int>* wanted);

  RealBatch doubles, floats;
  std::vector<DiscreteBatch> discrete_values;

  bool only_doubles() const { return floats.references.empty() && discrete_values.empty(); }

  /// Piece by piece: the first place of a variable among the reals, or among the discrete values.
  void add(const PortVariable& variable);
  void finish();
};

/// A known signal that feeds a port which takes whole numbers only.
struct WholeDrive {
  assembly::Drive drive;
  int discrete_value = 0;
  std::string name;  ///< of the port
  system::PortType type = system::PortType::int32;
  /// Throws base::Error(subsystem) if the signal has no such value now.
  std::int64_t at(double t, const std::string& subsystem) const;
};

/// The inputs of an FMU that follow known signals: reals, and the rest.
struct Drives {
  Drives(const std::vector<assembly::Drive>& all, const std::vector<system::Port>& inputs);
  std::vector<assembly::Drive> reals;
  std::vector<WholeDrive> wholes;

  /// Changes how one input follows its signal.
  void follow(int input, double factor, double offset);
};

/// What inputs that are no reals have at the start.
std::vector<system::DiscreteValue> first_discrete_values(const std::vector<system::Port>& inputs);

/// Hands the flat inputs to the FMU, reals from `flat` and discrete values as they were gathered.
template <class Instance>
void set_ports(Instance& instance, PortBatches& ports, const double* flat) {
  if (RealBatch& batch = ports.doubles; !batch.references.empty()) {
    instance.set_reals(batch.references, batch.gathered(flat) + batch.first(), batch.places.size());
  }
  if (RealBatch& batch = ports.floats; !batch.references.empty()) {
    for (std::size_t i = 0; i < batch.places.size(); ++i) batch.floats[i] = static_cast<float>(flat[batch.places[i]]);
    instance.set_floats(batch.references, batch.floats);
  }
  for (const DiscreteBatch& batch : ports.discrete_values) instance.set(batch.type, batch.references, batch.buffer);
}

template <class Instance>
void get_reals(Instance& instance, PortBatches& ports, double* flat) {
  if (RealBatch& batch = ports.doubles; !batch.references.empty()) {
    instance.get_reals(batch.references, batch.room(flat) + batch.first(), batch.places.size());
    batch.scatter(flat);
  }
  if (RealBatch& batch = ports.floats; !batch.references.empty()) {
    instance.get_floats(batch.references, batch.floats);
    for (std::size_t i = 0; i < batch.places.size(); ++i) flat[batch.places[i]] = static_cast<double>(batch.floats[i]);
  }
}

/// What is no real.
template <class Instance>
void get_discrete_values(Instance& instance, PortBatches& ports, std::span<system::DiscreteValue> discrete_values) {
  for (DiscreteBatch& batch : ports.discrete_values) {
    instance.get(batch.type, batch.references, batch.buffer);
    batch.scatter(discrete_values);
  }
}

}  // namespace seam::fmi
