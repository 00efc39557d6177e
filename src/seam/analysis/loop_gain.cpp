#include "seam/analysis/loop_gain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/analysis/loop_peaks.hpp"
#include "seam/base/in_parallel.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/interconnect.hpp"

namespace seam::analysis {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;

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

/// Outputs of a member that others hear.
std::vector<Eigen::Index> heard_outputs(const assembly::Assembly& assembly, const LinearParts& linear,
                                        std::size_t member) {
  std::vector<Eigen::Index> heard;
  for (std::size_t i = 0; i < assembly.members[member].outputs.size(); ++i) {
    const Eigen::Index output = linear.wiring.first_output[member] + static_cast<Eigen::Index>(i);
    if (!linear.wiring.K.col(output).isZero(0.0)) heard.push_back(output);
  }
  return heard;
}

/// Whether something of what it sends comes back to it.
bool is_in_a_loop(const assembly::Assembly& assembly, int member) {
  std::vector<int> reached = {member};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const assembly::Wire& wire : assembly.wires) {
      if (wire.from != reached[i]) continue;
      if (wire.to == member) return true;
      if (std::find(reached.begin(), reached.end(), wire.to) == reached.end()) reached.push_back(wire.to);
    }
  }
  return false;
}

/// All members coupled, disturbed where others hear an output: T with y = T e. Every loop follows from it,
/// L = T (I + T)^-1. None unless there are many states, all of them decay, and their modes can be told apart.
std::optional<lti::ModalSystem> all_loops_closed(const LinearParts& linear) {
  constexpr Eigen::Index many = 100;
  Eigen::Index states = 0;
  for (const lti::StateSpace& part : linear.parts) states += part.states();
  if (states <= many) return std::nullopt;
  const auto closed = lti::interconnect(linear.parts, linear.wiring.K, linear.wiring.K);
  if (!closed) return std::nullopt;
  auto modes = lti::modal_system(*closed);
  const auto decays = [](const lti::Complex& pole) { return pole.real() < -1e-9 * std::abs(pole); };
  if (modes && !std::all_of(modes->poles.begin(), modes->poles.end(), decays)) return std::nullopt;
  return modes;
}

}  // namespace

std::optional<Loop> loop_gain(const assembly::Assembly& assembly, const LinearParts& linear, int member,
                              const Band& band) {
  const auto loop = cut_at(assembly, linear, member);
  if (!loop) return std::nullopt;
  const Peak peak = peak_in(*loop, two_pi * band.from, two_pi * band.to);
  return Loop{member, assembly.members[static_cast<std::size_t>(member)].name,
              lti::h_infinity_norm(*loop, lti::TimeDomain::continuous), peak.gain, peak.frequency};
}

std::vector<Loop> loop_gains(const assembly::Assembly& assembly, const LinearParts& linear, const Band& band) {
  const auto closed = all_loops_closed(linear);
  std::vector<std::optional<Loop>> found(assembly.members.size());
  base::in_parallel(assembly.members.size(), [&](std::size_t m) {
    const int member = static_cast<int>(m);
    if (!is_in_a_loop(assembly, member)) return;
    if (closed) {
      const std::vector<Eigen::Index> heard = heard_outputs(assembly, linear, m);
      if (const auto peaks = loop_peaks(closed->part(heard, heard), {two_pi * band.from, two_pi * band.to}))
        found[m] = Loop{member,
                        assembly.members[m].name,
                        {peaks->anywhere.gain, peaks->anywhere.frequency, lti::PolePlace::inside},
                        peaks->in_band.gain,
                        peaks->in_band.frequency};
    }
    if (!found[m]) found[m] = loop_gain(assembly, linear, member, band);
  });
  std::vector<Loop> loops;
  for (auto& loop : found) {
    if (loop) loops.push_back(std::move(*loop));
  }
  return loops;
}

}  // namespace seam::analysis
