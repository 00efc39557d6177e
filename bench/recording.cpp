// What recording costs beside the simulation, in every format: 40 columns in every step, and 1000 columns for 1e5 steps
// with the memory it takes.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/temporary_folder.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/engine/run/run.hpp"
#include "seam/record/recorder.hpp"

namespace {

using namespace seam;

/// Of the processor, spent by this thread, the kernel's share included: others that use the machine do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Oscillators in a ring, each heard by the next: two columns each, numbers with all their digits.
engine::System ring(int count, base::Tick steps) {
  std::string text = "seam: 1\nsubsystems:\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "  s{}: {{model: state-space, set: {{A: [[0, 1], [-{}, 0]], B: [[0], [0.1]], C: [[1, 0]], x0: "
        "[1, 0]}}}}\n",
        i, 1.0 + 0.37 * i);
  text += "connections:\n";
  for (int i = 0; i < count; ++i) text += fmt::format("  - s{}.y -> s{}.u\n", i, (i + 1) % count);
  text += fmt::format("experiment: {{stop: {}}}\nplan: {{step: 1e-4}}\n", 1e-4 * static_cast<double>(steps));
  return engine::open_text(text, "ring.yaml", {});
}

struct Cost {
  double seconds = 0.0;    ///< of the loop
  double megabytes = 0.0;  ///< by which the peak grew while it ran
};

Cost run_once(const engine::System& system, const std::string& file) {
  const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
  coupling::Memory memory = coupling::start(live.program);
  stepping::RunOptions options;
  std::vector<stepping::Observer*> observers;
  std::unique_ptr<record::Recorder> recorder;
  if (!file.empty()) {
    options.columns = engine::select_columns(system, live.program);
    recorder = record::make_recorder(file, options.columns);
    observers = {recorder.get()};
  }
  const double peak = peak_megabytes(), begin = processor_seconds();
  stepping::run(live.program, memory, options, observers);
  return {processor_seconds() - begin, peak_megabytes() - peak};
}

/// In a process of its own, so that its memory is its own.
Cost run_apart(const engine::System& system, const std::string& file) {
  std::array<int, 2> ends{};
  Cost cost;
  if (pipe(ends.data()) != 0) return cost;
  const pid_t child = fork();
  if (child == 0) {
    cost = run_once(system, file);
    _exit(write(ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &cost, sizeof cost) != sizeof cost) cost = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return cost;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void every_step(const formats::TemporaryFolder& folder, const char* ending) {
  constexpr base::Tick steps = 200'000;
  const engine::System system = ring(20, steps);
  std::vector<double> costs;
  for (int repetition = 0; repetition < 7; ++repetition) {
    const double alone = run_apart(system, "").seconds;
    const double recorded = run_apart(system, folder.file(std::string("x") + ending)).seconds;
    costs.push_back(1e9 * (recorded - alone) / static_cast<double>(steps));
  }
  fmt::print("{:<5}  40 columns in every step                  {:7.0f} ns a step beside the simulation\n", ending,
             median(costs));
  std::fflush(stdout);
}

void long_and_wide(const formats::TemporaryFolder& folder, const char* ending) {
  constexpr base::Tick steps = 100'000;
  const engine::System system = ring(500, steps);
  const std::string file = folder.file(std::string("wide") + ending);
  const Cost cost = run_apart(system, file);
  std::error_code unknown;
  const double size = static_cast<double>(std::filesystem::file_size(file, unknown)) / 1e6;
  std::filesystem::remove(file, unknown);
  fmt::print("{:<5}  1000 columns for 1e5 steps: {:5.0f} MB, {:5.1f} s   the peak of the memory grows by {:.1f} MB\n",
             ending, size, cost.seconds, cost.megabytes);
  std::fflush(stdout);
}

}  // namespace

/// With an argument, only the format of that ending.
int main(int arguments, char** texts) {
  const std::string only = arguments > 1 ? texts[1] : "";
  const formats::TemporaryFolder folder;
  for (const auto& measure : {every_step, long_and_wide}) {
    for (const char* ending : {".csv", ".mat", ".h5"}) {
      if (only.empty() || only == ending) measure(folder, ending);
    }
  }
}
