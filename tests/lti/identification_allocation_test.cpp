// Identification between two steps of a run allocates nothing. Sanitizers replace malloc themselves, so there is
// nothing to count under them.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "lti/random_matrices.hpp"
#include "seam/lti/identification.hpp"

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

}  // namespace
}  // namespace seam::lti
#endif
