#include "seam/stepping/run.hpp"

#include <algorithm>
#include <chrono>

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

RunResult run(const coupling::Program& program, coupling::Memory& memory, const RunOptions& options,
              const std::vector<Observer*>& observers) {
  std::vector<double> row(options.columns.size());
  const auto look = [&](double t) {
    read_columns(options.columns, memory, t, row);
    for (Observer* observer : observers) observer->sample(t, row);
  };
  const auto asked_to_stop = [&] { return options.stop_asked && options.stop_asked->load(std::memory_order_relaxed); };

  RunResult result;
  const Tick first = memory.tick;
  Pace pace;
  look(program.grid.time(first));
  while (memory.tick < program.ticks && result.ending == Ending::completed) {
    if (asked_to_stop()) {
      result.ending = Ending::interrupted;
      break;
    }
    const Tick until_look = options.every - (memory.tick - first) % options.every;
    const Tick count = std::min({until_look, pace.chunk(), program.ticks - memory.tick});
    const Advance advance = coupling::advance(program, memory, count);
    result.ending = ending_of(advance.outcome);
    result.member = advance.member;
    result.output = advance.output;
    if (result.ending == Ending::completed && (memory.tick - first) % options.every == 0)
      look(program.grid.time(memory.tick));
    if (pace.due(advance.done) && options.progress) {
      options.progress(static_cast<double>(memory.tick) / static_cast<double>(program.ticks));
    }
  }
  result.steps = memory.tick - first;
  result.time = program.grid.time(memory.tick);
  if (result.ending == Ending::completed && program.last_step > 0.0) {
    const Advance advance = coupling::advance_last(program, memory);
    result.ending = ending_of(advance.outcome);
    result.member = advance.member;
    result.output = advance.output;
    result.time += program.last_step;
    ++result.steps;
    if (result.ending == Ending::completed) look(result.time);
  }
  for (Observer* observer : observers) observer->finish();
  return result;
}

}  // namespace seam::stepping
