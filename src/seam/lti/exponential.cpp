#include "seam/lti/exponential.hpp"

#include "seam/lti/discretise.hpp"

namespace seam::lti {

Matrix exponential(const Matrix& M) { return discretise({M, Matrix(M.rows(), 0), {}, {}}, 1.0, 0).Ad; }

}  // namespace seam::lti
