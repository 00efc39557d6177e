// Orders of convergence of every hold, measured on the benchmark of Chen 2021 (thesis) against the exact solution.
#include <gtest/gtest.h>

#include <cmath>

#include "seam/analysis/monolithic.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/lti/exponential.hpp"
#include "support/pair.hpp"
#include "support/random_system.hpp"
#include "support/rhythm.hpp"

namespace seam {
namespace {

enum class StartUp { plain, exact_past };

/// The exact coupled solution as a function of time, also before the start.
class Exact {
 public:
  explicit Exact(assembly::Assembly& assembly) : assembly_(assembly) {
    std::string reason;
    model_ = *analysis::monolithic_model(assembly, 0.0, reason);
    for (auto& member : assembly.members) {
      for (const double x : member.subsystem->states()) x0_.push_back(x);
    }
  }
  /// All outputs of all members, stacked.
  lti::Vector outputs(double t) const {
    return model_.system.C * lti::exponential(model_.system.A * t) *
           Eigen::Map<const lti::Vector>(x0_.data(), model_.system.states());
  }
  double source(const assembly::Wire& wire, double t) const {
    const int first = analysis::interconnection(assembly_).first_output[static_cast<std::size_t>(wire.from)];
    return wire.gain * outputs(t)(first + wire.output) + wire.offset;
  }

