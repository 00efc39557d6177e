// Inputs that vary inside a step, in each of the ways an FMU may follow them: the same as a native subsystem.
#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"

namespace seam::engine {
namespace {

struct Way {
  int version;
  const char* via;
  const char* native;  ///< input_signal of the native pair that it equals
};

class Moving : public FmuWorkshop, public ::testing::WithParamInterface<Way> {
 protected:
  /// Two masses; rk4 with 1 ms inside, micro steps of 1 ms outside.
  std::string text(const std::string& left, const std::string& right, const std::string& coupling, double step) const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {}\n  r: {}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
        "experiment: {{stop: 0.4}}\nplan: {{step: {} ms, coupling: {}, subsystems: {{l: {{micro_step: 1 ms}}, r: "
        "{{micro_step: 1 ms}}}}}}\nrecord: {{variables: [l.F, r.x1, r.v1]}}\n",
        left, right, step, coupling);
  }
  std::string native(const std::string& side, const std::string& signal) const {
    return fmt::format(
        "{{model: mass-chain, solver: rk4, solver_step: 1 ms, input_signal: {}, set: {{masses: [0.2], to_ground: {{k: "
        "11, d: 0.4}}, {}}}}}",
        signal,
        side == "left" ? "coupling: {kind: spring, k: 7, d: 0.3}, x0: [1], v0: [-0.5]"
                       : "coupling: {kind: force}, x0: [0.25], v0: [2]");
  }
  std::string made(const std::string& side) const {
    return fmt::format("{{fmu: {}, via: {}, set: {{m: 0.2, k: 11, d: 0.4, {}, solver: rk4, solver_step: 1 ms}}}}",
                       fmu(GetParam().version, "two-mass-" + side + "-signal"), GetParam().via,
                       side == "left" ? "kc: 7, dc: 0.3, x0: 1, v0: -0.5" : "x0: 0.25, v0: 2");
  }
};

INSTANTIATE_TEST_SUITE_P(Ways, Moving,
                         ::testing::Values(Way{2, "derivatives", "signal"}, Way{3, "intermediate", "signal"},
                                           Way{2, "micro-steps", "stepped"}, Way{3, "micro-steps", "stepped"},
                                           Way{2, "auto", "signal"}, Way{3, "auto", "signal"}));

TEST_P(Moving, holds_of_order_1_and_2_equal_the_native_run) {
  for (const char* coupling : {"foh", "soh", "{foh: {samples: micro}}"}) {
    const auto expected =
        table_of(text(native("left", GetParam().native), native("right", GetParam().native), coupling, 10));
    const auto table = table_of(text(made("left"), made("right"), coupling, 10));
    for (const char* name : {"l.F", "r.x1", "r.v1"}) {
      for (std::size_t i = 0; i < expected.rows(); ++i)
        ASSERT_NEAR(column(table, name).at(i), column(expected, name).at(i), 1e-9) << coupling << " " << name << i;
    }
  }
}

// Against the run with steps so small that its own error does not matter.
TEST_P(Moving, orders_of_convergence_are_kept) {
  if (std::string(GetParam().native) == "stepped") return;  // one micro step late: of order 1 in the micro step
  for (const auto& [coupling, order] : {std::pair{"foh", 2.0}, std::pair{"soh", 2.6}}) {
    const auto error = [&](double step) {
      const auto table = table_of(text(made("left"), made("right"), coupling, step));
      const auto exact = table_of(text(native("left", "signal"), native("right", "signal"), "soh", 1));
      return std::abs(column(table, "r.x1").back() - column(exact, "r.x1").back());
    };
    const double coarse = error(40), fine = error(20);
    EXPECT_GT(std::log2(coarse / fine), order - 0.5) << coupling << " " << coarse << " " << fine;
  }
}

// Fresh outputs belong to the inputs at the end of a step, also where these moved.
TEST_P(Moving, fresh_feedthrough_equals_the_native_run) {
  const auto fresh = [&](std::string system) {
    return table_of(system.replace(system.find("plan: {"), 7, "plan: {feedthrough: fresh, "));
  };
  for (const char* coupling : {"foh", "soh"}) {
    const auto expected =
        fresh(text(native("left", GetParam().native), native("right", GetParam().native), coupling, 10));
    const auto table = fresh(text(made("left"), made("right"), coupling, 10));
    for (std::size_t i = 0; i < expected.rows(); ++i)
      ASSERT_NEAR(column(table, "l.F").at(i), column(expected, "l.F").at(i), 1e-9) << coupling << " " << i;
  }
}

