#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "seam/system/bonds.hpp"

namespace seam::system {
namespace {

struct Domain {
  std::array<int, 8> effort, flow;  ///< exponents as those of a unit
};

constexpr std::array<Domain, 6> domains{{
    {{1, 1, -2}, {0, 1, -1}},                    // N, m/s
    {{1, 2, -2}, {0, 0, -1}},                    // N.m, rad/s
    {{1, 2, -3, -1}, {0, 0, 0, 1}},              // V, A
    {{1, -1, -2}, {0, 3, -1}},                   // Pa, m3/s
    {{0, 0, 0, 0, 1}, {1, 2, -3, 0, -1}},        // K, W/K
    {{1, 2, -2, 0, 0, -1}, {0, 0, -1, 0, 0, 1}}  // J/mol, mol/s
}};

enum class Half { effort, flow };

/// What a connection is by its unit; none: not a half of any bond.
struct Nature {
  std::size_t domain = 0;
  Half half = Half::effort;
};

std::optional<Nature> nature(const std::optional<Unit>& unit) {
  if (!unit || unit->offset != 0.0 || unit->cycles != 0) return std::nullopt;
  for (std::size_t d = 0; d < domains.size(); ++d) {
    if (same_dimension(*unit, Unit{domains[d].effort, 1.0, 0.0, 0})) return Nature{d, Half::effort};
    if (same_dimension(*unit, Unit{domains[d].flow, 1.0, 0.0, 0})) return Nature{d, Half::flow};
  }
  return std::nullopt;
}

/// How alike two names are: characters in common at the start and at the end.
std::size_t likeness(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t front = 0, back = 0;
  while (front < shorter && a[front] == b[front]) ++front;
  while (front + back < shorter && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  return front + back;
}

class Recogniser {
 public:
  explicit Recogniser(const SystemDescription& description) : description_(description) {
    for (const Bond& bond : description.bonds) {
      names_.insert(bond.name);
      taken_.insert({bond.effort, bond.flow});
    }
    for (std::size_t i = 0; i < description.connections.size(); ++i) {
      const Connection& c = description.connections[i];
      const bool found = c.from.port >= 0 && c.to.port >= 0;
      if (found && c.from.subsystem != c.to.subsystem && carries_signal(description, c))
        candidates_.push_back(static_cast<int>(i));
    }
  }

  std::vector<Bond> all() {
    by_terminals();
    by_units();
    return std::move(bonds_);
  }

 private:
  const Connection& at(int connection) const { return description_.connections[static_cast<std::size_t>(connection)]; }
  const Subsystem& subsystem(int index) const { return description_.subsystems[static_cast<std::size_t>(index)]; }
  const Port& source(int connection) const {
    const PortPath& end = at(connection).from;
    return subsystem(end.subsystem).outputs[static_cast<std::size_t>(end.port)];
  }
  const Port& sink(int connection) const {
    const PortPath& end = at(connection).to;
    return subsystem(end.subsystem).inputs[static_cast<std::size_t>(end.port)];
  }
  bool are_opposite(int a, int b) const {
    return at(a).from.subsystem == at(b).to.subsystem && at(a).to.subsystem == at(b).from.subsystem;
  }

  void by_terminals() {
    for (const int out : candidates_) {  // seen from its sender, whose terminal it is
      const Terminal& terminal = source(out).terminal;
      if (terminal.name.empty()) continue;
      for (const int in : candidates_) {
        const Terminal& other = sink(in).terminal;
        if (taken_.count(out) > 0 || taken_.count(in) > 0) continue;
        if (are_opposite(out, in) && other.name == terminal.name) pair_by_terminal(out, in);
      }
    }
  }

  /// `out` leaves the terminal and `in` enters it.
  void pair_by_terminal(int out, int in) {
    const Terminal::Role sent = source(out).terminal.role, received = sink(in).terminal.role;
    const bool sends_flow = sent != Terminal::Role::signal, receives_flow = received != Terminal::Role::signal;
    const auto first = sent_unit(description_, at(out)), second = sent_unit(description_, at(in));
    if (first && second ? !is_power(*first, *second) : sends_flow == receives_flow) return;
    const auto kind = nature(first);
    const bool sends_effort = kind ? kind->half == Half::effort : !sends_flow;
    Bond bond;
    bond.origin = Bond::Origin::terminals;
    bond.effort = sends_effort ? out : in;
    bond.flow = sends_effort ? in : out;
    bond.giver = natural_giver(at(bond.effort));
    if (sends_flow != receives_flow) {
      // An inflow times its partner goes into the terminal, in the values that it has there; the product as it was sent
      // differs from that by the sign of the gain on the way in.
      const bool inflow = (sends_flow ? sent : received) == Terminal::Role::inflow;
      const bool owner_gives = inflow == (at(in).gain < 0.0);
      bond.giver = owner_gives == sends_effort ? Bond::Giver::effort_sender : Bond::Giver::effort_receiver;
    }
    add(std::move(bond), source(out).terminal.name);
  }

  void by_units() {
    struct Group {
      std::vector<int> efforts, flows;
    };
    std::map<std::tuple<int, int, std::size_t>, Group> groups;  // effort's sender, its receiver, domain
    for (const int c : candidates_) {
      const auto kind = taken_.count(c) > 0 ? std::nullopt : nature(source_unit(description_, at(c)));
      if (!kind) continue;
      const int from = at(c).from.subsystem, to = at(c).to.subsystem;
      if (kind->half == Half::effort) groups[{from, to, kind->domain}].efforts.push_back(c);
      if (kind->half == Half::flow) groups[{to, from, kind->domain}].flows.push_back(c);
    }
    for (const auto& [key, group] : groups) {
      if (group.efforts.size() != group.flows.size()) continue;
      const auto partners = alike(group.efforts, group.flows);
      for (std::size_t i = 0; i < partners.size(); ++i) {
        Bond bond;
        bond.origin = Bond::Origin::units;
        bond.effort = group.efforts[i];
        bond.flow = partners[i];
        bond.giver = natural_giver(at(bond.effort));
        add(std::move(bond), source(group.efforts[i]).name);
      }
    }
  }

  /// The flow of each effort, if it is clear which belong together; else empty.
  std::vector<int> alike(const std::vector<int>& efforts, const std::vector<int>& flows) const {
    if (efforts.size() == 1) return flows;
    std::vector<int> partners;
    for (const int effort : efforts) {
      std::vector<std::pair<std::size_t, int>> ranking;
      for (const int flow : flows)
        ranking.emplace_back(
            likeness(source(effort).name, sink(flow).name) + likeness(sink(effort).name, source(flow).name), flow);
      std::sort(ranking.rbegin(), ranking.rend());
      if (ranking[0].first == ranking[1].first) return {};
      if (std::ranges::find(partners, ranking[0].second) != partners.end()) return {};
      partners.push_back(ranking[0].second);
    }
    return partners;
  }

  /// "left-right", and what distinguishes it where there are several.
  void add(Bond bond, const std::string& further) {
    const Connection& effort = at(bond.effort);
    bond.name = subsystem(effort.from.subsystem).name + "-" + subsystem(effort.to.subsystem).name;
    if (names_.count(bond.name) > 0) bond.name += "-" + further;
    while (!names_.insert(bond.name).second) bond.name += "-";
    bond.where = effort.where;
    taken_.insert({bond.effort, bond.flow});
    bonds_.push_back(std::move(bond));
  }

  const SystemDescription& description_;
  std::vector<int> candidates_;
  std::set<int> taken_;
  std::set<std::string> names_;
  std::vector<Bond> bonds_;
};

}  // namespace

std::vector<Bond> recognise_bonds(const SystemDescription& description) { return Recogniser(description).all(); }

}  // namespace seam::system
