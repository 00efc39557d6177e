#include "seam/coupling/corrector/quick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "seam/coupling/corrector/add_up.hpp"
#include "seam/coupling/corrector/mending.hpp"

namespace seam::coupling {
namespace {

using Quick = Correction::Quick;
using Group = Quick::Group;

constexpr std::int64_t plenty = 1 << 20;

bool is_usual(const Program& program) {
  const Correction& c = *program.correction;
  if (!c.one_rate || c.refreshes || c.points() > 1 || !program.interventions.empty()) return false;
  const bool lanes =
      std::none_of(c.lanes.begin(), c.lanes.end(), [](const CorrectedLane& l) { return l.may_have_events; });
  return lanes &&
         std::none_of(c.wires.begin(), c.wires.end(), [](const CorrectedWire& w) { return w.limited || w.fine >= 0; });
}

/// All wires carry samples that the corrector makes, and no hold does anything with them.
bool decides_alone(const Correction& c) {
  return c.has_offset() &&
         std::all_of(c.wires.begin(), c.wires.end(), [](const CorrectedWire& wire) { return wire.is_sample; });
}

/// Otherwise they follow from the sums of errors.
bool carries_offsets(const Correction& c) { return !c.writes_inputs || c.owed < 0; }

/// Lanes that hear of each other, by whatever detour, among the corrected ones. Parts have nothing to do with each
/// other.
class Parts {
 public:
  explicit Parts(const Correction& c) : correction_(c), part_(c.lanes.size()) {
    std::iota(part_.begin(), part_.end(), std::size_t{0});
    for (const CorrectedWire& wire : c.wires) part_[root(source(wire))] = root(static_cast<std::size_t>(wire.sink));
  }
  std::size_t of(const CorrectedWire& wire) { return root(static_cast<std::size_t>(wire.sink)); }
  std::size_t of(const CorrectedOutput& output) { return root(static_cast<std::size_t>(output.lane)); }
  std::size_t of_lane(std::size_t lane) { return root(lane); }

 private:
  std::size_t source(const CorrectedWire& wire) const {
    return static_cast<std::size_t>(correction_.outputs[static_cast<std::size_t>(wire.output)].lane);
  }
  std::size_t root(std::size_t lane) {
    while (part_[lane] != lane) lane = part_[lane] = part_[part_[lane]];
    return lane;
  }
  const Correction& correction_;
  std::vector<std::size_t> part_;
};

/// A column of the map: what a place adds to all rows of its part.
struct Column {
  int from;
  std::vector<double> rows;
};
/// The map of one part.
struct Map {
  std::vector<int> from;                  ///< places that the results may depend on, those that the step writes last
  std::vector<int> to;                    ///< one a row, as they lie in memory
  std::vector<int> inputs;                ///< of these, inputs that follow from a sample and what is added to it
  std::vector<double> limits, constants;  ///< the same
  std::vector<Column> columns;
};

std::vector<int> places_of_input(const CorrectedWire& wire) {
  std::vector<int> places;
  for (int k = 0; k <= wire.degree; ++k) places.push_back(wire.coefficients + k * wire.stride);
  return places;
}

/// Which places belong to which part.
std::vector<Map> find_places(const Correction& c) {
  Parts parts(c);
  std::vector<Map> maps(c.lanes.size());
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const CorrectedWire& wire = c.wires[w];
    Map& map = maps[parts.of(wire)];
    std::vector<int> carried = {wire.corrected};
    for (const int first : {c.before, c.owed, carries_offsets(c) ? c.offset : -1}) {
      if (first >= 0) carried.push_back(first + static_cast<int>(w));
    }
    const std::vector<int> input = places_of_input(wire);
    const bool follows = wire.is_sample && c.has_offset();  // from the sample and what is added to it
    map.to.insert(map.to.end(), carried.begin(), carried.end());
    if (c.writes_inputs) map.to.insert(map.to.end(), input.begin(), input.end());
    if (c.writes_inputs && follows) map.inputs.insert(map.inputs.end(), input.begin(), input.end());
    map.from.insert(map.from.end(), carried.begin(), carried.end());
    if (!follows) map.from.insert(map.from.end(), input.begin(), input.end());
  }
  for (std::size_t l = 0; l < c.lanes.size(); ++l) {
    Map& map = maps[parts.of_lane(l)];
    for (int s = 0; c.tracks() && s < c.lanes[l].states; ++s) {
      map.from.push_back(c.lanes[l].error + s);
      map.to.push_back(c.lanes[l].error + s);
    }
  }
  for (Map& map : maps) {
    for (std::vector<int>* places : {&map.from, &map.to}) {
      std::sort(places->begin(), places->end());
      places->erase(std::unique(places->begin(), places->end()), places->end());
    }
  }
  for (const CorrectedOutput& output : c.outputs) maps[parts.of(output)].from.push_back(output.raw);
  std::erase_if(maps, [](const Map& map) { return map.to.empty(); });
  return maps;
}

/// What the correction makes of 1 in some places and 0 in all others.
class Image {
 public:
  explicit Image(const Program& program) : program_(program) {
    memory_.values.resize(program.initial_values.size());
    memory_.models = program.initial_models;
    memory_.knowledge.assign(static_cast<std::size_t>(program.knowledge), plenty);
  }
  const base::Numbers& of(const std::vector<int>& places) {
    heard_of(places);
    correct(program_, now_, memory_);
    return memory_.values;
  }
  /// As if the inputs of the step knew nothing of it.
  const base::Numbers& unheard_of(const std::vector<int>& places) {
    set(places);
    correct(program_, now_, memory_);
    return memory_.values;
  }
  /// The step before anything is corrected.
  const base::Numbers& heard_of(const std::vector<int>& places) {
    const Correction& c = *program_.correction;
    set(places);
    if (!carries_offsets(c) && !places.empty()) find_offsets(c);
    if (c.has_offset()) hear(c);
    return memory_.values;
  }

