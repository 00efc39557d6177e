#include "seam/coupling/corrector/quick.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "seam/coupling/corrector/mending.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace seam::coupling {
namespace {

using Quick = Correction::Quick;
using Group = Quick::Group;

constexpr std::int64_t plenty = 1 << 20;

// Rows side by side, by vectors as the processor has them: of four numbers most, of two every one of this kind. The
// columns of what the step itself made come last: the processor can add up all others while the subsystems still step.
// `to` may lie in `values`: nothing is written before all is read.
using Two = double __attribute__((vector_size(16), aligned(8), may_alias));
constexpr std::size_t most_blocks = 6, most_in_one_go = 16;
using AddUp = decltype(Group::add_up);

template <int blocks>
bool by_twos(const Group& group, const double* models, const double* values, double* to) {
  const auto *limits = reinterpret_cast<const Two*>(models + group.matrix), *matrix = limits + 2 * blocks;
  Two sums[2 * blocks];
#pragma GCC unroll 12
  for (int i = 0; i < 2 * blocks; ++i) sums[i] = matrix[i];
  for (const int from : group.from) {
    matrix += 2 * blocks;
    const double factor = values[from];
#pragma GCC unroll 12
    for (int i = 0; i < 2 * blocks; ++i) sums[i] += matrix[i] * factor;
  }
  bool sound = true;
#pragma GCC unroll 12
  for (int i = 0; i < 2 * blocks; ++i) {
    reinterpret_cast<Two*>(to)[i] = sums[i];
    sound &= std::abs(sums[i][0]) <= limits[i][0] && std::abs(sums[i][1]) <= limits[i][1];
  }
  return sound;
}

#ifdef __x86_64__
/// `known`: how many columns there are, or 0 where they are counted while running.
template <int blocks, int known>
[[gnu::target("avx")]] bool by_fours(const Group& group, const double* models, const double* values, double* to) {
  const double *limits = models + group.matrix, *matrix = limits + 4 * blocks;
  const int* from = group.from.data();
  __m256d sums[blocks];
#pragma GCC unroll 6
  for (int i = 0; i < blocks; ++i) sums[i] = _mm256_loadu_pd(matrix + 4 * i);
  const std::size_t columns = known > 0 ? known : group.from.size();
#pragma GCC unroll 16
  for (std::size_t k = 0; k < columns; ++k) {
    matrix += 4 * blocks;
    const __m256d factor = _mm256_broadcast_sd(values + from[k]);
#pragma GCC unroll 6
    for (int i = 0; i < blocks; ++i)
      sums[i] = _mm256_add_pd(sums[i], _mm256_mul_pd(_mm256_loadu_pd(matrix + 4 * i), factor));
  }
  const __m256d sign = _mm256_set1_pd(-0.0);
  __m256d sound = _mm256_cmp_pd(sign, sign, _CMP_EQ_OQ);
#pragma GCC unroll 6
  for (int i = 0; i < blocks; ++i) {
    _mm256_storeu_pd(to + 4 * i, sums[i]);
    const __m256d size = _mm256_andnot_pd(sign, sums[i]);
    sound = _mm256_and_pd(sound, _mm256_cmp_pd(size, _mm256_loadu_pd(limits + 4 * i), _CMP_LE_OQ));
  }
  return _mm256_movemask_pd(sound) == 0b1111;
}

template <int blocks, std::size_t... columns>
constexpr std::array<AddUp, sizeof...(columns)> by_fours_of(std::index_sequence<columns...>) {
  return {by_fours<blocks, static_cast<int>(columns)>...};
}
#endif

template <std::size_t... blocks>
AddUp way_to_add_up(std::size_t wanted, std::size_t columns, std::index_sequence<blocks...>) {
#ifdef __x86_64__
  using Columns = std::make_index_sequence<most_in_one_go + 1>;
  constexpr std::array table{by_fours_of<static_cast<int>(blocks + 1)>(Columns())...};
  if (__builtin_cpu_supports("avx")) return table[wanted - 1][columns <= most_in_one_go ? columns : 0];
#endif
  constexpr std::array<AddUp, sizeof...(blocks)> twos{by_twos<static_cast<int>(blocks + 1)>...};
  return twos[wanted - 1];
}

constexpr std::size_t block = 4, most_rows = block * most_blocks;

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
  if (carries_offsets(c)) add_all(c.offset, c.wires.size());
  for (const CorrectedWire& wire : c.wires) {
    add(wire.corrected);
    const bool follows = wire.is_sample && c.has_offset();  // from the sample and what is added to it
    for (int k = 0; k <= wire.degree && !follows; ++k) add(wire.coefficients + k * wire.stride);
  }
  std::sort(places.begin(), places.end());
  for (auto output = c.outputs.rbegin(); output != c.outputs.rend(); ++output) add(output->raw);
  return places;
}

