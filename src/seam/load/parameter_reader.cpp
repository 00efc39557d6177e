#include "seam/load/parameter_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/system/units.hpp"

namespace seam::load {
namespace {

using system::Value;
using Kind = Value::Kind;

std::string kind_name(const Value& value) {
  switch (value.kind) {
    case Kind::number:
      return value.text.empty() ? "a number" : fmt::format("the number {}", value.text);
    case Kind::boolean:
      return value.boolean ? "true" : "false";
    case Kind::text:
      return fmt::format("the text \"{}\"", value.text);
    case Kind::list:
      return "a list";
    case Kind::map:
      return "a map";
  }
  return "something else";
}

/// A single value as it was written: a name may look like a number.
std::optional<std::string> written(const Value& value) {
  if (value.kind == Kind::list || value.kind == Kind::map || value.text.empty()) return std::nullopt;
  return value.text;
}

/// " [N/m]" or nothing.
std::string bracketed(const std::string& unit) { return unit.empty() ? "" : fmt::format(" [{}]", unit); }

}  // namespace

ParameterReader::ParameterReader(Owner owner, std::vector<Given> given, const std::vector<ParameterEntry>& entries,
                                 base::Problems& problems)
    : owner_(std::move(owner)),
      given_(std::move(given)),
      entries_(&entries),
      problems_(&problems),
      problems_before_(problems.size()) {
  check_names();
  choose_unit();
}

void ParameterReader::check_names() {
  std::vector<std::string> known;
  for (const ParameterEntry& entry : *entries_) known.push_back(entry.name);
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const std::string& name = given_[i].name;
    if (std::ranges::find(known, name) == known.end()) {
      std::string mend = base::did_you_mean(name, known);
      if (mend.empty()) mend = fmt::format("known: {}", fmt::join(known, ", "));
      problems_->add(given_[i].where, fmt::format("\"{}\" has no parameter \"{}\"", owner_.name, name), mend);
    }
    const bool again = std::any_of(given_.begin(), given_.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const Given& earlier) { return earlier.name == name; });
    if (again) problems_->add(given_[i].where, fmt::format("\"{}\" is set twice", name), "remove one of them");
  }
  problems_before_ = problems_->size();  // a name too many does not keep the known ones from being checked
  for (const ParameterEntry& entry : *entries_) {
    if (!entry.default_text.empty() || find(entry.name)) continue;
    problems_->add(owner_.where, fmt::format("\"{}\" needs the parameter \"{}\"", owner_.name, entry.name),
                   fmt::format("set {}{}: {}", entry.name, bracketed(entry.unit), entry.summary));
  }
}

void ParameterReader::choose_unit() {
  const Given* chosen = find("unit");
  if (const auto unit = chosen ? written(*chosen->value) : std::nullopt) {
    unit_ = *unit;
    if (!system::parse_unit(unit_)) {
      refuse("unit", fmt::format("\"{}\" is not a known unit", unit_),
             "write it in SI units, for example N.m or rad/s");
      unit_.clear();
    }
    return;
  }
  for (const Given& given : given_) {
    const auto entry = std::ranges::find(*entries_, given.name, &ParameterEntry::name);
    const bool chooses = entry != entries_->end() && entry->unit == chosen_unit && !given.value->unit.empty();
    if (chooses && system::parse_unit(given.value->unit)) {
      unit_ = given.value->unit;
      return;
    }
  }
}

const ParameterReader::Given* ParameterReader::find(const std::string& name) const {
  const auto found = std::ranges::find(given_, name, &Given::name);
  return found == given_.end() ? nullptr : &*found;
}

const ParameterEntry& ParameterReader::entry(const std::string& name) const {
  for (const ParameterEntry& candidate : *entries_) {
    if (candidate.name == name) return candidate;
  }
  throw base::Error(base::Failure::internal,
                    fmt::format("\"{}\" reads \"{}\", which its table lacks", owner_.name, name));
}

base::Location ParameterReader::place(const std::string& name) const {
  const Given* given = find(name);
  if (!given) return owner_.where;
  return given->value->where.line > 0 ? given->value->where : given->where;
}