 private:
  void set(const std::vector<int>& places) {
    std::fill(memory_.values.begin(), memory_.values.end(), 0.0);
    for (const int place : places) memory_.values[static_cast<std::size_t>(place)] = 1.0;
  }

  /// Those that a correction leaves behind which meets nothing but sums of errors.
  void find_offsets(const Correction& c) {
    const base::Numbers before = memory_.values;
    std::fill(memory_.values.begin(), memory_.values.end(), 0.0);
    std::copy_n(before.begin() + c.owed, c.wires.size(), memory_.values.begin() + c.owed);
    correct(program_, now_, memory_);
    const base::Numbers after = std::exchange(memory_.values, before);
    std::copy_n(after.begin() + c.offset, c.wires.size(), memory_.values.begin() + c.offset);
  }

  /// Inputs of plain holds; those of others are among the places.
  void hear(const Correction& c) {
    const base::Numbers before = memory_.values;
    add_offsets(c, all_lanes(c), memory_);
    for (const CorrectedWire& wire : c.wires) {
      for (int k = 0; k <= wire.degree && !wire.is_sample; ++k) {
        const auto at = static_cast<std::size_t>(wire.coefficients + k * wire.stride);
        memory_.values[at] = before[at];
      }
    }
  }

  const Program& program_;
  Now now_ = {{}, 1.0, {}};
  Memory memory_;
};

std::vector<double> rows_of(const base::Numbers& values, const Map& map) {
  std::vector<double> rows;
  for (const int place : map.to) rows.push_back(values[static_cast<std::size_t>(place)]);
  return rows;
}

/// The place number `k` of every part that has so many.
std::vector<int> places_number(std::size_t k, const std::vector<Map>& maps, std::vector<int> Map::*list) {
  std::vector<int> places;
  for (const Map& map : maps) {
    if (k < (map.*list).size()) places.push_back((map.*list)[k]);
  }
  return places;
}
std::size_t most_places(const std::vector<Map>& maps, std::vector<int> Map::*list) {
  std::size_t most = 0;
  for (const Map& map : maps) most = std::max(most, (map.*list).size());
  return most;
}

bool is_error(const Correction& c, int place) {
  return c.errors >= 0 && place >= c.errors && place < c.errors + c.error_count;
}

/// The offset that a tracked error calls for cancels what that error does to the states. What rounding leaves of both
/// is nothing: then no later step depends on the error. Not more than rounding: where a step hardly moves the states
/// the terms are large, and what remains beside them is real.
void clean_columns_of_errors(const Correction& c, Image& image, std::vector<Map>& maps) {
  constexpr double rounding = 32.0 * std::numeric_limits<double>::epsilon();
  std::vector<std::vector<Column>> by_input(maps.size());
  for (std::size_t k = 0; k < most_places(maps, &Map::inputs); ++k) {
    const base::Numbers& values = image.unheard_of(places_number(k, maps, &Map::inputs));
    for (std::size_t m = 0; m < maps.size(); ++m) {
      if (k < maps[m].inputs.size()) by_input[m].push_back({maps[m].inputs[k], rows_of(values, maps[m])});
    }
  }
  for (std::size_t k = 0; k < most_places(maps, &Map::from); ++k) {
    const std::vector<int> places = places_number(k, maps, &Map::from);
    if (std::none_of(places.begin(), places.end(), [&](int place) { return is_error(c, place); })) continue;
    const base::Numbers heard = image.heard_of(places);
    const base::Numbers& unheard = image.unheard_of(places);
    for (std::size_t m = 0; m < maps.size(); ++m) {
      if (k >= maps[m].from.size() || !is_error(c, maps[m].from[k])) continue;
      std::vector<double> terms = rows_of(unheard, maps[m]);
      for (std::size_t r = 0; r < terms.size(); ++r) {
        double size = std::abs(terms[r]);
        for (const Column& input : by_input[m])
          size += std::abs(heard[static_cast<std::size_t>(input.from)] * input.rows[r]);
        double& sum = maps[m].columns[k].rows[r];
        if (std::abs(sum) <= rounding * size) sum = 0.0;
      }
    }
  }
}

/// Columns of all parts side by side, since these have nothing to do with each other. Offsets of connections are left
/// out meanwhile: what is left is linear, and nothing is lost in differences of large numbers.
void find_columns(Program& program, std::vector<Map>& maps) {
  Correction& c = *program.correction;
  Image image(program);
  std::vector<double> limits(program.initial_values.size(), std::numeric_limits<double>::infinity());
  for (const CorrectedWire& wire : c.wires)  // what the source made of it must be within the limit, too
    limits[static_cast<std::size_t>(wire.corrected)] =
        c.growth_limit * std::min(1.0, std::abs(wire.gain)) + std::abs(wire.offset);
  const base::Numbers& alone = image.of({});
  for (Map& map : maps) {
    map.constants = rows_of(alone, map);
    for (const int place : map.to) map.limits.push_back(limits[static_cast<std::size_t>(place)]);
  }
  std::vector<double> offsets;
  for (CorrectedWire& wire : c.wires) offsets.push_back(std::exchange(wire.offset, 0.0));
  for (std::size_t k = 0; k < most_places(maps, &Map::from); ++k) {
    const base::Numbers& values = image.of(places_number(k, maps, &Map::from));
    for (Map& map : maps) {
      if (k < map.from.size()) map.columns.push_back({map.from[k], rows_of(values, map)});
    }
  }
  if (c.writes_inputs && c.has_slope()) clean_columns_of_errors(c, image, maps);
  for (std::size_t w = 0; w < c.wires.size(); ++w) c.wires[w].offset = offsets[w];
}

std::size_t blocks_of(std::size_t rows) { return (rows + rows_a_block - 1) / rows_a_block; }

/// Rows from `first` to `end`; what does not fill a block is zero.
Group make_group(const Map& map, std::size_t first, std::size_t end, Program& program) {
  const std::size_t rows = end - first;
  const std::size_t blocks = blocks_of(rows);
  Group group;
  program.initial_models.resize(base::next_line(program.initial_models.size()));
  group.matrix = static_cast<int>(program.initial_models.size());
  const auto append = [&](auto&& number_of) {
    for (std::size_t r = 0; r < blocks * rows_a_block; ++r)
      program.initial_models.push_back(r < rows ? number_of(first + r) : 0.0);
  };
  append([&](std::size_t row) { return map.limits[row]; });
  append([&](std::size_t row) { return map.constants[row]; });
  for (const Column& column : map.columns) {
    const auto own = column.rows.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::all_of(own, own + static_cast<std::ptrdiff_t>(rows), [](double number) { return number == 0.0; }))
      continue;
    group.from.push_back(column.from);
    append([&](std::size_t row) { return column.rows[row]; });
  }
  group.add_up = way_to_add_up(blocks, group.from.size());
  return group;
}

