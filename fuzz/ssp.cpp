// A system structure description of a stranger in a package with parameters, a package inside and two FMUs without
// code: read, completed, printed, written as a package and read again.
#include <filesystem>
#include <string>

#include "formats/raw_zip.hpp"
#include "formats/temporary_folder.hpp"
#include "fuzz/harness.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/complete_plan.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/assemble.hpp"
#include "seam/load/resolved_file.hpp"
#include "seam/ssp/read_system.hpp"
#include "seam/ssp/write_system.hpp"
#include "seam/system/resolve.hpp"
#include "seam/system/validate.hpp"

namespace seam::fuzz {
namespace {

/// The bytes up to the first zero are the description; then, each up to the next, a parameter set, a mapping and a
/// plan.
std::string part(const std::string& bytes, std::size_t& at) {
  const std::size_t end = std::min(bytes.find('\0', std::min(at, bytes.size())), bytes.size());
  std::string text = at < bytes.size() ? bytes.substr(at, end - at) : std::string();
  at = end + 1;
  return text;
}

/// A bare description in a folder: unpacking is the business of another harness.
class Surroundings {
 public:
  Surroundings() {
    const std::string fmu =
        formats::RawZip()
            .add(
                "modelDescription.xml",
                R"(<fmiModelDescription fmiVersion="3.0" modelName="a" instantiationToken="a"><CoSimulation modelIdentifier="a"/>
<DefaultExperiment stopTime="2" stepSize="0.5"/><ModelVariables>
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="k" valueReference="2" causality="parameter" variability="fixed" start="1" unit="N"/>
<Float64 name="u" valueReference="3" causality="input" start="0" unit="m"/>
<Float64 name="y" valueReference="4" causality="output" unit="m"/>
<Int32 name="i" valueReference="5" causality="input" start="0"/><Int32 name="o" valueReference="6" causality="output"/>
<Float64 name="au" valueReference="7" causality="input" start="0 0"><Dimension start="2"/></Float64>
<Float64 name="ay" valueReference="8" causality="output"><Dimension start="2"/></Float64>
<String name="s" valueReference="9" causality="parameter" variability="fixed"><Start value="x"/></String>
</ModelVariables><ModelStructure><Output valueReference="4"/></ModelStructure></fmiModelDescription>)")
            .bytes();
    std::filesystem::create_directories(folder_.file("resources"));
    formats::write_text(folder_.file("resources/a.fmu"), fmu);
    formats::write_text(
        folder_.file("resources/inner.ssd"),
        R"(<SystemStructureDescription version="1.0" name="i"><System name="i"><Connectors><Connector name="in" kind="input"/></Connectors><Elements>
<Component name="c" source="a.fmu"><Connectors><Connector name="u" kind="input"/></Connectors></Component></Elements>
<Connections><Connection startConnector="in" endElement="c" endConnector="u"/></Connections></System></SystemStructureDescription>)");
  }
  std::string file(const char* name) const { return folder_.file(name); }

 private:
  formats::TemporaryFolder folder_;
};

const Surroundings& surroundings() {
  static const Surroundings folder;
  return folder;
}

/// None after problems.
std::optional<system::SystemDescription> completed(const std::string& path, const ssp::ReadOptions& options,
                                                   base::Problems& problems) {
  auto description = ssp::read_system(path, options, problems);
  if (!description) return std::nullopt;
  load::describe(*description, problems);
  system::resolve_paths(*description, problems);
  system::validate(*description, problems);
  const auto plan = coupling::complete_plan(*description, problems);
  if (!problems.empty()) return std::nullopt;
  must(plan.has_value(), "there is a plan or a problem");
  return description;
}

std::string printed(const system::SystemDescription& description) {
  return formats::to_json(load::resolved_value(description, nullptr));
}

void pack_again(const system::SystemDescription& description) {
  base::Problems problems;
  ssp::write_package(description, surroundings().file("again.ssp"), "seam fuzz", problems);
  if (!problems.empty()) return;
  const auto again = completed(surroundings().file("again.ssp"), {}, problems);
  if (!again) std::fputs(problems.text().c_str(), stderr);
  must(again.has_value(), "a system that is packed is a system");
  must(again->connections.size() == description.connections.size(), "with the same connections");
}

void open(const std::string& bytes) {
  std::size_t at = 0;
  formats::write_text(surroundings().file("x.ssd"), part(bytes, at));
  formats::write_text(surroundings().file("p.ssv"), part(bytes, at));
  formats::write_text(surroundings().file("p.ssm"), part(bytes, at));
  base::Problems problems;
  ssp::ReadOptions options;
  if (const std::string plan = part(bytes, at); !plan.empty())
    options.plan = load::read_plan_text(plan, "plan.yaml", problems);
  const auto description = completed(surroundings().file("x.ssd"), options, problems);
  if (!description) {
    must(!problems.text().empty(), "a system that is refused has a problem");
    return;
  }
  must(!printed(*description).empty(), "a system can be printed");
  pack_again(*description);
}

}  // namespace
}  // namespace seam::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    seam::fuzz::open({reinterpret_cast<const char*>(bytes), size});
  } catch (const seam::base::Error&) {
  }
  return 0;
}
