// What recording 40 local variables of an FMU costs in every step, beside 4 outputs that are recorded anyway, against
// the FMU's own function that reads them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "formats/temporary_folder.hpp"
#include "processor_time.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/open/new_system.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/fmi/instance/instance2.hpp"
#include "seam/fmi/instance/instance3.hpp"
#include "seam/record/recorder.hpp"

namespace {

using namespace seam;

constexpr base::Tick steps = 100'000;

double nanoseconds_a_step(const auto& work) {
  return 1e9 * bench::processor_seconds_of(work) / static_cast<double>(steps);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::string path_of(int version) { return fmt::format("{}/fmi{}/locals.fmu", SEAM_FMUS, version); }

/// One run with these variables in every row; in memory if there is no file.
double run_once(int version, const std::vector<std::string>& variables, const std::string& file) {
  engine::Changes changes;
  changes.variables = variables;
  changes.step = "1ms";
  changes.stop = fmt::format("{}", 1e-3 * static_cast<double>(steps));
  const engine::System system = engine::open_fmus({{path_of(version)}, {}}, changes);
  engine::LiveOptions wanted{engine::Horizon::experiment};
  wanted.outputs = coupling::Outputs::wanted;
  const engine::Live live = engine::make_live(system, wanted);
  coupling::Memory memory = coupling::start(live.program);
  stepping::RunOptions options;
  options.columns = engine::select_columns(system, live.program);
  std::unique_ptr<record::Recorder> recorder;
  if (file.empty()) {
    auto in_memory = std::make_unique<record::TableRecorder>(options.columns);
    in_memory->expect(steps + 1);
    recorder = std::move(in_memory);
  } else {
    recorder = record::make_recorder(file, options.columns);
  }
  return nanoseconds_a_step([&] { stepping::run(live.program, memory, options, {recorder.get()}); });
}

/// The FMU's function alone, for the same 40 variables.
template <class Instance>
double read_alone(int version) {
  const fmi::Fmu fmu = engine::open_fmu(path_of(version));
  Instance instance("alone", fmu, std::make_shared<fmi::Unpacked>(fmu, fmi::Unpacked::Sharing::shared), {}, {});
  instance.enter_initialisation({});
  instance.exit_initialisation();
  std::vector<std::uint32_t> references;
  for (const fmi::Variable& v : fmu.description.variables) {
    if (v.name.starts_with("body.")) references.push_back(v.value_reference);
  }
  std::vector<double> values(references.size());
  return nanoseconds_a_step([&] {
    for (base::Tick n = 0; n < steps; ++n) instance.get_reals(references, values.data(), values.size());
  });
}

void measure(int version, const std::string& file, const char* where) {
  std::vector<double> costs, reads;
  for (int repetition = 0; repetition < 7; ++repetition) {
    const double few = run_once(version, {"outputs"}, file);
    const double many = run_once(version, {"outputs", "body.**"}, file);
    reads.push_back(version == 2 ? read_alone<fmi::Instance2>(version) : read_alone<fmi::Instance3>(version));
    costs.push_back(many - few);
  }
  fmt::print("FMI {}  40 local variables {:<9}  {:6.0f} ns a step, of which the FMU's function takes {:.0f}\n", version,
             where, median(costs), median(reads));
  std::fflush(stdout);
}

}  // namespace

int main() {
  const formats::TemporaryFolder folder;
  for (const int version : {2, 3}) {
    measure(version, "", "in memory");
    for (const char* ending : {".csv", ".mat", ".h5"}) measure(version, folder.file(std::string("x") + ending), ending);
  }
}
