#include "ssp/package_reader.hpp"

namespace seam::ssp {
namespace {

using Connections = Packages;

const std::string linear = R"(<ssc:LinearTransformation factor="3" offset="2"/>)";

TEST_F(Connections, kinds_decide_the_direction_and_not_start_and_end) {
  pack(ssd(elements(component("A") + component("B")) +
           connections(connection("B.u", "A.y") + connection("B.y", "A.u"))));
  EXPECT_EQ(wires(read_sound()), (Wires{"A.y -> B.u", "B.y -> A.u"}));
}

TEST_F(Connections, connector_of_a_nested_system_is_another_name_for_what_is_behind_it) {
  const std::string inner = "<ssd:System name=\"Inner\"><ssd:Connectors>" + connector("in", "input") +
                            connector("out", "output") + "</ssd:Connectors>" + elements(component("C")) +
                            connections(connection("C.u", "in") + connection("out", "C.y")) + "</ssd:System>";
  pack(ssd(elements(component("A") + inner) +
           connections(connection("A.y", "Inner.in") + connection("Inner.out", "A.u"))));
  const auto d = read_sound();
  EXPECT_EQ(wires(d), (Wires{"A.y -> Inner.C.u", "Inner.C.y -> A.u"}));
  ASSERT_EQ(d.aliases.size(), 2u);
  EXPECT_EQ(d.aliases[0].name, "Inner.out");
  EXPECT_EQ(d.aliases[0].ports, Wires{"Inner.C.y"});
  EXPECT_EQ(d.aliases[1].name, "Inner.in");
  EXPECT_EQ(d.aliases[1].ports, Wires{"Inner.C.u"});
}

TEST_F(Connections, input_of_a_system_fans_out_and_an_input_may_pass_straight_through) {
  const std::string inner =
      "<ssd:System name=\"S\"><ssd:Connectors>" + connector("in", "input") + connector("through", "output") +
      "</ssd:Connectors>" + elements(component("C") + component("D")) +
      connections(connection("in", "C.u") + connection("in", "D.u") + connection("in", "through")) + "</ssd:System>";
  pack(ssd(elements(component("A") + inner + component("B")) +
           connections(connection("A.y", "S.in") + connection("S.through", "B.u"))));
  EXPECT_EQ(wires(read_sound()), (Wires{"A.y -> B.u", "A.y -> S.C.u", "A.y -> S.D.u"}));
}

TEST_F(Connections, input_of_the_root_is_free_and_has_the_ports_behind_it_as_other_names) {
  pack(ssd("<ssd:Connectors>" + connector("x", "input") + "</ssd:Connectors>" +
           elements(component("A") + component("B")) + connections(connection("x", "A.u") + connection("x", "B.u"))));
  const auto d = read_sound();
  EXPECT_TRUE(d.connections.empty());
  ASSERT_EQ(d.aliases.size(), 1u);
  EXPECT_EQ(d.aliases[0].name, "x");
  EXPECT_EQ(d.aliases[0].ports, (Wires{"A.u", "B.u"}));
}

TEST_F(Connections, two_inputs_cannot_be_joined) {
  pack(ssd(elements(component("A") + component("B")) + connections(connection("A.u", "B.u"))));
  expect_problem("x.ssp/SystemStructure.ssd:6:", "\"A.u\" and \"B.u\" both take values here");
}

TEST_F(Connections, second_source_of_an_input_is_a_problem_at_its_line) {
  pack(ssd(elements(component("A") + component("B")) +
           connections(connection("A.y", "B.u") + connection("A.v", "B.u"))));
  expect_problem("x.ssp/SystemStructure.ssd:7:", "\"B.u\" has two sources: \"A.y\" (line 6) and \"A.v\" (line 7)");
}

TEST_F(Connections, system_connectors_that_feed_each_other_are_a_circle) {
  const std::string inner = "<ssd:System name=\"S\"><ssd:Connectors>" + connector("in", "input") +
                            connector("out", "output") + "</ssd:Connectors>" + elements(component("C")) +
                            connections(connection("in", "out") + connection("in", "C.u")) + "</ssd:System>";
  pack(ssd(elements(inner) + connections(connection("S.out", "S.in"))));
  expect_problem("SystemStructure.ssd:", "go round in a circle");
}

TEST_F(Connections, unknown_names_are_problems_with_a_suggestion) {
  pack(ssd(elements(component("Engine") + component("Gear")) + connections(connection("Enigne.y", "Gear.u"))));
  expect_problem("SystemStructure.ssd:6:", "did you mean \"Engine\"?");
  pack(ssd(elements(component("Engine") + component("Gear")) + connections(connection("Engine.yy", "Gear.u"))));
  expect_problem("SystemStructure.ssd:6:", "\"Engine\" has no connector \"yy\"");
}

TEST_F(Connections, connector_that_the_fmu_does_not_have_is_a_problem) {
  const std::string odd = "<ssd:Component name=\"A\" source=\"resources/a.fmu\"><ssd:Connectors>" +
                          connector("uu", "input") + "</ssd:Connectors></ssd:Component>";
  pack(ssd(elements(odd + component("B")) + connections(connection("B.y", "A.uu"))));
  expect_problem("SystemStructure.ssd:", "\"A\" has no input \"uu\"");
}

TEST_F(Connections, linear_transformation_comes_after_the_unit_conversion) {
  formats::RawZip zip;
  zip.add("resources/n.fmu", plain_fmu("N", "N")).add("resources/kn.fmu", plain_fmu("kN", "kN"));
  pack(ssd(elements(component("A", "", "n") + component("B", "", "kn")) +
           connections(connection("A.y", "B.u", "", linear))),
       zip);
  const auto d = read_sound();
  ASSERT_EQ(d.connections.size(), 1u);
  EXPECT_DOUBLE_EQ(d.connections[0].gain, 3.0 * 0.001);
  EXPECT_EQ(d.connections[0].offset, 2.0);
}

TEST_F(Connections, suppressed_unit_conversion_takes_the_numbers_as_they_are) {
  formats::RawZip zip;
  zip.add("resources/n.fmu", plain_fmu("N", "N")).add("resources/m.fmu", plain_fmu("m", "m"));
  const std::string both = elements(component("A", "", "n") + component("B", "", "m"));
  pack(ssd(both + connections(connection("A.y", "B.u", "suppressUnitConversion=\"true\"", linear))), zip);
  const auto d = read_sound();
  EXPECT_EQ(d.connections[0].gain, 3.0);
  EXPECT_EQ(d.connections[0].offset, 2.0);
  pack(ssd(both + connections(connection("A.y", "B.u"))), zip);
  expect_problem("SystemStructure.ssd:6:", "these are not of one dimension");
}

TEST_F(Connections, units_that_only_the_description_knows_are_converted) {
  const std::string units =
      "<ssd:Units><ssc:Unit name=\"furlong\"><ssc:BaseUnit m=\"1\" factor=\"201.168\"/></ssc:Unit>"
      "<ssc:Unit name=\"m\"><ssc:BaseUnit m=\"1\"/></ssc:Unit></ssd:Units>";
  const auto own = [](const std::string& name, const std::string& unit) {
    return "<ssd:Component name=\"" + name + "\" source=\"resources/a.fmu\"><ssd:Connectors>" +
           connector("u", "input", unit) + connector("y", "output", unit) + "</ssd:Connectors></ssd:Component>";
  };
  pack(ssd(elements(own("A", "furlong") + own("B", "m")) + connections(connection("A.y", "B.u")), units));
  const auto d = read_sound();
  EXPECT_EQ(d.connections[0].gain, 201.168);
  ASSERT_EQ(d.units.size(), 1u);
  EXPECT_EQ(d.units[0].name, "furlong");
}

TEST_F(Connections, offsets_are_left_out_between_differences_also_where_several_hops_are_put_together) {
  const auto warmth = [](const std::string& unit, const std::string& more) {
    return fmu("<Float64 name=\"u\" valueReference=\"1\" causality=\"input\" start=\"0\" unit=\"" + unit + "\"" + more +
               "/><Float64 name=\"w\" valueReference=\"2\" causality=\"input\" start=\"0\"/>"
               "<Float64 name=\"y\" valueReference=\"3\" causality=\"output\" unit=\"" +
               unit + "\"" + more + "/><Float64 name=\"v\" valueReference=\"4\" causality=\"output\"/>");
  };
  const std::string relative = " relativeQuantity=\"true\"";
  formats::RawZip zip;
  zip.add("resources/c.fmu", warmth("degC", relative)).add("resources/k.fmu", warmth("K", relative));
  zip.add("resources/abs.fmu", warmth("K", ""));
  const auto chain = [&](const std::string& sink) {  // the transformation stands before the conversion: one gain
    return ssd(elements(component("A", "", "c") + "<ssd:System name=\"S\"><ssd:Connectors>" +
                        connector("in", "input", "degC") + "</ssd:Connectors>" + elements(component("B", "", sink)) +
                        connections(connection("in", "B.u")) + "</ssd:System>") +
               connections(connection("A.y", "S.in", "", linear)));
  };
  pack(chain("k"), zip);
  const auto d = read_sound();
  ASSERT_EQ(d.connections.size(), 1u);
  EXPECT_EQ(d.connections[0].gain, 3.0);
  EXPECT_EQ(d.connections[0].offset, 2.0);
  pack(chain("abs"), zip);
  expect_problem("SystemStructure.ssd:", "is a difference (relativeQuantity), the other is not");
}

TEST_F(Connections, input_of_the_root_knows_what_lies_between_it_and_the_ports) {
  formats::RawZip zip;
  zip.add("resources/kn.fmu", plain_fmu("kN", "kN"));
  pack(ssd("<ssd:Connectors>" + connector("F", "input", "N") + connector("a", "input") + "</ssd:Connectors>" +
           elements(component("B", "", "kn")) +
           connections(connection("F", "B.u", "", linear) + connection("a", "B.au"))),
       zip);
  const auto d = read_sound();
  ASSERT_EQ(d.aliases.size(), 2u);
  ASSERT_EQ(d.aliases[0].ways.size(), 1u);
  EXPECT_EQ(d.aliases[0].ways[0].from_unit, "N");
  EXPECT_EQ(d.aliases[0].ways[0].gain, 3.0);
  EXPECT_EQ(d.aliases[0].ways[0].offset, 2.0);
  ASSERT_EQ(d.aliases[1].ways.size(), 2u);
  EXPECT_EQ(d.aliases[1].ways[1].from.text, "a[2]");
  EXPECT_EQ(d.aliases[1].ways[1].to.text, "B.au[2]");
}

TEST_F(Connections, transformations_of_several_levels_are_done_one_after_the_other) {
  formats::RawZip zip;
  zip.add("resources/n.fmu", plain_fmu("N", "N")).add("resources/kn.fmu", plain_fmu("kN", "kN"));
  const std::string inner = "<ssd:System name=\"S\"><ssd:Connectors>" + connector("in", "input", "kN") +
                            "</ssd:Connectors>" + elements(component("C", "", "n")) +
                            connections(connection("in", "C.u", "", linear)) + "</ssd:System>";
  pack(ssd(elements(component("A", "", "n") + inner) + connections(connection("A.y", "S.in", "", linear))), zip);
  const auto d = read_sound();
  // N -> kN, times 3 plus 2 (in kN), -> N, times 3 plus 2
  EXPECT_DOUBLE_EQ(d.connections[0].gain, 9.0);
  EXPECT_DOUBLE_EQ(d.connections[0].offset, 3.0 * 2000.0 + 2.0);
}

TEST_F(Connections, integers_are_translated_by_a_map_and_what_it_does_not_name_stays) {
  const std::string map =
      "<ssc:IntegerMappingTransformation><ssc:MapEntry source=\"1\" target=\"7\"/>"
      "<ssc:MapEntry source=\"2\" target=\"1\"/></ssc:IntegerMappingTransformation>";
  const auto own = [](const std::string& name) {
    return "<ssd:Component name=\"" + name +
           "\" source=\"resources/a.fmu\"><ssd:Connectors><ssd:Connector name=\"i_in\" kind=\"input\"><ssc:Integer/>"
           "</ssd:Connector><ssd:Connector name=\"i_out\" kind=\"output\"><ssc:Integer/></ssd:Connector>"
           "</ssd:Connectors></ssd:Component>";
  };
  pack(ssd(elements(own("A") + own("B")) + connections(connection("A.i_out", "B.i_in", "", map))));
  const auto d = read_sound();
  ASSERT_EQ(d.connections[0].map.size(), 2u);
  EXPECT_EQ(d.connections[0].map[0].from, 1);
  EXPECT_EQ(d.connections[0].map[0].to, 7);
}

TEST_F(Connections, arrays_are_joined_element_by_element_and_single_elements_by_their_index) {
  const auto own = [](const std::string& name) {
    return "<ssd:Component name=\"" + name + "\" source=\"resources/a.fmu\"><ssd:Connectors>" +
           connector("au", "input") + connector("ay", "output") + connector("u", "input") +
           "</ssd:Connectors></ssd:Component>";
  };
  pack(ssd(elements(own("A") + own("B")) +
           connections(connection("A.ay", "B.au") + connection("A.ay", "B.u", "startIndices=\"2\""))));
  EXPECT_EQ(wires(read_sound()), (Wires{"A.ay[1] -> B.au[1]", "A.ay[2] -> B.au[2]", "A.ay[2] -> B.u"}));
  pack(ssd(elements(own("A") + own("B")) + connections(connection("A.ay", "B.u"))));
  expect_problem("SystemStructure.ssd:6:", "\"A.ay\" has 2 elements, \"B.u\" has 1");
}

TEST_F(Connections, signal_dictionary_joins_whoever_refers_to_it) {
  const std::string dictionary =
      "<ssd:SignalDictionaries><ssd:SignalDictionary name=\"bus\"><ssb:SignalDictionary version=\"1.0\">"
      "<ssb:DictionaryEntry name=\"speed\"><ssc:Real/></ssb:DictionaryEntry></ssb:SignalDictionary>"
      "</ssd:SignalDictionary></ssd:SignalDictionaries>";
  const std::string reference = "<ssd:SignalDictionaryReference name=\"r\" dictionary=\"bus\"><ssd:Connectors>" +
                                connector("speed", "inout") + "</ssd:Connectors></ssd:SignalDictionaryReference>";
  const std::string inner = "<ssd:System name=\"S\">" + elements(component("C") + reference) +
                            connections(connection("C.u", "r.speed")) + "</ssd:System>";
  pack(ssd(elements(component("A") + reference + inner) + connections(connection("r.speed", "A.y")) + dictionary));
  EXPECT_EQ(wires(read_sound()), Wires{"A.y -> S.C.u"});
}

TEST_F(Connections, names_that_cannot_be_ours_are_told_and_changed) {
  pack(ssd(elements(component("Front axle") + component("2nd")) + connections(connection("Front axle.y", "2nd.u"))));
  const auto d = read_sound();
  EXPECT_EQ(wires(d), Wires{"Front_axle.y -> _2nd.u"});
  EXPECT_EQ(d.notices[0], "the component \"Front axle\" is called Front_axle here");
}

/// An FMU with an input u and an output y in a unit that it defines itself.
std::string fmu_in(const std::string& unit, const std::string& definition) {
  return formats::RawZip()
      .add(
          "modelDescription.xml",
          R"(<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t"><CoSimulation modelIdentifier="m"/>
<UnitDefinitions><Unit name=")" +
              unit + "\">" + definition + R"(</Unit></UnitDefinitions>
<ModelVariables><Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="u" valueReference="1" causality="input" start="0" unit=")" +
              unit + R"("/>
<Float64 name="y" valueReference="2" causality="output" unit=")" +
              unit + R"("/></ModelVariables><ModelStructure/></fmiModelDescription>)")
      .bytes();
}

// bar, bar without a meaning, Bar, and bar in a connector: all of them one unit.
TEST_F(Connections, units_of_one_meaning_are_one_whatever_their_names_and_definitions_are) {
  const std::string bar = "<BaseUnit kg=\"1\" m=\"-1\" s=\"-2\" factor=\"100000\"/>";
  const auto two = [](const std::string& unit) {
    const auto own = [&](const std::string& name) {
      return "<ssd:Component name=\"" + name + "\" source=\"resources/of-" + name + ".fmu\"><ssd:Connectors>" +
             connector("u", "input", unit) + connector("y", "output", unit) + "</ssd:Connectors></ssd:Component>";
    };
    return ssd(elements(own("A") + own("B")) + connections(connection("A.y", "B.u")));
  };
  struct Case {
    std::string name, definition, in_connectors;
  };
  for (const Case& each : {Case{"bar", bar, "bar"},
                           {"bar", "", "bar"},
                           {"bar", "<BaseUnit/>", "bar"},
                           {"Bar", bar, "bar"},
                           {"Bar", bar, ""}}) {
    formats::RawZip zip;
    zip.add("resources/of-A.fmu", fmu_in("bar", bar)).add("resources/of-B.fmu", fmu_in(each.name, each.definition));
    pack(two(each.in_connectors), zip);
    const auto d = read_sound();
    ASSERT_EQ(d.connections.size(), 1u);
    EXPECT_NEAR(d.connections[0].gain, 1.0, 1e-12) << each.name << " " << each.definition;
  }
}

// Two files that mean different things by one name: the numbers are converted all the same.
TEST_F(Connections, unit_that_means_two_things_in_two_files_is_converted) {
  formats::RawZip zip;
  zip.add("resources/of-A.fmu", fmu_in("unit", "<BaseUnit m=\"1\" factor=\"10\"/>"));
  zip.add("resources/of-B.fmu", fmu_in("unit", "<BaseUnit m=\"1\" factor=\"2\"/>"));
  const auto own = [](const std::string& name) {
    return "<ssd:Component name=\"" + name + "\" source=\"resources/of-" + name + ".fmu\"><ssd:Connectors>" +
           connector("u", "input") + connector("y", "output") + "</ssd:Connectors></ssd:Component>";
  };
  pack(ssd(elements(own("A") + own("B")) + connections(connection("A.y", "B.u"))), zip);
  EXPECT_NEAR(read_sound().connections.at(0).gain, 5.0, 1e-12);
}

TEST_F(Connections, unit_of_a_connector_beside_that_of_the_fmu_does_not_count_and_is_said) {
  formats::RawZip zip;
  zip.add("resources/of-A.fmu", fmu_in("N", "<BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/>"));
  zip.add("resources/of-B.fmu", fmu_in("N", "<BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/>"));
  pack(ssd(elements("<ssd:Component name=\"A\" source=\"resources/of-A.fmu\"><ssd:Connectors>" +
                    connector("y", "output", "kN") +
                    "</ssd:Connectors></ssd:Component><ssd:Component name=\"B\" "
                    "source=\"resources/of-B.fmu\"><ssd:Connectors>" +
                    connector("u", "input", "N") + "</ssd:Connectors></ssd:Component>") +
           connections(connection("A.y", "B.u"))),
       zip);
  EXPECT_EQ(read_sound().connections.at(0).gain, 1.0);
  EXPECT_NE(problems_.mended_words().find("A.y (N instead of kN)"), std::string::npos) << problems_.mended_words();
}

}  // namespace
}  // namespace seam::ssp
