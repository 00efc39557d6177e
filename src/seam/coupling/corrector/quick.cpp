#include "seam/coupling/corrector/quick.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "seam/coupling/corrector/mending.hpp"

namespace seam::coupling {
namespace {

using Quick = Correction::Quick;
using Group = Quick::Group;

constexpr std::int64_t plenty = 1 << 20;

// Vectors of two numbers are known to every processor of this kind, of four to most. Both add up in the same order.
using Two = double __attribute__((vector_size(16), aligned(8), may_alias));
using Four = double __attribute__((vector_size(32), aligned(8), may_alias));

/// Rows side by side. The columns of what the step itself made come last: the processor can add up all others while the
/// subsystems still step. `to` may lie in `values`: nothing is written before all is read.
template <class Numbers, int count>
[[gnu::always_inline]] inline void add_up(const Group& group, const double* models, const double* values, double* to) {
  const auto* matrix = reinterpret_cast<const Numbers*>(models + group.matrix);
  Numbers sums[count];
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) sums[i] = matrix[i];
#pragma GCC unroll 2
  for (const int from : group.from) {
    matrix += count;
    const double factor = values[from];
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i) sums[i] += matrix[i] * factor;
  }
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) reinterpret_cast<Numbers*>(to)[i] = sums[i];
}

template <int count>
void by_pairs(const Group& group, const double* models, const double* values, double* to) {
  add_up<Two, 2 * count>(group, models, values, to);
}
constexpr auto with_pairs = std::array{by_pairs<1>, by_pairs<2>, by_pairs<3>, by_pairs<4>};

#ifdef __x86_64__
template <int count>
[[gnu::target("avx")]] void by_fours(const Group& group, const double* models, const double* values, double* to) {
  add_up<Four, count>(group, models, values, to);
}
constexpr auto with_fours = std::array{by_fours<1>, by_fours<2>, by_fours<3>, by_fours<4>};
auto way_to_add_up(std::size_t blocks) { return (__builtin_cpu_supports("avx") ? with_fours : with_pairs)[blocks - 1]; }
#else
auto way_to_add_up(std::size_t blocks) { return with_pairs[blocks - 1]; }
#endif

constexpr std::size_t block = 4, most_rows = block * with_pairs.size();

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

/// All places that the results may depend on, those that the step itself writes last.
std::vector<int> places_before(const Correction& c) {
  std::vector<int> places;
  const auto add = [&](int place) {
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  };
  const auto add_all = [&](int first, std::size_t count) {
    for (std::size_t i = 0; first >= 0 && i < count; ++i) add(first + static_cast<int>(i));
  };
  add_all(c.errors, static_cast<std::size_t>(c.error_count));
  add_all(c.before, c.wires.size());
  add_all(c.owed, c.wires.size());
  add_all(c.offset, c.wires.size());
  for (const CorrectedWire& wire : c.wires) {
    add(wire.corrected);
    const bool follows = wire.is_sample && c.has_offset();  // from the sample and what is added to it
    for (int k = 0; k <= wire.degree && !follows; ++k) add(wire.coefficients + k * wire.stride);
  }
  for (const CorrectedOutput& output : c.outputs) add(output.raw);
  return places;
}

/// What comes out: the inputs at the point, then all else that is carried on.
std::vector<int> places_behind(const Correction& c) {
  std::vector<int> places;
  for (const CorrectedWire& wire : c.wires) places.push_back(wire.corrected);
  for (const int first : {c.before, c.owed, c.offset}) {
    for (std::size_t w = 0; first >= 0 && w < c.wires.size(); ++w) places.push_back(first + static_cast<int>(w));
  }
  for (int e = 0; e < c.error_count; ++e) places.push_back(c.errors + e);
  return places;
}

/// What the correction makes of the values that are there.
class Image {
 public:
  explicit Image(const Program& program) : program_(program) {
    memory_.values.resize(program.initial_values.size());
    memory_.models = program.initial_models;
    memory_.knowledge.assign(static_cast<std::size_t>(program.knowledge), plenty);
  }
  std::vector<double> of(int place) {
    const Correction& c = *program_.correction;
    std::fill(memory_.values.begin(), memory_.values.end(), 0.0);
    if (place >= 0) memory_.values[static_cast<std::size_t>(place)] = 1.0;
    for (std::size_t l = 0; c.has_offset() && l < c.lanes.size(); ++l) hear(c, static_cast<int>(l));
    correct(program_, now_, memory_);
    std::vector<double> result;
    for (const int behind : places_behind(c)) result.push_back(memory_.values[static_cast<std::size_t>(behind)]);
    return result;
  }

