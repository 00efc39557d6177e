// Values that are no real numbers between FMUs: as sent, one communication point later.
#include <fmt/format.h>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

class DiscreteValues : public FmuWorkshop {
 protected:
  static std::string integer(int version) { return version == 2 ? "integer" : "int32"; }

  /// What is wrong with a system, or empty.
  std::string problems_of(const std::string& text) const {
    try {
      run_text(text);
    } catch (const base::ProblemsFound& found) {
      return found.what();
    }
    return {};
  }
  /// The lines of the result, header first.
  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    std::string rest = formats::read_text(folder_.file("result.csv"));
    for (std::size_t end = 0; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1))
      result.push_back(rest.substr(0, end));
    return result;
  }
};

/// Versions of the sender and of the receiver.
class DiscreteValuesBetween : public DiscreteValues, public ::testing::WithParamInterface<std::pair<int, int>> {};

// count(n) = n; a receiver's output is the input of the step: count(n - 1), and count(n - 2) one further.
TEST_P(DiscreteValuesBetween, an_integer_arrives_one_communication_point_later) {
  const auto [from, to] = GetParam();
  const auto table = table_of(
      fmt::format("seam: 1\nsubsystems:\n  c: {{fmu: {}}}\n  a: {{fmu: {}}}\n  b: {{fmu: {}}}\n"
                  "connections: [c.count -> a.{}_in, a.{}_out -> b.{}_in]\n"
                  "experiment: {{stop: 1}}\nplan: {{step: 0.1}}\n",
                  fmu(from, "counter"), fmu(to, "types"), fmu(from, "types"), integer(to), integer(to), integer(from)));
  ASSERT_EQ(table.rows(), 11u);
  for (std::size_t n = 2; n < table.rows(); ++n) {
    EXPECT_EQ(column(table, "c.count")[n], static_cast<double>(n));
    EXPECT_EQ(column(table, "a." + integer(to) + "_in")[n], static_cast<double>(n));
    EXPECT_EQ(column(table, "a." + integer(to) + "_out")[n], static_cast<double>(n - 1));
    EXPECT_EQ(column(table, "b." + integer(from) + "_in")[n], static_cast<double>(n - 1));
  }
}

TEST_P(DiscreteValuesBetween, a_whole_number_feeds_a_real_input_with_gain_and_offset) {
  const auto [from, to] = GetParam();
  const auto table =
      table_of(fmt::format("seam: 1\nsubsystems:\n  c: {{fmu: {}}}\n  g: {{fmu: {}, set: {{k: 3}}}}\n"
                           "connections:\n  - {{from: c.count, to: g.u, gain: 0.5, offset: 1}}\nexperiment: {{stop: "
                           "1}}\nplan: {{step: 0.1, coupling: foh}}\n"
                           "record: {{variables: [g.u, g.y]}}\n",
                           fmu(from, "counter"), fmu(to, "gain")));
  for (std::size_t n = 1; n < table.rows(); ++n) {
    EXPECT_EQ(column(table, "g.u")[n], 0.5 * static_cast<double>(n) + 1.0);
    EXPECT_EQ(column(table, "g.y")[n], 3.0 * (0.5 * static_cast<double>(n - 1) + 1.0))
        << "held, whatever the plan says";
  }
}

TEST_P(DiscreteValuesBetween, texts_and_booleans_and_enumerations_arrive_as_sent) {
  const auto [from, to] = GetParam();
  run_text(fmt::format(
      "seam: 1\nsubsystems:\n"
      "  a: {{fmu: {}, set: {{string_in: 'say \"hi\", ünïcode; ok', boolean_in: false, enumeration_in: 3}}}}\n"
      "  b: {{fmu: {}}}\n"
      "connections: [\"a.{{string_out, boolean_out, enumeration_out}} -> b.{{string_in, boolean_in, "
      "enumeration_in}}\"]\n"
      "experiment: {{stop: 0.3}}\nplan: {{step: 0.1}}\nrecord: {{variables: [b.string_out, b.boolean_out, "
      "b.enumeration_out]}}\n",
      fmu(from, "types"), fmu(to, "types")));
  ASSERT_EQ(lines().size(), 5u);
  EXPECT_EQ(lines()[0], "time [s],b.boolean_out,b.string_out,b.enumeration_out");
  EXPECT_EQ(lines()[4].substr(lines()[4].find(',')), ",0,\"say \"\"hi\"\", ünïcode; ok\",3");
}

