// The correction as one affine map, for the usual case: fixed models, one rate, nobody ever left out.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "seam/coupling/corrector/add_up.hpp"
#include "seam/coupling/corrector/correct.hpp"

namespace seam::coupling {

/// Finds the map by calling the correction itself with unit vectors, so that there is no second formula. Nothing is
/// made where the case is not the usual one.
void make_quick(Program& program);

/// Whether `correct` can go by that map at the end of a whole step: the shape of the input needs all its samples.
inline bool is_quick(const Correction& correction, const Memory& memory) {
  return correction.quick && (correction.before < 0 || memory.knowledge[static_cast<std::size_t>(correction.seen)] > 0);
}

/// For maps of many rows, and rows that go to many places.
base::Outcome correct_in_groups(const Correction& correction, Memory& memory);

/// `correct` by that map.
inline base::Outcome correct_quickly(const Correction& correction, Memory& memory) {
  const Correction::Quick& quick = *correction.quick;
  if (quick.first < 0) return correct_in_groups(correction, memory);
  const Correction::Quick::Group& group = quick.groups.front();
  double* const values = memory.values.data();
  const bool sound = group.add_up(group, memory.models.data(), values, values + quick.first);
  return sound ? base::Outcome::accepted : base::Outcome::diverged;
}

/// The same where another step follows at once and nobody looks before: what no step reads may be left as it is.
inline base::Outcome correct_briefly(const Correction& correction, Memory& memory) {
  const Correction::Quick& quick = *correction.quick;
  if (!quick.brief) return correct_quickly(correction, memory);
  const Correction::Quick::Brief& brief = *quick.brief;
  double* const values = memory.values.data();
  using Block = std::array<double, rows_a_block>;
  std::array<Block, most_blocks> last;  // the sums overwrite them
  for (std::size_t i = 0; i < brief.blocks; ++i)
    std::memcpy(&last[i], values + brief.copied + i * rows_a_block, sizeof(Block));
  const bool sound = brief.group.add_up(brief.group, memory.models.data(), values, values + quick.first);
  for (std::size_t i = 0; i < brief.blocks; ++i)
    std::memcpy(values + correction.before + i * rows_a_block, &last[i], sizeof(Block));
  static_assert(most_spare == rows_a_block - 1);
  if (brief.blocks > 0) std::fill_n(values + correction.spare, most_spare, 0.0);  // where a block is longer than that
  return sound ? base::Outcome::accepted : base::Outcome::diverged;
}

}  // namespace seam::coupling
