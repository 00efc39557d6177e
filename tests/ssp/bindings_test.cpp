#include "ssp/package_reader.hpp"

namespace seam::ssp {
namespace {

using Bindings = Packages;

std::string mapping(const std::string& entries) {
  return R"(<ssd:ParameterMapping><ssm:ParameterMapping version="1.0">)" + entries +
         "</ssm:ParameterMapping></ssd:ParameterMapping>";
}
std::string entry(const std::string& source, const std::string& target, const std::string& more = "",
                  const std::string& content = "") {
  return "<ssm:MappingEntry source=\"" + source + "\" target=\"" + target + "\" " + more + ">" + content +
         "</ssm:MappingEntry>";
}

TEST_F(Bindings, later_ones_win_at_one_level_and_higher_levels_win_over_lower_ones) {
  const std::string own =
      bindings(binding(parameter_set(real("k", "1") + real("n", "1"))) + binding(parameter_set(real("k", "2"))));
  pack(ssd(elements(component("A", own)) + bindings(binding(parameter_set(real("A.n", "3"))))));
  const auto d = read_sound();
  EXPECT_EQ(setting(d, "A", "k").number, 2.0);
  EXPECT_EQ(setting(d, "A", "n").number, 3.0);
  EXPECT_EQ(d.subsystems[0].set.size(), 2u);
}

TEST_F(Bindings, set_and_mapping_from_files_with_a_prefix_and_a_unit) {
  formats::RawZip zip;
  zip.add("resources/p.ssv", R"(<ParameterSet version="1.0" name="p"><Parameters><Parameter name="stiffness">
<Real value="1.5" unit="kN"/></Parameter><Parameter name="left over"><Real value="9"/></Parameter></Parameters></ParameterSet>)");
  zip.add(
      "resources/p.ssm",
      R"(<ParameterMapping version="1.0"><MappingEntry source="front.stiffness" target="S.A.k"/></ParameterMapping>)");
  const std::string inner = "<ssd:System name=\"S\">" + elements(component("A")) + "</ssd:System>";
  pack(ssd(elements(inner) + bindings(binding("", R"(source="resources/p.ssv" prefix="front.")",
                                              R"(<ssd:ParameterMapping source="resources/p.ssm"/>)"))),
       zip);
  const auto d = read_sound();
  const system::Value& k = setting(d, "S.A", "k");
  EXPECT_EQ(k.number, 1.5);
  EXPECT_EQ(k.unit, "kN");
  EXPECT_EQ(k.text, "1.5 kN");
  EXPECT_EQ(d.subsystems[0].set.size(), 1u);
}

TEST_F(Bindings, transformation_of_a_mapping_comes_after_the_unit_conversion_unless_that_is_suppressed) {
  const std::string linear = R"(<ssc:LinearTransformation factor="2" offset="1"/>)";
  const std::string set = parameter_set(real("p", "3", "unit=\"kN\""));
  pack(ssd(elements(component("A", bindings(binding(set, "", mapping(entry("p", "k", "", linear))))))));
  EXPECT_EQ(setting(read_sound(), "A", "k").number, 6001.0);
  pack(ssd(elements(component(
      "A", bindings(binding(set, "", mapping(entry("p", "k", "suppressUnitConversion=\"true\"", linear))))))));
  const auto d = read_sound();
  EXPECT_EQ(setting(d, "A", "k").number, 7.0);
  EXPECT_EQ(setting(d, "A", "k").unit, "");
}

TEST_F(Bindings, unit_that_the_set_defines_itself_is_converted) {
  const std::string set =
      R"(<ssv:ParameterSet version="1.0" name="p"><ssv:Parameters><ssv:Parameter name="k"><ssv:Real value="2" unit="dozen"/></ssv:Parameter></ssv:Parameters>
<ssv:Units><ssc:Unit name="dozen"><ssc:BaseUnit kg="1" m="1" s="-2" factor="12"/></ssc:Unit></ssv:Units></ssv:ParameterSet>)";
  pack(ssd(elements(component("A", bindings(binding(set))))));
  EXPECT_EQ(setting(read_sound(), "A", "k").number, 24.0);
}

TEST_F(Bindings, parameter_of_a_system_reaches_every_component_behind_its_connector) {
  const auto own = [](const std::string& name) {
    return "<ssd:Component name=\"" + name + "\" source=\"resources/a.fmu\"><ssd:Connectors>" +
           connector("k", "parameter") + "</ssd:Connectors></ssd:Component>";
  };
  const std::string linear = R"(<ssc:LinearTransformation factor="10"/>)";
  const std::string inner = "<ssd:System name=\"S\"><ssd:Connectors>" + connector("stiffness", "parameter", "kN") +
                            "</ssd:Connectors>" + elements(own("A") + own("B")) +
                            connections(connection("stiffness", "A.k") + connection("B.k", "stiffness", "", linear)) +
                            "</ssd:System>";
  pack(ssd(elements(inner) + bindings(binding(parameter_set(real("S.stiffness", "5"))))));
  const auto d = read_sound();
  EXPECT_EQ(setting(d, "S.A", "k").text, "5000 N");
  EXPECT_EQ(setting(d, "S.B", "k").text, "50000 N");
}

TEST_F(Bindings, values_of_every_type_arrive_as_they_were_written) {
  const std::string set = parameter_set(
      "<ssv:Parameter name=\"n\"><ssv:Integer value=\"-4\"/></ssv:Parameter><ssv:Parameter name=\"b\"><ssv:Boolean "
      "value=\"1\"/></ssv:Parameter>"
      "<ssv:Parameter name=\"s\"><ssv:String value=\"3 kg\"/></ssv:Parameter>"
      "<ssv:Parameter name=\"a\"><ssv:Float64 value=\"1 2.5\"/><ssv:Dimension size=\"2\"/></ssv:Parameter>");
  pack(ssd(elements(component("A", bindings(binding(set))))));
  const auto d = read_sound();
  EXPECT_EQ(setting(d, "A", "n").text, "-4");
  EXPECT_TRUE(setting(d, "A", "b").boolean);
  EXPECT_EQ(setting(d, "A", "s").text, "3 kg");
  ASSERT_EQ(setting(d, "A", "a").items.size(), 2u);
  EXPECT_EQ(setting(d, "A", "a").items[1].number, 2.5);
}

TEST_F(Bindings, set_inside_the_fmu_is_found_by_source_base_component) {
  pack(ssd(elements(component("A", bindings(binding("", R"(source="extra/own.ssv" sourceBase="component")"))))));
  EXPECT_EQ(setting(read_sound(), "A", "k").number, 77.0);
}

TEST_F(Bindings, bindings_of_a_component_that_is_a_package_count_as_the_last_of_its_top_system) {
  formats::RawZip inner, zip;
  inner.add("SystemStructure.ssd", ssd(elements(component("A", bindings(binding(parameter_set(real("k", "1")))))) +
                                       bindings(binding(parameter_set(real("A.k", "2"))))));
  inner.add("resources/a.fmu", plain_fmu());
  zip.add("resources/inner.ssp", inner.bytes());
  const std::string component =
      R"(<ssd:Component name="P" type="application/x-ssp-package" source="resources/inner.ssp">)" +
      bindings(binding(parameter_set(real("A.k", "3")))) + "</ssd:Component>";
  pack(ssd(elements(component)), zip);
  EXPECT_EQ(setting(read_sound(), "P.A", "k").number, 3.0);
}

TEST_F(Bindings, a_value_that_comes_through_a_connection_wins_over_one_that_is_bound_behind_it) {
  const std::string own = "<ssd:Component name=\"A\" source=\"resources/a.fmu\"><ssd:Connectors>" +
                          connector("k", "parameter") + connector("u", "input") + "</ssd:Connectors>" +
                          bindings(binding(parameter_set(real("u", "1")))) + "</ssd:Component>";
  const std::string inner = "<ssd:System name=\"S\"><ssd:Connectors>" + connector("stiffness", "parameter") +
                            connector("force", "input") + "</ssd:Connectors>" + elements(own) +
                            connections(connection("stiffness", "A.k") + connection("force", "A.u")) + "</ssd:System>";
  for (const char* const order : {"connector first", "connector last"}) {
    const std::string direct = real("S.A.k", "10") + real("S.A.u", "11");
    const std::string through = real("S.stiffness", "30") + real("S.force", "31");
    const bool first = std::string(order) == "connector first";
    pack(ssd(elements(inner) + bindings(binding(parameter_set(first ? through + direct : direct + through)))));
    const auto d = read_sound();
    EXPECT_EQ(setting(d, "S.A", "k").number, 30.0) << order;
    EXPECT_EQ(setting(d, "S.A", "u").number, 31.0) << order;
    EXPECT_EQ(d.subsystems[0].set.size(), 2u) << order;
    if (first) {
      EXPECT_NE(d.notices.at(0).find("the value of S.A.k is not used, since a parameter of its system is connected"),
                std::string::npos)
          << d.notices.at(0);
    }
  }
}

TEST_F(Bindings, a_parameter_twice_is_read_if_its_value_is_the_same_and_else_refused_with_both_places) {
  pack(ssd(elements(component("A", bindings(binding(parameter_set(real("k", "4") + real("k", "4"))))))));
  EXPECT_EQ(setting(read_sound(), "A", "k").number, 4.0);
  EXPECT_NE(problems_.mended_words().find("there twice with one value: k"), std::string::npos)
      << problems_.mended_words();
  pack(ssd(elements(component("A", bindings(binding(parameter_set(real("k", "4") + "\n" + real("k", "5"))))))));
  expect_problem("SystemStructure.ssd:", "the parameter \"k\" is there twice, with another value in line 4");
}

TEST_F(Bindings, a_unit_that_is_defined_with_a_broken_exponent_has_no_known_meaning) {
  const std::string set =
      R"(<ssv:ParameterSet version="1.0" name="p"><ssv:Parameters><ssv:Parameter name="n"><ssv:Real value="2" unit="[rad]"/></ssv:Parameter></ssv:Parameters>
<ssv:Units><ssc:Unit name="[rad]"><ssc:BaseUnit rad="0.0174532925"/></ssc:Unit></ssv:Units></ssv:ParameterSet>)";
  pack(ssd(elements(component("A", bindings(binding(set))))));
  EXPECT_EQ(setting(read_sound(), "A", "n").number, 2.0);
  EXPECT_NE(problems_.mended_words().find("as units of unknown meaning: [rad]"), std::string::npos)
      << problems_.mended_words();
}

