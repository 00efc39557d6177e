#include "seam/osp/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "seam/base/names.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/osp/groups.hpp"
#include "seam/osp/structure.hpp"
#include "seam/system/validate.hpp"

namespace seam::osp {
namespace {

/// A variable of a simulator, or a port of a sum.
struct Plug {
  std::string path;                         ///< subsystem.port
  const fmi::Variable* variable = nullptr;  ///< null: not known, or of a sum
  const fmi::Fmu* fmu = nullptr;
  base::Location where;

  bool is_output() const { return variable && variable->causality == fmi::Causality::output; }
};

/// What is joined to a linear transformation.
struct Passage {
  std::optional<Plug> in;
  std::vector<Plug> out;
};

class Wirer {
 public:
  Wirer(const Structure& structure, const Parts& parts, system::SystemDescription& description,
        base::Problems& problems)
      : structure_(structure), parts_(parts), description_(description), problems_(problems) {}

  void wire() {
    for (const Function& function : structure_.functions) add_sums(function);
    for (const Link& link : structure_.links) {
      switch (link.kind) {
        case Link::Kind::variables:
          join(plug(link.first), plug(link.second), link.where);
          break;
        case Link::Kind::groups:
          join_groups(link);
          break;
        case Link::Kind::signal:
          join_signal(link);
          break;
        case Link::Kind::signal_group:
          join_signal_group(link);
      }
    }
    for (const Function& function : structure_.functions) finish(function);
  }

 private:
  /// Of a function with one element its own name.
  static std::string sum_name(const Function& function, int element) {
    const std::string name = system::legal_path(function.name);
    return function.kind == Function::Kind::sum ? name : fmt::format("{}_{}", name, element + 1);
  }

  void add_sums(const Function& function) {
    if (function.kind == Function::Kind::linear) return;
    for (int element = 0; element < function.dimension; ++element)
      description_.subsystems.push_back(make_sum(function, sum_name(function, element)));
  }

  // ---- ends

  const Part* part(const End& end) {
    const auto found = parts_.find(end.owner);
    if (found != parts_.end()) return &found->second;
    std::vector<std::string> names;
    for (const auto& [name, part] : parts_) names.push_back(name);
    if (!end.owner.empty())
      problems_.add(end.where, fmt::format("there is no simulator \"{}\"", end.owner),
                    base::did_you_mean(end.owner, names));
    return nullptr;
  }

  std::optional<Plug> plug(const End& end) {
    const Part* const owner = part(end);
    if (!owner || !owner->fmu || end.name.empty()) return std::nullopt;
    Plug plug;
    plug.where = end.where;
    plug.fmu = owner->fmu.get();
    plug.variable = plug.fmu->description.find(end.name);
    plug.path = owner->name + "." + (plug.variable ? plug.variable->name : end.name);
    return plug;
  }

  const Function* function(const End& end) {
    const auto& all = structure_.functions;
    const auto found = std::ranges::find(all, end.owner, &Function::name);
    if (found != all.end()) return &*found;
    std::vector<std::string> names;
    for (const Function& each : all) names.push_back(each.name);
    if (!end.owner.empty())
      problems_.add(end.where, fmt::format("there is no function \"{}\"", end.owner),
                    base::did_you_mean(end.owner, names));
    return nullptr;
  }

  // ---- groups

  const VariableGroup* group(const End& end) {
    const Part* const owner = part(end);
    if (!owner || !owner->fmu) return nullptr;
    auto known = groups_.find(owner->fmu->path);
    if (known == groups_.end()) {
      const fmi::Fmu& fmu = *owner->fmu;
      auto read = read_groups({fmu.path, fmu.description.model_name, description_.folder}, end.where, problems_);
      known = groups_.emplace(fmu.path, std::move(read)).first;
    }
    if (!known->second) return nullptr;
    const VariableGroup* const found = find_group(*known->second, end.name);
    if (!found)
      problems_.add(end.where, fmt::format("\"{}\" has no variable group \"{}\"", end.owner, end.name),
                    base::did_you_mean(end.name, group_names(*known->second)));
    return found;
  }

  void join_groups(const Link& link) {
    const VariableGroup* const first = group(link.first);
    const VariableGroup* const second = group(link.second);
    if (first && second) join_groups(*first, *second, link);
  }

  void join_groups(const VariableGroup& first, const VariableGroup& second, const Link& link) {
    if (first.kind != second.kind) {
      problems_.add(link.where, fmt::format("the group \"{}\" is a {}, and \"{}\" is a {}", first.name, first.kind,
                                            second.name, second.kind));
      return;
    }
    if (first.variables.size() != second.variables.size() || first.groups.size() != second.groups.size()) {
      problems_.add(link.where, fmt::format("the group \"{}\" has {} variables and {} groups, and \"{}\" has {} and {}",
                                            first.name, first.variables.size(), first.groups.size(), second.name,
                                            second.variables.size(), second.groups.size()));
      return;
    }
    for (std::size_t i = 0; i < first.groups.size(); ++i) join_groups(first.groups[i], second.groups[i], link);
    for (std::size_t i = 0; i < first.variables.size(); ++i)
      join(plug({link.first.owner, first.variables[i], link.first.where}),
           plug({link.second.owner, second.variables[i], link.second.where}), link.where);
  }

