// All equations of an assembly as one system that jumps: events of one member are events of all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seam/analysis/monolithic_ode.hpp"
#include "seam/assembly/eventful_equations.hpp"

namespace seam::analysis {

class MonolithicHybrid final : public ode::HybridOde {
 public:
  /// Every member has equations or eventful ones, or is a signal; all are initialised.
  MonolithicHybrid(assembly::Assembly& assembly, Interconnection wiring);
  ~MonolithicHybrid() override;

  int state_count() const override { return ode_->sizes().states; }
  int indicator_count() const override { return indicators_; }
  Answer derivatives(double t, ode::In x, ode::Out dx) override;
  Answer indicators(double t, ode::In x, ode::Out z) override;
  AfterStep after_step(double t, ode::In x) override;

  std::vector<double> start_states();
  /// Of each state; those of our own equations are 1/100, as absolute tolerances are smaller for them.
  std::vector<double> nominals();
  /// The part without corners under way: at its ends the signals are seen from inside, at a part of no length from the
  /// right.
  void set_part(double begin, double end);
  double next_corner(double t) const;
  double next_event() const;
  std::string wish_to_end() const;

  /// Everybody's event at time t: inputs and outputs agree, discrete values are updated until nothing changes any more.
  assembly::EventfulEquations::Nominals handle_event(double t, ode::Out x);
  /// What all ports are at time t, right of every jump.
  void write_ports(double t, ode::In x, assembly::PortValues& ports);

 private:
  class Exchanged;  // a member that jumps, as one of the equations
  struct Jumping {
    std::size_t member;
    assembly::EventfulEquations* equations;
    std::unique_ptr<Exchanged> ode;
    int first_indicator;
  };
  void read_signals(double t, ode::Side side);
  ode::Side side_at(double t) const;
  bool pass_discrete_values();
  assembly::EventfulEquations::Update update_all();

  assembly::Assembly& assembly_;
  std::vector<Jumping> jumping_;
  std::unique_ptr<MonolithicOde> ode_;
  std::vector<assembly::Drive> signals_;
  std::vector<double> w_;
  std::vector<std::vector<system::DiscreteValue>> sent_, received_;  // by member
  double part_begin_ = 0.0, part_end_ = 0.0;
  int indicators_ = 0;
};

}  // namespace seam::analysis
