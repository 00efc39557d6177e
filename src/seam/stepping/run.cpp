#include "seam/stepping/run.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

#include "seam/base/error.hpp"
#include "seam/coupling/lane_watch.hpp"
#include "seam/coupling/observed.hpp"
#include "seam/stepping/micro_look.hpp"

namespace seam::stepping {
namespace {

using base::Outcome;
using base::Tick;
using coupling::Advance;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Some milliseconds old, read in a few nanoseconds: enough to tell when a flush is due.
double coarse_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Ending ending_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::diverged:
      return Ending::diverged;
    case Outcome::rejected:
      return Ending::rejected;
    case Outcome::ended:
    case Outcome::broke_off:
      return Ending::ended_by_subsystem;
    case Outcome::accepted:
      break;
  }
  return Ending::completed;
}

/// Chunks between two looks at the clock: grown or shrunk so that a look costs nothing and comes often enough.
class Pace {
 public:
  Tick chunk() const { return chunk_; }
  /// Whether the observers are due.
  bool due(Tick done) {
    since_look_ += done;
    if (since_look_ < chunk_) return false;
    const auto now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - last_look_).count();
    last_look_ = now;
    since_look_ = 0;
    if (elapsed < 0.01) chunk_ = std::min<Tick>(chunk_ * 2, 1 << 16);
    if (elapsed > 0.05) chunk_ = std::max<Tick>(chunk_ / 2, 1);
    since_told_ += elapsed;
    if (since_told_ < 0.1) return false;
    since_told_ = 0.0;
    return true;
  }

 private:
  Tick chunk_ = 1;
  Tick since_look_ = 0;
  double since_told_ = 0.0;
  Clock::time_point last_look_ = Clock::now();
};

/// Which steps are watched: the second, then one in 64 or more, at random distances so that no rhythm of the system
/// hides behind them. Where steps are short they are further apart: watching may cost one part in 200.
class WatchTimes {
 public:
  WatchTimes(const coupling::Program& program, Tick first, RunOptions::Clocked clocked) : watch_(program) {
    const bool possible =
        program.events == system::Events::local && program.ticks > first && clocked != RunOptions::Clocked::none;
    next_ = possible ? std::min(first + 1, program.ticks - 1) : std::numeric_limits<Tick>::max();
  }
  Tick next() const { return next_; }
  coupling::LaneWatch& watch() { return watch_; }

  /// Every step, for as long as it is asked for.
  void plan_at_once() { ++next_; }
  /// The step at `next` has been watched. It makes no use of the threads.
  void plan_next(int threads) {
    const double step = watch_.all() / static_cast<double>(watch_.steps());
    const double apart = std::clamp(200.0 * watch_.cost() / std::max(step, 1e-9), 64.0 * threads, 65536.0 * threads);
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    const double between_half_and_three_halves = 0.5 + static_cast<double>(random_ >> 32) / 4294967296.0;
    next_ += static_cast<Tick>(apart * between_half_and_three_halves);
  }

 private:
  coupling::LaneWatch watch_;
  Tick next_ = 0;
  std::uint64_t random_ = 1;
};

/// One run: the loop and what it needs to look and to tell.
class Run {
 public:
  Run(const coupling::Program& program, coupling::Memory& memory, const RunOptions& options,
      const std::vector<Observer*>& observers)
      : program_(program),
        memory_(memory),
        options_(options),
        observers_(observers),
        first_(memory.tick),
        row_(options.columns),
        micro_(program, options.micro, memory.tick),
        watch_times_(program, memory.tick, options.judge ? RunOptions::Clocked::some_steps : options.clocked),
        samples_(program) {
    if (options.judge && program.events == system::Events::local) judging_ = true;
  }

  RunResult operator()() {
    try {
      if (!options_.columns.empty()) coupling::observe(program_, memory_);
      sample(program_.grid.time(first_));
      while (memory_.tick < program_.ticks && result_.ending == Ending::completed && !result_.starts_again) step();
      micro_.look(memory_);
      result_.steps = memory_.tick - first_;
      result_.time = program_.grid.time(memory_.tick);
      if (result_.starts_again) return result_;
      if (result_.ending == Ending::completed && program_.last_step > 0.0) last_step();
      const bool seen = program_.last_step > 0.0 || result_.steps % options_.every == 0;
      if (result_.ending == Ending::completed && !seen) look(result_.time);  // the end is always recorded
    } catch (const base::Error& error) {
      if (error.failure() != base::Failure::subsystem) throw;
      result_.ending = Ending::failed;
      result_.message = error.what();
      result_.steps = memory_.tick - first_;
      result_.time = program_.grid.time(memory_.tick);
      micro_.look(memory_);
    }
    const Clock::time_point end = Clock::now();
    for (Observer* observer : observers_) observer->finish();
    micro_.finish();
    result_.timing.finish = seconds_since(end);
    tell_timing();
    return result_;
  }