  // ---- functions

  void join_signal(const Link& link) {
    const Function* const owner = function(link.second);
    const auto variable = plug(link.first);
    if (!owner) return;
    const auto signal = find_signal(*owner, link.second.name);
    if (!signal) return unknown_signal(*owner, link.second);
    attach(*owner, *signal, variable);
  }

  void join_signal_group(const Link& link) {
    const Function* const owner = function(link.second);
    if (!owner) return;
    const std::vector<Signal> signals = find_signal_group(*owner, link.second.name);
    if (signals.empty()) return unknown_signal(*owner, link.second);
    const VariableGroup* const variables = group(link.first);
    if (!variables) return;
    if (variables->variables.size() != signals.size()) {
      problems_.add(link.where, fmt::format("the group \"{}\" has {} variables, and \"{}\" has the dimension {}",
                                            variables->name, variables->variables.size(), owner->name, signals.size()));
      return;
    }
    for (std::size_t i = 0; i < signals.size(); ++i)
      attach(*owner, signals[i], plug({link.first.owner, variables->variables[i], link.first.where}));
  }

  void unknown_signal(const Function& owner, const End& end) {
    problems_.add(end.where, fmt::format("the function \"{}\" has no signal \"{}\"", owner.name, end.name),
                  signal_names(owner));
  }

  /// None: the variable is not known, and that was said.
  void attach(const Function& owner, const Signal& signal, const std::optional<Plug>& end) {
    const bool in = signal.side == Signal::Side::in;
    fed_[&owner] += in ? 1 : 0;
    if (!end) return;
    const Plug& variable = *end;
    if (owner.kind == Function::Kind::linear) {
      Passage& passage = passages_[&owner];
      if (in && passage.in)
        problems_.add(variable.where, fmt::format("the function \"{}\" has two sources", owner.name));
      if (in) {
        passage.in = variable;
      } else {
        passage.out.push_back(variable);
      }
      return;
    }
    const Plug port{sum_name(owner, signal.element) + "." + port_name(owner, signal), nullptr, nullptr, variable.where};
    if (in) {
      add(variable, port, variable.where);
    } else {
      add(port, variable, variable.where);
    }
  }

  /// What has become of a function when all is joined.
  void finish(const Function& function) {
    const int inputs = function.inputs * function.dimension, missing = inputs - fed_[&function];
    if (missing > 0)
      problems_.add(function.where, fmt::format("{} of {} inputs of the function \"{}\" are not connected", missing,
                                                inputs, function.name));
    if (function.kind != Function::Kind::linear) return;
    const Passage& passage = passages_[&function];
    if (passage.out.empty())
      description_.notices.push_back(fmt::format("nothing hears the function \"{}\"", function.name));
    if (!passage.in) return;
    for (const Plug& out : passage.out) {
      system::Connection& connection = add(*passage.in, out, out.where);
      connection.gain = function.factor;
      connection.offset = function.offset;
    }
  }

  // ---- connections

  /// The output is the source, whichever is written first.
  void join(const std::optional<Plug>& first, const std::optional<Plug>& second, const base::Location& where) {
    if (!first || !second) return;
    const bool backwards = !first->is_output() && second->is_output();
    add(backwards ? *second : *first, backwards ? *first : *second, where);
  }

  system::Connection& add(const Plug& from, const Plug& to, const base::Location& where) {
    system::Connection connection;
    connection.where = where;
    connection.from = {from.path, -1, -1, from.where};
    connection.to = {to.path, -1, -1, to.where};
    leave_units(from, to, connection);
    description_.connections.push_back(std::move(connection));
    return description_.connections.back();
  }

  /// The format passes numbers on as they are, and a linear transformation may be the conversion of their unit.
  void leave_units(const Plug& from, const Plug& to, system::Connection& connection) {
    if (!from.variable || !to.variable) return;
    const std::string &sent = from.variable->unit, &taken = to.variable->unit;
    if (sent.empty() || taken.empty() || sent == taken) return;
    const auto here = fmi::unit_meaning(from.fmu->description, sent),
               there = fmi::unit_meaning(to.fmu->description, taken);
    if (!here || !there || system::same_meaning(*here, *there)) return;
    connection.units = system::UnitConversion::suppressed;
    description_.notices.push_back(
        fmt::format("\"{}\" is in {}, \"{}\" is in {}: the numbers are taken as they are, as cosim takes them",
                    from.path, sent, to.path, taken));
  }

  const Structure& structure_;
  const Parts& parts_;
  system::SystemDescription& description_;
  base::Problems& problems_;
  std::map<std::string, std::optional<std::vector<VariableGroup>>> groups_;  ///< by FMU, once they are read
  std::map<const Function*, Passage> passages_;
  std::map<const Function*, int> fed_;  ///< how many of its inputs
};

}  // namespace

void wire(const Structure& structure, const Parts& parts, system::SystemDescription& description,
          base::Problems& problems) {
  Wirer(structure, parts, description, problems).wire();
}

}  // namespace seam::osp
