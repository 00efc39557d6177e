// The bouncing ball in closed form.
#pragma once

#include <cmath>
#include <vector>

namespace seam::fmus {

struct Ball {
  double g = 9.81, e = 0.7, h0 = 1.0, v_min = 0.1;

  struct Point {
    double h, v;
  };

  /// Times of the bounces, the last of which is where it comes to rest.
  std::vector<double> bounces() const {
    std::vector<double> result = {std::sqrt(2.0 * h0 / g)};
    for (double v = e * g * result[0]; v >= v_min; v *= e) result.push_back(result.back() + 2.0 * v / g);
    return result;
  }
  Point at(double t) const {
    const std::vector<double> times = bounces();
    if (t < times[0]) return {h0 - 0.5 * g * t * t, -g * t};
    double v = e * g * times[0];
    for (std::size_t i = 0; i + 1 < times.size(); ++i, v *= e) {
      const double tau = t - times[i];
      if (t < times[i + 1]) return {v * tau - 0.5 * g * tau * tau, v - g * tau};
    }
    return {0.0, 0.0};
  }
};

}  // namespace seam::fmus
