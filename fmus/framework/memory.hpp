// All that changes in an instance, as one value: saving a state is copying it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seam::fmus {

/// Where in its life an instance is; single bits, so that a function can say in which phases it is allowed.
enum class Phase : unsigned {
  instantiated = 1,
  configuration = 2,
  initialization = 4,
  step = 8,
  failed = 16,  ///< FMI 2: a step was discarded
  terminated = 32,
  error = 64,
  fatal = 128
};

struct Experiment {
  double start = 0.0;
  std::optional<double> stop, tolerance;
  bool told = false;  ///< the environment has set it
};

struct Memory {
  Phase phase = Phase::instantiated;
  double time = 0.0;
  Experiment experiment;
  bool stale = true;        ///< what was set has not been evaluated
  bool awaits_end = false;  ///< the model asked for the end of the run
  std::vector<double> reals;
  std::vector<std::int64_t> integers;  ///< all integers, Booleans and enumerations
  std::vector<std::string> texts;      ///< strings and binaries
  std::vector<double> states;          ///< of equations; the variables of the same names are copies
};

std::string to_bytes(const Memory& memory);

/// None if these are not the bytes of a memory.
std::optional<Memory> from_bytes(const char* bytes, std::size_t count);

}  // namespace seam::fmus
