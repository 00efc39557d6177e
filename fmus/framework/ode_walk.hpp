// One communication step, solver step by solver step: inputs are asked for, events found, and handled or reported.
#pragma once

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {

/// An input that the environment sets at every stage of the solver.
class OdeModel::AskedInput final : public ode::TimeSignal {
 public:
  AskedInput(OdeModel& model, int place, double end) : model_(model), place_(place), end_(end) {}

  double at(double t) const override;

 private:
  OdeModel& model_;
  int place_;
  double end_;
};

class OdeModel::Walk {
 public:
  Walk(OdeModel& model, double t, double h);

  StepReport cross(int steps);

 private:
  enum class Course { goes_on, stops };

  Course step_over(double begin, double end);
  /// From one time to another without an event in between, as far as is known.
  void move(double from, double to);
  /// Evaluates the model at a time that its states belong to.
  void look(const Moment& moment);
  bool event_at(double t);
  double find_event(double from, double to, const std::vector<double>& begin);
  Course meet(double t);
  Course complete(double t);
  Course end_run(double t);
  /// Where the walk has to stop next.
  double next_halt(double end) const;
  bool time_event_at(double t) const;

  OdeModel& model_;
  double begin_, length_, end_, slack_;
  std::vector<AskedInput> asked_;
  std::vector<ode::DrivenInput> driven_;
  ode::InputSignal signal_;
  int events_ = 0;
  StepReport report_;
};

}  // namespace seam::fmus
