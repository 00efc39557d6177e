// Whole studies of models of our own.
#include "seam/study/run_study.hpp"

#include <cmath>

#include "formats/hdf5_matrix.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "seam/formats/table.hpp"
#include "study/study_folder.hpp"

namespace seam::study {
namespace {

class RunStudy : public StudyFolder {
 protected:
  static const Row& row_of(const StudyResult& result, std::size_t point, std::size_t method, std::size_t methods) {
    return result.rows.at(point * methods + method);
  }
  engine::System opened(const engine::Changes& changes) const { return engine::open(path("pair.yaml"), changes); }
};

const char* const random_masses =
    "seed: 11\nsamples: 7\nreference: monolithic\n"
    "vary: {mass: {log-uniform: [0.05, 0.5]}, plan.step: [5 ms, 20 ms], plan.coupling: [zoh, foh]}\n"
    "set: {left.masses: \"[{mass}]\"}\n"
    "metrics: [nrmse_range, nrmse_deviation, nrmse_range_each, states_range, radius]\n";

TEST_F(RunStudy, gives_the_same_bytes_for_every_number_of_workers) {
  const Prepared study = prepared(random_masses);
  const StudyResult alone = run(study, "one.csv", 1);
  EXPECT_EQ(alone.rows.size(), 14U * 3U);
  EXPECT_TRUE(alone.complete);
  for (const int workers : {2, 3, 8}) {
    run(study, "more.csv", workers);
    EXPECT_EQ(read("one.csv"), read("more.csv")) << workers;
  }
}

TEST_F(RunStudy, tells_the_error_that_a_run_and_a_reference_have) {
  const StudyResult result = run(prepared("vary: {plan.coupling: [foh], plan.step: [20 ms]}\n"), "r.csv");
  engine::Changes changes;
  changes.step = "20 ms";
  changes.coupling = "foh";
  const engine::System system = opened(changes);
  engine::RunSettings settings;
  settings.file = path("run.csv");
  engine::run(system, settings);
  settings.file = path("reference.csv");
  engine::reference(system, settings);
  const record::Comparison expected = engine::compare({path("run.csv"), path("reference.csv")});
  const Row& row = row_of(result, 0, 0, 3);
  EXPECT_EQ(row.ending, Ending::done) << row.reason;
  EXPECT_EQ(row.metrics[0], expected.overall_range);
  EXPECT_EQ(row.metrics[1], expected.overall_deviation);
  EXPECT_EQ(row.metrics[2], engine::analyse(system).spectral_radius);
}

TEST_F(RunStudy, has_a_plain_hold_beside_correctors_and_takes_them_as_maps) {
  const Prepared study =
      prepared("vary: {plan.coupling: [zoh], plan.corrector: [{mbcorr: {over: [left.x_in]}}, plc]}\n");
  EXPECT_EQ(study.sheet.methods,
            (std::vector<std::string>{"zoh {mbcorr: {over: [left.x_in]}}", "zoh plc", "zoh", "no coupling"}));
  const StudyResult with = run(study, "a.csv"), plain = run(prepared("vary: {plan.coupling: [zoh]}\n"), "b.csv");
  EXPECT_EQ(row_of(with, 0, 0, 4).ending, Ending::done) << row_of(with, 0, 0, 4).reason;
  EXPECT_EQ(row_of(with, 0, 2, 4).metrics, row_of(plain, 0, 0, 2).metrics);
  EXPECT_NE(row_of(with, 0, 1, 4).metrics, row_of(plain, 0, 0, 2).metrics);
}

TEST_F(RunStudy, excludes_points_also_where_no_error_is_asked_for) {
  const StudyResult result =
      run(prepared("exclude: {reference_radius: 0.5}\nreference: {plan.step: 1 ms}\nmetrics: [radius]\n"), "r.csv");
  EXPECT_EQ(result.rows.at(0).ending, Ending::excluded);
}

TEST_F(RunStudy, the_control_exchanges_nothing) {
  const StudyResult result =
      run(prepared("metrics: [nrmse_range, nrmse_deviation, states_deviation, radius]\n"), "r.csv");
  // Alone, with the other side at rest, the left mass swings with both of its springs, and the right one, pushed by the
  // force of the start, about another place: far from what they do together, and damped as each is by itself.
  const Row& control = row_of(result, 0, 2, 3);
  EXPECT_GT(control.metrics[1], 1.0);
  EXPECT_GT(control.metrics[2], 10.0 * row_of(result, 0, 1, 3).metrics[2]);
  const double h = 0.01;
  EXPECT_NEAR(control.metrics[3], std::exp(-0.1 / (2 * 0.1) * h), 1e-12);
}

TEST_F(RunStudy, inputs_of_the_control_keep_what_they_have_at_the_start) {
  const engine::System system = opened({});
  const engine::MemoryRun coupled = engine::run_in_memory(system, {});
  const engine::MemoryRun alone = engine::run_in_memory(engine::without_exchange(system), {});
  const std::vector<double>& input = *alone.table.find("right.F_in");
  EXPECT_EQ(input.front(), coupled.table.find("right.F_in")->front());
  EXPECT_NE(input.front(), 0.0);
  for (const double value : input) EXPECT_EQ(value, input.front());
}

TEST_F(RunStudy, states_of_the_reference_are_those_of_a_run_with_small_steps) {
  const StudyResult result =
      run(prepared("metrics: [states_range]\nvary: {plan.coupling: [soh], plan.step: [1 ms, 0.1 ms]}\n"), "m.csv");
  // the first step knows no slope: its error, and with it that of the states, is of second order
  const double coarse = row_of(result, 0, 0, 3).metrics[0], fine = row_of(result, 1, 0, 3).metrics[0];
  EXPECT_LT(fine, 1e-6);
  EXPECT_NEAR(coarse / fine, 100.0, 10.0);
}

TEST_F(RunStudy, compares_with_a_finer_run_where_that_is_the_reference) {
  const std::string text = "metrics: [nrmse_range, states_range]\nvary: {plan.coupling: [foh], plan.step: [10 ms]}\n";
  const StudyResult finer = run(prepared(text + "reference: {plan.step: 0.01 ms, plan.coupling: soh}\n"), "f.csv");
  const StudyResult exact = run(prepared(text + "reference: monolithic\n"), "e.csv");
  for (std::size_t metric = 0; metric < 2; ++metric)
    EXPECT_NEAR(row_of(finer, 0, 0, 3).metrics[metric], row_of(exact, 0, 0, 3).metrics[metric], 1e-7);
  const StudyResult itself = run(prepared(text + "reference: {plan.coupling: foh}\n"), "i.csv");
  EXPECT_EQ(row_of(itself, 0, 0, 3).metrics[0], 0.0);
}

TEST_F(RunStudy, a_reference_with_other_times_is_told) {
  const StudyResult finer = run(prepared("metrics: [nrmse_range]\nreference: {plan.step: 5 ms}\n"), "f.csv");
  EXPECT_EQ(row_of(finer, 0, 0, 3).reason, "");
  const StudyResult coarse = run(prepared("metrics: [nrmse_range]\nreference: {plan.step: 20 ms}\n"), "c.csv");
  EXPECT_EQ(row_of(coarse, 0, 0, 3).reason, "the reference has other times and was interpolated");
}

TEST_F(RunStudy, a_case_that_cannot_be_run_is_a_row_with_its_reason) {
  const StudyResult result = run(prepared("vary: {left.masses: [[0.1], [-1], [0.2]]}\n"), "r.csv");
  ASSERT_EQ(result.rows.size(), 9U);
  EXPECT_TRUE(result.complete);
  for (std::size_t method = 0; method < 3; ++method) {
    const Row& row = row_of(result, 1, method, 3);
    EXPECT_EQ(row.ending, Ending::failed);
    EXPECT_NE(row.reason, "");
    for (const double metric : row.metrics) EXPECT_TRUE(std::isnan(metric));
    EXPECT_EQ(row_of(result, 2, method, 3).ending, Ending::done);
  }
}

TEST_F(RunStudy, a_case_that_diverges_has_infinite_errors) {
  const StudyResult result =
      run(prepared("growth_limit: 100\nset: {experiment.stop: 100}\nvary: {plan.step: [100 ms]}\n"), "r.csv");
  const Row& row = row_of(result, 0, 0, 3);
  EXPECT_EQ(row.ending, Ending::diverged);
  EXPECT_TRUE(std::isinf(row.metrics[0]));
  EXPECT_GT(row.metrics[2], 1.0);
  EXPECT_NE(row.reason.find("diverged at"), std::string::npos) << row.reason;
}

TEST_F(RunStudy, numbers_go_to_hdf5_as_they_are_in_the_csv_file) {
  const StudyResult result = run(prepared("vary: {plan.step: [5 ms, 10 ms]}\n"), "r.h5");
  EXPECT_EQ(result.rows_file, path("r.csv"));
  base::Problems problems;
  const formats::Table table = formats::read_table(path("r.h5"), problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  ASSERT_EQ(table.rows(), 6U);
  EXPECT_EQ((*table.find("plan.step"))[3], 0.01);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ((*table.find("case"))[i], static_cast<double>(i + 1));
    EXPECT_EQ((*table.find("method"))[i], static_cast<double>(i % 3 + 1));
    EXPECT_EQ((*table.find("nrmse_range"))[i], result.rows[i].metrics[0]);
  }
}

TEST_F(RunStudy, energy_is_told_where_there_are_bonds) {
  const StudyResult result = run(prepared("metrics: [energy_added, wall_time]\n",
                                          std::string(SEAM_SOURCE_DIR) + "/examples/energy/force-velocity.yaml"),
                                 "r.csv");
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_NEAR(result.rows[0].metrics[0], 0.00479192, 5e-9);  // as examples/README.md says
  EXPECT_GT(result.rows[0].metrics[1], 0.0);
}

TEST_F(RunStudy, the_study_that_is_shipped_runs) {
  const Prepared study = prepare(std::string(SEAM_SOURCE_DIR) + "/studies/benchmark-steps.yaml");
  const StudyResult result = run(study, "r.csv", 2);
  for (const Row& row : result.rows) EXPECT_EQ(row.ending, Ending::done) << row.reason;
  // the radii of examples/README.md at 10 ms
  EXPECT_NEAR(row_of(result, 3, 0, 4).metrics[2], 0.996258711648, 1e-12);
  EXPECT_NEAR(row_of(result, 3, 1, 4).metrics[2], 0.994999962277, 1e-12);
}

TEST_F(RunStudy, keeps_trajectories_where_they_are_asked_for) {
  const std::string text = "vary: {left.to_ground.k: [10, 12]}\nmetrics: []\ntrajectories: [\"left.*\"]\n";
  const Prepared study = prepared(text);
  std::vector<std::string> names;
  for (const auto& variable : study.trajectories) names.push_back(variable.name);
  EXPECT_EQ(names, (std::vector<std::string>{"time", "left.x1", "left.v1", "left.a1", "left.F", "left.f1", "left.x_in",
                                             "left.v_in"}));
  EXPECT_EQ(study.trajectories[1].unit, "m");
  const StudyResult result = run(study, "r.csv", 2);
  EXPECT_EQ(result.trajectory_file, path("r.trajectories.h5"));
  const formats::Matrix x(result.trajectory_file, "left.x1"), time(result.trajectory_file, "time");
  engine::Changes changes;
  changes.set = {"left.to_ground.k=12"};
  changes.variables = {"left.x1"};
  const engine::MemoryRun second = engine::run_in_memory(opened(changes), {});
  ASSERT_EQ(x.extent[1], 2U);
  ASSERT_EQ(x.extent[0], second.table.rows());
  for (std::size_t row = 0; row < x.extent[0]; ++row) {
    EXPECT_EQ(time(row, 1), second.table.columns[0][row]);
    EXPECT_EQ(x(row, 1), second.table.columns[1][row]);
  }
  EXPECT_TRUE(result.rows[1].trajectories.empty());  // they are in the file, not in memory
  EXPECT_EQ(run(prepared("metrics: [radius]\n"), "s.csv").trajectory_file, "");
}

TEST_F(RunStudy, the_quarter_car_that_is_shipped_runs) {
  base::Problems problems;
  Study study = read_study(std::string(SEAM_SOURCE_DIR) + "/studies/quarter-car.yaml", problems).value();
  study.samples = 3;
  const StudyResult result = run(prepare(std::move(study)), "r.csv", 2);
  ASSERT_EQ(result.rows.size(), 15U);
  for (const Row& row : result.rows) {
    EXPECT_EQ(row.ending, Ending::done) << row.reason;
    for (const double metric : row.metrics) EXPECT_GT(metric, 0.0);
  }
}

}  // namespace
}  // namespace seam::study
