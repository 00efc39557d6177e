// What analysis says before a run, held against published numbers, closed forms and the runs themselves.
#include "seam/engine/predict/outlook.hpp"

#include <fmt/format.h>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/predict/outlook_flags.hpp"
#include "support/pair.hpp"

namespace seam::engine {
namespace {

using Verdict = Outlook::Verdict;
using testing::PairOfMasses;

const MethodOutlook& method(const Outlook& outlook, const std::string& coupling, system::Feedthrough way) {
  for (const MethodOutlook& found : outlook.methods) {
    if (found.coupling == coupling && found.feedthrough == way) return found;
  }
  ADD_FAILURE() << "no outlook for " << coupling;
  return outlook.methods.front();
}

// Reference B: exact subsystems, the limits of four ways to couple the benchmark.
TEST(Outlook, largest_stable_steps_of_the_benchmark_are_those_of_the_independent_reproduction) {
  const Outlook outlook = look_ahead(PairOfMasses{}.system(), {});
  using system::Feedthrough;
  EXPECT_NEAR(*method(outlook, "zoh", Feedthrough::held).steps->first_loss(), 0.024958134, 1e-9);
  EXPECT_NEAR(*method(outlook, "zoh", Feedthrough::fresh).steps->first_loss(), 0.040386291, 1e-9);
  EXPECT_NEAR(*method(outlook, "foh", Feedthrough::held).steps->first_loss(), 0.043197495, 1e-9);
  EXPECT_NEAR(*method(outlook, "foh", Feedthrough::fresh).steps->first_loss(), 0.062997920, 1e-9);
}

// Reference B, "Loop gain and causality": owner of the spring, receiver of the force, limits fresh and held.
TEST(Outlook, the_causality_table_comes_out) {
  struct Row {
    double owner, receiver, fresh, held;
  };
  for (const Row& row :
       {Row{0.1, 0.1, 0.040386, 0.024958}, Row{0.1, 0.2, 0.081156, 0.020895}, Row{0.1, 0.5, 0.285564, 0.016513},
        Row{0.1, 1, 0.321872, 0.015665}, Row{0.2, 0.1, 0.034790, 0.016063}, Row{0.5, 0.1, 0.036850, 0.013921},
        Row{1, 0.1, 0.038387, 0.013536}}) {
    PairOfMasses pair;
    pair.m1 = row.owner;
    pair.m2 = row.receiver;
    pair.step = 0.01;
    const Outlook outlook = look_ahead(pair.system(), {});
    const auto& fresh = method(outlook, "zoh", system::Feedthrough::fresh);
    const auto& held = method(outlook, "zoh", system::Feedthrough::held);
    EXPECT_NEAR(*fresh.steps->first_loss(), row.fresh, 6e-7) << row.owner << " " << row.receiver;
    EXPECT_NEAR(*held.steps->first_loss(), row.held, 6e-7) << row.owner << " " << row.receiver;
  }
}

// Reference B, Fig. 2.6 right: Euler with 5 ms, so only multiples of 5 ms are steps.
TEST(Outlook, multiples_of_a_solver_step_are_the_only_steps) {
  PairOfMasses pair;
  pair.solver = "euler";
  pair.solver_step = "5 ms";
  pair.step = 5e-3;
  const Outlook outlook = look_ahead(pair.system(), {});
  using system::Feedthrough;
  EXPECT_NEAR(*method(outlook, "zoh", Feedthrough::held).steps->first_loss(), 2 * 5e-3, 1e-12);
  EXPECT_NEAR(*method(outlook, "zoh", Feedthrough::fresh).steps->first_loss(), 5 * 5e-3, 1e-12);
  EXPECT_NEAR(*method(outlook, "foh", Feedthrough::held).steps->first_loss(), 7 * 5e-3, 1e-12);
  EXPECT_NEAR(*method(outlook, "foh", Feedthrough::fresh).steps->first_loss(), 10 * 5e-3, 1e-12);
}

TEST(Outlook, recommends_a_method_that_is_stable_where_the_plan_is_not) {
  PairOfMasses pair;
  pair.step = 0.03;
  const Outlook outlook = look_ahead(pair.system(), {});
  EXPECT_EQ(outlook.verdict(), Verdict::unstable);
  ASSERT_TRUE(outlook.recommendation);
  pair.coupling = outlook.recommendation->coupling;
  pair.feedthrough = outlook.recommendation->feedthrough == system::Feedthrough::held ? "held" : "fresh";
  pair.step = outlook.recommendation->step;
  EXPECT_EQ(look_ahead(pair.system(), {}).verdict(), Verdict::stable);
}

TEST(Outlook, recommends_a_smaller_step_where_no_method_is_stable) {
  PairOfMasses pair;
  pair.step = 0.2;
  const Outlook outlook = look_ahead(pair.system(), {});
  ASSERT_TRUE(outlook.recommendation);
  EXPECT_LT(outlook.recommendation->step, 0.1);
}

TEST(Outlook, a_sweep_has_the_radius_at_every_step) {
  OutlookRequest request = read_outlook_flags({"step=10ms:30ms:3", "", ""});
  const Outlook outlook = look_ahead(PairOfMasses{}.system(), request);
  ASSERT_EQ(outlook.sweep.size(), 3u);
  for (const SweepPoint& point : outlook.sweep) {
    PairOfMasses pair;
    pair.step = point.step;
    EXPECT_NEAR(*point.radius, analyse(pair.system()).spectral_radius, 1e-12);
    EXPECT_EQ(point.error.has_value(), *point.radius < 1.0);
  }
}

// Force and velocity at a spring between two masses: both sides are made of masses, springs and dampers.
TEST(Outlook, sides_of_a_bond_of_passive_parts_are_passive_and_an_active_one_is_found) {
  const auto sides = [](const std::string& kind, double damping) {
    PairOfMasses pair;
    pair.kind = kind;
    pair.d2 = damping;
    return look_ahead(pair.system(), {}).ports;  // the bond is recognised by its units
  };
  for (const char* kind : {"spring-velocity", "spring"}) {  // spring: the displacement travels beside the bond
    const auto passive = sides(kind, 0.1);
    ASSERT_EQ(passive.size(), 2u);
    for (const analysis::PortPassivity& port : passive)
      EXPECT_EQ(port.passivity->verdict, lti::Passivity::Verdict::passive) << kind << " " << port.subsystem;
    const auto active = sides(kind, -0.02);  // the damper of the right mass pushes
    ASSERT_EQ(active.size(), 2u);
    EXPECT_EQ(active[0].subsystem, "left");
    EXPECT_EQ(active[0].passivity->verdict, lti::Passivity::Verdict::passive);
    EXPECT_NE(active[1].passivity->verdict, lti::Passivity::Verdict::passive);
  }
}

// A limited controller in a loop: far from the start it would saturate, and integrating it there would take for ever.
TEST(Outlook, what_is_not_linear_is_looked_at_by_its_linear_models_at_other_steps) {
  const auto text = [](const std::string& limits) {
    return "seam: 1\nsubsystems:\n  plant: {model: transfer-function, set: {num: [1], den: [0.1, 1]}}\n"
           "  controller: {model: pid, set: {kp: 2, ki: 5" +
           limits +
           "}}\n  reference: {model: constant, set: {value: 0}}\n"
           "connections: [reference.y -> controller.reference, plant.y -> controller.measurement, controller.y -> "
           "plant.u]\n"
           "experiment: {stop: 2 s}\nplan: {step: 10 ms}\n";
  };
  const Outlook limited = look_ahead(open_text(text(", low: -1, high: 1"), "s.yaml", {}), {});
  const Outlook free = look_ahead(open_text(text(""), "s.yaml", {}), {});
  EXPECT_EQ(limited.stability->exactness, analysis::Exactness::linearised);
  ASSERT_EQ(limited.methods.size(), free.methods.size());
  for (std::size_t i = 0; i < free.methods.size(); ++i) {
    ASSERT_TRUE(limited.methods[i].steps->first_loss());
    EXPECT_NEAR(*limited.methods[i].steps->first_loss(), *free.methods[i].steps->first_loss(), 1e-6) << i;
  }
}

TEST(OutlookFlags, say_what_they_do_not_understand) {
  for (const char* sweep : {"1ms:2ms:3", "step=1ms:2ms", "step=2ms:1ms:3", "step=1ms:2ms:1", "step=1ms:2ms:2.5"})
    EXPECT_THROW(read_outlook_flags({sweep, "", ""}), base::ProblemsFound) << sweep;
  for (const char* band : {"5", "5:1", "a:b", "1:2:3", "-1:2"})
    EXPECT_THROW(read_outlook_flags({"", band, ""}), base::ProblemsFound) << band;
  EXPECT_EQ(read_outlook_flags({"", "0.5 Hz:5Hz", ""}).band->to, 5.0);
}

class FmuOutlook : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  std::string masses(double step, const std::string& coupling = "zoh") const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {{fmu: {}}}\n  r: {{fmu: {}}}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 "
        "-> "
        "l.v_in]\nexperiment: {{stop: 1}}\nplan: {{step: {}, coupling: {}}}\n",
        fmu(GetParam(), "two-mass-left-poor"), fmu(5 - GetParam(), "two-mass-right-poor"), step, coupling);
  }
  Outlook of(const std::string& text, const OutlookRequest& request = {}) const {
    return look_ahead(open_text(text, folder_.file("system.yaml"), {}), request);
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, FmuOutlook, ::testing::Values(2, 3));

