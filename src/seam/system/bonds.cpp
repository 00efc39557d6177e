#include "seam/system/bonds.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "seam/base/names.hpp"
#include "seam/system/resolve.hpp"
#include "seam/system/validate.hpp"

namespace seam::system {
namespace {

const Connection& at(const SystemDescription& description, int connection) {
  return description.connections[static_cast<std::size_t>(connection)];
}

std::optional<Unit> meaning(const SystemDescription& description, const Port& port, const std::string& written) {
  if (port.unit.empty()) return written.empty() ? std::nullopt : find_unit(description, written);
  return port.defined_unit ? port.defined_unit : find_unit(description, port.unit);
}

class BondResolver {
 public:
  BondResolver(SystemDescription& description, base::Problems& problems)
      : description_(description), problems_(problems) {}

  void resolve(Bond& bond) {
    check_name(bond);
    if (bond.effort_ends) bond.effort = find(*bond.effort_ends);
    if (bond.flow_ends) bond.flow = find(*bond.flow_ends);
    const bool found = bond.effort >= 0 && bond.flow >= 0;
    if (!found || !is_resolved(at(description_, bond.effort)) || !is_resolved(at(description_, bond.flow))) return;
    if (!check_ways(bond)) return;
    take_sign(bond);
    say_what_is_odd(bond);
  }

 private:
  static bool is_resolved(const Connection& connection) { return connection.from.port >= 0 && connection.to.port >= 0; }

  void check_name(const Bond& bond) {
    if (bond.name.empty()) return;  // said when it was read
    if (!is_legal_name(bond.name)) {
      problems_.add(bond.where, fmt::format("\"{}\" cannot name a bond", bond.name),
                    "a name begins with a letter or _, and goes on with letters, digits, _ and -");
    }
    const auto [first, is_new] = names_.emplace(bond.name, bond.where);
    if (!is_new)
      problems_.add(bond.where, fmt::format("there are two bonds \"{}\"", bond.name),
                    first->second.line > 0 ? fmt::format("the first is on line {}", first->second.line) : "");
  }

  /// The connection that a plan file names by its ends.
  int find(const Bond::Ends& ends) {
    std::vector<std::string> sinks;
    for (std::size_t i = 0; i < description_.connections.size(); ++i) {
      const Connection& connection = description_.connections[i];
      sinks.push_back(connection.to.text);
      if (connection.to.text != ends.to.text) continue;
      if (connection.from.text == ends.from.text) return static_cast<int>(i);
      problems_.add(ends.from.where, fmt::format("\"{}\" is not the source of \"{}\"", ends.from.text, ends.to.text),
                    fmt::format("it is connected to \"{}\"", connection.from.text));
      return -1;
    }
    problems_.add(ends.to.where, fmt::format("\"{}\" is not a connected input", ends.to.text),
                  base::did_you_mean(ends.to.text, sinks));
    return -1;
  }

  const std::string& name(int subsystem) const {
    return description_.subsystems[static_cast<std::size_t>(subsystem)].name;
  }

  bool check_ways(const Bond& bond) {
    const Connection &effort = at(description_, bond.effort), &flow = at(description_, bond.flow);
    const bool back = effort.from.subsystem == flow.to.subsystem && effort.to.subsystem == flow.from.subsystem;
    if (!back || effort.from.subsystem == effort.to.subsystem) {
      problems_.add(bond.where,
                    fmt::format("the effort of \"{}\" goes from \"{}\" to \"{}\", its flow from \"{}\" to \"{}\"",
                                bond.name, name(effort.from.subsystem), name(effort.to.subsystem),
                                name(flow.from.subsystem), name(flow.to.subsystem)),
                    "the flow of a bond goes the opposite way between the same two subsystems");
      return false;
    }
    for (const int connection : {bond.effort, bond.flow}) {
      const Connection& half = at(description_, connection);
      if (!carries_signal(description_, half)) {
        problems_.add(bond.where, fmt::format("\"{}\" cannot belong to the bond \"{}\"", half.to.text, bond.name),
                      "a bond joins continuous real ports of two subsystems that step, with gains other than 0");
        return false;
      }
      if (!taken_.insert(connection).second) {
        problems_.add(bond.where, fmt::format("\"{}\" belongs to two bonds", half.to.text));
        return false;
      }
    }
    return true;
  }

