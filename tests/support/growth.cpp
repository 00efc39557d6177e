#include "support/growth.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

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

 private:
  engine::Live live_;
  coupling::Memory memory_;
  Eigen::Index size_ = 0;
};

/// One a column, per step. The slope of a line is fitted to all but the first quarter, in which the rest dies away.
std::vector<double> exponents(Run& run, Matrix z, base::Tick steps) {
  constexpr base::Tick stretch = 16;
  const Eigen::Index count = (steps + stretch - 1) / stretch, width = z.cols(), first = count / 4;
  Matrix logarithms(count, width), line(count, 2);
  Vector total = Vector::Zero(width);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < width; ++j) z.col(j) = run.after(z.col(j), stretch);
    const Eigen::HouseholderQR<Matrix> factors(z);
    total += factors.matrixQR().diagonal().head(width).cwiseAbs().array().log().matrix();
    logarithms.row(i) = total;
    line.row(i) << 1.0, static_cast<double>(i);
    z = factors.householderQ() * Matrix::Identity(run.size(), width);
  }
  std::vector<double> found;
  for (Eigen::Index j = 0; j < width; ++j) {
    const bool is_gone = !std::isfinite(total(j));  // as nilpotent motions are after a few steps
    const Vector fitted =
        is_gone
            ? Vector::Zero(2)
            : Vector(line.bottomRows(count - first).colPivHouseholderQr().solve(logarithms.col(j).tail(count - first)));
    found.push_back(is_gone ? -INFINITY : fitted(1) / static_cast<double>(stretch));
  }
  return found;
}

}  // namespace

double growth_rate(const engine::System& system, int standing) {
  Run run(system);
  std::mt19937_64 bits(1);
  Matrix z(run.size(), std::min<Eigen::Index>(run.size(), standing + 1));
  for (double& value : z.reshaped()) value = static_cast<double>(bits() >> 11) * 0x1.0p-53 - 0.5;
  double rate = 0.0;
  // Long enough for growth by e^200, which leaves the swing of an oscillation far behind.
  for (base::Tick steps = 16000; steps <= 256000; steps *= 4) {
    std::vector<double> all = exponents(run, z, steps);
    std::ranges::sort(all, {}, [](double exponent) { return std::abs(exponent); });
    rate = *std::max_element(all.begin() + standing, all.end());
    if (std::abs(rate) * static_cast<double>(steps) > 200.0) break;
  }
  return rate;
}

}  // namespace seam::testing
