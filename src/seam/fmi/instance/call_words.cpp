#include "seam/fmi/instance/call_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/fmi/instance/messages.hpp"
#include "seam/formats/number.hpp"

namespace seam::fmi {
namespace {

using formats::number_text;

std::size_t most(Audience audience) { return audience == Audience::error ? 5 : 20; }

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

/// One element as a person reads it.
std::string element_text(Type type, const Values& values, std::size_t element) {
  switch (type) {
    case Type::float32:
    case Type::float64:
      return number_text(values.reals[element]);
    case Type::string:
      return "\"" + harmless(values.texts[element]) + "\"";
    case Type::binary:
      return fmt::format("{} bytes", values.texts[element].size());
    case Type::boolean:
    case Type::clock:
      return values.integers[element] != 0 ? "true" : "false";
    case Type::uint64:
      return std::to_string(static_cast<std::uint64_t>(values.integers[element]));
    default:
      return std::to_string(values.integers[element]);
  }
}

}  // namespace

/// FMI 2.0.5, 2.2.7: unique within Real, Integer (with enumerations), Boolean and String; FMI 3.0.2, 2.4.7: unique.
std::uint64_t CallWords::key(Type type, std::uint32_t reference) const {
  if (description_.version == Version::fmi3) return reference;
  const Type family = type == Type::enumeration ? Type::int32 : type;
  return static_cast<std::uint64_t>(family) << 32U | reference;
}

const Variable* CallWords::find(Type type, std::uint32_t reference) const {
  if (variables_.empty()) {
    for (const Variable& v : description_.variables) variables_.emplace(key(v.type, v.value_reference), &v);
  }
  const auto found = variables_.find(key(type, reference));
  return found == variables_.end() ? nullptr : found->second;
}

std::string CallWords::name(Type type, std::uint32_t reference) const {
  const Variable* variable = find(type, reference);
  return variable ? harmless(variable->name) : fmt::format("#{}", reference);
}

std::string CallWords::names(Audience audience, Type type, References references) const {
  std::string list;
  const std::size_t count = std::min(references.size(), most(audience));
  for (std::size_t i = 0; i < count; ++i) append(list, name(type, references[i]));
  if (count < references.size()) append(list, fmt::format("… {} more", references.size() - count));
  return list;
}

/// How many of the values belong to one reference.
std::size_t CallWords::elements(Type type, References references, std::size_t at, std::size_t all) const {
  if (references.size() == all) return 1;
  if (references.size() == 1) return all;
  const Variable* variable = find(type, references[at]);
  return variable ? element_count(description_, *variable, structure_).value_or(1) : 1;
}

std::string CallWords::values(Audience audience, Type type, References references, const Values& values) const {
  const std::size_t all = values.size(type);
  const std::size_t shown = std::min(all, most(audience));
  std::string list;
  std::size_t next = 0;
  for (std::size_t i = 0; i < references.size() && next < shown; ++i) {
    const std::size_t end = next + elements(type, references, i, all);
    const Variable* variable = find(type, references[i]);
    const bool is_array = variable && !variable->dimensions.empty();
    std::string content;
    for (; next < std::min(end, shown); ++next) append(content, element_text(type, values, next));
    append(list, name(type, references[i]) + (is_array ? "=[" + content + "]" : "=" + content));
  }
  if (shown < all) append(list, fmt::format("… {} more", all - shown));
  return list;
}

std::string CallWords::read(Audience audience, Type type, References references, const Values& values) const {
  return audience == Audience::error ? names(audience, type, references)
                                     : this->values(audience, type, references, values);
}

std::string CallWords::derivative(Audience audience, References unknowns, References knowns) const {
  return fmt::format("of {} by {}", names(audience, Type::float64, unknowns), names(audience, Type::float64, knowns));
}

std::string CallWords::slopes(Audience audience, References outputs, unsigned order,
                              std::span<const double> slopes) const {
  return fmt::format("order={}, {}", order,
                     read(audience, Type::float64, outputs, {{slopes.begin(), slopes.end()}, {}, {}}));
}

std::string CallWords::step(Audience audience, double t, double h, History history) const {
  if (audience == Audience::error) return fmt::format("step {} s -> {} s", t, t + h);
  const bool first = description_.version == Version::fmi1;  // which makes no step again
  return fmt::format("t={}, h={}, {}={}", number_text(t), number_text(h),
                     first ? "newStep" : "noSetFMUStatePriorToCurrentPoint", first || history == History::is_over);
}

std::string CallWords::experiment(const Experiment& experiment) {
  std::string list = "startTime=" + number_text(experiment.start);
  if (experiment.stop) append(list, "stopTime=" + number_text(*experiment.stop));
  if (experiment.tolerance) append(list, "tolerance=" + number_text(*experiment.tolerance));
  return list;
}

}  // namespace seam::fmi
