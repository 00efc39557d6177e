// Rows of an affine map, as many as there are vectors of the processor to hold them.
#pragma once

#include "seam/coupling/corrector/correction.hpp"

namespace seam::coupling {

inline constexpr std::size_t rows_a_block = 4, most_blocks = 6, most_rows = rows_a_block * most_blocks;

/// Numbers that are added up side by side. Those of four are the largest that are asked for: where the processor has
/// none, of two.
enum class Vectors { of_two, of_four };

/// For so many blocks of rows and so many columns.
decltype(Correction::Quick::Group::add_up) way_to_add_up(std::size_t blocks, std::size_t columns,
                                                         Vectors vectors = Vectors::of_four);

}  // namespace seam::coupling