/// Inputs of the next step, offsets included.
std::vector<int> places_of_inputs(const Correction& c) {
  std::vector<int> places;
  for (const CorrectedWire& wire : c.wires) {
    for (int k = 0; k <= wire.degree; ++k) places.push_back(wire.coefficients + k * wire.stride);
  }
  return places;
}

/// What comes out, as it lies in memory: the inputs at the point and all else that is carried on.
std::vector<int> places_behind(const Correction& c) {
  std::vector<int> places;
  if (c.writes_inputs) places = places_of_inputs(c);
  for (const CorrectedWire& wire : c.wires) places.push_back(wire.corrected);
  for (const int first : {c.before, c.owed, carries_offsets(c) ? c.offset : -1}) {
    for (std::size_t w = 0; first >= 0 && w < c.wires.size(); ++w) places.push_back(first + static_cast<int>(w));
  }
  for (int e = 0; e < c.error_count; ++e) places.push_back(c.errors + e);
  std::sort(places.begin(), places.end());
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
    if (!carries_offsets(c)) find_offsets_of(c, place);
    for (std::size_t l = 0; c.has_offset() && l < c.lanes.size(); ++l) hear(c, static_cast<int>(l));
    correct(program_, now_, memory_);
    std::vector<double> result;
    for (const int behind : places_behind(c)) result.push_back(memory_.values[static_cast<std::size_t>(behind)]);
    return result;
  }

 private:
  /// Those that a correction leaves behind which meets nothing but a sum of errors.
  void find_offsets_of(const Correction& c, int place) {
    const int wires = static_cast<int>(c.wires.size());
    if (place < c.owed || place >= c.owed + wires) return;
    const base::Numbers before = memory_.values;
    correct(program_, now_, memory_);
    base::Numbers after = before;
    std::copy_n(memory_.values.begin() + c.offset, wires, after.begin() + c.offset);
    memory_.values = after;
  }

  /// Inputs of plain holds; those of others are among the places.
  void hear(const Correction& c, int lane) {
    const base::Numbers before = memory_.values;
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
  std::vector<int> to;                    ///< one a row
  std::vector<double> limits, constants;  ///< the same
  std::vector<Column> columns;
};

Map find_map(const Program& program) {
  const Correction& c = *program.correction;
  Image image(program);
  Map map{places_behind(c), {}, image.of(-1), {}};
  for (const int place : map.to) {
    const bool is_sent =
        std::any_of(c.wires.begin(), c.wires.end(), [&](const CorrectedWire& wire) { return wire.corrected == place; });
    map.limits.push_back(is_sent ? c.growth_limit : std::numeric_limits<double>::infinity());
  }
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
  program.initial_models.resize(base::next_line(program.initial_models.size()));
  group.matrix = static_cast<int>(program.initial_models.size());
  const auto append = [&](auto&& number_of) {
    for (std::size_t r = 0; r < blocks * block; ++r)
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
  group.add_up = way_to_add_up(blocks, group.from.size(), std::make_index_sequence<most_blocks>());
  return group;
}

/// Where all rows go to the same block of memory, and there is room behind it for the zeros that fill the last block.
bool lie_side_by_side(const std::vector<int>& places, const Correction& c) {
  const bool together = places.back() - places.front() + 1 == static_cast<int>(places.size());
  return together && places.size() <= most_rows && places.back() + 1 == c.spare;
}

/// They are written at the end of a step for the next.
void carry_inputs(Program& program) {
  const Correction& c = *program.correction;
  for (const int place : places_of_inputs(c)) program.signals.push_back(place);
  if (carries_offsets(c)) return;
  std::erase_if(program.signals,
                [&](int place) { return place >= c.offset && place < c.offset + static_cast<int>(c.wires.size()); });
}

}  // namespace

void make_quick(Program& program) {
  if (!is_usual(program)) return;
  Correction& c = *program.correction;
  c.writes_inputs = decides_alone(c);
  if (c.writes_inputs) carry_inputs(program);
  const Map map = find_map(program);
  Quick quick;
  for (std::size_t first = 0; first < map.to.size(); first += most_rows)
    quick.groups.push_back(make_group(map, first, program));
  if (lie_side_by_side(map.to, c)) {
    quick.first = map.to.front();
  } else {
    quick.found = map.to;
    quick.room = static_cast<int>(program.initial_models.size());
    program.initial_models.resize(program.initial_models.size() + quick.groups.size() * most_rows);
  }
  c.quick = std::move(quick);
}

base::Outcome correct_in_groups(const Correction& c, Memory& memory) {
  const Quick& quick = *c.quick;
  double* const found = memory.models.data() + quick.room;
  double* to = found;
  bool sound = true;
  for (const Group& group : quick.groups) {
    sound &= group.add_up(group, memory.models.data(), memory.values.data(), to);
    to += most_rows;
  }
  for (std::size_t r = 0; r < quick.found.size(); ++r)
    memory.values[static_cast<std::size_t>(quick.found[r])] = found[r];
  return sound ? base::Outcome::accepted : base::Outcome::diverged;
}

}  // namespace seam::coupling
