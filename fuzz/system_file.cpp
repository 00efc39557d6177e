// A system file of a stranger: read, completed, printed, and read again; its built-in models are made and wired.
#include <string>

#include "formats/raw_zip.hpp"
#include "formats/temporary_folder.hpp"
#include "fuzz/harness.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/complete_plan.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/assemble.hpp"
#include "seam/load/events.hpp"
#include "seam/load/resolved_file.hpp"
#include "seam/load/system_file.hpp"
#include "seam/system/resolve.hpp"
#include "seam/system/timetable.hpp"
#include "seam/system/validate.hpp"

namespace seam::fuzz {
namespace {

/// A folder with what a system file may name: a.fmu, whose code is never loaded, and a.csv.
class Surroundings {
 public:
  Surroundings() {
    const std::string description =
        R"(<fmiModelDescription fmiVersion="3.0" modelName="a" instantiationToken="a"><CoSimulation modelIdentifier="a"/>
<DefaultExperiment stopTime="2" stepSize="0.5"/><ModelVariables>
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<UInt64 name="n" valueReference="1" causality="structuralParameter" variability="fixed" start="2"/>
<Float64 name="k" valueReference="2" causality="parameter" variability="fixed" start="1 2"><Dimension start="2"/></Float64>
<Float64 name="u" valueReference="3" causality="input" start="0 0" unit="m"><Dimension valueReference="1"/></Float64>
<Float64 name="y" valueReference="4" causality="output" unit="N"/>
<String name="s" valueReference="5" causality="parameter" variability="fixed"><Start value="x"/></String>
</ModelVariables><ModelStructure><Output valueReference="4"/></ModelStructure></fmiModelDescription>)";
    formats::write_text(folder_.file("a.fmu"), formats::RawZip().add("modelDescription.xml", description).bytes());
    formats::write_text(folder_.file("a.csv"), "time [s],y [N]\n0,1\n1,2\n");
  }
  std::string system_file() const { return folder_.file("system.yaml"); }
  bool has(const std::string& fmu) const { return fmu == folder_.file("a.fmu"); }

 private:
  formats::TemporaryFolder folder_;
};

const Surroundings& surroundings() {
  static const Surroundings folder;
  return folder;
}

/// As engine::open_text, but no other FMU than ours is looked for. None after problems.
std::optional<engine::System> read(const std::string& text, base::Problems& problems) {
  auto description = load::read_system_text(text, surroundings().system_file(), problems);
  if (!description) return std::nullopt;
  for (system::Subsystem& subsystem : description->subsystems) {
    system::FmuFile* const fmu = subsystem.fmu();
    if (fmu && !surroundings().has(fmu->path)) fmu->path.clear();
  }
  load::describe(*description, problems);
  system::resolve_paths(*description, problems);
  load::resolve_events(*description, problems);
  system::validate(*description, problems);
  auto plan = coupling::complete_plan(*description, problems);
  if (plan && plan->step > 0.0) {
    const base::Grid grid{description->experiment.start, plan->step};
    system::check_events(*description, grid, problems);
    system::landings(description->experiment, grid);
    for (const system::Course& course : system::courses_of(*description, grid)) course.at(0);
  }
  if (!problems.empty()) return std::nullopt;
  must(plan.has_value(), "there is a plan or a problem");
  return engine::System{std::move(*description), std::move(*plan)};
}

std::string printed(const engine::System& system) {
  return formats::to_json(load::resolved_value(system.description, &system.plan));
}

void read_again(const engine::System& system) {
  base::Problems problems;
  const auto again = read(load::resolved_text(system.description, &system.plan), problems);
  if (!again) std::fputs(problems.text().c_str(), stderr);
  must(again.has_value(), "a system that is printed with its defaults is a system");
  must(printed(*again) == printed(system), "and the same one");
}

void make(const engine::System& system) {
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    if (subsystem.fmu()) return;
  }
  try {
    engine::make_live(system, {engine::Horizon::none});
  } catch (const base::ProblemsFound&) {
  } catch (const base::Error&) {
  }
}

void open(const std::string& text) {
  base::Problems problems;
  const auto system = read(text, problems);
  if (!system) {
    must(!problems.text().empty(), "a system that is refused has a problem");
    return;
  }
  read_again(*system);
  make(*system);
}

}  // namespace
}  // namespace seam::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  seam::fuzz::open({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
