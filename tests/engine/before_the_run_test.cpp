// What can be known to go wrong is said before anything runs: causes, each once.
#include <algorithm>

#include "engine/fmu_workshop.hpp"
#include "formats/raw_zip.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

class BeforeTheRun : public FmuWorkshop {
 protected:
  /// An FMU of one input and one output with this inside of <ModelStructure>, and a library for Windows alone.
  void pack(const std::string& file, const std::string& structure) const {
    const std::string variables =
        R"(<ScalarVariable name="u" valueReference="0" causality="input"><Real start="0"/></ScalarVariable>)"
        R"(<ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable>)";
    formats::RawZip zip;
    zip.add("modelDescription.xml",
            R"(<fmiModelDescription fmiVersion="2.0" modelName="m" guid="1" generationTool="Modeller 7">)"
            R"(<CoSimulation modelIdentifier="m"/><ModelVariables>)" +
                variables + "</ModelVariables><ModelStructure>" + structure +
                "</ModelStructure></fmiModelDescription>");
    formats::write_text(folder_.file(file), zip.add("binaries/win64/m.dll", "x").bytes());
  }
  System opened(const std::string& text) const { return open_text(text, folder_.file("system.yaml"), {}); }
  static std::string with(const std::string& a, const std::string& b, const std::string& step = "0.1") {
    return "seam: 1\nsubsystems:\n  a: {fmu: " + a + "}\n  b: {fmu: " + b +
           "}\nconnections: [a.y -> b.u]\nexperiment: {stop: 1}\nplan: {step: " + step + "}\n";
  }
};

const std::string sound =
    R"(<Outputs><Unknown index="2"/></Outputs><InitialUnknowns><Unknown index="2"/></InitialUnknowns>)";

TEST_F(BeforeTheRun, a_missing_library_is_a_problem_once_a_file) {
  pack("m.fmu", sound);
  const System system = opened(with("m.fmu", "m.fmu"));
  try {
    make_live(system, {Horizon::experiment});
    FAIL();
  } catch (const base::ProblemsFound& found) {
    ASSERT_EQ(found.problems().size(), 1u) << found.what();
    EXPECT_NE(found.problems().all()[0].what.find("m.fmu has no library for Linux"), std::string::npos);
    EXPECT_NE(found.problems().all()[0].what.find("it has win64"), std::string::npos);
    EXPECT_EQ(found.problems().all()[0].where.line, 3);
  }
}

TEST_F(BeforeTheRun, a_missing_library_in_a_package_is_named_inside_of_it) {
  pack("m.fmu", sound);
  formats::RawZip zip;
  zip.add("resources/m.fmu", formats::read_text(folder_.file("m.fmu")));
  zip.add("SystemStructure.ssd",
          R"(<SystemStructureDescription version="1.0" name="p"><System name="root"><Elements>)"
          R"(<Component name="a" source="resources/m.fmu"/></Elements></System></SystemStructureDescription>)");
  formats::write_text(folder_.file("p.ssp"), zip.bytes());
  Changes changes;
  changes.stop = "1";
  changes.step = "0.1";
  const System system = open(folder_.file("p.ssp"), changes);
  try {
    make_live(system, {Horizon::experiment});
    FAIL();
  } catch (const base::ProblemsFound& found) {
    EXPECT_NE(std::string(found.what()).find("p.ssp/"), std::string::npos) << found.what();
    EXPECT_NE(std::string(found.what()).find("m.fmu has no library"), std::string::npos) << found.what();
  }
}

TEST_F(BeforeTheRun, an_fmu_that_is_the_place_of_a_problem_is_not_named_again) {
  pack("m.fmu", sound);
  Changes changes;
  changes.stop = "1";
  try {
    require_libraries(open_fmus({{folder_.file("m.fmu")}, {}}, changes));
    FAIL();
  } catch (const base::ProblemsFound& found) {
    EXPECT_EQ(found.problems().all().at(0).what.find("the FMU has no library for Linux"), 0u) << found.what();
  }
}

TEST_F(BeforeTheRun, sources_of_fmi_1_are_not_offered_to_seam_build) {
  const auto mend_of = [&](const std::string& version, const std::string& interface) {
    formats::RawZip zip;
    zip.add("modelDescription.xml", "<fmiModelDescription fmiVersion=\"" + version +
                                        "\" modelName=\"m\" modelIdentifier=\"m\" guid=\"1\" "
                                        "numberOfContinuousStates=\"0\" numberOfEventIndicators=\"0\">" +
                                        interface + "</fmiModelDescription>");
    formats::write_text(folder_.file("s.fmu"), zip.add("sources/m.c", "").add("binaries/win64/m.dll", "").bytes());
    Changes changes;
    changes.stop = "1";
    try {
      require_libraries(open_fmus({{folder_.file("s.fmu")}, {}}, changes));
    } catch (const base::ProblemsFound& found) {
      return found.problems().all().at(0).mend;
    }
    return std::string();
  };
  EXPECT_NE(
      mend_of("2.0", "<CoSimulation modelIdentifier=\"m\"/><ModelVariables/><ModelStructure/>").find("seam build"),
      std::string::npos);
  EXPECT_NE(mend_of("1.0", "<ModelVariables/>").find("ask its supplier"), std::string::npos);
}

TEST_F(BeforeTheRun, a_missing_stop_time_is_named_before_the_step_that_follows_from_it) {
  pack("m.fmu", sound);
  try {
    open_fmus({{folder_.file("m.fmu")}, {}}, {});
    FAIL();
  } catch (const base::ProblemsFound& found) {
    ASSERT_EQ(found.problems().size(), 1u) << found.what();
    EXPECT_EQ(found.problems().all()[0].what, "the stop time is not given, and no FMU suggests one");
    EXPECT_NE(found.problems().all()[0].mend.find("--stop"), std::string::npos);
  }
}

TEST_F(BeforeTheRun, habits_of_a_tool_are_told_once_a_tool) {
  pack("m.fmu", "");
  pack("n.fmu", R"(<Outputs/>)");
  const auto& notices = opened(with("m.fmu", "n.fmu")).description.notices;
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].find("2 FMUs of Modeller 7: 4 description problems, see seam check "), 0u) << notices[0];
}

TEST_F(BeforeTheRun, a_step_longer_than_the_run_is_a_notice) {
  pack("m.fmu", sound);
  const auto& notices = opened(with("m.fmu", "m.fmu", "2")).description.notices;
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("the macro step of 2 s is longer than the run of 1 s"), std::string::npos) << notices[0];
  EXPECT_TRUE(opened(with("m.fmu", "m.fmu", "1")).description.notices.empty());
}

TEST_F(BeforeTheRun, a_file_that_cannot_be_read_is_one_problem_and_not_its_consequences) {
  try {
    opened("seam: 1\nsubsystems:\n  a: {system: missing.yaml}\n");
    FAIL();
  } catch (const base::ProblemsFound& found) {
    EXPECT_EQ(std::string(found.what()).find("no subsystems"), std::string::npos) << found.what();
    EXPECT_EQ(std::string(found.what()).find("macro step"), std::string::npos) << found.what();
  }
}

}  // namespace
}  // namespace seam::engine
