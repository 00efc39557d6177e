// A study that was left goes on where it was, or refuses.
#include <atomic>

#include "formats/hdf5_matrix.hpp"
#include "study/study_folder.hpp"

namespace seam::study {
namespace {

class Resume : public StudyFolder {
 protected:
  static constexpr const char* text =
      "seed: 3\nsamples: 6\nvary: {left.to_ground.k: {uniform: [5, 50]}, plan.coupling: [foh]}\n";

  /// Ends after so many points, as Ctrl-C would.
  StudyResult run_partly(const Prepared& study, std::size_t points) const {
    std::atomic<bool> stop = false;
    StudySettings settings;
    settings.file = path("r.csv");
    settings.workers = 1;
    settings.stop_asked = &stop;
    settings.progress = [&](std::size_t done, std::size_t) { stop = done >= points; };
    return run_study(study, settings);
  }

  StudyResult resume(const Prepared& study) const {
    StudySettings settings;
    settings.file = path("r.csv");
    settings.workers = 2;
    settings.existing = StudySettings::Existing::resumed;
    return run_study(study, settings);
  }

  std::string refusal(const Prepared& study) const {
    try {
      resume(study);
    } catch (const base::ProblemsFound& found) {
      return found.problems().text();
    }
    return {};
  }
};

TEST_F(Resume, a_resumed_study_equals_an_uninterrupted_one) {
  const Prepared study = prepared(text);
  const StudyResult part = run_partly(study, 2);
  EXPECT_FALSE(part.complete);
  EXPECT_GE(part.rows.size(), 6U);
  EXPECT_LT(part.rows.size(), 18U);
  const StudyResult rest = resume(study);
  EXPECT_TRUE(rest.complete);
  EXPECT_EQ(rest.points_before, part.rows.size() / 3);
  run(study, "whole.csv");
  EXPECT_EQ(read("r.csv"), read("whole.csv"));
  std::string summary = read("whole.summary.json");
  summary.replace(summary.find("whole.csv"), 9, "r.csv");
  EXPECT_EQ(read("r.summary.json"), summary);
}

TEST_F(Resume, trajectories_and_sensitivities_are_those_of_an_uninterrupted_study) {
  const Prepared study = prepared(
      "seed: 3\nsamples: 8\nsampling: sobol\nvary: {left.to_ground.k: {uniform: [5, 50]}}\n"
      "metrics: [{end: {final: left.x1}}]\nsensitivities: [end]\ntrajectories: [left.x1]\n");
  const StudyResult part = run_partly(study, 4);
  EXPECT_FALSE(part.complete);
  EXPECT_TRUE(resume(study).complete);
  run(study, "whole.csv");
  EXPECT_EQ(read("r.csv"), read("whole.csv"));
  EXPECT_EQ(read("r.sensitivities.csv"), read("whole.sensitivities.csv"));
  const formats::Matrix resumed(path("r.trajectories.h5"), "left.x1"), whole(path("whole.trajectories.h5"), "left.x1");
  EXPECT_EQ(resumed.extent[1], 24U);
  EXPECT_EQ(resumed.numbers, whole.numbers);
}

TEST_F(Resume, a_line_that_was_cut_off_is_run_again) {
  const Prepared study = prepared(text);
  run(study, "r.csv");
  const std::string whole = read("r.csv");
  formats::write_text(path("r.csv"), whole.substr(0, whole.size() - 30));
  EXPECT_EQ(resume(study).points_before, 5U);
  EXPECT_EQ(read("r.csv"), whole);
}

TEST_F(Resume, a_finished_study_has_nothing_left_to_do) {
  const Prepared study = prepared(text);
  run(study, "r.csv");
  const std::string whole = read("r.csv");
  EXPECT_EQ(resume(study).points_before, 6U);
  EXPECT_EQ(read("r.csv"), whole);
}

TEST_F(Resume, another_seed_is_refused) {
  run_partly(prepared(text), 2);
  std::string other = text;
  other.replace(other.find("seed: 3"), 7, "seed: 4");
  EXPECT_NE(refusal(prepared(other)).find("the seed is another one"), std::string::npos);
}

TEST_F(Resume, another_study_is_refused_but_another_summary_is_not) {
  run_partly(prepared(text), 2);
  EXPECT_NE(refusal(prepared(std::string(text) + "growth_limit: 5\n")).find("the study file has changed"),
            std::string::npos);
  EXPECT_EQ(refusal(prepared(std::string(text) + "name: x\nsummarise: {quantiles: [0.9]}\n")), "");
}

TEST_F(Resume, another_system_is_refused) {
  run_partly(prepared(text), 2);
  formats::write_text(path("pair.yaml"), read("pair.yaml") + "# changed\n");
  EXPECT_NE(refusal(prepared(text)).find("\"pair.yaml\" has changed"), std::string::npos);
}

TEST_F(Resume, a_result_that_is_there_is_not_replaced_unasked) {
  const Prepared study = prepared(text);
  run(study, "r.csv");
  EXPECT_THROW(run_partly(study, 2), base::ProblemsFound);
}

TEST_F(Resume, a_result_never_replaces_what_the_study_reads) {
  EXPECT_THROW(run(prepared(text), "pair.yaml"), base::ProblemsFound);
  EXPECT_THROW(run(prepared(text), "study.yaml"), base::ProblemsFound);
}

}  // namespace
}  // namespace seam::study
