#include <filesystem>

#include "ssp/package_reader.hpp"

namespace seam::ssp {
namespace {

using SeveralFiles = Packages;

TEST_F(SeveralFiles, one_of_several_descriptions_is_chosen_by_name) {
  formats::RawZip zip;
  zip.add("Other.ssd", ssd(elements(component("B"))));
  pack(ssd(elements(component("A"))), zip);
  EXPECT_EQ(read_sound().subsystems[0].name, "A");
  ReadOptions options;
  options.ssd = "Other.ssd";
  EXPECT_EQ(read_sound(options).subsystems[0].name, "B");
  options.ssd = "Other";
  EXPECT_EQ(read_sound(options).subsystems[0].name, "B");
  options.ssd = "Third.ssd";
  read(options);
  EXPECT_NE(problems_.text().find("it has Other.ssd, SystemStructure.ssd"), std::string::npos) << problems_.text();
}

TEST_F(SeveralFiles, package_in_a_package_and_a_variant_of_it) {
  formats::RawZip inner, zip;
  const std::string connectors = "<ssd:Connectors>" + connector("in", "input") + "</ssd:Connectors>";
  inner.add("SystemStructure.ssd", ssd(connectors + elements(component("C")) + connections(connection("in", "C.u"))));
  inner.add("Variant.ssd", ssd(connectors + elements(component("D")) + connections(connection("D.w", "in"))));
  inner.add("resources/a.fmu", plain_fmu());
  zip.add("resources/inner.ssp", inner.bytes());
  const auto outer = [](const std::string& source) {
    return ssd(elements(component("A") + "<ssd:Component name=\"P\" source=\"" + source + "\"><ssd:Connectors>" +
                        connector("in", "input") + "</ssd:Connectors></ssd:Component>") +
               connections(connection("A.y", "P.in")));
  };
  pack(outer("resources/inner.ssp"), zip);
  EXPECT_EQ(wires(read_sound()), Wires{"A.y -> P.C.u"});
  pack(outer("resources/inner.ssp#Variant.ssd"), zip);
  EXPECT_EQ(wires(read_sound()), Wires{"A.y -> P.D.w"});
}

TEST_F(SeveralFiles, description_beside_names_files_relative_to_itself) {
  formats::RawZip zip;
  zip.add("resources/sub/inner.ssd", ssd(elements(component("C"))));
  zip.add("resources/sub/resources/a.fmu", plain_fmu());
  pack(ssd(elements(
           "<ssd:Component name=\"P\" type=\"application/x-ssp-definition\" source=\"resources/sub/inner.ssd\"/>")),
       zip);
  const auto d = read_sound();
  EXPECT_EQ(d.subsystems[0].name, "P.C");
  EXPECT_EQ(d.subsystems[0].fmu_written, "resources/sub/resources/a.fmu");
}

TEST_F(SeveralFiles, system_with_an_id_is_used_again) {
  pack(ssd(elements("<ssd:System name=\"S\" id=\"twin\">" + elements(component("C")) +
                    "</ssd:System>"
                    "<ssd:Component name=\"T\" source=\"#twin\"/>")));
  const auto d = read_sound();
  ASSERT_EQ(d.subsystems.size(), 2u);
  EXPECT_EQ(d.subsystems[0].name, "S.C");
  EXPECT_EQ(d.subsystems[1].name, "T.C");
}

TEST_F(SeveralFiles, bare_description_reads_files_of_its_folder) {
  std::filesystem::create_directories(folder_.file("resources"));
  formats::write_text(folder_.file("bare.ssd"), ssd(elements(component("A"))));
  formats::write_text(folder_.file("resources/a.fmu"), plain_fmu());
  const auto d = read_system(folder_.file("bare.ssd"), {}, problems_);
  EXPECT_TRUE(problems_.empty()) << problems_.text();
  EXPECT_EQ(d->subsystems.at(0).fmu, folder_.file("resources/a.fmu"));
}

TEST_F(SeveralFiles, experiment_and_prefixes_of_namespaces_are_as_the_file_says) {
  pack(R"(<SystemStructureDescription version="2.0" name="plain"><System name="root"><Elements>
<x:Component xmlns:x="y" name="A" source="resources/a.fmu" implementation="CoSimulation"/></Elements></System>
<DefaultExperiment startTime="1" stopTime="2.5"/></SystemStructureDescription>)");
  const auto d = read_sound();
  EXPECT_EQ(d.name, "plain");
  EXPECT_EQ(d.experiment.start, 1.0);
  EXPECT_EQ(d.experiment.stop, 2.5);
  EXPECT_EQ(d.subsystems.at(0).interface, system::FmuInterface::co_simulation);
}

}  // namespace
}  // namespace seam::ssp
