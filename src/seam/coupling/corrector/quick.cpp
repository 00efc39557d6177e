#include "seam/coupling/corrector/quick.hpp"

#include <algorithm>

#include "seam/coupling/corrector/mending.hpp"

namespace seam::coupling {
namespace {

using Offset = CorrectorSettings::Offset;

constexpr int block = 4;  ///< rows that are added up side by side
constexpr std::int64_t plenty = 1 << 20;

using Pair = double __attribute__((vector_size(16)));

Pair load(const double* from) { return Pair{from[0], from[1]}; }

/// Rows of one block: columns of `block` numbers each, the last of them the constant.
inline void add_up(const double* matrix, int columns, const double* from, double* to) {
  Pair first = load(matrix + columns * block), second = load(matrix + columns * block + 2);
  for (int c = 0; c < columns; ++c, matrix += block) {
    const Pair factor = {from[c], from[c]};
    first += load(matrix) * factor;
    second += load(matrix + 2) * factor;
  }
  to[0] = first[0];
  to[1] = first[1];
  to[2] = second[0];
  to[3] = second[1];
}

bool is_usual(const Program& program) {
  const Correction& c = *program.correction;
  if (!c.one_rate || c.refreshes || c.points() > 1 || !program.interventions.empty()) return false;
  const bool lanes =
      std::none_of(c.lanes.begin(), c.lanes.end(), [](const CorrectedLane& l) { return l.may_have_events; });
  return lanes &&
         std::none_of(c.wires.begin(), c.wires.end(), [](const CorrectedWire& w) { return w.limited || w.fine >= 0; });
}

/// A deadbeat offset follows from the errors, and the input of a plain hold from that and the sample.
bool follows_from_errors(const Correction& c, const CorrectedWire& wire) { return wire.is_sample && c.has_slope(); }

/// All places that the inputs at the point and the errors may depend on.
std::vector<int> places_before(const Correction& c) {
  std::vector<int> places;
  const auto add = [&](int place) {
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  };
  for (const CorrectedOutput& output : c.outputs) add(output.raw);
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const CorrectedWire& wire = c.wires[w];
    add(wire.corrected);
    if (c.before >= 0) add(c.before + static_cast<int>(w));
    for (int k = 0; k <= wire.degree && !follows_from_errors(c, wire); ++k) add(wire.coefficients + k * wire.stride);
  }
  for (int e = 0; e < c.error_count; ++e) add(c.errors + e);
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
    for (std::size_t l = 0; c.has_slope() && l < c.lanes.size(); ++l) hear(c, static_cast<int>(l));
    correct(program_, now_, memory_);
    std::vector<double> result;
    for (const CorrectedWire& wire : c.wires)
      result.push_back(memory_.values[static_cast<std::size_t>(wire.corrected)]);
    for (int e = 0; e < c.error_count; ++e) result.push_back(memory_.values[static_cast<std::size_t>(c.errors + e)]);
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

}  // namespace

void make_quick(Program& program) {
  Correction& c = *program.correction;
  if (c.settings.outputs == CorrectorSettings::Outputs::as_sent || !is_usual(program)) return;
  Correction::Quick quick;
  Image image(program);
  const std::vector<double> rest = image.of(-1);
  const std::size_t rows = rest.size();
  quick.blocks = static_cast<int>((rows + block - 1) / block);
  std::vector<std::vector<double>> columns;
  for (const int place : places_before(c)) {
    std::vector<double> column = image.of(place);
    for (std::size_t r = 0; r < rows; ++r) column[r] -= rest[r];
    if (std::all_of(column.begin(), column.end(), [](double number) { return number == 0.0; })) continue;
    quick.from.push_back(place);
    columns.push_back(std::move(column));
  }
  columns.push_back(rest);
  quick.matrix = static_cast<int>(program.initial_models.size());
  for (std::size_t b = 0; b < static_cast<std::size_t>(quick.blocks); ++b) {
    for (const std::vector<double>& column : columns) {
      for (std::size_t r = b * block; r < (b + 1) * block; ++r)
        program.initial_models.push_back(r < rows ? column[r] : 0.0);
    }
  }
  // Room for what is gathered and what comes out of it.
  program.initial_models.resize(program.initial_models.size() + quick.from.size() + rows + block);
  c.quick = std::move(quick);
}

base::Outcome correct_quickly(const Correction& c, Memory& memory) {
  double* const values = memory.values.data();
  double* const models = memory.models.data();
  const Correction::Quick& quick = *c.quick;
  const int columns = static_cast<int>(quick.from.size());
  const double* const matrix = models + quick.matrix;
  double* const gathered = models + quick.matrix + quick.blocks * (columns + 1) * block;
  double* const found = gathered + columns;
  for (int i = 0; i < columns; ++i) gathered[i] = values[quick.from[static_cast<std::size_t>(i)]];
  for (int b = 0; b < quick.blocks; ++b)
    add_up(matrix + b * (columns + 1) * block, columns, gathered, found + b * block);
  ++memory.knowledge[static_cast<std::size_t>(c.seen)];
  const int wires = static_cast<int>(c.wires.size());
  if (c.offset >= 0) make_good_quickly(c, found, memory);
  bool all_sound = true;
  for (int w = 0; w < wires; ++w) {
    const int place = c.wires[static_cast<std::size_t>(w)].corrected;
    if (c.before >= 0) values[c.before + w] = values[place];
    values[place] = found[w];
    all_sound &= sound(found[w], c.growth_limit);
  }
  for (int e = 0; e < c.error_count; ++e) values[c.errors + e] = found[wires + e];
  return all_sound ? base::Outcome::accepted : base::Outcome::diverged;
}

}  // namespace seam::coupling
