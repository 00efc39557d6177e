#include "seam/coupling/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "seam/base/names.hpp"

namespace seam::coupling {
namespace {

const char* part_word(Part part) {
  switch (part) {
    case Part::coupling:
      return "coupling method";
    case Part::emitter:
      return "emitter";
    case Part::receiver:
      return "receiver";
    case Part::corrector:
      return "corrector";
  }
  return "";
}

void refuse_name(const Entry& entry, const system::Setting& given, base::Problems& problems) {
  std::vector<std::string> known;
  for (const Choice& c : entry.choices) known.push_back(c.name);
  for (const Number& n : entry.numbers) known.push_back(n.name);
  if (entry.part == Part::corrector) known.push_back(over_word);
  problems.add(given.where, "\"" + entry.name + "\" has no parameter \"" + given.name + "\"",
               base::did_you_mean(given.name, known));
}

/// A number as written; none, and a problem, if it is none or not in its range.
std::optional<double> read_number(const Number& number, const system::Setting& given, base::Problems& problems) {
  const Range& range = number.range;
  const bool whole = number.kind == Number::Kind::whole, above = range.ends == Range::Low::excluded;
  double value = given.value.number;
  bool read = given.value.kind == system::Value::Kind::number && given.value.unit.empty();
  if (given.value.kind == system::Value::Kind::text) {
    const std::string& text = given.value.text;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    read = result.ec == std::errc() && result.ptr == text.data() + text.size();
  }
  if (read && value == number.usual) return value;
  if (read && (above ? value > range.low : value >= range.low) && value <= range.high &&
      (!whole || value == std::floor(value)))
    return value;
  problems.add(given.value.where, fmt::format("\"{}\" cannot be \"{}\"", given.name, given.value.text),
               fmt::format("give a {} {} {} {} {}", whole ? "whole number" : "number", above ? "above" : "from",
                           range.low, above ? "and up to" : "to", range.high));
  return std::nullopt;
}

template <class Value>
void set_value(std::vector<std::pair<std::string, Value>>& values, const std::string& name, const Value& value) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& item) { return item.first == name; });
  if (found == values.end())
    values.emplace_back(name, value);
  else
    found->second = value;
}

/// Declared numbers first, in the order of the entry.
void put_in_order(const Entry& entry, std::vector<std::pair<std::string, double>>& numbers) {
  const auto rank = [&](const auto& number) { return named(entry.numbers, number.first) - entry.numbers.begin(); };
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](const auto& one, const auto& other) { return rank(one) < rank(other); });
}

}  // namespace

const std::string& Parameters::choice(std::string_view name) const {
  static const std::string none;
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.first == name; });
  return found == choices.end() ? none : found->second;
}

std::optional<double> Parameters::number(std::string_view name) const {
  const auto found = std::find_if(numbers.begin(), numbers.end(), [&](const auto& n) { return n.first == name; });
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

bool Parameters::is_given(std::string_view name) const {
  return std::find(given.begin(), given.end(), name) != given.end();
}

const Entry* look_up(Part part, const system::MethodRequest& request, base::Problems& problems) {
  const Entry* entry = find(part, request.name);
  if (!entry)
    problems.add(request.where, fmt::format("there is no {} \"{}\"", part_word(part), request.name),
                 base::did_you_mean(request.name, names(part)));
  return entry;
}

Parameters read_parameters(const Entry& entry, const system::MethodRequest& request, base::Problems& problems) {
  Parameters result;
  result.where = request.where;
  for (const Choice& choice : entry.choices) result.choices.emplace_back(choice.name, choice.values.front());
  for (const Number& number : entry.numbers) {
    if (number.usual) result.numbers.emplace_back(number.name, *number.usual);
  }
  for (const system::Setting& given : request.parameters) {
    const auto choice = named(entry.choices, given.name);
    const auto number = named(entry.numbers, given.name);
    const bool further = entry.takes_number && entry.takes_number(given.name);
    if (entry.part == Part::corrector && given.name == over_word) continue;
    result.given.push_back(given.name);
    if (further || number != entry.numbers.end()) {
      const Number any{given.name, {}, {-1e300, 1e300}, ""};
      if (const auto value = read_number(further ? any : *number, given, problems))
        set_value(result.numbers, given.name, *value);
    } else if (choice == entry.choices.end()) {
      refuse_name(entry, given, problems);
    } else if (std::find(choice->values.begin(), choice->values.end(), given.value.text) == choice->values.end()) {
      problems.add(given.value.where, "\"" + given.name + "\" cannot be \"" + given.value.text + "\"",
                   base::did_you_mean(given.value.text, choice->values));
    } else {
      set_value(result.choices, given.name, given.value.text);
    }
  }
  put_in_order(entry, result.numbers);
  return result;
}

bool is_default(const Entry& entry, const system::Setting& given) {
  const auto choice = named(entry.choices, given.name);
  if (choice != entry.choices.end()) return given.value.text == choice->values.front();
  const auto number = named(entry.numbers, given.name);
  return number != entry.numbers.end() && given.value.kind == system::Value::Kind::number &&
         number->usual == given.value.number;
}

std::string changed_choices(const Entry& entry, const std::vector<std::pair<std::string, std::string>>& choices) {
  std::string text;
  for (const auto& [name, value] : choices) {
    const auto known = named(entry.choices, name);
    if (known == entry.choices.end() || known->values.front() != value) text += "," + name + "=" + value;
  }
  return text;
}

std::string changed_numbers(const Entry& entry, const std::vector<std::pair<std::string, double>>& numbers) {
  std::string text;
  for (const auto& [name, value] : numbers) {
    const auto known = named(entry.numbers, name);
    if (known == entry.numbers.end() || known->usual != value) text += fmt::format(",{}={}", name, value);
  }
  return text;
}

std::string default_text(const Number& number) {
  if (!number.usual_text.empty() || !number.usual) return number.usual_text;
  return fmt::format("{}", *number.usual);
}

}  // namespace seam::coupling
