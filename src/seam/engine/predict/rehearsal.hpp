// A system with linear models in the place of what is not linear: it can be coupled by any plan, as often as analysis
// likes.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "seam/analysis/stability.hpp"
#include "seam/analysis/stand_in.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::engine {

class Rehearsal {
 public:
  enum class Replaced {
    fmus,      ///< built-in models play themselves
    nonlinear  ///< and those built-in models whose steps are not linear
  };
  /// FMUs without a model are problems (base::ProblemsFound). They are loaded once, to be asked what they can do.
  Rehearsal(const System& system, const std::vector<analysis::SubsystemModel>& models,
            Replaced replaced = Replaced::fmus);

  const System& system() const { return system_; }
  /// Started at the operating point; values of stand-ins are deviations from it. Throws base::ProblemsFound if the plan
  /// does not fit.
  Live live(const system::Plan& plan) const;
  /// Whether a stand-in has taken the place of a subsystem.
  bool has_stand_ins() const;
  /// Whether a subsystem is probed for calls of lengths that it was not probed for yet: in the calling thread.
  bool probes() const;
  /// Whether a stand-in's model is that of one point of a nonlinear subsystem, with other records.
  bool is_nonlinear() const;
  /// Whether what is known of subsystems that are probed is one set of equations for calls of all lengths.
  bool is_made_of_equations() const;
  /// Whether every subsystem, itself, can end an experiment with a shorter step.
  bool can_shorten() const { return can_shorten_; }
  /// Whether outputs of a subsystem can be evaluated without a step.
  bool can_send_fresh(std::size_t subsystem) const { return can_send_fresh_[subsystem]; }
  /// With FMUs that solve their equations exactly; none if all that are known do.
  std::optional<Rehearsal> without_solvers() const;
  /// Tries other records of the models, one of one stand-in at a time.
  void try_records(const std::function<void(std::size_t stand_in, const Rehearsal& changed)>& look) const;
  /// How near to 1 an eigenvalue of the step must be to be taken for 1.
  double unsure_eigenvalues() const { return has_stand_ins() ? analysis::unsure_when_identified : 0.0; }
  /// Of the coupled equations at the operating point: the same for every plan, so found once.
  const analysis::EquationPoles& equation_poles() const;

  /// The same plan with another macro step. Micro and solver steps that the file gives stay, all others follow; the
  /// steps of slower subsystems stay the same multiples.
  system::Plan with_step(double step) const;
  /// All feed-through sent one way: fresh where that is possible.
  system::Plan with_feedthrough(system::Plan plan, system::Feedthrough way) const;
  /// The plan with what its couplings leave to be found, for its steps.
  system::Plan with_compensators(system::Plan plan, base::Problems& problems) const;
  /// The macro step must be a multiple of this, since micro or solver steps are given; 0: any step will do. None if no
  /// step fits them all.
  std::optional<double> step_unit() const;

 private:
  System system_;
  std::shared_ptr<load::ModelCache> models_ = std::make_shared<load::ModelCache>();  // made once for all plans
  std::vector<std::optional<analysis::StandIn>> stand_ins_;                          // one a subsystem
  std::vector<bool> given_micro_steps_;                                              // whether the file gives it
  std::vector<bool> can_send_fresh_;                                                 // one a subsystem
  bool can_shorten_ = true;
  mutable std::optional<analysis::EquationPoles> equation_poles_;
};

}  // namespace seam::engine
