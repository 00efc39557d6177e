#include "seam/analysis/loop_peaks.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace seam::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Sample {
  double frequency = 0.0;
  double gain = 0.0;
  lti::Complex return_difference;  ///< det(I + T)
};

class OpenLoop {
 public:
  explicit OpenLoop(const lti::ModalSystem& closed) : closed_(closed) {}

  Sample at(double w) const {
    const lti::ComplexMatrix T = closed_.at({0.0, w});
    if (T.size() == 1) return {w, std::abs(T(0, 0) / (1.0 + T(0, 0))), 1.0 + T(0, 0)};
    const Eigen::PartialPivLU<lti::ComplexMatrix> sum(lti::ComplexMatrix::Identity(T.rows(), T.cols()) + T);
    return {w, lti::largest_singular_value(sum.solve(T)), sum.determinant()};
  }

  /// Golden section.
  Peak climb(double low, double high) const {
    constexpr double golden = 0.6180339887498949;
    Sample left = at(high - golden * (high - low)), right = at(low + golden * (high - low));
    for (int i = 0; i < 90 && high - low > 1e-12 * high; ++i) {
      if (left.gain > right.gain) {
        high = right.frequency;
        right = left;
        left = at(high - golden * (high - low));
      } else {
        low = left.frequency;
        left = right;
        right = at(low + golden * (high - low));
      }
    }
    return left.gain > right.gain ? Peak{left.gain, left.frequency} : Peak{right.gain, right.frequency};
  }

 private:
  const lti::ModalSystem& closed_;
};

double turn(const Sample& a, const Sample& b) { return std::arg(b.return_difference / a.return_difference); }

/// At the poles of the closed loop, at the ends of the band, and by decades beyond.
std::vector<double> first_frequencies(const lti::ModalSystem& closed, const FrequencyRange& band) {
  std::vector<double> result = {0.0, infinity};
  double largest = band.from;
  for (const lti::Complex& pole : closed.poles) {
    result.push_back(std::abs(pole.imag()));
    result.push_back(std::abs(pole));
    largest = std::max(largest, std::abs(pole));
  }
  for (int i = -12; i <= 12; ++i) result.push_back(largest * std::pow(10.0, i / 3.0));
  result.push_back(band.from);
  if (std::isfinite(band.to)) result.push_back(band.to);
  std::sort(result.begin(), result.end());
  const auto same = [](double a, double b) { return b - a <= 1e-12 * b; };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

/// Sampled closely; none if the open loop has a pole on the axis or beyond.
std::optional<std::vector<Sample>> samples_of(const OpenLoop& loop, const std::vector<double>& frequencies) {
  constexpr double largest_turn = 0.5;
  constexpr std::size_t most = 100000;
  std::vector<Sample> result = {loop.at(frequencies.front())};
  double turned = 0.0;
  for (std::size_t i = 1; i < frequencies.size(); ++i) {
    std::vector<Sample> ahead = {loop.at(frequencies[i])};  // the nearest last
    while (!ahead.empty()) {
      const Sample &here = result.back(), &next = ahead.back();
      if (!std::isfinite(next.gain) || result.size() > most) return std::nullopt;
      const double by = turn(here, next);
      const double middle = std::isinf(next.frequency) ? 2.0 * here.frequency : 0.5 * (here.frequency + next.frequency);
      if (std::abs(by) > largest_turn) {
        if (!(middle - here.frequency > 1e-12 * middle) || std::isinf(middle)) return std::nullopt;
        ahead.push_back(loop.at(middle));
        continue;
      }
      turned += by;
      result.push_back(next);
      ahead.pop_back();
    }
  }
  // From 0 to infinity each pole of the open loop that decays turns it by as much as one of the closed loop turns back.
  if (std::abs(turned) > 0.5 * std::numbers::pi) return std::nullopt;
  return result;
}

/// Every summit that may be the highest is climbed.
Peak highest(const OpenLoop& loop, const std::vector<Sample>& samples) {
  constexpr double may_be_highest = 0.8;  // between samples a summit is not much higher
  Peak best;
  for (const Sample& sample : samples) {
    if (sample.gain > best.gain) best = {sample.gain, sample.frequency};
  }
  const double least = may_be_highest * best.gain;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample &left = samples[i > 0 ? i - 1 : 0], &right = samples[std::min(i + 1, samples.size() - 1)];
    const double gain = samples[i].gain;
    if (gain < least || gain < left.gain || gain < right.gain || std::isinf(right.frequency)) continue;
    const Peak found = loop.climb(left.frequency, right.frequency);
    if (found.gain > best.gain) best = found;
  }
  return best;
}

}  // namespace

std::optional<LoopPeaks> loop_peaks(const lti::ModalSystem& closed, const FrequencyRange& band) {
  const OpenLoop loop(closed);
  const auto samples = samples_of(loop, first_frequencies(closed, band));
  if (!samples) return std::nullopt;
  std::vector<Sample> inside;
  std::copy_if(samples->begin(), samples->end(), std::back_inserter(inside), [&](const Sample& sample) {
    return sample.frequency >= band.from * (1.0 - 1e-12) && sample.frequency <= band.to * (1.0 + 1e-12);
  });
  return LoopPeaks{highest(loop, *samples), highest(loop, inside)};
}

}  // namespace seam::analysis
