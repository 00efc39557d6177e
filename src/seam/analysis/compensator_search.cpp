#include "seam/analysis/compensator_search.hpp"

#include <Eigen/QR>
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
using lti::Matrix;
using lti::Vector;
using Response = Eigen::ArrayXcd;  // at all frequencies of the grid
using StaticGain = SearchRequest::StaticGain;

/// Unbounded numbers that stand for a compensator k Q E/prod(p - lambda) with a given E: one a pole (two for a pair:
/// reflection coefficients, so that every choice lies in the disc), one for how far k stays below its limit, the rest
/// for the monic Q.
class Coordinates {
 public:
  Coordinates(const SearchRequest& request, Coefficients kept)
      : request_(request), kept_(std::move(kept)), degree_(request.poles + 1 - static_cast<int>(kept_.size())) {}

  Eigen::Index size() const { return poles() + 1 + free_coefficients(); }
  int poles() const { return request_.poles; }
  int degree() const { return degree_; }
  const Coefficients& kept() const { return kept_; }
  Eigen::Index gain_at() const { return poles(); }
  /// Of the coefficient of p^power in Q.
  Eigen::Index numerator_at(int power) const { return poles() + 1 + power - first_free(); }
  int first_free() const { return request_.static_gain == StaticGain::one ? 1 : 0; }
  int free_coefficients() const { return degree_ - first_free(); }
  double scale(int power) const { return std::pow(std::min(request_.micro_steps, 15.0), degree_ - power); }
  double gain(const Vector& x) const { return request_.gain * std::exp(-x(gain_at()) * x(gain_at())); }

  /// With p = r (radius z - 1): of a pair z^2 + k1 (1 + k2) z + k2, of a single pole z + k1, all |k| < 1.
  Coefficients factor(const Vector& x, int i) const {
    const double r = request_.micro_steps, radius = request_.radius, k1 = std::tanh(x(i));
    if (i + 1 == poles()) return {r * (1.0 + radius * k1), 1.0};
    const double k2 = std::tanh(x(i + 1)), middle = radius * k1 * (1.0 + k2);
    return {r * r * (1.0 + middle + radius * radius * k2), r * (2.0 + middle), 1.0};
  }

  /// Q, scaled so that its numbers are alike in size. For K1(0) = 1 the first one follows from the poles.
  Coefficients numerator(const Vector& x) const {
    Coefficients q(static_cast<std::size_t>(degree_) + 1, 1.0);
    for (int i = first_free(); i < degree_; ++i) q[static_cast<std::size_t>(i)] = x(numerator_at(i)) * scale(i);
    if (first_free() == 0) return q;
    q[0] = 1.0 / (gain(x) * kept_[0]);
    for (int i = 0; i < poles(); i += 2) q[0] *= factor(x, i)[0];
    return q;
  }

  Compensator compensator(const Vector& x) const {
    Compensator result;
    for (int i = 0; i < poles(); i += 2) {
      for (const Complex& pole : lti::roots(factor(x, i))) result.poles.push_back(pole);
    }
    result.zeros = lti::roots(numerator(x));
    for (const Complex& zero : lti::roots(kept_)) result.zeros.push_back(zero);
    result.gain = gain(x);
    return result;
  }

  /// The poles on a circle; Q = p^n.
  Vector start(const SearchRequest::Circle& circle) const {
    Vector x = Vector::Zero(size());
    const double widest = 0.98 * request_.radius, r = request_.micro_steps;
    for (int i = 0; i + 1 < poles(); i += 2) {
      const double angle = std::numbers::pi * (0.5 + i) / poles();
      Complex z = 1.0 - (circle.centre + std::polar(circle.radius, -angle)) / r;
      if (std::abs(z) > widest) z *= widest / std::abs(z);
      z /= request_.radius;
      const double b = std::norm(z);
      x(i + 1) = std::atanh(b);
      x(i) = std::atanh(-2.0 * z.real() / (1.0 + b));
    }
    if (poles() % 2 == 1)
      x(poles() - 1) = std::atanh(-std::clamp(1.0 - circle.centre / r, -widest, widest) / request_.radius);
    x(gain_at()) = 0.1;  // its derivative is 0 at 0
    return x;
  }

