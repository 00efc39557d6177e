// A hold that only this file knows, with a number as its parameter. It is added to the catalog before any test runs, so
// that every test of this folder that loops over the catalog tries it too: step matrix, convergence, exactness, idle
// signals, memory, steps in one call. Here is what a user sees of it, and the same checks with the number changed.
#include <gtest/gtest.h>

#include <cmath>

#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/engine/run/run.hpp"
#include "support/pair.hpp"
#include "support/random_system.hpp"
#include "support/rhythm.hpp"

namespace seam {
namespace {

/// Follows the line through the last two samples with a share of its slope.
class DampedHold final : public coupling::Receiver {
 public:
  DampedHold(double gain, const coupling::SampleTiming& timing)
      : slope_(gain / timing.spacing), at_begin_(gain * timing.age / timing.spacing) {}

  coupling::ReceiverShape shape() const override { return {1, 2, 0, coupling::Pace::macro_steps}; }
  void start(int ports, double* history) const override { std::copy_n(history, ports, history + ports); }
  void make_room(int ports, int rows, double* history) const override {
    if (rows == 1) std::copy_n(history, ports, history + ports);
  }
  void polynomial(int ports, int available, double* history, const Polynomial& result) const override {
    for (int p = 0; p < ports; ++p) {
      const double change = available > 1 ? history[p] - history[ports + p] : 0.0;
      double* const c = result.coefficients + result.columns[p];
      c[0] = history[p] + at_begin_ * change;
      c[result.stride] = slope_ * change;
    }
  }

