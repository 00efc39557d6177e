// The coupling opened at one connection: how far its gain and its delay are from the limit of stability.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "seam/coupling/compile.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::analysis {

/// What comes back to the begin of one connection of what is put into its end, from one communication point to the
/// next: L(z) = from^T (z I - M0)^-1 into of the code that runs, everything else connected. The step is
/// M0 + into from^T, and the coupling is at its limit where L = 1.
struct ConnectionLoop {
  std::string connection;  ///< "source -> sink"
  double period = 0.0;     ///< s
  lti::Vector into, from;
  std::string reason;  ///< why it cannot be opened; empty: it can

  bool is_open() const { return reason.empty(); }
  /// `whole` is the step with the connection as it is.
  lti::StateSpace loop(const lti::Matrix& whole) const;
};

/// All of the assembly's wires. The step must be affine. A connection that nothing goes through, or that brings several
/// samples in a period, so that one gain does not describe it, is not open.
std::vector<ConnectionLoop> open_connections(assembly::Assembly& assembly, const system::Plan& plan,
                                             const lti::Matrix& whole);

/// L over the angle of a sample, 0 to pi.
using LoopCurve = std::function<std::complex<double>(double angle)>;
LoopCurve curve_of(const lti::StateSpace& loop);
/// Of connections of the same step.
std::vector<LoopCurve> curves_of(const std::vector<ConnectionLoop>& loops, const lti::Matrix& whole);

/// Distances from a stable coupling to its limit; none where it is never reached.
struct Margins {
  std::optional<double> gain_up, gain_down;                   ///< factors on the connection's gain, above and below 1
  double gain_up_frequency = 0.0, gain_down_frequency = 0.0;  ///< Hz, of the oscillation at the limit
  std::optional<double> delay;                                ///< s, on top of what the coupling has
  double delay_frequency = 0.0;
};
Margins margins(const LoopCurve& curve, double period);

struct NyquistPoint {
  double frequency = 0.0;  ///< Hz
  std::complex<double> value;
};
/// L over frequency up to half the sampling frequency; the critical point is +1.
std::vector<NyquistPoint> nyquist_curve(const LoopCurve& curve, double period, int points);

}  // namespace seam::analysis
