// Direct feed-through of co-simulation FMUs: auto and tune choose the better way where an FMU offers one.
#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/engine/predict/auto_plan.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

using system::Feedthrough;

class AutoFeedthrough : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  System opened(const std::string& text, const Changes& changes = {}) const {
    return open_text(text, folder_.file("system.yaml"), changes);
  }

  /// A PI controller with a plant of first order behind an actuator, under a sine.
  std::string control_loop(const std::string& controller, const std::string& plan) const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  s: {{model: sine, set: {{amplitude: 1, frequency: 0.5}}}}\n  c: {}\n"
        "  p: {{model: state-space, set: {{A: [[-1, 2], [0, -8]], B: [[0], [8]], C: [[1, 0]]}}}}\n"
        "connections: [s.y -> c.reference, p.y -> c.measurement, c.y -> p.u]\nexperiment: {{stop: 20}}\n"
        "plan: {}\n",
        controller, plan);
  }
  std::string pi_fmu() const {
    return fmt::format("{{fmu: {}, set: {{kp: 1.5, ki: 2, kd: 1e-3, filter_time: 0.1}}}}", fmu(GetParam(), "pid"));
  }

  /// x' = y2, and three FMUs or models in a row behind it that send at once what they get.
  std::string chain(const std::string& first, const std::string& second, const std::string& plan) const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {{model: state-space, set: {{A: [[-1]], B: [[1]], C: [[1]], x0: [1]}}}}\n"
        "  g: {}\n  b: {{model: state-space, set: {{A: [[-2]], B: [[2]], C: [[1]]}}}}\n  h: {}\n"
        "connections: [a.y -> g.u, g.y -> b.u, b.y -> h.u, h.y -> a.u]\nexperiment: {{stop: 2}}\nplan: {}\n",
        first, second, plan);
  }
  std::string gain(const char* name = "gain") const {
    return fmt::format("{{fmu: {}, set: {{k: -2}}}}", fmu(GetParam(), name));
  }
  std::string poor() const {
    return fmt::format("{{fmu: {}, set: {{low: -9, high: 9}}}}", fmu(GetParam(), "limiter-poor"));
  }

  static Feedthrough sent_by(const System& system, const std::string& name) {
    const auto& all = system.description.subsystems;
    const auto found = std::ranges::find(all, name, &system::Subsystem::name);
    return system.plan.subsystems[static_cast<std::size_t>(found - all.begin())].feedthrough;
  }
  static std::string notices(const System& system) {
    return fmt::format("{}", fmt::join(system.description.notices, "\n"));
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, AutoFeedthrough, ::testing::Values(2, 3));

double rms_apart(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0.0, size = 0.0;
  for (std::size_t i = a.size() / 2; i < a.size(); ++i) {
    squares += std::pow(a[i] - b[i], 2);
    size += b[i] * b[i];
  }
  return std::sqrt(squares / size);
}

TEST_P(AutoFeedthrough, of_a_controller_with_derivatives_is_sent_fresh_and_the_run_is_the_better_for_it) {
  const System chosen = opened(control_loop(pi_fmu(), "{step: 20 ms, coupling: auto}"));
  EXPECT_EQ(sent_by(chosen, "c"), Feedthrough::fresh) << notices(chosen);
  const std::string coupling = coupling::describe(chosen.plan.connections[1]);
  const System held =
      opened(control_loop(pi_fmu(), fmt::format("{{step: 20 ms, coupling: {}, feedthrough: held}}", coupling)));
  const System native = opened(control_loop("{model: pid, set: {kp: 1.5, ki: 2, kd: 1e-3, Tf: 0.1}}",
                                            fmt::format("{{step: 20 ms, coupling: {}}}", coupling)));
  const ReferenceTable exact = reference_in_memory(native, {}, {});
  const auto error_of = [&](const System& system) {
    return rms_apart(*run_in_memory(system, {}).table.find("p.y"), *exact.table.find("p.y"));
  };
  const double fresh_error = error_of(chosen), held_error = error_of(held);
  EXPECT_LT(fresh_error, 0.3 * held_error) << fresh_error << " " << held_error;
}

