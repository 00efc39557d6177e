#include "seam/load/makers.hpp"

#include <fmt/format.h>

#include <set>

#include "seam/models/mass_chain.hpp"
#include "seam/models/mass_power_damper.hpp"

namespace seam::load {
namespace {

using models::ChainCoupling;
using models::MassChain;
using Kind = ChainCoupling::Kind;

void read_masses(const ParameterReader& parameters, MassChain& chain) {
  chain.masses = parameters.numbers("masses");
  if (!parameters.ok()) return;
  if (chain.masses.empty())
    parameters.refuse("masses", "the chain has no masses", "give at least one, for example [1 kg]");
  for (const double mass : chain.masses) {
    if (!(mass > 0.0)) parameters.refuse("masses", fmt::format("a mass must be more than 0 kg, not {}", mass));
  }
}

void read_ground(const ParameterReader& parameters, int count, MassChain& chain) {
  chain.ground_springs.assign(chain.masses.size(), 0.0);
  chain.ground_dampers.assign(chain.masses.size(), 0.0);
  const auto maps = parameters.maps("to_ground");
  if (maps.size() > 1) parameters.refuse("to_ground", "\"to_ground\" must be one map", "write {k: [...], d: [...]}");
  if (maps.size() != 1) return;
  chain.ground_springs = maps.front().numbers("k", count, "mass");
  chain.ground_dampers = maps.front().numbers("d", count, "mass");
}

void refuse_unused(const ParameterReader& map, Kind kind) {
  const auto refuse = [&](const char* name, const char* why) {
    if (map.given(name)) map.refuse(name, fmt::format("\"{}\" means nothing here: {}", name, why), "remove it");
  };
  if (kind == Kind::force) {
    refuse("k", "the partner owns the spring");
    refuse("d", "the partner owns the damper");
  } else if (!map.given("k") && !map.given("d")) {
    map.refuse("kind", "this side owns the coupling spring, but neither k nor d is given", "set k, d or both");
  }
  if (kind != Kind::spring_velocity) refuse("x_partner0", "only spring-velocity integrates the partner's displacement");
}

ChainCoupling read_coupling(const ParameterReader& map, int masses) {
  ChainCoupling coupling;
  coupling.kind = map.choice<Kind>(
      "kind", {{"spring", Kind::spring}, {"spring-velocity", Kind::spring_velocity}, {"force", Kind::force}});
  coupling.mass = map.index("mass", masses, masses) - 1;
  coupling.k = map.number("k");
  coupling.d = map.number("d");
  coupling.x_partner0 = map.number("x_partner0");
  const std::string name = map.text("name");
  if (!name.empty()) coupling.suffix = "_" + name;
  if (map.ok()) refuse_unused(map, coupling.kind);
  return coupling;
}

void read_couplings(const ParameterReader& parameters, int masses, MassChain& chain) {
  const auto maps = parameters.maps("coupling");
  std::set<std::string> suffixes;
  for (const ParameterReader& map : maps) {
    const ChainCoupling coupling = read_coupling(map, masses);
    if (maps.size() > 1 && coupling.suffix.empty()) {
      map.refuse("name", "with several couplings each needs a name",
                 "set name: left gives the ports F_left, v_in_left, …");
    } else if (!suffixes.insert(coupling.suffix).second) {
      map.refuse("name", fmt::format("two couplings are called \"{}\"", coupling.suffix.substr(1)), "rename one");
    }
    chain.couplings.push_back(coupling);
  }
}

std::optional<models::Model> make_mass_chain(ParameterReader& parameters, const MakeContext&) {
  MassChain chain;
  read_masses(parameters, chain);
  if (chain.masses.empty()) return std::nullopt;
  const int count = static_cast<int>(chain.masses.size());
  chain.springs = parameters.numbers("springs", count - 1, "pair of neighbours");
  chain.dampers = parameters.numbers("dampers", count - 1, "pair of neighbours");
  chain.x0 = parameters.numbers("x0", count, "mass");
  chain.v0 = parameters.numbers("v0", count, "mass");
  read_ground(parameters, count, chain);
  read_couplings(parameters, count, chain);
  if (!parameters.ok()) return std::nullopt;
  return models::mass_chain(chain);
}

std::optional<models::Model> make_mass_power_damper(ParameterReader& parameters, const MakeContext&) {
  MassChain ground;
  models::MassPowerDamper damper;
  damper.mass = parameters.number("mass");
  ground.masses = {damper.mass};
  read_ground(parameters, 1, ground);
  damper.ground_spring = ground.ground_springs.front();
  damper.ground_damper = ground.ground_dampers.front();
  damper.spring = parameters.number("k");
  damper.damping = parameters.number("d");
  damper.exponent = parameters.number("exponent");
  damper.limit = parameters.number("limit");
  damper.x0 = parameters.number("x0");
  damper.v0 = parameters.number("v0");
  if (!parameters.ok()) return std::nullopt;
  if (!(damper.mass > 0.0))
    parameters.refuse("mass", fmt::format("a mass must be more than 0 kg, not {}", damper.mass));
  if (!(damper.exponent >= -1.0))
    parameters.refuse("exponent", fmt::format("the exponent must be -1 or more, not {}", damper.exponent),
                      "below -1 the force would grow without bound as the speed goes to 0");
  if (!(damper.limit > 0.0))
    parameters.refuse("limit", fmt::format("the limit must be more than 0 N.s/m, not {}", damper.limit));
  if (damper.damping < 0.0)
    parameters.refuse("d", fmt::format("the damper must be 0 N.s/m or more, not {}", damper.damping),
                      "the limit bounds it from above only");
  if (!parameters.ok()) return std::nullopt;
  return models::mass_power_damper(damper);
}

std::vector<ParameterEntry> ground_fields() {
  return {{"k", "numbers", "N/m", "0", "stiffness to ground, one a mass", {}},
          {"d", "numbers", "N.s/m", "0", "damping to ground, one a mass", {}}};
}

std::vector<ParameterEntry> coupling_fields() {
  return {{"kind", "choice", "", "", "spring (x_in, v_in -> F), spring-velocity (v_in -> F) or force (F_in)", {}},
          {"mass", "number", "", "none", "which mass, from 1; none: the last", {}},
          {"k", "number", "N/m", "0", "stiffness of the coupling spring", {}},
          {"d", "number", "N.s/m", "0", "damping of the coupling damper", {}},
          {"x_partner0", "number", "m", "0", "spring-velocity: the partner's displacement at the start", {}},
          {"name", "text", "", "none", "suffix of the port names; needed with several couplings", {}}};
}

}  // namespace

std::vector<ModelEntry> mass_chain_models() {
  const std::vector<ParameterEntry> to_ground_of_one = {{"k", "number", "N/m", "0", "stiffness to ground", {}},
                                                        {"d", "number", "N.s/m", "0", "damping to ground", {}}};
  return {
      {"mass-chain",
       "masses in a row: forces f1.. in; x1, v1, a1, … and coupling forces F out",
       {{"masses", "numbers", "kg", "", "one a mass", {}},
        {"springs", "numbers", "N/m", "0", "stiffness between neighbours", {}},
        {"dampers", "numbers", "N.s/m", "0", "damping between neighbours", {}},
        {"to_ground", "map", "", "none", "springs and dampers to ground", ground_fields()},
        {"x0", "numbers", "m", "0", "displacements at the start", {}},
        {"v0", "numbers", "m/s", "0", "velocities at the start", {}},
        {"coupling", "map", "", "none", "one map, or a list of them: where partners are coupled", coupling_fields()}},
       make_mass_chain},
      {"mass-power-damper",
       "a mass that owns a coupling spring and a damper min(d |dv|^exponent, limit): x_in, v_in in; F, x1, v1, a1 out",
       {{"mass", "number", "kg", "", "the mass", {}},
        {"to_ground", "map", "", "none", "spring and damper to ground", to_ground_of_one},
        {"k", "number", "N/m", "0", "stiffness of the coupling spring", {}},
        {"d", "number", "N.s/m", "", "the damper's factor at a speed of 1 m/s", {}},
        {"exponent", "number", "", "-0.5", "of the speed in the factor, at least -1; 0: a linear damper", {}},
        {"limit", "number", "N.s/m", "100000", "largest factor", {}},
        {"x0", "number", "m", "0", "displacement at the start", {}},
        {"v0", "number", "m/s", "0", "velocity at the start", {}}},
       make_mass_power_damper}};
}

}  // namespace seam::load
