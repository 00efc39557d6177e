// Systems of small models, wired by hand.
#pragma once

#include <gtest/gtest.h>

#include "assembly/equations.hpp"
#include "seam/assembly/assembly.hpp"
#include "seam/assembly/linear_subsystem.hpp"
#include "seam/base/error.hpp"
#include "seam/models/blocks.hpp"

namespace seam::assembly {

/// Members with inputs u1, u2, … (start value 0 or as given) and outputs y1, y2, ….
class System {
 public:
  System& add(const std::string& name, NativeModel model, double start = 0.0) {
    Member member;
    member.name = name;
    const auto sizes = model.ode->sizes();
    std::vector<system::Port> inputs, outputs;
    for (int i = 1; i <= sizes.inputs; ++i) inputs.push_back({"u" + std::to_string(i), "", {}, start});
    for (int i = 1; i <= sizes.outputs; ++i) outputs.push_back({"y" + std::to_string(i), "", {}, {}});
    member.inputs = std::move(inputs);
    member.outputs = std::move(outputs);
    member.subsystem = std::make_unique<LinearSubsystem>(std::move(model));
    assembly_.members.push_back(std::move(member));
    return *this;
  }
  System& wire(int from, int to, double gain = 1.0, double offset = 0.0) {
    return wire({.from = from, .output = 0, .to = to, .input = 0, .gain = gain, .offset = offset});
  }
  System& wire(Wire wire) {
    wire.connection = static_cast<int>(assembly_.wires.size());
    assembly_.wires.push_back(wire);
    return *this;
  }
  Assembly& assembly() { return assembly_; }
  PortValues start() { return initialise(assembly_, 0.0); }
  std::string error() {
    try {
      start();
    } catch (const base::Error& error) {
      EXPECT_EQ(error.failure(), base::Failure::subsystem);
      return error.what();
    }
    return {};
  }

 private:
  Assembly assembly_;
};

inline NativeModel gain(double k) {
  return linear({lti::Matrix(0, 0), lti::Matrix(0, 1), lti::Matrix(1, 0), one(k)}, {});
}

inline NativeModel limiter(double low, double high) {
  NativeModel model;
  model.ode = std::shared_ptr<const ode::Ode>(models::limiter(low, high, "").ode);
  return model;
}

inline NativeModel polynomial(std::vector<double> coefficients) {
  NativeModel model;
  model.ode = std::shared_ptr<const ode::Ode>(models::polynomial(std::move(coefficients)).ode);
  return model;
}

/// y = g(u) that keeps its derivatives to itself.
class Curve final : public ode::Ode {
 public:
  enum class Declares { the_truth, no_dependency };
  explicit Curve(std::function<double(double)> g, Declares declares = Declares::the_truth)
      : g_(std::move(g)), declares_(declares) {}
  Sizes sizes() const override { return {0, 1, 1}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, ode::In, ode::In, ode::Out) const override {}
  void outputs(double, ode::In, ode::In u, ode::Out y) const override { y[0] = g_(u[0]); }
  bool feeds_through(int, int) const override { return declares_ == Declares::the_truth; }

 private:
  std::function<double(double)> g_;
  Declares declares_;
};

inline NativeModel curve(std::function<double(double)> g, Curve::Declares declares = Curve::Declares::the_truth) {
  NativeModel model;
  model.ode = std::make_shared<Curve>(std::move(g), declares);
  return model;
}

}  // namespace seam::assembly
