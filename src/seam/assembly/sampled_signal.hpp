// Signals known ahead of time that are sampled at communication points and held, like the outputs of any other
// subsystem.
#pragma once

#include <memory>
#include <vector>

#include "seam/assembly/subsystem.hpp"

namespace seam::assembly {

class SampledSignal final : public Subsystem, Equations, States, Persistence, Excitable {
 public:
  explicit SampledSignal(std::vector<std::shared_ptr<const ode::TimeSignal>> signals) : signals_(std::move(signals)) {
    facets_.equations = this;
    facets_.states = this;
    facets_.persistence = this;
    facets_.excitable = this;
  }

  Capabilities capabilities() const override {
    return {.takes_polynomials = true, .can_evaluate = true, .can_shorten = true, .affine = true};
  }
  bool feeds_through(int /*output*/, int /*input*/, Phase /*phase*/) const override { return false; }
  StepFunction prepare(const Calls& /*calls*/) override { return StepFunction::of(*this); }
  void initialise(double /*t0*/) override {}
  Outcome advance(const Step& step, const InputPolynomials& /*input*/, Out outputs) {
    evaluate(step.begin + step.length, step.sources, {}, outputs);
    return Outcome::accepted;
  }
  void evaluate(double t, Sources sources, In /*inputs*/, Out outputs) override {
    for (std::size_t i = 0; i < signals_.size(); ++i) outputs[i] = sources == Sources::live ? signals_[i]->at(t) : 0.0;
    for (std::size_t i = 0; sources == Sources::silent && i < excited_.size(); ++i)
      outputs[static_cast<std::size_t>(excited_[i].input)] = excited_[i].factor * excited_[i].signal->at(t);
  }
  Snapshot save() override { return {}; }
  void restore(const Snapshot& /*snapshot*/) override {}

 private:
  std::span<double> values() override { return {}; }
  std::span<const std::string> names() const override { return {}; }
  std::string serialise() override { return {}; }
  void resume(double /*t*/, std::string_view /*state*/) override {}
  /// The number is that of an output.
  void excite(int output, const ode::TimeSignal* signal, double factor) override {
    std::erase_if(excited_, [&](const ode::DrivenInput& one) { return one.input == output; });
    if (signal) excited_.push_back({output, signal, factor});
  }
  std::optional<LinearModel> linearise(double /*t*/, In /*inputs*/) override {
    const auto outputs = static_cast<Eigen::Index>(signals_.size());
    return LinearModel{{lti::Matrix(0, 0), lti::Matrix(0, 0), lti::Matrix(outputs, 0), lti::Matrix(outputs, 0)},
                       LinearModel::Origin::exact};
  }

  std::vector<std::shared_ptr<const ode::TimeSignal>> signals_;
  std::vector<ode::DrivenInput> excited_;
};

}  // namespace seam::assembly
