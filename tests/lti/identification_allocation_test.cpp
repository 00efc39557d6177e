// Identification between two steps of a run allocates nothing. Sanitizers replace malloc themselves, so there is
// nothing to count under them.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "lti/random_matrices.hpp"
#include "seam/lti/change_persistence.hpp"
#include "seam/lti/identification.hpp"
#include "seam/lti/model_keeper.hpp"

namespace {
std::atomic<long> allocations{0};
}

// Eigen and LAPACK take their memory here, not by operator new.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}

namespace seam::lti {
namespace {

TEST(IdentificationAllocation, is_counted_at_all) {
  const long before = allocations;
  void* volatile place = std::malloc(8);
  std::free(place);
  EXPECT_GT(allocations, before);
}

TEST(IdentificationAllocation, there_is_none_after_construction) {
  RandomMatrices random(51);
  const int count = 150;
  for (const auto fit : {InputFit::simulation, InputFit::projection}) {
    Identification identification({2, 2, count, 6, 8});
    std::vector<double> u, y;
    Vector x = Vector::Zero(3);
    const Matrix A = 0.5 * random.matrix(3, 3), B = random.matrix(3, 2), C = random.matrix(2, 3);
    for (int i = 0; i < count; ++i) {
      const Vector input = random.matrix(2, 1), output = C * x;
      u.insert(u.end(), input.begin(), input.end());
      y.insert(y.end(), output.begin(), output.end());
      x = A * x + B * input;
    }
    IdentificationChoices choices;
    choices.input_fit = fit;
    const long before = allocations;
    const IdentificationReport report = identification.identify({u, y}, choices);
    choices.order = 2;
    identification.fit(choices);
    const double error = identification.prediction_error({u, y}, FirstState::fitted);
    const long made = allocations - before;
    EXPECT_EQ(made, 0);
    EXPECT_EQ(report.order, 3);
    EXPECT_GT(error, 0.0);
  }
}

TEST(IdentificationAllocation, there_is_none_while_a_keeper_observes_identifies_and_changes_models) {
  RandomMatrices random(52);
  KeeperChoices choices;
  choices.shape.samples = 5;
  choices.order = 2;
  ModelKeeper keeper(2, 1, choices);
  ChangePersistence persistence(2);
  std::vector<double> u(10), y(5), memory(keeper.memory_size());
  Vector x = Vector::Zero(2);
  int changes = 0;
  long made = 0;
  for (int n = 0; n < 60; ++n) {
    const Matrix A = (n < 30 ? 0.9 : -0.7) * Matrix{{0.8, 0.3}, {-0.3, 0.8}}, B{{1.0, 0.0}, {0.0, 1.0}};
    const Vector input = random.matrix(2, 1);
    for (std::size_t i = 0; i < 5; ++i) {
      u[2 * i] = input(0);
      u[2 * i + 1] = input(1);
      y[i] = x(0) + 0.5 * input(1);
      x = A * x + B * input;
    }
    const long before = allocations;
    changes += keeper.observe({u, y}).change != Judgement::Change::none;
    persistence.observe({u.data(), 2});
    keeper.save(memory);
    keeper.load(memory);
    made += allocations - before;
  }
  EXPECT_EQ(made, 0);
  EXPECT_GE(changes, 2);
}

}  // namespace
}  // namespace seam::lti
#endif
