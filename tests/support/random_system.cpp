#include "support/random_system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "seam/analysis/monolithic.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::testing {

std::string RandomSystems::matrix(int rows, int columns, double size) {
  std::string text = "[";
  for (int i = 0; i < rows; ++i) {
    text += i ? ", [" : "[";
    for (int j = 0; j < columns; ++j) text += fmt::format("{}{:.17g}", j ? ", " : "", uniform(-size, size));
    text += "]";
  }
  return text + "]";
}

/// Random entries, shifted so that the slowest eigenvalue decays.
std::string RandomSystems::stable_matrix(int states) {
  lti::Matrix A(states, states);
  for (int i = 0; i < states; ++i) {
    for (int j = 0; j < states; ++j) A(i, j) = uniform(-3.0, 3.0);
  }
  double rightmost = -1e9;
  for (const auto& pole : lti::eigenvalues(A)) rightmost = std::max(rightmost, pole.real());
  A -= (rightmost + uniform(0.1, 1.0)) * lti::Matrix::Identity(states, states);
  std::string text = "[";
  for (int i = 0; i < states; ++i) {
    text += i ? ", [" : "[";
    for (int j = 0; j < states; ++j) text += fmt::format("{}{:.17g}", j ? ", " : "", A(i, j));
    text += "]";
  }
  return text + "]";
}

std::string RandomSystems::candidate() {
  const int parts = whole(2, 3);
  std::string subsystems, connections;
  // Only the first part feeds through, so that sending it fresh closes no loop unless it feeds itself.
  const bool feeds_through = whole(0, 1) == 1;
  for (int i = 0; i < parts; ++i) {
    const int states = whole(1, 4);
    subsystems += fmt::format(
        "  p{}: {{model: state-space, set: {{A: {}, B: {}, C: {}, D: {}, inputs: [u1, u2], outputs: [y1, y2]}}}}\n", i,
        stable_matrix(states), matrix(states, 2, 2.0), matrix(2, states, 1.0),
        matrix(2, 2, i == 0 && feeds_through ? 1.0 : 0.0));
    for (int u = 1; u <= 2; ++u) {
      const int other = (i + whole(1, parts - 1)) % parts;
      connections += fmt::format("  - {{from: p{}.y{}, to: p{}.u{}, gain: {:.17g}}}\n", other, whole(1, 2), i, u,
                                 uniform(-2.0, 2.0));
    }
  }
  return fmt::format("seam: 1\nsubsystems:\n{}connections:\n{}plan: {{step: {:.17g}}}\n", subsystems, connections,
                     std::exp(uniform(std::log(0.02), std::log(1.5))));
}

engine::System RandomSystems::next() {
  for (;;) {
    engine::System system = engine::open_text(candidate(), "random.yaml", {});
    const engine::Live live = engine::make_live(system, {engine::Horizon::none});
    std::string reason;
    const auto whole_model = analysis::monolithic_model(*live.assembly, 0.0, reason);
    if (!whole_model) continue;
    bool stable = true;
    for (const auto& pole : lti::eigenvalues(whole_model->system.A)) stable = stable && pole.real() < -1e-3;
    if (stable) return system;
  }
}

std::vector<system::Coupling> all_couplings() {
  std::vector<system::Coupling> all;
  for (const coupling::Entry& entry : coupling::catalog()) {
    if (entry.part != coupling::Part::coupling) continue;
    std::vector<std::vector<system::Setting>> variants = {{}};
    for (const coupling::Choice& choice : entry.choices) {
      for (std::size_t v = 1; v < choice.values.size(); ++v) {
        system::Setting setting;
        setting.name = choice.name;
        setting.value.kind = system::Value::Kind::text;
        setting.value.text = choice.values[v];
        variants.push_back({setting});
      }
    }
    for (const auto& parameters : variants) {
      system::CouplingRequest request;
      request.coupling = system::MethodRequest{entry.name, parameters, {}};
      base::Problems problems;
      all.push_back(coupling::complete(request, problems));
      base::require_none(problems);
    }
  }
  return all;
}

std::vector<system::Coupling> all_holds() {
  std::vector<system::Coupling> all = all_couplings();
  std::erase_if(all, [](const system::Coupling& coupling) { return coupling::has_filters(coupling); });
  return all;
}

std::vector<system::Corrector> all_correctors() {
  std::vector<system::Corrector> all;
  const auto add = [&](const std::string& name, const std::string& parameter, const std::string& value) {
    system::MethodRequest request{name, {}, {}};
    if (!parameter.empty()) {
      system::Setting setting;
      setting.name = parameter;
      setting.value.text = value;
      setting.value.kind = parameter == "micro_outputs" ? system::Value::Kind::number : system::Value::Kind::text;
      if (parameter == "micro_outputs") setting.value.number = std::stod(value);
      request.parameters.push_back(setting);
    }
    base::Problems problems;
    all.push_back(coupling::complete_corrector(request, problems));
    base::require_none(problems);
  };
  for (const coupling::Entry& entry : coupling::catalog()) {
    if (entry.part != coupling::Part::corrector) continue;
    add(entry.name, "", "");
    for (const coupling::Choice& choice : entry.choices) {
      if (choice.name == "model" || choice.name == "start") continue;  // these subsystems have but one
      for (std::size_t v = 1; v < choice.values.size(); ++v) add(entry.name, choice.name, choice.values[v]);
    }
    for (const coupling::Number& number : entry.numbers) {
      if (number.name == "micro_outputs" && entry.name == "tracking") add(entry.name, number.name, "2");
    }
  }
  return all;
}

engine::System with(engine::System system, const system::Coupling& coupling, system::Feedthrough feedthrough) {
  for (system::Coupling& entry : system.plan.connections) entry = coupling;
  for (system::SubsystemPlan& entry : system.plan.subsystems) entry.feedthrough = feedthrough;
  return system;
}

}  // namespace seam::testing
