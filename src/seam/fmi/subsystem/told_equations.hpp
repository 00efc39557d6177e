// Linear equations of an FMU by its directional derivatives, into memory of the caller: after every step, if need be.
#pragma once

#include <algorithm>

#include "seam/assembly/subsystem.hpp"
#include "seam/fmi/subsystem/sensitivity.hpp"

namespace seam::fmi {

class ToldEquations {
 public:
  ToldEquations(DerivativeSides sides, const Ports& ports)
      : sides_(std::move(sides)),
        inputs_(system::count_reals(ports.inputs)),
        outputs_(system::count_reals(ports.outputs)) {
    const std::size_t knowns = std::max(sides_.states.places.size(), sides_.inputs.places.size());
    const std::size_t unknowns = std::max(sides_.derivatives.places.size(), sides_.outputs.places.size());
    seed_.reserve(knowns);
    change_.reserve(unknowns);
  }

  /// All, or what feeds through where not all states are listed.
  assembly::LinearOffer offer() const {
    using Kind = assembly::LinearOffer::Kind;
    if (sides_.lists_states) return {Kind::moving, static_cast<int>(states())};
    return {sides_.outputs.references.empty() || sides_.inputs.references.empty() ? Kind::nothing : Kind::feedthrough};
  }

  template <class Instance>
  void tell(Instance& instance, const assembly::LinearNumbers& numbers) {
    columns(instance, sides_.outputs, sides_.inputs, {numbers.D, outputs_, inputs_});
    if (!sides_.lists_states) return;
    columns(instance, sides_.derivatives, sides_.states, {numbers.A, states(), states()});
    columns(instance, sides_.derivatives, sides_.inputs, {numbers.B, states(), inputs_});
    columns(instance, sides_.outputs, sides_.states, {numbers.C, outputs_, states()});
  }

 private:
  struct Block {
    double* numbers;
    std::size_t rows, columns;
  };
  std::size_t states() const { return sides_.states.places.size(); }

  template <class Instance>
  void columns(Instance& instance, const DerivativeSide& unknowns, const DerivativeSide& knowns, const Block& block) {
    std::fill_n(block.numbers, block.rows * block.columns, 0.0);
    if (unknowns.references.empty() || knowns.references.empty()) return;
    change_.resize(unknowns.places.size());
    seed_.assign(knowns.places.size(), 0.0);
    for (std::size_t j = 0; j < seed_.size(); ++j) {
      seed_[j] = 1.0;
      instance.directional(unknowns.references, knowns.references, seed_, change_);
      seed_[j] = 0.0;
      double* const column = block.numbers + static_cast<std::size_t>(knowns.places[j]) * block.rows;
      for (std::size_t i = 0; i < change_.size(); ++i) column[unknowns.places[i]] = change_[i];
    }
  }

  DerivativeSides sides_;
  std::size_t inputs_, outputs_;
  std::vector<double> seed_, change_;
};

/// Whether anything jumped in the calls that made the last macro step.
class JumpWatch {
 public:
  void begin_call(const assembly::Step& step) {
    if (complete_) jumped_ = false;
    complete_ = step.ends_macro_step;
  }
  void jump() { jumped_ = true; }
  bool jumped() const { return jumped_; }

 private:
  bool complete_ = true, jumped_ = false;
};

}  // namespace seam::fmi