TEST_F(Bindings, values_that_fit_nothing_are_told_and_so_are_targets_of_a_mapping_that_do_not_exist) {
  pack(ssd(elements(component("A", bindings(binding(parameter_set(real("k", "1") + real("zzz", "1"))))))));
  EXPECT_NE(read_sound().notices.at(0).find("1 of 2 values fit nothing in \"A\" and are not used: zzz"),
            std::string::npos);
  pack(ssd(elements(component("A", bindings(binding(parameter_set(real("k", "1")), "", mapping(entry("k", "kk"))))))));
  EXPECT_TRUE(read_sound().subsystems[0].set.empty());
  EXPECT_NE(problems_.mended_words().find("mapping entries whose target does not exist left out: kk"),
            std::string::npos)
      << problems_.mended_words();
}

TEST_F(Bindings, item_of_an_enumeration_is_a_number_to_an_integer_and_a_text_never_is) {
  const auto set = [](const std::string& parameter) {
    return "<ssv:ParameterSet version=\"1.0\" name=\"p\"><ssv:Parameters><ssv:Parameter name=\"n\">" + parameter +
           "</ssv:Parameter></ssv:Parameters><ssv:Enumerations><ssc:Enumeration name=\"gear\"><ssc:Item "
           "name=\"second\" "
           "value=\"2\"/></ssc:Enumeration></ssv:Enumerations></ssv:ParameterSet>";
  };
  pack(ssd(elements(component("A", bindings(binding(set("<ssv:Enumeration name=\"gear\" value=\"second\"/>")))))));
  EXPECT_EQ(setting(read_sound(), "A", "n").text, "2");
  pack(ssd(elements(component("A", bindings(binding(set("<ssv:String value=\"second\"/>")))))));
  auto d = read();
  load::describe(d, problems_);
  EXPECT_NE(problems_.text().find("\"n\" takes a whole number"), std::string::npos) << problems_.text();
}

TEST_F(Bindings, value_of_another_dimension_is_a_problem_at_its_place) {
  pack(ssd(elements(component("A", bindings(binding(parameter_set(real("k", "1", "unit=\"m\""))))))));
  auto d = read();
  load::describe(d, problems_);
  EXPECT_NE(problems_.text().find("x.ssp/SystemStructure.ssd:"), std::string::npos) << problems_.text();
  EXPECT_FALSE(problems_.empty());
}

}  // namespace
}  // namespace seam::ssp
