#include "seam/models/piecewise.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"

namespace seam::models {

Piecewise::Piecewise(std::vector<double> x, std::vector<double> y, Between between, Outside outside)
    : x_(std::move(x)), y_(std::move(y)), between_(between), outside_(outside) {
  bool rises = std::ranges::is_sorted(x_);
  for (std::size_t i = 1; i < x_.size(); ++i) {
    const bool jump = x_[i] == x_[i - 1], twice = i > 1 && x_[i] == x_[i - 2];
    rises = rises && (!jump || (outside == Outside::clamp && !twice));
  }
  if (x_.empty() || x_.size() != y_.size() || !rises) {
    throw base::Error(base::Failure::internal, "a table needs as many values as points, at rising places");
  }
}

int Piecewise::piece(double x) const { return static_cast<int>(std::ranges::upper_bound(x_, x) - x_.begin()) - 1; }

double Piecewise::slope_of(int piece) const { return (y_[piece + 1] - y_[piece]) / (x_[piece + 1] - x_[piece]); }

double Piecewise::value(double x) const {
  if (std::isnan(x)) return x;  // no place in the table: not the last value, as a search would have it
  const int last = static_cast<int>(x_.size()) - 1;
  const int i = piece(x);
  if (between_ == Between::hold || last == 0) return y_[std::clamp(i, 0, last)];
  if (i >= 0 && i < last) return y_[i] + slope_of(i) * (x - x_[i]);
  const int end = i < 0 ? 0 : last;
  if (outside_ == Outside::clamp) return y_[end];
  return y_[end] + slope_of(i < 0 ? 0 : last - 1) * (x - x_[end]);
}

double Piecewise::slope(double x) const {
  const int last = static_cast<int>(x_.size()) - 1;
  const int i = piece(x);
  if (between_ == Between::hold || last == 0) return 0.0;
  if (i >= 0 && i < last) return slope_of(i);
  return outside_ == Outside::clamp ? 0.0 : slope_of(i < 0 ? 0 : last - 1);
}

}  // namespace seam::models
