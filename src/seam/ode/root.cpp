#include "seam/ode/root.hpp"

#include <kinsol/kinsol.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <vector>

#include "seam/ode/sundials_handles.hpp"

namespace seam::ode {
namespace {

struct ReleaseKinsol {
  void operator()(void* memory) const { KINFree(&memory); }
};

class Session {
 public:
  Session(RootProblem& problem, const RootRequest& request);
  RootResult run(Out x);

 private:
  static int residual(N_Vector x, N_Vector F, void* self);
  static int differentiate(N_Vector x, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector);
  template <typename Work>
  int guarded(const Work& work);
  double norm() const;  // of the residual at x_, scaled

  RootProblem& problem_;
  RootRequest request_;
  std::size_t count_;
  std::vector<double> rows_, F_, best_;
  double best_norm_ = INFINITY;
  std::exception_ptr thrown_;  // by the problem: exceptions may not pass through C
  Owned<SUNContext> context_ = make_context();
  Owned<N_Vector> x_, x_scale_, F_scale_;
  Owned<SUNMatrix> matrix_;
  Owned<SUNLinearSolver> linear_solver_;
  std::unique_ptr<void, ReleaseKinsol> memory_;
};

Session::Session(RootProblem& problem, const RootRequest& request)
    : problem_(problem),
      request_(request),
      count_(static_cast<std::size_t>(problem.count())),
      rows_(count_ * count_),
      F_(count_) {
  const auto n = static_cast<sunindextype>(count_);
  SUNContext context = context_.get();
  x_.reset(N_VNew_Serial(n, context));
  x_scale_.reset(N_VNew_Serial(n, context));
  F_scale_.reset(N_VNew_Serial(n, context));
  matrix_.reset(SUNDenseMatrix(n, n, context));
  linear_solver_.reset(SUNLinSol_Dense(x_.get(), matrix_.get(), context));
  memory_.reset(KINCreate(context));
  if (!x_ || !x_scale_ || !F_scale_ || !matrix_ || !linear_solver_ || !memory_)
    throw base::Error(base::Failure::subsystem, "kinsol: out of memory");
  for (std::size_t i = 0; i < count_; ++i) {
    N_VGetArrayPointer(x_scale_.get())[i] = 1.0 / request.scales.unknowns[i];
    N_VGetArrayPointer(F_scale_.get())[i] = 1.0 / request.scales.equations[i];
  }
  void* memory = memory_.get();
  require(KINInit(memory, &Session::residual, x_.get()), "KINInit");
  const auto quiet = [](int, const char*, const char*, char*, void*) {};
  require(KINSetErrHandlerFn(memory, quiet, nullptr), "KINSetErrHandlerFn");
  require(KINSetUserData(memory, this), "KINSetUserData");
  require(KINSetLinearSolver(memory, linear_solver_.get(), matrix_.get()), "KINSetLinearSolver");
  require(KINSetJacFn(memory, &Session::differentiate), "KINSetJacFn");
  require(KINSetMaxSetupCalls(memory, 1), "KINSetMaxSetupCalls");  // a new Jacobian in every iteration
  require(KINSetFuncNormTol(memory, request.tolerance), "KINSetFuncNormTol");
  require(KINSetScaledStepTol(memory, 1e-15), "KINSetScaledStepTol");
  require(KINSetMaxNewtonStep(memory, 1e100), "KINSetMaxNewtonStep");  // how far the root may be is not known
  require(KINSetNumMaxIters(memory, 200), "KINSetNumMaxIters");
}

template <typename Work>
int Session::guarded(const Work& work) {
  constexpr int go_elsewhere = 1;
  try {
    return work() == RootProblem::Answer::given ? 0 : go_elsewhere;
  } catch (...) {
    thrown_ = std::current_exception();
    return -1;
  }
}

double Session::norm() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < count_; ++i) largest = std::max(largest, std::abs(F_[i]) / request_.scales.equations[i]);
  return largest;
}

int Session::residual(N_Vector x, N_Vector F, void* self) {
  auto& session = *static_cast<Session*>(self);
  return session.guarded([&] {
    const double* place = N_VGetArrayPointer(x);
    const auto answer = session.problem_.residual({place, session.count_}, session.F_);
    const bool finite = std::ranges::all_of(session.F_, [](double f) { return std::isfinite(f); });
    if (answer == RootProblem::Answer::refused || !finite) return RootProblem::Answer::refused;
    std::copy(session.F_.begin(), session.F_.end(), N_VGetArrayPointer(F));
    if (const double norm = session.norm(); norm < session.best_norm_) {
      session.best_norm_ = norm;
      session.best_.assign(place, place + session.count_);
    }
    return answer;
  });
}

int Session::differentiate(N_Vector x, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector) {
  auto& session = *static_cast<Session*>(self);
  return session.guarded([&] {
    const std::size_t n = session.count_;
    const auto answer = session.problem_.jacobian({N_VGetArrayPointer(x), n}, session.rows_);
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t column = 0; column < n; ++column) SM_ELEMENT_D(J, row, column) = session.rows_[row * n + column];
    }
    return answer;
  });
}

RootResult Session::run(Out x) {
  std::copy(x.begin(), x.end(), N_VGetArrayPointer(x_.get()));
  const int strategy = request_.strategy == RootStrategy::line_search ? KIN_LINESEARCH : KIN_NONE;
  const int status = KINSol(memory_.get(), x_.get(), strategy, x_scale_.get(), F_scale_.get());
  if (thrown_) std::rethrow_exception(thrown_);
  if (!best_.empty()) std::copy(best_.begin(), best_.end(), x.begin());
  long iterations = 0;
  KINGetNumNonlinSolvIters(memory_.get(), &iterations);
  RootResult result{RootResult::Ending::stuck, static_cast<int>(iterations)};
  if (best_norm_ <= request_.tolerance) {
    result.ending = RootResult::Ending::found;
  } else if (status == KIN_MAXITER_REACHED) {
    result.ending = RootResult::Ending::limit;
  } else if (status == KIN_FIRST_SYSFUNC_ERR || status == KIN_REPTD_SYSFUNC_ERR || status == KIN_SYSFUNC_FAIL ||
             status == KIN_LSETUP_FAIL || status == KIN_LSOLVE_FAIL) {
    result.ending = RootResult::Ending::refused;
  }
  return result;
}

}  // namespace

RootResult find_root(RootProblem& problem, const RootRequest& request, Out x) {
  if (x.empty()) return {};
  return Session(problem, request).run(x);
}

}  // namespace seam::ode