  /// The same compensator in coordinates that keep no zeros.
  Vector in(const Coordinates& all_free, const Vector& x) const {
    Vector result(all_free.size());
    result.head(poles() + 1) = x.head(poles() + 1);
    const Coefficients q = lti::product(numerator(x), kept_);
    for (int i = first_free(); i < all_free.degree(); ++i)
      result(all_free.numerator_at(i)) = q[static_cast<std::size_t>(i)] / all_free.scale(i);
    return result;
  }

 private:
  const SearchRequest& request_;
  Coefficients kept_;  // E, monic
  int degree_;         // of Q
};

/// Tue over logarithmically spaced frequencies.
class WeightedError {
 public:
  WeightedError(const SearchRequest& request, const Coordinates& coordinates) : coordinates_(coordinates) {
    constexpr int points = 160;
    const double slowest = 0.01 * request.system.weight.cutoff, fastest = 10.0 * std::max(request.micro_steps, 15.0);
    const lti::Rational path = path_behind_sampler(request.system), weight = low_pass(request.system.weight);
    Response p(points);
    weight_.resize(points);
    path_.resize(points);
    for (Eigen::Index i = 0; i < points; ++i) {
      p(i) = Complex(0.0, slowest * std::pow(fastest / slowest, static_cast<double>(i) / (points - 1)));
      weight_(i) = 1.0 / lti::value_at(weight.denominator, p(i));
      path_(i) = weight_(i) * lti::value_at(path.numerator, p(i)) / lti::value_at(path.denominator, p(i)) *
                 lti::value_at(coordinates.kept(), p(i));
    }
    powers_.push_back(Response::Ones(points));
    for (int i = 0; i < coordinates.poles(); ++i) powers_.push_back(powers_.back() * p);
  }

  Response at(const Vector& x) const {
    return weight_ - coordinates_.gain(x) * path_ * value(coordinates_.numerator(x)) / denominator(x);
  }

  /// A column for each coordinate.
  Eigen::MatrixXcd derivatives(const Vector& x) const {
    Eigen::MatrixXcd result(weight_.size(), x.size());
    const Response by_numerator = -coordinates_.gain(x) * path_ / denominator(x);
    const Response sent = by_numerator * value(coordinates_.numerator(x));
    for (int i = coordinates_.first_free(); i < coordinates_.degree(); ++i)
      result.col(coordinates_.numerator_at(i)) =
          by_numerator * coordinates_.scale(i) * powers_[static_cast<std::size_t>(i)];
    const double first = coordinates_.first_free() == 1 ? coordinates_.numerator(x)[0] : 0.0;
    // what follows from K1(0) = 1 does not depend on the gain
    result.col(coordinates_.gain_at()) = -2.0 * x(coordinates_.gain_at()) * (sent - by_numerator * first);
    for (int i = 0; i < coordinates_.poles(); ++i) {
      const Coefficients factor = coordinates_.factor(x, i - i % 2);
      const double by = 1e-6 * (1.0 + std::abs(x(i)));
      Vector moved = x;
      moved(i) += by;
      Coefficients change = lti::difference(coordinates_.factor(moved, i - i % 2), factor);
      for (double& c : change) c /= by;
      change.resize(factor.size(), 0.0);
      result.col(i) = -sent * value(change) / value(factor) + by_numerator * (first * change[0] / factor[0]);
    }
    return result;
  }

  /// The same poles and gain, the numerator with the smallest sum of squares.
  Vector with_numerator(Vector x) const {
    x.tail(coordinates_.free_coefficients()).setZero();
    const Response e = at(x);
    const Eigen::MatrixXcd J = derivatives(x).rightCols(coordinates_.free_coefficients());
    Matrix rows(2 * J.rows(), J.cols());
    rows << J.real(), J.imag();
    Vector values(2 * J.rows());
    values << e.real(), e.imag();
    x.tail(J.cols()) = -rows.colPivHouseholderQr().solve(values);
    return x;
  }

