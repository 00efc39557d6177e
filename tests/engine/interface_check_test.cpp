// A reference by model exchange is given only where that solves what co-simulation solves.
#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/predict/linear_models.hpp"
#include "seam/engine/predict/reference.hpp"

namespace seam::engine {
namespace {

using Solution = ReferenceRequest::Solution;

class InterfaceCheckTest : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  /// One FMU stepped by co-simulation, driven by a sine.
  std::string driven(const std::string& name, const std::string& set, const std::string& input = "u",
                     const std::string& step = "0.1") const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  s: {{model: sine, set: {{amplitude: 1, frequency: 0.3, offset: 0.5}}}}\n"
        "  a: {{fmu: {}, set: {{{}}}}}\nconnections: [s.y -> a.{}]\nexperiment: {{stop: 4}}\nplan: {{step: {}}}\n"
        "record: {{variables: [\"*.*\"]}}\n",
        fmu(GetParam(), name), set, input, step);
  }
  /// An FMU without inputs that matter.
  std::string alone(const std::string& name, const std::string& set, const std::string& step = "0.1") const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {{fmu: {}, set: {{{}}}}}\nexperiment: {{stop: 4}}\nplan: {{step: {}}}\n"
        "record: {{variables: [\"*.*\"]}}\n",
        fmu(GetParam(), name), set, step);
  }
  ReferenceSummary of(const std::string& text, const ReferenceRequest& request = {Solution::automatic, 1e-3}) const {
    RunSettings settings;
    settings.file = folder_.file("result.csv");
    return reference(open_text(text, folder_.file("system.yaml"), {}), settings, request);
  }
  analysis::SubsystemModel model_of(const std::string& text, const std::optional<double>& time = {}) const {
    LinearModelRequest request;
    request.time = time;
    request.subsystems = {"a"};
    return linear_models(open_text(text, folder_.file("system.yaml"), {}), request).front();
  }
  void expect_accepted(const std::string& text) const {
    const ReferenceSummary summary = of(text);
    EXPECT_TRUE(summary.halvings.empty()) << text << summary.not_monolithic;
    EXPECT_EQ(summary.notices.size(), 1u) << text << ::testing::PrintToString(summary.notices);
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, InterfaceCheckTest, ::testing::Values(2, 3));

TEST_P(InterfaceCheckTest, model_exchange_without_states_is_found_and_the_step_is_halved) {
  const ReferenceSummary summary = of(driven("bad-no-states", ""));
  ASSERT_FALSE(summary.halvings.empty());
  EXPECT_NE(summary.not_monolithic.find("the model exchange of \"a\" does not do what its co-simulation does"),
            std::string::npos)
      << summary.not_monolithic;
  const double w = 0.6 * M_PI, exact = 0.5 * 4.0 + (1.0 - std::cos(w * 4.0)) / w;
  EXPECT_NEAR(column(result(), "a.y").back(), exact, 1e-2);
}

TEST_P(InterfaceCheckTest, four_more_kinds_of_wrong_equations_are_found) {
  for (const char* fault : {"parameter", "sign", "delay", "start"}) {
    const ReferenceSummary summary = of(driven("bad-exchange", fmt::format("fault: {}", fault)));
    EXPECT_FALSE(summary.halvings.empty()) << fault;
    EXPECT_NE(summary.not_monolithic.find("by co-simulation, "), std::string::npos) << summary.not_monolithic;
  }
}

TEST_P(InterfaceCheckTest, wrong_equations_behind_a_coarse_solver_are_found_too) {
  for (const char* fault : {"parameter", "sign", "delay", "start"}) {
    for (const char* solver : {"euler", "midpoint"}) {
      const std::string set = fmt::format("fault: {}, solver: {}", fault, solver);
      EXPECT_FALSE(of(driven("bad-exchange", set)).halvings.empty()) << set;
    }
  }
}

