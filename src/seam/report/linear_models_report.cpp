#include "seam/report/linear_models_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "seam/base/problem.hpp"
#include "seam/formats/mat.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/report/plan_words.hpp"
#include "seam/report/print.hpp"

namespace seam::report {
namespace {

using analysis::ModelSource;
using analysis::StepMap;
using analysis::SubsystemModel;
using formats::Value;

Value rows(const lti::Matrix& matrix) {
  Value list = Value::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Value row = Value::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push(matrix(i, j));
    list.push(std::move(row));
  }
  return list;
}

void add_matrices(Value& value, const lti::StateSpace& system) {
  value.add("A", rows(system.A));
  value.add("B", rows(system.B));
  value.add("C", rows(system.C));
  value.add("D", rows(system.D));
}

Value equations_value(const std::optional<lti::StateSpace>& equations) {
  if (!equations) return {};
  Value value = Value::object();
  add_matrices(value, *equations);
  value.add("poles", Value::list(analysis::poles(*equations), [](const auto& pole) {
              return Value::array({Value(pole.real()), Value(pole.imag())});
            }));
  return value;
}

Value map_value(const std::optional<StepMap>& map) {
  if (!map) return {};
  Value value = Value::object();
  value.add("step", map->step);
  value.add("degree", map->degree);
  add_matrices(value, map->matrices);
  return value;
}

Value quality_value(const std::optional<analysis::ProbeQuality>& quality) {
  if (!quality) return {};
  Value value = Value::object();
  value.add("prediction_error", quality->prediction_error);
  value.add("fit_error", quality->fit_error);
  value.add("amplitude_error", quality->amplitude_error);
  value.add("point_error", quality->point_error);
  value.add("resolution", quality->resolution);
  value.add("excitation", quality->excitation);
  value.add("order_gap", quality->order_gap);
  value.add("samples", quality->samples);
  return value;
}

Value model_value(const SubsystemModel& model) {
  Value value = Value::object();
  value.add("name", model.name);
  value.add("source", word(model.source));
  value.add("linearity", word(model.linearity));
  value.add("time", model.time);
  value.add("how", model.how);
  value.add("warnings", Value::array(model.warnings));
  value.add("inputs", Value::array(model.inputs));
  value.add("outputs", Value::array(model.outputs));
  value.add("states", Value::array(model.states));
  value.add("equations", equations_value(model.equations));
  value.add("step_map", map_value(model.map));
  value.add("feedthrough", model.feedthrough ? rows(*model.feedthrough) : Value());
  value.add("quality", quality_value(model.quality));
  return value;
}

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// Frequency and damping say more than the two numbers of a pole.
std::string pole_words(std::complex<double> pole) {
  if (pole.imag() == 0.0) return fmt::format("    {:.6g} 1/s\n", pole.real());
  return fmt::format("    {:.6g} +- {:.6g}i 1/s: {:.4g} Hz, damping {:.3g}\n", pole.real(), pole.imag(),
                     std::abs(pole) / (2.0 * std::numbers::pi), -pole.real() / std::abs(pole));
}

std::string poles_text(const lti::StateSpace& equations) {
  constexpr int readable = 20;
  std::string text;
  int said = 0;
  for (const auto& pole : analysis::poles(equations)) {
    if (pole.imag() < 0.0) continue;  // the other one of the pair says the same
    if (++said > readable) return text + "    …\n";
    text += pole_words(pole);
  }
  return text.empty() ? text : "  poles:\n" + text;
}

formats::MatMatrix mat(const std::string& name, const lti::Matrix& matrix) {
  return {name,
          static_cast<std::size_t>(matrix.rows()),
          static_cast<std::size_t>(matrix.cols()),
          {matrix.data(), matrix.data() + matrix.size()}};
}

/// A, B, C, D and for the step Ad, Bd, Cd, Dd; with the name of the subsystem in front if there are several.
std::string models_mat(const Models& models) {
  std::vector<formats::MatMatrix> matrices;
  std::vector<formats::MatTexts> texts;
  for (const SubsystemModel& model : models) {
    const std::string front = models.size() == 1 ? "" : formats::mat_name(model.name) + "_";
    const auto add = [&](const char* end, const lti::StateSpace& system) {
      matrices.push_back(mat(front + "A" + end, system.A));
      matrices.push_back(mat(front + "B" + end, system.B));
      matrices.push_back(mat(front + "C" + end, system.C));
      matrices.push_back(mat(front + "D" + end, system.D));
    };
    if (model.equations) add("", *model.equations);
    if (model.map) {
      add("d", model.map->matrices);
      matrices.push_back(mat(front + "step", lti::Matrix::Constant(1, 1, model.map->step)));
      matrices.push_back(mat(front + "degree", lti::Matrix::Constant(1, 1, model.map->degree)));
    }
    texts.push_back({front + "inputs", model.inputs});
    texts.push_back({front + "outputs", model.outputs});
    texts.push_back({front + "source", {word(model.source)}});
  }
  return formats::mat_bytes(matrices, texts);
}

}  // namespace

std::string linear_models_text(const engine::System& system, const Models& models) {
  std::string text;
  for (const SubsystemModel& model : models) {
    text += fmt::format("{}.{} at {}: {}\n", system.description.name, model.name, time_words(model.time), model.how);
    if (model.source != ModelSource::none) {
      text += fmt::format("  inputs {}; outputs {}\n", joined(model.inputs), joined(model.outputs));
      text += fmt::format("  states {}; {}\n", model.map->matrices.states(),
                          model.linearity == analysis::Linearity::linear ? "linear"
                          : model.linearity == analysis::Linearity::at_this_point
                              ? "true for small motions around this point"
                              : "linearity was not tested");
      text += fmt::format(
          "  a step of {} is known{}\n", time_words(model.map->step),
          model.equations ? ", and equations" : ", but no equations: it delays, or alternates from step to step");
      if (model.equations) text += poles_text(*model.equations);
    }
    for (const std::string& warning : model.warnings) text += fmt::format("  warning: {}\n", warning);
  }
  return text;
}

Value linear_models_value(const engine::System& system, const Models& models) {
  return Value::object({{"name", system.description.name},
                        {"macro_step", system.plan.step},
                        {"subsystems", Value::list(models, model_value)}});
}

void check_linear_models_file(const std::string& file) {
  if (file.empty() || file.ends_with(".json") || file.ends_with(".mat")) return;
  base::Problems problems;
  problems.add({}, fmt::format("linear models are written as .json or .mat, not as \"{}\"", file));
  throw base::ProblemsFound(problems);
}

void write_linear_models(const std::string& file, const engine::System& system, const Models& models) {
  formats::write_text(file, file.ends_with(".mat") ? models_mat(models) : json(linear_models_value(system, models)));
}

}  // namespace seam::report
