#include "support/growth.hpp"

#include <cmath>
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

/// Slope of a straight line through (i, values[i]).
double slope(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0.0, covariance = 0.0;
  for (const double value : values) mean += value / n;
  for (std::size_t i = 0; i < values.size(); ++i)
    covariance += (static_cast<double>(i) - 0.5 * (n - 1.0)) * (values[i] - mean);
  return covariance / (n * (n * n - 1.0) / 12.0);
}

double rate_over(Run& run, const Matrix& resting, Vector z, base::Tick steps) {
  constexpr base::Tick stretch = 29;
  std::vector<double> logarithms;
  double total = 0.0;
  for (base::Tick done = 0; done < steps; done += stretch) {
    z = run.after(z, stretch);
    z -= resting * z;
    const double size = z.cwiseAbs().maxCoeff();
    if (size == 0.0) return -INFINITY;
    total += std::log(size);
    z /= size;
    if (done >= steps / 4) logarithms.push_back(total);
  }
  return slope(logarithms) / static_cast<double>(stretch);
}

}  // namespace

double growth_rate(const engine::System& system, Equilibria equilibria) {
  Run run(system);
  const Matrix resting = equilibria == Equilibria::anywhere ? run.limit() : Matrix::Zero(run.size(), run.size());
  std::mt19937_64 bits(1);
  Vector z(run.size());
  for (double& value : z) value = static_cast<double>(bits() >> 11) * 0x1.0p-53 - 0.5;
  double rate = 0.0;
  // Long enough for growth by e^200, which leaves the swing of an oscillation far behind.
  for (base::Tick steps = 16000; steps <= 256000; steps *= 4) {
    rate = rate_over(run, resting, z, steps);
    if (std::abs(rate) * static_cast<double>(steps) > 200.0) break;
  }
  return rate;
}

}  // namespace seam::testing
