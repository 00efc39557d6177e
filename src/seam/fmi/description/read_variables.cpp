#include <fmt/format.h>

#include <algorithm>

#include "seam/base/names.hpp"
#include "seam/fmi/description/description_reader.hpp"
#include "seam/fmi/description/initial_table.hpp"
#include "seam/fmi/description/values.hpp"
#include "seam/fmi/description/words.hpp"

namespace seam::fmi {
namespace {

using formats::XmlElement;

constexpr std::size_t most_variables = 2'000'000;

bool is_float(Type type) { return type == Type::float32 || type == Type::float64; }

bool is_parameter(Causality causality) {
  return causality == Causality::parameter || causality == Causality::calculated_parameter ||
         causality == Causality::structural_parameter;
}

bool is_text(Type type) { return type == Type::string || type == Type::binary; }

// FMI 1.0 and 2: one value in the attribute. FMI 3: a list in it, but one <Start value> each for strings and binaries.
std::vector<std::string> written_starts(const XmlElement& typed, Type type, Version version) {
  std::vector<std::string> texts;
  if (version == Version::fmi3 && is_text(type)) {
    for (const XmlElement& child : typed.children("Start")) texts.emplace_back(child.attribute("value").value_or(""));
    return texts;
  }
  const std::optional<std::string_view> written = typed.attribute("start");
  if (!written) return texts;
  if (version != Version::fmi3) {
    texts.emplace_back(type == Type::string ? *written : formats::trimmed(*written));
  } else {
    const std::vector<std::string_view> items = formats::list_items(*written);
    texts.assign(items.begin(), items.end());
  }
  return texts;
}

// Why the texts are no values of the type, or empty.
std::string unreadable(Type type, Version version, const std::vector<std::string>& texts) {
  if (type == Type::binary) {
    const auto bad =
        std::find_if_not(texts.begin(), texts.end(), [](const std::string& text) { return bytes_of(text); });
    return bad == texts.end() ? std::string{} : fmt::format("{} is not hexadecimal", in_quotes(*bad));
  }
  if (type == Type::string) return {};
  for (const std::string& text : texts) {
    std::string reason;
    if (!parse_values(type, {text}, reason))
      return fmt::format("{} is no {}", in_quotes(text), type_word(type, version));
  }
  return {};
}

/// The start values as texts; what is kept is a value of the type of the variable.
void read_start(Draft& draft, const XmlElement& typed, Variable& variable) {
  const Version version = draft.description.version;
  const auto refuse = [&](std::string_view reason) {
    draft.notes.error(typed.line(), fmt::format("variable {}: start {}", in_quotes(variable.name), reason));
    variable.start.clear();
    variable.start_readable = false;
  };
  if (version == Version::fmi3 && typed.attribute("start") && is_text(variable.type)) {
    return refuse("of strings and binaries is written as <Start value=\"…\"/>");
  }
  variable.start = written_starts(typed, variable.type, version);
  const bool is_empty_list = variable.start.empty() && typed.attribute("start");
  if (is_empty_list || variable.type == Type::clock) {
    if (typed.attribute("start")) refuse(is_empty_list ? "is empty" : "must not be given for a clock");
    return;
  }
  if (!draft.budget.take(Budget::start * variable.start.size())) return refuse("has too many elements");
  const std::string reason = unreadable(variable.type, version, variable.start);
  if (!reason.empty()) refuse(reason);
}

/// Reads one variable: `common` holds name and causality, `typed` the rest; in FMI 3 they are one element.
class VariableReader {
 public:
  VariableReader(Draft& draft, const XmlElement& common, const XmlElement& typed, Type type)
      : draft_(draft),
        common_element_(common),
        common_(common, draft.notes),
        element_(typed),
        definition_(find_definition(typed)),
        typed_(typed, draft.notes, definition_ ? std::optional(definition_->element) : std::nullopt) {
    variable_.type = type;
    variable_.line = common.line();
  }

  /// None if name or value reference are missing: it could not be used.
  std::optional<Variable> read() {
    variable_.name = common_.required_text("name");
    const auto reference = common_.integer<std::uint32_t>("valueReference");
    if (variable_.name.empty()) return std::nullopt;
    if (!reference && !common_.has("valueReference")) note("needs the attribute valueReference");
    if (!reference) return std::nullopt;
    variable_.value_reference = *reference;
    variable_.description = common_.text("description");
    if (draft_.description.version == Version::fmi1) {
      read_kind1(common_element_, element_, variable_, draft_);
    } else {
      variable_.causality = common_.choice<Causality>("causality").value_or(Causality::local);
      read_variability();
      read_initial();
    }
    read_type_attributes();
    read_start(draft_, element_, variable_);
    if (draft_.description.version == Version::fmi3) read_fmi3();
    return std::move(variable_);
  }

