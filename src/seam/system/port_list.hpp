// What a subsystem receives and sends: one port, and all of one side.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/system/port_types.hpp"
#include "seam/system/units.hpp"

namespace seam::system {

enum class Variability { continuous, discrete };

/// The physical connector of an FMU that a port belongs to, and what it is there.
struct Terminal {
  enum class Role { signal, inflow, outflow };
  std::string name;  ///< empty: none
  Role role = Role::signal;
};

/// Of a difference the offset of its unit is left out: 20 degC warmer is 20 K warmer.
enum class Quantity { absolute, difference };

enum class Precision { full, single };

struct Port {
  std::string name;
  std::string unit;
  Variability variability = Variability::continuous;
  std::optional<double> start;  ///< inputs: the value while nothing is connected
  PortType type = PortType::real;
  DiscreteValue first = {};                  ///< inputs that are no reals: the value while nothing is connected
  std::string mime_type = {};                ///< of a binary
  std::optional<Unit> defined_unit = {};     ///< what the subsystem itself says its unit means
  std::optional<double> nominal = {};        ///< the usual size of the value, where the subsystem says it
  std::optional<double> min = {}, max = {};  ///< inputs: what a corrector may not go beyond
  Terminal terminal = {};
  Quantity quantity = Quantity::absolute;
  Precision precision = Precision::full;
};

/// The ports of one side of a subsystem, as a value. Copies share one list, which never changes: many subsystems of one
/// file may have thousands of ports each.
class PortList {
 public:
  PortList() = default;
  PortList(std::vector<Port> ports)  // NOLINT(google-explicit-constructor): a list of ports, whoever holds it
      : ports_(ports.empty() ? nullptr : std::make_shared<const std::vector<Port>>(std::move(ports))) {}
  PortList(std::initializer_list<Port> ports) : PortList(std::vector<Port>(ports)) {}

  const std::vector<Port>& all() const {
    static const std::vector<Port> none;
    return ports_ ? *ports_ : none;
  }
  operator const std::vector<Port>&() const { return all(); }  // NOLINT(google-explicit-constructor)

  std::size_t size() const { return all().size(); }
  bool empty() const { return !ports_; }
  const Port& operator[](std::size_t i) const { return (*ports_)[i]; }
  const Port& at(std::size_t i) const { return all().at(i); }
  const Port& front() const { return ports_->front(); }
  const Port& back() const { return ports_->back(); }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }

  /// Another list in its place: this one after `change`.
  template <class Change>
  void change(const Change& change) {
    std::vector<Port> ports = all();
    change(ports);
    *this = PortList(std::move(ports));
  }

 private:
  std::shared_ptr<const std::vector<Port>> ports_;  ///< null: none
};

/// Ports of a subsystem are listed reals first: number of a discrete value = number of the port - count of reals.
inline std::size_t count_reals(const std::vector<Port>& ports) {
  const auto is_real = [](const Port& port) { return port.type == PortType::real; };
  return static_cast<std::size_t>(std::partition_point(ports.begin(), ports.end(), is_real) - ports.begin());
}

}  // namespace seam::system
