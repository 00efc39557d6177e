// A function given by points: straight lines or steps between them.
#pragma once

#include <vector>

namespace seam::models {

/// Points (x_i, y_i) with rising x. Where values are clamped, two points at one x are a jump from the first to the
/// second.
class Piecewise {
 public:
  enum class Between { linear, hold };        ///< hold: y_i on [x_i, x_{i+1})
  enum class Outside { clamp, extrapolate };  ///< the end value, or the line of the end piece (linear only)

  /// At least one point, x rising except for jumps, or base::Error(internal).
  Piecewise(std::vector<double> x, std::vector<double> y, Between between, Outside outside);

  /// At a jump the value after it.
  double value(double x) const;
  /// The slope right of x; 0 where the value is constant.
  double slope(double x) const;

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }

 private:
  /// The piece [x_i, x_{i+1}) that x lies in, or -1 left of the first point; the last index from the last point on.
  int piece(double x) const;
  double slope_of(int piece) const;

  std::vector<double> x_, y_;
  Between between_;
  Outside outside_;
};

}  // namespace seam::models
