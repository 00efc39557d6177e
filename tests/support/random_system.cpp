#include "support/random_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

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

namespace {

std::string rows_of(const lti::Matrix& matrix) {
  std::string text = "[";
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    text += i ? ", [" : "[";
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) text += fmt::format("{}{:.17g}", j ? ", " : "", matrix(i, j));
    text += "]";
  }
  return text + "]";
}

}  // namespace

std::string RandomSystems::oscillations(int states) {
  lti::Matrix A = lti::Matrix::Zero(states, states);
  for (int i = 0; i < states; i += 2) {
    const double w = std::exp(uniform(std::log(0.5), std::log(20.0)));
    A(i, i) = -w * std::exp(uniform(std::log(1e-4), std::log(3e-2)));
    if (i + 1 == states) break;
    A(i + 1, i + 1) = A(i, i);
    A(i, i + 1) = w;
    A(i + 1, i) = -w;
  }
  return rows_of(A);
}

/// Random entries, shifted so that the slowest eigenvalue decays.
std::string RandomSystems::stable_matrix(int states) {
  if (damping_ == Damping::light) return oscillations(states);
  lti::Matrix A(states, states);
  for (int i = 0; i < states; ++i) {
    for (int j = 0; j < states; ++j) A(i, j) = uniform(-3.0, 3.0);
  }
  double rightmost = -1e9;
  for (const auto& pole : lti::eigenvalues(A)) rightmost = std::max(rightmost, pole.real());
  A -= (rightmost + uniform(0.1, 1.0)) * lti::Matrix::Identity(states, states);
  return rows_of(A);
}

/// Feeds input u3 of a part.
std::string RandomSystems::source(int part) {
  if (part == 2) return fmt::format("{{model: constant, set: {{value: {:.17g}}}}}", uniform(0.5, 1.0));
  return fmt::format("{{model: sine, set: {{frequency: {:.17g}, phase: 0.7, offset: 0.3, sampled: {}}}}}",
                     uniform(0.05, 0.5), part == 1);
}

