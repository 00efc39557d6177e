// Nonlinear FMUs at an equilibrium: the radius that probing tells, give or take what it says, against that of the
// equations linearised by hand.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "engine/fmu_workshop.hpp"
#include "seam/engine/predict/outlook.hpp"

namespace seam::engine {
namespace {

/// m x'' = s tanh(F/s) - k1 x - k2 x^2 - k3 x^3 - g sin x - d1 v - d3 v^3, held at x0 by a push on its partner.
struct Nonlinear {
  const char* name;
  double x0, k1, k2, k3, g, d1, d3, s;

  double force() const { return x0 * (k1 + x0 * (k2 + x0 * k3)) + g * std::sin(x0); }
  double stiffness() const { return k1 + x0 * (2.0 * k2 + 3.0 * x0 * k3) + g * std::cos(x0); }
  double drive() const { return s * std::atanh(force() / s); }    ///< F at rest
  double gain() const { return 1.0 - std::pow(force() / s, 2); }  ///< d(s tanh(F/s))/dF there
};

constexpr Nonlinear nonlinear_masses[] = {
    {"hardening spring", 0.5, 40.0, 0.0, 200.0, 0.0, 0.4, 0.0, 1e6},
    {"softening spring", 0.3, 60.0, 0.0, -80.0, 0.0, 0.4, 0.0, 1e6},
    {"spring with another slope each way", 0.2, 50.0, 60.0, 0.0, 0.0, 0.3, 0.0, 1e6},
    {"pendulum", 0.7, 5.0, 0.0, 0.0, 60.0, 0.5, 0.0, 1e6},
    {"stiffening damper", 0.1, 50.0, 0.0, 0.0, 0.0, 0.3, 5.0, 1e6},
    {"saturating drive", 0.4, 50.0, 0.0, 0.0, 0.0, 0.4, 0.0, 30.0},
};

class NonlinearRadius : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  static constexpr double kc = 30.0, dc = 0.6, k2 = 20.0, d2 = 0.3, m2 = 0.7;

  /// The partner, a mass between two springs, hears x1, v1 and the push and sends the force.
  std::string yaml(const Nonlinear& mass, const std::string& first, double step, const char* coupling) const {
    const double x2 = kc * mass.x0 / (kc + k2), push = mass.drive() + kc * (mass.x0 - x2);
    return fmt::format(
        "seam: 1\nsubsystems:\n  one: {{{}}}\n  push: {{model: constant, set: {{value: {:.17g}}}}}\n"
        "  two: {{model: state-space, set: {{A: [[0, 1], [{:.17g}, {:.17g}]], B: [[0, 0, 0], [{:.17g}, {:.17g}, 0]], "
        "C: [[{:.17g}, {:.17g}]], D: [[{:.17g}, {:.17g}, 1]], x0: [{:.17g}, 0], inputs: [x, v, push], outputs: "
        "[F]}}}}\n"
        "connections: [one.x -> two.x, one.v -> two.v, push.y -> two.push, two.F -> one.F]\n"
        "experiment: {{stop: 5}}\nplan: {{step: {}, coupling: {}}}\n",
        first, push, -(kc + k2) / m2, -(dc + d2) / m2, kc / m2, dc / m2, kc, dc, -kc, -dc, x2, step, coupling);
  }
  static Outlook verdict_of(const System& system) {
    OutlookRequest request;
    request.depth = OutlookRequest::Depth::verdict;
    return look_ahead(system, request);
  }
  Outlook black(const Nonlinear& mass, double step, const char* coupling) const {
    const std::string fmu_text = fmt::format(
        "fmu: {}, set: {{m: 1, k1: {}, k2: {}, k3: {}, g: {}, d1: {}, d3: {}, s: {}, x0: {}, v0: 0, solver_step: 1 "
        "ms}}",
        fmu(GetParam(), "nonlinear-mass-poor"), mass.k1, mass.k2, mass.k3, mass.g, mass.d1, mass.d3, mass.s, mass.x0);
    return verdict_of(open_text(yaml(mass, fmu_text, step, coupling), folder_.file("system.yaml"), {}));
  }
  Outlook by_hand(const Nonlinear& mass, double step, const char* coupling) const {
    const std::string linear = fmt::format(
        "model: state-space, input_signal: stepped, set: {{A: [[0, 1], [{:.17g}, {:.17g}]], B: [[0], [{:.17g}]], C: "
        "[[1, 0], [0, 1]], D: "
        "[[0], [0]], x0: [0, 0], inputs: [F], outputs: [x, v]}}",
        -mass.stiffness(), -mass.d1, mass.gain());
    return verdict_of(open_text(yaml(mass, linear, step, coupling), "linear.yaml", {}));
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, NonlinearRadius, ::testing::Values(2, 3));

/// What is told to be unsure of the radius holds, and is less than what a user would call a guess.
void expect_bound(const Outlook& found, const Outlook& by_hand, const std::string& what) {
  ASSERT_TRUE(found.stability) << what << ": " << (found.unknown.empty() ? "" : found.unknown.front());
  const double radius = found.stability->spectral_radius, truth = by_hand.stability->spectral_radius;
  EXPECT_LE(std::abs(radius - truth), found.uncertainty + 1e-9) << what;
  EXPECT_LE(found.uncertainty, 0.01) << what;
}

TEST_P(NonlinearRadius, is_within_what_is_told_to_be_unsure) {
  for (const Nonlinear& mass : nonlinear_masses) {
    for (const char* coupling : {"zoh", "foh"}) {
      for (const double step : {0.01, 0.05})
        expect_bound(black(mass, step, coupling), by_hand(mass, step, coupling),
                     fmt::format("{}, {} at {} s", mass.name, coupling, step));
    }
  }
}

TEST_P(NonlinearRadius, of_random_masses_is_within_what_is_told_to_be_unsure) {
  const unsigned seed = 20261119 + static_cast<unsigned>(GetParam());
  std::mt19937 bits(seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(bits()) / 4294967296.0);
  };
  for (int i = 0; i < 50; ++i) {
    Nonlinear mass{"", uniform(-0.6, 0.6), std::exp(uniform(0, 5)), 0, 0, 0, std::exp(uniform(-3, 1)), 0, 1e6};
    if (i % 5 == 0) mass.k3 = mass.k1 * uniform(-0.5, 4.0);
    if (i % 5 == 1) mass.k2 = mass.k1 * uniform(-0.8, 1.5);
    if (i % 5 == 2) mass.g = mass.k1 * uniform(0.2, 5.0);
    if (i % 5 == 3) mass.d3 = mass.d1 * uniform(0.0, 50.0);
    if (i % 5 == 4) mass.s = std::abs(mass.force()) * uniform(1.1, 5.0) + 0.1;
    const char* coupling = i % 2 == 0 ? "zoh" : "foh";
    const double step = 1e-3 * std::round(std::exp(uniform(std::log(5.0), std::log(100.0))));
    expect_bound(black(mass, step, coupling), by_hand(mass, step, coupling),
                 fmt::format("mass {} of seed {}, {} at {:.3f} s", i, seed, coupling, step));
  }
}

}  // namespace
}  // namespace seam::engine
