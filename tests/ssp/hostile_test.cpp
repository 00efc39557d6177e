#include "ssp/package_reader.hpp"

namespace seam::ssp {
namespace {

using Hostile = Packages;

std::string from(const std::string& source) {
  return ssd(elements("<ssd:Component name=\"A\" source=\"" + source + "\"/>"));
}

TEST_F(Hostile, sources_outside_the_package_are_refused) {
  for (const char* source : {"/etc/passwd", "../a.fmu", "resources/../../a.fmu", "http://example.org/a.fmu",
                             "file:///tmp/a.fmu", "C:\\a.fmu", "%2e%2e/a.fmu", "//host/a.fmu"}) {
    pack(from(source));
    read();
    EXPECT_NE(problems_.text().find("the source \""), std::string::npos) << source << "\n" << problems_.text();
  }
}

TEST_F(Hostile, file_that_is_not_there_is_a_problem_with_its_place) {
  pack(from("resources/b.fmu"));
  expect_problem("x.ssp/SystemStructure.ssd:4:", "x.ssp/resources/b.fmu");
}

TEST_F(Hostile, system_that_cannot_be_read_is_told_once) {
  for (const char* source : {"resources/b.ssp", "resources/b.ssd", "#nobody", "#"}) {
    pack(from(source));
    read();
    EXPECT_EQ(problems_.size(), 1u) << source << "\n" << problems_.text();
  }
}

TEST_F(Hostile, package_that_contains_itself_by_an_embedded_system_ends) {
  pack(ssd(elements("<ssd:System name=\"S\" id=\"s\">" + elements("<ssd:Component name=\"A\" source=\"#s\"/>") +
                    "</ssd:System>")));
  expect_problem("SystemStructure.ssd:", "nested more than");
}

TEST_F(Hostile, embedded_systems_that_double_at_every_level_end) {
  std::string systems;
  for (int i = 0; i < 25; ++i) {
    const std::string next = std::to_string(i + 1);
    systems += "<ssd:System name=\"s" + std::to_string(i) + "\" id=\"s" + std::to_string(i) + "\">" +
               elements("<ssd:Component name=\"a\" source=\"#s" + next + "\"/><ssd:Component name=\"b\" source=\"#s" +
                        next + "\"/>") +
               "</ssd:System>";
  }
  pack(ssd(elements(systems + "<ssd:System name=\"s25\" id=\"s25\"/>")));
  expect_problem("SystemStructure.ssd:", "nested more than");
}

TEST_F(Hostile, what_is_no_package_is_refused) {
  formats::write_text(folder_.file("x.ssp"), "no zip");
  expect_problem("x.ssp", "not a whole zip archive");
  formats::write_text(folder_.file("x.ssp"), formats::RawZip().add("a.txt", "x").bytes());
  expect_problem("x.ssp", "there is no \"SystemStructure.ssd\" in the package");
  pack("<html/>");
  expect_problem("x.ssp/SystemStructure.ssd:1:", "this is no system structure description");
  pack(
      "<ssd:SystemStructureDescription version=\"3.0\" name=\"x\"><ssd:System "
      "name=\"s\"/></ssd:SystemStructureDescription>");
  expect_problem("x.ssp/SystemStructure.ssd:1:", "version \"3.0\" of the SSP standard is not known");
}

TEST_F(Hostile, component_of_a_type_that_cannot_be_run_is_a_problem) {
  pack(ssd(elements("<ssd:Component name=\"A\" type=\"text/x-modelica\" source=\"resources/a.mo\"/>")));
  expect_problem("SystemStructure.ssd:4:", "which cannot be run");
  pack(ssd(elements("<ssd:Component name=\"A\" implementation=\"ScheduledExecution\" source=\"resources/a.fmu\"/>")));
  expect_problem("SystemStructure.ssd:4:", "wants the implementation ScheduledExecution");
}

TEST_F(Hostile, output_of_a_component_without_source_feeds_nobody) {
  const std::string empty =
      "<ssd:Component name=\"E\"><ssd:Connectors>" + connector("y", "output") + "</ssd:Connectors></ssd:Component>";
  pack(ssd(elements(component("A") + empty)));
  EXPECT_EQ(read_sound().subsystems.size(), 1u);
  pack(ssd(elements(component("A") + empty) + connections(connection("E.y", "A.u"))));
  expect_problem("SystemStructure.ssd:6:", "nothing computes \"E.y\"");
}

}  // namespace
}  // namespace seam::ssp
