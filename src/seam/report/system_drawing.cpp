// A system as text: who is connected to whom, then every subsystem with its ports.
#include <fmt/format.h>

#include <algorithm>

#include "seam/formats/encoding.hpp"
#include "seam/report/system_report.hpp"
#include "seam/report/system_words.hpp"
#include "seam/report/text_shape.hpp"

namespace seam::report {
namespace {

using formats::printable;
using system::Connection;
using system::Port;
using system::Subsystem;

constexpr std::size_t most_drawn = 20;  // subsystems; of more, the overview is what can be read
constexpr std::size_t most_loose = 12;  // ports without a connection

class Drawing {
 public:
  Drawing(const system::SystemDescription& description, Extent extent) : d_(description), extent_(extent) {}

  /// One line a subsystem: what it is, and to whom it sends how much.
  std::string overview() const {
    std::size_t names = 0, kinds = 0;
    for (const Subsystem& subsystem : d_.subsystems) {
      names = std::max(names, width(printable(subsystem.name)));
      kinds = std::max(kinds, std::min<std::size_t>(40, width(printable(what_it_is(subsystem)))));
    }
    std::string text;
    for (std::size_t s = 0; s < d_.subsystems.size(); ++s) {
      const std::string head = "  " + padded(printable(d_.subsystems[s].name), names) + "  " +
                               padded(printable(what_it_is(d_.subsystems[s])), kinds);
      const std::vector<std::string> sinks = sinks_of(static_cast<int>(s));
      if (sinks.empty())
        text += head.substr(0, head.find_last_not_of(' ') + 1) + "\n";
      else
        text += head + "  ──→ " + wrapped(sinks, blanks(names + kinds + 10));
    }
    return text;
  }

  std::string box(std::size_t s) const {
    const Subsystem& subsystem = d_.subsystems[s];
    std::string text = fmt::format("┌─ {}  ({})\n", printable(subsystem.name), printable(what_it_is(subsystem)));
    std::size_t columns = 0;
    for (const Connection& c : d_.connections) {
      if (c.to.subsystem == static_cast<int>(s)) columns = std::max(columns, width(port_text(input_of(c))));
      if (c.from.subsystem == static_cast<int>(s)) columns = std::max(columns, width(port_text(output_of(c))));
    }
    std::vector<std::string> unfed, unheard;
    for (std::size_t i = 0; i < subsystem.inputs.size(); ++i) text += input_line(s, i, columns, unfed);
    for (std::size_t o = 0; o < subsystem.outputs.size(); ++o) text += output_lines(s, o, columns, unheard);
    return text + loose("nothing feeds ", std::move(unfed)) + loose("no connection reads ", std::move(unheard)) +
           "└─\n";
  }

 private:
  const Port& input_of(const Connection& c) const {
    return d_.subsystems[static_cast<std::size_t>(c.to.subsystem)].inputs[static_cast<std::size_t>(c.to.port)];
  }
  const Port& output_of(const Connection& c) const {
    return d_.subsystems[static_cast<std::size_t>(c.from.subsystem)].outputs[static_cast<std::size_t>(c.from.port)];
  }

  std::vector<std::string> sinks_of(int source) const {
    std::vector<int> counts(d_.subsystems.size());
    for (const Connection& c : d_.connections) {
      if (c.from.subsystem == source) ++counts[static_cast<std::size_t>(c.to.subsystem)];
    }
    std::vector<std::string> sinks;
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (counts[s] == 0) continue;
      const std::string name = printable(d_.subsystems[s].name);
      sinks.push_back(counts[s] == 1 ? name : fmt::format("{} ({})", name, counts[s]));
    }
    return sinks;
  }

  std::string with_conversion(const std::string& end, const Connection& c) const {
    const std::string conversion = conversion_text(c, d_);
    return printable(end) + (conversion.empty() ? "" : "  (" + conversion + ")");
  }

  std::string input_line(std::size_t s, std::size_t input, std::size_t columns, std::vector<std::string>& unfed) const {
    const Port& port = d_.subsystems[s].inputs[input];
    for (const Connection& c : d_.connections) {
      if (c.to.subsystem == static_cast<int>(s) && c.to.port == static_cast<int>(input))
        return "│  " + padded(port_text(port), columns) + "  ←── " + with_conversion(c.from.text, c) + "\n";
    }
    unfed.push_back(port_text(port) + (port.start ? fmt::format(" = {}", *port.start) : ""));
    return {};
  }

  std::string output_lines(std::size_t s, std::size_t output, std::size_t columns,
                           std::vector<std::string>& unheard) const {
    const Port& port = d_.subsystems[s].outputs[output];
    std::vector<std::string> sinks;
    for (const Connection& c : d_.connections) {
      if (c.from.subsystem == static_cast<int>(s) && c.from.port == static_cast<int>(output))
        sinks.push_back(with_conversion(c.to.text, c));
    }
    if (sinks.empty()) {
      unheard.push_back(port_text(port));
      return {};
    }
    const Indent below{"│  " + std::string(columns + 6, ' '), columns + 9};
    return "│  " + padded(port_text(port), columns) + "  ──→ " + wrapped(sinks, below);
  }

  std::string loose(const std::string& head, std::vector<std::string> ports) const {
    if (ports.empty()) return {};
    if (ports.size() > most_loose && extent_ == Extent::first_lines) {
      const std::string rest = fmt::format("and {} more", ports.size() - most_loose);
      ports.resize(most_loose);
      ports.push_back(rest);
    }
    return "│  " + head + wrapped(ports, {"│  " + std::string(head.size(), ' '), head.size() + 3});
  }

  const system::SystemDescription& d_;
  Extent extent_;
};

}  // namespace

std::string system_text(const engine::System& system, Extent extent) {
  const system::SystemDescription& d = system.description;
  std::string text = fmt::format("{}: {} subsystems, {} connections, macro step {} s\n", printable(d.name),
                                 d.subsystems.size(), d.connections.size(), system.plan.step);
  if (!d.description.empty()) text += "  " + printable(d.description) + "\n";
  const Drawing drawing(d, extent);
  text += "\n" + drawing.overview() + "\n";
  if (extent == Extent::all || d.subsystems.size() <= most_drawn) {
    for (std::size_t s = 0; s < d.subsystems.size(); ++s) text += drawing.box(s);
  } else {
    text += "--all draws every subsystem with its ports\n";
  }
  if (!d.aliases.empty()) text += "other names\n";
  for (const system::PortAlias& alias : d.aliases) {
    const std::string head = "  " + printable(alias.name) + " = ";
    text += head + wrapped(alias.ports, blanks(width(head)));
  }
  return text;
}

}  // namespace seam::report
