// Results and tables in the shapes that FMPy, OMSimulator, MasterSim and ecos write, as a user gives them to the
// program.
#include <algorithm>
#include <cmath>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

/// y' = u from a run of ours: u jumps from 0 to 1 at 0.3 s.
class Strangers : public ::testing::Test {
 protected:
  Strangers() : folder_(2, "integrator") {
    folder_.write("u.csv", "\"time\",\"u\"\n0,0\n0.3,0\n0.3,1\n1,1\n");
    ran_ = folder_.seam({"run", "integrator.fmu", "--input-file", "u.csv", "--stop", "1", "--step", "0.1", "--set",
                         "k=1", "--set", "solver=euler", "-o", "ours.csv"});
    EXPECT_EQ(ran_.exit_code, 0) << ran_.err;
  }

  /// The closed form as a table in some shape.
  std::string rows(const std::string& separator, double scale = 1.0) const {
    std::string text;
    for (int i = 0; i <= 10; ++i) {
      const double t = 0.1 * i, y = std::max(0.0, t - 0.3);
      text += std::to_string(t / scale) + separator + std::to_string(y) + "\n";
    }
    return text;
  }
  formats::Value compared(const Words& more = {}) const {
    Words words{"compare", "ours.csv", "theirs.csv", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = folder_.seam(words);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return json(ran.out);
  }
  static double largest_of_y(const formats::Value& value) {
    const formats::Value* variables = value.find("variables");
    const formats::Value* y = variables ? variables->find("integrator.y") : nullptr;
    return y ? number(*y, "largest") : NAN;
  }

  FmuFolder folder_;
  Ran ran_;
};

TEST_F(Strangers, results_of_other_tools_are_compared_as_they_are) {
  for (const auto& [tool, text] : {
           std::pair{"FMPy", "\"time\",\"y\"\n" + rows(",")},
           {"OMSimulator", "\"sep=,\"\n\"time\",\"model.root.integrator.y\"\n" + rows(", ")},
           {"MasterSim", "Time [ms] \tintegrator.y [-] \n" + rows("\t", 1e-3)},
           {"a German spreadsheet", "Zeit [s];integrator.y\n0;0\n0,3;0\n1;0,7\n"},
       }) {
    folder_.write("theirs.csv", text);
    EXPECT_LT(largest_of_y(compared()), 1e-5) << tool;
  }
  std::string ecos = "iterations, time, integrator::y[REAL], integrator::mode[STR]\n";
  for (int i = 0; i <= 10; ++i)
    ecos += std::to_string(i) + ", " + std::to_string(0.1 * i) + ", " + std::to_string(std::max(0.0, 0.1 * i - 0.3)) +
            ", idle\n";
  folder_.write("theirs.csv", ecos);
  EXPECT_LT(largest_of_y(compared()), 1e-5);
}

// The table holds both limits; a run of ours has one row there, whose output follows the input after the jump.
TEST_F(Strangers, jump_in_a_reference_is_no_ramp) {
  folder_.write("theirs.csv", "\"time\",\"u\"\n0,0\n0.3,0\n0.3,1\n1,1\n");
  const formats::Value value = compared();
  EXPECT_EQ(number(*value.find("variables")->find("integrator.u"), "largest"), 0.0);
  folder_.write("theirs.csv", "\"time\",\"u\"\n0,0\n0.2,0\n0.3,1\n1,1\n");  // what removing a row would make of it
  EXPECT_EQ(number(*compared().find("variables")->find("integrator.u"), "largest"), 0.0) << "at our times";
}

TEST_F(Strangers, what_both_have_and_was_left_out_is_said) {
  folder_.write("theirs.csv", "time,integrator.y,integrator.u,height\n0,0,0,1\n1,0.7,1,1\n");
  const Ran ran = folder_.seam({"compare", "ours.csv", "theirs.csv", "--variables", "integrator.y"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.out, "in both and left out by --variables: integrator.u\n")) << ran.out;
  EXPECT_TRUE(says(ran.out, "only in the reference: height\n")) << ran.out;
  const Ran mapped = folder_.seam({"compare", "ours.csv", "theirs.csv", "--map", "integrator.y=height"});
  EXPECT_TRUE(says(mapped.out, "in the reference: integrator.y is height\n")) << mapped.out;
}

TEST_F(Strangers, columns_that_an_fmu_does_not_need_are_one_line) {
  folder_.write("u.csv", "time;u;speed;note\n0;1;2;a\n1;1;2;b\n");
  const Words run{"run", "integrator.fmu", "--input-file", "u.csv", "--stop", "1", "--set", "k=1"};
  const Ran ran = folder_.seam(run);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.err, "1 column of u.csv feeds no input: speed\n")) << ran.err;
  folder_.write("u.csv", "time;input\n0;1\n1;1\n");
  EXPECT_TRUE(refuses(folder_, run, {"the column \"input\" names no input"}));
  Words mapped = run;
  mapped.insert(mapped.end(), {"--map", "input=integrator.u"});
  EXPECT_EQ(folder_.seam(mapped).exit_code, 0);
  EXPECT_TRUE(refuses(folder_, {"run", "integrator.fmu", "--map", "a=b", "--stop", "1"}, {"--map is for a table"}));
}

// A system two folders away from its FMU: 36 of 205 structures of others were written so.
TEST_F(Strangers, files_elsewhere_are_read_and_named_once_for_every_loose_format) {
  std::filesystem::create_directories(folder_.path("a/b"));
  const std::string above = "../../integrator.fmu";
  folder_.write("a/b/s.yaml", "seam: 1\nsubsystems: {i: {fmu: " + above + "}, j: {fmu: " + above +
                                  "}}\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  folder_.write(
      "a/b/s.ssd",
      R"(<SystemStructureDescription version="1.0" name="s"><System name="r"><Elements><Component name="i" source=")" +
          above + R"("/></Elements></System><DefaultExperiment startTime="0"/></SystemStructureDescription>)");
  folder_.write("a/b/s.xml",
                R"(<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">
<BaseStepSize>0.1</BaseStepSize><EndTime>1</EndTime><Simulators><Simulator name="i" source=")" +
                    above + R"("/></Simulators></OspSystemStructure>)");
  for (const char* file : {"a/b/s.yaml", "a/b/s.ssd", "a/b/s.xml"}) {
    const Ran ran = folder_.seam({"run", file, "-o", "r.csv"});
    EXPECT_EQ(ran.exit_code, 0) << file << ran.err;
    EXPECT_EQ(count(ran.err, above), 1u) << ran.err;
    EXPECT_TRUE(refuses(folder_, {"run", file, "--strict"}, {above, "--allow-path"})) << file;
    EXPECT_FALSE(says(folder_.seam({"run", file, "--allow-path", ".", "-o", "r.csv"}).err, above)) << file;
  }
}

// The FMU suggests 0 s to 1 s, and the package begins at 5 s without saying when it ends.
TEST_F(Strangers, start_time_behind_the_suggested_stop_time_keeps_the_length_that_is_suggested) {
  folder_.write("s.ssd",
                R"(<SystemStructureDescription version="1.0" name="s"><System name="r"><Elements>
<Component name="i" source="integrator.fmu"/></Elements></System><DefaultExperiment startTime="5"/></SystemStructureDescription>)");
  const Ran ran = folder_.seam({"run", "s.ssd", "-o", "r.csv"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.err, "stop time 6 s, 1 s after the start, as long as i suggests")) << ran.err;
  EXPECT_EQ(folder_.table("r.csv").columns[0].back(), 6.0);
}

}  // namespace
}  // namespace seam::cli