std::string RandomSystems::candidate() {
  const int parts = whole(2, 3);
  const bool light = damping_ == Damping::light;
  const double strength = light ? std::exp(uniform(std::log(0.003), std::log(0.5))) : 2.0;  // of connections
  const bool one_source = drive_ == Drive::tone || drive_ == Drive::multisine;
  const int inputs = drive_ == Drive::full || one_source ? 3 : 2;
  std::string subsystems, connections;
  // Only the first part feeds through, so that sending it fresh closes no loop unless it feeds itself.
  const bool feeds_through = whole(0, 1) == 1;
  for (int i = 0; i < parts; ++i) {
    const int states = light ? 2 * whole(1, 2) : whole(1, 4);
    subsystems +=
        fmt::format("  p{}: {{model: state-space, set: {{A: {}, B: {}, C: {}, D: {}, inputs: [{}], outputs: [y1, y2]",
                    i, stable_matrix(states), matrix(states, inputs, 2.0), matrix(2, states, 1.0),
                    matrix(2, inputs, i == 0 && feeds_through ? 1.0 : 0.0), inputs == 3 ? "u1, u2, u3" : "u1, u2");
    if (one_source) connections += fmt::format("  - {{from: tone.y, to: p{}.u3, gain: {}}}\n", i, 1 - 0.4 * i);
    if (drive_ == Drive::start_states || drive_ == Drive::full) {
      subsystems += ", x0: [";
      for (int x = 0; x < states; ++x) subsystems += fmt::format("{}{:.17g}", x ? ", " : "", uniform(0.5, 1.0));
      subsystems += "]";
    }
    subsystems += "}}\n";
    if (drive_ == Drive::full) {
      subsystems += fmt::format("  s{}: {}\n", i, source(i));
      connections += fmt::format("  - s{0}.y -> p{0}.u3\n", i);
    }
    for (int u = 1; u <= 2; ++u) {
      const int other = (i + whole(1, parts - 1)) % parts;
      connections +=
          fmt::format("  - {{from: p{}.y{}, to: p{}.u{}, gain: {:.17g}, offset: {:.17g}}}\n", other, whole(1, 2), i, u,
                      uniform(-strength, strength), drive_ == Drive::full ? uniform(0.1, 1.0) : 0.0);
    }
  }
  if (drive_ == Drive::tone)
    subsystems += fmt::format("  tone: {{model: sine, set: {{frequency: {:.17g}}}}}\n", uniform(0.05, 0.5));
  if (drive_ == Drive::multisine) {
    const double highest = uniform(0.05, 0.5);
    subsystems += fmt::format("  tone: {{model: multisine, set: {{from: {:.17g}, to: {:.17g}, tones: {}}}}}\n",
                              0.1 * highest, highest, tones_of_drive);
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
    const double slowest = damping_ == Damping::light ? -1e-5 : -1e-3;  // 1/s
    bool stable = true;
    for (const auto& pole : lti::eigenvalues(whole_model->system.A)) stable = stable && pole.real() < slowest;
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

namespace {

/// "parameter=value"; whole numbers are such.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// None if these do not go together.
std::optional<system::Corrector> corrector(const std::string& name, const Settings& settings) {
  system::MethodRequest request{name, {}, {}};
  for (const auto& [parameter, value] : settings) {
    system::Setting setting;
    setting.name = parameter;
    setting.value.text = value;
    setting.value.kind = system::Value::Kind::text;
    if (value.find_first_not_of("0123456789") == std::string::npos) {
      setting.value.kind = system::Value::Kind::number;
      setting.value.number = std::stod(value);
    }
    request.parameters.push_back(setting);
  }
  base::Problems problems;
  system::Corrector result = coupling::complete_corrector(request, problems);
  return problems.empty() ? std::optional(result) : std::nullopt;
}

bool can_learn(const coupling::Choice& choice) {
  return choice.name == "model" &&
         std::find(choice.values.begin(), choice.values.end(), "identified") != choice.values.end();
}

}  // namespace

std::vector<system::Corrector> all_correctors() {
  std::vector<system::Corrector> all;
  for (const coupling::Entry& entry : coupling::catalog()) {
    if (entry.part != coupling::Part::corrector) continue;
    all.push_back(*corrector(entry.name, {}));
    for (const coupling::Choice& choice : entry.choices) {
      if (choice.name == "model" || choice.name == "start") continue;  // see all_learning_correctors
      for (std::size_t v = 1; v < choice.values.size(); ++v)
        all.push_back(*corrector(entry.name, {{choice.name, choice.values[v]}}));
    }
    for (const coupling::Number& number : entry.numbers) {
      if (number.name == "pieces") all.push_back(*corrector(entry.name, {{"input", "pieces"}, {number.name, "3"}}));
      if (number.name != "micro_outputs") continue;
      if (const auto fine = corrector(entry.name, {{number.name, "2"}})) all.push_back(*fine);
    }
  }
  return all;
}

std::vector<system::Corrector> all_choosing_correctors() {
  std::vector<system::Corrector> all;
  for (const coupling::Entry& entry : coupling::catalog()) {
    const bool extrapolates =
        std::any_of(entry.choices.begin(), entry.choices.end(),
                    [](const coupling::Choice& choice) { return choice.name == "extrapolation"; });
    if (entry.part == coupling::Part::corrector && extrapolates)
      all.push_back(*corrector(entry.name, {{"model", "none"}}));
  }
  return all;
}

std::vector<system::Corrector> all_learning_correctors() {
  std::vector<system::Corrector> all;
  for (const coupling::Entry& entry : coupling::catalog()) {
    if (entry.part != coupling::Part::corrector || std::none_of(entry.choices.begin(), entry.choices.end(), can_learn))
      continue;
    for (const char* const outputs : {"1", "2"}) {
      for (const char* const start : {"careful", "eager"})
        all.push_back(*corrector(
            entry.name, {{"model", "identified"}, {"window", "60"}, {"micro_outputs", outputs}, {"start", start}}));
    }
  }
  return all;
}

engine::System with(engine::System system, const system::Coupling& coupling, system::Feedthrough feedthrough) {
  for (std::size_t i = 0; i < system.plan.connections.size(); ++i) {
    const int source = system.description.connections[i].from.subsystem;
    const system::BuiltInModel* model = system.description.subsystems[static_cast<std::size_t>(source)].model();
    const bool is_source = model && (model->name == "sine" || model->name == "multisine" || model->name == "constant");
    if (!is_source) system.plan.connections[i] = coupling;
  }
  for (system::SubsystemPlan& entry : system.plan.subsystems) entry.feedthrough = feedthrough;
  return system;
}

}  // namespace seam::testing