 private:
  /// Inputs of plain holds; those of others are among the places.
  void hear(const Correction& c, int lane) {
    std::vector<double> before = memory_.values;
    add_offsets(c, {Action::offset, lane}, memory_);
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

/// A column of the map: what a place adds to all rows.
struct Column {
  int from;
  std::vector<double> rows;
};
struct Map {
  std::vector<int> to;  ///< one a row
  std::vector<double> constants;
  std::vector<Column> columns;
};

Map find_map(const Program& program) {
  const Correction& c = *program.correction;
  Image image(program);
  Map map{places_behind(c), image.of(-1), {}};
  for (const int place : places_before(c)) {
    Column& column = map.columns.emplace_back(Column{place, image.of(place)});
    for (std::size_t r = 0; r < map.to.size(); ++r) column.rows[r] -= map.constants[r];
  }
  return map;
}

/// Rows `first` and following; what does not fill a block is zero.
Group make_group(const Map& map, std::size_t first, Program& program) {
  const std::size_t rows = std::min(most_rows, map.to.size() - first), blocks = (rows + block - 1) / block;
  Group group;
  group.add_up = way_to_add_up(blocks);
  group.matrix = static_cast<int>(program.initial_models.size());
  const auto append = [&](auto&& number_of) {
    for (std::size_t r = 0; r < blocks * block; ++r)
      program.initial_models.push_back(r < rows ? number_of(first + r) : 0.0);
  };
  append([&](std::size_t row) { return map.constants[row]; });
  for (const Column& column : map.columns) {
    const auto own = column.rows.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::all_of(own, own + static_cast<std::ptrdiff_t>(rows), [](double number) { return number == 0.0; }))
      continue;
    group.from.push_back(column.from);
    append([&](std::size_t row) { return column.rows[row]; });
  }
  return group;
}

/// Where all rows go to the same block of memory, and there is room behind it for the zeros that fill the last block.
bool lie_side_by_side(const std::vector<int>& places, const Correction& c) {
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] != places[0] + static_cast<int>(i)) return false;
  }
  return places.size() <= most_rows && places.back() + 1 == c.spare;
}

Quick::Next next_of(const Correction& c, int w, std::vector<double>& models) {
  const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
  const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(wire.sink)];
  Quick::Next next{wire.coefficients, wire.coefficients + wire.stride, wire.corrected, c.offset + w, lane.error,
                   lane.states,       static_cast<int>(models.size())};
  for (int s = 0; c.has_slope() && s < lane.states; ++s) {
    const int column = lane.model.deadbeat + 2 * lane.inputs * s + w - lane.first_input;
    for (const int row : {0, lane.inputs})
      models.push_back(c.settings.alpha * models[static_cast<std::size_t>(column + row)]);
  }
  return next;
}

}  // namespace

void make_quick(Program& program) {
  if (!is_usual(program)) return;
  Correction& c = *program.correction;
  const Map map = find_map(program);
  Quick quick;
  for (std::size_t first = 0; first < map.to.size(); first += most_rows)
    quick.groups.push_back(make_group(map, first, program));
  for (int w = 0; decides_alone(c) && w < static_cast<int>(c.wires.size()); ++w)
    quick.next.push_back(next_of(c, w, program.initial_models));
  for (const CorrectedWire& wire : c.wires) quick.sent.push_back(wire.corrected);
  if (lie_side_by_side(map.to, c)) {
    quick.first = map.to.front();
  } else {
    quick.found = map.to;
    quick.room = static_cast<int>(program.initial_models.size());
    program.initial_models.resize(program.initial_models.size() + quick.groups.size() * most_rows);
  }
  c.quick = std::move(quick);
}

void correct_in_groups(const Correction& c, Memory& memory) {
  const Quick& quick = *c.quick;
  double* const found = memory.models.data() + quick.room;
  double* to = found;
  for (const Group& group : quick.groups) {
    group.add_up(group, memory.models.data(), memory.values.data(), to);
    to += most_rows;
  }
  for (std::size_t r = 0; r < quick.found.size(); ++r)
    memory.values[static_cast<std::size_t>(quick.found[r])] = found[r];
}

void add_offsets_quickly(const Correction& c, const Operation& operation, Memory& memory) {
  double* const values = memory.values.data();
  const CorrectedLane* const lanes = c.lanes.data() + operation.first;
  const CorrectedLane& last = lanes[operation.count - 1];
  const Quick::Next* next = c.quick->next.data() + lanes->first_input;
  const Quick::Next* const end = c.quick->next.data() + last.first_input + last.inputs;
  if (!c.has_slope()) {
    for (; next != end; ++next) values[next->constant] = values[next->corrected] + values[next->offset];
    return;
  }
  for (; next != end; ++next) {
    const auto* deadbeat = reinterpret_cast<const Two*>(memory.models.data() + next->deadbeat);
    Two sum = {0.0, 0.0};
#pragma GCC unroll 2
    for (const double *e = values + next->errors, *const all = e + next->states; e != all; ++e, ++deadbeat)
      sum += *deadbeat * *e;
    values[next->constant] = values[next->corrected] + sum[0];
    values[next->slope] = sum[1];
  }
}

}  // namespace seam::coupling