/// Where all rows go to the same block of memory, and there is room behind it for the zeros that fill the last block.
bool lie_side_by_side(const std::vector<int>& places, const Correction& c) {
  const bool together = places.back() - places.front() + 1 == static_cast<int>(places.size());
  return together && places.size() <= most_rows && places.back() + 1 == c.spare;
}

/// Whether the inputs before the last are, one by one, what the last were.
bool are_copies(const Correction& c, const Map& map) {
  for (std::size_t w = 0; c.before >= 0 && w < c.wires.size(); ++w) {
    const int place = c.before + static_cast<int>(w), source = c.wires.front().corrected + static_cast<int>(w);
    const auto row = std::lower_bound(map.to.begin(), map.to.end(), place) - map.to.begin();
    const auto number = static_cast<std::size_t>(row);
    if (c.wires[w].corrected != source || map.constants[number] != 0.0) return false;
    for (const Column& column : map.columns) {
      if (column.rows[number] != (column.from == source ? 1.0 : 0.0)) return false;
    }
  }
  return true;
}

/// Without the last rows that no step reads.
std::size_t count_needed_rows(const Correction& c, const Map& map) {
  const auto is_read = [&](int place) {
    return std::any_of(map.columns.begin(), map.columns.end(), [&](const Column& column) {
      return column.from == place &&
             std::any_of(column.rows.begin(), column.rows.end(), [](double number) { return number != 0.0; });
    });
  };
  std::size_t rows = map.to.size();
  while (rows > 0) {
    const int place = map.to[rows - 1];
    const bool copied = c.before >= 0 && place >= c.before;
    if (!copied && !(is_error(c, place) && !is_read(place))) break;
    --rows;
  }
  return rows;
}

