// The whole contract between the engine and a simulator it cannot change.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/assembly/facets.hpp"
#include "seam/assembly/step.hpp"

namespace seam::assembly {

/// Everything a subsystem needs to go back; made and read by the same subsystem only.
struct Snapshot {
  std::vector<double> flat;      ///< of a model of our own: all of it
  std::shared_ptr<void> handle;  ///< of a simulator that keeps its state to itself
};

struct Capabilities {
  bool takes_polynomials = false;  ///< the input may vary inside a step
  bool can_evaluate = false;       ///< outputs for new inputs without a step
  bool can_shorten = false;        ///< any step length, not only the one it was prepared for
  bool affine = false;             ///< a step maps states and inputs affinely
  bool shows_equations = false;    ///< Equations::eventful() has them
  double shortest_step = 0.0;      ///< s; it must not be called over less (0: any)
  double step_unit = 0.0;          ///< s; it must be called over a multiple of this (0: any)
  bool wants_micro_steps =
      false;  ///< it samples a known signal once a call: the master should call it every micro step
  bool shows_micro_points =
      true;  ///< false, after begin_steps: it makes a step as a whole in the last of several calls
  /// s; a step made in parts that are multiples of this is the same step, but for rounding (0: in any parts; none: no)
  std::optional<double> divisible_by = {};

  bool is_divisible_by(double part) const;
};

enum class Phase { initialising, stepping };

/// Legal order of calls: prepare* -> initialise -> evaluate* -> begin_steps -> (step | evaluate if it can | save |
/// restore | prepare)*.
class Subsystem {
 public:
  Subsystem() = default;
  Subsystem(const Subsystem&) = delete;
  Subsystem& operator=(const Subsystem&) = delete;
  virtual ~Subsystem() = default;

  virtual Capabilities capabilities() const = 0;
  /// Whether an output depends directly on an input; true where it is not known. Until begin_steps states may still
  /// follow from inputs.
  virtual bool feeds_through(int output, int input, Phase phase = Phase::stepping) const = 0;

  /// Makes all memory that such calls need, and gives the function to call: it lives as long as the subsystem. Programs
  /// that call one subsystem differently have a function each.
  virtual StepFunction prepare(const Calls& calls) = 0;
  /// Sets the start state; the outputs follow from evaluate, which every subsystem allows until begin_steps.
  virtual void initialise(double t0) = 0;
  /// Initialisation is over: the outputs as they are now, where that may have changed them.
  virtual void begin_steps(Out /*outputs*/) {}
  /// Outputs at time t for these inputs, no step (needs can_evaluate).
  virtual void evaluate(double t, Sources sources, In inputs, Out outputs) = 0;

  virtual Snapshot save() = 0;
  virtual void restore(const Snapshot& snapshot) = 0;

  /// The same all its life.
  const Facets& facets() const { return facets_; }
  bool shows_states() const { return facets_.states && facets_.states->are_complete(); }
  std::span<double> states() const { return facets_.states ? facets_.states->values() : std::span<double>{}; }
  std::span<const std::string> state_names() const {
    return facets_.states ? facets_.states->names() : std::span<const std::string>{};
  }
  std::string complaint() const { return facets_.diagnostics ? facets_.diagnostics->complaint() : std::string(); }

 protected:
  Facets facets_;  ///< what the subsystem offers, set when it is made
};

inline std::optional<LinearModel> linearised(const Subsystem& subsystem, double t, In inputs) {
  Equations* const known = subsystem.facets().equations;
  return known ? known->linearise(t, inputs) : std::nullopt;
}
inline LinearOffer linear_offer_of(const Subsystem& subsystem) {
  const Equations* const known = subsystem.facets().equations;
  return known ? known->linear_offer() : LinearOffer{};
}
inline EventfulEquations* eventful_equations_of(const Subsystem& subsystem) {
  Equations* const known = subsystem.facets().equations;
  return known ? known->eventful() : nullptr;
}

}  // namespace seam::assembly
