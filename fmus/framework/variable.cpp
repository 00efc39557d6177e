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

Variable local(std::string name, std::string unit) {
  Variable variable = output(std::move(name), std::move(unit));
  variable.causality = Causality::local;
  return variable;
}

Variable discrete_output(std::string name, Type type) {
  Variable variable = output(std::move(name), "");
  variable.type = type;
  variable.variability = Variability::discrete;
  return variable;
}

Variable clock(std::string name, Causality causality, Ticking ticking) {
  Variable variable = output(std::move(name), "");
  variable.type = Type::clock;
  variable.causality = causality;
  variable.variability = Variability::discrete;
  variable.initial = Initial::none;
  variable.ticking = ticking;
  return variable;
}

Variable clocked(Variable variable, int clock) {
  variable.variability = Variability::discrete;
  variable.clocks = {clock};
  return variable;
}

Variable event_indicator(std::string name) {
  Variable variable = local(std::move(name), "");
  variable.role = Role::event_indicator;
  return variable;
}

}  // namespace seam::fmus
