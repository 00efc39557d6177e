#include "seam/system/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "seam/base/names.hpp"
#include "seam/system/subsystem_names.hpp"
#include "seam/system/units.hpp"

namespace seam::system {
namespace {

enum class Side { source, sink };

const std::vector<Port>& ports(const Subsystem& subsystem, Side side) {
  return side == Side::source ? subsystem.outputs : subsystem.inputs;
}

Side opposite(Side side) { return side == Side::source ? Side::sink : Side::source; }

int find_port(const std::vector<Port>& ports, std::string_view name) {
  const auto found = std::ranges::find(ports, name, &Port::name);
  return found == ports.end() ? -1 : static_cast<int>(found - ports.begin());
}

std::vector<std::string> port_names(const std::vector<Port>& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.name);
  return names;
}

class ConnectionResolver {
 public:
  ConnectionResolver(const SystemDescription& description, base::Problems& problems)
      : description_(description), problems_(problems), subsystems_(description) {}

  void resolve(Connection& connection) {
    if (connection.from.port >= 0 && connection.to.port >= 0) return;
    find_ends(connection);
    if (connection.from.port < 0 || connection.to.port < 0) return;
    connection.asked_gain = connection.gain;
    connection.asked_offset = connection.offset;
    if (!check_types(connection)) return;
    note_rounding(connection);
    convert_units(connection);
  }

  /// What the user should know and is no problem.
  std::vector<std::string> notices() const {
    std::vector<std::string> all = notices_;
    if (rounded_ > 0)
      all.push_back(fmt::format("{} connection{} from Float64 to Float32 keep{} about 7 digits: {}{}", rounded_,
                                rounded_ == 1 ? "" : "s", rounded_ == 1 ? "s" : "", first_rounded_,
                                rounded_ == 1 ? "" : ", …"));
    return all;
  }

 private:
  enum class Found { yes, wrong_side, no };

  void find_ends(Connection& connection) {
    const Found from = find(connection.from, Side::source, connection.where);
    const Found to = find(connection.to, Side::sink, connection.where);
    if (from == Found::wrong_side && to == Found::wrong_side) {
      problems_.add(place(connection.to, connection.where),
                    fmt::format("\"{}\" is an output, but it stands on the receiving side", connection.to.text),
                    fmt::format("turn it round:  {} -> {}", connection.to.text, connection.from.text));
      return;
    }
    if (from == Found::wrong_side) wrong_side(connection.from, Side::source, connection.where);
    if (to == Found::wrong_side) wrong_side(connection.to, Side::sink, connection.where);
  }

  Found find(PortPath& path, Side side, const base::Location& connection) {
    path.subsystem = subsystems_.find(path.text);
    path.port = -1;
    if (path.subsystem < 0) {
      unknown_subsystem(path, connection);
      return Found::no;
    }
    const Subsystem& subsystem = description_.subsystems[static_cast<std::size_t>(path.subsystem)];
    const std::string name = path.text.substr(subsystem.name.size() + 1);
    path.port = find_port(ports(subsystem, side), name);
    if (path.port >= 0) return Found::yes;
    if (find_port(ports(subsystem, opposite(side)), name) >= 0) return Found::wrong_side;
    // A model that could not be made has no ports, and that has been said already.
    if (subsystem.inputs.empty() && subsystem.outputs.empty() && !problems_.empty()) return Found::no;
    const std::string_view kind = side == Side::source ? "output" : "input";
    const std::vector<std::string> candidates = port_names(ports(subsystem, side));
    std::string mend = base::did_you_mean(name, candidates);
    if (candidates.empty()) mend = fmt::format("\"{}\" has no {}s", subsystem.name, kind);
    for (const auto& [output, why] : subsystem.left_out) {
      if (output == name && side == Side::source) mend = why;
    }
    problems_.add(place(path, connection), fmt::format("\"{}\" has no {} \"{}\"", subsystem.name, kind, name), mend);
    return Found::no;
  }

