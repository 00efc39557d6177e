#include "seam/lti/lapack.hpp"

#include <fmt/format.h>

#include "seam/base/error.hpp"

namespace seam::lti {

using base::Error;
using base::Failure;

void require_finite(const Matrix& matrix, const char* operation) {
  if (!matrix.allFinite()) {
    throw Error(Failure::internal, fmt::format("{} of a {} x {} matrix with entries that are not finite", operation,
                                               matrix.rows(), matrix.cols()));
  }
}

void require_square(const Matrix& matrix, const char* operation) {
  if (matrix.rows() != matrix.cols()) {
    throw Error(Failure::internal,
                fmt::format("{} needs a square matrix, not {} x {}", operation, matrix.rows(), matrix.cols()));
  }
}

void require_success(lapack_int status, const char* operation) {
  if (status != 0) {
    throw Error(Failure::internal, fmt::format("{} did not succeed (LAPACK status {})", operation, status));
  }
}

}  // namespace seam::lti
