#include "seam/report/fmu_report.hpp"

#include <gtest/gtest.h>

#include "fmi/description_text.hpp"
#include "seam/formats/json.hpp"

namespace seam::report {
namespace {

using fmi::Read;
using formats::Value;

Read sample() {
  Read read(
      fmi::fmi2("<CoSimulation modelIdentifier=\"m\" canHandleVariableCommunicationStepSize=\"true\" "
                "maxOutputDerivativeOrder=\"1\"/>"
                "<UnitDefinitions><Unit name=\"N.m\"/></UnitDefinitions>"
                "<TypeDefinitions><SimpleType name=\"E\"><Enumeration><Item name=\"open\" "
                "value=\"2\"/></Enumeration></SimpleType></TypeDefinitions>"
                "<DefaultExperiment stopTime=\"10\" stepSize=\"0.1\"/><ModelVariables>"
                "<ScalarVariable name=\"hidden\" valueReference=\"9\"><Real/></ScalarVariable>"
                "<ScalarVariable name=\"torque\" valueReference=\"1\" causality=\"input\" description=\"at the "
                "axle\"><Real start=\"1.50\" unit=\"N.m\"/></ScalarVariable>"
                "<ScalarVariable name=\"mode\" valueReference=\"2\" causality=\"parameter\" "
                "variability=\"fixed\"><Enumeration declaredType=\"E\" start=\"2\"/></ScalarVariable>"
                "</ModelVariables><ModelStructure/>"));
  read.fmu.path = "m.fmu";
  read.fmu.platforms = {"linux64", "win64"};
  read.fmu.ships_sources = true;
  return read;
}

TEST(FmuReport, the_card_tells_what_a_user_looks_for) {
  const std::string text = fmu_text(sample().fmu, Extent::first_lines);
  for (const char* const part : {"M: FMI 2.0", "m.fmu", "linux64, win64, sources", "stop 10 s, step 0.1 s",
                                 "variable steps", "output derivatives of order 1", "1 input", "1 parameter", "1 local",
                                 "N.m", "1.50", "at the axle", "2 (open)", "Real", "Enumeration"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("seam check"), std::string::npos) << text;
}

TEST(FmuReport, inputs_come_before_parameters_and_those_before_locals) {
  const std::string text = fmu_text(sample().fmu, Extent::first_lines);
  EXPECT_LT(text.find("torque"), text.find("mode"));
  EXPECT_LT(text.find("mode"), text.find("hidden"));
}

TEST(FmuReport, long_lists_end_in_a_count_unless_all_is_asked_for) {
  std::string variables;
  for (int i = 0; i < 100; ++i) {
    variables += "<ScalarVariable name=\"v" + std::to_string(i) + "\" valueReference=\"" + std::to_string(i) +
                 "\"><Real/></ScalarVariable>";
  }
  const Read read(fmi::fmi2_variables(variables));
  EXPECT_NE(fmu_text(read.fmu, Extent::first_lines).find("and 60 more"), std::string::npos);
  EXPECT_EQ(fmu_text(read.fmu, Extent::first_lines).find("v99"), std::string::npos);
  EXPECT_NE(fmu_text(read.fmu, Extent::all).find("v99"), std::string::npos);
  EXPECT_EQ(fmu_value(read.fmu).find("variables")->made_items().count, 100u);
}

TEST(FmuReport, what_a_stranger_wrote_cannot_steer_the_terminal) {
  const Read read(
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"&#27;]0;x&#7;\" guid=\"1\" description=\"a&#10;b\">" +
      fmi::co_simulation +
      "<ModelVariables><ScalarVariable name=\"&#27;[2J\" valueReference=\"1\" causality=\"input\" "
      "description=\"&#8238;\"><Real start=\"0\" unit=\"&#27;c\"/>"
      "</ScalarVariable></ModelVariables><ModelStructure/></fmiModelDescription>");
  ASSERT_TRUE(read.is_read) << read.refusal();
  const std::string text = fmu_text(read.fmu, Extent::all) + fmu_check_text(read.fmu, Extent::all);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_EQ((*fmu_value(read.fmu).find("variables")->made_items().make)(0).find("name")->string(), "\x1b[2J");
}

TEST(FmuReport, the_json_reads_back_with_the_same_values) {
  const Value value = formats::parse_json(formats::to_json(fmu_value(sample().fmu)));
  EXPECT_EQ(value.find("fmi_version")->string(), "2.0");
  EXPECT_EQ(value.find("default_experiment")->find("stop")->number(), 10.0);
  EXPECT_EQ(value.find("co_simulation")->find("variable_step")->boolean(), true);
  EXPECT_TRUE(value.find("model_exchange")->is(Value::Kind::null));
  const Value& torque = value.find("variables")->items().at(1);
  EXPECT_EQ(torque.find("causality")->string(), "input");
  EXPECT_EQ(torque.find("start")->items().at(0).string(), "1.50");
  EXPECT_EQ(value.find("variables")->items().at(2).find("items")->items().at(0).find("name")->string(), "open");
}

TEST(FmuReport, arrays_show_their_sizes) {
  const Read read(
      fmi::fmi3_variables("<UInt64 name=\"n\" valueReference=\"1\" causality=\"structuralParameter\" start=\"2\"/>"
                          "<Float32 name=\"A\" valueReference=\"2\" causality=\"input\" start=\"0\"><Dimension "
                          "start=\"3\"/><Dimension valueReference=\"1\"/></Float32>"));
  EXPECT_NE(fmu_text(read.fmu, Extent::all).find("Float32[3,n]"), std::string::npos);
}

TEST(FmuReport, a_check_counts_errors_and_warnings) {
  Read read(fmi::fmi2_variables(
      "<ScalarVariable name=\"a\" valueReference=\"1\" causality=\"input\"><Real nominal=\"0\"/></ScalarVariable>"));
  read.fmu.path = "m.fmu";
  const std::string text = fmu_check_text(read.fmu, Extent::first_lines);
  EXPECT_NE(text.find("m.fmu/modelDescription.xml:5: error: variable \"a\""), std::string::npos) << text;
  EXPECT_NE(text.find("m.fmu: 1 error, 1 warning"), std::string::npos) << text;
  EXPECT_EQ(fmu_check_value(read.fmu).find("errors")->integer(), 1);
  EXPECT_EQ(fmu_check_value(read.fmu).find("problems")->items().size(), 2u);
  EXPECT_NE(fmu_text(read.fmu, Extent::all).find("2 in the description, see seam check"), std::string::npos);
}

}  // namespace
}  // namespace seam::report
