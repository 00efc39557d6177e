// Names of variables in tables, as different tools write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "seam/base/problem.hpp"

namespace seam::system {

/// Takes the units out of names that end in one ("speed[km/h]", "speed (km/h)"), and the types that ecos writes there
/// ("x[REAL]"); removes units that are none ("-", "0 output real"). Names that would become equal stay as they are.
void settle_columns(std::vector<std::string>& names, std::vector<std::string>& units);

/// Finds variables by their names, with or without the names of models and instances before them: y, a.y, a::y and
/// model.root.a.y may be the same.
class VariableNames {
 public:
  explicit VariableNames(const std::vector<std::string>& names);

  /// The numbers of all that may be meant: the one of that very name, else those that have the longest end in common
  /// with it, which must be the whole of one of both names.
  std::vector<std::size_t> find(std::string_view name) const;

 private:
  std::unordered_map<std::string, std::size_t> whole_;                ///< as written, and by plain name
  std::unordered_map<std::string, std::vector<std::size_t>> by_end_;  ///< by every end of it
};

/// What the user says of names: this one there is that one here. A `*` in both stands for the same text.
class NameMap {
 public:
  /// Each written as THERE=HERE; `flag` is what they were given by.
  static NameMap read(const std::vector<std::string>& written, const std::string& flag, base::Problems& problems);

  /// None: nothing was said of this name.
  std::optional<std::string> find(std::string_view there) const;
  /// Pairs whose left side names none of these, in the words of the user.
  std::vector<std::string> unused(const std::vector<std::string>& theirs) const;
  bool empty() const { return pairs_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace seam::system