TEST_P(AutoFeedthrough, is_fresh_where_it_can_be_and_held_elsewhere) {
  const System chosen = opened(chain(gain(), poor(), "{step: 20 ms, coupling: auto}"));
  EXPECT_EQ(sent_by(chosen, "g"), Feedthrough::fresh) << notices(chosen);
  EXPECT_EQ(sent_by(chosen, "h"), Feedthrough::held) << notices(chosen);
  EXPECT_NE(notices(chosen).find("plan.subsystems.h.feedthrough: auto is held"), std::string::npos) << notices(chosen);
  const System again = opened(resolved_text(chosen));
  EXPECT_EQ(sent_by(again, "g"), Feedthrough::fresh);
  EXPECT_EQ(sent_by(again, "h"), Feedthrough::held);
  EXPECT_EQ(run_in_memory(chosen, {}).result.ending, stepping::Ending::completed);

  const Tuned tuned = tune(opened(chain(gain(), poor(), "{step: 20 ms}")), {0.05, {}});
  EXPECT_EQ(tuned.feedthrough, Feedthrough::fresh) << tuned.text;
  Changes changes;
  changes.plan_file = folder_.file("plan.yaml");
  formats::write_text(changes.plan_file, tuned.text);
  const System planned = opened(chain(gain(), poor(), "{step: 20 ms}"), changes);
  EXPECT_EQ(sent_by(planned, "g"), Feedthrough::fresh) << tuned.text;
  EXPECT_EQ(sent_by(planned, "h"), Feedthrough::held) << tuned.text;
}

TEST_P(AutoFeedthrough, is_held_where_no_fmu_can_send_it_fresh) {
  const System chosen = opened(
      chain("{model: state-space, set: {A: [[-9]], B: [[-18]], C: [[1]]}}", poor(), "{step: 20 ms, coupling: auto}"));
  EXPECT_EQ(sent_by(chosen, "h"), Feedthrough::held) << notices(chosen);
}

TEST_P(AutoFeedthrough, that_model_exchange_would_mend_is_told_and_not_chosen) {
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n"
      "  l: {{fmu: {}, set: {{m: 1, k: 10, d: 0.5, kc: 20, dc: 1, exponent: 0, limit: 1e9, x0: 0.1}}}}\n"
      "  r: {{model: mass-chain, set: {{masses: [1], to_ground: {{k: 5, d: 0.5}}, coupling: {{kind: force}}}}}}\n"
      "connections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\nexperiment: {{stop: 2}}\n"
      "plan: {{step: 10 ms, coupling: auto}}\n",
      fmu(GetParam(), "mass-power-damper-shown"));
  const System chosen = opened(text);
  EXPECT_EQ(sent_by(chosen, "l"), Feedthrough::held);
  EXPECT_NE(chosen.description.subsystems[0].fmu()->interface, system::FmuInterface::model_exchange);
  EXPECT_NE(notices(chosen).find("with  interface: me  and  feedthrough: fresh  for l the expected error would be"),
            std::string::npos)
      << notices(chosen);
}

class AutoFeedthroughOfEvents : public AutoFeedthrough {};
INSTANTIATE_TEST_SUITE_P(Fmi, AutoFeedthroughOfEvents, ::testing::Values(3));

TEST_P(AutoFeedthroughOfEvents, is_fresh_in_event_mode_where_there_are_no_derivatives) {
  const System chosen =
      opened(chain(gain("gain-events"), "{model: gain, set: {k: 1}}", "{step: 20 ms, coupling: auto}"));
  EXPECT_EQ(sent_by(chosen, "g"), Feedthrough::fresh) << notices(chosen);
  const System native = opened(chain("{model: gain, set: {k: -2}}", "{model: gain, set: {k: 1}}",
                                     fmt::format("{{step: 20 ms, coupling: {}, feedthrough: fresh}}",
                                                 coupling::describe(chosen.plan.connections.front()))));
  const auto by_fmu = run_in_memory(chosen, {}).table, by_model = run_in_memory(native, {}).table;
  EXPECT_LT(rms_apart(*by_fmu.find("a.y"), *by_model.find("a.y")), 1e-6);
  EXPECT_EQ(look_ahead(chosen, {}).verdict(), Outlook::Verdict::stable) << "it is probed without event mode";
}

}  // namespace
}  // namespace seam::engine
