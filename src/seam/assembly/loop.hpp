// A loop of direct feed-through: outputs that can only be found together.
#pragma once

#include <string>
#include <vector>

#include "seam/assembly/initialisation_order.hpp"
#include "seam/assembly/port_equations.hpp"
#include "seam/ode/root.hpp"

namespace seam::assembly {

/// Why a loop was not solved, and where the search ended.
struct LoopFailure {
  enum class Reason {
    contradiction,  ///< the equations are singular, and no values fulfil them
    ambiguity,      ///< the equations are singular, and many values fulfil them
    not_finite,     ///< an output is no finite number at the start
    no_convergence
  } reason = Reason::no_convergence;
  InitialisationOrder::Block loop;
  std::vector<double> values;    ///< of the outputs
  std::vector<double> computed;  ///< what the subsystems make of them
  std::vector<bool> undecided;   ///< of singular equations: the outputs that they leave open
};

/// What is wrong, with the variables, their values and residuals, and how to mend it.
std::string explanation(const Assembly& assembly, const LoopFailure& failure, double t);
/// "a.y -> b.u, b.y -> a.u".
std::string wires_of(const Assembly& assembly, const InitialisationOrder::Block& loop);

/// y = g(K y + c) over the outputs y of one loop, by Newton's method on y - g(K y + c) = 0 with I - D K as Jacobian. It
/// remembers the solution, from which the next one starts.
class Loop final : public ode::RootProblem {
 public:
  Loop(const Assembly& assembly, PortEquations& equations, InitialisationOrder::Block block);

  /// Inputs and outputs of the loop, everything outside as it is; none if it was solved. After a failure the inputs are
  /// what they were, and the outputs follow from them.
  std::optional<LoopFailure> solve(PortValues& ports);
  const InitialisationOrder::Block& block() const { return block_; }

  int count() const override { return static_cast<int>(block_.outputs.size()); }
  Answer residual(ode::In y, ode::Out F) override;
  Answer jacobian(ode::In y, ode::Out J) override;

 private:
  struct InnerWire {
    const Wire* wire;
    int from;             ///< number of the output in the loop
    std::vector<int> to;  ///< outputs of the sink in the loop
  };
  double& input_of(const InnerWire& inner) const;
  void place(ode::In y) const;
  void evaluate() const;
  void read(std::vector<double>& y) const;
  bool settles_by_itself(const std::vector<double>& start);
  bool search(std::vector<double>& y, ode::RootStrategy strategy);
  /// The largest residual, relative to the sizes of what it is made of, at y.
  double relative_residual(const std::vector<double>& y);
  bool is_good_enough(const std::vector<double>& y);
  std::vector<double> sizes(const std::vector<double>& y) const;
  lti::Matrix derivatives_of(int member, bool& exact) const;
  double usual_size(const InnerWire& inner) const;
  std::vector<double> searched(const std::vector<double>& start, bool& solved);
  LoopFailure failure(const std::vector<double>& start, const std::vector<double>& reached);

  const Assembly& assembly_;
  PortEquations& equations_;
  InitialisationOrder::Block block_;
  std::vector<int> members_;
  std::vector<InnerWire> wires_;
  PortValues* ports_ = nullptr;
  std::vector<double> solution_;  // the last one
  std::vector<double> F_;
  lti::Matrix jacobian_;  // where it was looked at last
  bool singular_ = false;
  bool is_genuine_ = false;  // what travels round comes back changed
  bool is_known_to_be_regular_ = false;
  bool can_do_without_ = false;
};

}  // namespace seam::assembly
