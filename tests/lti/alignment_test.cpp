#include "seam/lti/alignment.hpp"

#include <gtest/gtest.h>

namespace seam::lti {
namespace {

/// A damped oscillator beside a decay, seen by two outputs.
StateSpace example() {
  StateSpace system{Matrix(3, 3), Matrix(3, 1), Matrix(2, 3), Matrix::Constant(2, 1, 0.5)};
  system.A << 0, 1, 0, -25, -0.4, 0, 0, 0, -2;
  system.B << 0, 1, 3;
  system.C << 1, 0, 0, 0, 2, 1;
  return system;
}

StateSpace in_other_states(const StateSpace& s, const Matrix& T, const Matrix& inverse) {
  return {inverse * s.A * T, inverse * s.B, s.C * T, s.D};
}

TEST(Alignment, brings_the_same_system_back_whatever_its_states_are) {
  Matrix T(3, 3), inverse(3, 3);
  T << 1, 2, 0, 0, 1, 3, 0, 0, 1;
  inverse << 1, -2, 6, 0, 1, -3, 0, 0, 1;
  const StateSpace reference = example();
  const auto back = aligned(in_other_states(reference, T, inverse), reference, 4.0);
  ASSERT_TRUE(back);
  EXPECT_LT((back->A - reference.A).norm(), 1e-11 * reference.A.norm());
  EXPECT_LT((back->B - reference.B).norm(), 1e-11);
  EXPECT_LT((back->C - reference.C).norm(), 1e-11);
  EXPECT_EQ(back->D, reference.D);
}

TEST(Alignment, needs_the_same_number_of_states_and_outputs_that_show_them) {
  StateSpace hidden = example();
  hidden.C.col(2).setZero();
  EXPECT_FALSE(aligned(hidden, example(), 4.0));
  StateSpace smaller = example();
  smaller.A = smaller.A.topLeftCorner(2, 2).eval();
  smaller.B = smaller.B.topRows(2).eval();
  smaller.C = smaller.C.leftCols(2).eval();
  EXPECT_FALSE(aligned(smaller, example(), 4.0));
}

}  // namespace
}  // namespace seam::lti
