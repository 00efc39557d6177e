// A built-in model: equations with named ports, or signals known ahead of time with named outputs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seam/ode/input.hpp"
#include "seam/ode/ode.hpp"

namespace seam::models {

struct Port {
  std::string name;
  std::string unit;             ///< empty: not known
  std::optional<double> start;  ///< inputs: the value while nothing is connected; none: it must be connected
};

/// Either `ode` is set, or `signals` holds one signal an output and there are no inputs.
struct Model {
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<std::string> state_names;
  std::vector<double> x0;
  std::shared_ptr<const ode::Ode> ode;
  std::vector<std::shared_ptr<const ode::TimeSignal>> signals;
  std::vector<std::pair<std::string, std::string>> left_out = {};  ///< outputs it would have, and why it has not
  bool sampled = false;  ///< signals: the sinks get them sampled at communication points and held, not as known ahead
};

}  // namespace seam::models
