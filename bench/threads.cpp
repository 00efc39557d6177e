// What two threads gain: a ring of 64 FMUs that each work 20 microseconds a step, through the run loop with one thread
// and with two, in turn; the best of several counts, since others may use the machine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/shares.hpp"
#include "seam/engine/system.hpp"
#include "seam/engine/threads.hpp"
#include "seam/stepping/division.hpp"
#include "seam/stepping/run.hpp"

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

struct Measured {
  double step = 0.0;  ///< s a macro step
  std::vector<double> values;
};

Measured measure(int count, const std::string& work, base::Tick steps, const std::string& threads) {
  const engine::System system = ring(count, work, steps, threads);
  const engine::ThreadChoice choice(system);
  engine::LiveOptions wanted;
  wanted.staff = choice.staff();
  const engine::Live live = engine::make_live(system, wanted);
  coupling::Memory memory = coupling::start(live.program);
  std::optional<coupling::Shares> shares;
  if (live.crew) shares.emplace(live.program, *live.crew, engine::threads_of_lanes(choice.staff(), live.program));
  stepping::RunOptions options;
  options.every = steps;
  options.shares = shares ? &*shares : nullptr;
  const Clock::time_point begin = Clock::now();
  stepping::run(live.program, memory, options, {});
  return {seconds_since(begin) / static_cast<double>(steps), memory.values};
}

/// How often the FMU must repeat its arithmetic to take so long.
std::string work_of(double seconds) {
  constexpr double repetitions = 1e5;
  double best = 1.0;
  for (int i = 0; i < 10; ++i) best = std::min(best, measure(1, fmt::format("{}", repetitions), 50, "1").step);
  return fmt::format("{:.0f}", repetitions * seconds / best);
}

}  // namespace

int main() {
  const std::string work = work_of(20e-6);
  fmt::print("{} FMUs that each work 20 us a step; to send 2 threads to work and back takes {:.1f} us\n", fmus,
             1e6 * stepping::cost_of_meeting(2));
  double one = 1.0, two = 1.0;
  for (int repetition = 0; repetition < 20; ++repetition) {
    const Measured alone = measure(fmus, work, 100, "1"), together = measure(fmus, work, 100, "always:2");
    if (alone.values != together.values) {
      fmt::print("the results differ\n");
      return 1;
    }
    one = std::min(one, alone.step);
    two = std::min(two, together.step);
  }
  fmt::print("1 thread {:.1f} us a macro step, 2 threads {:.1f} us: {:.2f} times faster, results equal to the bit\n",
             1e6 * one, 1e6 * two, one / two);
}
