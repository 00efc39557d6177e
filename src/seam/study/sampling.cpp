#include "seam/study/sampling.hpp"

#include <algorithm>
#include <array>

namespace seam::study {
namespace {

/// Number `index` of 0 … count-1 in an order that the key chooses: a Feistel network over the next power of four, which
/// is a bijection there, repeated until it arrives below the count.
std::uint64_t shuffled(std::uint64_t index, std::uint64_t count, std::uint64_t key) {
  constexpr int rounds = 6;
  int half = 1;
  while ((std::uint64_t{1} << (2 * half)) < count) ++half;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      const std::uint64_t next = left ^ (mixed(key + mixed(right + (round << 32))) & mask);
      left = right;
      right = next;
    }
    index = left << half | right;
  } while (index >= count);
  return index;
}

/// A primitive polynomial x^degree + a_1 x^(degree-1) + … + a_(degree-1) x + 1, whose inner coefficients are the
/// bits of `inner`, and the first numbers m_1, m_2, … of its dimension.
struct Start {
  int degree;
  unsigned inner;
  std::array<std::uint32_t, 8> m;
};

/// Dimensions 2, 3, … of the set new-joe-kuo-6.21201 (Joe and Kuo 2008).
constexpr std::array<Start, sobol_dimensions - 1> starts = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
    {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
    {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
    {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
    {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}},
    {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
    {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}},
    {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
    {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}},
    {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
    {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}},
    {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
    {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}},
    {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}},
    {8, 103, {1, 3, 7, 7, 17, 17, 37, 71}},
    {8, 115, {1, 3, 1, 5, 27, 63, 123, 213}},
    {8, 122, {1, 1, 3, 5, 11, 43, 53, 133}},
}};

constexpr int word_bits = 32;
using Directions = std::array<std::uint32_t, word_bits>;

/// v_k = m_k / 2^k, as fractions of 2^32; from k = degree on they follow the recurrence of the polynomial.
constexpr Directions directions_of(const Start& start) {
  Directions v{};
  const auto s = static_cast<std::size_t>(start.degree);
  for (std::size_t k = 0; k < s; ++k) v[k] = start.m[k] << (word_bits - 1 - k);
  for (std::size_t k = s; k < word_bits; ++k) {
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (std::size_t j = 1; j < s; ++j) {
      if ((start.inner >> (s - 1 - j) & 1U) != 0) v[k] ^= v[k - j];
    }
  }
  return v;
}

constexpr std::array<Directions, sobol_dimensions> make_directions() {
  std::array<Directions, sobol_dimensions> all{};
  for (std::size_t k = 0; k < word_bits; ++k) all[0][k] = 1U << (word_bits - 1 - k);  // van der Corput
  for (std::size_t d = 1; d < sobol_dimensions; ++d) all[d] = directions_of(starts[d - 1]);
  return all;
}

constexpr std::array<Directions, sobol_dimensions> directions = make_directions();

/// A stream beside those of the samples.
DrawKey for_all_samples(const DrawKey& key) { return {key.seed, ~std::uint64_t{0}, key.name}; }

}  // namespace

const std::vector<std::string>& sampling_words() {
  static const std::vector<std::string> words = {"random", "latin-hypercube", "sobol"};
  return words;
}

double latin_hypercube_number(const DrawKey& key, std::uint64_t samples) {
  const std::uint64_t interval = shuffled(key.sample, samples, random_bits(for_all_samples(key), 0));
  const double share = (static_cast<double>(interval) + uniform_number(key, 0)) / static_cast<double>(samples);
  return std::min(share, 1.0 - 0x1p-53);  // rounded up to 1 it would have no normal number
}

std::uint32_t sobol_bits(std::uint64_t sample, std::size_t dimension) {
  std::uint32_t result = 0;
  const std::uint64_t gray = sample ^ (sample >> 1);
  for (std::size_t k = 0; k < word_bits; ++k) {
    if ((gray >> k & 1U) != 0) result ^= directions[dimension][k];
  }
  return result;
}

double sobol_number(const DrawKey& key, std::size_t dimension) {
  const auto shift = static_cast<std::uint32_t>(random_bits(for_all_samples(key), 0) >> 32);
  return (static_cast<double>(sobol_bits(key.sample, dimension) ^ shift) + 0.5) * 0x1p-32;
}

}  // namespace seam::study
