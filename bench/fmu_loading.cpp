// How long it takes until many instances of one FMU are ready for their first step: read, described, checked,
// instantiated and initialised.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"

namespace {

using namespace seam;

double load_once(const std::string& fmu, int version, int count) {
  engine::FmuRequest request;
  for (int i = 0; i < count; ++i) request.files.push_back(fmt::format("{}/fmi{}/{}.fmu", SEAM_FMUS, version, fmu));
  engine::Changes changes;
  changes.stop = "1";
  changes.step = "1ms";
  engine::LiveOptions wanted{engine::Horizon::experiment};
  wanted.outputs = coupling::Outputs::wanted;
  const auto begin = std::chrono::steady_clock::now();
  const engine::System system = engine::open_fmus(request, changes);
  const engine::Live live = engine::make_live(system, wanted);
  const coupling::Memory memory = coupling::start(live.program);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
  for (const char* fmu : {"trivial", "trivial-types", "two-mass-left", "trivial-outputs"}) {
    for (const int version : {2, 3}) {
      for (const int count : {1, 256}) {
        std::vector<double> times;
        for (int repetition = 0; repetition < 5; ++repetition) times.push_back(load_once(fmu, version, count));
        std::sort(times.begin(), times.end());
        fmt::print("{:<15} FMI {} {:>4} instances   {:7.1f} ms\n", fmu, version, count, 1e3 * times[2]);
        std::fflush(stdout);
      }
    }
  }
}