 private:
  double slope_, at_begin_;
};

const bool toy_hold_is_registered = [] {
  coupling::Entry entry;
  entry.name = "toy";
  entry.summary = "follows a share of the slope between the last two samples";
  entry.order = 1;
  entry.numbers = {{"gain", 0.5, {0.0, 1.0, coupling::Range::Low::included}, "share of the slope", "", "1"}};
  entry.make_receiver = [](const system::Method& receiver, const coupling::SampleTiming& timing) {
    return std::make_unique<DampedHold>(receiver.parameters.at(0).second, timing);
  };
  coupling::register_hold(std::move(entry));
  return true;
}();

engine::System pair_with(const std::string& coupling, double step = 0.01) {
  testing::PairOfMasses pair;
  pair.coupling = coupling;
  pair.step = step;
  return pair.system();
}

TEST(ToyHold, is_tried_by_every_test_that_loops_over_the_catalog) {
  std::vector<std::string> all;
  for (const system::Coupling& coupling : testing::all_holds()) all.push_back(coupling::describe(coupling));
  for (const char* name : {"toy", "toy,samples=micro"})
    EXPECT_NE(std::find(all.begin(), all.end(), name), all.end()) << name;
}

TEST(ToyHold, takes_its_number_from_a_file_and_from_the_command_line) {
  const engine::System file = pair_with("{toy: {gain: 0.25}}");
  EXPECT_EQ(coupling::describe(file.plan.connections[0]), "toy,gain=0.25");
  engine::Changes changes;
  changes.coupling = "toy,gain=0.25";
  const engine::System line = engine::open_text(testing::PairOfMasses{}.yaml(), "pair.yaml", changes);
  EXPECT_TRUE(coupling::are_same(file.plan.connections[0], line.plan.connections[0]));
  EXPECT_FALSE(coupling::are_same(file.plan.connections[0], pair_with("toy").plan.connections[0]));
  EXPECT_EQ(coupling::describe(pair_with("{toy: {gain: 0.5}}").plan.connections[0]), "toy");
}

TEST(ToyHold, is_written_with_its_number_and_read_again) {
  const engine::System first = pair_with("{toy: {gain: 0.3, samples: micro}}");
  const std::string text = engine::resolved_text(first);
  EXPECT_NE(text.find("gain: 0.3"), std::string::npos) << text;
  const engine::System again = engine::open_text(text, "again.yaml", {});
  ASSERT_EQ(again.plan.connections.size(), first.plan.connections.size());
  for (std::size_t i = 0; i < first.plan.connections.size(); ++i)
    EXPECT_TRUE(coupling::are_same(first.plan.connections[i], again.plan.connections[i]));
}

TEST(ToyHold, refuses_numbers_out_of_its_range_and_names_it_does_not_have) {
  for (const auto& [parameter, said] : {std::pair{"gain: 1.5", "give a number from 0 to 1"},
                                        {"gain: much", "give a number from 0 to 1"},
                                        {"gian: 0.5", "did you mean \"gain\"?"}}) {
    try {
      pair_with(std::string("{toy: {") + parameter + "}}");
      FAIL() << parameter;
    } catch (const base::ProblemsFound& found) {
      EXPECT_NE(std::string(found.what()).find(said), std::string::npos) << found.what();
    }
  }
}

// A gain of 0 is the zero-order hold and a gain of 1 the first-order hold: by two ways the same numbers.
TEST(ToyHold, its_number_reaches_the_step_and_the_matrix) {
  for (const auto& [toy, known] : {std::pair{"{toy: {gain: 0}}", "zoh"}, {"{toy: {gain: 1}}", "foh"}}) {
    std::vector<double> radius, end;
    for (const char* coupling : {toy, known}) {
      const engine::Live live = engine::make_live(pair_with(coupling), {engine::Horizon::none});
      coupling::Memory memory = coupling::start(live.program);
      coupling::advance(live.program, memory, 50);
      end.push_back(live.assembly->members[0].subsystem->states()[0]);
      coupling::settle(live.program, memory);
      std::string reason;
      const auto stability = analysis::stability(live.program, memory, reason);
      ASSERT_TRUE(stability) << reason;
      radius.push_back(stability->spectral_radius);
    }
    EXPECT_NEAR(end[0], end[1], 1e-13) << toy;
    EXPECT_NEAR(radius[0], radius[1], 1e-9) << toy;
  }
}

/// Signals between -1 and 1 in all that a step carries on, and known sources that are not zero.
std::vector<double> disturb(const coupling::Program& program, coupling::Memory& memory,
                            testing::RandomSystems& random) {
  std::vector<double> z = analysis::read_state(program, memory);
  for (double& v : z) v = random.uniform(-1.0, 1.0);
  analysis::write_state(program, memory, z);
  return z;
}

TEST(ToyHold, with_another_number_its_step_is_its_matrix_repeats_to_the_bit_and_no_signal_is_idle) {
  testing::RandomSystems random(5, testing::Drive::none);
  base::Problems problems;
  system::CouplingRequest request;
  system::Setting gain;
  gain.name = "gain";
  gain.value.kind = system::Value::Kind::number;
  gain.value.number = 0.8;
  request.coupling = system::MethodRequest{"toy", {gain}, {}};
  const system::Coupling toy = coupling::complete(request, problems);
  base::require_none(problems);
  for (const testing::Rhythm& rhythm : {testing::Rhythm{"jacobi"},
                                        {"gauss-seidel", system::Schedule::Kind::gauss_seidel},
                                        {"rates", system::Schedule::Kind::jacobi, {1, 2, 4}}}) {
    const engine::System system = testing::with(testing::with(random.next(), toy, system::Feedthrough::held), rhythm);
    const engine::Live live = engine::make_live(system, {engine::Horizon::none, INFINITY});
    coupling::Memory memory = coupling::start(live.program);
    coupling::settle(live.program, memory);
    std::string reason;
    const auto matrix = analysis::transition(live.program, memory, reason);
    ASSERT_TRUE(matrix) << reason;
    for (Eigen::Index s = matrix->states; s < matrix->matrix.rows(); ++s)
      EXPECT_FALSE(matrix->matrix(s, s) == 1.0 && matrix->matrix.row(s).cwiseAbs().sum() == 1.0) << rhythm.name;
    const std::vector<double> z = disturb(live.program, memory, random);
    const coupling::Memory kept = memory;
    std::vector<assembly::Snapshot> snapshots;
    for (const auto& member : live.assembly->members) snapshots.push_back(member.subsystem->save());
    coupling::advance(live.program, memory, live.program.hyper_period(), assembly::Sources::silent);
    const std::vector<double> once = analysis::read_state(live.program, memory);
    const lti::Vector predicted =
        matrix->matrix * Eigen::Map<const lti::Vector>(z.data(), static_cast<Eigen::Index>(z.size()));
    for (std::size_t i = 0; i < z.size(); ++i)
      EXPECT_NEAR(once[i], predicted(static_cast<Eigen::Index>(i)), 1e-12 * std::max(1.0, std::abs(once[i])));

    memory = kept;
    for (std::size_t m = 0; m < snapshots.size(); ++m) live.assembly->members[m].subsystem->restore(snapshots[m]);
    for (base::Tick tick = 0; tick < live.program.hyper_period(); ++tick)
      coupling::advance(live.program, memory, 1, assembly::Sources::silent);
    EXPECT_EQ(once, analysis::read_state(live.program, memory)) << rhythm.name;
  }
}

double error_at_end(const std::string& coupling, double step) {
  const auto end = [&](const std::string& name, double h) {
    const engine::Live live = engine::make_live(pair_with(name, h), {engine::Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    coupling::advance(live.program, memory, live.program.ticks);
    return live.assembly->members[0].subsystem->states()[0];
  };
  static const double exact = end("soh", 1.0 / 16000);
  return std::abs(end(coupling, step) - exact);
}

TEST(ToyHold, with_another_number_it_converges_with_the_order_that_it_declares) {
  for (const char* coupling : {"{toy: {gain: 0.2}}", "{toy: {gain: 0.8}}"}) {
    const double order =
        std::log(error_at_end(coupling, 1.0 / 1000) / error_at_end(coupling, 1.0 / 4000)) / std::log(4.0);
    EXPECT_NEAR(order, coupling::find(coupling::Part::coupling, "toy")->order, 0.1) << coupling;
  }
}

}  // namespace
}  // namespace seam
