#include "support/growth.hpp"

#include <Eigen/QR>
#include <cmath>
#include <functional>
#include <random>

#include "seam/analysis/transition.hpp"
#include "seam/coupling/advance.hpp"

namespace seam::testing {
namespace {

using lti::Matrix;
using lti::Vector;

class Run {
 public:
  explicit Run(const engine::System& system)
      : live_(engine::make_live(system, {engine::Horizon::none, INFINITY})), memory_(coupling::start(live_.program)) {
    coupling::settle(live_.program, memory_);
    size_ = static_cast<Eigen::Index>(analysis::read_state(live_.program, memory_).size());
  }

  Eigen::Index size() const { return size_; }

  Vector after(const Vector& z, base::Tick steps) {
    analysis::write_state(live_.program, memory_, {z.begin(), z.end()});
    coupling::advance(live_.program, memory_, steps, assembly::Sources::silent);
    const std::vector<double> found = analysis::read_state(live_.program, memory_);
    return Eigen::Map<const Vector>(found.data(), size_);
  }

  /// What is left of unit vectors in the end; nothing if they grow or do not come to rest.
  Matrix limit() {
    Matrix result(size_, size_);
    for (Eigen::Index i = 0; i < size_; ++i) {
      Vector z = Vector::Unit(size_, i), before;
      int rounds = 0;
      do {
        before = z;
        z = after(z, 2000);
        if (!(z.cwiseAbs().maxCoeff() < 1e6) || ++rounds > 500) return Matrix::Zero(size_, size_);
      } while ((z - before).cwiseAbs().maxCoeff() > 1e-9 * std::max(1.0, z.cwiseAbs().maxCoeff()));
      result.col(i) = z;
    }
    return result * result;  // twice as many steps
  }

 private:
  engine::Live live_;
  coupling::Memory memory_;
  Eigen::Index size_ = 0;
};

/// Takes away what stays; told by how much the rest has grown since it last did so, e to the power of it.
using Cleaning = std::function<bool(Vector& z, double grown)>;

/// What the logarithms of the growth grow by from stretch to stretch: a straight line that jumps by the same wherever
/// something was taken away, fitted to all of them.
double rate_over(Run& run, const Cleaning& clean, Vector z, base::Tick steps) {
  constexpr base::Tick stretch = 29;
  const Eigen::Index count = (steps + stretch - 1) / stretch;
  Matrix known(count, 3);
  Vector logarithms(count);
  double total = 0.0, cleaned_at = 0.0, cleanings = 0.0;
  clean(z, -INFINITY);
  z /= z.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < count; ++i) {
    z = run.after(z, stretch);
    if (z.isZero(0.0)) return -INFINITY;
    logarithms(i) = total + std::log(z.cwiseAbs().maxCoeff());
    known.row(i) << 1.0, static_cast<double>(i), cleanings;
    if (clean(z, logarithms(i) - cleaned_at)) {
      cleaned_at = logarithms(i);
      cleanings += 1.0;
    }
    const double size = z.cwiseAbs().maxCoeff();
    total += std::log(size);
    z /= size;
  }
  const Eigen::Index later = count - count / 4;  // without the beginning
  const Vector line = known.bottomRows(later).completeOrthogonalDecomposition().solve(logarithms.tail(later));
  return line(1) / static_cast<double>(stretch);
}

double growth_rate(Run& run, const Cleaning& clean) {
  std::mt19937_64 bits(1);
  Vector z(run.size());
  for (double& value : z) value = static_cast<double>(bits() >> 11) * 0x1.0p-53 - 0.5;
  double rate = 0.0;
  // Long enough for growth by e^200, which leaves the swing of an oscillation far behind.
  for (base::Tick steps = 16000; steps <= 256000; steps *= 4) {
    rate = rate_over(run, clean, z, steps);
    if (std::abs(rate) * static_cast<double>(steps) > 200.0) break;
  }
  return rate;
}

}  // namespace

double growth_rate(const engine::System& system, Equilibria equilibria) {
  Run run(system);
  const Matrix resting = equilibria == Equilibria::anywhere ? run.limit() : Matrix::Zero(run.size(), run.size());
  return growth_rate(run, [&](Vector& z, double) {
    z -= resting * z;
    return false;  // nothing of what grows
  });
}

double growth_rate_beside(const engine::System& system, int standing) {
  constexpr double rounding = -20.0;  // beyond that much decay rounding has put too much of it back
  Run run(system);
  return growth_rate(run, [&](Vector& z, double grown) {
    if (grown > rounding) return false;
    for (int i = 0; i < standing; ++i) z = (run.after(z, 1) - z).eval();
    return true;
  });
}

}  // namespace seam::testing
