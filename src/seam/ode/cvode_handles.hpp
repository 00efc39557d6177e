// What every solver made of CVODE needs: handles that free themselves, and its statuses in words.
#pragma once

#include <cvode/cvode.h>
#include <fmt/format.h>

#include <memory>
#include <string>

#include "seam/ode/sundials_handles.hpp"

namespace seam::ode {

constexpr long steps_at_most = 200'000;  // a call; a solver that needs more does not get on

struct ReleaseCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

inline std::string reason(int status) {
  switch (status) {
    case CV_TOO_MUCH_WORK:
      return fmt::format("it took {} steps and was not through", steps_at_most);
    case CV_TOO_MUCH_ACC:
      return "the tolerances ask for more digits than a double has";
    case CV_ERR_FAILURE:
      return "the error test failed again and again, even with the smallest step";
    case CV_CONV_FAILURE:
      return "Newton's method did not converge, even with the smallest step";
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
      return "the linear system of Newton's method could not be solved";
    case CV_FIRST_RHSFUNC_ERR:
      return "the derivatives are not finite at the begin of the step";
    case CV_RHSFUNC_FAIL:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
      return "the derivatives are not finite, even with the smallest step";
    case CV_RTFUNC_FAIL:
      return "the event indicators could not be evaluated";
    case CV_TOO_CLOSE:
      return "the step is too short for its time to differ";
    default:
      return fmt::format("CVODE status {}", status);
  }
}

/// CVODE with a dense linear solver, one vector and one matrix.
struct CvodeHandles {
  explicit CvodeHandles(int states) {
    SUNContext made = context.get();
    x.reset(N_VNew_Serial(states, made));
    matrix.reset(SUNDenseMatrix(states, states, made));
    linear_solver.reset(SUNLinSol_Dense(x.get(), matrix.get(), made));
    memory.reset(CVodeCreate(CV_BDF, made));
    if (!x || !matrix || !linear_solver || !memory) throw base::Error(base::Failure::subsystem, "cvode: out of memory");
    N_VConst(0.0, x.get());
  }

  /// `user` is what the callbacks get.
  void begin(CVRhsFn derivatives, void* user) const {
    require(CVodeInit(memory.get(), derivatives, 0.0, x.get()), "CVodeInit");
    const auto quiet = [](int, const char*, const char*, char*, void*) {};
    require(CVodeSetErrHandlerFn(memory.get(), quiet, nullptr), "CVodeSetErrHandlerFn");
    require(CVodeSetUserData(memory.get(), user), "CVodeSetUserData");
    require(CVodeSetMaxNumSteps(memory.get(), steps_at_most), "CVodeSetMaxNumSteps");
    require(CVodeSetLinearSolver(memory.get(), linear_solver.get(), matrix.get()), "CVodeSetLinearSolver");
  }

  Owned<SUNContext> context = make_context();
  Owned<N_Vector> x;
  Owned<SUNMatrix> matrix;
  Owned<SUNLinearSolver> linear_solver;
  std::unique_ptr<void, ReleaseCvode> memory;
};

}  // namespace seam::ode