TEST_P(Moving, summary_says_which_way_was_taken) {
  const RunSummary summary = run_text(text(made("left"), made("right"), "foh", 10));
  const std::string way = GetParam().native == std::string("stepped") ? "by 10 micro steps"
                          : GetParam().version == 2                   ? "by their derivatives up to order 1"
                                                                      : "by intermediate update";
  ASSERT_EQ(summary.notices.size(), 2u);
  for (const std::string& notice : summary.notices) EXPECT_NE(notice.find(way), std::string::npos) << notice;
}

TEST_F(FmuWorkshop, held_inputs_equal_a_zero_order_hold) {
  for (const int version : {2, 3}) {
    const auto with = [&](const char* via, const char* coupling) {
      return table_of(
          fmt::format("seam: 1\nsubsystems:\n  l: {{fmu: {}, via: {}}}\n  r: {{fmu: {}, via: {}}}\n"
                      "connections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\nexperiment: {{stop: 0.4}}\n"
                      "plan: {{step: 10 ms, coupling: {}}}\n",
                      fmu(version, "two-mass-left"), via, fmu(version, "two-mass-right"), via, coupling));
    };
    EXPECT_EQ(with("hold", "foh").columns, with("hold", "zoh").columns);
    EXPECT_EQ(with("hold", "zoh").columns, with("micro-steps", "zoh").columns);
  }
}

TEST_F(FmuWorkshop, way_that_an_fmu_does_not_offer_is_a_problem_that_says_what_does) {
  for (const auto& [version, via] : {std::pair{2, "intermediate"}, std::pair{2, "derivatives"},
                                     std::pair{3, "derivatives"}, std::pair{3, "intermediate"}}) {
    for (const bool in_plan : {false, true}) {
      try {
        run_text(
            fmt::format("seam: 1\nsubsystems:\n  l: {{fmu: {}{}}}\nexperiment: {{stop: 1}}\nplan: {{step: 0.1{}}}\n",
                        fmu(version, "two-mass-left"), in_plan ? "" : fmt::format(", via: {}", via),
                        in_plan ? fmt::format(", subsystems: {{l: {{via: {}}}}}", via) : ""));
        FAIL() << via;
      } catch (const base::ProblemsFound& found) {
        EXPECT_NE(std::string(found.what()).find(fmt::format("\"l\" cannot take its inputs via {}", via)),
                  std::string::npos)
            << found.what();
      }
    }
  }
}

// Steps of whole milliseconds only: ten micro steps of 0.5 ms are refused in the trial, and the step is made in one.
TEST_F(FmuWorkshop, fmu_that_refuses_micro_steps_is_held_and_the_summary_says_so) {
  for (const int version : {2, 3}) {
    const auto text = [&](const char* coupling, const char* via) {
      return fmt::format(
          "seam: 1\nsubsystems:\n  g: {{fmu: {0}, set: {{x0: 1}}}}\n  a: {{fmu: {1}, via: {3}}}\nconnections: [g.y -> "
          "a.u, a.y -> g.u]\n"
          "experiment: {{stop: 0.5}}\nplan: {{step: 5 ms, coupling: {2}}}\nrecord: {{variables: [a.y]}}\n",
          fmu(version, "integrator"), fmu(version, "bad-step-size"), coupling, via);
    };
    const RunSummary summary = run_text(text("foh", "auto"));
    EXPECT_EQ(summary.result.ending, stepping::Ending::completed) << summary.complaint;
    const auto says = [&](const std::string& notice) {
      return notice.find("a: inputs are held over a step, since it took no micro steps in a trial") !=
             std::string::npos;
    };
    EXPECT_TRUE(std::any_of(summary.notices.begin(), summary.notices.end(), says));
    EXPECT_NE(run_text(text("foh", "micro-steps")).result.ending, stepping::Ending::completed)
        << "a way that is given is the one that is used";
    std::string shorter = text("foh", "auto");
    shorter.replace(shorter.find("stop: 0.5"), 9, "stop: 0.503");
    EXPECT_EQ(run_text(shorter).result.ending, stepping::Ending::completed);
    EXPECT_EQ(result().columns[0].back(), 0.503);
  }
}

}  // namespace
}  // namespace seam::engine
