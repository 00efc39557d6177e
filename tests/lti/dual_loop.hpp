// Two subsystems coupled by a loop written by hand, corrected by what keepers of models know of them: the oracle for
// correctors with identified models (Haid et al. 2019; reference numbers from an independent reproduction).
#pragma once

#include <functional>
#include <vector>

#include "seam/lti/model_keeper.hpp"

namespace seam::lti {

/// A subsystem that holds its input: the output after a time with this input.
struct HeldSubsystem {
  int inputs = 1, outputs = 1;
  std::function<Vector(const Vector& u, double h)> advance;
};

/// A linear system, exactly, for steps of any length.
HeldSubsystem exact(const StateSpace& system, const Vector& x0);

enum class Pairing { right, naive };
enum class Correction { none, model_based, tracking };
/// What eq. 10 counts for an input that was held: its last value for the whole step, or a ramp.
enum class Kernel { held, ramp };
/// The offset of the energy correction before all models are in use.
enum class EarlyOffset { always, while_changes_persist };

struct DualLoop {
  std::vector<HeldSubsystem> subsystems;
  Matrix L;   ///< u = L y
  Vector y0;  ///< before the first step
  double step = 0.0;
  int steps = 0;
  KeeperChoices keeper;
  Pairing pairing = Pairing::right;
  Correction correction = Correction::model_based;
  Kernel kernel = Kernel::held;
  EarlyOffset early_offset = EarlyOffset::always;

  /// Corrected outputs at the end of every macro step.
  std::vector<Vector> run() const;
};

/// Root mean square over samples and outputs of the difference in parts of every output's standard deviation.
double nrmse(const std::vector<Vector>& outputs, const std::vector<Vector>& reference);

/// The oscillator of two masses of the paper; y = [x1, v1, F].
struct DualOscillator {
  enum class Damper { linear, square_root } damper = Damper::linear;

  std::vector<HeldSubsystem> subsystems() const;
  std::vector<Vector> reference(double step, int steps) const;
  DualLoop loop(double step, int steps) const;
};

}  // namespace seam::lti
