// How wrong a coupled run will be, over frequency: what the holds do to the signals, and what the closed loop makes of
// it.
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

  double worst() const { return outputs.empty() ? 0.0 : outputs.front().error; }
};

/// What was compiled, and from what.
struct HeldPlan {
  const coupling::Program& program;
  const system::Plan& plan;
};

/// Closed loop in the base band: every connection is its hold (Chen et al. 2021, eqs 3-5), direct feed-through
/// that is held sees the end of the step before, and the perturbed loop carries the errors on (Chen 2021 (thesis),
/// eq. 2.31, for any number of connections). Assumes linear equations, exact solvers, and signals well below 1/(2 H):
/// images of the sampling are left out. `poles` are those of the coupled equations, where they are known: near them the
/// frequencies are looked at more closely.
std::optional<Accuracy> predict_accuracy(const HeldPlan& held, const LinearParts& linear,
                                         const std::vector<std::complex<double>>& poles, const Band& band,
                                         std::string& reason);
/// Accuracy::worst() alone; none where it is not known.
std::optional<double> predict_worst_error(const coupling::Program& program, const LinearParts& linear,
                                          const std::vector<std::complex<double>>& poles, const Band& band);

/// Where the motion of the coupled equations is: from a tenth of their slowest oscillation to their fastest, and not
/// above the half of the sampling frequency. None without an oscillation.
std::optional<Band> band_of_motion(const std::vector<std::complex<double>>& poles, double macro_step);

}  // namespace seam::analysis