  void unknown_subsystem(const PortPath& path, const base::Location& connection) {
    std::vector<std::string> names;
    for (const Subsystem& subsystem : description_.subsystems) names.push_back(subsystem.name);
    const std::size_t dot = path.text.find('.');
    if (dot == std::string::npos) {
      problems_.add(place(path, connection), fmt::format("\"{}\" does not name a port", path.text),
                    "write subsystem.port");
      return;
    }
    const std::string name = path.text.substr(0, dot);
    problems_.add(place(path, connection), fmt::format("there is no subsystem \"{}\"", name),
                  base::did_you_mean(name, names));
  }

  void wrong_side(const PortPath& path, Side side, const base::Location& connection) {
    const Subsystem& subsystem = description_.subsystems[static_cast<std::size_t>(path.subsystem)];
    const std::vector<std::string> candidates = port_names(ports(subsystem, side));
    const bool sink = side == Side::sink;
    std::string mend = candidates.empty()
                           ? std::string{}
                           : fmt::format("its {} are: {}", sink ? "inputs" : "outputs", fmt::join(candidates, ", "));
    problems_.add(place(path, connection),
                  fmt::format("\"{}\" is an {}, but it stands on the {} side", path.text, sink ? "output" : "input",
                              sink ? "receiving" : "sending"),
                  std::move(mend));
  }

  /// Whether the connection is one of reals, which may have units.
  bool check_types(const Connection& connection) {
    const Port& source = port(connection.from, Side::source);
    const Port& sink = port(connection.to, Side::sink);
    const bool known = description_.subsystems[static_cast<std::size_t>(connection.from.subsystem)].is_signal;
    const std::string why = why_not(source, sink, known ? SourceKind::known_signal : SourceKind::live);
    if (!why.empty()) {
      problems_.add(connection.where,
                    fmt::format("\"{}\" is of type {} and cannot feed \"{}\", which is of type {}",
                                connection.from.text, word(source.type), connection.to.text, word(sink.type)),
                    why);
    } else if (!connection.map.empty() && !is_whole(source.type)) {
      problems_.add(connection.where, fmt::format("\"{}\" is of type {}, and a map translates whole numbers",
                                                  connection.from.text, word(source.type)));
    } else if (source.type != PortType::real && sink.type != PortType::real) {
      only_reals_have(connection, connection.gain != 1.0 || connection.offset != 0.0, "gain or offset");
      only_reals_have(connection, !connection.from_unit.empty() || !connection.to_unit.empty(), "unit");
    }
    return source.type == PortType::real && sink.type == PortType::real;
  }

  void only_reals_have(const Connection& connection, bool has, std::string_view what) {
    if (!has) return;
    problems_.add(connection.where,
                  fmt::format("\"{}\" is no real number and is passed on as sent: no {}", connection.to.text, what),
                  "leave it out");
  }

  void convert_units(Connection& connection) {
    if (connection.units == UnitConversion::suppressed) return;
    const Port& source = port(connection.from, Side::source);
    const Port& sink = port(connection.to, Side::sink);
    const std::string from = agreed_unit(connection, connection.from, connection.from_unit, source.unit);
    const std::string to = agreed_unit(connection, connection.to, connection.to_unit, sink.unit);
    if (from.empty() || to.empty()) return;
    std::optional<Unit> here = meaning(from, source), there = meaning(to, sink);
    if (from == to && (!here || !there)) return;
    const std::string ends =
        fmt::format("\"{}\" is in {}, \"{}\" is in {}", connection.from.text, from, connection.to.text, to);
    if (!here || !there) {
      notices_.push_back(fmt::format("{}: the unit {} is not known, and nothing is converted", ends, here ? to : from));
      return;
    }
    if (!same_dimension(*here, *there) && from == to) {
      notices_.push_back(ends + ", which they define differently; nothing is converted");
      return;
    }
    if (!same_dimension(*here, *there)) {
      problems_.add(connection.where, ends + ": these are not of one dimension");
      return;
    }
    if (!agree_on_offsets(connection, *here, *there)) return;
    if (from == to && same_meaning(*here, *there)) return;
    if (here->exponents[Unit::radian] != there->exponents[Unit::radian])
      notices_.push_back(ends + ": a radian counts as 1");
    const Conversion unit = conversion(*here, *there);
    connection.gain = connection.asked_gain * unit.gain;
    connection.offset = connection.asked_gain * unit.offset + connection.asked_offset;
  }

