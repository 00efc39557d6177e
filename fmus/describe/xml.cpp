#include "fmus/describe/xml.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace seam::fmus {

std::string escaped(const std::string& text) {
  static const std::map<char, const char*> escapes = {{'&', "&amp;"},  {'<', "&lt;"},  {'>', "&gt;"},  {'"', "&quot;"},
                                                      {'\n', "&#10;"}, {'\t', "&#9;"}, {'\r', "&#13;"}};
  std::string result;
  for (const char c : text) {
    const auto escape = escapes.find(c);
    if (escape == escapes.end()) {
      result += c;
    } else {
      result += escape->second;
    }
  }
  return result;
}

std::string attribute(const std::string& name, const std::string& text) {
  return " " + name + "=\"" + escaped(text) + "\"";
}

std::string scalar_type(const Variable& variable) {
  switch (variable.type) {
    case Type::float64:
      return "Real";
    case Type::boolean:
      return "Boolean";
    case Type::string:
      return "String";
    case Type::enumeration:
      return "Enumeration";
    default:
      return "Integer";
  }
}

std::string flag(const std::string& name, bool value) { return value ? attribute(name, "true") : ""; }

std::string unit_definitions(const Model& model) {
  static const std::map<std::string, const char*> bases = {{"m", R"(m="1")"},
                                                           {"kg", R"(kg="1")"},
                                                           {"s", R"(s="1")"},
                                                           {"ns", R"(s="1" factor="1e-9")"},
                                                           {"N", R"(kg="1" m="1" s="-2")"},
                                                           {"m/s", R"(m="1" s="-1")"},
                                                           {"m/s2", R"(m="1" s="-2")"},
                                                           {"N/m", R"(kg="1" s="-2")"},
                                                           {"N.s/m", R"(kg="1" s="-1")"},
                                                           {"Hz", R"(s="-1")"},
                                                           {"rad", R"(rad="1")"}};
  std::set<std::string> units;
  for (const Variable& variable : model.variables()) {
    if (!variable.unit.empty()) units.insert(variable.unit);
  }
  std::string result = "  <UnitDefinitions>\n";
  for (const std::string& unit : units) {
    result += "    <Unit" + attribute("name", unit) + "><BaseUnit " + bases.at(unit) + "/></Unit>\n";
  }
  return result + "  </UnitDefinitions>\n";
}

std::string log_categories() {
  std::string result = "  <LogCategories>\n";
  for (const char* name : {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"}) {
    result += "    <Category" + attribute("name", name) + "/>\n";
  }
  return result + "  </LogCategories>\n";
}

std::string default_experiment(const Model& model) {
  const Traits traits = model.traits();
  return "  <DefaultExperiment" + attribute("startTime", "0") + attribute("stopTime", number(traits.stop)) +
         (traits.step ? attribute("stepSize", number(*traits.step)) : "") + "/>\n";
}

std::string word(Causality causality) {
  switch (causality) {
    case Causality::parameter:
      return "parameter";
    case Causality::structural_parameter:
      return "structuralParameter";
    case Causality::input:
      return "input";
    case Causality::output:
      return "output";
    case Causality::local:
      return "local";
    case Causality::independent:
      return "independent";
  }
  return "";
}

std::string word(Variability variability) {
  switch (variability) {
    case Variability::constant:
      return "constant";
    case Variability::fixed:
      return "fixed";
    case Variability::tunable:
      return "tunable";
    case Variability::discrete:
      return "discrete";
    case Variability::continuous:
      return "continuous";
  }
  return "";
}

std::string word(Initial initial) {
  switch (initial) {
    case Initial::none:
      return "";
    case Initial::exact:
      return "exact";
    case Initial::approx:
      return "approx";
    case Initial::calculated:
      return "calculated";
  }
  return "";
}

std::string enumeration_name(const Variable& variable) { return variable.name == "solver" ? "Solver" : "Switch"; }

std::vector<const Variable*> enumerations(const Model& model) {
  std::vector<const Variable*> result;
  for (const Variable& variable : model.variables()) {
    const auto same = [&](const Variable* known) { return enumeration_name(*known) == enumeration_name(variable); };
    if (variable.items.empty() || std::any_of(result.begin(), result.end(), same)) continue;
    result.push_back(&variable);
  }
  return result;
}

bool is_initial_unknown(const Model& model, int place) {
  const Variable& variable = model.variables()[static_cast<std::size_t>(place)];
  if (variable.initial != Initial::calculated || !variable.clocks.empty()) return false;
  if (variable.causality == Causality::output || variable.derivative_of >= 0) return true;
  return std::any_of(model.variables().begin(), model.variables().end(),
                     [&](const Variable& other) { return other.derivative_of == place; });
}

std::vector<int> initial_dependencies(const Model& model, int place) {
  std::vector<int> result;
  const std::vector<int>& direct = model.variables()[static_cast<std::size_t>(place)].depends_on;
  for (const Variable& variable : model.variables()) {
    const int known = model.place(variable);
    const bool reaches = std::find(direct.begin(), direct.end(), known) != direct.end();
    const bool given = is_input(variable) || variable.causality == Causality::independent;
    if (variable.causality == Causality::parameter || (given && reaches)) result.push_back(known);
  }
  return result;
}

}  // namespace seam::fmus
