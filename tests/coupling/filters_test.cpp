// The compensator and the smoother by themselves: what arrives of a sweep.
#include "seam/coupling/filters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "seam/coupling/emitter/compensator.hpp"
#include "seam/coupling/receiver/smoother.hpp"
#include "support/published_roots.hpp"
#include "support/sweep.hpp"

namespace seam::coupling {
namespace {

Roots published() { return testing::published_13<Roots>(); }

system::Method smoothing() { return {"smoother", {{"order", 2.0}, {"cutoff", 0.5}}}; }

// Root mean squares of an independent reproduction of section 3.4; there the exact solution is Runge and Kutta's rule
// with the sweep at its stages.
TEST(Filters, carry_a_sweep_with_the_errors_of_an_independent_reproduction) {
  const system::Coupling exact = testing::filters(published()), euler = testing::filters(published(), "-euler");
  EXPECT_NEAR(testing::sweep_error({euler, 100}), 0.215814, 1e-4 * 0.2158);
  EXPECT_NEAR(testing::sweep_error({euler, 10}), 0.184077, 1e-4 * 0.1841);
  EXPECT_NEAR(testing::sweep_error({exact, 100}), 0.219929, 1e-4 * 0.2199);
}

// A compensator that takes its input for constant inside a micro step makes 3.66 of it.
TEST(Filters, carry_the_sweep_nearly_as_well_with_coarse_micro_steps) {
  EXPECT_LT(testing::sweep_error({testing::filters(published()), 10}), 0.26);
}

system::Coupling limited(system::Coupling coupling, double jump_limit) {
  coupling.emitter.parameters.emplace_back("jump_limit", jump_limit);
  return coupling;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

// A jump right before a communication point: K1(infinity) makes 80 of it, the smoother leaves some.
TEST(Filters, send_a_jump_as_it_is_if_it_is_limited) {
  const auto jump = [](double t) { return t < 0.0495 ? 0.0 : 1.0; };
  for (const char* rule : {"", "-euler"}) {
    const system::Coupling free = testing::filters(published(), rule);
    EXPECT_GT(largest(testing::arriving({free, 10, 20}, jump)), 20.0);
    const std::vector<double> tame = testing::arriving({limited(free, 1e-9), 10, 20}, jump);
    EXPECT_LT(largest(tame), 1.1);
    // the smoother's answer to a step of K1(0), from the communication point on
    EXPECT_EQ(tame[50], 0.0);
    EXPECT_NEAR(tame.back(), 0.982962, 1e-3);
  }
}

TEST(Filters, are_the_same_with_a_limit_that_is_never_reached) {
  for (const char* rule : {"", "-euler"}) {
    const system::Coupling free = testing::filters(published(), rule);
    const std::vector<double> expected = testing::arriving({free, 10, 100}, testing::sweep),
                              limited_ones = testing::arriving({limited(free, 10.0), 10, 100}, testing::sweep);
    EXPECT_EQ(expected, limited_ones);
  }
}

// What changes too fast is left out of the filter: the sent value is K1(0) times the jump and the filtered rest.
TEST(Filters, compensate_the_motion_beside_a_jump_as_if_there_were_none) {
  const auto motion = [](double t) { return std::sin(30.0 * t); };
  const auto both = [&](double t) { return motion(t) + (t < 0.0495 ? 0.0 : 100.0); };
  const system::Coupling coupling = limited(testing::filters(published()), 0.4);
  const std::vector<double> plain = testing::arriving({coupling, 10, 60}, motion),
                            jumping = testing::arriving({coupling, 10, 60}, both);
  EXPECT_NEAR(jumping.back() - plain.back(), 98.2962, 0.01);
}

TEST(Filters, are_numbers_of_a_method_and_back) {
  system::Method method{"compensator", {{"micro_steps", 10.0}, {"gain", 1.0}, {"zero9", 2.0}}};
  write_roots(published(), method);
  for (const auto& [name, value] : method.parameters) EXPECT_TRUE(name == "micro_steps" || is_root_name(name)) << name;
  const auto read = read_roots(method);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->zeros, published().zeros);
  EXPECT_EQ(read->poles, published().poles);
  EXPECT_EQ(read->gain, 81.9055);
  EXPECT_FALSE(read_roots(smoothing()));
  for (const char* name : {"zero", "zero0", "pole1_re", "poles", "pole1x", "zer1"})
    EXPECT_FALSE(is_root_name(name)) << name;
}

TEST(Filters, begin_as_if_the_first_value_had_been_there_for_ever) {
  const lti::StateSpace filter = lti::realise_in_sections(published());
  for (const FilterSolver solver : {FilterSolver::exact, FilterSolver::euler}) {
    const Compensator emitter(filter, 0.1, solver);
    std::vector<double> rows(static_cast<std::size_t>(emitter.rows()) * 2);
    const double outputs[] = {3.0, -2.0};
    emitter.start(2, outputs, rows.data());
    EXPECT_NEAR(rows[0], 3.0 * 0.982962, 1e-5);
    const std::vector<double> before = rows;
    for (int i = 0; i < 50; ++i) emitter.observe(2, outputs, rows.data());
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_NEAR(rows[i], before[i], 1e-9 * (1.0 + std::abs(before[i]))) << i;
  }
}

TEST(Filters, take_outputs_that_are_evaluated_again_as_if_they_had_come_at_once) {
  const lti::StateSpace filter = lti::realise_in_sections(published());
  using Limit = std::optional<double>;
  for (const auto& [solver, limit] : {std::pair{FilterSolver::exact, Limit{}},
                                      {FilterSolver::euler, Limit{}},
                                      {FilterSolver::exact, Limit{15.0}},
                                      {FilterSolver::euler, Limit{15.0}}}) {
    const Compensator emitter(filter, 0.1, solver, limit);
    std::vector<double> once(static_cast<std::size_t>(emitter.rows())), twice = once;
    for (const double u : {1.0, 2.0, -1.0}) {
      const double wrong = u + 5.0;
      emitter.observe(1, &u, once.data());
      emitter.observe(1, &wrong, twice.data());
      emitter.replace(1, &u, twice.data());
    }
    for (std::size_t i = 0; i < once.size(); ++i)
      EXPECT_NEAR(once[i], twice[i], 1e-10 * (1.0 + std::abs(once[i]))) << i;
  }
}

// Jacobi's order of events is what the compensator was made for: a sample that comes early waits.
TEST(Filters, keep_a_sample_that_is_ahead_until_its_step) {
  SampleTiming ahead;
  ahead.age = -1.0;
  const lti::StateSpace filter = lti::realise_in_sections(smoothing_filter(smoothing()));
  const Smoother early(filter, ahead, FilterSolver::exact), plain(filter, {}, FilterSolver::exact);
  const auto rows = static_cast<std::size_t>(plain.shape().history);
  std::vector<double> a(rows), b(rows), c(3), d(3);
  const int column = 0;
  const double samples[] = {1.0, 4.0, -2.0, 0.5};
  for (int i = 0; i < 4; ++i) {  // the early one hears at the begin of a step what the other hears at its end
    early.make_room(1, 1, a.data());
    a[2] = samples[i];
    early.polynomial(1, 1, a.data(), {c.data(), 1, &column});
    plain.polynomial(1, 1, b.data(), {d.data(), 1, &column});
    early.segment(1, a.data(), {c.data(), 1, &column});
    plain.segment(1, b.data(), {d.data(), 1, &column});
    EXPECT_EQ(c, d);
    plain.make_room(1, 1, b.data());
    b[2] = samples[i];
  }
  EXPECT_NE(c[2], 0.0);
}

}  // namespace
}  // namespace seam::coupling
