// The coupling opened at one connection: how far its gain and its delay are from the limit of stability.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "seam/coupling/compile.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::analysis {

/// What comes back to the begin of one connection of what is put into its end, from one communication point to the
/// next: L(z) of the code that runs, everything else connected. The coupling is at its limit where L = 1.
struct ConnectionLoop {
  int wire = -1;           ///< of the assembly
  std::string connection;  ///< "source -> sink"
  double period = 0.0;     ///< s
  lti::StateSpace loop;    ///< in discrete time
  lti::Matrix through;     ///< the part of the step matrix that goes through this connection
};

/// `whole` is the step matrix with the connection as it is. The step must be affine. None, with the reason, if nothing
/// goes through it or if it brings several samples in a period, so that one gain does not describe it.
std::optional<ConnectionLoop> open_connection(assembly::Assembly& assembly, const system::Plan& plan, int wire,
                                              const lti::Matrix& whole, std::string& reason);

/// Distances from a stable coupling to its limit; none where it is never reached.
struct Margins {
  std::optional<double> gain_up, gain_down;                   ///< factors on the connection's gain, above and below 1
  double gain_up_frequency = 0.0, gain_down_frequency = 0.0;  ///< Hz, of the oscillation at the limit
  std::optional<double> delay;                                ///< s, on top of what the coupling has
  double delay_frequency = 0.0;
};
Margins margins(const ConnectionLoop& loop);

struct NyquistPoint {
  double frequency = 0.0;  ///< Hz
  std::complex<double> value;
};
/// L over frequency up to half the sampling frequency; the critical point is +1.
std::vector<NyquistPoint> nyquist_curve(const ConnectionLoop& loop, int points);

}  // namespace seam::analysis
