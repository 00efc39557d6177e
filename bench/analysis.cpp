// What it costs to know before a run: rings of masses up to 256 subsystems (less than a minute), natively, and up to 64
// FMUs that tell nothing of themselves.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "formats/temporary_folder.hpp"
#include "seam/engine/predict/outlook.hpp"

namespace {

using namespace seam;

double wall_seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// Of all processors, spent by this process.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

enum class Made { natively, as_poor_fmus };

/// Masses in a ring: each owns the spring to the next one and takes the force of the one before.
std::string ring(int count, Made made) {
  std::string subsystems, connections;
  for (int i = 0; i < count; ++i) {
    const bool owner = i % 2 == 0;
    const int before = (i + count - 1) % count, next = (i + 1) % count;
    if (made == Made::as_poor_fmus) {
      subsystems += fmt::format("  s{}: {{fmu: two-mass-{}-poor.fmu}}\n", i, owner ? "left" : "right");
    } else if (owner) {
      subsystems += fmt::format(
          "  s{}: {{model: mass-chain, set: {{masses: [0.1], to_ground: {{k: 10, d: 0.1}}, coupling: {{kind: spring, "
          "k: 10, d: 0.1}}, x0: [1]}}}}\n",
          i);
    } else {
      subsystems += fmt::format(
          "  s{}: {{model: mass-chain, set: {{masses: [0.1], to_ground: {{k: 10, d: 0.1}}, coupling: {{kind: "
          "force}}}}}}\n",
          i);
    }
    if (owner) {
      connections +=
          fmt::format("  - s{0}.F -> s{1}.F_in\n  - s{1}.x1 -> s{0}.x_in\n  - s{1}.v1 -> s{0}.v_in\n", i, next);
      if (count > 2)
        connections += fmt::format("  - {{from: s{}.x1, to: s{}.f1, unit: as-is, gain: 0.5}}\n", before, i);
    }
  }
  return fmt::format("seam: 1\nsubsystems:\n{}connections:\n{}experiment: {{stop: 1}}\nplan: {{step: 5 ms}}\n",
                     subsystems, connections);
}

void measure(int count, Made made, const formats::TemporaryFolder& folder) {
  const double wall = wall_seconds(), processor = processor_seconds();
  const engine::System system = engine::open_text(ring(count, made), folder.file("ring.yaml"), {});
  const engine::Outlook outlook = engine::look_ahead(system, {});
  fmt::print("{:<12} {:>3} subsystems   {:7.2f} s ({:7.2f} s of processors)   radius {:.9f}, {} methods\n",
             made == Made::natively ? "native" : "poor FMUs", count, wall_seconds() - wall,
             processor_seconds() - processor, outlook.stability ? outlook.stability->spectral_radius : 0.0,
             outlook.methods.size());
  std::fflush(stdout);
}

}  // namespace

int main() {
  const formats::TemporaryFolder folder;
  ::setenv("XDG_CACHE_HOME", folder.file("cache").c_str(), 1);
  for (const char* side : {"left", "right"})
    std::filesystem::copy_file(fmt::format("{}/fmi2/two-mass-{}-poor.fmu", SEAM_FMUS, side),
                               folder.file(fmt::format("two-mass-{}-poor.fmu", side)));
  fmt::print("Analysis of everything: verdict, margins, steps of every method, expected errors\n");
  for (const int count : {2, 64, 256}) measure(count, Made::natively, folder);
  for (const int count : {2, 8, 64}) measure(count, Made::as_poor_fmus, folder);
}