TEST_P(InterfaceCheckTest, a_monolithic_solution_that_was_asked_for_is_refused_with_the_numbers) {
  try {
    of(driven("bad-exchange", "fault: sign"), {Solution::monolithic});
    ADD_FAILURE() << "it was solved";
  } catch (const base::ProblemsFound& found) {
    EXPECT_NE(found.problems().text().find("a.y is up to "), std::string::npos) << found.problems().text();
  }
}

TEST_P(InterfaceCheckTest, an_input_that_moves_late_is_waited_for) {
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n  s: {{model: step, set: {{time: 7, before: 0, after: 1}}}}\n"
      "  a: {{fmu: {}, set: {{fault: sign}}}}\nconnections: [s.y -> a.u]\nexperiment: {{stop: 9}}\nplan: {{step: "
      "0.1}}\n",
      fmu(GetParam(), "bad-exchange"));
  EXPECT_FALSE(of(text).halvings.empty());
}

TEST_P(InterfaceCheckTest, solvers_that_step_with_the_call_are_not_taken_for_wrong_equations) {
  for (const char* solver : {"euler", "midpoint", "rk4", "symplectic-euler"}) {
    for (const char* step : {"0.3", "0.1", "0.01"}) {
      const std::string set = fmt::format("fault: none, solver: {}", solver);
      expect_accepted(driven("bad-exchange", set, "u", step));
      expect_accepted(driven("two-mass-right", fmt::format("x0: 1, k: 5, solver: {}", solver), "F_in", step));
    }
    expect_accepted(alone("van-der-pol", fmt::format("mu: 1, solver: {}", solver), "0.05"));
  }
}

TEST_P(InterfaceCheckTest, a_fixed_step_of_the_fmu_is_not_taken_for_wrong_equations) {
  for (const char* own_step : {"0.1", "0.05", "0.02"}) {
    const ReferenceSummary summary = of(driven("bad-exchange", fmt::format("fault: none, own_step: {}", own_step)));
    EXPECT_TRUE(summary.halvings.empty()) << own_step << ": " << summary.not_monolithic;
    ASSERT_EQ(summary.notices.size(), 2u) << own_step;
    EXPECT_NE(summary.notices[1].find("which steps of its own solver may explain"), std::string::npos)
        << summary.notices[1];
  }
}

TEST_P(InterfaceCheckTest, events_are_not_taken_for_wrong_equations) {
  for (const char* step : {"0.1", "0.07", "0.03"}) {
    expect_accepted(alone("bouncing-ball", "v_min: 1", step));
    expect_accepted(alone("wrapped-angle", "", step));
    expect_accepted(alone("stair", "period: 0.5", step));
    expect_accepted(driven("relay", "high: 0.9, low: 0.1", "u", step));
  }
}

