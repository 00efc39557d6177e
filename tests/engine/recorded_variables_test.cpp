// What is recorded of an FMU beyond what its steps read: local variables, parameters, states, derivatives, and outputs
// that nothing is connected to.
#include <fmt/format.h>

#include <algorithm>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

using stepping::Ending;
using Names = std::vector<std::string>;

class RecordedVariables : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  RecordedVariables() { ::setenv("SEAM_STRICT_LOG", folder_.file("illegal-calls").c_str(), 1); }
  ~RecordedVariables() override {
    const std::string log = folder_.file("illegal-calls");
    EXPECT_EQ(std::filesystem::exists(log) ? formats::read_text(log) : "", "");
    ::unsetenv("SEAM_STRICT_LOG");
  }

  std::string alone(const std::string& name, const std::string& record = "", const std::string& keys = "") const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {{fmu: {}{}}}\nexperiment: {{stop: 1}}\nplan: {{step: 0.125}}\nrecord: {{{}}}\n",
        fmu(GetParam(), name), keys, record);
  }
  Names names_of(const std::string& text) const {
    Names names = table_of(text).names;
    names.erase(names.begin());
    return names;
  }
  std::string problems_of(const std::string& text) const {
    try {
      run_text(text);
    } catch (const base::ProblemsFound& found) {
      return found.what();
    }
    return {};
  }
  /// The calls of a run that read reals, one line each.
  Names reads_of(const std::string& text) const {
    Names reads;
    RunSettings settings;
    settings.fmu_logging.calls = std::make_shared<fmi::CallLog>([&](const std::string& line) {
      if (line.find(GetParam() == 2 ? "fmi2GetReal(" : "fmi3GetFloat64(") != std::string::npos) reads.push_back(line);
    });
    EXPECT_EQ(run_text(text, settings).result.ending, Ending::completed);
    return reads;
  }
  static auto lines_with(const Names& lines, const std::string& part) {
    return std::ranges::count_if(lines, [&](const auto& line) { return line.find(part) != std::string::npos; });
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, RecordedVariables, ::testing::Values(2, 3));

TEST_P(RecordedVariables, have_the_value_of_every_communication_point_whatever_their_type) {
  const auto table =
      table_of(alone("locals", "variables: [a.body.x3, a.steps, a.odd, a.mode, a.k, a.y2]", ", set: {k: 0.5}"));
  ASSERT_EQ(table.rows(), 9u);
  for (std::size_t n = 0; n < table.rows(); ++n) {
    const double t = 0.125 * static_cast<double>(n);
    EXPECT_EQ(column(table, "a.y2")[n], 2.0 * t);
    EXPECT_EQ(column(table, "a.body.x3")[n], 0.5 * 3.0 * t * t);
    EXPECT_EQ(column(table, "a.steps")[n], static_cast<double>(n));
    EXPECT_EQ(column(table, "a.odd")[n], static_cast<double>(n % 2));
    EXPECT_EQ(column(table, "a.mode")[n], static_cast<double>(1 + n % 2));
    EXPECT_EQ(column(table, "a.k")[n], 0.5);
  }
  const std::string text = formats::read_text(folder_.file("result.csv"));
  EXPECT_NE(text.find("a.body.x3 [m]"), std::string::npos);
}

TEST_P(RecordedVariables, are_chosen_by_groups_and_by_two_stars_and_not_by_one) {
  EXPECT_EQ(names_of(alone("locals", "variables: [\"*.parameters\"]")), Names{"a.k"});
  EXPECT_EQ(names_of(alone("locals", "variables: [a.*]")), (Names{"a.y1", "a.y2", "a.y3", "a.y4"}));
  const std::size_t locals = GetParam() == 2 ? 44u : 48u;
  EXPECT_EQ(names_of(alone("locals", "variables: [\"*.locals\"]")).size(), locals - 1) << "a text is no number";
  EXPECT_EQ(names_of(alone("locals", "variables: [\"**\"]")).size(), locals - 1 + 5);
  EXPECT_EQ(names_of(alone("locals", "variables: [\"a.body.x4**\"]")), (Names{"a.body.x4", "a.body.x40"}));
  const std::string problem = problems_of(alone("locals", "variables: [a.body.*]"));
  EXPECT_NE(problem.find("40 variables that are no ports match it: write ** instead of *"), std::string::npos)
      << problem;
  EXPECT_NE(problems_of(alone("locals", "variables: [a.body.x41]")).find("did you mean"), std::string::npos);
}

