// Times that are not given come from the FMUs.
#include <fmt/format.h>

#include "engine/fmu_workshop.hpp"
#include "formats/raw_zip.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

class SuggestedTimes : public FmuWorkshop {
 protected:
  /// An FMU that is read and never loaded.
  std::string described(const std::string& name, const std::string& experiment,
                        const std::string& attributes = {}) const {
    const std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{0}\" "
        "guid=\"{{x}}\">"
        "<CoSimulation modelIdentifier=\"{0}\" canHandleVariableCommunicationStepSize=\"true\" {2}/>{1}"
        "<ModelVariables><ScalarVariable name=\"y\" valueReference=\"1\" causality=\"output\" "
        "initial=\"calculated\"><Real/>"
        "</ScalarVariable></ModelVariables><ModelStructure><Outputs><Unknown index=\"1\"/></Outputs></ModelStructure>"
        "</fmiModelDescription>",
        name, experiment, attributes);
    formats::RawZip zip;
    zip.add("modelDescription.xml", text);
    zip.add("binaries/linux64/" + name + ".so", "no library");
    formats::write_text(folder_.file(name + ".fmu"), zip.bytes());
    return folder_.file(name + ".fmu");
  }
};

TEST_F(SuggestedTimes, start_stop_and_step_of_a_single_fmu_are_taken) {
  const System system =
      open_fmus({{described("a", "<DefaultExperiment startTime=\"10\" stopTime=\"20\" stepSize=\"0.5\"/>")}, {}}, {});
  EXPECT_EQ(system.description.experiment.start, 10.0);
  EXPECT_EQ(system.description.experiment.stop, 20.0);
  EXPECT_EQ(system.plan.step, 0.5);
  EXPECT_EQ(system.description.notices.at(0), "start time 10 s, as the FMUs suggest");
}

TEST_F(SuggestedTimes, start_that_the_user_gives_wins_and_one_that_fmus_disagree_on_is_not_taken) {
  const std::string a = described("a", "<DefaultExperiment startTime=\"10\" stopTime=\"20\" stepSize=\"0.5\"/>");
  const std::string b = described("b", "<DefaultExperiment startTime=\"5\" stopTime=\"20\" stepSize=\"0.5\"/>");
  Changes changes;
  changes.start = "12";
  EXPECT_EQ(open_fmus({{a}, {}}, changes).description.experiment.start, 12.0);
  EXPECT_EQ(open_fmus({{a, b}, {}}, {}).description.experiment.start, 0.0);
}

TEST_F(SuggestedTimes, step_is_a_multiple_of_the_internal_steps_of_all_fmus) {
  const auto step_of = [&](const std::string& experiment, const std::vector<std::string>& internal_steps) {
    FmuRequest request;
    for (const std::string& step : internal_steps)
      request.files.push_back(described("f" + std::to_string(request.files.size()),
                                        "<DefaultExperiment " + experiment + "/>",
                                        "fixedInternalStepSize=\"" + step + "\""));
    return open_fmus(request, {}).plan.step;
  };
  EXPECT_EQ(step_of("stopTime=\"2\"", {"0.1"}), 0.1);                    // not 0.004
  EXPECT_EQ(step_of("stopTime=\"100\"", {"0.001"}), 0.2);                // a five-hundredth, which fits
  EXPECT_EQ(step_of("stopTime=\"2\" stepSize=\"0.25\"", {"0.1"}), 0.2);  // the next shorter one
  EXPECT_DOUBLE_EQ(step_of("stopTime=\"6\"", {"0.02", "0.03"}), 0.06);   // both
  EXPECT_EQ(step_of("stopTime=\"1\"", {"5"}), 0.002);                    // an internal step longer than the run
  EXPECT_DOUBLE_EQ(step_of("stopTime=\"1\" stepSize=\"0.3\"", {"0.05"}), 0.3);
}

// Without the initial unknowns that the standard wants.
TEST_F(SuggestedTimes, what_is_wrong_in_a_description_is_one_line_and_with_strict_a_problem) {
  const FmuRequest request{{described("a", "<DefaultExperiment stopTime=\"1\" stepSize=\"0.5\"/>")}, {}};
  const System system = open_fmus(request, {});
  EXPECT_NE(system.description.notices.back().find("a: 1 description problem, see seam check "), std::string::npos)
      << system.description.notices.back();
  Changes strict;
  strict.fmu_descriptions = Changes::FmuDescriptions::strict;
  EXPECT_THROW(open_fmus(request, strict), base::ProblemsFound);
}

}  // namespace
}  // namespace seam::engine
