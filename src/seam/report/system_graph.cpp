// A system in the language of Graphviz.
#include <fmt/format.h>

#include <map>
#include <set>

#include "seam/formats/encoding.hpp"
#include "seam/report/system_report.hpp"
#include "seam/report/system_words.hpp"

namespace seam::report {
namespace {

using system::Connection;
using system::Port;
using system::Subsystem;

/// Inside quotes, where nothing but quotes and backslashes means anything.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : formats::printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// Inside the label of a record, where fields have signs of their own.
std::string field(const std::string& text) {
  std::string result;
  for (const char c : formats::printable(text)) {
    if (c == '\\' || c == '"' || c == '{' || c == '}' || c == '|' || c == '<' || c == '>' || c == ' ') result += '\\';
    result += c;
  }
  return result;
}

/// The ports among `used`, as a column of fields with a name each; empty if there are none.
std::string column(const std::vector<Port>& ports, const std::set<int>& used, char kind) {
  std::string text;
  for (const int port : used) {
    if (!text.empty()) text += "|";
    text += fmt::format("<{}{}> {}", kind, port, field(port_text(ports[static_cast<std::size_t>(port)])));
  }
  return text.empty() ? "" : "{" + text + "}";
}

}  // namespace

std::string system_graph(const engine::System& system) {
  const system::SystemDescription& d = system.description;
  std::map<int, std::set<int>> inputs, outputs;
  for (const Connection& c : d.connections) {
    inputs[c.to.subsystem].insert(c.to.port);
    outputs[c.from.subsystem].insert(c.from.port);
  }
  std::string text = fmt::format("digraph {} {{\n  rankdir=LR;\n  node [shape=record];\n", quoted(d.name));
  for (std::size_t s = 0; s < d.subsystems.size(); ++s) {
    const Subsystem& subsystem = d.subsystems[s];
    const std::string in = column(subsystem.inputs, inputs[static_cast<int>(s)], 'i');
    const std::string out = column(subsystem.outputs, outputs[static_cast<int>(s)], 'o');
    text += fmt::format("  s{} [label=\"{{{}{}\\n{}{}}}\"];\n", s, in.empty() ? "" : in + "|", field(subsystem.name),
                        field(what_it_is(subsystem)), out.empty() ? "" : "|" + out);
  }
  for (const Connection& c : d.connections) {
    const std::string label = conversion_text(c, d);
    text += fmt::format("  s{}:o{} -> s{}:i{}{};\n", c.from.subsystem, c.from.port, c.to.subsystem, c.to.port,
                        label.empty() ? "" : " [label=" + quoted(label) + "]");
  }
  return text + "}\n";
}

}  // namespace seam::report
