#include "seam/assembly/linear_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "assembly/march_scene.hpp"

namespace seam::assembly {
namespace {

/// Inputs at the edges are 0, of either sign: their columns may be left out.
void silence(Scene& scene) {
  const auto m = static_cast<std::size_t>(scene.m);
  for (std::vector<double>* const numbers : {&scene.coefficients, &scene.given}) {
    for (std::size_t i = 0; i < numbers->size(); ++i) {
      if (i % m != m / 2) (*numbers)[i] = i / m % 2 == 0 ? 0.0 : -0.0;
    }
  }
}

/// Two scenes with the same steps.
struct Two {
  Two(unsigned seed, int parts) : first(seed, parts), second(seed + 100'000, parts) {
    if (seed % 3 == 0) first.coefficients.front() = 1e306;  // on its way to infinity
    if (seed % 2 == 1) {
      silence(first);
      silence(second);
    }
    if (seed % 7 == 0) second.coefficients.back() = std::numeric_limits<double>::infinity();
  }
  Scene first, second;
};

/// Whether there was such a pair.
bool equals_one_by_one(unsigned seed, int parts, int at_once) {
  Two two(seed, parts), same(seed, parts);
  const Sources sources = seed % 5 == 0 ? Sources::silent : Sources::live;
  const auto first = two.first.subsystem->marcher(two.first.wish),
             second = two.second.subsystem->marcher(two.second.wish);
  const auto pair = first->beside(*second);
  if (!pair) return false;
  Seen one = room_for(two.first), other = room_for(two.second);
  for (int done = 0; done < parts; done += at_once) {
    const auto marched =
        pair->march({stretch_of(two.first, sources, done, at_once), stretch_of(two.second, sources, done, at_once)},
                    {notes_of(two.first, done, one), notes_of(two.second, done, other)});
    EXPECT_TRUE(marched[0]) << "seed " << seed;
    EXPECT_EQ(marched[1], seed % 7 != 0) << "seed " << seed;
    if (!marched[1]) return true;
  }
  one.states.assign(two.first.subsystem->states().begin(), two.first.subsystem->states().end());
  other.states.assign(two.second.subsystem->states().begin(), two.second.subsystem->states().end());
  expect_same(one, step_by_step(same.first, sources), seed);
  expect_same(other, step_by_step(same.second, sources), seed);
  return true;
}

TEST(LinearPair, is_each_of_them_alone_to_the_bit_whatever_they_are) {
  int pairs = 0;
  for (unsigned seed = 1; seed < 6000; ++seed) pairs += equals_one_by_one(seed, 1 + static_cast<int>(seed % 50), 32);
  EXPECT_GT(pairs, 300);
}

TEST(LinearPair, is_made_only_of_marchers_with_the_same_steps) {
  MarchWish wish;
  wish.length = 0.1;
  wish.most = 10;
  OdeSubsystem euler(lag(), ode::Method::euler), other(lag(), ode::Method::euler), rk4(lag(), ode::Method::rk4);
  const auto one = euler.marcher(wish), same = other.marcher(wish), another = rk4.marcher(wish);
  EXPECT_NE(one->beside(*same), nullptr);
  EXPECT_EQ(one->beside(*another), nullptr);
  wish.most = 20;
  const auto longer = other.marcher(wish);
  EXPECT_EQ(one->beside(*longer), nullptr);
}

}  // namespace
}  // namespace seam::assembly