void ParameterReader::refuse(const std::string& name, std::string what, std::string mend) const {
  problems_->add(place(name), std::move(what), std::move(mend));
}

void ParameterReader::wrong_kind(const std::string& name, const Value& value, const std::string& wanted) const {
  problems_->add(value.where.line > 0 ? value.where : place(name),
                 fmt::format("\"{}\" of \"{}\" must be {}, not {}", name, owner_.name, wanted, kind_name(value)),
                 fmt::format("{}{}: {}", name, bracketed(entry(name).unit), entry(name).summary));
}

double ParameterReader::default_number(const ParameterEntry& entry) const {
  double value = 0.0;
  const char* end = entry.default_text.data() + entry.default_text.size();
  std::from_chars(entry.default_text.data(), end, value);
  return value;
}

double ParameterReader::convert(const Value& value, const ParameterEntry& entry) const {
  if (value.kind != Kind::number) {
    wrong_kind(entry.name, value, "a number, if need be with a known unit");
    return 0.0;
  }
  const base::Location where = value.where.line > 0 ? value.where : place(entry.name);
  if (!std::isfinite(value.number)) {
    problems_->add(where, fmt::format("\"{}\" must be finite, not {}", entry.name, value.number), "give a number");
    return 0.0;
  }
  if (value.unit.empty()) return value.number;

  std::string wanted = entry.unit;
  if (const std::size_t at = wanted.find(chosen_unit); at != std::string::npos) {
    if (unit_.empty()) {
      problems_->add(
          where, fmt::format("\"{}\" has the unit {}, but the unit of the output is not known", entry.name, value.unit),
          "say it, for example unit: N");
      return 0.0;
    }
    wanted.replace(at, std::string(chosen_unit).size(), wanted == chosen_unit ? unit_ : "(" + unit_ + ")");
  }
  const auto from = system::parse_unit(value.unit);
  const auto to = system::parse_unit(wanted.empty() ? "1" : wanted);
  if (!to) throw base::Error(base::Failure::internal, fmt::format("the catalog has the unknown unit \"{}\"", wanted));
  if (from && system::same_dimension(*from, *to)) return system::convert(value.number, *from, *to);
  const std::string what = from ? fmt::format("\"{}\" cannot be in {}", entry.name, value.unit)
                                : fmt::format("\"{}\" is not a known unit", value.unit);
  problems_->add(where, what,
                 wanted.empty() ? "it is a plain number without a unit" : fmt::format("give it in {}", wanted));
  return 0.0;
}

double ParameterReader::number(const std::string& name) const {
  const Given* given = find(name);
  return given ? convert(*given->value, entry(name)) : default_number(entry(name));
}

std::optional<double> ParameterReader::optional_number(const std::string& name) const {
  const Given* given = find(name);
  if (!given) return std::nullopt;
  return convert(*given->value, entry(name));
}

int ParameterReader::index(const std::string& name, int count, int fallback) const {
  if (!find(name)) return fallback;
  const double value = number(name);
  if (value >= 1.0 && value <= count && value == std::floor(value)) return static_cast<int>(value);
  refuse(name, fmt::format("\"{}\" of \"{}\" must be a whole number from 1 to {}", name, owner_.name, count));
  return fallback;
}

std::vector<double> ParameterReader::convert_items(const Value& list, const ParameterEntry& entry) const {
  std::vector<double> result;
  for (const Value& item : list.items) result.push_back(convert(item, entry));
  return result;
}

std::vector<double> ParameterReader::numbers(const std::string& name) const {
  const Given* given = find(name);
  if (!given) return {};
  if (given->value->kind == Kind::list) return convert_items(*given->value, entry(name));
  wrong_kind(name, *given->value, "a list of numbers");
  return {};
}

std::vector<double> ParameterReader::numbers(const std::string& name, int count, const char* one_for) const {
  const auto size = static_cast<std::size_t>(count);
  const Given* given = find(name);
  if (!given) return std::vector<double>(size, default_number(entry(name)));
  const Value& value = *given->value;
  if (value.kind == Kind::number && count == 1) return {convert(value, entry(name))};
  if (value.kind != Kind::list) {
    wrong_kind(name, value, fmt::format("a list of {} numbers, one for each {}", count, one_for));
    return std::vector<double>(size, 0.0);
  }
  std::vector<double> result = convert_items(value, entry(name));
  if (result.size() != size) {
    refuse(name, fmt::format("\"{}\" has {} entries, but there must be {}, one for each {}", name, result.size(), count,
                             one_for));
    result.resize(size, 0.0);
  }
  return result;
}