 private:
  void note(std::string_view what) {
    draft_.notes.error(variable_.line, fmt::format("variable {}: {}", in_quotes(variable_.name), what));
  }

  const TypeDefinition* find_definition(const XmlElement& typed) {
    const std::optional<std::string_view> name = typed.attribute("declaredType");
    if (!name) return nullptr;
    const auto found = draft_.types.find(std::string(*name));
    if (found == draft_.types.end()) {
      draft_.notes.error(typed.line(),
                         fmt::format("declaredType {} is not among the type definitions", in_quotes(*name)));
      return nullptr;
    }
    std::string_view kind = found->second.element.name();
    if (draft_.description.version != Version::fmi2 && kind.size() > 4) kind.remove_suffix(4);  // Float64Type
    if (kind == typed.name()) return &found->second;
    draft_.notes.error(typed.line(), fmt::format("declaredType {} is of type {}, not {}", in_quotes(*name),
                                                 in_quotes(found->second.element.name()), in_quotes(typed.name())));
    return nullptr;
  }

  // FMI 2's default is continuous for everything, which no parameter and no discrete type may be.
  void read_variability() {
    const std::optional<Variability> written = common_.choice<Variability>("variability");
    const Variability usual = is_parameter(variable_.causality) ? Variability::fixed
                              : is_float(variable_.type)        ? Variability::continuous
                                                                : Variability::discrete;
    variable_.variability = written.value_or(usual);
    if (!written && draft_.description.version == Version::fmi2 && usual != Variability::continuous) {
      note(fmt::format("variability must be written, its default is continuous; read as {}", word(usual)));
    }
    if (variable_.variability == Variability::continuous && !is_float(variable_.type)) {
      note("only floating-point variables can be continuous; read as discrete");
      variable_.variability = Variability::discrete;
    }
  }

  void read_initial() {
    const Version version = draft_.description.version;
    const std::optional<Initial> written = common_.choice<Initial>("initial");
    if (variable_.type != Type::clock) {
      variable_.initial = default_initial(version, variable_.causality, variable_.variability);
    }
    if (!written) return;
    // FMI 2 forbids `initial` on inputs and FMI 3 on the independent variable: what some write there means nothing.
    if (!variable_.initial && is_allowed(variable_.causality, variable_.variability)) {
      return note(fmt::format("initial must not be given ({})",
                              variable_.type == Type::clock ? std::string_view("a clock") : word(variable_.causality)));
    }
    variable_.initial = *written;
  }

  void read_type_attributes() {
    variable_.declared_type = element_.attribute("declaredType").value_or("");
    variable_.quantity = typed_.text("quantity");
    variable_.unit = typed_.text("unit");
    variable_.display_unit = typed_.text("displayUnit");
    variable_.relative_quantity = typed_.flag("relativeQuantity");
    variable_.min = typed_.number("min");
    variable_.max = typed_.number("max");
    variable_.nominal = typed_.number("nominal");
    variable_.reinit = typed_.flag("reinit");
    variable_.can_handle_multiple_set_per_time_instant =
        common_.optional_flag("canHandleMultipleSetPerTimeInstant").value_or(true);
    if (variable_.type != Type::enumeration || !definition_) return;
    if (draft_.budget.take(definition_->cost)) {
      variable_.items = definition_->items;
    } else {
      note("there are too many enumeration items in all; these are left out");
    }
  }

  void read_fmi3() {
    variable_.intermediate_update = typed_.flag("intermediateUpdate");
    variable_.clocks = typed_.references("clocks").value_or(std::vector<std::uint32_t>{});
    for (const XmlElement& child : element_.children("Alias")) {
      const std::string alias = Attributes(child, draft_.notes).required_text("name");
      if (!alias.empty()) variable_.aliases.push_back(alias);
    }
    for (const XmlElement& child : element_.children("Dimension")) {
      const Attributes attributes(child, draft_.notes);
      variable_.dimensions.push_back(
          {attributes.integer<std::uint64_t>("start"), attributes.integer<std::uint32_t>("valueReference")});
    }
    if (variable_.type == Type::binary) {
      variable_.mime_type = typed_.text("mimeType");
      if (variable_.mime_type.empty()) variable_.mime_type = "application/octet-stream";
      variable_.max_size = typed_.integer<std::uint64_t>("maxSize");
    }
    if (variable_.type == Type::clock) read_clock();
  }

