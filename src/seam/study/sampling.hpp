// Numbers in (0, 1) that cover it more evenly than random ones. Each follows from its key alone, in any order.
#pragma once

#include "seam/study/distribution.hpp"

namespace seam::study {

/// How the draws of all samples lie.
enum class Sampling {
  random,
  latin_hypercube,  ///< of every path one draw in each of as many equally likely intervals as there are samples
  sobol             ///< a sequence of low discrepancy in all paths together
};

/// As it is written in a study.
const std::vector<std::string>& sampling_words();

/// McKay, Beckman and Conover 1979: the samples' intervals are in random order, and the place inside is random.
double latin_hypercube_number(const DrawKey& key, std::uint64_t samples);

inline constexpr std::size_t sobol_dimensions = 53;

/// The sequence in Gray code order with the direction numbers of Joe and Kuo 2008, 32 bits; `dimension` is from 0. All
/// of its numbers are shifted (by exclusive or) by bits that follow from seed and name.
double sobol_number(const DrawKey& key, std::size_t dimension);

/// Without the shift: bit 31 counts 1/2.
std::uint32_t sobol_bits(std::uint64_t sample, std::size_t dimension);

}  // namespace seam::study
