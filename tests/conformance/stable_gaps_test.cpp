// Ranges of stable steps that analysis claims for systems with lightly damped modes, beside a dense scan of the radius.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "seam/base/in_parallel.hpp"
#include "seam/engine/predict/method_outlook.hpp"
#include "seam/engine/predict/rehearsal.hpp"
#include "support/random_system.hpp"

namespace seam {
namespace {

using analysis::StableSteps;
using engine::GapLooks;

constexpr double wide = 2e-3;  // of a step

/// The plan of a system at any step.
class Steps {
 public:
  explicit Steps(const engine::System& system) : rehearsal_(system, {}) { rehearsal_.equation_poles(); }

  StableSteps claim(GapLooks looks) const {
    return *engine::stable_steps_of(
        rehearsal_, [this](double step) { return rehearsal_.with_step(step); }, looks);
  }
  bool is_stable(double step) const {
    return engine::radius_of(rehearsal_, rehearsal_.with_step(step)).value_or(INFINITY) < 1.0;
  }

  /// Stretches without a stable step, from steps 0.1 % apart; the edges are halved down.
  std::vector<StableSteps::Interval> gaps_in(const StableSteps::Interval& interval) const {
    const double from = interval.from * (1.0 + 1e-6), ratio = interval.to * (1.0 - 1e-6) / from;
    const auto parts = static_cast<std::size_t>(std::max(1.0, std::ceil(std::log(ratio) / 1e-3)));
    const auto at = [&](double part) { return from * std::pow(ratio, part / static_cast<double>(parts)); };
    std::vector<char> stable(parts + 1);
    base::in_parallel(stable.size(), [&](std::size_t i) { stable[i] = is_stable(at(static_cast<double>(i))); });
    const auto edge = [&](double inside, double outside) {
      for (int i = 0; i < 12; ++i) {
        const double middle = 0.5 * (inside + outside);
        (is_stable(at(middle)) ? outside : inside) = middle;
      }
      return at(0.5 * (inside + outside));
    };
    std::vector<StableSteps::Interval> gaps;
    for (std::size_t i = 0; i <= parts; ++i) {
      if (stable[i]) continue;
      const auto first = static_cast<double>(i);
      while (i < parts && !stable[i + 1]) ++i;
      const auto last = static_cast<double>(i);
      gaps.push_back({first > 0.0 ? edge(first, first - 1.0) : from, i < parts ? edge(last, last + 1.0) : at(last)});
    }
    return gaps;
  }

 private:
  engine::Rehearsal rehearsal_;
};

bool is_claimed(const StableSteps& steps, double step) {
  for (const StableSteps::Interval& interval : steps.intervals) {
    if (step > interval.from && step < interval.to) return true;
  }
  return false;
}

struct Count {
  int systems = 0, gaps = 0, missed = 0;
  double searched = 0.0;  ///< decades of steps
  std::string which = {};
};

/// Gaps inside what a scan without a search claims, as far as the search says that it went.
void count_gaps(const Steps& steps, const std::string& name, Count& count) {
  const StableSteps scanned = steps.claim(GapLooks::none), searched = steps.claim(GapLooks::many);
  const double end = searched.searched_to.value_or(0.0);
  ++count.systems;
  count.searched += std::log10(std::max(end / searched.examined.from, 1.0));
  for (StableSteps::Interval claimed : scanned.intervals) {
    claimed.to = std::min(claimed.to, end);
    if (claimed.to <= claimed.from * (1.0 + 1e-5)) continue;
    for (const StableSteps::Interval& gap : steps.gaps_in(claimed)) {
      if (gap.to - gap.from <= wide * gap.from) continue;
      ++count.gaps;
      if (!is_claimed(searched, std::sqrt(gap.from * gap.to))) continue;
      ++count.missed;
      count.which += fmt::format("{}: {:.6g} s to {:.6g} s\n", name, gap.from, gap.to);
    }
  }
}

/// Of the random systems from the first to before the last.
Count count_gaps(std::uint64_t seed, int first, int last) {
  testing::RandomSystems random(seed, testing::Drive::none, testing::Damping::light);
  const auto holds = testing::all_holds();
  Count count;
  for (int i = 0; i < last; ++i) {
    const engine::System system = random.next();
    if (i < first) continue;
    const auto& hold = holds[static_cast<std::size_t>(i) % holds.size()];
    const auto way = i % 2 == 0 ? system::Feedthrough::held : system::Feedthrough::fresh;
    count_gaps(Steps(testing::with(system, hold, way)), fmt::format("system {}", i), count);
  }
  fmt::print(
      "{} systems, on average {:.1f} decades searched: {} gaps wider than 0.2 % inside the ranges of a scan, {} "
      "of them left by the search\n",
      count.systems, count.searched / count.systems, count.gaps, count.missed);
  return count;
}

TEST(StableGaps, wider_than_a_five_hundredth_of_a_step_are_found_where_steps_are_said_to_be_searched) {
  const Count count = count_gaps(1, 5, 6);  // one that has some
  EXPECT_GT(count.gaps, 0);
  EXPECT_EQ(count.missed, 0) << count.which;
}
TEST(StableGapsSlow, wider_than_a_five_hundredth_of_a_step_are_found_where_steps_are_said_to_be_searched) {
  const Count count = count_gaps(20261118, 0, 300);
  EXPECT_GT(count.gaps, 100);
  EXPECT_LE(100 * count.missed, count.gaps) << count.which;
}

}  // namespace
}  // namespace seam
