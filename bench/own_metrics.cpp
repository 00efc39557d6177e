// The study of a quarter car that is shipped: 10,000 points of a Latin hypercube, three metrics of their own, and
// sensitivities. It is to take less than 30 s on two cores and less than 300 MB.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>

#include "formats/temporary_folder.hpp"
#include "seam/study/run_study.hpp"

using namespace seam;

int main() {
  const formats::TemporaryFolder folder;
  study::StudySettings settings;
  settings.file = folder.file("rows.csv");
  settings.workers = 2;
  const auto begin = std::chrono::steady_clock::now();
  const study::StudyResult result =
      study::run_study(study::prepare(SEAM_SOURCE_DIR "/studies/quarter-car.yaml"), settings);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const double processor =
      static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec);
  const double megabytes = static_cast<double>(used.ru_maxrss) / 1024.0;
  std::size_t done = 0;
  for (const study::Row& row : result.rows) done += row.ending == study::Ending::done ? 1 : 0;
  fmt::print("{} of {} cases of 5000 steps done, {} sensitivities\n", done, result.rows.size(),
             result.sensitivities.size());
  fmt::print("with 2 workers {:6.1f} s, {:.1f} s of the processor: {:.2f} ms a case; {:.0f} MB\n", wall, processor,
             1e3 * processor / static_cast<double>(result.rows.size()), megabytes);
  // others that use the machine do not count: half of the processor's time is what two free cores need
  return done == result.rows.size() && processor / 2.0 < 30.0 && megabytes < 300.0 ? 0 : 1;
}
