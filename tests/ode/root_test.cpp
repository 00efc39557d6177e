#include "seam/ode/root.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

namespace seam::ode {
namespace {

/// One equation in one unknown.
class Scalar final : public RootProblem {
 public:
  using Function = std::function<double(double)>;
  Scalar(Function F, Function slope) : F_(std::move(F)), slope_(std::move(slope)) {}
  int count() const override { return 1; }
  Answer residual(In x, Out F) override {
    F[0] = F_(x[0]);
    return std::isfinite(F[0]) ? Answer::given : Answer::refused;
  }
  Answer jacobian(In x, Out J) override {
    J[0] = slope_(x[0]);
    return J[0] != 0.0 ? Answer::given : Answer::refused;
  }

 private:
  Function F_, slope_;
};

struct Found {
  RootResult result;
  double x;
};
Found find(Scalar problem, double start, double size = 1.0, RootStrategy strategy = RootStrategy::line_search) {
  std::vector<double> x = {start};
  const std::vector<double> scale = {size};
  const RootResult result = find_root(problem, {{scale, scale}, 1e-13, strategy}, x);
  return {result, x[0]};
}

TEST(Root, of_a_linear_equation_takes_one_iteration) {
  const Found found = find({[](double x) { return 3.0 * x - 12.0; }, [](double) { return 3.0; }}, 0.0);
  EXPECT_EQ(found.result.ending, RootResult::Ending::found);
  EXPECT_EQ(found.result.iterations, 1);
  EXPECT_NEAR(found.x, 4.0, 1e-13);
}

TEST(Root, is_found_to_all_digits) {
  const Found found = find({[](double x) { return x * x - 2.0; }, [](double x) { return 2.0 * x; }}, 1.0);
  EXPECT_EQ(found.result.ending, RootResult::Ending::found);
  EXPECT_NEAR(found.x, std::sqrt(2.0), 1e-13);
}

TEST(Root, may_be_far_away) {
  const Found found = find({[](double x) { return x - 1e12; }, [](double) { return 1.0; }}, 0.0);
  EXPECT_EQ(found.result.ending, RootResult::Ending::found);
  EXPECT_EQ(found.x, 1e12);
}

TEST(Root, small_by_its_scale_is_found_as_well_as_any) {
  const Found found = find({[](double x) { return x * x - 4e-18; }, [](double x) { return 2.0 * x; }}, 1e-9, 1e-18);
  EXPECT_NEAR(found.x / 2e-9, 1.0, 1e-7);
}

// Newton's full steps for atan leave the start by larger and larger steps from 1.5 on.
TEST(Root, line_search_comes_home_where_full_steps_run_away) {
  const auto F = [](double x) { return std::atan(x); };
  const auto slope = [](double x) { return 1.0 / (1.0 + x * x); };
  EXPECT_NEAR(find({F, slope}, 3.0).x, 0.0, 1e-12);
  EXPECT_NE(find({F, slope}, 3.0, 1.0, RootStrategy::full_steps).result.ending, RootResult::Ending::found);
}

TEST(Root, that_does_not_exist_is_not_found) {
  const Found found = find({[](double x) { return x * x + 1.0; }, [](double x) { return 2.0 * x; }}, 2.0);
  EXPECT_NE(found.result.ending, RootResult::Ending::found);
}

TEST(Root, where_the_slope_is_zero_the_problem_refuses) {
  const Found found = find({[](double) { return 1.0; }, [](double) { return 0.0; }}, 0.5);
  EXPECT_EQ(found.result.ending, RootResult::Ending::refused);
  EXPECT_EQ(found.x, 0.5);
}

TEST(Root, where_nothing_is_finite_the_problem_refuses) {
  const Found found = find({[](double) { return NAN; }, [](double) { return 1.0; }}, 0.5);
  EXPECT_EQ(found.result.ending, RootResult::Ending::refused);
}

TEST(Root, what_the_problem_throws_comes_out) {
  const auto thrower = [](double) -> double { throw std::out_of_range("no"); };
  EXPECT_THROW(find({thrower, thrower}, 1.0), std::out_of_range);
}

}  // namespace
}  // namespace seam::ode
