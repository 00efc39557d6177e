// What an FMU says of itself, the same for FMI 1.0, 2.0 and 3.0. Plain values; reading it never loads the FMU's code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace seam::fmi {

enum class Version { fmi1, fmi2, fmi3 };

/// What the standard objects to in a description (error), or what is allowed but hardly meant (warning).
struct DescriptionProblem {
  enum class Grade { error, warning } grade;
  std::string what;
  int line = 0;  ///< in modelDescription.xml; 0: not one line's matter
};

/// FMI 2's Real is float64, its Integer int32; an enumeration is int32 in FMI 2 and int64 in FMI 3.
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
inline constexpr std::size_t type_count = 15;

enum class Causality { parameter, calculated_parameter, structural_parameter, input, output, local, independent };
enum class Variability { constant, fixed, tunable, discrete, continuous };
enum class Initial { exact, approx, calculated };

/// One dimension of an array: a fixed size, or the value of a structural parameter.
struct Dimension {
  std::optional<std::uint64_t> start;
  std::optional<std::uint32_t> value_reference;
};

/// base = factor*value + offset; exponents of kg m s A K mol cd rad.
struct Unit {
  std::string name;
  bool has_base = false;
  int exponents[8] = {};
  double factor = 1.0, offset = 0.0;
  struct Display {
    std::string name;
    double factor = 1.0, offset = 0.0;
    bool inverse = false;
  };
  std::vector<Display> displays;
  int line = 0;
};

struct EnumerationItem {
  std::string name;
  std::int64_t value = 0;
};

struct ClockAttributes {
  std::string interval_variability;       ///< constant, fixed, calculated, tunable, changing, countdown, triggered
  std::optional<double> interval, shift;  ///< s; counter / resolution where no decimal is written
  std::optional<std::uint64_t> resolution, interval_counter, shift_counter;
  std::optional<std::uint32_t> priority;
  bool supports_fraction = false;
  bool can_be_deactivated = false;
};

/// The terminal a variable belongs to (terminalsAndIcons.xml), and what it is there. An inflow is positive into the
/// FMU.
struct TerminalPlace {
  enum class Role { signal, inflow, outflow };
  std::string name;  ///< empty: none
  Role role = Role::signal;
};

struct Variable {
  std::string name;
  std::string description;
  std::uint32_t value_reference = 0;
  Type type = Type::float64;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  std::optional<Initial> initial;  ///< the default of the standard's table where it is not written
  std::vector<std::string> start;  ///< as written, one text an element (binaries: hexadecimal); empty: none
  bool start_readable = true;      ///< false: what was written is no value of the type, and `start` is empty
  std::string unit, display_unit, quantity, declared_type;
  bool relative_quantity = false;
  std::optional<double> min, max, nominal;
  std::vector<Dimension> dimensions;
  std::vector<EnumerationItem> items;        ///< of an enumeration
  std::string mime_type;                     ///< of a binary
  std::optional<std::uint64_t> max_size;     ///< of a binary, bytes
  std::optional<std::size_t> derivative_of;  ///< index of the variable this is the derivative of
  std::optional<std::size_t> previous;       ///< index of the variable that holds this clocked state's previous value
  bool intermediate_update = false;
  bool reinit = false;
  bool can_handle_multiple_set_per_time_instant = true;
  std::vector<std::uint32_t> clocks;  ///< value references of the clocks it belongs to
  ClockAttributes clock;
  std::vector<std::string> aliases;  ///< further names (FMI 3)
  TerminalPlace terminal;
  int line = 0;  ///< in modelDescription.xml
};

/// One entry of the model structure. No `dependencies`: depends on all knowns; an empty list: on none.
struct Unknown {
  std::size_t variable = 0;  ///< index
  std::optional<std::vector<std::size_t>> dependencies;
  std::vector<std::string> dependency_kinds;
  int line = 0;
};

struct ModelStructure {
  std::vector<Unknown> outputs, derivatives, clocked_states, initial_unknowns;
  std::size_t event_indicators = 0;
  std::optional<std::size_t> continuous_states = {};  ///< FMI 1.0, which does not say which variables they are
};

/// What one interface of the FMU (co-simulation or model exchange) can do.
struct Interface {
  std::string model_identifier;
  bool needs_execution_tool = false;
  bool can_handle_variable_step = false;
  bool can_interpolate_inputs = false;
  unsigned max_output_derivative_order = 0;
  bool can_get_and_set_state = false;
  bool can_serialize_state = false;
  bool provides_directional_derivatives = false;
  bool provides_adjoint_derivatives = false;
  bool can_be_instantiated_only_once = false;
  bool runs_asynchronously = false;
  bool has_event_mode = false;
  bool provides_intermediate_update = false;
  bool might_return_early = false;
  bool can_return_early_after_intermediate_update = false;
  bool needs_completed_integrator_step = true;
  std::optional<double> fixed_internal_step;
  bool provides_evaluate_discrete_states = false;
  bool provides_per_element_dependencies = false;
  bool can_not_use_memory_management = false;
  std::vector<std::string> source_files;  ///< FMI 2, relative to sources/
  int line = 0;
};

struct DefaultExperiment {
  std::optional<double> start, stop, tolerance, step;
};

struct LogCategory {
  std::string name, description;
};

struct ModelDescription {
  Version version = Version::fmi2;
  std::string version_text;  ///< "1.0", "2.0", "3.0.1"
  std::string model_name, description, author, copyright, license, model_version;
  std::string token;  ///< guid (FMI 1.0, 2) or instantiationToken (FMI 3)
  std::string generation_tool, generation_date, naming_convention;
  std::optional<Interface> co_simulation, model_exchange;
  bool offers_scheduled_execution = false;
  std::vector<Unit> units;
  std::vector<LogCategory> log_categories;
  DefaultExperiment experiment;
  std::vector<Variable>
      variables;  ///< in the order of the file; the independent variable (time) is one of them if it is listed
  ModelStructure structure;
  /// FMI 1.0: the value of a negatedAlias is that of its reference with the other sign. Such variables have a reference
  /// of our own; here is the FMU's.
  std::unordered_map<std::uint32_t, std::uint32_t> negated;

  /// What the standard objects to and only the reader could see; `seam check` shows it with the rest.
  std::vector<DescriptionProblem> found_while_reading;

  const Variable* find(const std::string& name) const;  ///< by name or alias
};

/// More elements than any array may have: what a description merely claims is not allocated.
inline constexpr std::uint64_t largest_array = std::uint64_t{1} << 28;

/// Variables by value reference (FMI 3, where it is unique) without a search through all of them.
class VariableIndex {
 public:
  explicit VariableIndex(const ModelDescription& description);

  /// The first variable of that reference.
  std::optional<std::size_t> find(std::uint32_t value_reference) const;
  /// As start_elements() of the description.
  std::optional<std::uint64_t> start_elements(const Variable& variable) const;

 private:
  const ModelDescription& description_;
  std::unordered_map<std::uint32_t, std::size_t> indices_;
};

/// How many elements the variable has with the start values of the structural parameters; 1 for a scalar.
/// None if a size is unknown, or if there are more than largest_array.
std::optional<std::uint64_t> start_elements(const ModelDescription& description, const Variable& variable);

/// A letter or `_`, then letters, digits and `_`, at most 200: what the standard asks of a model identifier.
bool is_identifier(const std::string& text);

/// What may become part of a file name: an identifier, or one with `-` and `.` behind a letter, a digit or `_`.
bool can_name_a_library(const std::string& text);

}  // namespace seam::fmi
