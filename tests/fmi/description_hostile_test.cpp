#include <gtest/gtest.h>

#include <clocale>

#include "fmi/description_text.hpp"

namespace seam::fmi {
namespace {

using namespace std::string_literals;

TEST(HostileDescription, entities_that_grow_are_refused) {
  const Read read(
      "<!DOCTYPE lolz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]>\n"
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"&c;\" guid=\"1\"/>");
  EXPECT_FALSE(read.is_read);
  EXPECT_NE(read.refusal().find("entities"), std::string::npos);
}

TEST(HostileDescription, an_external_entity_is_refused) {
  const Read read("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<fmiModelDescription modelName=\"&x;\"/>");
  EXPECT_FALSE(read.is_read);
  EXPECT_NE(read.refusal().find("entities"), std::string::npos);
}

TEST(HostileDescription, deep_nesting_is_refused) {
  std::string inside;
  for (int i = 0; i < 100'000; ++i) inside += "<a>";
  for (int i = 0; i < 100'000; ++i) inside += "</a>";
  const Read read(fmi2(inside));
  EXPECT_FALSE(read.is_read);
  EXPECT_NE(read.refusal().find("nested"), std::string::npos);
}

TEST(HostileDescription, utf16_is_read) {
  const std::string text = fmi2(co_simulation + "<ModelVariables/><ModelStructure/>");
  std::string bytes = "\xFF\xFE"s;
  for (const char c : text) bytes += {c, '\0'};
  EXPECT_TRUE(Read(bytes).is_read);
}

TEST(HostileDescription, latin1_is_read) {
  const Read read(
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><fmiModelDescription fmiVersion=\"2.0\" modelName=\"K\xFChler\" "
      "guid=\"1\">" +
      co_simulation + "<ModelVariables/><ModelStructure/></fmiModelDescription>");
  ASSERT_TRUE(read.is_read) << read.refusal();
  EXPECT_EQ(read.fmu.description.model_name, "Kühler");
}

TEST(HostileDescription, invalid_utf8_is_refused) { EXPECT_FALSE(Read(fmi2(co_simulation + "<!-- \xFF -->")).is_read); }

TEST(HostileDescription, a_zero_byte_is_refused) { EXPECT_FALSE(Read(fmi2(co_simulation + "\0"s)).is_read); }

TEST(HostileDescription, a_reference_to_the_zero_character_cannot_shorten_a_name) {
  EXPECT_FALSE(
      Read(fmi2_variables("<ScalarVariable name=\"a&#0;b\" valueReference=\"1\"><Real/></ScalarVariable>")).is_read);
}

TEST(HostileDescription, what_is_not_xml_is_refused) {
  for (const std::string& text : {""s, "hello"s,
                                  "\x7F"
                                  "ELF\x01\x02"s,
                                  "{\"fmiVersion\": 2}"s, "<fmiModelDescription"s}) {
    EXPECT_FALSE(Read(text).is_read) << text;
  }
}

TEST(HostileDescription, another_root_element_is_refused) {
  EXPECT_NE(Read("<html/>").refusal().find("\"html\""), std::string::npos);
}

TEST(HostileDescription, a_preview_of_fmi3_is_refused) {
  EXPECT_NE(Read("<fmiModelDescription fmiVersion=\"3.0-beta.2\"/>").refusal().find("preview"), std::string::npos);
}

TEST(HostileDescription, a_version_of_the_future_is_refused) {
  for (const char* const version : {"4.0", "2.1", "1.1", "", "two", "20", "30.0"}) {
    EXPECT_FALSE(Read("<fmiModelDescription fmiVersion=\""s + version + "\"/>").is_read) << version;
  }
  EXPECT_FALSE(Read("<fmiModelDescription/>").is_read);
}

TEST(HostileDescription, a_later_fmi3_is_read_with_a_warning) {
  std::string text = fmi3_variables("");
  text.replace(text.find("3.0"), 3, "3.1");
  EXPECT_TRUE(Read(text).only_problem_is("newer"));
  text.replace(text.find("3.1"), 3, "3.0.2");
  EXPECT_TRUE(Read(text).is_clean());
}

TEST(HostileDescription, an_identifier_that_leads_elsewhere_is_refused) {
  for (const char* const identifier :
       {"../../evil", "/etc/passwd", "a b", ".so", "..", "-a", "", "a\\b", "$(reboot)", "ä", "a;b", "a/b"}) {
    const Read read(fmi2("<CoSimulation modelIdentifier=\""s + identifier + "\"/>"));
    EXPECT_FALSE(read.is_read) << identifier;
    EXPECT_NE(read.refusal().find("modelIdentifier"), std::string::npos) << identifier;
  }
  EXPECT_FALSE(Read(fmi2("<CoSimulation/>")).is_read);
  EXPECT_FALSE(Read(fmi2("<CoSimulation modelIdentifier=\"" + std::string(201, 'a') + "\"/>")).is_read);
  EXPECT_TRUE(Read(fmi2("<CoSimulation modelIdentifier=\"" + std::string(200, 'a') + "\"/>")).is_read);
}

TEST(HostileDescription, an_identifier_that_can_name_a_library_is_read_and_told_of) {
  for (const char* const identifier : {"tank-controller", "My.Model", "20sim", "a..b", "a.so"}) {
    const Read read(fmi2("<CoSimulation modelIdentifier=\""s + identifier + "\"/>"));
    ASSERT_TRUE(read.is_read) << identifier << ": " << read.refusal();
    EXPECT_EQ(read.fmu.description.co_simulation->model_identifier, identifier);
    EXPECT_NE(read.found_text().find("is no C identifier"), std::string::npos) << read.found_text();
  }
}

TEST(HostileDescription, every_interface_needs_a_good_identifier) {
  EXPECT_FALSE(Read(fmi2(co_simulation + "<ModelExchange modelIdentifier=\"../x\"/>")).is_read);
}

TEST(HostileDescription, an_fmu_without_an_interface_is_refused) {
  EXPECT_NE(Read(fmi2("<ModelVariables/><ModelStructure/>")).refusal().find("no interface"), std::string::npos);
}

TEST(HostileDescription, names_are_kept_as_they_are_and_shown_harmless) {
  const std::string name = "<script>alert('x')</script>\"\x1b[2J";
  const std::string variable =
      "<ScalarVariable name=\"&lt;script&gt;alert(&apos;x&apos;)&lt;/script&gt;&quot;&#27;[2J\" valueReference=\"1\" "
      "causality=\"input\"><Real/></ScalarVariable>";
  const Read read(fmi2_variables(variable));
  ASSERT_TRUE(read.is_read) << read.refusal();
  EXPECT_EQ(read.fmu.description.variables.at(0).name, name);
  EXPECT_EQ(read.found_text().find('\x1b'), std::string::npos);
  EXPECT_NE(read.found_text().find("\\x1b[2J"), std::string::npos);
}

TEST(HostileDescription, references_out_of_range_leave_the_variable_out) {
  for (const char* const reference : {"-1", "4294967296", "99999999999999999999", "1.0", "", "0x1", "one"}) {
    const Read read(
        fmi2_variables("<ScalarVariable name=\"a\" valueReference=\""s + reference + "\"><Real/></ScalarVariable>"));
    ASSERT_TRUE(read.is_read) << reference;
    EXPECT_TRUE(read.fmu.description.variables.empty()) << reference;
    EXPECT_TRUE(read.only_problem_is("valueReference")) << reference << read.found_text();
  }
  EXPECT_TRUE(Read(fmi2_variables("<ScalarVariable name=\"a\" valueReference=\"4294967295\"><Real/></ScalarVariable>"))
                  .is_clean());
}

TEST(HostileDescription, negative_indices_and_sizes_are_errors_and_left_out) {
  EXPECT_TRUE(Read(fmi2_variables("", "<Outputs><Unknown index=\"-1\"/></Outputs>")).only_problem_is("\"-1\""));
  const Read sizes(fmi3_variables(
      "<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"0\"><Dimension start=\"-3\"/></Float64>"));
  EXPECT_NE(sizes.found_text().find("\"-3\""), std::string::npos);
  EXPECT_FALSE(start_elements(sizes.fmu.description, sizes.variable("v")));
}

TEST(HostileDescription, an_array_whose_size_overflows_has_no_size) {
  const Read read(fmi3_variables(
      "<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"0\"><Dimension start=\"4294967296\"/>"
      "<Dimension start=\"4294967296\"/><Dimension start=\"1\"/></Float64>"
      "<Float64 name=\"w\" valueReference=\"2\" causality=\"input\" start=\"0\"><Dimension start=\"65536\"/><Dimension "
      "start=\"65536\"/></Float64>"));
  EXPECT_FALSE(start_elements(read.fmu.description, read.variable("v")));
  EXPECT_FALSE(start_elements(read.fmu.description, read.variable("w")));
  EXPECT_EQ(read.found().size(), 2u) << read.found_text();
}

TEST(HostileDescription, a_variable_that_sizes_itself_has_no_size) {
  const Read read(
      fmi3_variables("<UInt64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"2 2\"><Dimension "
                     "valueReference=\"1\"/></UInt64>"));
  EXPECT_TRUE(read.is_read);
  EXPECT_FALSE(start_elements(read.fmu.description, read.variable("v")));
  EXPECT_FALSE(read.is_clean());
}

TEST(HostileDescription, its_own_derivative_is_an_error) {
  EXPECT_TRUE(
      Read(fmi2_variables("<ScalarVariable name=\"a\" valueReference=\"1\"><Real derivative=\"1\"/></ScalarVariable>"))
          .only_problem_is("its own derivative"));
}

TEST(HostileDescription, a_type_shared_by_many_variables_does_not_multiply_its_size) {
  std::string items, variables;
  for (int i = 0; i < 5000; ++i)
    items += "<Item name=\"" + std::to_string(i) + "\" value=\"" + std::to_string(i) + "\"/>";
  for (int i = 0; i < 5000; ++i) {
    variables += "<ScalarVariable name=\"v" + std::to_string(i) + "\" valueReference=\"" + std::to_string(i) +
                 "\" variability=\"discrete\"><Enumeration declaredType=\"E\"/></ScalarVariable>";
  }
  const Read read(fmi2(co_simulation + "<TypeDefinitions><SimpleType name=\"E\"><Enumeration>" + items +
                       "</Enumeration></SimpleType></TypeDefinitions><ModelVariables>" + variables +
                       "</ModelVariables><ModelStructure/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  std::size_t copies = 0;
  for (const Variable& variable : read.fmu.description.variables) copies += variable.items.size();
  EXPECT_LE(copies, std::size_t{1} << 19);
  EXPECT_NE(read.found_text().find("too many"), std::string::npos);
}

TEST(HostileDescription, long_names_of_items_are_not_copied_into_every_variable_of_the_type) {
  const std::string item = "<Item name=\"" + std::string(1 << 20, 'x') + "\" value=\"1\"/>";
  std::string variables;
  for (int i = 0; i < 200; ++i) {
    variables += "<ScalarVariable name=\"v" + std::to_string(i) + "\" valueReference=\"" + std::to_string(i) +
                 "\" variability=\"discrete\"><Enumeration declaredType=\"E\"/></ScalarVariable>";
  }
  const Read read(fmi2(co_simulation + "<TypeDefinitions><SimpleType name=\"E\"><Enumeration>" + item +
                       "</Enumeration></SimpleType></TypeDefinitions><ModelVariables>" + variables +
                       "</ModelVariables><ModelStructure/>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  std::size_t bytes = 0;
  for (const Variable& variable : read.fmu.description.variables) {
    for (const EnumerationItem& copy : variable.items) bytes += copy.name.size();
  }
  EXPECT_LE(bytes, std::size_t{64} << 20);
}

TEST(HostileDescription, long_texts_of_a_type_are_not_copied_into_its_variables) {
  const auto quantity_of = [](std::size_t length) {
    const Read read(
        fmi3(co_simulation + "<TypeDefinitions><Float64Type name=\"t\" quantity=\"" + std::string(length, 'q') +
             "\"/></TypeDefinitions><ModelVariables>" + time3 +
             "<Float64 name=\"v\" valueReference=\"1\" declaredType=\"t\"/></ModelVariables><ModelStructure/>"));
    return read.variable("v").quantity;
  };
  EXPECT_EQ(quantity_of(100).size(), 100u);
  EXPECT_EQ(quantity_of(101), "");
}

TEST(HostileDescription, start_values_without_end_are_left_out) {
  std::string start;
  for (int i = 0; i < 3'000'000; ++i) start += "1 ";
  const Read read(fmi3_variables("<Float64 name=\"v\" valueReference=\"1\" causality=\"input\" start=\"" + start +
                                 "\"><Dimension start=\"3000000\"/></Float64>"));
  ASSERT_TRUE(read.is_read) << read.refusal();
  EXPECT_TRUE(read.variable("v").start.empty());
  EXPECT_TRUE(read.only_problem_is("too many elements")) << read.found_text();
}

TEST(HostileDescription, problems_without_end_are_counted_instead_of_kept) {
  std::string variables;
  for (int i = 0; i < 10'000; ++i) variables += "<ScalarVariable/>\n";
  const Read read(fmi2_variables(variables));
  ASSERT_TRUE(read.is_read);
  EXPECT_LT(read.found().size(), 5000u);
  EXPECT_NE(read.found_text().find("more problems"), std::string::npos);
}

TEST(HostileDescription, numbers_do_not_depend_on_the_locale) {
  const std::string old = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is not installed the test shows less
  const Read read(fmi2(co_simulation + "<DefaultExperiment stopTime=\"1.5\"/><ModelVariables/><ModelStructure/>"));
  std::setlocale(LC_ALL, old.c_str());
  EXPECT_EQ(read.fmu.description.experiment.stop, 1.5);
}

}  // namespace
}  // namespace seam::fmi
