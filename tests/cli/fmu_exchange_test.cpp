// interface: auto | cs | me on the command line: what is taken, what is refused, and how near the result is.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

class FmuExchange : public ::testing::TestWithParam<int> {
 protected:
  FmuExchange() {
    for (const char* name : {"bouncing-ball", "integrator", "types", "strict-me", "relay", "two-mass-left"})
      folder_.add(GetParam(), name);
    folder_.add(5 - GetParam(), "two-mass-right");
    ::setenv("SEAM_STRICT_LOG", folder_.path("illegal-calls").c_str(), 1);
  }
  ~FmuExchange() override { ::unsetenv("SEAM_STRICT_LOG"); }

  /// One subsystem `a`, at line 3 of s.yaml.
  void write_alone(const std::string& part) const {
    folder_.write("s.yaml", "seam: 1\nsubsystems:\n  a: {" + part + "}\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  }
  ::testing::AssertionResult is_refused(const std::string& part, const Words& words) const {
    write_alone(part);
    return refuses(folder_, {"check", "s.yaml"}, words);
  }
  std::string interface_of(const std::string& part) const {
    write_alone(part);
    const Ran ran = folder_.seam({"check", "s.yaml", "--print-resolved"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::size_t at = ran.out.find("interface: ");
    return at == std::string::npos ? ran.out : ran.out.substr(at + 11, 2);
  }

  FmuFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Fmi, FmuExchange, ::testing::Values(2, 3));

TEST_P(FmuExchange, auto_takes_co_simulation_where_it_is_offered_and_model_exchange_where_it_is_not) {
  EXPECT_EQ(interface_of("fmu: bouncing-ball.fmu"), "cs");
  EXPECT_EQ(interface_of("fmu: bouncing-ball.fmu, interface: auto"), "cs");
  EXPECT_EQ(interface_of("fmu: bouncing-ball.fmu, interface: cs"), "cs");
  EXPECT_EQ(interface_of("fmu: bouncing-ball.fmu, interface: me"), "me");
  EXPECT_EQ(interface_of("fmu: strict-me.fmu"), "me");
  EXPECT_EQ(interface_of("fmu: strict-me.fmu, interface: auto"), "me");
}

TEST_P(FmuExchange, an_interface_that_is_not_offered_is_a_problem_with_its_place) {
  EXPECT_TRUE(
      is_refused("fmu: types.fmu, interface: me", {"s.yaml:3:", "offers no model exchange", "leave interface out"}));
  EXPECT_TRUE(is_refused("fmu: strict-me.fmu, interface: cs", {"s.yaml:3:", "offers no co-simulation"}));
}

TEST_P(FmuExchange, words_that_are_no_interface_and_keys_that_mean_nothing_for_it_are_problems) {
  EXPECT_TRUE(is_refused("fmu: integrator.fmu, interface: mee", {"s.yaml:3:", "\"mee\"", "me"}));
  EXPECT_TRUE(is_refused("fmu: integrator.fmu, interface: [me]", {"s.yaml:3:"}));
  EXPECT_TRUE(is_refused("model: gain, set: {k: 1}, interface: me", {"s.yaml:3:", "interface"}));
  EXPECT_TRUE(is_refused("fmu: integrator.fmu, interface: me, retries: 2", {"s.yaml:3:", "retries", "\"a\""}));
  EXPECT_TRUE(is_refused("fmu: integrator.fmu, interface: me, via: micro-steps", {"s.yaml:3:", "leave via out"}));
}

TEST_P(FmuExchange, an_fmu_that_offers_nothing_else_runs_as_it_is_and_sees_no_illegal_call) {
  const Ran ran = folder_.seam({"run", "strict-me.fmu", "--stop", "1", "--step", "0.1", "-o", "r.csv"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.err, "model exchange")) << ran.err;
  EXPECT_FALSE(folder_.has("illegal-calls"));
  for (const double y : {column(folder_.table("r.csv"), "strict-me.y").back()}) EXPECT_NEAR(y, std::exp(-1.0), 1e-7);
}

// The first impact at sqrt(2/g), then v = e g t1 - g (t - t1).
TEST_P(FmuExchange, tolerance_reaches_the_integrator) {
  write_alone("fmu: bouncing-ball.fmu, interface: me");
  const double impact = std::sqrt(2.0 / 9.81), after = 0.8 - impact;
  const double height = 0.7 * 9.81 * impact * after - 0.5 * 9.81 * after * after;
  for (const auto& [tolerance, allowed] : {std::pair{"1e-5", 1e-3}, std::pair{"1e-10", 1e-8}}) {
    const Ran ran = folder_.seam({"run", "s.yaml", "--tolerance", tolerance, "-o", "r.csv"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(says(ran.err, std::string("relative tolerance 1e-") + (allowed > 1e-5 ? "05" : "10"))) << ran.err;
    EXPECT_NEAR(column(folder_.table("r.csv"), "a.h").at(8), height, allowed);
  }
}

TEST_P(FmuExchange, a_coupled_run_compares_with_the_reference_and_a_smaller_step_is_nearer) {
  folder_.write("s.yaml",
                "seam: 1\nsubsystems:\n  l: {fmu: two-mass-left.fmu, interface: me}\n  r: {fmu: two-mass-right.fmu, "
                "interface: me}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
                "experiment: {stop: 1}\nplan: {step: 10 ms, coupling: foh, feedthrough: fresh}\n");
  const Ran solved = folder_.seam({"reference", "s.yaml", "-o", "ref.csv"});
  ASSERT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_TRUE(says(solved.err, "CVODE with events")) << solved.err;
  const auto error = [&](const std::string& step) {
    EXPECT_EQ(folder_.seam({"run", "s.yaml", "--step", step, "--every", "10ms", "-o", "r.csv", "-q"}).exit_code, 0);
    const Ran compared = folder_.seam({"compare", "r.csv", "ref.csv", "--json"});
    EXPECT_EQ(compared.exit_code, 0) << compared.err;
    return number(json(compared.out), "nrmse_range");
  };
  const double coarse = error("10ms"), fine = error("2.5ms");
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine) / 2.0, 2.0, 0.4);  // foh: order 2
}

TEST_P(FmuExchange, reference_takes_the_equations_of_an_fmu_that_is_stepped_and_names_the_one_that_ends_it) {
  write_alone("fmu: bouncing-ball.fmu");
  const Ran solved = folder_.seam({"reference", "s.yaml"});
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_TRUE(says(solved.err, "a was solved by the equations of model exchange")) << solved.err;
  write_alone("fmu: strict-me.fmu, set: {terminate_at: 0.55, period: 0.1}");
  const Ran ran = folder_.seam({"reference", "s.yaml", "-o", "r.csv", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(json(ran.out).find("ended")->string(), "asked to end the run at 0.6")) << ran.out;
  EXPECT_EQ(folder_.table("r.csv").rows(), 7u);  // the row of 0.6 s is there, as in a run
  EXPECT_FALSE(folder_.has("illegal-calls"));
}

}  // namespace
}  // namespace seam::cli
