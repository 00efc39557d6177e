// Black boxes at calls of any length. The solver inside a co-simulation FMU may step with the calls of the master; then
// calls of one length say nothing of another. Only source files of this room include it.
#pragma once

#include <span>

#include "seam/analysis/inner_solver.hpp"
#include "seam/analysis/limit_equations.hpp"
#include "seam/engine/predict/probing.hpp"

namespace seam::engine {

/// Probes subsystems at other lengths than the plan's. From the plan's length, a half and a third of it follows whether
/// one set of equations makes the calls of all lengths: those that the FMU tells, exactly or by a usual solver, or
/// those behind the calls. If not, shorter calls tell the equations that the solver approximates, and every other
/// length is probed when it is asked for.
class ProbedCalls : public std::enable_shared_from_this<ProbedCalls> {
 public:
  ProbedCalls(System system, const LinearModelRequest& request, std::vector<ProbeCandidate> candidates);

  /// Completes models, which have the candidates' names: equations, what the solver adds, calls of other lengths.
  /// Equations that an FMU tells stay if its calls are those of a solver of them, or tend to them.
  void complete(std::vector<analysis::SubsystemModel>& models);

 private:
  /// What is known of the calls of one length.
  struct Length {
    double call = 0.0;  ///< s
    int degree = 0;
    std::shared_ptr<const analysis::Probe> probe = {};
    std::optional<analysis::CallMaps> maps = {};  ///< none: it was not found out
    double error = 0.0;                           ///< of the map
    bool of_equations = false;                    ///< the equations make these calls
  };
  struct Candidate {
    ProbeCandidate how;
    std::optional<lti::StateSpace> equations = {};
    analysis::InnerSolver solver = {};  ///< of these equations; exact where nothing else is known
    bool told_holds = false;            ///< what the FMU says of its equations
    int told_degree = 0;                ///< of the inputs with which the solver made probed calls
    bool is_separated = false;          ///< the equations are those that the calls tend to
    std::vector<Length> lengths = {};

    bool allows(double call) const;
    const Length* at(double call, int degree) const;
    /// Whether the equations make the calls of the next shorter and the next longer length.
    bool lies_between(double call) const;
    /// The longest first.
    std::vector<const Length*> with_maps() const;
    /// Those of them whose inputs have the degree of the plan's calls.
    std::vector<const Length*> by_length() const;
    /// By three neighbouring lengths: the longest whose extrapolation is sure enough, since they show slow motions
    /// best. All shorter calls must bear them out, and there must be so many.
    std::optional<analysis::LimitEquations> limit(std::size_t borne_out_by) const;
    bool predicts(const analysis::LimitEquations& limit, std::span<const Length* const> shorter) const;
    bool is_seen_too_briefly() const;
    /// How far calls that equations would make are from the answers.
    static double error_of(const lti::StateSpace& tried, const Length& length);
    /// How well calls must be explained.
    analysis::Explanation explanation() const;
    bool fits(const lti::StateSpace& tried, const Length& length) const;
    /// The first calls under moving inputs tell how the solver follows them.
    bool explains(const Length& length);
    /// The calls of a length that was probed, from what is known of all lengths where that answers the probe as well: a
    /// record of short calls shows little of slow motions.
    std::optional<analysis::CallMaps> maps_of(const Length& length) const;
    void know(lti::StateSpace known, const analysis::InnerSolver& made_by = {});
  };
  class Calls;

  std::optional<analysis::CallMaps> find(std::size_t candidate, double call, int degree);
  /// Those of them that allow it, each over a part of its calls in the plan.
  void probe(std::span<Candidate* const> candidates, double part, std::optional<int> degree = {});
  void take(Candidate& candidate, const ProbeTask& task);
  static bool know_told(Candidate& candidate);
  static bool know_equations(Candidate& candidate);
  /// From all that was probed; what is known already stays where nothing explains it all.
  static bool learn(Candidate& candidate);
  static void separate_solver(Candidate& candidate);
  static analysis::SubsystemModel borne_out(const Candidate& candidate);
  static analysis::SubsystemModel contradicted(const Candidate& candidate);
  static void add_solver(const Candidate& candidate, analysis::SubsystemModel& model);
  void write(std::size_t number, analysis::SubsystemModel& model);

  System system_;
  LinearModelRequest request_;
  std::vector<Candidate> candidates_;
};

}  // namespace seam::engine
