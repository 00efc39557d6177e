// Descriptions of FMI 1.0, in the words of FMI 2.
#include <gtest/gtest.h>

#include "fmi/description_text.hpp"

namespace seam::fmi {
namespace {

const std::string stand_alone =
    "<Implementation><CoSimulation_StandAlone><Capabilities canHandleVariableCommunicationStepSize=\"true\" "
    "canInterpolateInputs=\"true\" maxOutputDerivativeOrder=\"2\" canBeInstantiatedOnlyOncePerProcess=\"true\"/>"
    "</CoSimulation_StandAlone></Implementation>\n";

std::string fmi1(const std::string& variables, const std::string& implementation = stand_alone) {
  return "<fmiModelDescription fmiVersion=\"1.0\" modelName=\"M\" modelIdentifier=\"m\" guid=\"{1}\" "
         "numberOfContinuousStates=\"2\" numberOfEventIndicators=\"3\">\n"
         "<UnitDefinitions><BaseUnit unit=\"rad\"><DisplayUnitDefinition displayUnit=\"deg\" gain=\"57.5\"/></BaseUnit>"
         "</UnitDefinitions>\n"
         "<TypeDefinitions><Type name=\"Gear\"><EnumerationType><Item name=\"first\"/><Item name=\"second\"/>"
         "</EnumerationType></Type><Type name=\"Angle\"><RealType unit=\"rad\" max=\"4\"/></Type></TypeDefinitions>\n"
         "<DefaultExperiment startTime=\"1\" stopTime=\"3\" tolerance=\"1e-4\"/>\n<ModelVariables>\n" +
         variables + "</ModelVariables>\n" + implementation + "</fmiModelDescription>\n";
}

std::string scalar(const std::string& attributes, const std::string& typed = "<Real/>") {
  return "<ScalarVariable valueReference=\"7\" " + attributes + ">" + typed + "</ScalarVariable>\n";
}

const Variable& only(const Read& read) {
  EXPECT_TRUE(read.is_read) << read.refusal();
  EXPECT_TRUE(read.is_clean()) << read.found_text();
  EXPECT_EQ(read.fmu.description.variables.size(), 1u);
  return read.fmu.description.variables.at(0);
}

TEST(Description1, co_simulation_has_its_capabilities_below_the_implementation) {
  const Read read(fmi1(""));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const ModelDescription& d = read.fmu.description;
  EXPECT_EQ(d.version, Version::fmi1);
  EXPECT_EQ(d.token, "{1}");
  ASSERT_TRUE(d.co_simulation);
  EXPECT_FALSE(d.model_exchange);
  EXPECT_EQ(d.co_simulation->model_identifier, "m");
  EXPECT_TRUE(d.co_simulation->can_handle_variable_step);
  EXPECT_TRUE(d.co_simulation->can_interpolate_inputs);
  EXPECT_TRUE(d.co_simulation->can_be_instantiated_only_once);
  EXPECT_EQ(d.co_simulation->max_output_derivative_order, 2u);
  EXPECT_FALSE(d.co_simulation->can_get_and_set_state);
  EXPECT_EQ(d.experiment.stop, 3.0);
}

TEST(Description1, what_has_no_implementation_is_for_model_exchange) {
  const Read read(fmi1("", ""));
  ASSERT_TRUE(read.is_read) << read.refusal();
  EXPECT_FALSE(read.fmu.description.co_simulation);
  ASSERT_TRUE(read.fmu.description.model_exchange);
  EXPECT_EQ(read.fmu.description.structure.continuous_states, 2u);
  EXPECT_EQ(read.fmu.description.structure.event_indicators, 3u);
}

TEST(Description1, an_fmu_that_needs_its_tool_is_refused_by_name) {
  const Read read(
      fmi1("", "<Implementation><CoSimulation_Tool><Capabilities/><Model/></CoSimulation_Tool></Implementation>"));
  EXPECT_NE(read.refusal().find("CoSimulation_Tool"), std::string::npos);
  EXPECT_EQ(read.problems.size(), 1u);
}

TEST(Description1, no_identifier_is_refused) {
  EXPECT_FALSE(Read("<fmiModelDescription fmiVersion=\"1.0\" modelName=\"m\" guid=\"1\"/>").is_read);
  EXPECT_FALSE(Read("<fmiModelDescription fmiVersion=\"1.0\" modelIdentifier=\"../m\" guid=\"1\"/>").is_read);
}

TEST(Description1, causality_and_variability_become_those_of_fmi2) {
  const auto kind = [](const std::string& attributes, const std::string& typed) {
    const Variable v = only(Read(fmi1(scalar("name=\"v\" " + attributes, typed))));
    return std::tuple(v.causality, v.variability, v.initial);
  };
  using C = Causality;
  using V = Variability;
  const std::string start = "<Real start=\"1\"/>", none = "<Real/>";
  EXPECT_EQ(kind("variability=\"parameter\"", start), std::tuple(C::parameter, V::fixed, Initial::exact));
  EXPECT_EQ(kind("variability=\"parameter\"", none),
            std::tuple(C::calculated_parameter, V::fixed, Initial::calculated));
  EXPECT_EQ(kind("causality=\"input\"", start), std::tuple(C::input, V::continuous, std::optional<Initial>()));
  EXPECT_EQ(kind("causality=\"input\"", "<Integer/>"), std::tuple(C::input, V::discrete, std::optional<Initial>()));
  EXPECT_EQ(kind("causality=\"output\"", none), std::tuple(C::output, V::continuous, Initial::calculated));
  EXPECT_EQ(kind("causality=\"none\"", start), std::tuple(C::local, V::continuous, Initial::exact));
  EXPECT_EQ(kind("", "<Real start=\"1\" fixed=\"false\"/>"), std::tuple(C::local, V::continuous, Initial::approx));
  EXPECT_EQ(kind("variability=\"constant\"", start), std::tuple(C::local, V::constant, Initial::exact));
}

TEST(Description1, types_and_units_are_found) {
  const Read gear(
      fmi1(scalar("name=\"g\" variability=\"discrete\"", "<Enumeration declaredType=\"Gear\" start=\"2\"/>")));
  ASSERT_EQ(only(gear).items.size(), 2u);
  EXPECT_EQ(only(gear).items[1].name, "second");
  EXPECT_EQ(only(gear).items[1].value, 2);
  const Read angle(fmi1(scalar("name=\"a\"", "<Real declaredType=\"Angle\" displayUnit=\"deg\"/>")));
  EXPECT_EQ(only(angle).unit, "rad");
  EXPECT_EQ(only(angle).max, 4.0);
  ASSERT_EQ(angle.fmu.description.units.size(), 1u);
  EXPECT_EQ(angle.fmu.description.units[0].displays.at(0).factor, 57.5);
  EXPECT_TRUE(Read(fmi1(scalar("name=\"a\"", "<Real unit=\"furlong\"/>"))).is_clean()) << "a unit needs no definition";
}

TEST(Description1, outputs_say_which_inputs_they_depend_on) {
  const Read read(
      fmi1(scalar("name=\"u\" causality=\"input\"") + scalar("name=\"w\" causality=\"input\"") +
           scalar("name=\"y\" causality=\"output\"", "<Real/><DirectDependency><Name>w</Name></DirectDependency>") +
           scalar("name=\"z\" causality=\"output\"", "<Real/><DirectDependency/>") +
           scalar("name=\"all\" causality=\"output\"")));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const auto& outputs = read.fmu.description.structure.outputs;
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].dependencies, (std::vector<std::size_t>{1}));
  EXPECT_EQ(outputs[1].dependencies, (std::vector<std::size_t>{}));
  EXPECT_FALSE(outputs[2].dependencies);
}

TEST(Description1, negated_aliases_get_references_of_their_own) {
  const Read read(fmi1(scalar("name=\"x\"") + scalar("name=\"same\" alias=\"alias\"") +
                       scalar("name=\"minus\" alias=\"negatedAlias\"") +
                       "<ScalarVariable name=\"taken\" valueReference=\"4294967294\"><Real/></ScalarVariable>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const ModelDescription& d = read.fmu.description;
  EXPECT_EQ(d.variables[1].value_reference, 7u);
  EXPECT_EQ(d.variables[2].value_reference, 4294967293u);
  EXPECT_EQ(d.negated, (std::unordered_map<std::uint32_t, std::uint32_t>{{4294967293u, 7u}}));
}

}  // namespace
}  // namespace seam::fmi
