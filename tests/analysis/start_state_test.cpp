// The start state of a subsystem that shows its outputs alone.
#include "seam/analysis/start_state.hpp"

#include <gtest/gtest.h>

#include "seam/lti/discretise.hpp"

namespace seam::analysis {
namespace {

using lti::Matrix;
using lti::Vector;

/// A mass on a spring and a damper of which the displacement and the force on the ground are seen.
const lti::StateSpace mass{Matrix{{0, 1}, {-400, -2}}, Matrix{{0}, {1}}, Matrix{{1, 0}, {-400, -2}},
                           Matrix{{0}, {0.5}}};

RestRecord record_from(const Vector& start, const std::vector<double>& inputs, int calls) {
  RestRecord rest{0.01, inputs, {0, 1}, 2, {}};
  const lti::PolynomialStep step = lti::discretise(mass, rest.call, 0);
  Vector x = start;
  for (int k = 0; k < calls; ++k) {
    const double u = inputs[std::min(static_cast<std::size_t>(k), inputs.size() - 1)];
    x = step.Ad * x + step.G[0] * Vector{{u}};
    const Vector y = mass.C * x + mass.D * Vector{{u}};
    rest.values.insert(rest.values.end(), y.begin(), y.end());
  }
  return rest;
}

TEST(StartState, is_found_under_inputs_that_stay_and_under_inputs_that_move) {
  const Vector start{{0.3, -4.0}};
  std::vector<double> course;
  for (int k = 0; k < 40; ++k) course.push_back(k % 7 - 2.0);
  for (const std::vector<double>& inputs : {std::vector<double>{5.0}, course}) {
    const StartState found = start_state(mass, record_from(start, inputs, 40));
    EXPECT_LT((found.state - start).norm(), 1e-10);
    EXPECT_LT(found.unexplained, 1e-12);
  }
}

TEST(StartState, says_how_much_it_does_not_explain) {
  RestRecord rest = record_from(Vector{{0.3, -4.0}}, {5.0}, 40);
  double largest = 0.0;
  for (std::size_t i = 0; i < rest.values.size(); i += 2) largest = std::max(largest, std::abs(rest.values[i]));
  for (std::size_t i = 0; i < rest.values.size(); i += 2) rest.values[i] += (i % 4 == 0 ? 0.1 : -0.1) * largest;
  const double unexplained = start_state(mass, rest).unexplained;
  EXPECT_GT(unexplained, 0.08);
  EXPECT_LT(unexplained, 0.12);
}

TEST(StartState, that_no_output_shows_is_the_smallest) {
  lti::StateSpace hidden = mass;
  hidden.A = Matrix::Zero(3, 3);
  hidden.A.topLeftCorner(2, 2) = mass.A;
  hidden.A(2, 2) = -1.0;
  hidden.B = Matrix{{0}, {1}, {0}};
  hidden.C = Matrix::Zero(2, 3);
  hidden.C.leftCols(2) = mass.C;
  const StartState found = start_state(hidden, record_from(Vector{{0.3, -4.0}}, {5.0}, 40));
  EXPECT_LT((found.state - Vector{{0.3, -4.0, 0.0}}).norm(), 1e-10);
}

}  // namespace
}  // namespace seam::analysis
