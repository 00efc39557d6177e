// FMI 3 co-simulation FMUs in event mode, and systems to put them into. Illegal calls of strict ones fail the test.
#pragma once

#include <fmt/format.h>

#include <string>

#include "engine/fmu_workshop.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {

class EventWorkshop : public FmuWorkshop {
 protected:
  EventWorkshop() { ::setenv("SEAM_STRICT_LOG", log().c_str(), 1); }
  ~EventWorkshop() override {
    EXPECT_EQ(illegal_calls(), "");
    ::unsetenv("SEAM_STRICT_LOG");
  }

  std::string log() const { return folder_.file("illegal-calls"); }
  std::string illegal_calls() const { return std::filesystem::exists(log()) ? formats::read_text(log()) : ""; }

  std::string part(const std::string& name, const std::string& keys = "") const {
    return fmt::format("{{fmu: {}{}}}", fmu(3, name), keys.empty() ? "" : ", " + keys);
  }
  /// x' = u - x, solved exactly.
  static std::string plant() { return "{model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]], D: [[0]]}}"; }
  static std::string integrator() { return "{model: state-space, set: {A: [[0]], B: [[1]], C: [[1]], D: [[0]]}}"; }
  static std::string system(const std::string& subsystems, const std::string& connections, const std::string& plan,
                            double stop = 1.0) {
    return fmt::format(
        "seam: 1\nsubsystems:\n{}connections: [{}]\nexperiment: {{stop: {}}}\nplan: {{{}}}\nrecord: {{variables: "
        "[\"*.*\"]}}\n",
        subsystems, connections, stop, plan);
  }
  std::string sampled_loop(const std::string& controller, const std::string& plan) const {
    return system(fmt::format("  c: {}\n  p: {}\n", controller, plant()), "c.y -> p.u, p.y -> c.measurement", plan);
  }
  std::string problems_of(const std::string& text) const {
    try {
      open_text(text, folder_.file("system.yaml"), {});
    } catch (const base::ProblemsFound& found) {
      return found.problems().text();
    }
    return "";
  }
};

}  // namespace seam::engine
