// A signal through the compiled coupling: the source plays it, the sink writes down what arrives at every micro step.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/compile.hpp"
#include "seam/coupling/filters.hpp"

namespace seam::testing {

/// 0.001 to 30 Hz in 10 s, the frequency rising linearly: Chen et al. 2021, section 3.4.
inline double sweep(double t) {
  constexpr double f0 = 0.001, f1 = 30.0, T = 10.0;
  return std::sin(2.0 * std::numbers::pi * (f0 * t + (f1 - f0) * t * t / (2.0 * T)));
}

class Player final : public assembly::Subsystem {
 public:
  explicit Player(std::function<double(double)> tune) : tune_(std::move(tune)) {}

  assembly::Capabilities capabilities() const override { return {.takes_polynomials = true}; }
  bool feeds_through(int, int, assembly::Phase) const override { return false; }
  assembly::StepFunction prepare(const assembly::Calls&) override { return assembly::StepFunction::of(*this); }
  void initialise(double) override {}
  assembly::Outcome advance(const assembly::Step& step, const assembly::InputPolynomials& input,
                            assembly::Out outputs) {
    heard.push_back(input.coefficients[0]);
    outputs[0] = tune_(step.begin + step.length);
    return assembly::Outcome::accepted;
  }
  void evaluate(double t, assembly::Sources, assembly::In, assembly::Out outputs) override { outputs[0] = tune_(t); }
  assembly::Snapshot save() override { return {}; }
  void restore(const assembly::Snapshot&) override {}

  std::vector<double> heard;  ///< at the begin of every micro step

 private:
  std::function<double(double)> tune_;
};

/// A coupling of filters with this compensator and the default smoother.
inline system::Coupling filters(const coupling::Roots& compensator, const std::string& rule = "") {
  system::Coupling coupling{"hinf",
                            {"compensator" + rule, {}},
                            {"smoother" + rule, {{"order", 2.0}, {"cutoff", 0.5}}},
                            system::Samples::macro};
  coupling::write_roots(compensator, coupling.emitter);
  return coupling;
}

struct Transmission {
  system::Coupling coupling;
  int micro_steps = 10;     ///< in a macro step of 10 ms
  base::Tick steps = 1000;  ///< macro steps
};

/// What arrives of the tune, at the begin of every micro step.
inline std::vector<double> arriving(const Transmission& how, const std::function<double(double)>& tune) {
  assembly::Assembly assembly;
  for (const char* name : {"source", "sink"}) {
    assembly::Member member;
    member.name = name;
    member.inputs = {{.name = "u", .unit = "", .start = 0.0}};
    member.outputs = {{.name = "y", .unit = "", .start = {}}};
    member.subsystem = std::make_unique<Player>(tune);
    assembly.members.push_back(std::move(member));
  }
  assembly.wires.push_back({0, 0, 0, 1, 0, 1.0, 0.0});
  system::Plan plan;
  plan.step = 0.01;
  plan.subsystems.assign(2, {});
  for (system::SubsystemPlan& subsystem : plan.subsystems) subsystem.micro_step = 0.01 / how.micro_steps;
  plan.connections = {how.coupling};
  base::Problems problems;
  const auto program = coupling::compile(assembly, plan, {}, problems);
  base::require_none(problems);
  coupling::Memory memory = coupling::start(*program);
  coupling::advance(*program, memory, how.steps);
  return static_cast<Player&>(*assembly.members[1].subsystem).heard;
}

/// Root mean square over the micro points of what arrives of the sweep minus the sweep.
inline double sweep_error(const Transmission& how) {
  const std::vector<double> arrived = arriving(how, sweep);
  const double h = 0.01 / how.micro_steps;
  double sum = 0.0;
  for (std::size_t i = 0; i < arrived.size(); ++i) sum += std::pow(arrived[i] - sweep(static_cast<double>(i) * h), 2);
  return std::sqrt(sum / static_cast<double>(arrived.size()));
}

}  // namespace seam::testing
