#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "seam/fmi/description/check_description.hpp"
#include "seam/fmi/description/initial_table.hpp"
#include "seam/fmi/description/values.hpp"
#include "seam/fmi/description/words.hpp"

namespace seam::fmi {
namespace {

bool is_float(const Variable& variable) { return variable.type == Type::float32 || variable.type == Type::float64; }

class VariableCheck {
 public:
  VariableCheck(const ModelDescription& description, Notes& notes)
      : description_(description), index_(description), notes_(notes) {
    for (const Unit& unit : description.units) units_.emplace(unit.name, &unit);
  }

  void check(const Variable& variable) {
    variable_ = &variable;
    check_start_values();
    check_range();
    if (description_.version == Version::fmi1) return;  // which has fewer rules, and units without definitions
    check_combination();
    check_start_presence();
    check_units();
    check_enumeration();
    check_signal_attributes();
    check_dimensions();
    check_clocks();
  }

 private:
  void error(std::string_view what) {
    notes_.error(variable_->line, fmt::format("variable {}: {}", in_quotes(variable_->name), what));
  }
  void warning(std::string_view what) {
    notes_.warning(variable_->line, fmt::format("variable {}: {}", in_quotes(variable_->name), what));
  }

  void check_combination() {
    const Variable& v = *variable_;
    if (v.name.find_first_of("\r\n\t") != std::string::npos) error("its name holds a line end or a tab");
    if (!is_allowed(v.causality, v.variability)) {
      return error(
          fmt::format("variability {} is not allowed with causality {}", word(v.variability), word(v.causality)));
    }
    if (v.causality == Causality::structural_parameter && description_.version == Version::fmi2) {
      return error("causality structuralParameter is not part of FMI 2.0");
    }
    if (v.initial && !may_be_written(description_.version, v.causality, v.variability, *v.initial)) {
      error(fmt::format("initial {} is not allowed with causality {} and variability {}", word(*v.initial),
                        word(v.causality), word(v.variability)));
    }
  }

  // FMI 2.0.5, 2.2.7 and FMI 3.0.2, 2.4.7.5, "start".
  void check_start_presence() {
    const Variable& v = *variable_;
    if (v.type == Type::clock || !v.start_readable) return;
    const bool is_given = v.initial == Initial::exact || v.initial == Initial::approx;
    const bool needs_start = is_given || v.causality == Causality::input || v.causality == Causality::parameter ||
                             v.causality == Causality::structural_parameter || v.variability == Variability::constant;
    if (v.causality == Causality::independent) {
      if (!v.start.empty()) error("the independent variable must not have a start value");
      if (!is_float(v)) error("the independent variable must be of a floating-point type");
    } else if (needs_start && v.start.empty()) {
      error(fmt::format("a start value is required ({})", v.causality == Causality::input ? "an input"
                                                          : is_given ? fmt::format("initial {}", word(*v.initial))
                                                                     : std::string(word(v.causality))));
    } else if (!needs_start && !v.start.empty()) {
      error("a start value is not allowed, its initial value is calculated");
    }
  }

  void check_start_values() {
    const Variable& v = *variable_;
    std::string reason;
    const std::optional<Values> values = parse_values(v.type, v.start, reason);
    if (!values || v.start.empty()) return;
    std::vector<double> numbers = values->reals;
    for (const std::int64_t integer : values->integers) {
      if (v.type == Type::boolean) break;
      numbers.push_back(v.type == Type::uint64 ? static_cast<double>(static_cast<std::uint64_t>(integer))
                                               : static_cast<double>(integer));
    }
    for (const double number : numbers) {
      if ((v.min && number < *v.min) || (v.max && number > *v.max)) {
        error(fmt::format("its start value {} is outside of min and max", number));
        break;
      }
    }
    if (v.type != Type::enumeration || v.items.empty()) return;
    std::unordered_set<std::int64_t> known;
    for (const EnumerationItem& item : v.items) known.insert(item.value);
    const auto is_item = [&known](std::int64_t value) { return known.count(value) > 0; };
    const auto unknown = std::find_if_not(values->integers.begin(), values->integers.end(), is_item);
    if (unknown != values->integers.end())
      error(fmt::format("its start value {} is none of the items of its type", *unknown));
  }

  void check_range() {
    const Variable& v = *variable_;
    if (v.min && v.max && *v.min > *v.max) error(fmt::format("min {} is larger than max {}", *v.min, *v.max));
    if (v.nominal && !(std::abs(*v.nominal) > 0.0)) warning("nominal should be a number other than 0");
  }

