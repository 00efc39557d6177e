// All equations of an assembly as one Ode whose inputs are the signals known ahead of time.
#pragma once

#include <memory>
#include <vector>

#include "seam/analysis/monolithic.hpp"
#include "seam/assembly/port_solver.hpp"

namespace seam::analysis {

class MonolithicOde final : public ode::Ode {
 public:
  /// One set of equations a member; null where it is a signal.
  MonolithicOde(const assembly::Assembly& assembly, Interconnection wiring, std::vector<const ode::Ode*> equations);
  ~MonolithicOde() override;

  Sizes sizes() const override;
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double t, ode::In x, ode::In w, ode::Out dx) const override;
  void outputs(double t, ode::In x, ode::In w, ode::Out y) const override;
  bool feeds_through(int, int) const override { return true; }

  /// All inputs of all members, consistent with all outputs.
  const std::vector<std::vector<double>>& inputs_at(double t, ode::In x, ode::In w) const;
  /// Of one member, as they were found last.
  ode::In inputs_of(std::size_t member) const;
  ode::In states_of(std::size_t member, ode::In x) const;

  /// A value that an input keeps from now on; whether it is another one.
  bool hold(std::size_t member, int input, double value);
  /// Outputs as given, inputs as they were found last, signals at time t.
  void write_ports(double t, ode::In y, assembly::PortValues& ports) const;

 private:
  class Equations;

  Interconnection wiring_;
  int states_ = 0;
  std::unique_ptr<Equations> equations_;
  std::unique_ptr<assembly::PortSolver> solver_;
  mutable assembly::PortValues ports_;  // workspace
};

}  // namespace seam::analysis
