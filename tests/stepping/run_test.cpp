#include "seam/stepping/run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "seam/engine/open/system.hpp"

namespace seam::stepping {
namespace {

/// x' = rate x from 1, heard by an integrator; the step is 1 s.
engine::Live growing(const std::string& rate, const std::string& stop, double growth_limit = 1e30) {
  const engine::System system =
      engine::open_text("seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[" + rate +
                            "]], x0: [1]}}\n  b: {model: state-space, set: {A: [[0]], B: [[1]]}}\n"
                            "connections: [a.y -> b.u]\nexperiment: {start: 10, stop: " +
                            stop + "}\nplan: {step: 1}\n",
                        "test.yaml", {});
  return engine::make_live(system, {engine::Horizon::experiment, growth_limit});
}

/// Keeps what it sees, and in a common diary that it saw it.
class Witness final : public Observer {
 public:
  Witness(std::string name, std::string& diary) : name_(std::move(name)), diary_(diary) {}
  void sample(double t, const Row& row) override {
    diary_ += name_;
    times.push_back(t);
    rows.push_back(row.numbers);
  }
  void finish() override { diary_ += name_ + "!"; }

  std::vector<double> times;
  std::vector<std::vector<double>> rows;

 private:
  std::string name_;
  std::string& diary_;
};

struct Ran {
  RunResult result;
  std::string diary;
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
};

Ran run_with(const engine::Live& live, RunOptions options = {}) {
  Ran ran;
  Witness first("1", ran.diary), second("2", ran.diary);
  options.columns = all_columns(live.program);
  coupling::Memory memory = coupling::start(live.program);
  ran.result = run(live.program, memory, options, {&first, &second});
  EXPECT_EQ(first.rows, second.rows);
  ran.times = first.times;
  ran.rows = first.rows;
  return ran;
}

TEST(Run, observers_see_every_point_in_order_and_then_the_end) {
  const Ran ran = run_with(growing("-1", "13"));
  EXPECT_EQ(ran.diary, "121212121!2!");
  EXPECT_EQ(ran.times, (std::vector<double>{10, 11, 12, 13}));
  EXPECT_EQ(ran.result.ending, Ending::completed);
  EXPECT_EQ(ran.result.steps, 3);
  EXPECT_EQ(ran.result.time, 13.0);
  EXPECT_EQ(ran.result.member, -1);
}

TEST(Run, columns_are_outputs_then_inputs_of_each_member_with_their_values) {
  const engine::Live live = growing("-1", "12");
  const std::vector<Column> columns = all_columns(live.program);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[0].name, "a.y");
  EXPECT_EQ(columns[1].name, "b.y");
  EXPECT_EQ(columns[2].name, "b.u");
  EXPECT_EQ(columns[2].direction, Direction::input);
  const Ran ran = run_with(live);
  EXPECT_NEAR(ran.rows[1][0], std::exp(-1), 1e-15);
  EXPECT_NEAR(ran.rows[1][1], 1.0, 1e-15);
  EXPECT_EQ(ran.rows[1][2], ran.rows[1][0]);
}

TEST(Run, every_nth_point_is_seen_and_the_numbers_are_the_same) {
  RunOptions options;
  options.every = 3;
  const Ran all = run_with(growing("-0.1", "22")), few = run_with(growing("-0.1", "22"), options);
  EXPECT_EQ(few.times, (std::vector<double>{10, 13, 16, 19, 22}));
  for (std::size_t i = 0; i < few.rows.size(); ++i) EXPECT_EQ(few.rows[i], all.rows[3 * i]);
}

TEST(Run, a_stop_off_the_grid_is_the_last_point) {
  const Ran ran = run_with(growing("-1", "12.25"));
  EXPECT_EQ(ran.times, (std::vector<double>{10, 11, 12, 12.25}));
  EXPECT_EQ(ran.result.steps, 3);
  EXPECT_NEAR(ran.rows.back()[0], std::exp(-2.25), 1e-15);
}

TEST(Run, a_stop_before_the_first_step_ends_is_one_shorter_step) {
  const Ran ran = run_with(growing("-1", "10.5"));
  EXPECT_EQ(ran.times, (std::vector<double>{10, 10.5}));
  EXPECT_NEAR(ran.rows.back()[0], std::exp(-0.5), 1e-15);
}

TEST(Run, divergence_names_member_output_and_time_and_keeps_the_points_before) {
  const Ran ran = run_with(growing("1", "60", 100.0));
  EXPECT_EQ(ran.result.ending, Ending::diverged);
  EXPECT_EQ(ran.result.member, 0);
  EXPECT_EQ(ran.result.output, 0);
  EXPECT_EQ(ran.result.time, 15.0);  // e^5 is 148
  EXPECT_EQ(ran.result.steps, 5);
  EXPECT_EQ(ran.times.back(), 14.0);
  EXPECT_TRUE(ran.diary.ends_with("1!2!"));
}

TEST(Run, divergence_in_the_last_shorter_step_is_reported_too) {
  const Ran ran = run_with(growing("1", "14.9", 100.0));  // e^4.9 is 134
  EXPECT_EQ(ran.result.ending, Ending::diverged);
  EXPECT_EQ(ran.result.time, 14.9);
  EXPECT_EQ(ran.times.back(), 14.0);
}

// How often the run looks at the clock must not decide when a divergence is noticed.
TEST(Run, divergence_of_an_output_nobody_hears_is_noticed_at_the_step_it_happens) {
  const engine::System system = engine::open_text(
      "seam: 1\nsubsystems: {a: {model: state-space, set: {A: [[1]], x0: [1]}}}\n"
      "experiment: {stop: 1000}\nplan: {step: 1}\n",
      "test.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::experiment, 100.0});
  RunOptions options;
  options.every = 1000;
  const Ran ran = run_with(live, options);
  EXPECT_EQ(ran.result.ending, Ending::diverged);
  EXPECT_EQ(ran.result.time, 5.0);
}

TEST(Run, a_stop_that_is_asked_for_ends_it_with_what_was_seen) {
  std::atomic<bool> stop = true;
  RunOptions options;
  options.stop_asked = &stop;
  const Ran ran = run_with(growing("-1", "1e6"), options);
  EXPECT_EQ(ran.result.ending, Ending::interrupted);
  EXPECT_EQ(ran.result.steps, 0);
  EXPECT_EQ(ran.diary, "121!2!");
  EXPECT_EQ(ran.result.time, 10.0);
}

/// Asks to stop when it has seen a number of points.
class Impatient final : public Observer {
 public:
  explicit Impatient(std::atomic<bool>& stop) : stop_(stop) {}
  void sample(double, const Row&) override { stop_ = ++seen == 5; }
  int seen = 0;

 private:
  std::atomic<bool>& stop_;
};

TEST(Run, a_stop_asked_for_on_the_way_ends_it_at_the_next_look) {
  std::atomic<bool> stop = false;
  Impatient impatient(stop);
  const engine::Live live = growing("-1", "1e6");
  RunOptions options;
  options.stop_asked = &stop;
  coupling::Memory memory = coupling::start(live.program);
  const RunResult result = run(live.program, memory, options, {&impatient});
  EXPECT_EQ(result.ending, Ending::interrupted);
  EXPECT_EQ(impatient.seen, 5);
  EXPECT_EQ(result.time, 14.0);
}

/// Takes its time, so that there is something to tell.
class Slow final : public Observer {
 public:
  void sample(double, const Row&) override { ::usleep(5000); }
};

TEST(Run, progress_is_told_now_and_then_and_never_goes_back) {
  std::vector<double> told;
  RunOptions options;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.start, 10.0);
    EXPECT_EQ(progress.stop, 110.0);
    told.push_back(progress.time);
  };
  const engine::Live live = growing("-1", "110");
  coupling::Memory memory = coupling::start(live.program);
  Slow slow;
  run(live.program, memory, options, {&slow});
  ASSERT_FALSE(told.empty());
  double before = 10.0;
  for (const double time : told) {
    EXPECT_GT(time, before);
    EXPECT_LE(time, 110.0);
    before = time;
  }
}

