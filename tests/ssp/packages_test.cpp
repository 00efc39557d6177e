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
  EXPECT_EQ(d.subsystems[0].fmu()->written, "resources/sub/resources/a.fmu");
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
  EXPECT_EQ(d->subsystems.at(0).fmu()->path, folder_.file("resources/a.fmu"));
}

TEST_F(SeveralFiles, experiment_and_prefixes_of_namespaces_are_as_the_file_says) {
  pack(R"(<SystemStructureDescription version="2.0" name="plain"><System name="root"><Elements>
<x:Component xmlns:x="y" name="A" source="resources/a.fmu" implementation="CoSimulation"/></Elements></System>
<DefaultExperiment startTime="1" stopTime="2.5"/></SystemStructureDescription>)");
  const auto d = read_sound();
  EXPECT_EQ(d.name, "plain");
  EXPECT_EQ(d.experiment.start, 1.0);
  EXPECT_EQ(d.experiment.stop, 2.5);
  EXPECT_EQ(d.subsystems.at(0).fmu()->interface, system::FmuInterface::co_simulation);
}

TEST_F(SeveralFiles, of_annotations_only_the_step_of_omsimulator_is_read) {
  const auto annotated = [](const std::string& type, const std::string& step) {
    return ssd(
        elements(component("A")) + "<ssd:Annotations><ssc:Annotation type=\"" + type +
        "\"><oms:Annotations xmlns:oms=\"o\"><oms:SimulationInformation><oms:FixedStepMaster description=\"oms-ma\" "
        "stepSize=\"" +
        step + "\"/></oms:SimulationInformation></oms:Annotations></ssc:Annotation></ssd:Annotations>");
  };
  pack(annotated("org.openmodelica", "0.25"));
  const auto d = read_sound();
  EXPECT_EQ(d.plan.step, 0.25);
  ASSERT_EQ(d.notices.size(), 1u);
  EXPECT_NE(d.notices[0].find("OMSimulator suggests a macro step of 0.25 s"), std::string::npos);
  ReadOptions options;
  options.plan = load::read_plan_text("seam: 1\nplan: {step: 1 ms}\n", "p.yaml", problems_);
  EXPECT_EQ(read_sound(options).plan.step, 1e-3);
  pack(annotated("com.other.tool", "0.25"));
  EXPECT_FALSE(read_sound().plan.step);
}

TEST_F(SeveralFiles, sources_elsewhere_are_opened_by_the_user_alone) {
  formats::TemporaryFolder elsewhere;
  formats::write_text(elsewhere.file("b.fmu"), plain_fmu());
  const std::string place = elsewhere.file("b.fmu");
  pack(ssd(elements("<ssd:Component name=\"B\" source=\"file://" + place + "\"/>")));
  expect_problem("SystemStructure.ssd:", "is absolute");
  ReadOptions options;
  options.opened_folders = {elsewhere.file("")};
  EXPECT_EQ(std::filesystem::canonical(read_sound(options).subsystems.at(0).fmu()->path),
            std::filesystem::canonical(place));
}

TEST_F(SeveralFiles, bare_description_may_name_files_elsewhere_if_the_user_named_it) {
  std::filesystem::create_directories(folder_.file("sub"));
  formats::write_text(folder_.file("b.fmu"), plain_fmu());
  formats::write_text(folder_.file("sub/bare.ssd"), ssd(elements("<ssd:Component name=\"B\" source=\"../b.fmu\"/>")));
  read_system(folder_.file("sub/bare.ssd"), {}, problems_);
  EXPECT_NE(problems_.text().find("leads upwards"), std::string::npos);
  problems_ = {};
  ReadOptions options;
  options.elsewhere = load::Elsewhere::read;
  const auto d = read_system(folder_.file("sub/bare.ssd"), options, problems_);
  EXPECT_TRUE(problems_.empty()) << problems_.text();
  EXPECT_EQ(std::filesystem::canonical(d->subsystems.at(0).fmu()->path),
            std::filesystem::canonical(folder_.file("b.fmu")));
  EXPECT_NE(problems_.mended_words().find("../b.fmu"), std::string::npos);
  pack(ssd(elements("<ssd:Component name=\"B\" source=\"../b.fmu\"/>")));
  read(options);
  EXPECT_NE(problems_.text().find("leads upwards, out of the package"), std::string::npos) << "archives may not";
}

