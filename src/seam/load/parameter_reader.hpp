// The parameters of a model as the user set them: checked, converted to the model's units, with a place for every
// problem.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// The unit of a model's output where the user chooses it: by the parameter `unit`, or by the unit of a value.
/// May stand inside a unit: "<unit>.s".
inline constexpr const char* chosen_unit = "<unit>";

/// No default: the parameter must be given. "none": it may be left out.
struct ParameterEntry {
  std::string name;
  std::string kind;  ///< number, numbers, matrix, text, names, choice, boolean, map: for people
  std::string unit;  ///< empty: a plain number
  std::string default_text;
  std::string summary;
  std::vector<ParameterEntry> fields;  ///< of a map
};

class ParameterReader {
 public:
  struct Given {
    std::string name;
    const system::Value* value = nullptr;
    base::Location where;
  };
  /// What the parameters belong to, for messages, and where a missing one is reported.
  struct Owner {
    std::string name;
    base::Location where;
  };

  /// Reports unknown, repeated and missing parameters at once. All arguments must outlive the reader.
  ParameterReader(Owner owner, std::vector<Given> given, const std::vector<ParameterEntry>& entries,
                  base::Problems& problems);

  /// Whether every known parameter read so far was right; after a problem the values read are stand-ins.
  bool ok() const { return problems_->size() == problems_before_; }
  bool given(const std::string& name) const { return find(name) != nullptr; }

  double number(const std::string& name) const;
  std::optional<double> optional_number(const std::string& name) const;
  /// A whole number from 1 to `count`, or `fallback` if it is not given.
  int index(const std::string& name, int count, int fallback) const;
  /// A list of numbers of any length; empty if it is not given.
  std::vector<double> numbers(const std::string& name) const;
  /// `count` numbers, a single one without brackets if count is 1; the default for each if it is not given.
  std::vector<double> numbers(const std::string& name, int count, const char* one_for) const;
  /// A list of rows of equal length, or a single number; none if it is not given.
  std::optional<std::vector<std::vector<double>>> matrix(const std::string& name) const;
  std::string text(const std::string& name) const;
  std::vector<std::string> names(const std::string& name) const;
  bool boolean(const std::string& name) const;
  template <typename Choice>
  Choice choice(const std::string& name, const std::vector<std::pair<std::string, Choice>>& choices) const;
  /// A reader for a map, or one for each map of a list of them; the entry's fields say what may be in it.
  std::vector<ParameterReader> maps(const std::string& name) const;

  /// The unit the user chose for the output, or empty.
  const std::string& unit() const { return unit_; }

  /// A problem with the parameter `name`, or with the owner if it is not given.
  void refuse(const std::string& name, std::string what, std::string mend = {}) const;
  /// A problem found elsewhere, for example in a file that a parameter names.
  void report(const base::Problem& problem) const { problems_->add(problem); }

 private:
  const Given* find(const std::string& name) const;
  const ParameterEntry& entry(const std::string& name) const;
  base::Location place(const std::string& name) const;
  void check_names();
  void choose_unit();
  double convert(const system::Value& value, const ParameterEntry& entry) const;
  std::vector<double> convert_items(const system::Value& list, const ParameterEntry& entry) const;
  double default_number(const ParameterEntry& entry) const;
  std::size_t pick(const std::string& name, const std::vector<std::string>& names) const;
  void wrong_kind(const std::string& name, const system::Value& value, const std::string& wanted) const;

  Owner owner_;
  std::vector<Given> given_;
  const std::vector<ParameterEntry>* entries_;
  base::Problems* problems_;
  std::size_t problems_before_;
  std::string unit_;
};

template <typename Choice>
Choice ParameterReader::choice(const std::string& name,
                               const std::vector<std::pair<std::string, Choice>>& choices) const {
  std::vector<std::string> names;
  for (const auto& [text, value] : choices) names.push_back(text);
  return choices[pick(name, names)].second;
}

}  // namespace seam::load
