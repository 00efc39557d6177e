#include "seam/models/piecewise.hpp"

#include <gtest/gtest.h>

#include "seam/base/error.hpp"

namespace seam::models {
namespace {

using Between = Piecewise::Between;
using Outside = Piecewise::Outside;

const std::vector<double> places = {0.0, 1.0, 3.0};
const std::vector<double> values = {2.0, 4.0, 0.0};

TEST(Piecewise, is_straight_between_points_and_exact_at_them) {
  const Piecewise curve(places, values, Between::linear, Outside::clamp);
  EXPECT_EQ(curve.value(0.5), 3.0);
  EXPECT_EQ(curve.value(2.0), 2.0);
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(curve.value(places[i]), values[i]);
}

TEST(Piecewise, clamped_keeps_the_end_values_outside) {
  const Piecewise curve(places, values, Between::linear, Outside::clamp);
  EXPECT_EQ(curve.value(-5.0), 2.0);
  EXPECT_EQ(curve.value(5.0), 0.0);
  EXPECT_EQ(curve.slope(-5.0), 0.0);
  EXPECT_EQ(curve.slope(5.0), 0.0);
}

TEST(Piecewise, extrapolated_goes_on_with_the_end_lines) {
  const Piecewise curve(places, values, Between::linear, Outside::extrapolate);
  EXPECT_EQ(curve.value(-1.0), 0.0);
  EXPECT_EQ(curve.value(4.0), -2.0);
  EXPECT_EQ(curve.slope(4.0), -2.0);
}

TEST(Piecewise, held_keeps_a_value_until_the_next_point) {
  const Piecewise curve(places, values, Between::hold, Outside::clamp);
  EXPECT_EQ(curve.value(0.999), 2.0);
  EXPECT_EQ(curve.value(1.0), 4.0);
  EXPECT_EQ(curve.value(-1.0), 2.0);
  EXPECT_EQ(curve.value(7.0), 0.0);
}

TEST(Piecewise, one_point_is_a_constant) {
  const Piecewise curve({1.0}, {7.0}, Between::linear, Outside::extrapolate);
  EXPECT_EQ(curve.value(-3.0), 7.0);
  EXPECT_EQ(curve.slope(3.0), 0.0);
}

TEST(Piecewise, points_that_do_not_rise_are_an_internal_error) {
  EXPECT_THROW(Piecewise({1.0, 1.0}, {0.0, 0.0}, Between::linear, Outside::extrapolate), base::Error);
  EXPECT_THROW(Piecewise({1.0, 1.0, 1.0}, {0.0, 0.0, 0.0}, Between::linear, Outside::clamp), base::Error);
  EXPECT_THROW(Piecewise({1.0, 0.5}, {0.0, 0.0}, Between::linear, Outside::clamp), base::Error);
  EXPECT_THROW(Piecewise({}, {}, Between::linear, Outside::clamp), base::Error);
  EXPECT_THROW(Piecewise({1.0}, {}, Between::linear, Outside::clamp), base::Error);
}

}  // namespace
}  // namespace seam::models
