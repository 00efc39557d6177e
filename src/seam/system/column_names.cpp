#include "seam/system/column_names.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "seam/system/units.hpp"

namespace seam::system {
namespace {

struct Column {
  std::string name, unit;
};

bool is_no_unit(std::string_view text) {
  return text.find_first_not_of('-') == std::string_view::npos || text.find(' ') != std::string_view::npos;
}

Column split(const std::string& name) {
  if (name.size() < 4) return {name, {}};
  const char opening = name.back() == ']' ? '[' : name.back() == ')' ? '(' : '\0';
  const std::size_t begin = opening ? name.rfind(opening) : std::string::npos;
  if (begin == std::string::npos || begin == 0) return {name, {}};
  const std::string inside = name.substr(begin + 1, name.size() - begin - 2);
  const std::size_t end = name.find_last_not_of(' ', begin - 1);
  if (end == std::string::npos || (opening == '(' && end + 1 == begin)) return {name, {}};  // der(x)
  const std::string before = name.substr(0, end + 1);
  if (opening == '[' && (inside == "REAL" || inside == "INT" || inside == "BOOL" || inside == "STR"))
    return {before, {}};
  const bool index = !inside.empty() && inside.front() >= '0' && inside.front() <= '9';
  if (index || !parse_unit(inside)) return {name, {}};
  return {before, inside};
}

/// With `.` between its parts, and without the blanks around it.
std::string plain(std::string_view name) {
  std::string result(name);
  for (std::size_t at = result.find("::"); at != std::string::npos; at = result.find("::", at))
    result.replace(at, 2, ".");
  const std::size_t first = result.find_first_not_of(' ');
  return first == std::string::npos ? result : result.substr(first, result.find_last_not_of(' ') - first + 1);
}

/// What the `*` of the pattern stands for; none if the name does not fit.
std::optional<std::string> starred(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  const std::string_view begin = pattern.substr(0, star), end = pattern.substr(star + 1);
  const bool fits = name.size() >= begin.size() + end.size() && name.substr(0, begin.size()) == begin &&
                    name.substr(name.size() - end.size()) == end;
  if (!fits) return std::nullopt;
  return std::string(name.substr(begin.size(), name.size() - begin.size() - end.size()));
}

}  // namespace

void settle_columns(std::vector<std::string>& names, std::vector<std::string>& units) {
  std::vector<Column> settled;
  std::map<std::string, int> uses;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_no_unit(units[i])) units[i].clear();
    settled.push_back(units[i].empty() ? split(names[i]) : Column{names[i], units[i]});
    ++uses[settled.back().name];
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (uses[settled[i].name] > 1) continue;
    names[i] = std::move(settled[i].name);
    units[i] = std::move(settled[i].unit);
  }
}

VariableNames::VariableNames(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) whole_.emplace(names[i], i);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string whole = plain(names[i]);
    whole_.emplace(whole, i);
    for (std::size_t at = 0; at != std::string::npos; at = whole.find('.', at + 1))
      by_end_[whole.substr(at == 0 ? 0 : at + 1)].push_back(i);
  }
}

std::vector<std::size_t> VariableNames::find(std::string_view name) const {
  if (const auto written = whole_.find(std::string(name)); written != whole_.end()) return {written->second};
  const std::string wanted = plain(name);
  if (const auto same = whole_.find(wanted); same != whole_.end()) return {same->second};
  if (const auto longer = by_end_.find(wanted); longer != by_end_.end()) return longer->second;
  for (std::size_t at = wanted.find('.'); at != std::string::npos; at = wanted.find('.', at + 1)) {
    if (const auto shorter = whole_.find(wanted.substr(at + 1)); shorter != whole_.end()) return {shorter->second};
  }
  return {};
}

NameMap NameMap::read(const std::vector<std::string>& written, const std::string& flag, base::Problems& problems) {
  NameMap map;
  for (const std::string& text : written) {
    const std::size_t equals = text.find('=');
    std::string left = text.substr(0, equals), right = equals == std::string::npos ? "" : text.substr(equals + 1);
    const auto stars = [](const std::string& side) { return std::ranges::count(side, '*'); };
    const bool fine = !left.empty() && !right.empty() && stars(left) == stars(right) && stars(left) < 2;
    if (fine) {
      map.pairs_.emplace_back(std::move(left), std::move(right));
      continue;
    }
    const auto source = std::make_shared<base::Source>(base::Source{flag, {text}});
    problems.add({source, 1, 1, static_cast<int>(text.size())}, "this is not a pair of names",
                 "write NAME=NAME, or with one * on both sides: \"model.root.*=*\"");
  }
  return map;
}

std::optional<std::string> NameMap::find(std::string_view there) const {
  for (const auto& [left, right] : pairs_) {
    if (left == there) return right;
  }
  for (const auto& [left, right] : pairs_) {
    if (left.find('*') == std::string::npos) continue;
    if (const auto text = starred(left, there)) return std::string(right).replace(right.find('*'), 1, *text);
  }
  return std::nullopt;
}

std::vector<std::string> NameMap::unused(const std::vector<std::string>& theirs) const {
  std::vector<std::string> result;
  for (const auto& [left, right] : pairs_) {
    const bool star = left.find('*') != std::string::npos;
    const auto fits = [&](const std::string& name) { return star ? starred(left, name).has_value() : left == name; };
    if (std::ranges::none_of(theirs, fits)) result.push_back(left + "=" + right);
  }
  return result;
}

}  // namespace seam::system
