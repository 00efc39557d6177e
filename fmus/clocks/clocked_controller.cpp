#include "fmus/clocks/clocked_controller.hpp"

#include <limits>
#include <stdexcept>

namespace seam::fmus {
namespace {

constexpr double interval = 0.1;  // s

/// The interval stands in modelDescription.xml (constant, fixed), or the parameter `period` decides it.
bool is_described(Ticking ticking) { return ticking == Ticking::constant || ticking == Ticking::fixed; }

std::vector<Variable> parameters(Ticking ticking) {
  std::vector<Variable> result = {parameter("kp", 2.0, "", Variability::tunable),
                                  parameter("ki", 1.0, "", Variability::tunable)};
  if (!is_described(ticking)) {
    result.push_back(
        parameter("period", interval, "s", ticking == Ticking::tunable ? Variability::tunable : Variability::fixed));
  }
  return result;
}

}  // namespace

ClockedController::ClockedController(Version version, Ticking ticking)
    : OdeModel(version, parameters(ticking), [](std::span<const double>) { return models::Model{}; }),
      ticking_(ticking) {
  Variable tick = clock("tick", Causality::input, ticking);
  if (is_described(ticking)) tick.interval = number(interval);
  clock_ = add(std::move(tick));
  add_controller();
  if (ticking != Ticking::countdown) return;
  Variable go = input("go", 0.0, "");
  go.type = Type::boolean;
  go.variability = Variability::discrete;
  go.start = "false";
  go.description = "where it becomes true, the clock ticks a period later";
  go_ = add(std::move(go));
  Variable went = discrete_output("went", Type::boolean);
  went.causality = Causality::local;
  went_ = add(std::move(went));
}

void ClockedController::add_controller() {
  reference_ = add(clocked(input("reference", 1.0, ""), clock_));
  measurement_ = add(clocked(input("measurement", 0.0, ""), clock_));
  previous_ = add(clocked(local("previous_integral", ""), clock_));
  Variable integral = clocked(local("integral", ""), clock_);
  integral.previous = previous_;
  integral.depends_on = {clock_, reference_, measurement_};
  integral_ = add(std::move(integral));
  Variable y = clocked(output("y", ""), clock_);
  y.depends_on = {clock_, reference_, measurement_, integral_};
  y_ = add(std::move(y));
}

Traits ClockedController::traits() const { return {.description = "sampled PI controller"}; }

void ClockedController::initialise() {
  if (!is_described(ticking_) && !(real(period_) > 0.0)) throw std::runtime_error("period must be more than 0");
  OdeModel::initialise();
  for (const int place : {previous_, integral_, y_}) real(place) = 0.0;
  if (went_ >= 0) integer(went_) = 0;
}

void ClockedController::retune() {
  if (ticking_ == Ticking::tunable) reschedule(clock_, real(period_));
}

double ClockedController::elapsed() {
  const ClockTime& time = time_of(clock_);
  if (is_periodic(ticking_)) return time.interval;
  return memory().time - (time.ticks > 0 ? time.last : memory().experiment.start);
}

void ClockedController::evaluate() {
  const bool active = switches() && ticks(clock_);
  const double error = active ? real(reference_) - real(measurement_) : 0.0;
  real(integral_) = real(previous_) + (active ? real(ki_) * elapsed() * error : 0.0);
  if (active) real(y_) = real(kp_) * error + real(integral_);
}

EventReport ClockedController::update() {
  real(previous_) = real(integral_);
  if (go_ < 0) return {};
  if (integer(go_) != 0 && integer(went_) == 0) reschedule(clock_, real(period_));
  integer(went_) = integer(go_);
  return {};
}

// Changing: a short and a long interval in turn. Countdown: not before `go` says so.
void ClockedController::schedule(int clock) {
  switch (ticking_) {
    case Ticking::tunable:
      return reschedule(clock, real(period_));
    case Ticking::changing:
      return reschedule(clock, time_of(clock).ticks % 2 == 0 ? real(period_) : 2.0 * real(period_));
    case Ticking::countdown:
      return reschedule(clock, std::numeric_limits<double>::infinity());
    default:
      return;
  }
}

}  // namespace seam::fmus
