// Black boxes at calls of any length. The solver inside a co-simulation FMU may step with the calls of the master; then
// calls of one length say nothing of another. Only source files of this room include it.
#pragma once

#include <span>

#include "seam/engine/predict/probed_candidate.hpp"

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
  using Length = ProbedLength;
  using Candidate = ProbedCandidate;
  class Calls;

  std::optional<analysis::CallMaps> find(std::size_t candidate, double call, int degree);
  /// Those of them that allow it, each over a part of its calls in the plan.
  void probe(std::span<Candidate* const> candidates, double part, std::optional<int> degree = {});
  void take(Candidate& candidate, const ProbeTask& task);
  static analysis::SubsystemModel borne_out(const Candidate& candidate);
  static analysis::SubsystemModel contradicted(const Candidate& candidate);
  static void add_solver(const Candidate& candidate, analysis::SubsystemModel& model);
  void write(std::size_t number, analysis::SubsystemModel& model);

  System system_;
  LinearModelRequest request_;
  std::vector<Candidate> candidates_;
};

}  // namespace seam::engine
