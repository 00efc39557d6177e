#include "fmus/framework/variable.hpp"

#include <charconv>

namespace seam::fmus {

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

Variable parameter(std::string name, double start, std::string unit, Variability variability) {
  Variable variable;
  variable.name = std::move(name);
  variable.causality = Causality::parameter;
  variable.variability = variability;
  variable.initial = Initial::exact;
  variable.start = number(start);
  variable.unit = std::move(unit);
  return variable;
}

Variable input(std::string name, double start, std::string unit) {
  Variable variable;
  variable.name = std::move(name);
  variable.causality = Causality::input;
  variable.initial = Initial::none;
  variable.start = number(start);
  variable.unit = std::move(unit);
  return variable;
}

Variable output(std::string name, std::string unit) {
  Variable variable;
  variable.name = std::move(name);
  variable.causality = Causality::output;
  variable.unit = std::move(unit);
  return variable;
}

}  // namespace seam::fmus
