// Random coupled linear systems that are stable when solved together.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "seam/engine/open/system.hpp"

namespace seam::testing {

/// What a random system has besides its loops.
enum class Drive {
  none,          ///< it rests at 0: only for tests that write a state of their own
  tone,          ///< one sine that is known ahead, into every subsystem
  multisine,     ///< instead of it many, from a tenth of its frequency on
  start_states,  ///< nothing but its loops moves it on, so that models can be identified
  full  ///< start states, offsets of connections, and in each subsystem a source (known ahead, sampled, or constant)
};

/// How the subsystems of a random system decay by themselves.
enum class Damping {
  any,   ///< within a few periods
  light  ///< oscillations in pairs of states, by 0.01 % to 3 % of critical damping, weakly coupled
};

/// Of Drive::multisine: so many that it repeats (from is a multiple of half of what two tones lie apart).
constexpr int tones_of_drive = 63;

class RandomSystems {
 public:
  RandomSystems(std::uint64_t seed, Drive drive, Damping damping = Damping::any)
      : generator_(seed), drive_(drive), damping_(damping) {}

  /// Two or three subsystems of one to four states, each fed by others, direct feed-through without a loop in about
  /// half of them; the macro step is of the order of the fastest time constant, so that about half of the couplings are
  /// unstable.
  engine::System next();
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(generator_() >> 11) * 0x1.0p-53;
  }

 private:
  int whole(int low, int high) {
    return low + static_cast<int>(generator_() % static_cast<std::uint64_t>(high - low + 1));
  }
  std::string matrix(int rows, int columns, double size);
  std::string stable_matrix(int states);
  std::string oscillations(int states);
  std::string source(int part);
  std::string candidate();

  std::mt19937_64 generator_;
  Drive drive_;
  Damping damping_;
};

/// Couplings of the whole catalog, with every choice of their parameters: "zoh", "foh", "foh,samples=micro", …
std::vector<system::Coupling> all_couplings();

/// Those of them that are holds: polynomials through samples, whose error falls with the macro step.
std::vector<system::Coupling> all_holds();
/// Correctors of the whole catalog, with every value of each choice (the others at their defaults) and with outputs of
/// two micro steps where a corrector can look at them.
std::vector<system::Corrector> all_correctors();
/// Those of the catalog that choose how they extrapolate while they run, with models that leave something to
/// extrapolate.
std::vector<system::Corrector> all_choosing_correctors();
/// Those of the catalog that can identify their models while they run, set to do so.
std::vector<system::Corrector> all_learning_correctors();

/// The system with one coupling on all connections but those of sources, and one way of feed-through.
engine::System with(engine::System system, const system::Coupling& coupling, system::Feedthrough feedthrough);

}  // namespace seam::testing