 private:
  assembly::Assembly& assembly_;
  analysis::MonolithicModel model_;
  std::vector<double> x0_;
};

/// Largest error over all outputs of the force and motion at t = 1 s.
double error_at_end(const system::Coupling& coupling, system::Feedthrough feedthrough, double step, StartUp start_up) {
  testing::PairOfMasses pair;
  pair.step = step;
  pair.micro_step = fmt::format("{:.17g}", step / 4);
  const engine::System system = testing::with(pair.system(), coupling, feedthrough);
  const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
  coupling::Memory memory = coupling::start(live.program);
  const Exact exact(*live.assembly);
  if (start_up == StartUp::exact_past) {
    const double spacing = coupling.samples == system::Samples::micro ? step / 4 : step;
    for (const assembly::Wire& wire : live.assembly->wires) {
      coupling::set_past(live.program, memory, wire.connection,
                         {exact.source(wire, -spacing), exact.source(wire, -2 * spacing)});
    }
  }
  coupling::advance(live.program, memory, live.program.ticks);
  // Displacements and velocities of both masses; outputs with feed-through carry the error of the held input on top.
  double largest = 0.0;
  const lti::Vector expected = exact.outputs(1.0);
  for (std::size_t m = 0; m < 2; ++m) {
    const auto x = live.assembly->members[m].subsystem->states();
    const int first = analysis::interconnection(*live.assembly).first_output[m];
    largest = std::max(largest, std::abs(x[0] - expected(first)));
  }
  return largest;
}

double slope(const system::Coupling& coupling, system::Feedthrough feedthrough, StartUp start_up) {
  const double coarse = error_at_end(coupling, feedthrough, 1.0 / 1000, start_up);
  const double fine = error_at_end(coupling, feedthrough, 1.0 / 4000, start_up);
  return std::log(coarse / fine) / std::log(4.0);
}

int order_of(const system::Coupling& coupling) {
  return coupling::find(coupling::Part::coupling, coupling.name)->order;
}

TEST(Convergence, has_the_order_of_the_catalog_when_started_with_exact_past_samples) {
  for (const system::Coupling& coupling : testing::all_holds()) {
    for (const auto feedthrough : {system::Feedthrough::held, system::Feedthrough::fresh}) {
      const double measured = slope(coupling, feedthrough, StartUp::exact_past);
      std::printf("%-20s %s  exact past: order %.3f\n", coupling::describe(coupling).c_str(),
                  feedthrough == system::Feedthrough::held ? "held " : "fresh", measured);
      EXPECT_NEAR(measured, order_of(coupling), 0.1) << coupling::describe(coupling);
    }
  }
}

// One step with a lower hold costs one order of that hold's local error: global order 2 for soh.
TEST(Convergence, plain_start_up_limits_the_order_to_2) {
  for (const system::Coupling& coupling : testing::all_holds()) {
    for (const auto feedthrough : {system::Feedthrough::held, system::Feedthrough::fresh}) {
      const double measured = slope(coupling, feedthrough, StartUp::plain);
      std::printf("%-20s %s  plain start: order %.3f\n", coupling::describe(coupling).c_str(),
                  feedthrough == system::Feedthrough::held ? "held " : "fresh", measured);
      EXPECT_NEAR(measured, std::min(order_of(coupling), 2), 0.1) << coupling::describe(coupling);
    }
  }
}

/// All states at t = 1 s of two masses with sources, offsets and start states.
lti::Vector driven_states(const system::Coupling& coupling, system::Schedule::Kind schedule, double step) {
  const std::string text = fmt::format(R"(
seam: 1
subsystems:
  left: {{model: state-space, set: {{A: [[0, 1], [-200, -2]], B: [[0, 0, 0], [100, 1, 1]], C: [[100, 1], [1, 0]],
          D: [[-100, -1, 0], [0, 0, 0]], x0: [1, 0.5], inputs: [x, v, f], outputs: [F, y]}}}}
  right: {{model: state-space, set: {{A: [[0, 1], [-100, -1]], B: [[0, 0], [1, 1]], C: [[1, 0], [0, 1]], x0: [-0.3, 2],
          inputs: [F, f], outputs: [x, v]}}}}
  hum: {{model: sine, set: {{amplitude: 20, frequency: 0.8, phase: 0.4, offset: 5}}}}
  push: {{model: constant, set: {{value: 7}}}}
connections:
  - {{from: left.F, to: right.F, offset: 2}}
  - {{from: right.x, to: left.x, offset: 0.1}}
  - {{from: right.v, to: left.v, offset: -0.4}}
  - hum.y -> left.f
  - push.y -> right.f
experiment: {{stop: 1}}
plan: {{step: {:.17g}}}
)",
                                       step);
  engine::System system =
      testing::with(engine::open_text(text, "driven.yaml", {}), coupling, system::Feedthrough::held);
  system = with(system, testing::Rhythm{"", schedule});
  for (system::SubsystemPlan& plan : system.plan.subsystems) plan.micro_step = step / 4;
  const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
  coupling::Memory memory = coupling::start(live.program);
  coupling::advance(live.program, memory, live.program.ticks);
  std::vector<double> all;
  for (const coupling::Lane& lane : live.program.lanes) {
    const auto x = lane.subsystem->states();
    all.insert(all.end(), x.begin(), x.end());
  }
  return Eigen::Map<const lti::Vector>(all.data(), static_cast<Eigen::Index>(all.size()));
}

// Without an exact solution: differences between runs fall as their errors do. Start-up limits the order to 2 in the
// end, but where its part is small the hold shows its own.
TEST(Convergence, has_its_order_with_sources_offsets_and_start_states_under_every_schedule) {
  for (const system::Coupling& coupling : testing::all_holds()) {
    for (const auto schedule : {system::Schedule::Kind::jacobi, system::Schedule::Kind::gauss_seidel}) {
      const lti::Vector coarse = driven_states(coupling, schedule, 1.0 / 1000),
                        middle = driven_states(coupling, schedule, 1.0 / 4000),
                        fine = driven_states(coupling, schedule, 1.0 / 16000);
      const double measured = std::log((coarse - middle).norm() / (middle - fine).norm()) / std::log(4.0);
      EXPECT_GT(measured, std::min(order_of(coupling), 2) - 0.1) << coupling::describe(coupling);
      EXPECT_LT(measured, order_of(coupling) + 0.1) << coupling::describe(coupling);
    }
  }
}

struct Row {
  double step;
  double held_zoh[2], held_foh[2], fresh_zoh[2], fresh_foh[2];  // |error of x1| at 1 s, largest on [0, 1]
};

// Reference B, Fig 2.6 left: exact subsystems, first foh step = zoh.
TEST(Convergence, global_errors_are_those_of_the_independent_reproduction) {
  const std::vector<Row> rows = {{1e-3,
                                  {2.789427792e-3, 1.393392917e-2},
                                  {9.986580671e-5, 1.832601873e-4},
                                  {3.206743066e-3, 8.438472664e-3},
                                  {2.834405414e-5, 8.974822667e-5}},
                                 {2e-3,
                                  {5.558101334e-3, 2.833464827e-2},
                                  {3.992134032e-4, 7.333701142e-4},
                                  {6.469555750e-3, 1.691234272e-2},
                                  {1.148357200e-4, 3.589058207e-4}},
                                 {5e-3,
                                  {1.386376452e-2, 7.454285173e-2},
                                  {2.483984711e-3, 4.591453486e-3},
                                  {1.656899362e-2, 4.257579186e-2},
                                  {7.421627309e-4, 2.240575545e-3}},
                                 {1e-2,
                                  {2.909250731e-2, 1.628609714e-1},
                                  {9.820718206e-3, 1.850476349e-2},
                                  {3.425084153e-2, 8.627713520e-2},
                                  {3.107665774e-3, 8.943472045e-3}}};
  for (const Row& row : rows) {
    for (const auto& [coupling, feedthrough, expected] :
         {std::tuple{"zoh", "held", row.held_zoh}, std::tuple{"foh", "held", row.held_foh},
          std::tuple{"zoh", "fresh", row.fresh_zoh}, std::tuple{"foh", "fresh", row.fresh_foh}}) {
      testing::PairOfMasses pair;
      pair.step = row.step;
      pair.coupling = coupling;
      pair.feedthrough = feedthrough;
      const engine::Live live = engine::make_live(pair.system(), {engine::Horizon::experiment});
      coupling::Memory memory = coupling::start(live.program);
      const Exact exact(*live.assembly);
      double last = 0.0, largest = 0.0;
      for (base::Tick n = 1; n <= live.program.ticks; ++n) {
        coupling::advance(live.program, memory, 1);
        last = std::abs(live.assembly->members[0].subsystem->states()[0] -
                        exact.outputs(row.step * static_cast<double>(n))(0));
        largest = std::max(largest, last);
      }
      EXPECT_NEAR(last / expected[0], 1.0, 1e-8) << coupling << " " << feedthrough << " " << row.step;
      EXPECT_NEAR(largest / expected[1], 1.0, 1e-8) << coupling << " " << feedthrough << " " << row.step;
    }
  }
}

}  // namespace
}  // namespace seam
