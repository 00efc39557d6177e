// Correctors on rings and stars of random masses: how much better than a zero-order hold.
#include <cmath>
#include <random>

#include "coupling/dual_oscillator.hpp"
#include "seam/analysis/monolithic.hpp"
#include "seam/analysis/stability.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::coupling {
namespace {

constexpr std::uint64_t seed = 20261116;
constexpr int draws = 50;

struct Draw {
  std::mt19937_64 generator{seed};
  double operator()(double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(generator));
  }
};

/// Every mass owns the spring to its left neighbour: three in a ring.
std::string ring(Draw& draw) {
  std::string text = "subsystems:\n";
  for (int i = 0; i < 3; ++i) {
    const double m = draw(0.5, 2), k = draw(50, 500), d = draw(0.1, 1), kc = draw(50, 500), dc = draw(0.1, 1);
    text += fmt::format(
        "  s{0}: {{model: state-space, set: {{A: [[0, 1], [{1}, {2}]], B: [[0, 0, 0], [{3}, {4}, {5}]], C: [[1, 0], "
        "[0, "
        "1], [{6}, {7}]], D: [[0, 0, 0], [0, 0, 0], [{8}, {9}, 0]], x0: [{10}, 0], inputs: [xl, vl, Fr], outputs: [x, "
        "v, F]}}}}\n",
        i, -(k + kc) / m, -(d + dc) / m, kc / m, dc / m, 1 / m, kc, dc, -kc, -dc, draw(0.1, 1));
  }
  text += "connections:\n";
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    text += fmt::format("  - s{0}.x -> s{1}.xl\n  - s{0}.v -> s{1}.vl\n  - s{1}.F -> s{0}.Fr\n", i, next);
  }
  return text;
}

/// A hub with a force port for each of eight masses around it, which own their springs.
std::string star(Draw& draw) {
  constexpr int arms = 8;
  const double m = draw(2, 8), k = draw(50, 500), d = draw(0.1, 1);
  std::string B, names, text = "subsystems:\n", connections = "connections:\n";
  for (int i = 0; i < arms; ++i) {
    B += fmt::format("{}{}", i ? ", " : "", 1 / m);
    names += fmt::format("{}F{}", i ? ", " : "", i);
  }
  text += fmt::format(
      "  hub: {{model: state-space, set: {{A: [[0, 1], [{}, {}]], B: [[0, 0, 0, 0, 0, 0, 0, 0], [{}]], C: [[1, 0], [0, "
      "1]], D: [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]], x0: [{}, 0], inputs: [{}], outputs: [x, v]}}}}\n",
      -k / m, -d / m, B, draw(0.1, 1), names);
  for (int i = 0; i < arms; ++i) {
    const double mi = draw(0.5, 2), kc = draw(50, 500), dc = draw(0.1, 1);
    text += fmt::format(
        "  a{0}: {{model: state-space, set: {{A: [[0, 1], [{1}, {2}]], B: [[0, 0], [{3}, {4}]], C: [[{5}, {6}]], D: "
        "[[{7}, {8}]], x0: [{9}, 0], inputs: [x, v], outputs: [F]}}}}\n",
        i, -kc / mi, -dc / mi, kc / mi, dc / mi, kc, dc, -kc, -dc, draw(0.1, 1));
    connections += fmt::format("  - hub.x -> a{0}.x\n  - hub.v -> a{0}.v\n  - a{0}.F -> hub.F{0}\n", i);
  }
  return text + connections;
}

struct Motion {
  double slowest = INFINITY, fastest = 0.0;  ///< 1/s
};

Motion motion_of(const std::string& network) {
  const engine::Live live = coupling::live(network + "plan: {step: 1e-6}\n");
  std::string reason;
  const auto model = analysis::monolithic_model(*live.assembly, 0.0, reason);
  Motion motion;
  for (const std::complex<double>& pole : lti::eigenvalues(model->system.A)) {
    motion.slowest = std::min(motion.slowest, std::abs(pole));
    motion.fastest = std::max(motion.fastest, std::abs(pole));
  }
  return motion;
}

std::string planned(const std::string& network, const std::string& corrector, double step) {
  return network + fmt::format("plan: {{step: {:.17g}, corrector: {}}}\n", step, corrector);
}

/// Of what all sinks got, over two periods of the slowest motion.
double error_of(const std::string& network, const std::string& corrector, double step, const Motion& motion) {
  const engine::Live live = coupling::live(planned(network, corrector, step));
  std::string reason;
  const auto model = analysis::monolithic_model(*live.assembly, 0.0, reason);
  const auto wiring = analysis::interconnection(*live.assembly);
  const lti::Matrix transition = lti::exponential(model->system.A * step);
  Memory memory = start(live.program);
  lti::Vector x(model->system.states());
  Eigen::Index row = 0;
  for (const auto& member : live.assembly->members) {
    for (const double value : member.subsystem->states()) x(row++) = value;
  }
  Rows got, wanted;
  const int steps = static_cast<int>(4.0 * M_PI / (motion.slowest * step));
  for (int n = 0; n < steps; ++n) {
    advance(live.program, memory, 1);
    x = transition * x;
    const lti::Vector y = model->system.C * x;
    got.emplace_back();
    wanted.emplace_back();
    for (const assembly::Wire& wire : live.assembly->wires) {
      got.back().push_back(input(live.program, memory, wire.to, wire.input));
      wanted.back().push_back(y(wiring.first_output[static_cast<std::size_t>(wire.from)] + wire.output));
    }
  }
  return nrmse(got, wanted);
}

double radius_of(const std::string& network, const std::string& corrector, double step) {
  const engine::Live live = coupling::live(planned(network, corrector, step));
  std::string reason;
  return analysis::stability(live.program, start(live.program), reason)->spectral_radius;
}

void expect_gains(const char* what, std::string (*make)(Draw&)) {
  Draw draw;
  std::printf("%s, seed %llu, %d draws\n", what, static_cast<unsigned long long>(seed), draws);
  double least[2][2] = {{INFINITY, INFINITY}, {INFINITY, INFINITY}};
  const double sizes[] = {0.05, 0.15}, wanted[] = {10.0, 5.0};
  const char* const correctors[] = {"mbcorr", "tracking"};
  for (int i = 0; i < draws; ++i) {
    const std::string network = make(draw);
    const Motion motion = motion_of(network);
    for (int s = 0; s < 2; ++s) {
      const double step = sizes[s] / motion.fastest, plain = error_of(network, "none", step, motion);
      for (int c = 0; c < 2; ++c) {
        const double gain = plain / error_of(network, correctors[c], step, motion);
        least[s][c] = std::min(least[s][c], gain);
        EXPECT_GT(gain, wanted[s]) << correctors[c] << ", draw " << i << ", step times fastest " << sizes[s];
      }
    }
    double step = 0.05 / motion.fastest;
    while (radius_of(network, "none", step) < 1.0 && step < 10.0 / motion.fastest) step *= 1.25;
    for (const char* const corrector : correctors)
      EXPECT_LT(radius_of(network, corrector, step), 1.0) << corrector << ", draw " << i << ", step " << step;
  }
  for (int s = 0; s < 2; ++s)
    std::printf("  step times fastest %g: mbcorr at least %.3g times better, tracking %.3g times\n", sizes[s],
                least[s][0], least[s][1]);
}

TEST(CorrectorNetworksSlow, three_in_a_ring) { expect_gains("ring", ring); }
TEST(CorrectorNetworksSlow, eight_around_a_hub) { expect_gains("star", star); }

}  // namespace
}  // namespace seam::coupling
