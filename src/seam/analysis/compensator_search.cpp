#include "seam/analysis/compensator_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "seam/lti/solve.hpp"

namespace seam::analysis {
namespace {

using lti::Coefficients;
using lti::Complex;
using lti::Vector;
using StaticGain = SearchRequest::StaticGain;

/// k Q Z (= N) and prod(p - lambda) (= D) of K1 K2 H*.
struct Path {
  Coefficients N, D;
};

/// Unbounded numbers that stand for a compensator: one a pole (two for a pair: reflection coefficients, so that every
/// choice lies in the disc), one for how far K1(infinity) stays below its limit, the rest for Q.
class Coordinates {
 public:
  explicit Coordinates(const SearchRequest& request)
      : request_(request), path_(path_behind_sampler(request.system)), poles_(request.poles) {
    const double leading = path_.denominator.back();
    for (double& d : path_.denominator) d /= leading;
    for (double& n : path_.numerator) n /= leading;
    free_zeros_ = poles_ + 1 - static_cast<int>(path_.denominator.size());
  }

  Eigen::Index size() const { return poles_ + 1 + free_zeros_ - first_free(); }

  Path path(const Vector& x) const {
    Path result;
    result.D = denominator(x);
    result.N = lti::product(numerator(x, result.D[0]), path_.numerator);
    for (double& n : result.N) n *= gain(x);
    return result;
  }

  Compensator compensator(const Vector& x) const {
    Compensator result;
    const Coefficients D = denominator(x);
    for (int i = 0; i < poles_; i += 2) {
      for (const Complex& pole : lti::roots(factor(x, i))) result.poles.push_back(pole);
    }
    result.zeros = lti::roots(path_.denominator);
    for (const Complex& zero : lti::roots(numerator(x, D[0]))) result.zeros.push_back(zero);
    result.gain = gain(x);
    return result;
  }

  /// Poles on a circle of this size around -centre, Q so that K1 K2 H* is flat at rest.
  Vector start(double centre, double size) const {
    Vector x = Vector::Zero(this->size());
    const double widest = 0.98 * request_.radius;
    for (int i = 0; i + 1 < poles_; i += 2) {
      const double angle = std::numbers::pi * (0.5 + i) / poles_;
      Complex z = 1.0 + (-centre - std::polar(size, -angle)) / request_.micro_steps;
      if (std::abs(z) > widest) z *= widest / std::abs(z);
      z /= request_.radius;
      const double b = std::norm(z);
      x(i + 1) = std::atanh(b);
      x(i) = std::atanh(-2.0 * z.real() / (1.0 + b));
    }
    if (poles_ % 2 == 1) {
      const double z = 1.0 - centre / request_.micro_steps;
      x(poles_ - 1) = std::atanh(-std::clamp(z, -widest, widest) / request_.radius);
    }
    flatten(x);
    return x;
  }

 private:
  int first_free() const { return request_.static_gain == StaticGain::one ? 1 : 0; }
  double gain(const Vector& x) const { return request_.gain * std::exp(-x(poles_) * x(poles_)); }

  /// With p = r (radius z - 1): of a pair z^2 + k1 (1 + k2) z + k2, of a single pole z + k1, all |k| < 1.
  Coefficients factor(const Vector& x, int i) const {
    const double r = request_.micro_steps, radius = request_.radius, k1 = std::tanh(x(i));
    if (i + 1 == poles_) return {r * (1.0 + radius * k1), 1.0};
    const double k2 = std::tanh(x(i + 1)), middle = radius * k1 * (1.0 + k2);
    return {r * r * (1.0 + middle + radius * radius * k2), r * (2.0 + middle), 1.0};
  }

  Coefficients denominator(const Vector& x) const {
    Coefficients D{1.0};
    for (int i = 0; i < poles_; i += 2) D = lti::product(D, factor(x, i));
    return D;
  }

  /// Q, scaled so that its numbers are alike in size.
  Coefficients numerator(const Vector& x, double pole_product) const {
    Coefficients q(static_cast<std::size_t>(free_zeros_) + 1, 1.0);
    for (int i = free_zeros_ - 1; i >= first_free(); --i)
      q[static_cast<std::size_t>(i)] = x(poles_ + 1 + i - first_free()) * scale(i);
    if (first_free() == 1) q[0] = pole_product / (gain(x) * path_.numerator[0]);
    return q;
  }
  double scale(int power) const { return std::pow(request_.micro_steps, free_zeros_ - power); }

  /// Low powers of N equal to those of D, as far as Q has coefficients for them.
  void flatten(Vector& x) const {
    x(poles_) = 0.1;
    const Coefficients D = denominator(x);
    Coefficients q;
    for (std::size_t i = 0; i < static_cast<std::size_t>(free_zeros_); ++i) {
      double rest = D[i] / gain(x);
      for (std::size_t j = 1; j < path_.numerator.size() && j <= i; ++j) rest -= path_.numerator[j] * q[i - j];
      q.push_back(rest / path_.numerator[0]);
    }
    for (int i = first_free(); i < free_zeros_; ++i)
      x(poles_ + 1 + i - first_free()) = q[static_cast<std::size_t>(i)] / scale(i);
  }

