#include "seam/coupling/receiver/smoother.hpp"

#include <array>

#include "seam/lti/discretise.hpp"

namespace seam::coupling {

// The sample is constant inside a step, so the exact step is right here. Euler's rule is for those who compare.
Smoother::Propagation Smoother::propagation(const lti::StateSpace& filter, double time, FilterSolver solver) const {
  if (solver == FilterSolver::euler)
    return {lti::Matrix::Identity(states_, states_) + time * filter.A, time * filter.B.col(0)};
  const lti::PolynomialStep step = lti::discretise(filter, time, 0);
  return {step.Ad, step.G[0].col(0)};
}

Smoother::Smoother(const lti::StateSpace& filter, const SampleTiming& timing, FilterSolver solver)
    : states_(static_cast<int>(filter.states())), used_(timing.age < 0.0 ? before : newest) {
  const double micro = timing.sink_step / timing.sink_segments;
  micro_ = propagation(filter, micro, solver);
  half_micro_ = propagation(filter, 0.5 * micro, solver);
  macro_ = propagation(filter, timing.sink_step, FilterSolver::exact);
  half_macro_ = propagation(filter, 0.5 * timing.sink_step, FilterSolver::exact);
  at_rest_ = resting_states(filter);
  read_ = filter.C.row(0).transpose();
}

void Smoother::start(int ports, double* history) const {
  for (int p = 0; p < ports; ++p) {
    const double sample = history[newest * ports + p];
    history[before * ports + p] = history[held * ports + p] = sample;
    double sum = 0.0;
    for (int i = 0; i < states_; ++i) {
      history[(first_state + i) * ports + p] = at_rest_(i) * sample;
      sum += read_(i) * at_rest_(i) * sample;
    }
    history[now * ports + p] = sum;
  }
}

void Smoother::make_room(int ports, int /*rows*/, double* history) const {
  for (int p = 0; p < ports; ++p) history[before * ports + p] = history[newest * ports + p];
}

double Smoother::read(const Propagation& to, int ports, const double* column) const {
  double value = 0.0;
  for (int i = 0; i < states_; ++i) {
    double state = to.sample(i) * column[held * ports];
    for (int j = 0; j < states_; ++j) state += to.states(i, j) * column[(first_state + j) * ports];
    value += read_(i) * state;
  }
  return value;
}

namespace {

/// The parabola through values at theta = 0, 1/2, 1.
void write_parabola(const std::array<double, 3>& at, int column, const Receiver::Polynomial& result) {
  double* c = result.coefficients + result.columns[column];
  c[0] = at[0];
  c[result.stride] = -3.0 * at[0] + 4.0 * at[1] - at[2];
  c[2 * result.stride] = 2.0 * (at[0] - 2.0 * at[1] + at[2]);
}

}  // namespace

/// Of the whole step for those who watch it; the subsystem gets one a micro step.
void Smoother::polynomial(int ports, int /*available*/, double* history, const Polynomial& result) const {
  for (int p = 0; p < ports; ++p) {
    double* const column = history + p;
    column[held * ports] = column[used_ * ports];
    double begin = 0.0;
    for (int i = 0; i < states_; ++i) begin += read_(i) * column[(first_state + i) * ports];
    column[now * ports] = begin;
    write_parabola({begin, read(half_macro_, ports, column), read(macro_, ports, column)}, p, result);
  }
}

void Smoother::segment(int ports, double* history, const Polynomial& result) const {
  std::array<double, most_filter_states> states{};
  for (int p = 0; p < ports; ++p) {
    double* const column = history + p;
    const double begin = column[now * ports], middle = read(half_micro_, ports, column);
    for (int i = 0; i < states_; ++i) states[static_cast<std::size_t>(i)] = column[(first_state + i) * ports];
    double end = 0.0;
    for (int i = 0; i < states_; ++i) {
      double state = micro_.sample(i) * column[held * ports];
      for (int j = 0; j < states_; ++j) state += micro_.states(i, j) * states[static_cast<std::size_t>(j)];
      column[(first_state + i) * ports] = state;
      end += read_(i) * state;
    }
    column[now * ports] = end;
    write_parabola({begin, middle, end}, p, result);
  }
}

}  // namespace seam::coupling
