// The inputs of an FMU for model exchange as signals in time: what moves between events, what changes at events alone,
// and when either jumps.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "seam/fmi/subsystem/fmu_setup.hpp"
#include "seam/fmi/subsystem/port_exchange.hpp"

namespace seam::fmi {

class ExchangeInputs {
 public:
  /// A continuous input that changes by less than `tolerance` does not jump.
  ExchangeInputs(const FmuSetup& setup, const Ports& ports, double tolerance);

  /// The step that begins.
  void begin(const assembly::Step& step, const ode::InputPolynomials& input);
  /// The part of it under way, in which nothing jumps: at its ends it is seen from inside.
  void set_part(double begin, double end);
  ode::In inside(double t);
  ode::In at(double t, ode::Side side);
  /// Given inputs with the known signals at time t in them.
  ode::In driven(double t, assembly::Sources sources, ode::In given);
  /// The first time after t at which a known signal jumps or has a corner.
  double next_corner(double t) const;

  void follow(int input, double factor, double offset) {
    drives_.follow(input, factor, offset);
    ode::follow(live_, input, factor, offset);
  }
  void give(std::span<const system::DiscreteValue> discrete_values);
  /// Whether the inputs at the start of the step are others than those the last one ended with.
  bool jump_at(double t);
  /// What the step ends with.
  void remember(ode::In values) { last_.assign(values.begin(), values.end()); }
  const std::vector<double>& last() const { return last_; }

  /// In Continuous-Time Mode.
  template <class Instance>
  void set_moving(Instance& instance, ode::In values) {
    set_ports(instance, moving_, values.data());
  }
  /// In Event Mode and Initialization Mode.
  template <class Instance>
  void set_all(Instance& instance, ode::In values, double t) {
    sample_wholes(t);
    set_ports(instance, moving_, values.data());
    set_ports(instance, switched_, values.data());
    discrete_changed_ = false;
  }

 private:
  void sample_wholes(double t);
  ode::In reals() const { return {now_.data(), nominals_.size()}; }

  std::string name_;  // of the subsystem
  double tolerance_;  // relative
  PortBatches moving_, switched_;
  Drives drives_;
  std::vector<ode::DrivenInput> live_, silent_;
  std::vector<double> nominals_;  // of real inputs; 0: every change counts
  std::vector<double> last_;
  std::vector<double> now_;  // has room for all ports, as what the engine hands over has
  ode::InputSignal signal_;
  double part_begin_ = 0.0, part_end_ = 0.0;
  bool discrete_changed_ = false;
};

}  // namespace seam::fmi
