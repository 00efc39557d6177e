#include "seam/load/makers.hpp"

#include <cmath>

#include "seam/models/signals.hpp"

namespace seam::load {
namespace {

using models::Model;
using Signal = std::shared_ptr<const ode::TimeSignal>;

/// Checks the common parameters, also where `signal` is null because the others were wrong.
std::optional<Model> made(const ParameterReader& parameters, Signal signal) {
  Model model = models::source(std::move(signal), parameters.unit());
  model.sampled = parameters.boolean("sampled");
  if (!parameters.ok()) return std::nullopt;
  return model;
}

std::optional<Model> make_constant(ParameterReader& parameters, const MakeContext&) {
  return made(parameters, std::make_shared<models::ConstantSignal>(parameters.number("value")));
}

std::optional<Model> make_step(ParameterReader& parameters, const MakeContext&) {
  const models::Edge edge{parameters.number("time"), 0.0};
  return made(parameters,
              std::make_shared<models::StepSignal>(edge, parameters.number("before"), parameters.number("after")));
}

std::optional<Model> make_impulse(ParameterReader& parameters, const MakeContext&) {
  return made(parameters,
              std::make_shared<models::ImpulseSignal>(parameters.number("area"), parameters.number("time")));
}

std::optional<Model> make_sine(ParameterReader& parameters, const MakeContext&) {
  models::Sine sine;
  sine.amplitude = parameters.number("amplitude");
  sine.frequency = parameters.number("frequency");
  sine.phase = parameters.number("phase");
  sine.offset = parameters.number("offset");
  sine.start = parameters.number("start");
  return made(parameters, std::make_shared<models::SineSignal>(sine));
}

std::optional<Model> make_chirp(ParameterReader& parameters, const MakeContext&) {
  models::Chirp chirp;
  chirp.f0 = parameters.number("f0");
  chirp.f1 = parameters.number("f1");
  chirp.duration = parameters.number("duration");
  chirp.amplitude = parameters.number("amplitude");
  if (parameters.ok() && !(chirp.duration > 0.0)) {
    parameters.refuse("duration", "\"duration\" of \"chirp\" must be more than 0 s");
  }
  return made(parameters, parameters.ok() ? std::make_shared<models::ChirpSignal>(chirp) : nullptr);
}

std::optional<Model> make_multisine(ParameterReader& parameters, const MakeContext&) {
  models::Multisine multisine;
  multisine.from = parameters.number("from");
  multisine.to = parameters.number("to");
  multisine.rms = parameters.number("rms");
  const double tones = parameters.number("tones");
  constexpr double most = 100000.0;
  if (parameters.ok() && !(multisine.from >= 0.0 && multisine.to > multisine.from))
    parameters.refuse("to", "\"to\" of \"multisine\" must be more than \"from\", which is at least 0 Hz");
  if (parameters.ok() && !(tones >= 1.0 && tones <= most && tones == std::floor(tones)))
    parameters.refuse("tones", "\"tones\" of \"multisine\" must be a whole number from 1 to 100000");
  if (parameters.ok()) multisine.tones = static_cast<int>(tones);
  return made(parameters, parameters.ok() ? std::make_shared<models::MultisineSignal>(multisine) : nullptr);
}

std::vector<ParameterEntry> with_common(std::vector<ParameterEntry> entries) {
  entries.push_back({"unit", "text", "", "none", "unit of the output y", {}});
  entries.push_back(
      {"sampled", "boolean", "", "false", "true: the sinks get y sampled and held, not as a signal known ahead", {}});
  return entries;
}

}  // namespace

std::vector<ModelEntry> signal_models() {
  return {
      {"constant", "a constant value y", with_common({{"value", "number", chosen_unit, "", "the value", {}}}),
       make_constant},
      {"step", "y jumps once",
       with_common({{"time", "number", "s", "0", "when", {}},
                    {"before", "number", chosen_unit, "0", "value before the jump", {}},
                    {"after", "number", chosen_unit, "1", "value from the jump on", {}}}),
       make_step},
      {"impulse", "y is area/h during one solver step h of each sink",
       with_common({{"area", "number", "<unit>.s", "1", "integral of y over time", {}},
                    {"time", "number", "s", "0", "when it begins", {}}}),
       make_impulse},
      {"sine", "y = offset + amplitude sin(2 pi frequency (t - start) + phase), offset before start",
       with_common({{"amplitude", "number", chosen_unit, "1", "half the height", {}},
                    {"frequency", "number", "Hz", "", "cycles a second", {}},
                    {"phase", "number", "rad", "0", "at the start", {}},
                    {"offset", "number", chosen_unit, "0", "mean value", {}},
                    {"start", "number", "s", "0", "when it begins", {}}}),
       make_sine},
      {"chirp", "y = amplitude sin(2 pi (f0 t + (f1 - f0) t^2/(2 duration))), then on at f1",
       with_common({{"f0", "number", "Hz", "", "frequency at t = 0", {}},
                    {"f1", "number", "Hz", "", "frequency at the end of the sweep", {}},
                    {"duration", "number", "s", "", "of the sweep", {}},
                    {"amplitude", "number", chosen_unit, "1", "half the height", {}}}),
       make_chirp},
      {"multisine", "the sum of sines of equal size, evenly spread over a band of frequencies, with low peaks",
       with_common({{"from", "number", "Hz", "", "where the band begins", {}},
                    {"to", "number", "Hz", "", "where the band ends", {}},
                    {"tones", "number", "", "30", "how many sines, each in the middle of its part of the band", {}},
                    {"rms", "number", chosen_unit, "1", "root mean square of the sum", {}}}),
       make_multisine},
  };
}

}  // namespace seam::load