  const SearchRequest& request_;
  lti::Rational path_;  // K2 H*, its denominator monic
  int poles_;
  int free_zeros_;  // degree of Q
};

/// |c(jw)|^2 by even and odd powers, at all w at once.
Eigen::ArrayXd squared_size(const Coefficients& c, const Eigen::ArrayXd& w) {
  const Eigen::ArrayXd w2 = -w * w;
  Eigen::ArrayXd parts[2] = {Eigen::ArrayXd::Zero(w.size()), Eigen::ArrayXd::Zero(w.size())};
  for (std::size_t i = c.size(); i-- > 0;) parts[i % 2] = parts[i % 2] * w2 + c[i];
  return parts[0] * parts[0] + w * w * parts[1] * parts[1];
}

/// |Tue|^2 over logarithmically spaced frequencies.
class WeightedError {
 public:
  WeightedError(const SearchRequest& request, const Coordinates& coordinates)
      : coordinates_(coordinates), points_(160) {
    const double slowest = 0.01 * request.system.weight.cutoff, fastest = 10.0 * request.micro_steps;
    for (Eigen::Index i = 0; i < points_.size(); ++i)
      points_(i) =
          slowest * std::pow(fastest / slowest, static_cast<double>(i) / static_cast<double>(points_.size() - 1));
    weights_ = 1.0 / squared_size(low_pass(request.system.weight).denominator, points_);
  }

  Vector squared(const Vector& x) const {
    const Path path = coordinates_.path(x);
    const Coefficients left = lti::difference(path.D, path.N);
    return weights_ * squared_size(left, points_) / squared_size(path.D, points_);
  }

 private:
  const Coordinates& coordinates_;
  Eigen::ArrayXd points_, weights_;
};

/// Lowers sum |Tue/level|^p with p = 2^(doublings + 1), by Levenberg and Marquardt.
class Descent {
 public:
  Descent(const WeightedError& error, int doublings) : error_(error), doublings_(doublings) {}

  Vector from(Vector x) {
    level_ = error_.squared(x).maxCoeff();
    Vector f = raised(x);
    double damping = 1e-3;
    constexpr int most_steps = 60;
    for (int step = 0; step < most_steps; ++step) {
      const lti::Matrix J = derivatives(x, f);
      const lti::Matrix normal = J.transpose() * J;
      const Vector slope = J.transpose() * f;
      std::optional<Vector> next;
      for (; !next && damping < 1e8; damping *= next ? 0.2 : 4.0)
        next = lower(x, f.squaredNorm(), normal, slope, damping);
      if (!next) return x;
      const double before = f.squaredNorm();
      x = *next;
      f = raised(x);
      if (f.squaredNorm() > (1.0 - 1e-9) * before) return x;
    }
    return x;
  }

 private:
  Vector raised(const Vector& x) const {
    Vector f = (error_.squared(x) / level_).cwiseSqrt();
    for (int i = 0; i < doublings_; ++i) f = f.cwiseAbs2();
    return f;
  }

  lti::Matrix derivatives(const Vector& x, const Vector& f) const {
    lti::Matrix J(f.size(), x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      Vector moved = x;
      const double by = 1e-6 * (1.0 + std::abs(x(i)));
      moved(i) += by;
      J.col(i) = (raised(moved) - f) / by;
    }
    return J;
  }

  /// The point that so much damping leads to, if it is a better one.
  std::optional<Vector> lower(const Vector& x, double sum, const lti::Matrix& normal, const Vector& slope,
                              double damping) const {
    lti::Matrix damped = normal;
    damped.diagonal() += damping * (normal.diagonal().array() + 1e-12 * normal.trace()).matrix();
    const std::optional<Vector> change = lti::solve(damped, slope);
    if (!change) return std::nullopt;
    Vector next = x - *change;
    const Vector f = raised(next);
    if (!f.allFinite() || f.squaredNorm() >= sum) return std::nullopt;
    return next;
  }

  const WeightedError& error_;
  int doublings_;
  double level_ = 1.0;
};

}  // namespace

Compensator search_compensator(const SearchRequest& request) {
  const Coordinates coordinates(request);
  const WeightedError error(request, coordinates);
  const double reach = std::min(request.micro_steps, 15.0);
  Compensator best;
  double smallest = std::numeric_limits<double>::infinity();
  struct Start {
    double centre, size;
  };
  for (const Start& start : {Start{0.6, 0.9}, Start{1.0, 0.3}, Start{1.0, 0.9}}) {
    Vector x = coordinates.start(start.centre * reach, start.size * reach);
    for (int doublings = 0; doublings <= 7; ++doublings) x = Descent(error, doublings).from(x);
    const Compensator found = coordinates.compensator(x);
    const double norm = weighted_error(request.system, found).norm;
    if (norm >= smallest) continue;
    smallest = norm;
    best = found;
  }
  return best;
}

}  // namespace seam::analysis
