// How wrong a coupled run will be, over frequency.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/loop_gain.hpp"
#include "seam/coupling/program.hpp"
#include "seam/system/plan.hpp"

namespace seam::analysis {

/// One frequency. Relative errors: root of the sum of squares over all excitations.
struct ErrorPoint {
  double frequency = 0.0;          ///< Hz
  double of_inputs = 0.0;          ///< the largest |xi_u|/|u| of any connection
  std::vector<double> of_outputs;  ///< |error|/|monolithic output|, one an output; NaN where it is not known
};

struct NamedError {
  std::string name;
  double error = 0.0;  ///< NaN: not known, since no model describes the output or nothing moves it
};

struct Accuracy {
  Band band;                        ///< of the excitation, its power spread evenly
  std::string excitation;           ///< where it enters, in words
  std::vector<NamedError> outputs;  ///< expected NRMSE by deviation, the largest first
  std::vector<NamedError>
      connections;  ///< the same of the worst output if this connection alone were held, largest first
  std::vector<ErrorPoint> curve;
  std::vector<std::string> output_names;  ///< as the curve counts them
  std::optional<double> of_solvers = {};  ///< what solvers inside FMUs add, of the worst output; none: nothing

  double worst() const { return outputs.empty() ? 0.0 : outputs.front().error; }
};

/// What was compiled, and from what.
struct HeldPlan {
  const coupling::Program& program;
  const system::Plan& plan;
};

/// What moves the coupled equations.
struct Motion {
  std::vector<std::complex<double>> poles;  ///< 1/s, where they are known: near them frequencies are looked at closely
  Band band;                                ///< of the excitation
};

/// The program under tones, once it has settled, beside the coupled equations; an output counts at the ends of its
/// subsystem's steps. Assumes linear equations. None, with the reason, if the step is not known or not affine.
std::optional<Accuracy> predict_accuracy(const HeldPlan& held, const LinearParts& linear, const Motion& motion,
                                         std::string& reason);
/// Accuracy::worst() alone; none where it is not known.
std::optional<double> predict_worst_error(const coupling::Program& program, const LinearParts& linear,
                                          const Motion& motion);

/// How far apart two programs of the same plan settle, of the worst output and relative to the coupled equations: what
/// their subsystems make of the same coupling. None where it is not known.
std::optional<double> predict_worst_difference(const coupling::Program& program, const coupling::Program& other,
                                               const LinearParts& linear, const Motion& motion);

/// Where the motion of the coupled equations is: from a tenth of their slowest oscillation to a little above their
/// fastest; where nothing oscillates, around the slowest decay. None without either.
std::optional<Band> band_of_motion(const std::vector<std::complex<double>>& poles);
/// What of it lies below half the sampling frequency, the Nyquist frequency.
Band below_nyquist(const Band& band, double macro_step);

}  // namespace seam::analysis
