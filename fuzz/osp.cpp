// A structure of the Open Simulation Platform of a stranger, with groups of variables and an FMU without code: read,
// completed and printed.
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
#include "seam/osp/read_system.hpp"
#include "seam/system/resolve.hpp"
#include "seam/system/validate.hpp"

namespace seam::fuzz {
namespace {

/// The bytes up to the first zero are the structure, those behind it the description of the groups.
class Surroundings {
 public:
  Surroundings() {
    formats::write_text(
        folder_.file("a.fmu"),
        formats::RawZip()
            .add("modelDescription.xml",
                 R"(<fmiModelDescription fmiVersion="2.0" modelName="a" guid="a"><CoSimulation modelIdentifier="a"/>
<DefaultExperiment stopTime="2" stepSize="0.5"/><ModelVariables>
<ScalarVariable name="u" valueReference="1" causality="input"><Real start="0" unit="m"/></ScalarVariable>
<ScalarVariable name="w" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="y" valueReference="3" causality="output"><Real unit="mm"/></ScalarVariable>
<ScalarVariable name="v" valueReference="4" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="k" valueReference="5" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
</ModelVariables><ModelStructure/></fmiModelDescription>)")
            .bytes());
  }
  std::string file(const char* name) const { return folder_.file(name); }

 private:
  formats::TemporaryFolder folder_;
};

const Surroundings& surroundings() {
  static const Surroundings folder;
  return folder;
}

void open(const std::string& bytes) {
  const std::size_t zero = std::min(bytes.find('\0'), bytes.size());
  formats::write_text(surroundings().file("x.xml"), bytes.substr(0, zero));
  formats::write_text(surroundings().file("a_OspModelDescription.xml"), bytes.substr(std::min(zero + 1, bytes.size())));
  base::Problems problems;
  auto description = osp::read_system(surroundings().file("x.xml"), {}, {}, problems);
  if (description) {
    load::describe(*description, problems);
    system::resolve_paths(*description, problems);
    system::validate(*description, problems);
    const auto plan = coupling::complete_plan(*description, problems);
    must(plan.has_value() || !problems.empty(), "there is a plan or a problem");
  }
  if (problems.empty()) {
    must(description && !formats::to_json(load::resolved_value(*description, nullptr)).empty(),
         "a system can be printed");
  } else {
    must(!problems.text().empty(), "a system that is refused has a problem");
  }
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
