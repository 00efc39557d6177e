// Handles of SUNDIALS that free themselves.
#pragma once

#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <memory>
#include <type_traits>

#include "seam/base/error.hpp"

namespace seam::ode {

struct Release {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

inline void require(int status, const char* call) {
  if (status != 0) throw base::Error(base::Failure::internal, fmt::format("{} returned {}", call, status));
}

inline Owned<SUNContext> make_context() {
  SUNContext made = nullptr;
  require(SUNContext_Create(nullptr, &made), "SUNContext_Create");
  return Owned<SUNContext>(made);
}

}  // namespace seam::ode
