// What is known of the calls of a black box, of several lengths: its equations and the solver inside it. Only source
// files of this room include it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "seam/analysis/inner_solver.hpp"
#include "seam/analysis/limit_equations.hpp"
#include "seam/engine/predict/probing.hpp"

namespace seam::engine {

/// Up to rounding.
bool is_same_length(double a, double b);

/// What is known of the calls of one length.
struct ProbedLength {
  double call = 0.0;  ///< s
  int degree = 0;
  std::shared_ptr<const analysis::Probe> probe = {};  ///< none: it did not go through
  std::optional<analysis::CallMaps> maps = {};        ///< none: it was not found out
  double error = 0.0;                                 ///< of the map, beyond the rounding of the outputs
  bool of_equations = false;                          ///< the equations make these calls
};

/// A subsystem that is probed at several lengths.
struct ProbedCandidate {
  ProbeCandidate how;
  std::optional<lti::StateSpace> equations = {};
  analysis::InnerSolver solver = {};  ///< of these equations; exact where nothing else is known
  bool told_holds = false;            ///< what the FMU says of its equations
  int told_degree = 0;                ///< of the inputs with which the solver made probed calls
  bool is_separated = false;          ///< the equations are those that the calls tend to
  /// Equations behind two lengths, the longest of those that nearly make the calls of all lengths; or nothing.
  std::vector<lti::StateSpace> near = {};
  double near_error = 0.0;  ///< of the first, at the length that it misses most
  /// What the calls tend to, from the first records and from other ones of the same lengths; or nothing.
  std::vector<analysis::LimitEquations> tends_to = {};
  std::vector<ProbedLength> lengths = {};

  bool allows(double call) const;
  const ProbedLength* at(double call, int degree) const;
  /// Whether the equations make the calls of the next shorter and the next longer length.
  bool lies_between(double call) const;
  /// The longest first.
  std::vector<const ProbedLength*> with_maps() const;
  /// Those of them whose inputs have the degree of the plan's calls.
  std::vector<const ProbedLength*> by_length() const;
  /// By three neighbouring lengths: the longest whose extrapolation is sure enough, since they show slow motions
  /// best. All shorter calls must bear them out, and there must be so many.
  std::optional<analysis::LimitEquations> limit(std::size_t borne_out_by) const;
  /// Whether one more length bears it out.
  bool limit_is_sure() const;
  bool predicts(const analysis::LimitEquations& limit, std::span<const ProbedLength* const> shorter) const;
  bool lists_no_states() const;
  /// Whether the record of the longest calls has hardly seen a motion of them.
  bool is_seen_too_briefly() const;
  /// Whether the record of these calls has missed a slow motion: the equations behind it miss the longest calls by
  /// far more than equations that nearly make all calls miss these and those.
  bool misses_slow_motions(const ProbedLength& length) const;
  /// By equations that nearly make all calls where the record of these has missed a slow motion, or by those that all
  /// calls tend to where they answer that record as well.
  std::optional<analysis::CallMaps> made_by_all_lengths(const ProbedLength& length) const;
  void find_limits();
  void find_near();
  /// How far calls that equations would make are from the answers.
  static double error_of(const lti::StateSpace& tried, const ProbedLength& length);
  /// How well calls must be explained.
  analysis::Explanation explanation() const;
  bool fits(const lti::StateSpace& tried, const ProbedLength& length) const;
  /// The first calls under moving inputs tell how the solver follows them.
  bool explains(const ProbedLength& length);
  /// The calls of a length that was probed, from what is known of all lengths where that answers the probe as well: a
  /// record of short calls shows little of slow motions.
  std::optional<analysis::CallMaps> maps_of(const ProbedLength& length) const;
  /// What is unsure of calls that equations make which the FMU does not tell: by those behind other records of the
  /// longest calls.
  std::vector<analysis::StepMap> by_other_records(const ProbedLength& length) const;
  void know(lti::StateSpace known, const analysis::InnerSolver& made_by = {});
  /// Whether the calls of all lengths that were probed are those of a solver of the equations that the FMU tells.
  bool know_told();
  /// Whether a usual solver in one step a call, or the exact one, makes the calls of all lengths of the equations that
  /// it makes those of one length of: of calls as long as possible, which show slow motions best.
  bool know_equations();
  /// From all that was probed; what is known already stays where nothing explains it all.
  bool learn();
  /// Where no solver explains it all: the equations that the calls tend to.
  void separate_solver();
};

}  // namespace seam::engine
