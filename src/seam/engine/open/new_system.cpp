#include "seam/engine/open/new_system.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "seam/engine/open/system.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/yaml_writer.hpp"
#include "seam/system/units.hpp"

namespace seam::engine {
namespace {

using system::Port;
using system::Subsystem;

bool units_agree(const Port& a, const Port& b) {
  if (a.unit.empty() || b.unit.empty() || a.unit == b.unit) return true;
  const auto unit_a = system::parse_unit(a.unit), unit_b = system::parse_unit(b.unit);
  return !unit_a || !unit_b || system::same_dimension(*unit_a, *unit_b);
}

enum class Likeness { name, beginning, unit };

/// The outputs of other FMUs that might feed an input: those of its name, else those its name begins with (F for F_in),
/// else those of its unit.
struct Candidates {
  std::vector<std::string> outputs;
  Likeness likeness = Likeness::unit;
};

Candidates candidates(const std::vector<Subsystem>& all, std::size_t sink, const Port& input) {
  std::vector<std::string> by_name, by_beginning, by_unit;
  for (std::size_t s = 0; s < all.size(); ++s) {
    if (s == sink) continue;
    for (const Port& output : all[s].outputs) {
      if (!units_agree(output, input)) continue;
      if (output.name == input.name) by_name.push_back(all[s].name + "." + output.name);
      if (input.name.starts_with(output.name + "_")) by_beginning.push_back(all[s].name + "." + output.name);
      if (!input.unit.empty() && output.unit == input.unit) by_unit.push_back(all[s].name + "." + output.name);
    }
  }
  if (!by_name.empty()) return {by_name, Likeness::name};
  if (!by_beginning.empty()) return {by_beginning, Likeness::beginning};
  return {by_unit, Likeness::unit};
}

/// How often each output is the only candidate: a guess by unit that serves several inputs is none.
std::map<std::string, int> times_guessed(const std::vector<Subsystem>& all) {
  std::map<std::string, int> count;
  for (std::size_t s = 0; s < all.size(); ++s) {
    for (const Port& input : all[s].inputs) {
      const auto sources = candidates(all, s, input).outputs;
      if (sources.size() == 1) ++count[sources.front()];
    }
  }
  return count;
}

std::string connection_lines(const std::vector<Subsystem>& all) {
  const auto guessed = times_guessed(all);
  std::string lines;
  for (std::size_t s = 0; s < all.size(); ++s) {
    for (const Port& input : all[s].inputs) {
      const std::string sink = all[s].name + "." + input.name;
      const auto [sources, likeness] = candidates(all, s, input);
      if (sources.size() == 1 && (likeness != Likeness::unit || guessed.at(sources.front()) == 1)) {
        lines += fmt::format("  - {}\n", formats::yaml_scalar(sources.front() + " -> " + sink));
        continue;
      }
      lines += fmt::format("  # - ??? -> {}{}{}\n", sink, input.unit.empty() ? "" : "   [" + input.unit + "]",
                           sources.empty() ? "" : fmt::format("   perhaps {}", fmt::join(sources, " or ")));
    }
  }
  return lines;
}

}  // namespace

fmi::Fmu open_fmu(const std::string& path) {
  base::Problems problems;
  auto fmu = fmi::open_fmu(path, problems);
  if (!fmu) throw base::ProblemsFound(problems);
  return std::move(*fmu);
}

std::string new_system_text(const std::vector<std::string>& fmus, const std::string& folder) {
  Changes changes;
  changes.step = "1";  // only the description is wanted; the step stays the FMUs' own
  const System system = open_fmus({fmus, {}}, changes);
  std::string text = "seam: 1\nsubsystems:\n";
  for (const Subsystem& subsystem : system.description.subsystems) {
    const std::string path = std::filesystem::relative(subsystem.fmu()->path, folder).generic_string();
    text += fmt::format("  {}: {{fmu: {}}}\n", subsystem.name, formats::yaml_scalar(path));
    if (path.starts_with("..")) text += "  # the FMU must lie beside this file or below it: copy it there\n";
  }
  const std::string lines = connection_lines(system.description.subsystems);
  text += "connections:   # source -> sink; lines with ??? are inputs for which no source could be guessed\n" +
          (lines.find("\n  - ") == std::string::npos && !lines.starts_with("  - ") ? lines + "  []\n" : lines);
  text += "# experiment: {stop: 10 s}\n# plan: {step: 1 ms, coupling: foh}   # `seam methods` lists the couplings\n";
  return text;
}

void write_new_file(const std::string& path, const std::string& text) {
  if (std::filesystem::exists(path)) {
    base::Problems problems;
    problems.add({}, fmt::format("\"{}\" exists already", path), "give another name with -o, or remove it first");
    throw base::ProblemsFound(problems);
  }
  formats::write_text(path, text);
}

}  // namespace seam::engine
