#include "seam/analysis/loop_gain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/interconnect.hpp"

namespace seam::analysis {
namespace {

/// The system from the outputs of one member, as the others hear them, back to these outputs.
std::optional<lti::StateSpace> cut_at(const assembly::Assembly& assembly, const LinearParts& linear, int member) {
  const auto at = static_cast<std::size_t>(member);
  const Eigen::Index first = linear.wiring.first_output[at];
  const auto count = static_cast<Eigen::Index>(assembly.members[at].outputs.size());
  lti::Matrix K = linear.wiring.K;
  const lti::Matrix E = K.middleCols(first, count);
  K.middleCols(first, count).setZero();
  auto all = lti::interconnect(linear.parts, K, E);
  if (!all) return std::nullopt;
  // Only what somebody hears: another output would count as a gain that goes nowhere.
  std::vector<Eigen::Index> heard;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (!E.col(i).isZero(0.0)) heard.push_back(i);
  }
  const auto size = static_cast<Eigen::Index>(heard.size());
  lti::StateSpace loop{all->A, lti::Matrix(all->states(), size), lti::Matrix(size, all->states()),
                       lti::Matrix(size, size)};
  for (Eigen::Index i = 0; i < size; ++i) {
    const Eigen::Index from = heard[static_cast<std::size_t>(i)];
    loop.B.col(i) = all->B.col(from);
    loop.C.row(i) = all->C.row(first + from);
    for (Eigen::Index j = 0; j < size; ++j) loop.D(i, j) = all->D(first + from, heard[static_cast<std::size_t>(j)]);
  }
  return loop;
}

struct Peak {
  double gain = 0.0, frequency = 0.0;
};

/// The largest gain between two angular frequencies: points by decades and at the poles, the best of them improved by
/// golden section.
Peak peak_in(const lti::StateSpace& loop, double low, double high) {
  const lti::FrequencyResponse response(loop, lti::TimeDomain::continuous);
  std::vector<double> points;
  double largest = 1.0;
  for (const auto& pole : lti::eigenvalues(loop.A)) {
    largest = std::max(largest, std::abs(pole));
    if (std::abs(pole) > low && std::abs(pole) < high) points.push_back(std::abs(pole));
  }
  const double from = std::max(low, 1e-4 * largest), to = std::min(high, 1e4 * std::max(largest, from));
  for (int i = 0; i <= 400; ++i) points.push_back(from * std::pow(to / from, i / 400.0));
  std::sort(points.begin(), points.end());
  const auto same = [](double a, double b) { return b - a < 1e-6 * b; };  // neighbours must span a peak
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  const auto gain = [&](double w) { return lti::largest_singular_value(response.at(w)); };
  Peak best;
  std::size_t best_point = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double found = gain(points[i]);
    if (found <= best.gain) continue;
    best = {found, points[i]};
    best_point = i;
  }
  double left = points[best_point > 0 ? best_point - 1 : 0],
         right = points[std::min(best_point + 1, points.size() - 1)];
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i < 60 && right - left > 1e-12 * right; ++i) {
    const double a = right - golden * (right - left), b = left + golden * (right - left);
    const double at_a = gain(a), at_b = gain(b);
    (at_a > at_b ? right : left) = at_a > at_b ? b : a;
    if (std::max(at_a, at_b) > best.gain) best = at_a > at_b ? Peak{at_a, a} : Peak{at_b, b};
  }
  return best;
}

}  // namespace

std::vector<Loop> loop_gains(const assembly::Assembly& assembly, const LinearParts& linear, const Band& band) {
  constexpr double two_pi = 2.0 * std::numbers::pi;
  std::vector<Loop> loops;
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    const int member = static_cast<int>(m);
    const auto hears = [&](const assembly::Wire& wire) { return wire.to == member; };
    const auto is_heard = [&](const assembly::Wire& wire) { return wire.from == member; };
    if (std::none_of(assembly.wires.begin(), assembly.wires.end(), hears)) continue;
    if (std::none_of(assembly.wires.begin(), assembly.wires.end(), is_heard)) continue;
    const auto loop = cut_at(assembly, linear, member);
    if (!loop) continue;
    Loop found{member, assembly.members[m].name, lti::h_infinity_norm(*loop, lti::TimeDomain::continuous), 0.0, 0.0};
    const Peak peak = peak_in(*loop, two_pi * band.from, two_pi * band.to);
    found.in_band = peak.gain;
    found.in_band_frequency = peak.frequency;
    loops.push_back(std::move(found));
  }
  return loops;
}

}  // namespace seam::analysis
