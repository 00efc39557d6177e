// Single values of a system file: numbers, times, texts, and the keys a map may have.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// The keys a map may have: those that are built, and those of the format that are not built yet.
struct Keys {
  std::vector<std::string> known;
  std::vector<std::string> not_yet = {};
};

/// A problem for every other key; `place` says whose keys they are ("a subsystem").
void check_keys(const formats::Node& map, std::string_view place, const Keys& keys, base::Problems& problems);
void check_keys(const system::Value& map, std::string_view place, const Keys& keys, base::Problems& problems);

/// A problem unless the node is of that kind; null counts as an empty list or map.
bool expect(const formats::Node& node, formats::Node::Kind kind, std::string_view what, base::Problems& problems);

/// A finite number without a unit.
std::optional<double> read_finite(const formats::Node& node, std::string_view what, base::Problems& problems);

std::optional<double> read_finite(const system::Value& value, std::string_view what, base::Problems& problems);

/// In seconds: a number, or a number with a unit of time. NaN and infinity are problems.
std::optional<double> read_time(const formats::Node& node, std::string_view what, base::Problems& problems);
std::optional<double> read_time(const system::Value& value, std::string_view what, base::Problems& problems);

/// A single value as it was written.
std::optional<std::string> read_text(const formats::Node& node, std::string_view what, base::Problems& problems);

/// The place of the text among `words`; a problem with did-you-mean if it is none of them.
std::optional<std::size_t> read_word(const formats::Node& node, std::string_view what,
                                     const std::vector<std::string>& words, base::Problems& problems);

/// The entries of record.coupling, in the order of system::CouplingRecord.
inline const std::vector<std::string> coupling_records{"defect", "energy", "correction", "feedthrough"};

/// Whatever may stand in `set:`. "3 kg" is a number with a unit also if it is quoted (JSON knows no other way); its
/// writing stays in `text` for a variable that takes a text.
system::Value read_value(const formats::Node& node, base::Problems& problems);
/// What a plain text would be in a file: "3 kg", "true", "word"; never a list or a map.
system::Value scalar_value(std::string text, const base::Location& where);
/// The entry of a map, or nullptr.
const system::Value* find(const system::Value& map, std::string_view key);

std::vector<system::Setting> read_settings(const formats::Node& map, std::string_view what, base::Problems& problems);

/// The place of `length` characters from `offset` on inside the text of a scalar.
base::Location within(const formats::Node& scalar, std::size_t offset, std::size_t length);

std::optional<system::Via> read_via(const formats::Node& node, base::Problems& problems);

std::string_view trimmed(std::string_view text);

/// NAME, {NAME: {parameter: value}}, or {emitter: …, receiver: …, samples: …}.
std::optional<system::CouplingRequest> read_coupling(const formats::Node& node, base::Problems& problems);
/// held | fresh
std::optional<system::Feedthrough> read_feedthrough(const formats::Node& node, base::Problems& problems);
/// jacobi | gauss-seidel | auto | {gauss-seidel: [a, b, …]}
std::optional<system::Schedule> read_schedule(const formats::Node& node, base::Problems& problems);

struct TimeFlag {
  double seconds = 0.0;
  base::Location where;
};

/// A problem points into the flag's own text.
std::optional<TimeFlag> read_time_flag(const std::string& flag, const std::string& text, base::Problems& problems);

}  // namespace seam::load