  /// Between differences offsets are left out; between a difference and a value they would count at one end only.
  bool agree_on_offsets(const Connection& connection, Unit& here, Unit& there) {
    const Port& source = port(connection.from, Side::source);
    const Port& sink = port(connection.to, Side::sink);
    if (source.quantity != sink.quantity && (here.offset != 0.0 || there.offset != 0.0)) {
      const bool sent = source.quantity == Quantity::difference;
      problems_.add(
          connection.where,
          fmt::format("\"{}\" is a difference (relativeQuantity), and \"{}\" is not",
                      (sent ? connection.from : connection.to).text, (sent ? connection.to : connection.from).text),
          "unit: as-is takes the numbers as they are");
      return false;
    }
    if (source.quantity == Quantity::difference) here.offset = there.offset = 0.0;
    return true;
  }

  /// Told once for all: a system may have thousands of them.
  void note_rounding(const Connection& connection) {
    const bool loses = port(connection.from, Side::source).precision == Precision::full &&
                       port(connection.to, Side::sink).precision == Precision::single;
    if (loses && ++rounded_ == 1) first_rounded_ = connection.from.text + " -> " + connection.to.text;
  }

  // The connection may say a unit only where the port does not, or the same.
  std::string agreed_unit(const Connection& connection, const PortPath& path, const std::string& written,
                          const std::string& own) {
    if (written.empty() || own.empty() || written == own) return own.empty() ? written : own;
    problems_.add(connection.unit_where.line > 0 ? connection.unit_where : connection.where,
                  fmt::format("\"{}\" is in {}, but the connection says {}", path.text, own, written),
                  "leave the unit out: it is known");
    return own;
  }

  std::optional<Unit> meaning(const std::string& text, const Port& port) const {
    if (port.defined_unit && port.unit == text) return port.defined_unit;
    return find_unit(description_, text);
  }

  const Port& port(const PortPath& path, Side side) const {
    const Subsystem& subsystem = description_.subsystems[static_cast<std::size_t>(path.subsystem)];
    return ports(subsystem, side)[static_cast<std::size_t>(path.port)];
  }

  static base::Location place(const PortPath& path, const base::Location& connection) {
    return path.where.source ? path.where : connection;
  }

  const SystemDescription& description_;
  base::Problems& problems_;
  SubsystemNames subsystems_;
  std::vector<std::string> notices_;
  int rounded_ = 0;
  std::string first_rounded_;
};

}  // namespace

std::optional<Unit> find_unit(const SystemDescription& description, std::string_view name) {
  for (const UnitDefinition& definition : description.units) {
    if (definition.name == name) return definition.unit;
  }
  return parse_unit(name);
}

int find_subsystem(const SystemDescription& description, std::string_view path) {
  int best = -1;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < description.subsystems.size(); ++i) {
    const std::string& name = description.subsystems[i].name;
    const bool fits = path.size() > name.size() && path[name.size()] == '.' && path.substr(0, name.size()) == name;
    if (fits && name.size() > longest) {
      longest = name.size();
      best = static_cast<int>(i);
    }
  }
  return best;
}

void resolve_paths(SystemDescription& description, base::Problems& problems) {
  expand_arrays(description, problems);
  ConnectionResolver resolver(description, problems);
  for (Connection& connection : description.connections) resolver.resolve(connection);
  const std::vector<std::string> notices = resolver.notices();
  description.notices.insert(description.notices.end(), notices.begin(), notices.end());
}

}  // namespace seam::system
