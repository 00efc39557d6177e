#include <gtest/gtest.h>

#include <cmath>

#include "fmi/description_text.hpp"

namespace seam::fmi {
namespace {

TEST(Description2, general_attributes_are_read) {
  const Read read(
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"a b\" guid=\"{7}\" description=\"d\" author=\"me\" "
      "version=\"1.2\" "
      "copyright=\"c\" license=\"l\" generationTool=\"T\" generationDateAndTime=\"2024-01-01T00:00:00Z\" "
      "variableNamingConvention=\"structured\" numberOfEventIndicators=\"3\">" +
      co_simulation +
      "<LogCategories><Category name=\"logAll\" description=\"all\"/></LogCategories>"
      "<DefaultExperiment startTime=\"1\" stopTime=\"2.5e1\" tolerance=\"1e-6\" stepSize=\"0.5\"/>"
      "<ModelVariables/><ModelStructure/></fmiModelDescription>");
  ASSERT_TRUE(read.is_read) << read.refusal();
  const ModelDescription& d = read.fmu.description;
  EXPECT_EQ(d.version, Version::fmi2);
  EXPECT_EQ(d.version_text, "2.0");
  EXPECT_EQ(d.model_name, "a b");
  EXPECT_EQ(d.token, "{7}");
  EXPECT_EQ(d.description, "d");
  EXPECT_EQ(d.author, "me");
  EXPECT_EQ(d.model_version, "1.2");
  EXPECT_EQ(d.copyright, "c");
  EXPECT_EQ(d.license, "l");
  EXPECT_EQ(d.generation_tool, "T");
  EXPECT_EQ(d.naming_convention, "structured");
  EXPECT_EQ(d.structure.event_indicators, 3u);
  EXPECT_EQ(d.experiment.start, 1.0);
  EXPECT_EQ(d.experiment.stop, 25.0);
  EXPECT_EQ(d.experiment.tolerance, 1e-6);
  EXPECT_EQ(d.experiment.step, 0.5);
  ASSERT_EQ(d.log_categories.size(), 1u);
  EXPECT_EQ(d.log_categories[0].name, "logAll");
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description2, capabilities_are_read_with_the_defaults_of_the_standard) {
  const Read read(fmi2(
      "<ModelExchange modelIdentifier=\"me\" completedIntegratorStepNotNeeded=\"true\"/>"
      "<CoSimulation modelIdentifier=\"cs\" needsExecutionTool=\"1\" canHandleVariableCommunicationStepSize=\"true\" "
      "canInterpolateInputs=\"true\" maxOutputDerivativeOrder=\"2\" canRunAsynchronuously=\"true\" "
      "canBeInstantiatedOnlyOncePerProcess=\"true\" canNotUseMemoryManagementFunctions=\"true\" "
      "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\">"
      "<SourceFiles><File name=\"all.c\"/></SourceFiles></CoSimulation><ModelVariables/><ModelStructure/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const Interface& cs = *read.fmu.description.co_simulation;
  EXPECT_EQ(cs.model_identifier, "cs");
  EXPECT_TRUE(cs.needs_execution_tool && cs.can_handle_variable_step && cs.can_interpolate_inputs);
  EXPECT_TRUE(cs.runs_asynchronously && cs.can_be_instantiated_only_once && cs.can_not_use_memory_management);
  EXPECT_TRUE(cs.can_get_and_set_state && cs.can_serialize_state && cs.provides_directional_derivatives);
  EXPECT_EQ(cs.max_output_derivative_order, 2u);
  EXPECT_TRUE(cs.needs_completed_integrator_step);
  EXPECT_EQ(cs.source_files, std::vector<std::string>{"all.c"});
  const Interface& me = *read.fmu.description.model_exchange;
  EXPECT_FALSE(me.needs_completed_integrator_step);
  EXPECT_FALSE(me.can_get_and_set_state || me.can_handle_variable_step || me.provides_directional_derivatives);
}

TEST(Description3, capabilities_are_read_with_the_defaults_of_the_standard) {
  const Read read(
      fmi3("<ModelExchange modelIdentifier=\"me\"/>"
           "<CoSimulation modelIdentifier=\"cs\" hasEventMode=\"true\" providesIntermediateUpdate=\"true\" "
           "mightReturnEarlyFromDoStep=\"true\" canReturnEarlyAfterIntermediateUpdate=\"true\" "
           "fixedInternalStepSize=\"1e-3\" "
           "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"true\" "
           "providesAdjointDerivatives=\"true\" providesEvaluateDiscreteStates=\"true\"/>"
           "<ScheduledExecution modelIdentifier=\"se\"/><ModelVariables>" +
           time3 + "</ModelVariables><ModelStructure/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const Interface& cs = *read.fmu.description.co_simulation;
  EXPECT_TRUE(cs.has_event_mode && cs.provides_intermediate_update && cs.might_return_early);
  EXPECT_TRUE(cs.can_return_early_after_intermediate_update && cs.provides_adjoint_derivatives);
  EXPECT_TRUE(cs.can_get_and_set_state && cs.can_serialize_state && cs.provides_directional_derivatives);
  EXPECT_TRUE(cs.provides_evaluate_discrete_states);
  EXPECT_EQ(cs.fixed_internal_step, 1e-3);
  EXPECT_FALSE(read.fmu.description.model_exchange->needs_completed_integrator_step);
  EXPECT_TRUE(read.fmu.description.offers_scheduled_execution);
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description2, every_type_is_read) {
  const Read read(
      fmi2(co_simulation +
           "<TypeDefinitions><SimpleType name=\"E\"><Enumeration><Item name=\"a\" value=\"1\"/><Item name=\"b\" "
           "value=\"-4\"/>"
           "</Enumeration></SimpleType></TypeDefinitions><ModelVariables>"
           "<ScalarVariable name=\"r\" valueReference=\"1\" causality=\"input\"><Real start=\"1e3\"/></ScalarVariable>"
           "<ScalarVariable name=\"i\" valueReference=\"1\" causality=\"input\" variability=\"discrete\"><Integer "
           "start=\"-7\"/></ScalarVariable>"
           "<ScalarVariable name=\"b\" valueReference=\"1\" causality=\"input\" variability=\"discrete\"><Boolean "
           "start=\"true\"/></ScalarVariable>"
           "<ScalarVariable name=\"s\" valueReference=\"1\" causality=\"input\" variability=\"discrete\"><String "
           "start=\" a b \"/></ScalarVariable>"
           "<ScalarVariable name=\"e\" valueReference=\"2\" causality=\"input\" variability=\"discrete\"><Enumeration "
           "declaredType=\"E\" start=\"-4\"/></ScalarVariable>"
           "</ModelVariables><ModelStructure/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  EXPECT_EQ(read.variable("r").type, Type::float64);
  EXPECT_EQ(read.variable("i").type, Type::int32);
  EXPECT_EQ(read.variable("b").type, Type::boolean);
  EXPECT_EQ(read.variable("s").type, Type::string);
  EXPECT_EQ(read.variable("s").start, std::vector<std::string>{" a b "});
  EXPECT_EQ(read.variable("e").type, Type::enumeration);
  ASSERT_EQ(read.variable("e").items.size(), 2u);
  EXPECT_EQ(read.variable("e").items[1].value, -4);
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description3, every_type_is_read) {
  const std::vector<std::pair<std::string, Type>> types{
      {"Float32", Type::float32}, {"Float64", Type::float64}, {"Int8", Type::int8},      {"UInt8", Type::uint8},
      {"Int16", Type::int16},     {"UInt16", Type::uint16},   {"Int32", Type::int32},    {"UInt32", Type::uint32},
      {"Int64", Type::int64},     {"UInt64", Type::uint64},   {"Boolean", Type::boolean}};
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    text += "<" + types[i].first + " name=\"v" + std::to_string(i) + "\" valueReference=\"" + std::to_string(i + 1) +
            "\" causality=\"input\" start=\"1\"/>\n";
  }
  const Read read(fmi3_variables(text));
  ASSERT_TRUE(read.is_read) << read.refusal();
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Variable& v = read.variable("v" + std::to_string(i));
    EXPECT_EQ(v.type, types[i].second);
    EXPECT_EQ(v.variability, i < 2 ? Variability::continuous : Variability::discrete);
    EXPECT_EQ(v.initial, Initial::exact);
  }
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description3, strings_and_binaries_have_start_elements) {
  const Read read(
      fmi3_variables("<String name=\"s\" valueReference=\"1\" causality=\"parameter\"><Dimension start=\"2\"/><Start "
                     "value=\"a b\"/><Start value=\"\"/></String>"
                     "<Binary name=\"b\" valueReference=\"2\" causality=\"input\" mimeType=\"x/y\" "
                     "maxSize=\"9\"><Start value=\"666f6F\"/></Binary>"
                     "<Binary name=\"plain\" valueReference=\"3\" causality=\"input\"><Start value=\"\"/></Binary>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  EXPECT_EQ(read.variable("s").start, (std::vector<std::string>{"a b", ""}));
  EXPECT_EQ(read.variable("b").start, std::vector<std::string>{"666f6F"});
  EXPECT_EQ(read.variable("b").mime_type, "x/y");
  EXPECT_EQ(read.variable("b").max_size, 9u);
  EXPECT_EQ(read.variable("plain").mime_type, "application/octet-stream");
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description3, arrays_keep_their_dimensions_and_their_starts) {
  const Read read(
      fmi3_variables("<UInt64 name=\"n\" valueReference=\"1\" causality=\"structuralParameter\" start=\"3\"/>"
                     "<Float64 name=\"A\" valueReference=\"2\" causality=\"parameter\" start=\" 1 2\n3\t4 5 6 "
                     "\"><Dimension start=\"2\"/>"
                     "<Dimension valueReference=\"1\"/></Float64>"
                     "<Float64 name=\"x\" valueReference=\"3\" causality=\"parameter\" start=\"0\"><Dimension "
                     "valueReference=\"1\"/></Float64>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const Variable& a = read.variable("A");
  EXPECT_EQ(a.start, (std::vector<std::string>{"1", "2", "3", "4", "5", "6"}));
  ASSERT_EQ(a.dimensions.size(), 2u);
  EXPECT_EQ(a.dimensions[0].start, 2u);
  EXPECT_EQ(a.dimensions[1].value_reference, 1u);
  EXPECT_EQ(start_elements(read.fmu.description, a), 6u);
  EXPECT_EQ(start_elements(read.fmu.description, read.variable("n")), 1u);
  EXPECT_EQ(read.variable("n").variability, Variability::fixed);
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description3, aliases_are_found_by_their_names) {
  const Read read(
      fmi3_variables("<Float64 name=\"h\" valueReference=\"1\" causality=\"input\" start=\"0\"><Alias "
                     "name=\"height\"/><Alias name=\"z\"/></Float64>"));
  ASSERT_NE(read.fmu.description.find("z"), nullptr);
  EXPECT_EQ(read.fmu.description.find("z")->name, "h");
  EXPECT_EQ(read.fmu.description.find("none"), nullptr);
}

TEST(Description3, clocks_are_read) {
  const Read read(fmi3_variables(
      "<Clock name=\"c\" valueReference=\"1\" causality=\"input\" intervalVariability=\"constant\" "
      "intervalDecimal=\"0.5\" priority=\"2\"/>"
      "<Clock name=\"f\" valueReference=\"2\" causality=\"input\" intervalVariability=\"fixed\" "
      "supportsFraction=\"true\" "
      "resolution=\"1000\" intervalCounter=\"50\" shiftCounter=\"25\"/>"
      "<Int32 name=\"u\" valueReference=\"3\" causality=\"input\" start=\"0\" clocks=\"1 2\" previous=\"4\"/>"
      "<Int32 name=\"p\" valueReference=\"4\" causality=\"local\" clocks=\"1\"/>",
      "<ClockedState valueReference=\"3\"/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  EXPECT_EQ(read.variable("c").clock.interval_variability, "constant");
  EXPECT_EQ(read.variable("c").clock.interval, 0.5);
  EXPECT_EQ(read.variable("c").clock.priority, 2u);
  EXPECT_FALSE(read.variable("c").initial);
  EXPECT_EQ(read.variable("f").clock.interval, 0.05);
  EXPECT_EQ(read.variable("f").clock.shift, 0.025);
  EXPECT_EQ(read.variable("u").clocks, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(read.variable("u").previous, 4u);
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description2, type_definitions_are_defaults_and_the_variable_wins) {
  const Read read(
      fmi2(co_simulation +
           "<UnitDefinitions><Unit name=\"m\"/><Unit name=\"K\"><DisplayUnit name=\"degC\"/></Unit></UnitDefinitions>"
           "<TypeDefinitions><SimpleType name=\"T\"><Real quantity=\"Temp\" unit=\"K\" displayUnit=\"degC\" min=\"0\" "
           "max=\"500\" "
           "nominal=\"300\" relativeQuantity=\"true\"/></SimpleType></TypeDefinitions><ModelVariables>"
           "<ScalarVariable name=\"a\" valueReference=\"1\" causality=\"input\"><Real declaredType=\"T\" "
           "start=\"1\"/></ScalarVariable>"
           "<ScalarVariable name=\"b\" valueReference=\"2\" causality=\"input\"><Real declaredType=\"T\" start=\"1\" "
           "max=\"9\" "
           "relativeQuantity=\"false\"/></ScalarVariable></ModelVariables><ModelStructure/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const Variable& a = read.variable("a");
  EXPECT_EQ(a.unit, "K");
  EXPECT_EQ(a.display_unit, "degC");
  EXPECT_EQ(a.quantity, "Temp");
  EXPECT_EQ(a.declared_type, "T");
  EXPECT_EQ(a.min, 0.0);
  EXPECT_EQ(a.max, 500.0);
  EXPECT_EQ(a.nominal, 300.0);
  EXPECT_TRUE(a.relative_quantity);
  EXPECT_EQ(read.variable("b").max, 9.0);
  EXPECT_FALSE(read.variable("b").relative_quantity);
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description3, type_definitions_of_every_kind_are_defaults) {
  const Read read(
      fmi3(co_simulation +
           "<TypeDefinitions><Float32Type name=\"F\" min=\"-INF\" max=\"INF\"/><EnumerationType name=\"E\">"
           "<Item name=\"a\" value=\"5000000000\"/></EnumerationType><BinaryType name=\"B\" mimeType=\"a/b\"/>"
           "<ClockType name=\"C\" intervalVariability=\"countdown\"/></TypeDefinitions><ModelVariables>" +
           time3 +
           "<Float32 name=\"f\" valueReference=\"1\" causality=\"input\" declaredType=\"F\" start=\"0\"/>"
           "<Enumeration name=\"e\" valueReference=\"2\" causality=\"input\" declaredType=\"E\" start=\"5000000000\"/>"
           "<Binary name=\"b\" valueReference=\"3\" declaredType=\"B\"/><Clock name=\"c\" valueReference=\"4\" "
           "causality=\"input\" declaredType=\"C\"/>"
           "</ModelVariables><ModelStructure/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  EXPECT_EQ(read.variable("f").min, -INFINITY);
  EXPECT_EQ(read.variable("f").max, INFINITY);
  EXPECT_EQ(read.variable("e").items.at(0).value, 5000000000);
  EXPECT_EQ(read.variable("b").mime_type, "a/b");
  EXPECT_EQ(read.variable("c").clock.interval_variability, "countdown");
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description, units_are_read_with_exponents_factor_and_display_units) {
  const Read read(
      fmi2(co_simulation +
           "<UnitDefinitions><Unit name=\"rpm\"><BaseUnit s=\"-1\" rad=\"1\" factor=\"0.10471975511965977\"/>"
           "<DisplayUnit name=\"1/s\" factor=\"0.016\" offset=\"2\" inverse=\"true\"/></Unit><Unit "
           "name=\"odd\"/></UnitDefinitions>"
           "<ModelVariables/><ModelStructure/>"));
  ASSERT_EQ(read.fmu.description.units.size(), 2u);
  const Unit& rpm = read.fmu.description.units[0];
  EXPECT_TRUE(rpm.has_base);
  EXPECT_EQ(rpm.exponents[2], -1);
  EXPECT_EQ(rpm.exponents[7], 1);
  EXPECT_EQ(rpm.factor, 0.10471975511965977);
  ASSERT_EQ(rpm.displays.size(), 1u);
  EXPECT_EQ(rpm.displays[0].offset, 2.0);
  EXPECT_TRUE(rpm.displays[0].inverse);
  EXPECT_FALSE(read.fmu.description.units[1].has_base);
}

TEST(Description, a_unit_nobody_can_read_has_no_base) {
  for (const char* const base :
       {"m=\"x\"", "factor=\"x\"", "factor=\"0\"", "factor=\"NaN\"", "factor=\"INF\"", "offset=\"?\""}) {
    const Read read(fmi2(co_simulation + "<UnitDefinitions><Unit name=\"u\"><BaseUnit kg=\"1\" " + base +
                         "/></Unit></UnitDefinitions><ModelVariables/><ModelStructure/>"));
    ASSERT_TRUE(read.is_read) << base;
    EXPECT_FALSE(read.fmu.description.units.at(0).has_base) << base;
    EXPECT_EQ(read.fmu.description.units.at(0).factor, 1.0) << base;
    EXPECT_EQ(read.found().size(), 1u) << base << read.found_text();
  }
}

const std::string chain2 =
    "<ScalarVariable name=\"u\" valueReference=\"0\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>"
    "<ScalarVariable name=\"x\" valueReference=\"1\" causality=\"output\" initial=\"exact\"><Real "
    "start=\"0\"/></ScalarVariable>"
    "<ScalarVariable name=\"der(x)\" valueReference=\"2\"><Real derivative=\"2\"/></ScalarVariable>";

TEST(Description2, the_structure_counts_from_one_and_keeps_missing_apart_from_empty) {
  const Read read(fmi2_variables(
      chain2 + "<ScalarVariable name=\"y\" valueReference=\"3\" causality=\"output\"><Real/></ScalarVariable>",
      "<Outputs><Unknown index=\"2\" dependencies=\"\"/><Unknown index=\"4\"/></Outputs>"
      "<Derivatives><Unknown index=\"3\" dependencies=\"1 2\" dependenciesKind=\"constant dependent\"/></Derivatives>"
      "<InitialUnknowns><Unknown index=\"3\"/><Unknown index=\"4\"/></InitialUnknowns>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const ModelStructure& structure = read.fmu.description.structure;
  ASSERT_EQ(structure.outputs.size(), 2u);
  EXPECT_EQ(structure.outputs[0].variable, 1u);
  ASSERT_TRUE(structure.outputs[0].dependencies);
  EXPECT_TRUE(structure.outputs[0].dependencies->empty());
  EXPECT_FALSE(structure.outputs[1].dependencies);
  ASSERT_EQ(structure.derivatives.size(), 1u);
  EXPECT_EQ(*structure.derivatives[0].dependencies, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(structure.derivatives[0].dependency_kinds, (std::vector<std::string>{"constant", "dependent"}));
  EXPECT_EQ(read.variable("der(x)").derivative_of, 1u);
  EXPECT_EQ(structure.initial_unknowns.size(), 2u);
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description2, indices_stay_right_behind_a_variable_that_cannot_be_read) {
  const Read read(fmi2_variables(
      "<ScalarVariable name=\"broken\" valueReference=\"-1\"><Real/></ScalarVariable>"
      "<ScalarVariable name=\"y\" valueReference=\"1\" causality=\"output\"><Real/></ScalarVariable>",
      "<Outputs><Unknown index=\"2\"/></Outputs><InitialUnknowns><Unknown index=\"2\"/></InitialUnknowns>"));
  ASSERT_EQ(read.fmu.description.variables.size(), 1u);
  ASSERT_EQ(read.fmu.description.structure.outputs.size(), 1u);
  EXPECT_EQ(read.fmu.description.structure.outputs[0].variable, 0u);
}

TEST(Description3, the_structure_goes_by_value_references) {
  const Read read(fmi3_variables(
      "<Float64 name=\"x\" valueReference=\"70\" causality=\"output\" initial=\"exact\" start=\"1\"/>"
      "<Float64 name=\"der(x)\" valueReference=\"80\" derivative=\"70\"/>"
      "<Float64 name=\"z\" valueReference=\"90\"><Dimension start=\"4\"/></Float64>",
      "<Output valueReference=\"70\" dependencies=\"70\"/><ContinuousStateDerivative valueReference=\"80\"/>"
      "<InitialUnknown valueReference=\"80\"/><EventIndicator valueReference=\"90\"/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  const ModelStructure& structure = read.fmu.description.structure;
  EXPECT_EQ(structure.outputs.at(0).variable, 1u);
  EXPECT_EQ(structure.derivatives.at(0).variable, 2u);
  EXPECT_EQ(read.variable("der(x)").derivative_of, 1u);
  EXPECT_EQ(structure.event_indicators, 4u);
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description, the_default_of_initial_follows_the_tables) {
  const Read two(fmi2_variables(
      "<ScalarVariable name=\"p\" valueReference=\"0\" causality=\"parameter\" variability=\"fixed\"><Real "
      "start=\"0\"/></ScalarVariable>"
      "<ScalarVariable name=\"u\" valueReference=\"1\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>"
      "<ScalarVariable name=\"c\" valueReference=\"2\" variability=\"constant\"><Real start=\"0\"/></ScalarVariable>"
      "<ScalarVariable name=\"w\" valueReference=\"3\"><Real/></ScalarVariable>"
      "<ScalarVariable name=\"t\" valueReference=\"4\" causality=\"independent\"><Real/></ScalarVariable>"));
  EXPECT_EQ(two.variable("p").initial, Initial::exact);
  EXPECT_EQ(two.variable("u").initial, std::nullopt);
  EXPECT_EQ(two.variable("c").initial, Initial::exact);
  EXPECT_EQ(two.variable("w").initial, Initial::calculated);
  EXPECT_EQ(two.variable("w").causality, Causality::local);
  EXPECT_EQ(two.variable("t").initial, std::nullopt);
  EXPECT_TRUE(two.is_clean()) << two.found_text();
}

TEST(Description, unknown_elements_are_ignored) {
  const Read read(
      fmi2("<Surprise a=\"b\"><Inner/></Surprise>" + co_simulation +
           "<ModelVariables><ScalarVariable name=\"u\" valueReference=\"0\" causality=\"input\"><Real start=\"0\"/>"
           "<Annotations><Tool name=\"x\"><Real start=\"9\"/></Tool></Annotations></ScalarVariable></ModelVariables>"
           "<VendorAnnotations/><ModelStructure/>"));
  EXPECT_EQ(read.variable("u").start, std::vector<std::string>{"0"});
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

TEST(Description2, equal_value_references_of_one_base_type_are_aliases_and_no_problem) {
  const Read read(
      fmi2_variables("<ScalarVariable name=\"a\" valueReference=\"7\" causality=\"parameter\" "
                     "variability=\"fixed\"><Real start=\"0\"/></ScalarVariable>"
                     "<ScalarVariable name=\"b\" valueReference=\"7\"><Real/></ScalarVariable>"
                     "<ScalarVariable name=\"c\" valueReference=\"7\" causality=\"parameter\" "
                     "variability=\"fixed\"><Integer start=\"0\"/></ScalarVariable>"));
  EXPECT_TRUE(read.is_clean()) << read.found_text();
}

}  // namespace
}  // namespace seam::fmi
