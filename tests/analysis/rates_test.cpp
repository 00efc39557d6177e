// Subsystems with steps of their own: the map until all steps meet again, against one put together by hand.
#include <gtest/gtest.h>

#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/lti/discretise.hpp"

namespace seam {
namespace {

/// The dual mass oscillator of Haid et al. 2019, Table 1; the first subsystem steps `ratio` times as slowly as the
/// second.
engine::System dual_oscillator(int ratio, const std::string& plan) {
  return engine::open_text(R"(seam: 1
subsystems:
  I: {model: mass-chain, set: {masses: [10], to_ground: {k: 1e6, d: 1}, coupling: {kind: force}, x0: [0.1]}}
  II: {model: mass-chain, set: {masses: [10], to_ground: {k: 1e7, d: 2}, coupling: {kind: spring, k: 2e5, d: 2e2}, x0: [0.1]}}
connections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]
plan: {step: 2.5e-5, subsystems: {I: {step: )" +
                               std::to_string(ratio * 2.5e-5) + "}}, " + plan + "}\n",
                           "test.yaml", {});
}

/// One step with held inputs: x := A x + B u, y = C x + D u.
struct HeldStep {
  HeldStep(assembly::Subsystem& subsystem, std::size_t inputs, double length)
      : model(assembly::linearised(subsystem, 0.0, std::vector<double>(inputs))->matrices),
        exact(lti::discretise(model, length, 0)) {}
  lti::StateSpace model;
  lti::PolynomialStep exact;
};

// z = (states of I, states of II, x and v that II hears, F that I hears). Ports that nothing is connected to are 0.
TEST(Rates, map_of_a_hyper_period_of_1_to_20_is_the_one_put_together_by_hand) {
  constexpr int ratio = 20;
  const engine::System system = dual_oscillator(ratio, "coupling: zoh");
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  const coupling::Program& program = live.program;
  EXPECT_EQ(program.hyper_period(), ratio);
  std::string reason;
  const auto transition = analysis::transition(program, coupling::start(program), reason);
  ASSERT_TRUE(transition) << reason;
  ASSERT_EQ(transition->matrix.rows(), 7);
  const auto port = [&](const std::vector<system::Port>& ports, const char* name) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (ports[i].name == name) return static_cast<Eigen::Index>(i);
    }
    return Eigen::Index{-1};
  };
  const assembly::Member &first = live.assembly->members[0], &second = live.assembly->members[1];
  const HeldStep slow(*first.subsystem, first.inputs.size(), ratio * 2.5e-5);
  const HeldStep fast(*second.subsystem, second.inputs.size(), 2.5e-5);
  const auto F_in = port(first.inputs, "F_in"), x1 = port(first.outputs, "x1"), v1 = port(first.outputs, "v1");
  const auto x_in = port(second.inputs, "x_in"), v_in = port(second.inputs, "v_in"), F = port(second.outputs, "F");

  lti::Matrix by_hand(7, 7);
  for (Eigen::Index column = 0; column < 7; ++column) {
    lti::Vector z = lti::Vector::Unit(7, column);
    lti::Vector a = z.segment(0, 2), b = z.segment(2, 2);
    lti::Vector u_slow = lti::Vector::Zero(static_cast<Eigen::Index>(first.inputs.size()));
    lti::Vector u_fast = lti::Vector::Zero(static_cast<Eigen::Index>(second.inputs.size()));
    u_fast(x_in) = z(4);
    u_fast(v_in) = z(5);
    u_slow(F_in) = z(6);
    for (int n = 0; n < ratio; ++n) b = fast.exact.Ad * b + fast.exact.G[0] * u_fast;
    a = slow.exact.Ad * a + slow.exact.G[0] * u_slow;
    const lti::Vector y_slow = slow.model.C * a + slow.model.D * u_slow;
    const lti::Vector y_fast = fast.model.C * b + fast.model.D * u_fast;
    by_hand.col(column) << a, b, y_slow(x1), y_slow(v1), y_fast(F);
  }
  const double size = by_hand.cwiseAbs().maxCoeff();
  EXPECT_LT((transition->matrix - by_hand).cwiseAbs().maxCoeff(), 1e-12 * size);
}

// 135 ms are 270 steps of the slow one; what is run is what the matrix says.
TEST(Rates, run_of_1_to_20_is_the_power_of_its_map) {
  for (const char* plan :
       {"coupling: zoh", "coupling: foh", "coupling: soh", "coupling: foh, schedule: gauss-seidel"}) {
    const engine::Live live = engine::make_live(dual_oscillator(20, plan), {engine::Horizon::none});
    coupling::Memory memory = coupling::start(live.program);
    coupling::settle(live.program, memory);
    std::string reason;
    const auto transition = analysis::transition(live.program, memory, reason);
    ASSERT_TRUE(transition) << reason;
    const std::vector<double> begin = analysis::read_state(live.program, memory);
    lti::Vector z = Eigen::Map<const lti::Vector>(begin.data(), transition->matrix.rows());
    coupling::advance(live.program, memory, 10 * live.program.hyper_period());
    for (int n = 0; n < 10; ++n) z = transition->matrix * z;
    const std::vector<double> end = analysis::read_state(live.program, memory);
    const double size = z.cwiseAbs().maxCoeff();
    for (std::size_t i = 0; i < end.size(); ++i)
      EXPECT_NEAR(end[i], z(static_cast<Eigen::Index>(i)), 1e-10 * size) << plan << " " << transition->names[i];
  }
}

}  // namespace
}  // namespace seam