INSTANTIATE_TEST_SUITE_P(Versions, DiscreteValuesBetween,
                         ::testing::Values(std::pair{2, 2}, std::pair{2, 3}, std::pair{3, 2}, std::pair{3, 3}),
                         [](const auto& test) {
                           return fmt::format("from_{}_to_{}", test.param.first, test.param.second);
                         });

TEST_F(DiscreteValues, extremes_of_every_fmi_3_type_survive_to_the_bit) {
  run_text(fmt::format(
      "seam: 1\nsubsystems:\n  a: {{fmu: {0}}}\n  b: {{fmu: {0}, set: {{int64_in: 0, uint64_in: 0, binary_in: '', "
      "int8_in: 0}}}}\n"
      "connections: [\"a.{{int8_out, uint8_out, int16_out, uint16_out, int32_out, uint32_out, int64_out, uint64_out, "
      "binary_out}} -> "
      "b.{{int8_in, uint8_in, int16_in, uint16_in, int32_in, uint32_in, int64_in, uint64_in, binary_in}}\"]\n"
      "experiment: {{stop: 0.2}}\nplan: {{step: 0.1}}\nrecord: {{variables: [\"b.*int*_out\", b.binary_out]}}\n",
      fmu(3, "types")));
  ASSERT_EQ(lines().size(), 4u);
  EXPECT_EQ(
      lines()[0],
      "time [s],b.int32_out,b.int8_out,b.uint8_out,b.int16_out,b.uint16_out,b.uint32_out,b.int64_out,b.uint64_out,"
      "b.binary_out");
  EXPECT_EQ(lines()[3], "0.2,-7,-128,255,-32768,65535,4294967295,-9223372036854775808,18446744073709551615,\"00ff10\"");
}

TEST_F(DiscreteValues, binaries_are_recorded_only_if_they_are_named) {
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n  a: {{fmu: {0}}}\n  b: {{fmu: {0}}}\nconnections: [a.binary_out -> b.binary_in, "
      "a.int8_out -> b.int8_in]\n"
      "experiment: {{stop: 0.1}}\nplan: {{step: 0.1}}\n",
      fmu(3, "types"));
  run_text(text);
  EXPECT_EQ(lines()[0], "time [s],a.int8_out,b.int8_in");
  run_text(text + "record: {variables: [\"*.outputs\"]}\n");
  EXPECT_EQ(lines()[0].find("binary"), std::string::npos);
}

TEST_F(DiscreteValues, a_value_out_of_the_sinks_range_ends_the_run_with_both_names_and_keeps_the_rows) {
  const RunSummary summary = run_text(
      fmt::format("seam: 1\nsubsystems:\n  c: {{fmu: {}}}\n  a: {{fmu: {}}}\nconnections: [c.count -> a.int8_in]\n"
                  "experiment: {{stop: 20}}\nplan: {{step: 0.1}}\n",
                  fmu(2, "counter"), fmu(3, "types")));
  EXPECT_EQ(summary.result.ending, stepping::Ending::failed);
  EXPECT_NE(summary.complaint.find("c.count sent 128, which a.int8_in cannot take: it is of type Int8"),
            std::string::npos)
      << summary.complaint;
  EXPECT_EQ(column(result(), "a.int8_in").back(), 127.0);
}

// While the start values settle, t's own -7 passes by; what it sends then is 0.
TEST_F(DiscreteValues, value_that_only_passes_by_at_the_start_ends_nothing) {
  const RunSummary summary = run_text(fmt::format(
      "seam: 1\nsubsystems:\n  n: {{fmu: {0}}}\n  t: {{fmu: {1}}}\n  u: {{fmu: {1}}}\n"
      "connections: [n.count -> t.int32_in, t.int32_out -> u.uint8_in]\nexperiment: {{stop: 1}}\nplan: {{step: 0.1}}\n",
      fmu(3, "counter"), fmu(3, "types")));
  EXPECT_EQ(summary.result.ending, stepping::Ending::completed) << summary.complaint;
}