std::optional<std::vector<std::vector<double>>> ParameterReader::matrix(const std::string& name) const {
  const Given* given = find(name);
  if (!given) return std::nullopt;
  std::vector<std::vector<double>> rows;
  if (given->value->kind == Kind::number) return {{{convert(*given->value, entry(name))}}};
  if (given->value->kind != Kind::list) {
    wrong_kind(name, *given->value, "a list of rows");
    return rows;
  }
  for (const Value& row : given->value->items) {
    if (row.kind != Kind::list) {
      wrong_kind(name, row, "a list of rows, each in brackets: [[1, 2], [3, 4]]");
      return rows;
    }
    rows.push_back(convert_items(row, entry(name)));
    if (rows.back().size() != rows.front().size()) {
      problems_->add(row.where.line > 0 ? row.where : place(name),
                     fmt::format("row {} of \"{}\" has {} entries, the first row has {}", rows.size(), name,
                                 rows.back().size(), rows.front().size()),
                     "give every row the same number of entries");
      rows.back().resize(rows.front().size(), 0.0);
    }
  }
  return rows;
}

std::string ParameterReader::text(const std::string& name) const {
  const Given* given = find(name);
  if (!given) return entry(name).default_text == "none" ? "" : entry(name).default_text;
  if (const auto text = written(*given->value)) return *text;
  wrong_kind(name, *given->value, "a text");
  return {};
}

std::vector<std::string> ParameterReader::names(const std::string& name) const {
  const Given* given = find(name);
  if (!given) return {};
  if (const auto single = written(*given->value)) return {*single};
  if (given->value->kind != Kind::list) {
    wrong_kind(name, *given->value, "a list of names");
    return {};
  }
  std::vector<std::string> result;
  for (const Value& item : given->value->items) {
    if (!written(item)) {
      wrong_kind(name, item, "a list of names");
    } else if (std::ranges::find(result, item.text) != result.end()) {
      problems_->add(item.where, fmt::format("the name \"{}\" stands twice in \"{}\"", item.text, name),
                     "names are unique");
    }
    result.push_back(item.text);
  }
  return result;
}

bool ParameterReader::boolean(const std::string& name) const {
  const Given* given = find(name);
  if (!given) return entry(name).default_text == "true";
  if (given->value->kind == Kind::boolean) return given->value->boolean;
  wrong_kind(name, *given->value, "true or false");
  return false;
}

std::size_t ParameterReader::pick(const std::string& name, const std::vector<std::string>& names) const {
  const Given* given = find(name);
  const std::string chosen = given ? given->value->text : entry(name).default_text;
  const auto found = std::ranges::find(names, chosen);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  if (given) {
    std::string mend = base::did_you_mean(chosen, names);
    if (mend.empty()) mend = fmt::format("known: {}", fmt::join(names, ", "));
    refuse(name, fmt::format("\"{}\" of \"{}\" cannot be {}", name, owner_.name, kind_name(*given->value)), mend);
  }
  return 0;
}

std::vector<ParameterReader> ParameterReader::maps(const std::string& name) const {
  const Given* given = find(name);
  if (!given) return {};
  std::vector<const Value*> found;
  if (given->value->kind == Kind::list) {
    for (const Value& item : given->value->items) found.push_back(&item);
  } else {
    found.push_back(given->value);
  }
  std::vector<ParameterReader> readers;
  for (const Value* value : found) {
    if (value->kind != Kind::map) {
      wrong_kind(name, *value, "a map, for example {key: value}");
      continue;
    }
    std::vector<Given> entries;
    for (const auto& [key, item] : value->entries) entries.push_back({key, &item, item.where});
    const base::Location where = value->where.line > 0 ? value->where : given->where;
    readers.emplace_back(Owner{name, where}, std::move(entries), entry(name).fields, *problems_);
  }
  return readers;
}

}  // namespace seam::load
