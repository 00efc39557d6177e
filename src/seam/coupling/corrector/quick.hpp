// The correction as one affine map, for the usual case: fixed models, one rate, nobody ever left out.
#pragma once

#include "seam/coupling/corrector/correct.hpp"

namespace seam::coupling {

/// Finds the map by calling the correction itself with unit vectors, so that there is no second formula. Nothing is
/// made where the case is not the usual one.
void make_quick(Program& program);

/// Whether `correct` can go by that map: the step must be a whole one, and the shape of the input needs all its
/// samples.
inline bool is_quick(const Correction& correction, const Now& now, const Memory& memory) {
  return correction.quick && now.fraction == 1.0 &&
         (correction.before < 0 || memory.knowledge[static_cast<std::size_t>(correction.seen)] > 0);
}

/// For maps of many rows, and rows that go to many places.
void correct_in_groups(const Correction& correction, Memory& memory);

/// `correct` by that map.
inline base::Outcome correct_quickly(const Correction& correction, Memory& memory) {
  const Correction::Quick& quick = *correction.quick;
  const Correction::Quick::Group& first = quick.groups.front();
  double* const values = memory.values.data();
  ++memory.knowledge[static_cast<std::size_t>(correction.seen)];
  if (quick.first >= 0) {
    first.add_up(first, memory.models.data(), values, values + quick.first);
  } else {
    correct_in_groups(correction, memory);
  }
  for (const int place : quick.sent) {
    if (!sound(values[place], correction.growth_limit)) [[unlikely]]
      return base::Outcome::diverged;
  }
  return base::Outcome::accepted;
}

/// Whether the corrector alone decides about inputs.
inline bool adds_offsets_quickly(const Correction& correction) {
  return correction.quick && !correction.quick->next.empty();
}
/// `add_offsets` where it does.
void add_offsets_quickly(const Correction& correction, const Operation& operation, Memory& memory);

}  // namespace seam::coupling