/// FMUs that are not corrected may end the run after any step, and then somebody looks. Behind a step that failed
/// nobody reads tracked errors.
bool nobody_ends_the_run(const Program& program) {
  return std::all_of(program.lanes.begin(), program.lanes.end(), [&](const Lane& lane) {
    return program.assembly->members[static_cast<std::size_t>(lane.member)].equations != nullptr;
  });
}

std::optional<Quick::Brief> make_brief(Program& program, const Map& map) {
  const Correction& c = *program.correction;
  const std::size_t rows = count_needed_rows(c, map);
  if (blocks_of(rows) == blocks_of(map.to.size()) || !are_copies(c, map) || !nobody_ends_the_run(program))
    return std::nullopt;
  return Quick::Brief{make_group(map, 0, rows, program), c.wires.front().corrected,
                      c.before >= 0 ? blocks_of(c.wires.size()) : 0};
}

/// They are written at the end of a step for the next.
void carry_inputs(Program& program) {
  const Correction& c = *program.correction;
  for (const CorrectedWire& wire : c.wires) {
    for (const int place : places_of_input(wire)) program.signals.push_back(place);
  }
  if (carries_offsets(c)) return;
  std::erase_if(program.signals,
                [&](int place) { return place >= c.offset && place < c.offset + static_cast<int>(c.wires.size()); });
}

/// A map is full where the correction itself is sparse: above this many rows that costs more than it saves.
constexpr std::size_t most_rows_of_a_part = 80;

}  // namespace

void make_quick(Program& program) {
  if (!is_usual(program)) return;
  Correction& c = *program.correction;
  c.writes_inputs = decides_alone(c);
  std::vector<Map> maps = find_places(c);
  if (std::any_of(maps.begin(), maps.end(), [](const Map& map) { return map.to.size() > most_rows_of_a_part; })) {
    c.writes_inputs = false;
    return;
  }
  if (c.writes_inputs) carry_inputs(program);
  find_columns(program, maps);
  Quick quick;
  int room = 0;
  for (const Map& map : maps) {
    for (std::size_t first = 0; first < map.to.size(); first += most_rows) {
      quick.groups.push_back(make_group(map, first, std::min(first + most_rows, map.to.size()), program));
      quick.groups.back().room = room;
      for (std::size_t r = first; r < std::min(first + most_rows, map.to.size()); ++r)
        quick.moves.push_back({room + static_cast<int>(r - first), map.to[r]});
      room += static_cast<int>(most_rows);
    }
  }
  if (maps.size() == 1 && lie_side_by_side(maps.front().to, c)) {
    quick.first = maps.front().to.front();
    quick.brief = make_brief(program, maps.front());
  } else {
    quick.room = static_cast<int>(program.initial_models.size());
    program.initial_models.resize(program.initial_models.size() + static_cast<std::size_t>(room));
  }
  c.quick = std::move(quick);
}

base::Outcome correct_in_groups(const Correction& c, Memory& memory) {
  const Quick& quick = *c.quick;
  double *const values = memory.values.data(), *const room = memory.models.data() + quick.room;
  bool sound = true;
  for (const Group& group : quick.groups) sound &= group.add_up(group, memory.models.data(), values, room + group.room);
  for (const Quick::Move& move : quick.moves) values[move.to] = room[move.from];
  return sound ? base::Outcome::accepted : base::Outcome::diverged;
}

}  // namespace seam::coupling
