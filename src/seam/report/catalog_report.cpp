#include "seam/report/catalog_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/words.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/engine/open/models.hpp"

namespace seam::report {
namespace {

using coupling::Entry;
using coupling::Part;
using formats::Value;

constexpr base::Word<Part> part_words[]{{Part::coupling, "coupling"},
                                        {Part::emitter, "emitter"},
                                        {Part::receiver, "receiver"},
                                        {Part::corrector, "corrector"}};

std::string entry_details(const Entry& entry) {
  std::string text = fmt::format("{} ({}): {}\n", entry.name, base::to_word(part_words, entry.part), entry.summary);
  if (entry.order > 0) text += fmt::format("  order of convergence in the macro step: {}\n", entry.order);
  for (const std::string& need : entry.needs) text += fmt::format("  needs: {}\n", need);
  for (const coupling::Choice& choice : entry.choices) {
    text += fmt::format("  {} = {} (default {}): {}\n", choice.name, fmt::join(choice.values, " | "),
                        choice.values.front(), choice.summary);
  }
  for (const coupling::Number& number : entry.numbers)
    text +=
        fmt::format("  {}{} (default {}): {}{}\n", number.name, number.unit.empty() ? "" : " in " + number.unit,
                    default_text(number).empty() ? "none" : default_text(number), number.summary,
                    number.affinity == coupling::Affinity::affine ? "" : "; then stability is that of slow changes");
  text += entry.affinity == coupling::Affinity::affine ? "  stability is computed exactly\n"
                                                       : "  stability is computed for small deviations\n";
  return text;
}

std::string parameter_lines(const std::vector<engine::ParameterCard>& parameters, const std::string& indent) {
  std::string text;
  for (const engine::ParameterCard& p : parameters) {
    text += fmt::format("{}{:<12} {}{}, {}: {}\n", indent, p.name, p.kind, p.unit.empty() ? "" : " in " + p.unit,
                        p.default_text.empty() ? "required" : "default " + p.default_text, p.summary);
    text += parameter_lines(p.fields, indent + "  ");
  }
  return text;
}

std::string model_details(const engine::ModelCard& model) {
  return fmt::format("{} (model): {}\n", model.name, model.summary) + parameter_lines(model.parameters, "  ");
}

Value parameter_values(const std::vector<engine::ParameterCard>& parameters) {
  Value result = Value::object();
  for (const engine::ParameterCard& p : parameters) {
    Value card =
        Value::object({{"kind", p.kind}, {"unit", p.unit}, {"default", p.default_text}, {"summary", p.summary}});
    if (!p.fields.empty()) card.add("fields", parameter_values(p.fields));
    result.add(p.name, std::move(card));
  }
  return result;
}

Value methods_value(const std::string& name) {
  Value list = Value::array();
  for (const Entry& entry : coupling::catalog()) {
    if (!name.empty() && entry.name != name) continue;
    Value choices = Value::object();
    for (const coupling::Choice& choice : entry.choices) {
      choices.add(choice.name, Value::object({{"values", Value::array(choice.values)},
                                              {"default", choice.values.front()},
                                              {"summary", choice.summary}}));
    }
    for (const coupling::Number& number : entry.numbers)
      choices.add(number.name, Value::object({{"default", default_text(number)},
                                              {"summary", number.summary},
                                              {"affine", number.affinity == coupling::Affinity::affine}}));
    list.push(Value::object({{"part", base::to_word(part_words, entry.part)},
                             {"name", entry.name},
                             {"summary", entry.summary},
                             {"order", entry.order},
                             {"affine", entry.affinity == coupling::Affinity::affine},
                             {"needs", Value::array(entry.needs)},
                             {"parameters", std::move(choices)}}));
  }
  return list;
}

Value models_value(const std::string& name) {
  Value list = Value::array();
  for (const engine::ModelCard& model : engine::model_cards()) {
    if (!name.empty() && model.name != name) continue;
    list.push(Value::object(
        {{"name", model.name}, {"summary", model.summary}, {"parameters", parameter_values(model.parameters)}}));
  }
  return list;
}

}  // namespace

std::string methods_text(const std::string& name) {
  std::string text;
  for (const auto& [part, name_of_part] : part_words) {
    std::string lines;
    std::size_t width = 8;
    for (const std::string& known : coupling::names(part)) width = std::max(width, known.size());
    for (const Entry& entry : coupling::catalog()) {
      if (entry.part != part) continue;
      if (name.empty()) lines += fmt::format("  {:<{}} {}\n", entry.name, width, entry.summary);
      if (entry.name == name) lines += entry_details(entry);
    }
    if (name.empty())
      text += fmt::format("{}:\n", part == Part::coupling    ? "coupling methods (--coupling NAME)"
                                   : part == Part::corrector ? "correctors (--corrector NAME)"
                                                             : name_of_part + std::string("s"));
    text += lines;
  }
  return text;
}

std::string models_text(const std::string& name) {
  std::string text;
  if (name.empty()) text += "built-in models (model: NAME):\n";
  for (const engine::ModelCard& model : engine::model_cards()) {
    if (name.empty()) text += fmt::format("  {:<18} {}\n", model.name, model.summary);
    if (model.name == name) text += model_details(model);
  }
  return text;
}

Value catalog_value(const std::string& name) {
  return Value::object({{"methods", methods_value(name)}, {"models", models_value(name)}});
}

std::vector<std::string> catalog_names() {
  std::vector<std::string> names;
  for (const Entry& entry : coupling::catalog()) {
    if (std::ranges::find(names, entry.name) == names.end()) names.push_back(entry.name);
  }
  for (const engine::ModelCard& model : engine::model_cards()) names.push_back(model.name);
  return names;
}

}  // namespace seam::report
