// A PID controller with filtered derivative and, if limited, anti-windup.
#pragma once

#include <limits>

#include "seam/models/model.hpp"

namespace seam::models {

struct Pid {
  double kp = 0.0;
  double ki = 0.0;           ///< 1/s
  double kd = 0.0;           ///< s
  double filter_time = 0.0;  ///< s; needed (> 0) if kd is not 0
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// With e = reference - measurement: y = kp e + I + kd (e - z)/Tf, I' = ki e, z' = (e - z)/Tf; without kd there is no
/// z. Limited to [low, high]; while the limit holds, I does not move further into it (clamping). Linear without limits.
Model pid(const Pid& pid);

}  // namespace seam::models
