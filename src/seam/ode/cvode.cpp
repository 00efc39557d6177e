#include "seam/ode/cvode.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <vector>

#include "seam/ode/cvode_handles.hpp"

namespace seam::ode {
namespace {

using base::Error;
using base::Failure;

}  // namespace

class CvodeSolver::Session {
 public:
  Session(const Ode& ode, CvodeTolerances tolerances);
  void advance(double t, double h, const InputSignal& input, Out x);

 private:
  static int evaluate(realtype t, N_Vector x, N_Vector dx, void* self);
  static int differentiate(realtype t, N_Vector x, N_Vector fx, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector);
  template <typename Work>
  int guarded(const Work& work);
  In input_at(double t);
  void run(double begin, double end, Out x);

  const Ode* ode_;
  Ode::Sizes sizes_;
  const InputSignal* input_ = nullptr;
  double begin_ = 0.0, end_ = 0.0;  ///< of the part without corners under way
  std::vector<double> u_;
  Jacobians jacobians_;
  std::exception_ptr thrown_;            ///< by the ode: exceptions may not pass through C
  std::optional<CvodeHandles> handles_;  ///< none without states
};

CvodeSolver::Session::Session(const Ode& ode, CvodeTolerances tolerances)
    : ode_(&ode), sizes_(ode.sizes()), u_(sizes_.inputs) {
  if (ode.nature() == Ode::Nature::discrete) {
    throw Error(Failure::subsystem,
                "cvode cannot solve a model with discrete states; choose a solver with a fixed step");
  }
  if (sizes_.states == 0) return;
  handles_.emplace(sizes_.states);
  handles_->begin(&Session::evaluate, this);
  void* memory = handles_->memory.get();
  require(CVodeSStolerances(memory, tolerances.relative, tolerances.absolute), "CVodeSStolerances");
  const bool analytic = ode.nature() == Ode::Nature::linear || ode.jacobian_source() == Ode::JacobianSource::analytic;
  if (analytic) require(CVodeSetJacFn(memory, &Session::differentiate), "CVodeSetJacFn");
}

void CvodeSolver::Session::advance(double t, double h, const InputSignal& input, Out x) {
  if (sizes_.states == 0) return;
  input_ = &input;
  const double end = t + h;
  // A corner this near to an end of a part is that end, up to rounding of times.
  const double slack = 1e-10 * h;
  double begin = t;
  while (begin < end) {
    double next = end;
    for (const DrivenInput& driven : input.driven) {
      const double corner = driven.signal->next_corner(begin + slack);
      if (corner < end - slack) next = std::min(next, corner);
    }
    run(begin, next, x);
    begin = next;
  }
}

void CvodeSolver::Session::run(double begin, double end, Out x) {
  begin_ = begin;
  end_ = end;
  thrown_ = nullptr;
  void* memory = handles_->memory.get();
  double* state = N_VGetArrayPointer(handles_->x.get());
  std::copy(x.begin(), x.end(), state);
  require(CVodeReInit(memory, begin, handles_->x.get()), "CVodeReInit");
  require(CVodeSetStopTime(memory, end), "CVodeSetStopTime");
  double reached = begin;
  const int status = CVode(memory, end, handles_->x.get(), &reached, CV_NORMAL);
  if (thrown_) std::rethrow_exception(thrown_);
  std::copy(state, state + x.size(), x.begin());
  if (status < 0) {
    CVodeGetCurrentTime(memory, &reached);
    throw Error(Failure::subsystem,
                fmt::format("cvode gave up at {} s on the way to {} s: {}", reached, end, reason(status)));
  }
}

// Near its ends a part sees the limits from inside. Half way is as good a border as any: nothing jumps in between.
In CvodeSolver::Session::input_at(double t) {
  const Side side = t < 0.5 * (begin_ + end_) ? Side::right : Side::left;
  input_->at(std::clamp(t, begin_, end_), side, u_);
  return u_;
}

template <typename Work>
int CvodeSolver::Session::guarded(const Work& work) {
  try {
    return work();
  } catch (...) {
    thrown_ = std::current_exception();
    return -1;
  }
}

int CvodeSolver::Session::evaluate(realtype t, N_Vector x, N_Vector dx, void* self) {
  auto& session = *static_cast<Session*>(self);
  return session.guarded([&] {
    const auto n = static_cast<std::size_t>(session.sizes_.states);
    const Out result(N_VGetArrayPointer(dx), n);
    session.ode_->derivatives(t, In(N_VGetArrayPointer(x), n), session.input_at(t), result);
    constexpr int try_a_shorter_step = 1;
    return std::ranges::all_of(result, [](double v) { return std::isfinite(v); }) ? 0 : try_a_shorter_step;
  });
}

int CvodeSolver::Session::differentiate(realtype t, N_Vector x, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector,
                                        N_Vector) {
  auto& session = *static_cast<Session*>(self);
  return session.guarded([&] {
    const int n = session.sizes_.states;
    const In state(N_VGetArrayPointer(x), static_cast<std::size_t>(n));
    session.ode_->jacobians(t, state, session.input_at(t), session.jacobians_);
    for (int row = 0; row < n; ++row) {
      for (int column = 0; column < n; ++column) SM_ELEMENT_D(J, row, column) = session.jacobians_.A[row * n + column];
    }
    return 0;
  });
}

CvodeSolver::CvodeSolver(const Ode& ode, CvodeTolerances tolerances)
    : session_(std::make_unique<Session>(ode, tolerances)) {}
CvodeSolver::~CvodeSolver() = default;
CvodeSolver::CvodeSolver(CvodeSolver&&) noexcept = default;
CvodeSolver& CvodeSolver::operator=(CvodeSolver&&) noexcept = default;

void CvodeSolver::advance(double t, double h, const InputSignal& input, Out x) { session_->advance(t, h, input, x); }

}  // namespace seam::ode
