// Model descriptions for tests: everything around the part a test is about.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "seam/fmi/archive/archive.hpp"
#include "seam/fmi/description/read_description.hpp"

namespace seam::fmi {

inline const std::string co_simulation = "<CoSimulation modelIdentifier=\"m\"/>\n";
inline const std::string time3 =
    "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"/>\n";

inline std::string fmi2(const std::string& inside) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"{1}\">\n" +
         inside + "</fmiModelDescription>\n";
}

inline std::string fmi3(const std::string& inside) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"M\" instantiationToken=\"{1}\">\n" +
         inside + "</fmiModelDescription>\n";
}

/// With these variables (each <ScalarVariable>, or FMI 3 element) and this inside of the model structure.
inline std::string fmi2_variables(const std::string& variables, const std::string& structure = {}) {
  return fmi2(co_simulation + "<ModelVariables>\n" + variables + "</ModelVariables>\n<ModelStructure>\n" + structure +
              "</ModelStructure>\n");
}

inline std::string fmi3_variables(const std::string& variables, const std::string& structure = {}) {
  return fmi3(co_simulation + "<ModelVariables>\n" + time3 + variables + "</ModelVariables>\n<ModelStructure>\n" +
              structure + "</ModelStructure>\n");
}

/// A description read from a text, with what was wrong.
struct Read {
  explicit Read(const std::string& text) {
    if (auto read = read_description(text, "m.xml", problems)) {
      fmu.description = *read;
      is_read = true;
    }
  }
  const Variable& variable(const std::string& name) const {
    static const Variable none;
    const Variable* found = fmu.description.find(name);
    return found ? *found : none;
  }
  std::string refusal() const { return problems.empty() ? std::string{} : problems.all().front().what; }

  std::vector<DescriptionProblem> found() const { return description_problems(fmu); }
  std::string found_text() const {
    std::string text;
    for (const DescriptionProblem& problem : found()) text += std::to_string(problem.line) + ": " + problem.what + "\n";
    return text;
  }
  /// The only problem `seam check` would show is this one.
  bool only_problem_is(std::string_view what) const {
    const auto all = found();
    return is_read && all.size() == 1 && all.front().what.find(what) != std::string::npos;
  }
  bool is_clean() const { return is_read && found().empty(); }

  Fmu fmu;
  base::Problems problems;
  bool is_read = false;
};

}  // namespace seam::fmi
