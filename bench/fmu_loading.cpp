// How long it takes until many instances of one FMU are ready for their first step: read, described, checked,
// instantiated and initialised, in a process that has not seen the FMU before. Beside it what the FMU's own functions
// take that make and initialise the instances.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "by_hand.hpp"
#include "in_a_process.hpp"
#include "processor_time.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/open/new_system.hpp"
#include "seam/engine/open/system.hpp"

namespace {

using namespace seam;

struct Case {
  std::string_view fmu;
  int version = 2, count = 1;
  std::string path(std::string_view kind) const { return fmt::format("{}/{}fmi{}/{}", SEAM_FMUS, kind, version, fmu); }
};

/// Seconds.
struct Times {
  double wall = 0.0, processor = 0.0;
  double by_hand = 0.0;  ///< of the processor, by the FMU's own functions alone
};

Times load_by_seam(const Case& which) {
  engine::FmuRequest request;
  for (int i = 0; i < which.count; ++i) request.files.push_back(which.path("") + ".fmu");
  engine::Changes changes;
  changes.stop = "1";
  changes.step = "1ms";
  engine::LiveOptions wanted{engine::Horizon::experiment};
  wanted.outputs = coupling::Outputs::wanted;
  const auto begin = std::chrono::steady_clock::now();
  const double begin_of_processor = bench::processor_seconds();
  const engine::System system = engine::open_fmus(request, changes);
  const engine::Live live = engine::make_live(system, wanted);
  const coupling::Memory memory = coupling::start(live.program);
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          bench::processor_seconds() - begin_of_processor};
}

template <class Hand>
double make_by_hand(const Case& which) {
  const auto description = engine::open_fmu(which.path("") + ".fmu").description;
  const bench::Known known{description.co_simulation->model_identifier, description.token, 0, 0, {}};
  return bench::processor_seconds_of([&] {
    for (int i = 0; i < which.count; ++i) Hand(which.path("unpacked/"), known);
  });
}

Times measure_once(const Case& which) {
  Times times = bench::in_a_process<Times>([&] { return load_by_seam(which); });
  times.by_hand = bench::in_a_process<double>(
      [&] { return which.version == 2 ? make_by_hand<bench::ByHand2>(which) : make_by_hand<bench::ByHand3>(which); });
  return times;
}

double median(const std::vector<Times>& all, double Times::*which) {
  std::vector<double> values;
  for (const Times& times : all) values.push_back(times.*which);
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

/// With an argument, only the FMUs whose names begin with it.
int main(int arguments, char** texts) {
  const std::string_view only = arguments > 1 ? texts[1] : "";
  for (const std::string_view fmu : {"trivial", "trivial-types", "two-mass-left", "trivial-outputs"}) {
    if (!fmu.starts_with(only)) continue;
    for (const int version : {2, 3}) {
      for (const int count : {1, 256}) {
        const Case which{fmu, version, count};
        std::vector<Times> all;
        for (int repetition = 0; repetition < 5; ++repetition) all.push_back(measure_once(which));
        fmt::print(
            "{:<15} FMI {} {:>4} instances   {:7.1f} ms, of the processor {:7.1f} ms, the FMU's own functions {:6.1f} "
            "ms\n",
            fmu, version, count, 1e3 * median(all, &Times::wall), 1e3 * median(all, &Times::processor),
            1e3 * median(all, &Times::by_hand));
        std::fflush(stdout);
      }
    }
  }
}
