// A modelDescription.xml of a stranger: read, checked against the standard, and shown as text and JSON.
#include <string>

#include "fuzz/harness.hpp"
#include "seam/fmi/archive/archive.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/description/read_description.hpp"
#include "seam/fmi/description/values.hpp"
#include "seam/formats/json.hpp"
#include "seam/report/fmu_report.hpp"

namespace seam::fuzz {
namespace {

void use_variables(const fmi::ModelDescription& description) {
  std::size_t elements = 0;
  for (const fmi::Variable& variable : description.variables) {
    std::string reason;
    must(fmi::parse_values(variable.type, variable.start, reason).has_value(), "start values that are kept are values");
    must(description.find(variable.name) != nullptr, "a variable is found by its name");
    elements += fmi::element_count(description, variable, {}).value_or(0);
  }
  constexpr std::size_t few = 10'000;  // a port is made for every element: that costs what the description asks for
  if (elements > few) return;
  const fmi::Ports ports = fmi::ports_of(description, {});
  must(ports.inputs.size() + ports.outputs.size() <= elements, "a port is an element of a variable");
}

void show(const fmi::Fmu& fmu) {
  must(!report::fmu_text(fmu, report::Extent::all).empty(), "there is always something to show");
  report::fmu_check_text(fmu, report::Extent::first_lines);
  formats::parse_json(formats::to_json(report::fmu_value(fmu)));
  formats::parse_json(formats::to_json(report::fmu_check_value(fmu)));
}

void read(std::string bytes) {
  base::Problems problems;
  auto description = fmi::read_description(std::move(bytes), "modelDescription.xml", problems);
  must(description.has_value() == problems.empty(), "there is a description or a problem");
  problems.text();
  if (!description) return;
  use_variables(*description);
  fmi::Fmu fmu;
  fmu.path = "a.fmu";
  fmu.description = std::move(*description);
  show(fmu);
}

}  // namespace
}  // namespace seam::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  seam::fuzz::read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
