// FMUs of FMI 1.0 in a run, against those of FMI 2 that are built of the same models.
#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/open/fmu_log.hpp"
#include "seam/engine/predict/linear_models.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

using stepping::Ending;

class Fmi1 : public FmuWorkshop {
 protected:
  Fmi1() { ::setenv("SEAM_STRICT_LOG", log().c_str(), 1); }
  ~Fmi1() override { ::unsetenv("SEAM_STRICT_LOG"); }

  std::string log() const { return folder_.file("illegal-calls"); }
  std::string illegal_calls() const { return std::filesystem::exists(log()) ? formats::read_text(log()) : ""; }

  static std::string alone(const std::string& part, const std::string& step = "0.01") {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {{{}}}\nexperiment: {{stop: 1}}\nplan: {{step: {}}}\nrecord: {{variables: "
        "[\"**\"]}}\n",
        part, step);
  }
  /// Two masses; `ends` are the connections.
  static std::string masses(const std::string& left, const std::string& right, const std::string& plan,
                            const std::string& ends = "left.F -> right.F_in, right.x1 -> left.x_in") {
    return fmt::format(
        "seam: 1\nsubsystems:\n  left: {{{}, set: {{x0: 0.1}}}}\n  right: {{{}}}\nconnections: [{}, right.v1 -> "
        "left.v_in]\nexperiment: {{stop: 0.5, tolerance: 1e-10}}\nplan: {{step: 1 ms, {}}}\nrecord: {{variables: "
        "[\"*.outputs\"]}}\n",
        left, right, ends, plan);
  }
  /// The largest difference of columns of the same name, as a part of their range.
  static double difference(const formats::Table& one, const formats::Table& other) {
    double largest = 0.0;
    EXPECT_EQ(one.rows(), other.rows());
    for (std::size_t c = 0; c < other.names.size(); ++c) {
      const std::vector<double> values = column(one, other.names[c]), &expected = other.columns[c];
      const auto [low, high] = std::ranges::minmax(expected);
      for (std::size_t i = 0; i < std::min(values.size(), expected.size()); ++i)
        largest = std::max(largest, std::abs(values[i] - expected[i]) / std::max(high - low, 1e-3));
    }
    return largest;
  }
};

TEST_F(Fmi1, co_simulation_gives_what_fmi2_gives) {
  for (const char* const name : {"gain", "bouncing-ball", "stair", "relay", "types"}) {
    const formats::Table first = table_of(alone("fmu: " + fmu(1, name)));
    EXPECT_LT(difference(first, table_of(alone("fmu: " + fmu(2, name)))), 1e-12) << name;
  }
  for (const char* const plan : {"coupling: zoh", "coupling: foh", "coupling: zoh, schedule: gauss-seidel"}) {
    const auto with = [&](int version) {
      return masses("fmu: " + fmu(version, "two-mass-left"), "fmu: " + fmu(version, "two-mass-right"), plan);
    };
    const formats::Table first = table_of(with(1));
    EXPECT_LT(difference(first, table_of(with(2))), 1e-12) << plan;
  }
}

// The FMUs of FMI 2 tell their derivatives, so that the integrator takes other steps: to its tolerance.
TEST_F(Fmi1, model_exchange_gives_what_fmi2_gives) {
  for (const char* const name : {"stair", "relay", "bouncing-ball"}) {
    const formats::Table first = table_of(alone(fmt::format("fmu: {}", fmu(1, std::string(name) + "-me"))));
    EXPECT_LT(difference(first, table_of(alone(fmt::format("fmu: {}, interface: me", fmu(2, name))))), 1e-8) << name;
  }
  const auto first =
      table_of(masses("fmu: " + fmu(1, "two-mass-left-me"), "fmu: " + fmu(1, "two-mass-right-me"), "coupling: foh"));
  const auto second = table_of(masses("fmu: " + fmu(2, "two-mass-left") + ", interface: me",
                                      "fmu: " + fmu(2, "two-mass-right") + ", interface: me", "coupling: foh"));
  EXPECT_LT(difference(first, second), 1e-9);
}

TEST_F(Fmi1, inputs_follow_their_derivatives_as_in_fmi2) {
  const auto with = [&](const std::string& file) {
    return "seam: 1\nsubsystems:\n  s: {model: state-space, set: {A: [[0, 1], [-9, 0]], C: [[1, 0]], x0: [1, 0]}}\n  "
           "a: {fmu: " +
           file +
           "}\nconnections: [s.y -> a.u]\nexperiment: {stop: 1}\nplan: {step: 0.05, coupling: soh}\nrecord: "
           "{variables: [a.y]}\n";
  };
  const formats::Table first = table_of(with(fmu(1, "strict-signal")));
  EXPECT_LT(difference(first, table_of(with(fmu(2, "strict-signal")))), 1e-12);
  EXPECT_EQ(illegal_calls(), "");
}

TEST_F(Fmi1, no_call_breaks_the_order_of_the_standard) {
  const std::string part =
      "fmu: " + fmu(1, "strict") + ", set: {k: 2, x0: 0.5, u: 1, integer_in: -9, boolean_in: false}";
  const RunSummary plain = run_text(alone(part));
  EXPECT_EQ(plain.result.ending, Ending::completed) << plain.complaint;
  for (const char* const file : {"strict", "strict-signal", "strict-me"}) {
    const std::string both = fmt::format(
        "seam: 1\nsubsystems:\n  a: {{fmu: {0}}}\n  b: {{fmu: {0}}}\nconnections: [a.y -> b.u, b.y -> "
        "a.u]\nexperiment: {{stop: 1}}\nplan: {{step: 0.05, coupling: foh}}\n",
        fmu(1, file));
    const RunSummary pair = run_text(both);
    EXPECT_EQ(pair.result.ending, Ending::completed) << file << pair.complaint;
  }
  EXPECT_EQ(illegal_calls(), "");
}

TEST_F(Fmi1, negated_aliases_have_the_other_sign_when_they_are_read_and_set) {
  const formats::Table plain =
      table_of(masses("fmu: " + fmu(1, "two-mass-left"), "fmu: " + fmu(1, "two-mass-right"), "coupling: foh"));
  const formats::Table table =
      table_of(masses("fmu: " + fmu(1, "two-mass-left"), "fmu: " + fmu(1, "two-mass-right-aliases"), "coupling: foh",
                      "{from: left.F, to: right.minus_F_in, gain: -1}, {from: right.minus_x1, to: left.x_in, gain: "
                      "-1}"));
  EXPECT_EQ(difference(table, plain), 0.0);
  for (std::size_t i = 0; i < table.rows(); ++i)
    EXPECT_EQ(column(table, "right.minus_a1").at(i), -column(table, "right.a1").at(i));
  const formats::Table set = table_of(alone("fmu: " + fmu(1, "types-aliases") +
                                            ", set: {minus_real_in: 3, minus_integer_in: 4, minus_boolean_in: true}"));
  EXPECT_EQ(column(set, "a.real_out").back(), -3.0);
  EXPECT_EQ(column(set, "a.integer_out").back(), -4.0);
  EXPECT_EQ(column(set, "a.boolean_out").back(), 0.0);
  EXPECT_EQ(column(set, "a.minus_integer_out").back(), 4.0);
  EXPECT_EQ(column(set, "a.minus_boolean_out").back(), 1.0);
}

TEST_F(Fmi1, errors_and_the_log_name_the_functions_of_fmi1) {
  try {
    const RunSummary summary = run_text(alone("fmu: " + fmu(1, "bad-error")));
    EXPECT_NE(summary.complaint.find("failed in fmiDoStep"), std::string::npos) << summary.complaint;
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("failed in fmiDoStep"), std::string::npos) << error.what();
  }
  std::string calls;
  RunSettings settings;
  settings.fmu_logging.calls = std::make_shared<fmi::CallLog>([&](const std::string& line) { calls += line + "\n"; });
  run_text(alone("fmu: " + fmu(1, "gain") + ", set: {k: 3, u: 2}", "1"), settings);
  EXPECT_NE(calls.find("a fmiInitializeSlave(startTime=0, stopTime=1) -> OK\na fmiGetReal(y=6, k=3) -> OK\n"),
            std::string::npos)
      << calls;
  EXPECT_NE(calls.find("fmiDoStep(t=0, h=1, newStep=true) -> OK"), std::string::npos) << calls;
  EXPECT_NE(calls.find("a fmiTerminateSlave() -> OK\na fmiFreeSlaveInstance()"), std::string::npos) << calls;
  EXPECT_EQ(calls.find("fmi2"), std::string::npos) << calls;
}

TEST_F(Fmi1, linear_models_are_found_by_probing_and_from_equations) {
  for (const char* const name : {"two-mass-right", "two-mass-right-me"}) {
    const System system = open_text(alone("fmu: " + fmu(1, name), "1e-3"), folder_.file("system.yaml"), {});
    LinearModelRequest all;
    all.ports = LinearModelRequest::Ports::all;
    const auto models = linear_models(system, all);
    ASSERT_EQ(models.size(), 1u);
    ASSERT_TRUE(models[0].equations) << models[0].how;
    EXPECT_EQ(models[0].equations->A.rows(), 2) << name;
  }
}

}  // namespace
}  // namespace seam::engine
