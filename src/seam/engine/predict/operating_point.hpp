// A private system at the point around which models are wanted. Only source files of this room include it.
#pragma once

#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/engine/predict/linear_models.hpp"

namespace seam::engine {

/// How the master calls a lane.
struct Calls {
  double length = 0.0;  ///< s
  int a_step = 1;
  int degree = 0;  ///< of the input's polynomial
};

/// These subsystems are used here alone, so they may be stepped in any way.
struct OperatingPoint {
  Live live;
  coupling::Memory memory;

  const coupling::Program& program() const { return live.program; }
  const assembly::Member& member(const coupling::Lane& lane) const {
    return live.assembly->members[static_cast<std::size_t>(lane.member)];
  }
  double time() const { return live.program.grid.time(memory.tick); }
  /// The real inputs at the communication point, known signals among them.
  std::vector<double> inputs_of(const coupling::Lane& lane) const;
  /// Those that follow a known signal.
  std::vector<int> driven_inputs_of(const coupling::Lane& lane) const;
  Calls calls_of(const coupling::Lane& lane) const;
};

/// Throws base::Error if it is not reached.
OperatingPoint reach(const System& system, const LinearModelRequest& request);

/// By equations, states or derivatives; ModelSource::none where only a probe can tell.
analysis::SubsystemModel known_model(const System& system, const OperatingPoint& at, const coupling::Lane& lane);

}  // namespace seam::engine
