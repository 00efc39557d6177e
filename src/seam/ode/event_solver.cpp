#include "seam/ode/event_solver.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <vector>

#include "seam/ode/cvode_handles.hpp"

namespace seam::ode {
namespace {

using base::Error;
using base::Failure;

constexpr int try_a_shorter_step = 1, give_up = -1;

bool all_finite(In values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

}  // namespace

class EventSolver::Session {
 public:
  Session(HybridOde& equations, double relative, In nominals);
  void set_nominals(In nominals);
  void mark(double t, In x) {
    read_signs(t, x, marked_);
    forget();
  }
  void forget() { stopped_at_ = std::numeric_limits<double>::quiet_NaN(); }
  Arrival advance(double t, double end, Out x);
  long steps() const { return steps_; }

 private:
  using Signs = std::vector<char>;
  static int evaluate(realtype t, N_Vector x, N_Vector dx, void* self);
  static int indicate(realtype t, N_Vector x, realtype* z, void* self);
  static int differentiate(realtype t, N_Vector x, N_Vector fx, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector);
  template <typename Work>
  int guarded(const Work& work);
  In states_in(N_Vector x) const { return {N_VGetArrayPointer(x), states_}; }
  void read_signs(double t, In x, Signs& signs);
  bool has_crossed(double t, In x);
  bool goes_on(double t, In x) const {
    return t == stopped_at_ && std::equal(x.begin(), x.end(), N_VGetArrayPointer(handles_.x.get()));
  }
  void restart(double t, double end, In x);
  double step(double end, Out x, int& status);

