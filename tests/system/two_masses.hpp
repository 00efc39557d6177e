// Small descriptions for the tests of this room, with places as if each line of a file were one thing.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "seam/system/description.hpp"

namespace seam::system {

inline base::Location line(int number) {
  static const auto source = std::make_shared<const base::Source>(base::Source{"f.yaml", {}});
  return {source, number, 1, 1};
}

inline Port port(std::string name, std::string unit = {}) { return {std::move(name), std::move(unit), {}, {}}; }

inline Subsystem subsystem(std::string name, std::vector<Port> inputs, std::vector<Port> outputs) {
  Subsystem result;
  result.name = std::move(name);
  result.origin = BuiltInModel{"m"};
  result.inputs = std::move(inputs);
  result.outputs = std::move(outputs);
  result.where = line(2);
  return result;
}

inline Connection connect(std::string from, std::string to, int number = 10) {
  Connection result;
  result.from = {std::move(from), -1, -1, line(number)};
  result.to = {std::move(to), -1, -1, line(number)};
  result.where = line(number);
  return result;
}

/// a (u -> y) and b (u -> y) in a ring.
inline SystemDescription two_masses() {
  SystemDescription result;
  result.name = "two";
  result.where = line(1);
  result.subsystems = {subsystem("a", {port("u")}, {port("y")}), subsystem("b", {port("u")}, {port("y")})};
  result.connections = {connect("a.y", "b.u", 10), connect("b.y", "a.u", 11)};
  return result;
}

}  // namespace seam::system