  // FMI 3.0.2, 2.4.5: interval = intervalCounter / resolution where no decimal interval is given; the shift likewise.
  void read_clock() {
    ClockAttributes& clock = variable_.clock;
    clock.interval_variability = typed_.text("intervalVariability");
    clock.interval = typed_.number("intervalDecimal");
    clock.shift = typed_.number("shiftDecimal");
    clock.supports_fraction = typed_.flag("supportsFraction");
    clock.can_be_deactivated = typed_.flag("canBeDeactivated");
    clock.resolution = typed_.integer<std::uint64_t>("resolution");
    clock.interval_counter = typed_.integer<std::uint64_t>("intervalCounter");
    clock.shift_counter = typed_.integer<std::uint64_t>("shiftCounter");
    clock.priority = typed_.integer<std::uint32_t>("priority");
    const auto seconds = [&clock](std::optional<std::uint64_t> counter) -> std::optional<double> {
      if (!counter || clock.resolution.value_or(0) == 0) return std::nullopt;
      return static_cast<double>(*counter) / static_cast<double>(*clock.resolution);
    };
    if (!clock.interval) clock.interval = seconds(clock.interval_counter);
    if (!clock.shift) clock.shift = seconds(clock.shift_counter);
  }

  Draft& draft_;
  XmlElement common_element_;
  Attributes common_;
  XmlElement element_;
  const TypeDefinition* definition_;
  Attributes typed_;
  Variable variable_;
};

/// An attribute that names another variable, to be resolved when all of them are known.
struct Pending {
  std::size_t variable;
  std::optional<std::uint32_t> derivative, previous;
};

void resolve(const std::vector<Pending>& pending, Draft& draft) {
  const VariableNames names(draft);
  for (const Pending& from : pending) {
    Variable& variable = draft.description.variables[from.variable];
    const auto find = [&](std::optional<std::uint32_t> written, const char* attribute) -> std::optional<std::size_t> {
      if (!written) return std::nullopt;
      const std::optional<std::size_t> found = names.find(*written);
      if (!found) {
        draft.notes.error(variable.line, fmt::format("variable {}: {} names {}, but there is no such variable",
                                                     in_quotes(variable.name), attribute, names.shown(*written)));
      }
      return found;
    };
    variable.derivative_of = find(from.derivative, "derivative");
    variable.previous = find(from.previous, "previous");
  }
}

/// The typed element of one entry of <ModelVariables>, and its type.
struct Typed {
  XmlElement element;
  Type type;
};

std::optional<Typed> typed_of(const XmlElement& element, Draft& draft) {
  if (draft.description.version == Version::fmi3) {
    if (const auto type = from_word<Type>(element.name())) return Typed{element, *type};
    draft.notes.warning(element.line(),
                        fmt::format("<{}> is no type of FMI 3.0; it is left out", in_quotes(element.name())));
    return std::nullopt;
  }
  for (const Type type : {Type::float64, Type::int32, Type::boolean, Type::string, Type::enumeration}) {
    if (const auto child = element.child(type_word(type, Version::fmi2).c_str())) return Typed{*child, type};
  }
  draft.notes.error(element.line(), "<ScalarVariable> needs a type: Real, Integer, Boolean, String or Enumeration");
  return std::nullopt;
}

}  // namespace

void read_variables(const XmlElement& root, Draft& draft) {
  const std::optional<XmlElement> list = root.child("ModelVariables");
  if (!list) return draft.notes.error(root.line(), "<ModelVariables> is missing");
  const bool two = draft.description.version != Version::fmi3;
  std::vector<Variable>& variables = draft.description.variables;
  std::vector<Pending> pending;
  for (const XmlElement& element : two ? list->children("ScalarVariable") : list->children()) {
    if (variables.size() == most_variables) {
      draft.notes.error(element.line(),
                        fmt::format("there are more than {} variables; the rest is left out", most_variables));
      break;
    }
    if (two) draft.positions.push_back(std::nullopt);
    const std::optional<Typed> typed = typed_of(element, draft);
    if (!typed) continue;
    std::optional<Variable> variable = VariableReader(draft, element, typed->element, typed->type).read();
    if (!variable) continue;
    const Attributes attributes(typed->element, draft.notes);
    Pending references{variables.size(), attributes.integer<std::uint32_t>("derivative"),
                       two ? std::nullopt : attributes.integer<std::uint32_t>("previous")};
    if (references.derivative || references.previous) pending.push_back(references);
    if (two) draft.positions.back() = variables.size();
    variables.push_back(std::move(*variable));
  }
  resolve(pending, draft);
}

}  // namespace seam::fmi