/// Counts rows and when it was asked to make them safe.
class Careful final : public Observer {
 public:
  void sample(double, const Row&) override {
    ++rows;
    ::usleep(20'000);
  }
  void flush() override { flushed_after.push_back(rows); }
  int rows = 0;
  std::vector<int> flushed_after;
};

// 101 rows of at least 20 ms each: four half seconds at least.
TEST(Run, observers_are_flushed_at_least_every_second) {
  const engine::Live live = growing("-1", "110");
  coupling::Memory memory = coupling::start(live.program);
  Careful careful;
  run(live.program, memory, {}, {&careful});
  ASSERT_EQ(careful.rows, 101);
  ASSERT_FALSE(careful.flushed_after.empty());
  int before = 0;
  for (const int rows : careful.flushed_after) {
    EXPECT_LE(rows - before, 50);
    before = rows;
  }
  EXPECT_LE(101 - before, 50);
}

TEST(Run, rarely_recorded_runs_are_flushed_too) {
  const engine::Live live = growing("-1e-9", "100000010");
  coupling::Memory memory = coupling::start(live.program);
  Careful careful;
  std::atomic<bool> stop{false};
  RunOptions options;
  options.every = 100'000'000;
  options.stop_asked = &stop;
  options.progress = [&](const Progress&) { stop = !careful.flushed_after.empty(); };
  run(live.program, memory, options, {&careful});
  EXPECT_EQ(careful.flushed_after, std::vector<int>{1});
}

TEST(Run, few_steps_are_watched_and_every_subsystem_has_a_time) {
  const Ran ran = run_with(growing("-1e-9", "20010"));
  EXPECT_GE(ran.result.timing.steps, 1);
  EXPECT_LE(ran.result.timing.steps, 20'000 / 32 + 1);
  EXPECT_EQ(ran.result.timing.lanes.size(), 2u);
  for (const double seconds : ran.result.timing.lanes) EXPECT_GE(seconds, 0.0);
  EXPECT_GE(ran.result.timing.looks, 1);
  EXPECT_GT(ran.result.timing.look, 0.0);
}

TEST(Run, one_step_alone_is_watched) { EXPECT_EQ(run_with(growing("-1", "11")).result.timing.steps, 1); }

TEST(Run, no_step_is_watched_where_nobody_wants_to_know) {
  RunOptions options;
  options.clocked = RunOptions::Clocked::none;
  const Ran ran = run_with(growing("-1e-3", "200"), options), watched = run_with(growing("-1e-3", "200"));
  EXPECT_EQ(ran.result.timing.steps, 0);
  EXPECT_EQ(ran.result.steps, watched.result.steps);
}

// The same solution whichever steps are watched: they are the same steps.
TEST(Run, watched_steps_compute_what_others_do) {
  const engine::Live live = growing("-0.001", "1010");
  const Ran ran = run_with(live);
  coupling::Memory memory = coupling::start(live.program);
  coupling::advance(live.program, memory, 1000);
  Row row(all_columns(live.program));
  read_columns(all_columns(live.program), memory, 1010.0, row);
  EXPECT_EQ(ran.rows.back(), row.numbers);
}

TEST(Run, goes_on_from_where_the_memory_is) {
  const engine::Live live = growing("-1", "14");
  coupling::Memory memory = coupling::start(live.program);
  coupling::advance(live.program, memory, 2);
  std::string diary;
  Witness witness("1", diary);
  RunOptions options;
  options.columns = all_columns(live.program);
  const RunResult result = run(live.program, memory, options, {&witness});
  EXPECT_EQ(witness.times, (std::vector<double>{12, 13, 14}));
  EXPECT_EQ(result.steps, 2);
}

TEST(Columns, a_signal_known_ahead_is_read_at_the_time_of_the_row_with_factor_and_offset) {
  const engine::System system = engine::open_text(
      "seam: 1\nsubsystems:\n  s: {model: step, set: {time: 2, before: 1, after: 5}}\n"
      "  b: {model: state-space, set: {A: [[0]], B: [[1]]}}\n"
      "connections: [{from: s.y, to: b.u, gain: 2, offset: -1}]\nexperiment: {stop: 3}\nplan: {step: 1}\n",
      "test.yaml", {});
  const Ran ran = run_with(engine::make_live(system, {}));
  ASSERT_EQ(ran.rows.size(), 4u);
  EXPECT_EQ(ran.rows[1], (std::vector<double>{1, 1, 1}));  // s.y, b.y, b.u
  EXPECT_EQ(ran.rows[2], (std::vector<double>{5, 2, 9}));
  EXPECT_NEAR(ran.rows[3][1], 11.0, 1e-14);
}

}  // namespace
}  // namespace seam::stepping
