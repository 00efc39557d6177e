#include "seam/system/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/names.hpp"
#include "seam/system/subsystem_names.hpp"

namespace seam::system {
namespace {

/// What a slice takes of one dimension, from 1 on.
struct Range {
  std::optional<long> from, to;  ///< none: from the first, to the last
  bool has(long index) const { return (!from || index >= *from) && (!to || index <= *to); }
};

struct Slice {
  std::string_view array;     ///< its name
  std::vector<Range> ranges;  ///< one a dimension; none: all of them
};

std::optional<long> index_in(std::string_view text) {
  const bool digits =
      !text.empty() && text.size() < 10 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::optional(std::stol(std::string(text))) : std::nullopt;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

/// "2", "2:4", "2:", ":4", ":".
std::optional<Range> range_in(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    const auto index = index_in(text);
    return index ? std::optional(Range{*index, *index}) : std::nullopt;
  }
  const std::string_view first = text.substr(0, colon), last = text.substr(colon + 1);
  Range range;
  if (!first.empty()) range.from = index_in(first);
  if (!last.empty()) range.to = index_in(last);
  const bool readable = (first.empty() || range.from) && (last.empty() || range.to);
  return readable ? std::optional(range) : std::nullopt;
}

/// None if it is no way to write an array or a part of one.
std::optional<Slice> slice_in(std::string_view name) {
  if (!name.ends_with(']')) return Slice{name, {}};
  const std::size_t open = name.rfind('[');
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  Slice slice{name.substr(0, open), {}};
  for (const std::string_view part : parts_of(name.substr(open + 1, name.size() - open - 2))) {
    const auto range = range_in(part);
    if (!range) return std::nullopt;
    slice.ranges.push_back(*range);
  }
  return slice;
}

/// The place of an element in its array; empty if the port is none of it.
std::vector<long> place_in(std::string_view port, std::string_view array) {
  if (!base::is_element_of(port, array)) return {};
  std::vector<long> place;
  for (const std::string_view part : parts_of(port.substr(array.size() + 1, port.size() - array.size() - 2)))
    place.push_back(*index_in(part));
  return place;
}

/// Elements in the order of the ports, which is row by row, and how many there are along each dimension.
struct Elements {
  std::vector<std::string> names;
  std::vector<std::size_t> shape;  ///< dimensions of one element left out
};

bool is_in(const std::vector<Range>& ranges, const std::vector<long>& place) {
  if (ranges.empty()) return true;
  for (std::size_t d = 0; d < place.size(); ++d) {
    if (!ranges[d].has(place[d])) return false;
  }
  return true;
}

/// Whether every bound that is written is an element's: y[1:9] of three is a mistake.
bool reaches(const std::vector<std::set<long>>& along, const std::vector<Range>& ranges) {
  for (std::size_t d = 0; d < std::min(along.size(), ranges.size()); ++d) {
    for (const std::optional<long>& bound : {ranges[d].from, ranges[d].to}) {
      if (bound && !along[d].contains(*bound)) return false;
    }
  }
  return true;
}

Elements elements_of(const std::vector<Port>& ports, const Slice& slice) {
  Elements found;
  std::vector<std::set<long>> along;
  for (const Port& port : ports) {
    const std::vector<long> place = place_in(port.name, slice.array);
    if (place.empty() || (!slice.ranges.empty() && place.size() != slice.ranges.size()) || !is_in(slice.ranges, place))
      continue;
    found.names.push_back(port.name);
    along.resize(std::max(along.size(), place.size()));
    for (std::size_t d = 0; d < place.size(); ++d) along[d].insert(place[d]);
  }
  for (const std::set<long>& indices : along) {
    if (indices.size() > 1) found.shape.push_back(indices.size());
  }
  return reaches(along, slice.ranges) ? found : Elements{};
}

using Side = PortList Subsystem::*;

/// One end of a connection.
struct End {
  enum class Kind { port, array, unknown };
  Kind kind = Kind::unknown;
  Elements elements;  ///< of an array

  std::size_t count() const { return kind == Kind::array ? elements.names.size() : 1; }
};

End end_at(const Subsystem& subsystem, const std::string& path, Side side) {
  const std::string name = path.substr(subsystem.name.size() + 1);
  const std::vector<Port>& ports = subsystem.*side;
  if (std::ranges::any_of(ports, [&](const Port& port) { return port.name == name; })) return {End::Kind::port, {}};
  const auto slice = slice_in(name);
  if (!slice) return {};
  End end{End::Kind::array, elements_of(ports, *slice)};
  if (end.elements.names.empty()) return {};
  for (std::string& element : end.elements.names) element = subsystem.name + "." + element;
  return end;
}

std::string shape_words(const End& end) {
  const auto& shape = end.elements.shape;
  if (shape.size() > 1) return fmt::format("{} values", fmt::join(shape, " x "));
  return end.count() == 1 ? "one value" : fmt::format("{} values", end.count());
}

/// The connections in the place of one.
std::vector<Connection> expanded(const Connection& connection, const End& from, const End& to,
                                 base::Problems& problems) {
  if (from.kind != End::Kind::array && to.kind != End::Kind::array) return {connection};
  const bool known = from.kind != End::Kind::unknown && to.kind != End::Kind::unknown;
  if (known && from.elements.shape != to.elements.shape) {
    problems.add(connection.where,
                 fmt::format("\"{}\" sends {}, and \"{}\" takes {}", connection.from.text, shape_words(from),
                             connection.to.text, shape_words(to)),
                 "connect as many elements as there are: y[1:2] -> u[1:2], y[3] -> x");
    return {};
  }
  std::vector<Connection> result;
  for (std::size_t i = 0; i < (known ? from.count() : 1); ++i) {  // of an end that there is not will be told once
    result.push_back(connection);
    if (from.kind == End::Kind::array) result.back().from.text = from.elements.names[i];
    if (to.kind == End::Kind::array) result.back().to.text = to.elements.names[i];
  }
  return result;
}

/// Connections that others took the place of, by their old numbers.
struct Moved {
  std::vector<int> first;          ///< the new number
  std::vector<std::size_t> parts;  ///< how many there are
};

void move_bonds(std::vector<Bond>& bonds, const Moved& moved, base::Problems& problems) {
  for (Bond& bond : bonds) {
    for (int* connection : {&bond.effort, &bond.flow}) {
      if (*connection < 0) continue;
      const auto old = static_cast<std::size_t>(*connection);
      if (moved.parts[old] > 1)
        problems.add(bond.where, fmt::format("the bond \"{}\" is one of arrays", bond.name),
                     "an effort and a flow are single elements: y[1] -> u[1]");
      *connection = moved.parts[old] == 0 ? -1 : moved.first[old];
    }
  }
}

}  // namespace

void expand_arrays(SystemDescription& description, base::Problems& problems) {
  const SubsystemNames subsystems(description);
  const auto end = [&](const PortPath& path, Side side) {
    const int number = path.port >= 0 ? -1 : subsystems.find(path.text);
    return number < 0 ? End{} : end_at(description.subsystems[static_cast<std::size_t>(number)], path.text, side);
  };
  std::vector<Connection> all;
  Moved moved;
  for (const Connection& connection : description.connections) {
    std::vector<Connection> parts = expanded(connection, end(connection.from, &Subsystem::outputs),
                                             end(connection.to, &Subsystem::inputs), problems);
    moved.first.push_back(static_cast<int>(all.size()));
    moved.parts.push_back(parts.size());
    std::move(parts.begin(), parts.end(), std::back_inserter(all));
  }
  description.connections = std::move(all);
  move_bonds(description.bonds, moved, problems);
}

}  // namespace seam::system
