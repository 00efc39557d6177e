#include "seam/stepping/run.hpp"

#include <algorithm>
#include <chrono>

#include "seam/base/error.hpp"
#include "seam/coupling/parcels.hpp"

namespace seam::stepping {
namespace {

using base::Outcome;
using base::Tick;
using coupling::Advance;

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
  /// Whether it is time to tell somebody.
  bool due(Tick done) {
    since_look_ += done;
    if (since_look_ < chunk_) return false;
    const auto now = std::chrono::steady_clock::now();
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
  std::chrono::steady_clock::time_point last_look_ = std::chrono::steady_clock::now();
};

}  // namespace

namespace {

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
        row_(options.columns) {
    for (const coupling::Lane& lane : program.lanes) {
      const auto is_its_parcel = [&](const Column& column) {
        return column.member == lane.member && column.direction == Direction::output &&
               column.type != system::PortType::real;
      };
      if (!lane.sends_parcels && std::any_of(options.columns.begin(), options.columns.end(), is_its_parcel))
        unheard_.push_back(&lane);
    }
  }

  RunResult operator()() {
    try {
      look(program_.grid.time(first_));
      while (memory_.tick < program_.ticks && result_.ending == Ending::completed) step();
      result_.steps = memory_.tick - first_;
      result_.time = program_.grid.time(memory_.tick);
      if (result_.ending == Ending::completed && program_.last_step > 0.0) last_step();
      const bool seen = program_.last_step > 0.0 || result_.steps % options_.every == 0;
      if (result_.ending == Ending::completed && !seen) look(result_.time);  // the end is always recorded
    } catch (const base::Error& error) {
      if (error.failure() != base::Failure::subsystem) throw;
      result_.ending = Ending::failed;
      result_.message = error.what();
      result_.steps = memory_.tick - first_;
      result_.time = program_.grid.time(memory_.tick);
    }
    for (Observer* observer : observers_) observer->finish();
    return result_;
  }

 private:
  void look(double t) {
    for (const coupling::Lane* lane : unheard_) coupling::take(*lane, memory_);
    read_columns(options_.columns, memory_, t, row_);
    for (Observer* observer : observers_) observer->sample(t, row_);
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
    const Tick until_look = options_.every - (memory_.tick - first_) % options_.every;
    const Tick count = std::min({until_look, pace_.chunk(), program_.ticks - memory_.tick});
    const Advance advance = coupling::advance(program_, memory_, count);
    take(advance);
    const bool due = result_.ending == Ending::completed && (memory_.tick - first_) % options_.every == 0;
    if (due || advance.outcome == Outcome::ended) look(program_.grid.time(memory_.tick));
    if (pace_.due(advance.done) && options_.progress) {
      options_.progress(static_cast<double>(memory_.tick) / static_cast<double>(program_.ticks));
    }
  }

  void last_step() {
    const Advance advance = coupling::advance_last(program_, memory_);
    take(advance);
    if (advance.outcome == Outcome::rejected || advance.outcome == Outcome::broke_off) return;
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
  std::vector<const coupling::Lane*> unheard_;  // parcels that only the record wants: read when they are recorded
  Pace pace_;
  RunResult result_;
};

}  // namespace

RunResult run(const coupling::Program& program, coupling::Memory& memory, const RunOptions& options,
              const std::vector<Observer*>& observers) {
  return Run(program, memory, options, observers)();
}

}  // namespace seam::stepping