  void take_sign(Bond& bond) {
    const Connection& effort = at(description_, bond.effort);
    if (!bond.positive) {
      bond.giver = natural_giver(effort);
      return;
    }
    const std::string &sender = name(effort.from.subsystem), &receiver = name(effort.to.subsystem);
    if (*bond.positive == std::pair(receiver, sender)) {
      bond.giver = Bond::Giver::effort_receiver;
    } else if (*bond.positive != std::pair(sender, receiver)) {
      problems_.add(bond.positive_where,
                    fmt::format("\"{} -> {}\" is not a way of the bond \"{}\"", bond.positive->first,
                                bond.positive->second, bond.name),
                    fmt::format("write  {0} -> {1}  or  {1} -> {0}", sender, receiver));
    }
  }

  void say_what_is_odd(const Bond& bond) {
    const Connection &effort = at(description_, bond.effort), &flow = at(description_, bond.flow);
    if (std::abs(effort.asked_gain) != std::abs(flow.asked_gain)) {
      description_.notices.push_back(
          fmt::format("the gains of the bond \"{}\" differ ({} and {}): its power is that of the values as they are "
                      "sent, before the gains",
                      bond.name, effort.asked_gain, flow.asked_gain));
    }
    const auto first = sent_unit(description_, effort), second = sent_unit(description_, flow);
    if (first && second && !is_power(*first, *second)) {
      description_.notices.push_back(
          fmt::format("the product of \"{}\" and \"{}\" is no power: the energy of the bond \"{}\" has no unit",
                      effort.from.text, flow.from.text, bond.name));
    }
  }

  SystemDescription& description_;
  base::Problems& problems_;
  std::map<std::string, base::Location> names_;
  std::set<int> taken_;
};

}  // namespace

std::optional<Unit> source_unit(const SystemDescription& description, const Connection& connection) {
  const auto& from = description.subsystems[static_cast<std::size_t>(connection.from.subsystem)];
  return meaning(description, from.outputs[static_cast<std::size_t>(connection.from.port)], connection.from_unit);
}

std::optional<Unit> sent_unit(const SystemDescription& description, const Connection& connection) {
  if (const auto own = source_unit(description, connection)) return own;
  const auto& to = description.subsystems[static_cast<std::size_t>(connection.to.subsystem)];
  auto other = meaning(description, to.inputs[static_cast<std::size_t>(connection.to.port)], connection.to_unit);
  if (other) other->factor *= std::abs(connection.asked_gain);  // sink = gain * source
  return other;
}

bool carries_signal(const SystemDescription& description, const Connection& connection) {
  const auto& from = description.subsystems[static_cast<std::size_t>(connection.from.subsystem)];
  const auto& to = description.subsystems[static_cast<std::size_t>(connection.to.subsystem)];
  const Port& source = from.outputs[static_cast<std::size_t>(connection.from.port)];
  const Port& sink = to.inputs[static_cast<std::size_t>(connection.to.port)];
  const auto fits = [](const Port& port) {
    return port.type == PortType::real && port.variability == Variability::continuous;
  };
  return !from.is_signal && !to.is_signal && fits(source) && fits(sink) && connection.gain != 0.0;
}

Bond::Giver natural_giver(const Connection& effort) {
  return effort.gain < 0.0 ? Bond::Giver::effort_receiver : Bond::Giver::effort_sender;
}

bool is_power(const Unit& effort, const Unit& flow) {
  static const Unit watt{{1, 2, -3, 0, 0, 0, 0, 0}, 1.0, 0.0, 0};
  Unit product;
  for (std::size_t i = 0; i < product.exponents.size(); ++i)
    product.exponents[i] = effort.exponents[i] + flow.exponents[i];
  product.cycles = effort.cycles + flow.cycles;
  return same_dimension(product, watt);
}

BondUnit unit_of(const SystemDescription& description, const Bond& bond) {
  const auto effort = sent_unit(description, at(description, bond.effort));
  const auto flow = sent_unit(description, at(description, bond.flow));
  if (!effort || !flow || !is_power(*effort, *flow)) return {};
  return {effort->factor * flow->factor, true};
}

void resolve_bonds(SystemDescription& description, base::Problems& problems) {
  const std::size_t before = problems.size();
  BondResolver resolver(description, problems);
  for (Bond& bond : description.bonds) resolver.resolve(bond);
  if (problems.size() > before) return;
  for (Bond& bond : recognise_bonds(description)) description.bonds.push_back(std::move(bond));
}

}  // namespace seam::system