// As OMSimulator writes connections of the system's own connectors, and templates of mappings.
TEST_F(SeveralFiles, empty_names_of_omsimulator_are_read_as_none) {
  const std::string mapping =
      "<ssd:ParameterMapping><ssm:ParameterMapping xmlns:ssm=\"m\" version=\"1.0\"><ssm:MappingEntry source=\"\" "
      "target=\"v\"/><ssm:MappingEntry source=\"a\" target=\"k\"/></ssm:ParameterMapping></ssd:ParameterMapping>";
  const std::string text = ssd(
      "<ssd:Connectors>" + connector("in", "input") + connector("out", "output") + "</ssd:Connectors>" +
      elements(component("A", bindings(binding(parameter_set(real("a", "5")), "source=\"\"", mapping))) +
               "<ssd:Component name=\"E\" source=\"\"/>") +
      connections("<ssd:Connection startElement=\"\" startConnector=\"in\" endElement=\"A\" endConnector=\"u\"/>"
                  "<ssd:Connection startElement=\"A\" startConnector=\"y\" endElement=\"\" endConnector=\"out\"/>"));
  pack(text);
  const auto d = read_sound();
  ASSERT_EQ(d.aliases.size(), 2u);
  EXPECT_EQ(setting(d, "A", "k").number, 5.0);
  EXPECT_EQ(problems_.mended_words(),
            "read leniently (--strict refuses it): mapping entries with source=\"\" left out; source=\"\" as none; "
            "startElement=\"\" as none; endElement=\"\" as none");
  base::Problems strict(base::Strictness::strict);
  read_system(folder_.file("x.ssp"), {}, strict);
  EXPECT_EQ(strict.size(), 4u) << strict.text();
}

// zip -r x.ssp ./ makes such entries.
TEST_F(SeveralFiles, entries_that_begin_with_a_dot_are_the_files_behind_it) {
  formats::RawZip zip;
  zip.add("./", "").add("./SystemStructure.ssd", ssd(elements(component("A")))).add("./resources/a.fmu", plain_fmu());
  formats::write_text(folder_.file("x.ssp"), zip.bytes());
  EXPECT_EQ(read_sound().subsystems.at(0).name, "A");
}

TEST_F(SeveralFiles, table_is_a_subsystem_whose_columns_are_outputs) {
  formats::RawZip zip;
  zip.add("resources/t.csv", "time,speed\n0,1\n1,1\n1,3\n2,3\n");
  for (const char* type : {"text/csv", "application/table"}) {
    pack(ssd(elements(component("A") + "<ssd:Component name=\"T\" type=\"" + type +
                      "\" source=\"resources/t.csv\"><ssd:Connectors>" + connector("speed", "output") +
                      "</ssd:Connectors></ssd:Component>") +
             connections(connection("T.speed", "A.u"))),
         zip);
    const auto d = read_sound();
    EXPECT_EQ(wires(d), Wires{"T.speed -> A.u"});
    EXPECT_EQ(d.subsystems.at(1).model()->name, "csv");
    EXPECT_TRUE(d.subsystems.at(1).is_signal);
    EXPECT_EQ(setting(d, "T", "file").text, "resources/t.csv");
  }
  pack(ssd(elements("<ssd:Component name=\"T\" type=\"text/csv\" source=\"../t.csv\"/>")), zip);
  expect_problem("SystemStructure.ssd:", "leads upwards");
}

// As the demonstrator of libcosim and the quarter truck of ecos have it.
TEST_F(SeveralFiles, base_step_of_the_open_simulation_platform_is_read_and_other_algorithms_are_refused_by_name) {
  const auto annotated = [](const std::string& algorithm) {
    return ssd(elements(component("A")),
               "<ssd:DefaultExperiment><ssd:Annotations><ssc:Annotation type=\"com.opensimulationplatform\">"
               "<osp:Algorithm xmlns:osp=\"o\">" +
                   algorithm + "</osp:Algorithm></ssc:Annotation></ssd:Annotations></ssd:DefaultExperiment>");
  };
  pack(annotated("<osp:FixedStepAlgorithm baseStepSize=\"1e-4\"/>"));
  const auto d = read_sound();
  EXPECT_EQ(d.plan.step, 1e-4);
  EXPECT_NE(d.notices.at(0).find("the Open Simulation Platform suggests a macro step of 0.0001 s"), std::string::npos);
  pack(annotated("<osp:EccoAlgorithm stepSize=\"1e-4\"/>"));
  expect_problem("SystemStructure.ssd:", "the algorithm <EccoAlgorithm> is not known here");
}

TEST_F(SeveralFiles, stop_time_that_is_not_given_beside_a_start_time_is_a_second_later) {
  pack(ssd(elements(component("A")), "<ssd:DefaultExperiment startTime=\"2\"/>"));
  const auto d = read_sound();
  EXPECT_EQ(d.experiment.start, 2.0);
  EXPECT_EQ(d.experiment.stop, 3.0);
  EXPECT_NE(d.notices.at(0).find("stop time 3 s"), std::string::npos);
}

}  // namespace
}  // namespace seam::ssp
