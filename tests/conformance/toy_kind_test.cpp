// A kind of subsystem that seam does not know, added through the registry of kinds: it is read from a system file, run,
// and passes what every subsystem has to pass under every coupling.
#include <gtest/gtest.h>

#include <cmath>

#include "seam/analysis/transition.hpp"
#include "seam/assembly/linear_subsystem.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "seam/load/kinds.hpp"
#include "seam/load/resolved_file.hpp"
#include "seam/load/system_values.hpp"
#include "seam/models/linear_ode.hpp"
#include "support/random_system.hpp"

namespace seam {
namespace {

/// `lag: TIME`: y follows u with this time constant, from y = x0 on, times a gain.
struct Lag {
  double time = 1.0, gain = 1.0, x0 = 0.0;
};

Lag lag_of(const system::Subsystem& subsystem, base::Problems& problems) {
  Lag lag;
  const auto& kind = std::get<system::AddedKind>(subsystem.origin);
  lag.time = load::read_time(kind.content, "lag", problems).value_or(1.0);
  for (const system::Setting& setting : subsystem.set) {
    double* const place = setting.name == "gain" ? &lag.gain : setting.name == "x0" ? &lag.x0 : nullptr;
    if (place)
      *place = load::read_finite(setting.value, setting.name, problems).value_or(0.0);
    else
      problems.add(setting.where, "a lag has no \"" + setting.name + "\"");
  }
  return lag;
}

load::Kind lag_kind() {
  load::Kind kind{"lag", "a lag", "lags"};
  kind.describe = [](system::SystemDescription& description, std::size_t number, load::ModelCache&,
                     base::Problems& problems) {
    system::Subsystem& subsystem = description.subsystems[number];
    lag_of(subsystem, problems);
    subsystem.inputs = {{.name = "u", .unit = "", .start = 0.0}};
    subsystem.outputs = {{.name = "y", .unit = "", .start = {}}};
  };
  kind.make = [](const load::Surroundings& around, int index, assembly::Member& member, base::Problems& problems) {
    const Lag lag = lag_of(around.subsystem(index), problems);
    const auto number = [](double value) { return lti::Matrix::Constant(1, 1, value); };
    const double step = around.own_step(index);
    member.equations = std::make_shared<models::LinearOde>(
        lti::StateSpace{number(-1.0 / lag.time), number(lag.gain / lag.time), number(1.0), number(0.0)});
    member.drives = around.drives_of(index, step);
    member.subsystem = std::make_unique<assembly::LinearSubsystem>(assembly::NativeModel{
        .ode = member.equations, .x0 = {lag.x0}, .state_names = {"x"}, .drives = member.drives, .solver_step = step});
  };
  return kind;
}

const bool is_added = [] {
  load::add_kind(lag_kind());
  return true;
}();

const std::string rest =
    "  b: {model: state-space, set: {A: [[0, 1], [-4, -1]], B: [[0], [4]], C: [[1, 0]], x0: [1, 0]}}\n"
    "  c: {model: constant, set: {value: 0.5}}\n"
    "connections: [a.y -> b.u, {from: b.y, to: a.u, gain: -0.7, offset: 0.1}]\n"
    "experiment: {stop: 2 s}\nplan: {step: 50 ms}\n";
const std::string with_lag = "seam: 1\nsubsystems:\n  a: {lag: 300 ms, set: {gain: 2, x0: 0.25}}\n" + rest;
const std::string with_model =
    "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[-3.3333333333333335]], B: [[6.666666666666667]], "
    "x0: [0.25]}}\n" +
    rest;

engine::System opened(const std::string& text, const engine::Changes& changes = {}) {
  return engine::open_text(text, "test.yaml", changes);
}

std::string problems_of(const std::string& text) {
  try {
    opened(text);
  } catch (const base::ProblemsFound& found) {
    return found.problems().text();
  }
  return {};
}

TEST(ToyKind, runs_from_a_system_file_as_a_built_in_model_of_the_same_equations_does) {
  ASSERT_TRUE(is_added);
  const engine::MemoryRun lag = engine::run_in_memory(opened(with_lag), {});
  const engine::MemoryRun model = engine::run_in_memory(opened(with_model), {});
  ASSERT_EQ(lag.result.ending, stepping::Ending::completed);
  ASSERT_EQ(lag.table.names, model.table.names);
  ASSERT_EQ(lag.table.columns[0].size(), 41U);
  double largest = 0.0;
  for (std::size_t column = 0; column < lag.table.columns.size(); ++column) {
    for (std::size_t row = 0; row < lag.table.columns[column].size(); ++row) {
      EXPECT_NEAR(lag.table.columns[column][row], model.table.columns[column][row], 1e-12);
      largest = std::max(largest, std::abs(lag.table.columns[column][row]));
    }
  }
  EXPECT_GT(largest, 0.1);
}

TEST(ToyKind, takes_changes_is_written_back_and_complains_with_the_place_in_the_file) {
  engine::Changes changes;
  changes.set = {"a.gain=3"};
  const engine::System changed = opened(with_lag, changes);
  const std::string written = load::resolved_text(changed.description, &changed.plan);
  EXPECT_NE(written.find("lag: 300 ms"), std::string::npos) << written;
  EXPECT_EQ(load::resolved_text(opened(written).description, nullptr).find("model: lag"), std::string::npos);
  const auto said = [](const std::string& keys) { return problems_of("seam: 1\nsubsystems:\n  a: {" + keys + "}\n"); };
  EXPECT_NE(said("lag: 3 kg").find("test.yaml:3:12: lag must be a time, and kg is not a time"), std::string::npos);
  EXPECT_NE(said("lag: 1, retries: 2").find("\"retries\" is for FMUs, and \"a\" is a lag"), std::string::npos);
  EXPECT_NE(said("lag: 1, model: gain").find("\"a\" is both a model and a lag"), std::string::npos);
  EXPECT_NE(said("lag: 1, set: {k: 2}").find("a lag has no \"k\""), std::string::npos);
}

/// Calls `test` for every coupling of the catalog and both ways of feed-through, with the live system.
template <class Test>
void for_all_couplings(const Test& test) {
  const engine::System system = opened(with_lag);
  for (const system::Coupling& coupling : testing::all_couplings()) {
    for (const auto feedthrough : {system::Feedthrough::held, system::Feedthrough::fresh}) {
      const engine::Live live =
          engine::make_live(testing::with(system, coupling, feedthrough), {engine::Horizon::none});
      coupling::Memory memory = coupling::start(live.program);
      test(live, memory, coupling::describe(coupling));
    }
  }
}

TEST(ToyKind, step_matrix_is_the_step_that_is_run) {
  for_all_couplings([](const engine::Live& live, coupling::Memory& memory, const std::string& what) {
    coupling::settle(live.program, memory);
    std::string reason;
    const auto transition = analysis::transition(live.program, memory, reason);
    ASSERT_TRUE(transition) << what << ": " << reason;
    std::vector<double> z(static_cast<std::size_t>(transition->matrix.rows()));
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::sin(1.0 + static_cast<double>(i));
    const auto stepped = [&](const std::vector<double>& from) {
      coupling::Memory at = memory;
      analysis::write_state(live.program, at, from);
      coupling::advance(live.program, at, live.program.hyper_period(), assembly::Sources::silent);
      return analysis::read_state(live.program, at);
    };
    const std::vector<double> observed = stepped(z), offset = stepped(std::vector<double>(z.size()));
    const lti::Vector predicted =
        transition->matrix * Eigen::Map<const lti::Vector>(z.data(), transition->matrix.rows());
    const double size = std::max(1.0, predicted.cwiseAbs().maxCoeff());
    for (std::size_t i = 0; i < z.size(); ++i)
      EXPECT_NEAR(observed[i] - offset[i], predicted(static_cast<Eigen::Index>(i)), 1e-11 * size) << what;
  });
}

TEST(ToyKind, a_copy_and_snapshots_bring_a_run_back_and_five_steps_are_five_single_ones_to_the_bit) {
  for_all_couplings([](const engine::Live& live, coupling::Memory& memory, const std::string& what) {
    coupling::advance(live.program, memory, 2);
    const coupling::Memory kept = memory;
    std::vector<assembly::Snapshot> snapshots;
    for (const auto& member : live.assembly->members) {
      if (member.subsystem) snapshots.push_back(member.subsystem->save());
    }
    coupling::advance(live.program, memory, 5);
    const std::vector<double> once = analysis::read_state(live.program, memory);
    memory = kept;
    auto snapshot = snapshots.begin();
    for (const auto& member : live.assembly->members) {
      if (member.subsystem) member.subsystem->restore(*snapshot++);
    }
    for (int i = 0; i < 5; ++i) coupling::advance(live.program, memory, 1);
    EXPECT_EQ(once, analysis::read_state(live.program, memory)) << what;
  });
}

}  // namespace
}  // namespace seam