  void check_units() {
    const Variable& v = *variable_;
    if (v.unit.empty()) {
      if (!v.display_unit.empty())
        error(fmt::format("displayUnit {} is there without a unit", in_quotes(v.display_unit)));
      return;
    }
    const auto unit = units_.find(v.unit);
    if (unit == units_.end()) return error(fmt::format("unit {} is not defined", in_quotes(v.unit)));
    if (v.display_unit.empty()) return;
    const auto& displays = unit->second->displays;
    const auto is_named = [&v](const Unit::Display& display) { return display.name == v.display_unit; };
    if (std::none_of(displays.begin(), displays.end(), is_named)) {
      error(fmt::format("displayUnit {} is not defined for the unit {}", in_quotes(v.display_unit), in_quotes(v.unit)));
    }
  }

  void check_enumeration() {
    if (variable_->type == Type::enumeration && variable_->declared_type.empty())
      error("an enumeration needs a declaredType");
  }

  void check_signal_attributes() {
    const Variable& v = *variable_;
    const bool continuous = v.variability == Variability::continuous;
    if (v.derivative_of) {
      const Variable& state = description_.variables[*v.derivative_of];
      if (&state == variable_) error("it is its own derivative");
      if (!is_float(v) || !is_float(state)) error("derivative is for floating-point variables only");
    }
    if (v.intermediate_update && !continuous) error("only continuous variables can have intermediateUpdate");
    if (!v.can_handle_multiple_set_per_time_instant && v.causality != Causality::input) {
      error("canHandleMultipleSetPerTimeInstant is for inputs only");
    }
  }

  // FMI 3.0.2, 2.4.7.2: sizes are positive; a variable that gives one is a UInt64 constant or structural parameter.
  void check_dimensions() {
    const Variable& v = *variable_;
    if (v.dimensions.empty()) {
      if (v.start.size() > 1) error(fmt::format("a scalar has {} start values", v.start.size()));
      return;
    }
    if (v.type == Type::clock) error("a clock cannot be an array");
    if (v.causality == Causality::structural_parameter) error("a structural parameter cannot be an array");
    for (const Dimension& dimension : v.dimensions) check_dimension(dimension);
    const std::optional<std::uint64_t> elements = index_.start_elements(v);
    if (!elements)
      return error(fmt::format("the size of the array is unknown or more than {} elements", largest_array));
    if (v.start.size() > 1 && v.start.size() != *elements) {
      error(fmt::format("it has {} start values for {} elements", v.start.size(), *elements));
    }
  }

  void check_dimension(const Dimension& dimension) {
    if (dimension.start.has_value() == dimension.value_reference.has_value()) {
      return error("a dimension needs either start or valueReference");
    }
    if (dimension.start) {
      if (*dimension.start == 0) error("a dimension must not be 0");
      return;
    }
    const std::optional<std::size_t> sizer = index_.find(*dimension.value_reference);
    if (!sizer)
      return error(fmt::format("a dimension names value reference {}, but there is no such variable",
                               *dimension.value_reference));
    const Variable& size = description_.variables[*sizer];
    const bool is_size = size.type == Type::uint64 && (size.causality == Causality::structural_parameter ||
                                                       size.variability == Variability::constant);
    if (!is_size)
      error(fmt::format("a dimension names {}, which is no UInt64 constant or structural parameter",
                        in_quotes(size.name)));
    if (size.start.size() == 1 && size.start.front() == "0") error("a dimension must not be 0");
  }

  void check_clocks() {
    const Variable& v = *variable_;
    for (const std::uint32_t reference : v.clocks) {
      const std::optional<std::size_t> clock = index_.find(reference);
      if (!clock || description_.variables[*clock].type != Type::clock) {
        error(fmt::format("clocks names value reference {}, which is no clock", reference));
      }
    }
    const bool changes_at_ticks = v.variability == Variability::discrete || v.variability == Variability::tunable;
    if (!v.clocks.empty() && !changes_at_ticks) error("a clocked variable must be discrete or tunable");
    if (v.type != Type::clock) return;
    static constexpr std::array<std::string_view, 7> kinds{"constant", "fixed",     "calculated", "tunable",
                                                           "changing", "countdown", "triggered"};
    const ClockAttributes& clock = v.clock;
    if (std::find(kinds.begin(), kinds.end(), clock.interval_variability) == kinds.end()) {
      error(fmt::format("intervalVariability {} is unknown", in_quotes(clock.interval_variability)));
    }
    if (v.variability != Variability::discrete) error("a clock must be discrete");
    if (v.causality != Causality::input && v.causality != Causality::output && v.causality != Causality::local) {
      error("a clock must be an input, an output or local");
    }
    if (clock.interval_variability == "constant" && !clock.interval)
      error("a clock of constant interval needs its interval");
    if (clock.interval && !(*clock.interval > 0.0)) error("the interval of a clock must be positive");
  }

  const ModelDescription& description_;
  VariableIndex index_;
  Notes& notes_;
  std::unordered_map<std::string, const Unit*> units_;
  const Variable* variable_ = nullptr;
};

}  // namespace

void check_variables(const ModelDescription& description, Notes& notes) {
  VariableCheck check(description, notes);
  for (const Variable& variable : description.variables) check.check(variable);
}

}  // namespace seam::fmi