TEST_P(FmuOutlook, black_boxes_have_the_limits_of_the_steps_inside_them) {
  const Outlook outlook = of(masses(0.005));
  EXPECT_EQ(outlook.verdict(), Verdict::stable);
  ASSERT_EQ(outlook.models.size(), 2u);
  EXPECT_EQ(outlook.models[0].source, analysis::ModelSource::probed);
  EXPECT_NEAR(outlook.stability->spectral_radius, 0.997813563365, 1e-9);
  // The same equations as the benchmark, by one step of Runge–Kutta a call: its limit lies at 24.95529 ms natively, too
  // (exact solver: 24.95813 ms). It is found to 1e-3, since every step that is tried is probed.
  EXPECT_NEAR(*method(outlook, "zoh", system::Feedthrough::held).steps->first_loss(), 0.02495529, 2.5e-5);
  EXPECT_EQ(of(masses(0.025)).verdict(), Verdict::unstable);
  EXPECT_EQ(of(masses(0.0249)).verdict(), Verdict::stable);
}

// What a signal does to a black box is not in its model: nothing moves, and nothing would be wrong.
TEST_P(FmuOutlook, a_known_signal_that_is_not_in_a_model_does_not_make_the_expected_error_0) {
  std::string driven = masses(0.005);
  driven.replace(driven.find("  l:"), 0, "  push: {model: sine, set: {amplitude: 1 N, frequency: 1 Hz}}\n");
  driven.replace(driven.find("[l.F"), 1, "[push.y -> r.f1, ");
  const Outlook with = of(driven), without = of(masses(0.005));
  ASSERT_TRUE(with.accuracy && without.accuracy);
  EXPECT_GT(with.accuracy->worst(), 0.1);
  EXPECT_NEAR(with.accuracy->worst(), without.accuracy->worst(), 0.05 * without.accuracy->worst());
}

TEST_P(FmuOutlook, what_cannot_be_probed_is_not_known_and_says_why) {
  const Outlook outlook = of(fmt::format(
      "seam: 1\nsubsystems:\n  a: {{fmu: {}}}\n  g: {{model: gain, set: {{k: -1}}}}\nconnections: [a.y -> g.u, g.y -> "
      "a.u]\nexperiment: {{stop: 1}}\nplan: {{step: 0.1}}\n",
      fmu(GetParam(), "bad-error")));
  EXPECT_EQ(outlook.verdict(), Verdict::not_known);
  ASSERT_FALSE(outlook.unknown.empty());
  EXPECT_NE(outlook.unknown.front().find("\"a\""), std::string::npos) << outlook.unknown.front();
}

}  // namespace
}  // namespace seam::engine