  HybridOde& equations_;
  double relative_;
  std::size_t states_, indicators_;
  CvodeHandles handles_;
  Owned<N_Vector> absolute_;
  std::vector<double> z_, jacobian_;
  Signs marked_, now_;
  std::exception_ptr thrown_;  ///< by the equations: exceptions may not pass through C
  double stopped_at_ = std::numeric_limits<double>::quiet_NaN();
  long steps_ = 0;
};

// CVODE wants a state. Equations without one get one that stands still, for the sake of root finding.
EventSolver::Session::Session(HybridOde& equations, double relative, In nominals)
    : equations_(equations),
      relative_(relative),
      states_(static_cast<std::size_t>(equations.state_count())),
      indicators_(static_cast<std::size_t>(equations.indicator_count())),
      handles_(std::max(equations.state_count(), 1)),
      absolute_(N_VClone(handles_.x.get())),
      z_(indicators_),
      jacobian_(states_ * states_),
      marked_(indicators_),
      now_(indicators_) {
  handles_.begin(&Session::evaluate, this);
  void* memory = handles_.memory.get();
  if (indicators_ > 0) require(CVodeRootInit(memory, equations.indicator_count(), &Session::indicate), "CVodeRootInit");
  require(CVodeSetNoInactiveRootWarn(memory), "CVodeSetNoInactiveRootWarn");
  if (states_ > 0 && equations.jacobian_source() == Ode::JacobianSource::analytic)
    require(CVodeSetJacFn(memory, &Session::differentiate), "CVodeSetJacFn");
  set_nominals(nominals);
}

void EventSolver::Session::set_nominals(In nominals) {
  N_VConst(relative_, absolute_.get());
  for (std::size_t i = 0; i < states_; ++i) N_VGetArrayPointer(absolute_.get())[i] = relative_ * nominals[i];
  require(CVodeSVtolerances(handles_.memory.get(), relative_, absolute_.get()), "CVodeSVtolerances");
}

void EventSolver::Session::read_signs(double t, In x, Signs& signs) {
  if (indicators_ == 0) return;
  if (equations_.indicators(t, x, z_) == HybridOde::Answer::refused)
    throw Error(Failure::subsystem, fmt::format("the event indicators could not be evaluated at {} s", t));
  std::transform(z_.begin(), z_.end(), signs.begin(), [](double z) { return static_cast<char>(z > 0.0); });
}

bool EventSolver::Session::has_crossed(double t, In x) {
  read_signs(t, x, now_);
  return now_ != marked_;
}

void EventSolver::Session::restart(double t, double end, In x) {
  void* memory = handles_.memory.get();
  std::copy(x.begin(), x.end(), N_VGetArrayPointer(handles_.x.get()));
  require(CVodeReInit(memory, t, handles_.x.get()), "CVodeReInit");
  // A state that stands still lets any step pass: look at the indicators now and then all the same.
  if (states_ == 0) require(CVodeSetMaxStep(memory, (end - t) / 16.0), "CVodeSetMaxStep");
}

double EventSolver::Session::step(double end, Out x, int& status) {
  double reached = 0.0;
  thrown_ = nullptr;
  status = CVode(handles_.memory.get(), end, handles_.x.get(), &reached, CV_ONE_STEP);
  if (thrown_) std::rethrow_exception(thrown_);
  if (status < 0) CVodeGetCurrentTime(handles_.memory.get(), &reached);
  std::copy_n(N_VGetArrayPointer(handles_.x.get()), states_, x.begin());
  ++steps_;
  return reached;
}

Arrival EventSolver::Session::advance(double t, double end, Out x) {
  if (has_crossed(t, x)) return {t, Arrival::Reason::crossing};
  const auto arrive = [&](double time, int status) -> Arrival {
    const auto after = equations_.after_step(time, x);
    if (status == CV_ROOT_RETURN || has_crossed(time, x)) return {time, Arrival::Reason::crossing};
    return {time, after == HybridOde::AfterStep::event ? Arrival::Reason::asked : Arrival::Reason::end};
  };
  // Times that differ by rounding alone: CVODE would refuse them.
  const double rounding = 100.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(end));
  if (states_ + indicators_ == 0 || end - t <= rounding) return arrive(end, CV_SUCCESS);
  if (!goes_on(t, x)) restart(t, end, x);
  forget();
  require(CVodeSetStopTime(handles_.memory.get(), end), "CVodeSetStopTime");
  int status = CV_SUCCESS;
  for (long taken = 0; taken < steps_at_most; ++taken) {
    const double reached = step(end, x, status);
    if (status < 0) {
      throw Error(Failure::subsystem,
                  fmt::format("cvode gave up at {} s on the way to {} s: {}", reached, end, reason(status)));
    }
    const Arrival arrival = arrive(reached, status);
    if (arrival.reason == Arrival::Reason::end && status != CV_TSTOP_RETURN) continue;
    if (arrival.reason == Arrival::Reason::end) stopped_at_ = arrival.time;
    return arrival;
  }
  throw Error(Failure::subsystem,
              fmt::format("cvode gave up on the way from {} s to {} s: {}", t, end, reason(CV_TOO_MUCH_WORK)));
}

template <typename Work>
int EventSolver::Session::guarded(const Work& work) {
  try {
    return work();
  } catch (...) {
    thrown_ = std::current_exception();
    return give_up;
  }
}

int EventSolver::Session::evaluate(realtype t, N_Vector x, N_Vector dx, void* self) {
  auto& session = *static_cast<Session*>(self);
  return session.guarded([&] {
    if (session.states_ == 0) {
      N_VConst(0.0, dx);
      return 0;
    }
    const Out result(N_VGetArrayPointer(dx), session.states_);
    const auto answer = session.equations_.derivatives(t, session.states_in(x), result);
    return answer == HybridOde::Answer::given && all_finite(result) ? 0 : try_a_shorter_step;
  });
}

int EventSolver::Session::indicate(realtype t, N_Vector x, realtype* z, void* self) {
  auto& session = *static_cast<Session*>(self);
  return session.guarded([&] {
    const Out result(z, session.indicators_);
    const auto answer = session.equations_.indicators(t, session.states_in(x), result);
    return answer == HybridOde::Answer::given && all_finite(result) ? 0 : give_up;
  });
}

int EventSolver::Session::differentiate(realtype t, N_Vector x, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector,
                                        N_Vector) {
  auto& session = *static_cast<Session*>(self);
  return session.guarded([&] {
    const auto n = session.states_;
    session.equations_.jacobian(t, session.states_in(x), session.jacobian_);
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t column = 0; column < n; ++column)
        SM_ELEMENT_D(J, row, column) = session.jacobian_[row * n + column];
    }
    return 0;
  });
}

EventSolver::EventSolver(HybridOde& equations, double relative, In nominals)
    : session_(std::make_unique<Session>(equations, relative, nominals)) {}
EventSolver::~EventSolver() = default;
EventSolver::EventSolver(EventSolver&&) noexcept = default;
EventSolver& EventSolver::operator=(EventSolver&&) noexcept = default;

void EventSolver::set_nominals(In nominals) { session_->set_nominals(nominals); }
void EventSolver::mark(double t, In x) { session_->mark(t, x); }
void EventSolver::forget() { session_->forget(); }
Arrival EventSolver::advance(double t, double end, Out x) { return session_->advance(t, end, x); }
long EventSolver::steps() const { return session_->steps(); }

}  // namespace seam::ode
