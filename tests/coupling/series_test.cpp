// Filters through many micro points at once, and one after the other.
#include "seam/coupling/series.hpp"

#include <gtest/gtest.h>

#include <random>

#include "seam/coupling/emitter/compensator.hpp"
#include "seam/coupling/receiver/smoother.hpp"

namespace seam::coupling {
namespace {

constexpr int ports = 3, points = 7, apart = 5;

class SomeNumbers {
 public:
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(engine_); }
  std::vector<double> numbers(int size) {
    std::vector<double> result;
    for (int i = 0; i < size; ++i) result.push_back(number());
    return result;
  }
  /// As compensators are realised: sections of two states, which feel themselves and those before them.
  lti::StateSpace filter_in_sections(int states) {
    lti::StateSpace result = filter(states);
    for (int i = 0; i < states; ++i) {
      for (int j = i / 2 * 2 + 2; j < states; ++j) result.A(i, j) = 0.0;
    }
    return result;
  }
  lti::StateSpace filter(int states) {
    const auto matrix = [&](int rows, int columns) {
      return lti::Matrix(lti::Matrix::NullaryExpr(rows, columns, [this] { return number(); }));
    };
    lti::StateSpace filter{matrix(states, states), matrix(states, 1), matrix(1, states), matrix(1, 1)};
    filter.A -= 3.0 * states * lti::Matrix::Identity(states, states);
    return filter;
  }

 private:
  std::mt19937 engine_{7};
};

TEST(Series, of_a_compensator_is_its_points_one_by_one_to_the_bit) {
  SomeNumbers random;
  for (int states = 1; states <= 12; ++states) {
    for (const FilterSolver solver : {FilterSolver::euler, FilterSolver::exact}) {
      for (const auto limit : {std::optional<double>(), std::optional<double>(3.0)}) {
        for (const lti::StateSpace& equations : {random.filter(states), random.filter_in_sections(states)}) {
          const Compensator filter(equations, 0.1, solver, limit);
          std::vector<double> rows = random.numbers(filter.rows() * ports), same = rows;
          const std::vector<double> outputs = random.numbers(points * apart);
          filter.observe_all(ports, {points, apart}, outputs.data(), rows.data());
          for (int i = 0; i < points; ++i) filter.observe(ports, outputs.data() + i * apart, same.data());
          EXPECT_EQ(rows, same) << states << " states";
        }
      }
    }
  }
}

TEST(Series, of_a_smoother_is_its_micro_steps_one_by_one_to_the_bit) {
  SomeNumbers random;
  constexpr int inputs = 4, columns[ports] = {2, 0, 3};
  for (int states = 1; states <= 6; ++states) {
    SampleTiming timing;
    timing.sink_segments = 10;
    const Smoother filter(random.filter(states), timing, FilterSolver::exact);
    std::vector<double> history = random.numbers(filter.shape().history * ports), same = history;
    std::vector<double> found(3 * inputs * points), expected = found;
    filter.segments(ports, {points, 3 * inputs}, history.data(), {found.data(), inputs, columns});
    for (int i = 0; i < points; ++i)
      filter.segment(ports, same.data(), {expected.data() + i * 3 * inputs, inputs, columns});
    EXPECT_EQ(found, expected) << states << " states";
    EXPECT_EQ(history, same) << states << " states";
  }
}

}  // namespace
}  // namespace seam::coupling
