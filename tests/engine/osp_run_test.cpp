// A structure of the Open Simulation Platform and the same system as a system file: one result, to the bit.
#include "engine/fmu_workshop.hpp"
#include "seam/engine/open/convert.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

class OspRun : public FmuWorkshop {
 protected:
  void SetUp() override {
    fmu(2, "two-mass-left");
    fmu(2, "two-mass-right");
  }

  /// `forces` says how the force of the left side reaches the right one.
  void write_structure(const std::string& lefts, const std::string& functions, const std::string& forces,
                       const std::string& right = "") const {
    std::string text = R"(<OspSystemStructure version="0.1"><StartTime>0</StartTime><EndTime>0.4</EndTime>
<BaseStepSize>0.01</BaseStepSize><Simulators>)";
    std::string connections;
    for (const char name : lefts) {
      const std::string left(1, name);
      text += "<Simulator name=\"" + left + R"(" source="two-mass-left-2.fmu"><InitialValues>
<InitialValue variable="m"><Real value="0.12"/></InitialValue></InitialValues></Simulator>)";
      for (const char* port : {"x", "v"})
        connections += "<VariableConnection><Variable simulator=\"" + left + "\" name=\"" + port +
                       "_in\"/><Variable simulator=\"right\" name=\"" + port + "1\"/></VariableConnection>";
    }
    text += "<Simulator name=\"right\" source=\"two-mass-right-2.fmu\" " + right + "/></Simulators>" + functions +
            "<Connections>" + connections + forces + "</Connections></OspSystemStructure>";
    formats::write_text(folder_.file("OspSystemStructure.xml"), text);
  }

  void write_yaml(const std::string& force, const std::string& plan = "") const {
    formats::write_text(folder_.file("pair.yaml"), R"(seam: 1
subsystems:
  l: {fmu: two-mass-left-2.fmu, set: {m: 0.12}}
  right: {fmu: two-mass-right-2.fmu}
connections:
  - right.x1 -> l.x_in
  - right.v1 -> l.v_in
  - )" + force + "\nexperiment: {stop: 0.4}\nplan: {step: 0.01" +
                                                       plan + "}\n");
  }

  formats::Table ran(const std::string& file) const {
    RunSettings settings;
    settings.file = folder_.file("result.csv");
    EXPECT_EQ(run(open(folder_.file(file), {}), settings).result.ending, stepping::Ending::completed);
    return result();
  }

  void expect_same_right_side(const std::string& file) const {
    const formats::Table here = ran(file), there = ran("pair.yaml");
    for (const char* name : {"right.x1", "right.v1", "right.F_in"})
      EXPECT_EQ(column(here, name), column(there, name)) << name;
    EXPECT_EQ(column(here, "right.x1").size(), 41u);
  }
};

const std::string direct =
    R"(<VariableConnection><Variable simulator="right" name="F_in"/><Variable simulator="l" name="F"/></VariableConnection>)";

TEST_F(OspRun, structure_and_system_file_agree_to_the_bit) {
  write_structure("l", "", direct);
  write_yaml("l.F -> right.F_in");
  expect_same_right_side("OspSystemStructure.xml");
}

TEST_F(OspRun, linear_transformation_is_done_on_the_way) {
  write_structure(
      "l", R"(<Functions><LinearTransformation name="f" factor="0.5" offset="0.25"/></Functions>)",
      R"(<SignalConnection><Variable simulator="l" name="F"/><Signal function="f" name="in"/></SignalConnection>
<SignalConnection><Signal function="f" name="out"/><Variable simulator="right" name="F_in"/></SignalConnection>)");
  write_yaml("{from: l.F, to: right.F_in, gain: 0.5, offset: 0.25}");
  expect_same_right_side("OspSystemStructure.xml");
}

// Two equal left sides: F + F is 2 F to the last bit, if the sum comes without delay.
TEST_F(OspRun, sum_is_there_at_the_communication_point_at_which_its_parts_are) {
  write_structure(
      "lk", R"(<Functions><Sum name="s" inputCount="2"/></Functions>)",
      R"(<SignalConnection><Variable simulator="l" name="F"/><Signal function="s" name="in[0]"/></SignalConnection>
<SignalConnection><Variable simulator="k" name="F"/><Signal function="s" name="in[1]"/></SignalConnection>
<SignalConnection><Signal function="s" name="out"/><Variable simulator="right" name="F_in"/></SignalConnection>)");
  write_yaml("{from: l.F, to: right.F_in, gain: 2}");
  expect_same_right_side("OspSystemStructure.xml");
}

TEST_F(OspRun, simulator_with_a_longer_step_makes_it) {
  write_structure("l", "", direct, "stepSize=\"0.02\"");
  write_yaml("l.F -> right.F_in", ", subsystems: {right: {step: 0.02}}");
  expect_same_right_side("OspSystemStructure.xml");
}

TEST_F(OspRun, conversion_to_a_system_file_and_to_a_package_keeps_the_result) {
  write_structure("l", "", direct);
  write_yaml("l.F -> right.F_in");
  std::filesystem::create_directories(folder_.file("out"));
  for (const char* file : {"out/c.yaml", "out/c.ssp"}) {
    ConvertRequest request;
    request.from = folder_.file("OspSystemStructure.xml");
    request.to = folder_.file(file);
    request.tool = "seam test";
    convert(request, {});
    expect_same_right_side(file);
  }
}

}  // namespace
}  // namespace seam::engine