using RecordedArrays = RecordedVariables;
INSTANTIATE_TEST_SUITE_P(Fmi, RecordedArrays, ::testing::Values(3));  // FMI 2 has none

TEST_P(RecordedArrays, are_recorded_element_by_element) {
  const auto one = table_of(alone("locals", "variables: [\"a.vector[2]\", a.single, a.y4, a.body.x1]"));
  const auto all = table_of(alone("locals", "variables: [a.vector]"));
  EXPECT_EQ(all.names, (Names{"time", "a.vector[1]", "a.vector[2]", "a.vector[3]"}));
  EXPECT_EQ(column(one, "a.vector[2]"), column(all, "a.vector[2]"));
  EXPECT_EQ(column(one, "a.vector[2]").back(), 2.0);
  EXPECT_EQ(column(one, "a.single").back(), 0.5);
  EXPECT_EQ(column(one, "a.y4").back(), 4.0);
  EXPECT_EQ(column(one, "a.body.x1").back(), 2.0);
}

// x1' = v1, whichever side integrates.
TEST_P(RecordedVariables, are_states_and_derivatives_of_co_simulation_and_model_exchange) {
  for (const char* interface : {", interface: cs", ", interface: me"}) {
    const auto table = table_of(alone("two-mass-left", "variables: [a.states, a.derivatives]", interface));
    ASSERT_EQ(table.names.size(), 5u);
    EXPECT_EQ(column(table, "a.der(x1)"), column(table, "a.v1")) << interface;
    EXPECT_NE(column(table, "a.der(v1)").back(), 0.0);
  }
}

TEST_P(RecordedVariables, are_the_local_ones_where_an_fmu_has_no_outputs) {
  const auto names = names_of(alone("locals-alone"));
  EXPECT_EQ(names.front(), "a.body.x1");
  EXPECT_EQ(names.size(), GetParam() == 2 ? 43u : 47u);
  const System lone = open_fmus({{folder_.file(fmu(GetParam(), "locals-alone"))}, {}}, {});
  EXPECT_EQ(run_in_memory(lone, {}, {}).table.names.size(), names.size() + 2) << "with the text";
}

TEST_P(RecordedVariables, are_never_none_in_silence) {
  const RunSummary summary = run_text(alone("locals-alone", "variables: [a.text], file: x.mat"));
  EXPECT_EQ(summary.columns, 1u) << "CSV holds texts";
  RunSettings settings;
  settings.file = folder_.file("x.mat");
  const RunSummary none =
      run(open_text(alone("locals-alone", "variables: [a.text]"), folder_.file("system.yaml"), {}), settings);
  EXPECT_EQ(none.columns, 0u);
  EXPECT_EQ(lines_with(none.notices, "nothing but the time was recorded"), 1);
}

TEST_P(RecordedVariables, are_legal_reads_of_strict_fmus_of_every_kind) {
  const auto ending = [&](const std::string& name, const std::string& keys = "") {
    return run_text(alone(name, "variables: [\"**\"]", keys)).result.ending;
  };
  for (const char* name : {"strict", "strict-me", "strict-events", "strict-stair", "strict-signal"})
    EXPECT_EQ(ending(name), Ending::completed) << name;
  EXPECT_EQ(ending("strict", ", set: {terminate_at: 0.5}"), Ending::ended_by_subsystem);
  EXPECT_EQ(ending("strict-me", ", set: {terminate_at: 0.5, period: 0.0625}"), Ending::ended_by_subsystem);
  if (GetParam() == 2) return;
  for (const char* name : {"strict-clock", "strict-clock-changing"}) EXPECT_EQ(ending(name), Ending::completed) << name;
  EXPECT_EQ(ending("strict-events", ", event_mode: always"), Ending::completed);
  EXPECT_EQ(ending("strict-events", ", event_mode: always, set: {terminate_at: 0.5, period: 0.0625}"),
            Ending::ended_by_subsystem);
}