TEST_P(InterfaceCheckTest, of_two_fmus_the_wrong_one_is_named) {
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n  a: {{fmu: {}, set: {{fault: none}}}}\n  b: {{fmu: {}, set: {{fault: parameter, x0: "
      "2}}}}\nconnections: [a.y -> b.u, b.y -> a.u]\nexperiment: {{stop: 2}}\nplan: {{step: 0.05}}\n",
      fmu(GetParam(), "bad-exchange"), fmu(5 - GetParam(), "bad-exchange"));
  const ReferenceSummary summary = of(text);
  ASSERT_FALSE(summary.halvings.empty());
  EXPECT_NE(summary.not_monolithic.find("of \"b\""), std::string::npos) << summary.not_monolithic;
  EXPECT_EQ(summary.not_monolithic.find("of \"a\""), std::string::npos) << summary.not_monolithic;
}

TEST_P(InterfaceCheckTest, five_kinds_of_wrong_equations_are_not_taken_for_the_model) {
  const auto expect_probed = [](const analysis::SubsystemModel& model, double pole, const std::string& what) {
    EXPECT_EQ(model.source, analysis::ModelSource::probed) << what << ": " << model.how;
    ASSERT_TRUE(model.equations) << what;
    EXPECT_NEAR(analysis::poles(*model.equations).at(0).real(), pole, 1e-3) << what;
    ASSERT_FALSE(model.warnings.empty()) << what;
    EXPECT_NE(model.warnings.front().find("model exchange"), std::string::npos) << model.warnings.front();
  };
  expect_probed(model_of(driven("bad-no-states", "")), 0.0, "no states");
  for (const char* fault : {"parameter", "sign", "delay", "start"}) {
    for (const char* solver : {"euler", "midpoint", "rk4", "implicit-euler"}) {
      const std::string set = fmt::format("fault: {}, solver: {}", fault, solver);
      expect_probed(model_of(driven("bad-exchange", set)), -2.0, set);
    }
  }
}

TEST_P(InterfaceCheckTest, right_equations_are_the_model_whatever_the_solver_of_co_simulation) {
  std::vector<std::string> sets = {"own_step: 0.1", "own_step: 0.05", "own_step: 0.025", "own_step: 0.02"};
  for (const char* solver : {"euler", "midpoint", "rk4", "implicit-euler"})
    sets.push_back(fmt::format("solver: {}", solver));
  for (const std::string& set : sets) {
    for (const auto& time : {std::optional<double>(), std::optional(0.55)}) {
      const auto model = model_of(driven("bad-exchange", "fault: none, " + set), time);
      EXPECT_EQ(model.source, analysis::ModelSource::exchange) << set << ": " << model.how;
      EXPECT_TRUE(model.warnings.empty()) << set << ": " << model.warnings.front();
      EXPECT_EQ(model.linearity, analysis::Linearity::linear) << set;
      ASSERT_TRUE(model.equations);
      EXPECT_NEAR(model.equations->A(0, 0), -2.0, 1e-9) << set;
      EXPECT_EQ(model.states, std::vector<std::string>{"x"}) << set;
    }
  }
}

// A damper that is soft in motion: its slope is another one at every point.
TEST_P(InterfaceCheckTest, equations_at_a_point_behind_the_start_are_those_of_a_run_to_it) {
  const auto of_version = [&](bool native, const char* speed) {
    const std::string set = "m: 1, k: 10, d: 0.1, kc: 5, dc: 2, exponent: 0.5, limit: 1e3";
    const std::string part =
        native
            ? fmt::format(
                  "{{model: mass-power-damper, solver: rk4, input_signal: stepped, set: "
                  "{{mass: 1, to_ground: {{k: 10, d: 0.1}}, k: 5, d: 2, exponent: 0.5, limit: 1e3, x0: 1, v0: {}}}}}",
                  speed)
            : fmt::format("{{fmu: {}, set: {{{}, x0: 1, v0: {}, solver: rk4}}}}",
                          fmu(GetParam(), "mass-power-damper-shown"), set, speed);
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {}\n  r: {{model: mass-chain, solver: rk4, set: {{masses: [2], to_ground: {{k: 3, "
        "d: 1}}, "
        "coupling: {{kind: force}}, x0: [0.2], v0: [-1]}}}}\n"
        "connections: [a.F -> r.F_in, r.x1 -> a.x_in, r.v1 -> a.v_in]\nexperiment: {{stop: 4}}\nplan: {{step: "
        "0.001}}\n",
        part);
  };
  std::vector<double> slopes;
  for (const double time : {0.3, 2.0}) {
    const auto found = model_of(of_version(false, "2"), time), exact = model_of(of_version(true, "2"), time);
    EXPECT_EQ(found.source, analysis::ModelSource::exchange) << found.how;
    ASSERT_TRUE(found.equations && exact.equations);
    const double size = exact.equations->A.cwiseAbs().maxCoeff();
    EXPECT_LT((found.equations->A - exact.equations->A).cwiseAbs().maxCoeff(), 1e-3 * size)
        << found.equations->A << "\n"
        << exact.equations->A;
    slopes.push_back(found.equations->A(1, 1));
  }
  EXPECT_GT(slopes[1] / slopes[0], 0.1);
  EXPECT_LT(slopes[1] / slopes[0], 0.7);
}

}  // namespace
}  // namespace seam::engine
