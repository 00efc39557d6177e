// One variable of an FMU of ours, the same words for all versions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace seam::fmus {

enum class Version { fmi1 = 1, fmi2 = 2, fmi3 = 3 };

/// FMI 2's Real is float64, its Integer int32.
enum class Type {
  float32,
  float64,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  string,
  binary,
  enumeration,
  clock
};
constexpr std::size_t type_count = 15;

enum class Causality { parameter, structural_parameter, input, output, local, independent };
enum class Variability { constant, fixed, tunable, discrete, continuous };
enum class Initial { none, exact, approx, calculated };

/// What a variable is to the solver of the environment (model exchange).
enum class Role {
  ordinary,
  event_indicator,
  reset_state  ///< a continuous state that the model sets anew at events
};

/// Who decides when a clock ticks (FMI 3.0.2, 2.2.8.2).
enum class Ticking { constant, fixed, tunable, changing, countdown, triggered };

/// One dimension of an array: a fixed size, or the value of a structural parameter (its place in the list of
/// variables).
struct Dimension {
  std::uint64_t size = 1;
  int structural = -1;
};

constexpr int time_place = 0;  ///< of the independent variable in every list

struct Variable {
  std::string name;
  Type type = Type::float64;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  Initial initial = Initial::calculated;
  Role role = Role::ordinary;
  std::string start;  ///< as modelDescription.xml says it: arrays with blanks between, binaries in hexadecimal
  std::string unit;
  std::string min, max;  ///< as modelDescription.xml says them; empty: none
  std::string description;
  std::vector<std::string> items;  ///< of an enumeration, with the values 1, 2, …
  std::vector<Dimension> dimensions;
  int derivative_of = -1;                ///< the state, as a place in the list of variables
  std::vector<int> depends_on;           ///< outputs and derivatives: inputs and states, as places in the list
  std::vector<int> clocks;               ///< of a clocked variable, as places in the list
  int previous = -1;                     ///< of a clocked state: the variable with its value at the last tick
  Ticking ticking = Ticking::triggered;  ///< of a clock
  std::string interval, shift;           ///< of a clock, s, as modelDescription.xml says them; empty: not there
  bool can_be_deactivated = false;       ///< of an input clock

  std::uint32_t reference = 0;       ///< given by Model::add
  std::size_t offset = 0, size = 1;  ///< where its values lie in the memory
};

inline bool is_real(Type type) { return type == Type::float32 || type == Type::float64; }
inline bool is_text(Type type) { return type == Type::string || type == Type::binary; }
inline bool is_input(const Variable& variable) { return variable.causality == Causality::input; }
/// A port that is a function of time inside a step.
inline bool is_signal(const Variable& variable) {
  const bool port = is_input(variable) || variable.causality == Causality::output;
  return port && variable.type == Type::float64 && variable.variability == Variability::continuous;
}
inline bool is_periodic(Ticking ticking) {
  return ticking == Ticking::constant || ticking == Ticking::fixed || ticking == Ticking::tunable;
}
inline bool is_parameter(const Variable& variable) {
  return variable.causality == Causality::parameter || variable.causality == Causality::structural_parameter;
}

/// The type whose functions read and write this one: FMI has no functions for enumerations.
inline Type family(Type type, Version version) {
  if (type != Type::enumeration) return type;
  return version == Version::fmi3 ? Type::int64 : Type::int32;
}

/// A number as XML has it, without the locale and exact when it is read again.
std::string number(double value);

Variable parameter(std::string name, double start, std::string unit, Variability variability = Variability::fixed);
Variable input(std::string name, double start, std::string unit);
Variable output(std::string name, std::string unit);
Variable local(std::string name, std::string unit);
Variable discrete_output(std::string name, Type type);
Variable clock(std::string name, Causality causality, Ticking ticking);
/// A discrete variable that is there while this clock ticks.
Variable clocked(Variable variable, int clock);
/// Positive or not; a change of that is a state event.
Variable event_indicator(std::string name);

}  // namespace seam::fmus
