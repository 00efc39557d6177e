// Studies of FMUs: every worker is a process, and a crash costs one point.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "formats/hdf5_matrix.hpp"
#include "study/study_folder.hpp"

namespace seam::study {
namespace {

class FmuStudy : public StudyFolder {
 protected:
  FmuStudy() { ::setenv("XDG_CACHE_HOME", cache_.file("").c_str(), 1); }
  ~FmuStudy() override { ::unsetenv("XDG_CACHE_HOME"); }

  void take(const std::string& name) const {
    std::filesystem::copy_file(std::string(SEAM_BINARY_DIR) + "/fmus/fmi2/" + name + ".fmu", path(name + ".fmu"));
  }

  formats::TemporaryFolder cache_;
};

TEST_F(FmuStudy, gives_the_same_bytes_for_every_number_of_workers_and_those_of_native_models) {
  take("two-mass-left");
  take("two-mass-right");
  formats::write_text(path("fmus.yaml"),
                      "seam: 1\nsubsystems:\n  left: {fmu: two-mass-left.fmu}\n  right: {fmu: two-mass-right.fmu}\n"
                      "connections: [left.F -> right.F_in, right.x1 -> left.x_in, right.v1 -> left.v_in]\n"
                      "experiment: {stop: 0.1}\nplan: {step: 0.01}\n");
  const Prepared study = prepared(
      "vary: {left.m: [0.1, 0.2, 0.3], plan.coupling: [zoh]}\nmetrics: [nrmse_range]\n"
      "reference: {plan.step: 1 ms}\n",
      "fmus.yaml");
  EXPECT_EQ(study.kind, Kind::with_fmus);
  const StudyResult alone = run(study, "one.csv", 1);
  for (const Row& row : alone.rows) EXPECT_EQ(row.ending, Ending::done) << row.reason;
  EXPECT_GT(alone.rows[0].metrics[0], 0.0);
  for (const int workers : {2, 3}) {
    run(study, "more.csv", workers);
    EXPECT_EQ(read("one.csv"), read("more.csv")) << workers;
  }
}

TEST_F(FmuStudy, trajectories_come_from_the_processes_to_the_bit) {
  take("two-mass-left");
  formats::write_text(path("one.yaml"),
                      "seam: 1\nsubsystems:\n  left: {fmu: two-mass-left.fmu, set: {x_in: 0, v_in: 0}}\n"
                      "experiment: {stop: 0.1}\nplan: {step: 0.01}\n");
  const Prepared study = prepared(
      "vary: {left.m: [0.1, 0.2], experiment.stop: [0.1, 0.05]}\n"
      "metrics: [{last: {final: left.F}}, {far: {max: abs(left.F)}}]\ntrajectories: [left.F]\n",
      "one.yaml");
  const StudyResult result = run(study, "r.csv", 2);
  const formats::Matrix force(result.trajectory_file, "left.F");
  ASSERT_EQ(force.extent[1], 4U);
  for (std::size_t run = 0; run < 4; ++run) {
    const std::size_t last = run % 2 == 0 ? 10 : 5;
    double far = 0.0;
    for (std::size_t row = 0; row <= last; ++row) far = std::max(far, std::abs(force(row, run)));
    EXPECT_EQ(result.rows[run].metrics[0], force(last, run)) << result.rows[run].reason;
    EXPECT_EQ(result.rows[run].metrics[1], far);
    EXPECT_EQ(std::isnan(force(10, run)), run % 2 == 1);
  }
}

TEST_F(FmuStudy, a_reference_of_wrong_equations_is_told_and_not_used) {
  take("bad-exchange");
  formats::write_text(path("wrong.yaml"),
                      "seam: 1\nsubsystems:\n  s: {model: sine, set: {amplitude: 1, frequency: 1}}\n"
                      "  a: {fmu: bad-exchange.fmu, set: {fault: sign}}\nconnections: [s.y -> a.u]\n"
                      "experiment: {stop: 1}\nplan: {step: 0.01}\nrecord: {variables: [a.y]}\n");
  const Prepared study = prepared("vary: {a.k: [1, 2]}\nmetrics: [nrmse_range]\n", "wrong.yaml");
  for (const Row& row : run(study, "r.csv", 1).rows) {
    EXPECT_EQ(row.ending, Ending::done) << row.reason;
    EXPECT_LT(row.metrics[0], 0.05) << "the wrong equations are another motion";
    EXPECT_NE(row.reason.find("does not do what its co-simulation does"), std::string::npos) << row.reason;
  }
}

TEST_F(FmuStudy, a_crash_is_a_row_and_the_others_go_on) {
  take("bad-crash-in-step");
  formats::write_text(
      path("crash.yaml"),
      "seam: 1\nsubsystems:\n  bad: {fmu: bad-crash-in-step.fmu}\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Prepared study = prepared("vary: {experiment.stop: [1, 2]}\nmetrics: [wall_time]\n", "crash.yaml");
  const StudyResult result = run(study, "r.csv", 1);
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_TRUE(result.complete);
  for (const Row& row : result.rows) {
    EXPECT_EQ(row.ending, Ending::failed);
    EXPECT_NE(row.reason.find("died (signal"), std::string::npos) << row.reason;
  }
}

}  // namespace
}  // namespace seam::study
