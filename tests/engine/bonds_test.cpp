// Bonds of FMUs and of packages: recognised, named by a plan, converted there and back.
#include <fmt/format.h>

#include "engine/fmu_workshop.hpp"
#include "seam/engine/open/convert.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/resolved_file.hpp"

namespace seam::engine {
namespace {

class BondsOfFmus : public FmuWorkshop {
 protected:
  std::string text(int version, const std::string& plan) const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {{fmu: {}, set: {{solver: rk4, solver_step: 1 ms}}}}\n  r: {{fmu: {}, set: "
        "{{solver: "
        "rk4, solver_step: 1 ms}}}}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
        "experiment: {{stop: 1}}\nplan: {{step: 10 ms, {}}}\n",
        fmu(version, "two-mass-left"), fmu(version, "two-mass-right"), plan);
  }
  static std::string native(const std::string& plan) {
    const std::string mass =
        "{model: mass-chain, solver: rk4, solver_step: 1 ms, input_signal: stepped, set: {masses: [0.1], to_ground: "
        "{k: "
        "10, d: 0.1}, coupling: ";
    return "seam: 1\nsubsystems:\n  l: " + mass + "{kind: spring, k: 10, d: 0.1}, x0: [1]}}\n  r: " + mass +
           "{kind: force}}}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
           "experiment: {stop: 1}\nplan: {step: 10 ms, " +
           plan + "}\n";
  }
};

TEST_F(BondsOfFmus, have_the_energy_of_the_same_equations) {
  for (const char* plan : {"coupling: zoh", "coupling: foh, subsystems: {\"*\": {micro_step: 1 ms}}"}) {
    const RunSummary own = run_text(native(plan));
    ASSERT_EQ(own.bonds.size(), 1u);
    EXPECT_NE(own.bonds[0].delta, 0.0);
    for (const int version : {2, 3}) {
      const RunSummary ran = run_text(text(version, plan));
      ASSERT_EQ(ran.bonds.size(), 1u);
      const double through = own.bonds[0].through;
      EXPECT_NEAR(ran.bonds[0].delta, own.bonds[0].delta, 1e-12 * through) << plan << version;
      EXPECT_NEAR(ran.bonds[0].through, through, 1e-12 * through);
      EXPECT_EQ(ran.bonds[0].delta_micro.has_value(), plan != std::string("coupling: zoh"));
    }
  }
}

TEST_F(BondsOfFmus, are_not_stepped_more_often_because_somebody_asks_for_energy) {
  const formats::Table before = table_of(text(2, "coupling: zoh"));
  const RunSummary asked = run_text(text(2, "coupling: zoh") + "record: {coupling: [energy]}\n");
  EXPECT_FALSE(asked.bonds.at(0).delta_micro);
  EXPECT_EQ(column(before, "l.F"), column(result(), "l.F"));
  EXPECT_TRUE(result().find("bond.l-r.delta_E"));
  EXPECT_FALSE(result().find("bond.l-r.delta_E_micro"));
}

TEST_F(BondsOfFmus, are_declared_for_a_package_by_its_plan) {
  formats::write_text(folder_.file("pair.yaml"), text(2, "coupling: zoh"));
  convert({folder_.file("pair.yaml"), folder_.file("pair.ssp"), "seam test"}, {});
  formats::write_text(
      folder_.file("p.yaml"),
      "seam: 1\nbonds:\n  - {bond: rod, effort: l.F -> r.F_in, flow: r.v1 -> l.v_in, positive: r -> l}\n"
      "plan: {connections: {rod: foh}}\n");
  Changes changes;
  changes.plan_file = folder_.file("p.yaml");
  const System system = open(folder_.file("pair.ssp"), changes);
  EXPECT_EQ(system.description.connections.size(), 3u);
  ASSERT_EQ(system.description.bonds.size(), 1u);
  EXPECT_EQ(system.description.bonds[0].name, "rod");
  EXPECT_EQ(system.description.bonds[0].giver, system::Bond::Giver::effort_receiver);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(system.plan.connections[i].name, system.description.connections[i].to.text == "l.x_in" ? "zoh" : "foh");
  formats::write_text(folder_.file("p.yaml"),
                      "seam: 1\nbonds:\n  - {bond: rod, effort: l.F -> r.F_in, flow: r.v1 -> l.w_in}\n");
  EXPECT_THROW(open(folder_.file("pair.ssp"), changes), base::ProblemsFound);
}

TEST_F(BondsOfFmus, energy_of_an_override_is_not_the_couplings) {
  const auto text = [](const std::string& event, const std::string& own_step) {
    return fmt::format(
        "seam: 1\nsubsystems:\n"
        "  l: {{model: mass-chain, set: {{masses: [1], to_ground: {{k: 100}}, coupling: {{kind: spring, k: 50}}, x0: "
        "[1]}}}}\n"
        "  r: {{model: mass-chain, set: {{masses: [1], to_ground: {{k: 100}}, coupling: {{kind: force}}}}}}\n"
        "connections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
        "experiment: {{stop: 2, events: [{}]}}\nplan: {{step: 0.01, subsystems: {{r: {{step: {}}}}}}}\n"
        "record: {{coupling: [energy]}}\n",
        event, own_step);
  };
  for (const auto& [own_step, override] : {std::pair{"0.01", "r.F_in: 500"}, {"0.04", "l.v_in: 20"}}) {
    const formats::Table table =
        table_of(text(fmt::format("{{from: 0.4, to: 1.2, override: {{{}}}}}", override), own_step));
    const auto delta = column(table, "bond.l-r.delta_E"), power = column(table, "bond.l-r.delta_P");
    for (std::size_t i = 41; i <= 120; ++i) {
      EXPECT_EQ(delta[i], delta[40]) << own_step << " row " << i;
      EXPECT_EQ(power[i], 0.0) << own_step << " row " << i;
    }
    EXPECT_NE(delta[40], 0.0);
    EXPECT_NE(delta[124], delta[120]) << "after the override it counts again";
    const formats::Table before = table_of(text("", own_step));
    EXPECT_NEAR(delta[40], column(before, "bond.l-r.delta_E")[40], 1e-9);
  }
}

TEST_F(BondsOfFmus, survive_conversion_there_and_back) {
  formats::write_text(
      folder_.file("pair.yaml"),
      fmt::format(
          "seam: 1\nname: pair\nsubsystems:\n  l: {{fmu: {}}}\n  r: {{fmu: {}}}\nconnections:\n"
          "  - {{bond: rod, effort: {{from: l.F, to: r.F_in, gain: 2}}, flow: r.v1 -> l.v_in, positive: l -> r}}\n"
          "  - r.x1 -> l.x_in\nexperiment: {{stop: 1}}\nplan: {{step: 10 ms, connections: {{rod: foh}}}}\n"
          "record: {{coupling: [energy]}}\n",
          fmu(2, "two-mass-left"), fmu(2, "two-mass-right")));
  convert({folder_.file("pair.yaml"), folder_.file("made.ssp"), "seam test"}, {});
  std::filesystem::create_directories(folder_.file("back"));
  convert({folder_.file("made.ssp"), folder_.file("back/pair.yaml"), "seam test"}, {});
  const auto resolved = [&](const std::string& file) {
    return formats::to_json(load::resolved_value(open(folder_.file(file), {}).description, nullptr));
  };
  EXPECT_NE(resolved("pair.yaml").find("\"bond\": \"rod\""), std::string::npos);
  EXPECT_EQ(resolved("back/pair.yaml"), resolved("pair.yaml"));
}

}  // namespace
}  // namespace seam::engine
