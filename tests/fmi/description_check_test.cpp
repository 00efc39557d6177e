#include <gtest/gtest.h>

#include "fmi/description_text.hpp"

namespace seam::fmi {
namespace {

std::string scalar(const std::string& attributes, const std::string& typed) {
  return "<ScalarVariable name=\"v\" valueReference=\"1\" " + attributes + ">" + typed + "</ScalarVariable>\n";
}

Read one2(const std::string& attributes, const std::string& typed) {
  return Read(fmi2_variables(scalar(attributes, typed)));
}

Read one3(const std::string& element) { return Read(fmi3_variables(element)); }

TEST(DescriptionCheck, an_output_missing_in_the_structure_is_an_error_at_its_line) {
  const Read read = one2("causality=\"output\" initial=\"exact\"", "<Real start=\"0\"/>");
  EXPECT_TRUE(read.only_problem_is("missing in the model structure")) << read.found_text();
  EXPECT_EQ(read.found()[0].line, 5);
  EXPECT_EQ(read.found()[0].grade, DescriptionProblem::Grade::error);
}

TEST(DescriptionCheck, an_undefined_unit_is_an_error) {
  EXPECT_TRUE(one2("causality=\"input\"", "<Real start=\"0\" unit=\"furlong\"/>")
                  .only_problem_is("\"furlong\" is not defined"));
}

TEST(DescriptionCheck, a_display_unit_needs_its_unit) {
  EXPECT_TRUE(one2("causality=\"input\"", "<Real start=\"0\" displayUnit=\"km\"/>").only_problem_is("without a unit"));
  const Read read(fmi2(co_simulation + "<UnitDefinitions><Unit name=\"m\"/></UnitDefinitions><ModelVariables>" +
                       scalar("causality=\"input\"", "<Real start=\"0\" unit=\"m\" displayUnit=\"km\"/>") +
                       "</ModelVariables><ModelStructure/>"));
  EXPECT_TRUE(read.only_problem_is("\"km\" is not defined for the unit \"m\"")) << read.found_text();
}

TEST(DescriptionCheck, a_forbidden_combination_is_an_error) {
  EXPECT_TRUE(one2("causality=\"input\" variability=\"fixed\"", "<Real start=\"0\"/>")
                  .only_problem_is("variability fixed is not allowed with causality input"));
}

TEST(DescriptionCheck, initial_on_an_input_is_an_error_in_fmi2_and_means_nothing) {
  const Read read = one2("causality=\"input\" initial=\"approx\"", "<Real start=\"0\"/>");
  EXPECT_TRUE(read.only_problem_is("initial must not be given")) << read.found_text();
  EXPECT_EQ(read.variable("v").initial, std::nullopt);
}

TEST(DescriptionCheck, initial_exact_on_an_input_is_fine_in_fmi3) {
  EXPECT_TRUE(
      one3("<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" initial=\"exact\" start=\"0\"/>").is_clean());
}

TEST(DescriptionCheck, a_forbidden_initial_is_an_error) {
  EXPECT_TRUE(one2("causality=\"parameter\" variability=\"fixed\" initial=\"approx\"", "<Real start=\"0\"/>")
                  .only_problem_is("initial approx is not allowed"));
}

TEST(DescriptionCheck, a_missing_start_is_an_error_where_one_is_required) {
  EXPECT_TRUE(one2("causality=\"input\"", "<Real/>").only_problem_is("start value is required"));
  EXPECT_TRUE(
      one2("causality=\"parameter\" variability=\"fixed\"", "<Real/>").only_problem_is("start value is required"));
  EXPECT_TRUE(one2("variability=\"constant\"", "<Real/>").only_problem_is("start value is required"));
  EXPECT_TRUE(one2("initial=\"approx\"", "<Real/>").only_problem_is("start value is required"));
  EXPECT_TRUE(
      one3("<String name=\"v\" valueReference=\"1\" causality=\"input\"/>").only_problem_is("start value is required"));
}

TEST(DescriptionCheck, a_start_of_a_calculated_variable_is_an_error) {
  EXPECT_TRUE(one2("", "<Real start=\"0\"/>").only_problem_is("not allowed"));
}

TEST(DescriptionCheck, the_independent_variable_has_neither_start_nor_initial_and_is_real) {
  EXPECT_TRUE(one2("causality=\"independent\"", "<Real start=\"0\"/>").only_problem_is("must not have a start"));
  EXPECT_TRUE(
      one2("causality=\"independent\" initial=\"exact\"", "<Real/>").only_problem_is("initial must not be given"));
  EXPECT_FALSE(one2("causality=\"independent\"", "<Integer/>").is_clean());
}

TEST(DescriptionCheck, there_is_one_independent_variable) {
  const std::string time =
      "<ScalarVariable name=\"t\" valueReference=\"0\" causality=\"independent\"><Real/></ScalarVariable>";
  EXPECT_TRUE(Read(fmi2_variables(time + scalar("causality=\"independent\"", "<Real/>")))
                  .only_problem_is("more than one independent"));
  EXPECT_TRUE(Read(fmi3(co_simulation + "<ModelVariables/><ModelStructure/>")).only_problem_is("no independent"));
}

TEST(DescriptionCheck, a_name_used_twice_is_an_error_at_the_second) {
  const std::string variable = scalar("causality=\"input\"", "<Real start=\"0\"/>");
  std::string other = variable;
  other.replace(other.find("\"1\""), 3, "\"2\"");
  const Read read(fmi2_variables(variable + other));
  EXPECT_TRUE(read.only_problem_is("two variables called \"v\"")) << read.found_text();
  EXPECT_EQ(read.found()[0].line, 6);
}

TEST(DescriptionCheck, an_alias_counts_as_a_name) {
  EXPECT_TRUE(
      one3("<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"0\"><Alias name=\"time\"/></Float64>")
          .only_problem_is("two variables called \"time\""));
}

TEST(DescriptionCheck, a_value_reference_used_twice_is_an_error_in_fmi3) {
  EXPECT_TRUE(one3("<Int8 name=\"v\" valueReference=\"0\" causality=\"input\" start=\"0\"/>")
                  .only_problem_is("value reference 0"));
}

TEST(DescriptionCheck, aliases_of_fmi2_have_one_start_and_one_unit) {
  const std::string first =
      "<ScalarVariable name=\"a\" valueReference=\"1\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>";
  const Read starts(
      fmi2_variables(first + scalar("causality=\"parameter\" variability=\"fixed\"", "<Real start=\"0\"/>")));
  EXPECT_TRUE(starts.only_problem_is("only one of them may have a start")) << starts.found_text();
  const Read units(fmi2(co_simulation + "<UnitDefinitions><Unit name=\"m\"/></UnitDefinitions><ModelVariables>" +
                        first + scalar("", "<Real unit=\"m\"/>") + "</ModelVariables><ModelStructure/>"));
  EXPECT_TRUE(units.only_problem_is("units differ")) << units.found_text();
}

TEST(DescriptionCheck, a_dependency_on_an_unknown_index_is_an_error_and_reads_as_all_knowns) {
  const Read read(fmi2_variables(scalar("causality=\"output\" initial=\"exact\"", "<Real start=\"0\"/>"),
                                 "<Outputs><Unknown index=\"1\" dependencies=\"1 99\"/></Outputs>"));
  EXPECT_TRUE(read.only_problem_is("index 99")) << read.found_text();
  EXPECT_FALSE(read.fmu.description.structure.outputs.at(0).dependencies);
}

TEST(DescriptionCheck, an_unknown_index_in_the_structure_is_an_error) {
  EXPECT_TRUE(Read(fmi2_variables("", "<Outputs><Unknown index=\"0\"/></Outputs>")).only_problem_is("index 0"));
  EXPECT_TRUE(Read(fmi3_variables("", "<Output valueReference=\"5\"/>")).only_problem_is("value reference 5"));
}

TEST(DescriptionCheck, the_outputs_of_the_structure_are_outputs_and_there_once) {
  EXPECT_TRUE(Read(fmi3_variables("", "<Output valueReference=\"0\"/>")).only_problem_is("causality is independent"));
  const Read twice(fmi2_variables(scalar("causality=\"output\" initial=\"exact\"", "<Real start=\"0\"/>"),
                                  "<Outputs><Unknown index=\"1\"/><Unknown index=\"1\"/></Outputs>"));
  EXPECT_TRUE(twice.only_problem_is("twice")) << twice.found_text();
}

TEST(DescriptionCheck, a_state_derivative_says_of_which_state) {
  const Read read(fmi2_variables(
      scalar("", "<Real/>"),
      "<Derivatives><Unknown index=\"1\"/></Derivatives><InitialUnknowns><Unknown index=\"1\"/></InitialUnknowns>"));
  EXPECT_TRUE(read.only_problem_is("of which state")) << read.found_text();
}

TEST(DescriptionCheck, a_missing_initial_unknown_is_an_error) {
  const Read read(
      fmi2_variables(scalar("causality=\"output\"", "<Real/>"), "<Outputs><Unknown index=\"1\"/></Outputs>"));
  EXPECT_TRUE(read.only_problem_is("initial unknowns")) << read.found_text();
}

TEST(DescriptionCheck, kinds_of_dependencies_are_as_many_as_dependencies) {
  const std::string variables = scalar("causality=\"output\" initial=\"exact\"", "<Real start=\"0\"/>");
  EXPECT_TRUE(Read(fmi2_variables(
                       variables,
                       "<Outputs><Unknown index=\"1\" dependencies=\"1\" dependenciesKind=\"fixed fixed\"/></Outputs>"))
                  .only_problem_is("2 items"));
  EXPECT_TRUE(Read(fmi2_variables(variables, "<Outputs><Unknown index=\"1\" dependenciesKind=\"fixed\"/></Outputs>"))
                  .only_problem_is("without dependencies"));
}

TEST(DescriptionCheck, a_start_outside_of_min_and_max_is_an_error) {
  EXPECT_TRUE(one2("causality=\"input\"", "<Real start=\"2\" max=\"1\"/>").only_problem_is("outside"));
  EXPECT_TRUE(one2("causality=\"input\" variability=\"discrete\"", "<Integer start=\"-2\" min=\"-1\"/>")
                  .only_problem_is("outside"));
  EXPECT_TRUE(
      one3("<UInt64 name=\"v\" valueReference=\"1\" causality=\"input\" min=\"1\" start=\"18446744073709551615\"/>")
          .is_clean());
}

TEST(DescriptionCheck, min_larger_than_max_is_an_error) {
  EXPECT_TRUE(one2("", "<Real min=\"2\" max=\"1\"/>").only_problem_is("min 2 is larger than max 1"));
}

TEST(DescriptionCheck, a_nominal_of_zero_is_a_warning) {
  const Read read = one2("", "<Real nominal=\"0\"/>");
  ASSERT_TRUE(read.only_problem_is("nominal"));
  EXPECT_EQ(read.found()[0].grade, DescriptionProblem::Grade::warning);
}

std::string with_enumeration(const std::string& variable) {
  return fmi2(
      co_simulation +
      "<TypeDefinitions><SimpleType name=\"E\"><Enumeration><Item name=\"a\" value=\"1\"/></Enumeration></SimpleType>"
      "<SimpleType name=\"R\"><Real/></SimpleType></TypeDefinitions><ModelVariables>" +
      variable + "</ModelVariables><ModelStructure/>");
}

TEST(DescriptionCheck, an_enumeration_starts_at_one_of_its_items) {
  const Read read(with_enumeration(
      scalar("causality=\"input\" variability=\"discrete\"", "<Enumeration declaredType=\"E\" start=\"2\"/>")));
  EXPECT_TRUE(read.only_problem_is("none of the items")) << read.found_text();
}

TEST(DescriptionCheck, an_enumeration_needs_a_declared_type) {
  EXPECT_TRUE(one2("causality=\"input\" variability=\"discrete\"", "<Enumeration start=\"2\"/>")
                  .only_problem_is("declaredType"));
}

TEST(DescriptionCheck, a_declared_type_exists_and_is_of_the_variables_type) {
  EXPECT_TRUE(one2("", "<Real declaredType=\"T\"/>").only_problem_is("declaredType \"T\""));
  EXPECT_TRUE(Read(with_enumeration(scalar("variability=\"discrete\"", "<Enumeration declaredType=\"R\"/>")))
                  .only_problem_is("is of type \"Real\""));
}

TEST(DescriptionCheck, units_types_items_and_categories_are_defined_once) {
  const std::string rest = "<ModelVariables/><ModelStructure/>";
  EXPECT_TRUE(
      Read(fmi2(co_simulation + "<UnitDefinitions><Unit name=\"m\"/><Unit name=\"m\"/></UnitDefinitions>" + rest))
          .only_problem_is("twice"));
  EXPECT_TRUE(Read(fmi2(co_simulation +
                        "<TypeDefinitions><SimpleType name=\"a\"><Real/></SimpleType><SimpleType "
                        "name=\"a\"><Real/></SimpleType></TypeDefinitions>" +
                        rest))
                  .only_problem_is("twice"));
  EXPECT_TRUE(Read(fmi2(co_simulation +
                        "<TypeDefinitions><SimpleType name=\"a\"><Enumeration><Item name=\"x\" value=\"1\"/><Item "
                        "name=\"y\" value=\"1\"/></Enumeration></SimpleType></TypeDefinitions>" +
                        rest))
                  .only_problem_is("twice"));
  EXPECT_TRUE(
      Read(fmi2(co_simulation + "<LogCategories><Category name=\"a\"/><Category name=\"a\"/></LogCategories>" + rest))
          .only_problem_is("twice"));
}

TEST(DescriptionCheck, attributes_that_cannot_be_read_are_errors_and_left_out) {
  const Read max = one2("", "<Real max=\"1,5\"/>");
  EXPECT_TRUE(max.only_problem_is("max of <Real> is \"1,5\"")) << max.found_text();
  EXPECT_FALSE(max.variable("v").max);
  EXPECT_TRUE(one2("causality=\"inptu\"", "<Real/>").only_problem_is("did you mean \"input\""));
  EXPECT_TRUE(
      Read(fmi2("<CoSimulation modelIdentifier=\"m\" canInterpolateInputs=\"yes\"/><ModelVariables/><ModelStructure/>"))
          .only_problem_is("not true or false"));
}

TEST(DescriptionCheck, a_start_that_is_no_value_of_the_type_is_one_error_and_left_out) {
  for (const char* const typed :
       {"<Real start=\"1,5\"/>", "<Real start=\"\"/>", "<Real start=\"0x10\"/>", "<Integer start=\"1.5\"/>",
        "<Integer start=\"3000000000\"/>", "<Boolean start=\"yes\"/>"}) {
    const Read read = one2("causality=\"input\" variability=\"discrete\"", typed);
    EXPECT_EQ(read.found().size(), 1u) << typed << read.found_text();
    EXPECT_TRUE(read.variable("v").start.empty()) << typed;
    EXPECT_FALSE(read.variable("v").start_readable) << typed;
  }
  EXPECT_TRUE(
      one3("<Int8 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"128\"/>").only_problem_is("is no Int8"));
  EXPECT_TRUE(
      one3("<UInt8 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"-1\"/>").only_problem_is("is no UInt8"));
  EXPECT_TRUE(one3("<Binary name=\"v\" valueReference=\"1\" causality=\"input\"><Start value=\"abc\"/></Binary>")
                  .only_problem_is("hexadecimal"));
  EXPECT_TRUE(
      one3("<String name=\"v\" valueReference=\"1\" causality=\"input\" start=\"a\"/>").only_problem_is("<Start"));
}

TEST(DescriptionCheck, the_variability_of_fmi2_must_be_written_where_continuous_is_wrong) {
  const Read integer = one2("causality=\"input\"", "<Integer start=\"0\"/>");
  EXPECT_TRUE(integer.only_problem_is("read as discrete")) << integer.found_text();
  EXPECT_EQ(integer.variable("v").variability, Variability::discrete);
  const Read parameter = one2("causality=\"parameter\"", "<Real start=\"0\"/>");
  EXPECT_TRUE(parameter.only_problem_is("read as fixed")) << parameter.found_text();
  EXPECT_TRUE(one2("causality=\"input\" variability=\"continuous\"", "<Boolean start=\"1\"/>")
                  .only_problem_is("floating-point"));
}

TEST(DescriptionCheck, arrays_have_as_many_starts_as_elements) {
  EXPECT_TRUE(one3("<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"1 2\"><Dimension "
                   "start=\"3\"/></Float64>")
                  .only_problem_is("2 start values for 3 elements"));
  EXPECT_TRUE(one3("<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"1 2\"/>")
                  .only_problem_is("a scalar has 2"));
  EXPECT_TRUE(
      one3(
          "<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"1\"><Dimension start=\"3\"/></Float64>")
          .is_clean());
}

TEST(DescriptionCheck, dimensions_are_positive_and_given_by_sizes) {
  const std::string head = "<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"1\">";
  EXPECT_TRUE(one3(head + "<Dimension start=\"0\"/></Float64>").only_problem_is("must not be 0"));
  EXPECT_FALSE(one3(head + "<Dimension/></Float64>").is_clean());
  EXPECT_FALSE(one3(head + "<Dimension valueReference=\"9\"/></Float64>").is_clean());
  EXPECT_FALSE(one3(head + "<Dimension valueReference=\"0\"/></Float64>").is_clean());
}

TEST(DescriptionCheck, clocks_are_discrete_signals_with_an_interval) {
  const std::string head = "<Clock name=\"v\" valueReference=\"1\" causality=\"input\" ";
  EXPECT_TRUE(one3(head + "/>").only_problem_is("intervalVariability"));
  EXPECT_TRUE(one3(head + "intervalVariability=\"constant\"/>").only_problem_is("needs its interval"));
  EXPECT_TRUE(one3(head + "intervalVariability=\"constant\" intervalDecimal=\"0\"/>").only_problem_is("positive"));
  EXPECT_TRUE(one3("<Int32 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"0\" clocks=\"0\"/>")
                  .only_problem_is("no clock"));
}

TEST(DescriptionCheck, an_experiment_runs_forward_in_positive_steps) {
  const std::string rest = "<ModelVariables/><ModelStructure/>";
  EXPECT_TRUE(Read(fmi2(co_simulation + "<DefaultExperiment startTime=\"2\" stopTime=\"1\"/>" + rest))
                  .only_problem_is("before it starts"));
  const Read read(fmi2(co_simulation + "<DefaultExperiment stepSize=\"-1\"/>" + rest));
  EXPECT_TRUE(read.only_problem_is("not positive"));
  EXPECT_FALSE(read.fmu.description.experiment.step);
}

TEST(DescriptionCheck, required_attributes_are_missed) {
  const Read read("<fmiModelDescription fmiVersion=\"2.0\">" + co_simulation +
                  "<ModelVariables/><ModelStructure/></fmiModelDescription>");
  EXPECT_NE(read.found_text().find("modelName"), std::string::npos);
  EXPECT_NE(read.found_text().find("guid"), std::string::npos);
  EXPECT_EQ(Read(fmi2(co_simulation)).found().size(), 2u);  // no variables, no structure
}

}  // namespace
}  // namespace seam::fmi
