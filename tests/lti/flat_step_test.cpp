#include "seam/lti/flat_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "seam/lti/balance.hpp"

namespace seam::lti {
namespace {

Matrix random_matrix(std::mt19937_64& generator, Eigen::Index rows, Eigen::Index columns, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  return Matrix::NullaryExpr(rows, columns, [&] { return number(generator); });
}

/// Van Loan 1978 (doi:10.1109/TAC.1978.1101743): the input is the output of a chain of integrators appended to the
/// system, and all gains are blocks of one exponential, here by Eigen's Padé approximants. The columns of B are scaled,
/// or large inputs would cost digits.
Matrix van_loan(const Matrix& A, const Matrix& B, double h) {
  const Eigen::Index n = A.rows(), m = B.cols();
  const Vector scale = (h * B).colwise().lpNorm<1>().cwiseMax(1e-300);
  Matrix chain = Matrix::Zero(n + 3 * m, n + 3 * m);
  chain.topLeftCorner(n, n) = h * A;
  chain.block(0, n, n, m) = h * B * scale.cwiseInverse().asDiagonal();
  for (int k = 0; k < 2; ++k) chain.block(n + k * m, n + (k + 1) * m, m, m).diagonal().setConstant(k + 1.0);
  const Balanced balanced = balance(chain);
  const Matrix flow = balanced.scale.asDiagonal() * balanced.matrix.exp() * balanced.scale.cwiseInverse().asDiagonal();
  Matrix result = flow.topRows(n);
  for (int k = 0; k < 3; ++k) result.middleCols(n + k * m, m) *= scale.asDiagonal();
  return result;
}

void expect_discretised(const Matrix& A, const Matrix& B, double h) {
  const auto n = static_cast<int>(A.rows()), m = static_cast<int>(B.cols());
  Matrix Ad(n, n), G(n, 3 * m);
  std::vector<double> work(flat_step_work(n, m));
  flat_step({n, m, A.data(), B.data(), h, Ad.data(), G.data(), work.data()});
  const Matrix exact = van_loan(A, B, h);
  EXPECT_LT((Ad - exact.leftCols(n)).norm(), 1e-12 * exact.leftCols(n).norm());
  for (int j = 0; j < 3; ++j) {
    const Matrix wanted = exact.middleCols(n + j * m, m);
    EXPECT_LT((G.middleCols(j * m, m) - wanted).norm(), 1e-12 * wanted.norm()) << j;
  }
}

TEST(FlatStep, is_a_block_of_the_exponential_of_a_larger_matrix) {
  std::mt19937_64 generator(3);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Index n = 1 + i % 6, m = 1 + i % 3;
    expect_discretised(random_matrix(generator, n, n, 3.0), random_matrix(generator, n, m, 1.0), 0.1 * (1 + i % 9));
  }
  for (const Eigen::Index n : {17, 40, 63}) {
    const Matrix A = random_matrix(generator, n, n, 1.0) - std::sqrt(n) * Matrix::Identity(n, n);
    expect_discretised(A, random_matrix(generator, n, 2, 1.0), 0.3);
  }
}

TEST(FlatStep, also_of_stiff_and_of_singular_systems) {
  expect_discretised(Matrix{{0.0, 1.0}, {-1.02e6, -20.2}}, Matrix{{0.0, 0.0}, {2e4, 20.0}}, 4e-3);
  expect_discretised(Matrix{{0.0, 1.0}, {0.0, 0.0}}, Matrix{{0.0}, {0.1}}, 2.0);
  expect_discretised(Matrix{{0.0}}, Matrix{{1.0}}, 0.5);
}

TEST(PseudoInverse, solves_by_the_smallest_least_squares_solution) {
  std::mt19937_64 generator(4);
  for (int i = 0; i < 30; ++i) {
    const int rows = 1 + i % 5, columns = 1 + i % 4, rank = std::min({rows, columns, 1 + i % 3});
    const Matrix M = random_matrix(generator, rows, rank, 1.0) * random_matrix(generator, rank, columns, 1.0);
    Matrix X(columns, rows);
    std::vector<double> work(pseudo_inverse_work(rows, columns));
    pseudo_inverse({M.data(), rows, columns}, 1e-10, X.data(), work.data());
    // the four conditions of Moore and Penrose
    EXPECT_LT((M * X * M - M).norm(), 1e-10 * M.norm());
    EXPECT_LT((X * M * X - X).norm(), 1e-10 * X.norm());
    EXPECT_LT((M * X - (M * X).transpose()).norm(), 1e-10);
    EXPECT_LT((X * M - (X * M).transpose()).norm(), 1e-10);
  }
}

}  // namespace
}  // namespace seam::lti
