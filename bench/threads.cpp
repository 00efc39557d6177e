// What two threads gain: a ring of 64 FMUs that each work 20 microseconds a step, with one thread and with two, in
// turn, some steps at a time; the quickest of many such pieces counts, since others may use the machine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/parallel_steps.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/engine/run/threads.hpp"
#include "seam/stepping/division.hpp"

namespace {

using namespace seam;
using Clock = std::chrono::steady_clock;

constexpr int fmus = 64;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

engine::System ring(int count, const std::string& work, base::Tick steps, const std::string& threads) {
  engine::FmuRequest request;
  engine::Changes changes;
  const auto name = [](int i) { return i == 0 ? std::string("trivial") : fmt::format("trivial_{}", i + 1); };
  for (int i = 0; i < count; ++i) {
    request.files.push_back(fmt::format("{}/fmi{}/trivial.fmu", SEAM_FMUS, 2 + i % 2));
    changes.set.push_back(name(i) + ".work=" + work);
    if (count > 1) request.connect.push_back(name((i + count - 1) % count) + ".y=" + name(i) + ".u");
  }
  changes.step = "1ms";
  changes.stop = fmt::format("{}", 1e-3 * static_cast<double>(steps));
  changes.threads = threads;
  return engine::open_fmus(request, changes);
}

/// A ring that is stepped piece by piece; the quickest piece counts.
class Measured {
 public:
  Measured(int count, const std::string& work, const std::string& threads)
      : system_(ring(count, work, 1'000'000, threads)), choice_(system_), live_(made()), memory_(start()) {
    if (live_.team)
      shares_.emplace(live_.program, *live_.team, engine::threads_of_lanes(choice_.assignment(), live_.program));
  }

  void step(base::Tick steps) {
    const Clock::time_point begin = Clock::now();
    shares_ ? shares_->advance(memory_, steps) : coupling::advance(live_.program, memory_, steps);
    best_ = std::min(best_, seconds_since(begin) / static_cast<double>(steps));
  }
  double best() const { return best_; }  ///< s a macro step
  const base::Numbers& values() const { return memory_.values; }

 private:
  engine::Live made() const {
    engine::LiveOptions wanted;
    wanted.assignment = choice_.assignment();
    return engine::make_live(system_, wanted);
  }
  coupling::Memory start() const { return coupling::start(live_.program); }

  engine::System system_;
  engine::ThreadChoice choice_;
  engine::Live live_;
  coupling::Memory memory_;
  std::optional<coupling::ParallelSteps> shares_;
  double best_ = 1.0;
};

/// How often the FMU must repeat its arithmetic to take so long.
std::string work_of(double seconds) {
  constexpr double repetitions = 1e5;
  Measured one(1, fmt::format("{}", repetitions), "1");
  for (int i = 0; i < 100; ++i) one.step(1);
  return fmt::format("{:.0f}", repetitions * seconds / one.best());
}

}  // namespace

int main() {
  const std::string work = work_of(20e-6);
  fmt::print("{} FMUs that each work 20 us a step; to send 2 threads to work and back takes {:.1f} us\n", fmus,
             1e6 * stepping::cost_of_meeting(2));
  Measured one(fmus, work, "1"), two(fmus, work, "always:2");
  for (int piece = 0; piece < 1000; ++piece) {
    one.step(4);
    two.step(4);
  }
  if (one.values() != two.values()) {
    fmt::print("the results differ\n");
    return 1;
  }
  fmt::print("1 thread {:.1f} us a macro step, 2 threads {:.1f} us: {:.2f} times faster, results equal to the bit\n",
             1e6 * one.best(), 1e6 * two.best(), one.best() / two.best());
}
