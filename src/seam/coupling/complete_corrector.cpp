// A corrector as the user asked for it, made complete; how it is said again, and what it does.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "seam/base/names.hpp"
#include "seam/coupling/catalog.hpp"

namespace seam::coupling {
namespace {

constexpr const char* points = "micro_outputs";

double usual(const Number& number) {
  double value = 0.0;
  std::from_chars(number.default_text.data(), number.default_text.data() + number.default_text.size(), value);
  return value;
}

void no_parameter(const Entry& entry, const system::Setting& given, base::Problems& problems) {
  std::vector<std::string> known;
  for (const Choice& c : entry.choices) known.push_back(c.name);
  for (const Number& n : entry.numbers) known.push_back(n.name);
  known.push_back("over");
  problems.add(given.where, "\"" + entry.name + "\" has no parameter \"" + given.name + "\"",
               base::did_you_mean(given.name, known));
}

/// Whether the value is one of those that the choice has.
bool is_value_of(const Choice& choice, const system::Setting& given, base::Problems& problems) {
  if (std::find(choice.values.begin(), choice.values.end(), given.value.text) != choice.values.end()) return true;
  problems.add(given.value.where, "\"" + given.name + "\" cannot be \"" + given.value.text + "\"",
               base::did_you_mean(given.value.text, choice.values));
  return false;
}

template <class Item>
auto named(const std::vector<Item>& items, const std::string& name) {
  return std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
}

/// Whether the value is a number within its limits.
bool is_within(const Number& number, const system::Setting& given, base::Problems& problems) {
  const double value = given.value.number;
  const bool whole = number.kind == Number::Kind::whole;
  const bool is_number = given.value.kind == system::Value::Kind::number && given.value.unit.empty();
  if (is_number && value > number.above && value <= number.most && (!whole || value == std::floor(value))) return true;
  problems.add(given.value.where, "\"" + given.name + "\" cannot be \"" + given.value.text + "\"",
               fmt::format("write a {} to {}", whole ? "whole number from 1" : "number from 0", number.most));
  return false;
}

const std::string& choice_of(const system::Corrector& corrector, std::string_view name) {
  static const std::string none;
  for (const auto& [key, value] : corrector.choices) {
    if (key == name) return value;
  }
  return none;
}

/// What only identification heeds is not given in vain.
void check_learning(const system::MethodRequest& request, const system::Corrector& result, base::Problems& problems) {
  if (choice_of(result, "model") == "identified") {
    const auto given = named(request.parameters, "jacobians");
    if (given != request.parameters.end())
      problems.add(given->where,
                   "\"jacobians\" says where subsystems are asked for derivatives, but models are identified",
                   "leave it out");
    return;
  }
  for (const system::Setting& given : request.parameters) {
    const bool looks = given.name == points && result.name != "tracking";
    if (!looks && given.name != "order" && given.name != "window" && given.name != "threshold" && given.name != "start")
      continue;
    problems.add(given.where, "\"" + given.name + "\" says how models are identified, but none are",
                 "add model: identified");
  }
}

/// Identified models know inputs by their means, and a deadbeat offset moves them within a step.
void choose_offset(const system::MethodRequest& request, system::Corrector& result, base::Problems& problems) {
  const auto offset = std::find_if(result.choices.begin(), result.choices.end(),
                                   [](const auto& choice) { return choice.first == "offset"; });
  if (choice_of(result, "model") != "identified" || offset == result.choices.end() || offset->second != "deadbeat")
    return;
  const auto given = named(request.parameters, "offset");
  if (given == request.parameters.end())
    offset->second = "cumulative";
  else
    problems.add(given->where, "a deadbeat offset is not possible with identified models",
                 "use offset: cumulative (default with them), or none");
}

}  // namespace

system::Corrector complete_corrector(const system::MethodRequest& request, base::Problems& problems) {
  system::Corrector result;
  result.where = request.where;
  if (request.name == "none") {
    for (const system::Setting& given : request.parameters)
      problems.add(given.where, "\"none\" has no parameter \"" + given.name + "\"");
    return result;
  }
  const Entry* entry = find(Part::corrector, request.name);
  if (!entry) {
    problems.add(request.where, "there is no corrector \"" + request.name + "\"",
                 base::did_you_mean(request.name, names(Part::corrector)));
    return result;
  }
  result.name = entry->name;
  for (const Choice& choice : entry->choices) result.choices.emplace_back(choice.name, choice.values.front());
  for (const Number& number : entry->numbers) result.numbers.emplace_back(number.name, usual(number));
  for (const system::Setting& given : request.parameters) {
    const auto choice = named(entry->choices, given.name);
    const auto number = named(entry->numbers, given.name);
    if (choice != entry->choices.end()) {
      if (is_value_of(*choice, given, problems))
        result.choices[static_cast<std::size_t>(choice - entry->choices.begin())].second = given.value.text;
    } else if (number != entry->numbers.end()) {
      if (is_within(*number, given, problems))
        result.numbers[static_cast<std::size_t>(number - entry->numbers.begin())].second = given.value.number;
    } else if (given.name == "over") {
      for (const system::Value& item : given.value.items) result.over.push_back(item.text);
      if (given.value.kind != system::Value::Kind::list) result.over = {given.value.text};
    } else {
      no_parameter(*entry, given, problems);
    }
  }
  check_learning(request, result, problems);
  choose_offset(request, result, problems);
  return result;
}

std::string describe(const system::Corrector& corrector) {
  if (corrector.name.empty()) return "none";
  std::string text = corrector.name;
  const Entry* entry = find(Part::corrector, corrector.name);
  for (const auto& [name, value] : corrector.choices) {
    if (!entry || named(entry->choices, name)->values.front() != value) text += "," + name + "=" + value;
  }
  for (const auto& [name, value] : corrector.numbers) {
    if (!entry || usual(*named(entry->numbers, name)) != value) text += fmt::format(",{}={}", name, value);
  }
  for (const std::string& pattern : corrector.over) text += ",over=" + pattern;
  return text;
}

namespace {

/// The place of a choice among the values of its entry.
template <class Enum>
Enum chosen(const system::Corrector& corrector, std::string_view name, std::initializer_list<std::string_view> words,
            Enum first) {
  const std::string& value = choice_of(corrector, name);
  const auto found = std::find(words.begin(), words.end(), value);
  if (found == words.end()) return first;
  return static_cast<Enum>(static_cast<int>(first) + static_cast<int>(found - words.begin()));
}

double number_of(const system::Corrector& corrector, std::string_view name, double otherwise) {
  for (const auto& [key, value] : corrector.numbers) {
    if (key == name) return value;
  }
  return otherwise;
}

}  // namespace

CorrectorSettings settings_of(const system::Corrector& corrector) {
  using S = CorrectorSettings;
  S settings;
  settings.model =
      chosen(corrector, "model", {"auto", "exact", "derivatives", "probed", "identified"}, S::Model::automatic);
  settings.offset_feedthrough =
      chosen(corrector, "feedthrough", {"corrected", "ignored"}, S::OffsetFeedthrough::corrected);
  settings.alpha = number_of(corrector, "alpha", 1.0);
  const char* const offset = corrector.name == "tracking" ? "offset" : "residual";
  settings.offset = chosen(corrector, offset, {"none", "printed", "plain", "cumulative", "deadbeat"}, S::Offset::none);
  if (corrector.name == "plc") settings.outputs = S::Outputs::feedthrough;
  if (corrector.name == "mbcorr") {
    settings.outputs = S::Outputs::model;
    settings.shape = chosen(corrector, "kernel", {"zero", "ramp", "first-order"}, S::Shape::constant);
  }
  if (corrector.name == "tracking") {
    settings.outputs = S::Outputs::tracked;
    settings.shape = chosen(corrector, "input", {"linear", "quadratic"}, S::Shape::linear);
    settings.jacobians = chosen(corrector, "jacobians", {"each-output", "end"}, S::Jacobians::each_output);
  }
  settings.micro_outputs = static_cast<int>(number_of(corrector, points, 1.0));
  S::Learning& learning = settings.learning;
  learning.order = static_cast<int>(number_of(corrector, "order", learning.order));
  learning.window = static_cast<int>(number_of(corrector, "window", learning.window));
  learning.threshold = number_of(corrector, "threshold", learning.threshold);
  learning.start = chosen(corrector, "start", {"careful", "eager"}, S::Learning::Start::careful);
  return settings;
}

}  // namespace seam::coupling