 private:
  Response value(const Coefficients& c) const {
    Response sum = c[0] * powers_[0];
    for (std::size_t i = 1; i < c.size(); ++i) sum += c[i] * powers_[i];
    return sum;
  }
  Response denominator(const Vector& x) const {
    Response D = powers_[0];
    for (int i = 0; i < coordinates_.poles(); i += 2) D *= value(coordinates_.factor(x, i));
    return D;
  }

  const Coordinates& coordinates_;
  Response weight_, path_;        // Wf; Wf K2 H* E
  std::vector<Response> powers_;  // of p
};

/// Lowers sum |Tue|^(2q) by Newton's method with the damping of Levenberg and Marquardt. The second derivative is that
/// for a Tue linear in x: 2q - 1 along Tue and 1 across it, both times |Tue|^(2q - 2).
class Descent {
 public:
  Descent(const WeightedError& error, double q) : error_(error), q_(q) {}

  Vector from(Vector x) const {
    double damping = 1e-3;
    constexpr int most_steps = 60;
    for (int step = 0; step < most_steps; ++step) {
      const Response e = error_.at(x);
      const double level = e.abs().maxCoeff(), before = sum(e, level);
      const Eigen::ArrayXd size = (e / level).abs().pow(q_ - 1.0);
      const Response turn = (size / level) * e.conjugate() / (e.abs() + 1e-300);
      const Eigen::MatrixXcd J = turn.matrix().asDiagonal() * error_.derivatives(x);
      const Matrix along = J.real(), across = J.imag();
      const Matrix curvature = (2.0 * q_ - 1.0) * (along.transpose() * along) + across.transpose() * across;
      const Vector slope = along.transpose() * (size * (e / level).abs()).matrix();
      std::optional<Vector> next;
      for (; !next && damping < 1e8; damping *= next ? 0.2 : 4.0)
        next = lower(x, before, level, curvature, slope, damping);
      if (!next) return x;
      x = *next;
      if (sum(error_.at(x), level) > (1.0 - 1e-7) * before) return x;
    }
    return x;
  }

 private:
  double sum(const Response& e, double level) const { return (e / level).abs2().pow(q_).sum(); }

  /// The point that so much damping leads to, if it is a better one.
  std::optional<Vector> lower(const Vector& x, double before, double level, const Matrix& curvature,
                              const Vector& slope, double damping) const {
    Matrix damped = curvature;
    damped.diagonal() += damping * (curvature.diagonal().array() + 1e-12 * curvature.trace()).matrix();
    const std::optional<Vector> change = lti::solve(damped, slope);
    if (!change) return std::nullopt;
    Vector next = x - *change;
    const double after = sum(error_.at(next), level);
    if (!std::isfinite(after) || after >= before) return std::nullopt;
    return next;
  }

  const WeightedError& error_;
  double q_;
};

Vector lowered(const WeightedError& error, Vector x, double factor) {
  for (double q = 1.0; q <= 256.0; q *= factor) x = Descent(error, q).from(x);
  return x;
}

/// The denominator of K2 H*, monic.
Coefficients cancelling(const ErrorSystem& system) {
  Coefficients result = path_behind_sampler(system).denominator;
  const double leading = result.back();
  for (double& c : result) c /= leading;
  return result;
}

}  // namespace

FoundCompensators search_compensators(const SearchRequest& request) {
  const Coordinates few(request, cancelling(request.system)), all(request, {1.0});
  const WeightedError few_error(request, few), all_error(request, all);
  FoundCompensators result;
  Vector best;
  double smallest = std::numeric_limits<double>::infinity();
  for (const SearchRequest::Circle& circle : request.starts) {
    const Vector x = lowered(few_error, few_error.with_numerator(few.start(circle)), 2.0);
    const Compensator found = few.compensator(x);
    const double norm = weighted_error(request.system, found).norm;
    if (norm >= smallest) continue;
    smallest = norm;
    result.unrefined = found;
    best = few.in(all, x);
  }
  const auto refine = [&](const Vector& x) { result.refined.push_back(all.compensator(lowered(all_error, x, 4.0))); };
  refine(best);
  refine(all_error.with_numerator(all.start(request.start)));
  return result;
}

}  // namespace seam::analysis
