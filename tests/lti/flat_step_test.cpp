#include "seam/lti/flat_step.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "seam/lti/discretise.hpp"

namespace seam::lti {
namespace {

Matrix random_matrix(std::mt19937_64& generator, Eigen::Index rows, Eigen::Index columns, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  return Matrix::NullaryExpr(rows, columns, [&] { return number(generator); });
}

void expect_discretised(const Matrix& A, const Matrix& B, double h) {
  const auto n = static_cast<int>(A.rows()), m = static_cast<int>(B.cols());
  Matrix Ad(n, n), G(n, 3 * m);
  std::vector<double> work(flat_step_work(n, m));
  flat_step({n, m, A.data(), B.data(), h, Ad.data(), G.data(), work.data()});
  const PolynomialStep exact = discretise({A, B, Matrix(0, n), Matrix(0, m)}, h, 2);
  EXPECT_LT((Ad - exact.Ad).norm(), 1e-12 * exact.Ad.norm());
  for (int j = 0; j < 3; ++j) {
    const Matrix& wanted = exact.G[static_cast<std::size_t>(j)];
    EXPECT_LT((G.middleCols(j * m, m) - wanted).norm(), 1e-12 * wanted.norm()) << j;
  }
}

TEST(FlatStep, is_the_step_that_discretise_gives) {
  std::mt19937_64 generator(3);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Index n = 1 + i % 6, m = 1 + i % 3;
    expect_discretised(random_matrix(generator, n, n, 3.0), random_matrix(generator, n, m, 1.0), 0.1 * (1 + i % 9));
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
