#include "seam/analysis/connection_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "seam/analysis/stability.hpp"
#include "seam/analysis/transition.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "support/pair.hpp"

namespace seam::analysis {
namespace {

struct Opened {
  engine::System system;
  engine::Live live;
  Transition whole;
  ConnectionLoop loop;
};

Opened opened(const testing::PairOfMasses& pair, int wire) {
  Opened result{pair.system(), {}, {}, {}};
  result.live = engine::make_live(result.system, {engine::Horizon::none});
  std::string reason;
  result.whole = *transition(result.live.program, coupling::start(result.live.program), reason);
  auto loop = open_connection(*result.live.assembly, result.system.plan, wire, result.whole.matrix, reason);
  EXPECT_TRUE(loop) << reason;
  if (loop) result.loop = std::move(*loop);
  return result;
}

/// The spectral radius with the gain of one connection multiplied, from the code that runs.
double radius_with(Opened& opened, int wire, double factor) {
  const auto gain = [&]() -> double& { return opened.live.assembly->wires[static_cast<std::size_t>(wire)].gain; };
  const double kept = gain();
  gain() *= factor;
  base::Problems problems;
  const auto program = coupling::compile(*opened.live.assembly, opened.system.plan, {}, problems);
  std::string reason;
  const auto step = transition(*program, coupling::start(*program), reason);
  gain() = kept;  // a start moves the wires: no reference to one survives it
  return lti::spectral_radius(step->matrix);
}

class Opening : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Plans, Opening,
                         ::testing::Values(std::pair{"zoh", "held"}, std::pair{"foh", "held"},
                                           std::pair{"zoh", "fresh"}, std::pair{"soh", "fresh"}));

TEST_P(Opening, gain_margins_are_where_the_spectral_radius_passes_one) {
  testing::PairOfMasses pair;
  pair.step = 5e-3;
  pair.coupling = GetParam().first;
  pair.feedthrough = GetParam().second;
  for (int wire = 0; wire < 3; ++wire) {
    Opened open = opened(pair, wire);
    ASSERT_LT(lti::spectral_radius(open.whole.matrix), 1.0);
    const Margins found = margins(open.loop);
    ASSERT_TRUE(found.gain_up || found.gain_down) << open.loop.connection;
    if (found.gain_up) {
      EXPECT_LT(radius_with(open, wire, *found.gain_up * (1.0 - 1e-6)), 1.0) << open.loop.connection;
      EXPECT_GT(radius_with(open, wire, *found.gain_up * (1.0 + 1e-6)), 1.0) << open.loop.connection;
    }
    if (found.gain_down) {
      EXPECT_LT(radius_with(open, wire, *found.gain_down * (1.0 + 1e-6)), 1.0) << open.loop.connection;
      EXPECT_GT(radius_with(open, wire, *found.gain_down * (1.0 - 1e-6)), 1.0) << open.loop.connection;
    }
  }
}

TEST_P(Opening, closing_the_loop_again_is_the_step) {
  testing::PairOfMasses pair;
  pair.step = 1e-2;
  pair.coupling = GetParam().first;
  pair.feedthrough = GetParam().second;
  for (int wire = 0; wire < 3; ++wire) {
    const Opened open = opened(pair, wire);
    const lti::Matrix closed = open.loop.loop.A + open.loop.loop.B * open.loop.loop.C;
    EXPECT_LT((closed - open.whole.matrix).norm(), 1e-12 * open.whole.matrix.norm());
  }
}

// x+ = x + H u, u = -k y: a delay of d steps makes L = -kH z^-d/(z - 1), whose limit is known in closed form.
TEST(Margins, of_an_integrator_in_a_loop_are_those_of_the_closed_form) {
  const double k = 2.0, H = 0.1;
  ConnectionLoop loop;
  loop.period = H;
  loop.loop = {lti::Matrix::Constant(1, 1, 1.0), lti::Matrix::Constant(1, 1, H), lti::Matrix::Constant(1, 1, -k),
               lti::Matrix::Zero(1, 1)};
  const Margins found = margins(loop);
  EXPECT_NEAR(*found.gain_up, 2.0 / (k * H), 1e-9);  // the pole 1 - kH reaches -1
  EXPECT_NEAR(found.gain_up_frequency, 0.5 / H, 1e-9);
  // |L| = kH/(2 sin(w/2)) = 1, and the phase is -pi/2 - w/2 + pi - ... : 1 + kH e^{-jw(d+1/2)}/(2j sin(w/2)) = 0
  const double w = 2.0 * std::asin(0.5 * k * H);
  EXPECT_NEAR(*found.delay, (0.5 * M_PI / w - 0.5) * H, 1e-9);
}

TEST(OpenConnection, that_nothing_goes_through_is_said) {
  testing::PairOfMasses pair;
  pair.kc = 0.0;
  Opened result{pair.system(), {}, {}, {}};
  result.live = engine::make_live(result.system, {engine::Horizon::none});
  std::string reason;
  const auto whole = transition(result.live.program, coupling::start(result.live.program), reason);
  for (int wire = 0; wire < 3; ++wire) {
    const assembly::Wire& ends = result.live.assembly->wires[static_cast<std::size_t>(wire)];
    if (result.live.assembly->sink_name(ends) != "left.x_in") continue;
    // The displacement still arrives: something goes through, but nothing comes back.
    const auto loop = open_connection(*result.live.assembly, result.system.plan, wire, whole->matrix, reason);
    ASSERT_TRUE(loop);
    EXPECT_FALSE(margins(*loop).gain_up);
  }
}

}  // namespace
}  // namespace seam::analysis