 private:
  /// After a step: outputs that only the record wants are checked when they are recorded.
  void look(double t) {
    if (!options_.columns.empty()) {
      coupling::observe(program_, memory_);
      const Advance observed = coupling::look_at_observed(program_, memory_);
      if (observed.outcome != Outcome::accepted) return take(observed);
    }
    sample(t);
  }

  void sample(double t) {
    read_columns(options_.columns, memory_, t, row_);
    for (Observer* observer : observers_) observer->sample(t, row_);
    if (!observers_.empty()) flush_if_due();
  }

  void flush_if_due() {
    if (coarse_seconds() - flushed_ < 0.5) return;
    for (Observer* observer : observers_) observer->flush();
    micro_.look(memory_);
    micro_.flush();
    flushed_ = coarse_seconds();
  }

  void look_watched(double t) {
    const Clock::time_point begin = Clock::now();
    look(t);
    result_.timing.look += seconds_since(begin);
    ++result_.timing.looks;
  }

  void tell_timing() {
    Timing& timing = result_.timing;
    const coupling::LaneWatch& watch = watch_times_.watch();
    timing.steps = watch.steps();
    if (timing.looks > 0) timing.look /= static_cast<double>(timing.looks);
    if (timing.steps == 0) return;
    timing.rest = watch.rest() / static_cast<double>(timing.steps);
    timing.lanes.resize(program_.assembly->members.size());
    for (std::size_t i = 0; i < program_.lanes.size(); ++i) {
      timing.lanes[static_cast<std::size_t>(program_.lanes[i].member)] =
          watch.lanes()[i] / static_cast<double>(timing.steps);
    }
  }

  void take(const Advance& advance) {
    result_.ending = ending_of(advance.outcome);
    result_.member = advance.member;
    result_.output = advance.output;
  }

  void step() {
    if (options_.stop_asked && options_.stop_asked->load(std::memory_order_relaxed)) {
      result_.ending = Ending::interrupted;
      return;
    }
    const Tick until_look =
        std::min(options_.every - (memory_.tick - first_) % options_.every, micro_.steps_left(memory_));
    const Tick until_watched = watch_times_.next() - memory_.tick;
    const bool watched = until_watched == 0;
    const Tick count = std::min({until_look, pace_.chunk(), program_.ticks - memory_.tick, until_watched});
    const Advance advance = watched           ? coupling::advance_watched(program_, memory_, watch_times_.watch())
                            : options_.shares ? options_.shares->advance(memory_, count)
                                              : coupling::advance(program_, memory_, count);
    take(advance);
    if (options_.shares && options_.shares->gives_up()) result_.starts_again = result_.ending == Ending::completed;
    if (micro_.steps_left(memory_) < 1) micro_.look(memory_);
    if (watched) plan_next_watch();
    const bool due = result_.ending == Ending::completed && (memory_.tick - first_) % options_.every == 0;
    if (due || advance.outcome == Outcome::ended) {
      const double t = program_.grid.time(memory_.tick);
      watched ? look_watched(t) : look(t);
    }
    if (pace_.due(advance.done)) tell_progress();
  }

  /// While costs are being measured every step is watched.
  void plan_next_watch() {
    if (!judging_) return watch_times_.plan_next(options_.shares ? options_.shares->threads() : 1);
    samples_.add(watch_times_.watch());
    watch_times_.plan_at_once();
    if (!samples_.are_enough() || result_.ending != Ending::completed) return;
    judging_ = false;
    result_.starts_again = options_.judge(samples_.costs(), memory_.tick - first_) == Verdict::start_again;
  }

  void tell_progress() {
    flush_if_due();
    const base::Grid& grid = program_.grid;
    if (options_.progress)
      options_.progress({grid.time(first_), grid.time(memory_.tick), grid.time(program_.ticks) + program_.last_step});
  }

  void last_step() {
    const Advance advance = coupling::advance_last(program_, memory_);
    take(advance);
    if (advance.outcome == Outcome::rejected || advance.outcome == Outcome::broke_off) return;
    micro_.last_step(memory_);
    result_.time += program_.last_step;
    ++result_.steps;
    if (advance.outcome != Outcome::diverged) look(result_.time);
  }

  const coupling::Program& program_;
  coupling::Memory& memory_;
  const RunOptions& options_;
  const std::vector<Observer*>& observers_;
  const Tick first_;
  Row row_;
  MicroLook micro_;
  Pace pace_;
  WatchTimes watch_times_;
  CostSamples samples_;
  bool judging_ = false;
  double flushed_ = coarse_seconds();
  RunResult result_;
};

}  // namespace

void Observer::sample_all(const Rows& rows) {
  Row row(std::vector<Column>{});
  for (std::size_t i = 0; i < rows.times.size(); ++i) {
    row.numbers.assign(rows.numbers + i * rows.width, rows.numbers + (i + 1) * rows.width);
    sample(rows.times[i], row);
  }
}

RunResult run(const coupling::Program& program, coupling::Memory& memory, const RunOptions& options,
              const std::vector<Observer*>& observers) {
  return Run(program, memory, options, observers)();
}

}  // namespace seam::stepping
