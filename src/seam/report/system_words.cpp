#include "seam/report/system_words.hpp"

#include "seam/formats/encoding.hpp"

namespace seam::report {
namespace {

std::string unit_at(const std::string& written, const system::PortPath& path, const std::vector<system::Port>& ports) {
  if (!written.empty()) return written;
  return path.port >= 0 ? ports[static_cast<std::size_t>(path.port)].unit : std::string();
}

void append(std::string& text, const std::string& part) { text += (text.empty() ? "" : ", ") + part; }

}  // namespace

std::string conversion_text(const system::Connection& c, const system::SystemDescription& description) {
  std::string text;
  if (c.gain != c.asked_gain || c.offset != c.asked_offset) {
    const auto& subsystems = description.subsystems;
    const std::string from =
        unit_at(c.from_unit, c.from, subsystems[static_cast<std::size_t>(c.from.subsystem)].outputs);
    const std::string to = unit_at(c.to_unit, c.to, subsystems[static_cast<std::size_t>(c.to.subsystem)].inputs);
    text = formats::printable(from) + " to " + formats::printable(to);
  }
  if (c.asked_gain != 1.0) append(text, fmt::format("times {}", c.asked_gain));
  if (c.asked_offset != 0.0) append(text, fmt::format("plus {}", c.asked_offset));
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < c.map.size() && i < most; ++i)
    append(text, fmt::format("{} becomes {}", c.map[i].from, c.map[i].to));
  if (c.map.size() > most) append(text, "…");
  return text;
}

std::string port_text(const system::Port& port) {
  const std::string name = formats::printable(port.name);
  return port.unit.empty() ? name : name + " [" + formats::printable(port.unit) + "]";
}

}  // namespace seam::report
