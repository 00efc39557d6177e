// Correctors on FMUs: by directional derivatives equal to native models, by probed models close to them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/run/run.hpp"

namespace seam::engine {
namespace {

class CorrectedFmus : public FmuWorkshop {
 protected:
  std::string fmus(int version, const std::string& kind) const {
    return fmt::format(
        "  I: {{fmu: {}, set: {{m: 10, k: 1e6, d: 1, x0: 0.1, solver: rk4, solver_step: 0.02 ms}}}}\n"
        "  II: {{fmu: {}, set: {{m: 10, k: 1e7, d: 2, kc: 2e5, dc: 2e2, x0: 0.1, solver: rk4, solver_step: 0.02 "
        "ms}}}}\n",
        fmu(version, "two-mass-right" + kind), fmu(version, "two-mass-left" + kind));
  }
  static std::string natives() {
    return "  I: {model: mass-chain, solver: rk4, solver_step: 0.02 ms, input_signal: stepped, set: {masses: [10], "
           "to_ground: {k: 1e6, d: 1}, coupling: {kind: force}, x0: [0.1]}}\n"
           "  II: {model: mass-chain, solver: rk4, solver_step: 0.02 ms, input_signal: stepped, set: {masses: [10], "
           "to_ground: {k: 1e7, d: 2}, coupling: {kind: spring, k: 2e5, d: 2e2}, x0: [0.1]}}\n";
  }
  /// What the sinks got at every communication point.
  std::vector<double> heard(const std::string& subsystems, const std::string& plan) const {
    const System system = open_text("seam: 1\nsubsystems:\n" + subsystems +
                                        "connections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]\n"
                                        "experiment: {stop: 0.05}\nplan: {step: 1 ms, subsystems: {\"*\": {micro_step: "
                                        "0.1 ms}}, " +
                                        plan + "}\n",
                                    folder_.file("corrected.yaml"), {});
    const Live live = make_live(system, {Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    std::vector<double> values;
    for (int n = 0; n < 50; ++n) {
      EXPECT_EQ(coupling::advance(live.program, memory, 1).outcome, base::Outcome::accepted);
      for (const assembly::Wire& wire : live.assembly->wires)
        values.push_back(memory.values[static_cast<std::size_t>(live.program.input_place(wire.to, wire.input))]);
    }
    return values;
  }
  static void expect_close(const std::vector<double>& got, const std::vector<double>& wanted, double tolerance,
                           const std::string& what) {
    ASSERT_EQ(got.size(), wanted.size());
    double size[3] = {};
    for (std::size_t i = 0; i < wanted.size(); ++i) size[i % 3] = std::max(size[i % 3], std::abs(wanted[i]));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      ASSERT_NEAR(got[i], wanted[i], tolerance * size[i % 3]) << what << ", point " << i / 3;
  }
};

TEST_F(CorrectedFmus, with_directional_derivatives_equal_native_models) {
  for (const std::string plan :
       {"coupling: zoh, corrector: plc", "coupling: zoh, corrector: mbcorr", "coupling: foh, corrector: mbcorr",
        "coupling: foh, corrector: {mbcorr: {kernel: first-order}}", "coupling: foh, corrector: tracking",
        "coupling: foh, corrector: {tracking: {micro_outputs: 5}}",
        "coupling: zoh, corrector: {tracking: {offset: cumulative, model: derivatives}}"}) {
    const std::vector<double> native = heard(natives(), plan);
    for (const int version : {2, 3}) expect_close(heard(fmus(version, ""), plan), native, 1e-9, plan);
  }
}

TEST_F(CorrectedFmus, that_are_black_boxes_are_left_alone_or_probed_before_the_run) {
  const std::string plan = "coupling: zoh, corrector: {mbcorr: {model: ";
  const std::vector<double> native = heard(natives(), plan + "exact}}");
  for (const int version : {2, 3}) {
    expect_close(heard(fmus(version, "-poor"), plan + "probed}}"), native, 1e-4, "probed");
    const std::vector<double> alone = heard(fmus(version, "-poor"), plan + "auto}}");
    expect_close(alone, heard(fmus(version, "-poor"), "coupling: zoh, corrector: {nepce: {feedthrough: ignored}}"),
                 1e-12, "without a model only offsets are left");
  }
}

TEST_F(CorrectedFmus, that_are_black_boxes_are_identified_as_native_models_are) {
  for (const std::string corrector :
       {"mbcorr: {start: eager, ", "mbcorr: {micro_outputs: 5, ", "tracking: {micro_outputs: 5, "}) {
    const std::string plan = "coupling: zoh, corrector: {" + corrector + "model: identified, order: 2}}";
    const std::vector<double> native = heard(natives(), plan);
    for (const int version : {2, 3}) expect_close(heard(fmus(version, "-poor"), plan), native, 1e-9, plan);
  }
}

TEST_F(CorrectedFmus, that_refuse_smaller_steps_are_identified_from_macro_samples) {
  const std::string plan = "coupling: zoh, corrector: {mbcorr: {model: identified, order: 2, start: eager}}";
  const std::vector<double> native = heard(natives(), plan);
  for (const int version : {2, 3}) expect_close(heard(fmus(version, "-milliseconds"), plan), native, 1e-9, plan);
}

TEST_F(CorrectedFmus, that_refuse_smaller_steps_say_so_where_micro_samples_are_wanted) {
  const std::string plan = "coupling: zoh, corrector: {mbcorr: {model: identified, micro_outputs: 5}}";
  for (const int version : {2, 3}) {
    try {
      heard(fmus(version, "-milliseconds"), plan);
      ADD_FAILURE() << "not refused";
    } catch (const base::Error& error) {
      EXPECT_NE(std::string(error.what()).find("the corrector cannot look at I 5 times a step"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(CorrectedFmus, whose_parameter_changes_are_identified_again) {
  const System system =
      open_text("seam: 1\nsubsystems:\n" + fmus(3, "-poor") +
                    "connections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]\n"
                    "experiment: {stop: 0.05, events: [{at: 0.03, set: {I.k: 2e6}}]}\n"
                    "plan: {step: 1 ms, corrector: {mbcorr: {model: identified, micro_outputs: 5}}}\n",
                folder_.file("tuned.yaml"), {});
  RunSettings settings;
  settings.file = folder_.file("tuned.csv");
  const RunSummary summary = run(system, settings);
  const auto says = [&](const std::string& text) {
    return std::any_of(summary.notices.begin(), summary.notices.end(),
                       [&](const std::string& notice) { return notice.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(says("nothing was corrected at I in steps with an event, once"));
  EXPECT_TRUE(says("a model of I was identified and taken into use at 0.003 s; 5 of 50 steps went without"));
  EXPECT_TRUE(says("a model of II was identified and taken into use at 0.003 s; 2 of 50 steps went without"));
}

}  // namespace
}  // namespace seam::engine