TEST_P(RecordedVariables, are_read_in_one_call_a_type_when_they_are_recorded) {
  const Names reads = reads_of(alone("locals", "variables: [a.y1, a.body.x1, a.body.x2], every: 0.5"));
  EXPECT_EQ(lines_with(reads, "body.x1"), 3) << "at 0, 0.5 and 1 s";
  EXPECT_EQ(lines_with(reads, "y1=0.5, body.x1"), 1) << "outputs that only the record wants come along";
}

TEST_P(RecordedVariables, outputs_that_are_neither_connected_nor_recorded_are_not_read_in_steps) {
  const auto text = [&](const std::string& record) {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {{fmu: {}}}\n  b: {{fmu: {}}}\nconnections: [a.y3 -> b.u]\n"
        "experiment: {{stop: 1}}\nplan: {{step: 0.125}}\nrecord: {{{}}}\n",
        fmu(GetParam(), "locals"), fmu(GetParam(), "gain"), record);
  };
  const Names reads = reads_of(text(""));
  EXPECT_GE(lines_with(reads, "y3="), 8) << "at every step";
  EXPECT_EQ(lines_with(reads, "y1="), 0) << "not at the start either";
  const auto few = table_of(text("variables: [b.y]")), all = table_of(text("variables: [b.y, a.outputs]"));
  EXPECT_EQ(column(few, "b.y"), column(all, "b.y"));
  EXPECT_EQ(column(all, "a.y4").back(), 4.0);
}

TEST_P(RecordedVariables, outputs_that_only_the_record_wants_diverge_when_they_are_recorded) {
  const auto text = [&](const std::string& record) { return alone("bad-nan", record, ", set: {at: 0.5}"); };
  const RunSummary every = run_text(text("")), seldom = run_text(text("every: 1")),
                   never = run_text(text("variables: [a.at]"));
  EXPECT_EQ(every.result.ending, Ending::diverged);
  EXPECT_EQ(every.culprit, "a.y");
  EXPECT_EQ(every.result.time, 0.625);
  EXPECT_EQ(seldom.result.ending, Ending::diverged);
  EXPECT_EQ(seldom.result.time, 1.0) << "its next row";
  EXPECT_EQ(never.result.ending, Ending::completed);
}

TEST_P(RecordedVariables, may_differ_between_the_parts_of_a_run) {
  const std::string text = alone("locals", "variables: [a.steps, a.y1]");
  const System whole = open_text(text, folder_.file("system.yaml"), {});
  System half = whole, rest = whole;
  half.description.experiment.stop = 0.5;
  half.description.record.variables = {"a.text", "a.locals"};
  RunSettings first, second;
  first.file = folder_.file("half.csv");
  first.final_state = second.initial_state = folder_.file("half.state");
  second.file = folder_.file("result.csv");
  run(half, first);
  EXPECT_EQ(run(rest, second).result.ending, Ending::completed);
  EXPECT_EQ(column(result(), "a.steps"), (std::vector<double>{4, 5, 6, 7, 8}));
}

TEST_P(RecordedVariables, are_the_same_on_any_number_of_threads) {
  const auto text = [&](const std::string& threads) {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {{fmu: {}}}\n  b: {{fmu: {}}}\nexperiment: {{stop: 1}}\n"
        "plan: {{step: 0.125, threads: \"{}\"}}\nrecord: {{variables: [\"**\"]}}\n",
        fmu(GetParam(), "locals"), fmu(GetParam(), "two-mass-left"), threads);
  };
  const auto one = table_of(text("1")), two = table_of(text("always:2"));
  EXPECT_EQ(one.names, two.names);
  EXPECT_EQ(one.columns, two.columns);
}

TEST(RecordedVariablesOfNatives, are_their_ports) {
  const System system = open_text(
      "seam: 1\nsubsystems:\n  a: {model: sine, set: {frequency: 1}}\nexperiment: {stop: 1}\nplan: {step: 0.5}\n"
      "record: {variables: [a.locals]}\n",
      "test.yaml", {});
  EXPECT_THROW(select_columns(system, make_live(system, {}).program), base::ProblemsFound);
}

}  // namespace
}  // namespace seam::engine
