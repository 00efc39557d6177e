// Large systems of our own models: chains of 5 to 50 masses (10 to 100 states) in a ring. What a macro step, compiling
// and starting cost for each subsystem must not depend on how many there are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/stepping/run.hpp"

namespace {

using namespace seam;

/// Of the processor, spent by this thread: others that use the machine do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds(const auto& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
}

std::string text_of(int count, const std::string& solver, const std::string& coupling) {
  std::string subsystems, connections;
  for (int i = 0; i < count; ++i) {
    const int masses = 5 + 45 * i / (count - 1);
    const auto list = [](int length, int first, int others) {
      std::string numbers = std::to_string(first);
      for (int m = 1; m < length; ++m) numbers += fmt::format(", {}", others);
      return "[" + numbers + "]";
    };
    subsystems += fmt::format(
        "  c{}: {{model: mass-chain, solver: {}, set: {{masses: {}, springs: {}, dampers: {}, to_ground: {{k: {}, d: "
        "{}}}, v0: {}}}}}\n",
        i, solver, list(masses, 1, 2), list(masses - 1, 100, 150), list(masses - 1, 1, 1), list(masses, 50, 50),
        list(masses, 2, 2), list(masses, 1, 0));
    connections += fmt::format("  - {{from: c{}.x1, to: c{}.f1, unit: as-is, gain: 0.1}}\n", i, (i + 1) % count);
  }
  return fmt::format(
      "seam: 1\nsubsystems:\n{}connections:\n{}experiment: {{stop: 1}}\nplan: {{step: 1 ms, coupling: {}}}\n",
      subsystems, connections, coupling);
}

void measure(int count, const std::string& solver, const std::string& coupling) {
  const std::string text = text_of(count, solver, coupling);
  engine::System system;
  engine::Live live;
  coupling::Memory memory;
  const double reading = seconds([&] { system = engine::open_text(text, "chains.yaml", {}); });
  const double making = seconds([&] { live = engine::make_live(system, {}); });
  const double starting = seconds([&] { memory = coupling::start(live.program); });
  constexpr base::Tick piece = 20;
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    best = std::min(best, seconds([&] { coupling::advance(live.program, memory, piece); }) / piece);
  }
  fmt::print(
      "{:<6} {:<4} {:>4} subsystems   step {:8.1f} us, {:.3f} us a subsystem   to read {:.1f} us, to make {:.1f} "
      "us, to start {:.1f} us a subsystem\n",
      solver, coupling, count, 1e6 * best, 1e6 * best / count, 1e6 * reading / count, 1e6 * making / count,
      1e6 * starting / count);
  std::fflush(stdout);
}

}  // namespace

int main() {
  fmt::print("Chains of masses with 10 to 100 states\n");
  for (const char* solver : {"rk4", "exact"}) {
    for (const char* coupling : {"zoh", "foh"}) {
      for (const int count : {70, 175, 350, 700}) measure(count, solver, coupling);
    }
  }
}