TEST_F(DiscreteValues, what_cannot_be_converted_is_a_problem) {
  const std::string parts = fmt::format(
      "seam: 1\nsubsystems:\n  a: {{fmu: {0}}}\n  b: {{fmu: {0}}}\nexperiment: {{stop: 1}}\nplan: {{step: 0.1}}\n",
      fmu(3, "types"));
  const std::pair<const char*, const char*> cases[] = {
      {"[a.float64_out -> b.int32_in]", "\"a.float64_out\" is of type Real and cannot feed \"b.int32_in\""},
      {"[a.string_out -> b.int32_in]", "cannot feed"},
      {"[a.boolean_out -> b.string_in]", "cannot feed"},
      {"[a.string_out -> b.binary_in]", "cannot feed"},
      {"[{from: a.int32_out, to: b.int32_in, gain: 2}]", "no gain or offset"},
      {"[{from: a.int32_out, to: b.int32_in, unit: m -> km}]", "no unit"},
  };
  for (const auto& [connections, said] : cases) {
    const std::string problems = problems_of(parts + "connections: " + connections + "\n");
    EXPECT_NE(problems.find(said), std::string::npos) << connections << "\n" << problems;
  }
}

TEST_F(DiscreteValues, a_known_signal_feeds_whole_inputs_and_holds_between_its_rows) {
  formats::write_text(folder_.file("s.csv"), "time,mode,on\n0,1,0\n0.25,2,1\n0.5,-3,0\n");
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n  s: {{model: csv, set: {{file: s.csv, interpolate: hold}}}}\n  a: {{fmu: {}}}\n"
      "connections: [s.mode -> a.int32_in, s.on -> a.boolean_in]\nexperiment: {{stop: 1}}\nplan: {{step: 0.1}}\n"
      "record: {{variables: [a.int32_out, a.boolean_out]}}\n",
      fmu(3, "types"));
  const auto table = table_of(text);
  const std::vector<double> mode = {1, 1, 1, 2, 2, -3}, on = {0, 0, 0, 1, 1, 0};
  for (std::size_t n = 1; n <= mode.size(); ++n) {
    EXPECT_EQ(column(table, "a.int32_out")[n], mode[n - 1]) << n;
    EXPECT_EQ(column(table, "a.boolean_out")[n], on[n - 1]) << n;
  }
}

TEST_F(DiscreteValues, a_known_signal_that_is_no_whole_number_ends_the_run_with_its_value_and_time) {
  formats::write_text(folder_.file("s.csv"), "time,mode\n0,1\n1,3\n");
  const RunSummary summary =
      run_text(fmt::format("seam: 1\nsubsystems:\n  s: {{model: csv, set: {{file: s.csv}}}}\n  a: {{fmu: {}}}\n"
                           "connections: [s.mode -> a.int32_in]\nexperiment: {{stop: 1}}\nplan: {{step: 0.25}}\n",
                           fmu(3, "types")));
  EXPECT_EQ(summary.result.ending, stepping::Ending::failed);
  EXPECT_NE(summary.complaint.find("a.int32_in is of type Int32, and the signal that feeds it is 1.5 at 0.25 s"),
            std::string::npos)
      << summary.complaint;
}

TEST_F(DiscreteValues, a_copied_memory_carries_on_with_its_own_discrete_values) {
  const auto system = open_text(fmt::format("seam: 1\nsubsystems:\n  c: {{fmu: {}}}\n  a: {{fmu: {}}}\n"
                                            "connections: [c.count -> a.int32_in]\nplan: {{step: 0.1}}\n",
                                            fmu(2, "counter"), fmu(3, "types")),
                                folder_.file("system.yaml"), {});
  const Live live = make_live(system, {Horizon::none});
  coupling::Memory memory = coupling::start(live.program);
  coupling::advance(live.program, memory, 3);
  const coupling::Memory kept = memory;
  coupling::advance(live.program, memory, 2);
  const auto place = static_cast<std::size_t>(live.program.discrete_output_place(0, 0));
  EXPECT_EQ(kept.discrete_values[place].integer, 3);
  EXPECT_EQ(memory.discrete_values[place].integer, 5);
}

}  // namespace
}  // namespace seam::engine
