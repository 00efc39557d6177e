// FMUs for model exchange in a run and in the monolithic solution, with the closed forms they are held against.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {

class ExchangeWorkshop : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  ExchangeWorkshop() { ::setenv("SEAM_STRICT_LOG", folder_.file("illegal-calls").c_str(), 1); }
  ~ExchangeWorkshop() override { ::unsetenv("SEAM_STRICT_LOG"); }

  std::string illegal_calls() const {
    const std::string log = folder_.file("illegal-calls");
    return std::filesystem::exists(log) ? formats::read_text(log) : "";
  }

  /// An FMU for model exchange as a subsystem, of the version under test or of the other one.
  std::string exchanged(const std::string& name, const std::string& set = {}) const {
    return exchanged(GetParam(), name, set);
  }
  std::string exchanged_by_other(const std::string& name, const std::string& set = {}) const {
    return exchanged(5 - GetParam(), name, set);
  }

  static std::string integrator() { return "{model: state-space, set: {A: [[0]], B: [[1]], C: [[1]], x0: [0]}}"; }

  ReferenceSummary reference_of(const std::string& text) const {
    RunSettings settings;
    settings.file = folder_.file("result.csv");
    return reference(open_text(text, folder_.file("system.yaml"), {}), settings,
                     {ReferenceRequest::Solution::monolithic});
  }
  formats::Table solution_of(const std::string& text) const {
    reference_of(text);
    return result();
  }
  /// What it says instead of a solution.
  std::string refusal_of(const std::string& text) const {
    try {
      reference_of(text);
    } catch (const base::ProblemsFound& found) {
      return found.problems().text();
    }
    return "it was solved";
  }

 private:
  std::string exchanged(int version, const std::string& name, const std::string& set) const {
    return fmt::format("{{fmu: {}, interface: me, set: {{{}}}}}", fmu(version, name), set);
  }
};

/// A ball dropped from h0 that bounces with restitution e: its height and speed at time t, before it rests.
struct Ball {
  double h0 = 1.0, g = 9.81, e = 0.7;

  double first_impact() const { return std::sqrt(2.0 * h0 / g); }
  struct State {
    double height, speed;
  };
  State at(double t) const {
    double begin = first_impact(), speed = g * begin;  // of the impact
    if (t < begin) return {h0 - 0.5 * g * t * t, -g * t};
    for (;;) {
      speed *= e;
      const double flight = 2.0 * speed / g;
      if (t < begin + flight)
        return {speed * (t - begin) - 0.5 * g * (t - begin) * (t - begin), speed - g * (t - begin)};
      begin += flight;
    }
  }
};

/// Between -1/2 and 1/2, slope 1 or -1, from 0 upwards.
inline double triangle(double t) {
  const double phase = std::fmod(t + 0.5, 2.0);
  return phase < 1.0 ? phase - 0.5 : 1.5 - phase;
}

}  // namespace seam::engine
