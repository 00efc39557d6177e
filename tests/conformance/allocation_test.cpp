// The step loop allocates nothing, whatever the method, the solver and the sources. Sanitizers replace the operators
// themselves, so there is nothing to count under them.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/corrector/learning.hpp"
#include "support/pair.hpp"
#include "support/random_system.hpp"

namespace {
std::atomic<long> allocations{0};
}

// Replacing the global operators counts every allocation of this program.
void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* place = std::malloc(size ? size : 1)) return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }

namespace seam {
namespace {

TEST(Allocation, is_counted_at_all) {
  const long before = allocations;
  auto* volatile number = new double(1.0);
  delete number;
  EXPECT_GT(allocations, before);
}

TEST(Allocation, there_is_none_in_the_step_loop) {
  for (const system::Coupling& coupling : testing::all_couplings()) {
    for (const auto feedthrough : {system::Feedthrough::held, system::Feedthrough::fresh}) {
      for (const char* solver : {"exact", "euler", "midpoint", "rk4", "symplectic-euler"}) {
        for (const char* input_signal : {"signal", "stepped"}) {
          testing::PairOfMasses pair;
          pair.solver = solver;
          pair.input_signal = input_signal;
          const engine::System system = testing::with(pair.system(), coupling, feedthrough);
          const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
          coupling::Memory memory = coupling::start(live.program);
          const long before = allocations;
          coupling::advance(live.program, memory, 100);
          EXPECT_EQ(allocations - before, 0) << coupling::describe(coupling) << " " << solver << " " << input_signal;
        }
      }
    }
  }
}

TEST(Allocation, there_is_none_with_a_corrector) {
  std::vector<system::Corrector> correctors = testing::all_correctors();
  for (const system::Corrector& choosing : testing::all_choosing_correctors()) correctors.push_back(choosing);
  for (const system::Corrector& corrector : correctors) {
    const bool replaces_holds = coupling::make_corrector(corrector)->shape().addition == coupling::Addition::polynomial;
    for (const char* const coupling : {"zoh", "foh"}) {
      if (replaces_holds && coupling == std::string("foh")) continue;
      testing::PairOfMasses pair;
      pair.coupling = coupling;
      engine::System system = pair.system();
      system.plan.corrector = corrector;
      const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
      coupling::Memory memory = coupling::start(live.program);
      const long before = allocations;
      coupling::advance(live.program, memory, 100);
      EXPECT_EQ(allocations - before, 0) << coupling::describe(corrector) << ", " << coupling;
    }
  }
}

TEST(Allocation, there_is_none_while_models_are_identified) {
  for (const char* const corrector :
       {"mbcorr,model=identified", "mbcorr,model=identified,micro_outputs=5,start=eager",
        "tracking,model=identified,order=2,micro_outputs=3", "tracking,model=identified,start=eager,input=linear"}) {
    engine::Changes changes;
    changes.corrector = corrector;
    const engine::System system = engine::open_text(testing::PairOfMasses().yaml(), "pair.yaml", changes);
    const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    const long before = allocations;
    coupling::advance(live.program, memory, 100);
    EXPECT_EQ(allocations - before, 0) << corrector;
    EXPECT_GT(memory.learning->account(0).used, 0) << corrector;
  }
}

TEST(Allocation, there_is_none_while_the_coupling_is_watched) {
  const engine::System system =
      engine::open_text(testing::PairOfMasses().yaml() + "record: {coupling: [energy, defect]}\n", "pair.yaml", {});
  engine::LiveOptions options;
  options.watching = engine::Watching::the_coupling;
  const engine::Live live = engine::make_live(system, options);
  ASSERT_EQ(live.program.monitors.size(), 2u);
  coupling::Memory memory = coupling::start(live.program);
  const long before = allocations;
  coupling::advance(live.program, memory, 100);
  EXPECT_EQ(allocations - before, 0);
}

TEST(Allocation, there_is_none_with_signals_and_blocks) {
  const engine::System system = engine::open_text(R"(
seam: 1
subsystems:
  wave: {model: chirp, set: {f0: 1, f1: 10, duration: 5}}
  push: {model: impulse, set: {area: 1, time: 0.05}}
  held: {model: sine, set: {frequency: 3, sampled: true}}
  mass: {model: mass-chain, set: {masses: [1, 2], springs: [100], to_ground: {k: [10, 0]}}}
  late: {model: delay, set: {time: 0.0335}}
  tame: {model: limiter, set: {low: -1, high: 1}}
  filter: {model: transfer-function, set: {num: [1], den: [0.1, 1]}}
  control: {model: pid, set: {kp: 1, ki: 2, kd: 0.1, Tf: 0.01}, solver: rk4}
connections:
  - wave.y -> mass.f1
  - push.y -> mass.f2
  - mass.x1 -> late.u
  - late.y -> tame.u
  - tame.y -> filter.u
  - filter.y -> control.measurement
  - held.y -> control.reference
plan: {step: 1 ms, coupling: soh}
)",
                                                  "signals.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  coupling::Memory memory = coupling::start(live.program);
  const long before = allocations;
  const coupling::Advance advance = coupling::advance(live.program, memory, 200);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(advance.outcome, base::Outcome::accepted);
}

TEST(Allocation, there_is_none_with_events) {
  const engine::System system = engine::open_text(R"(
seam: 1
subsystems:
  wave: {model: sine, set: {frequency: 3}}
  a: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]], D: [[0]]}}
  b: {model: state-space, set: {A: [[-1, 0], [0, -2]], B: [[1, 0], [0, 1]], C: [[1, 1]], D: [[0, 0]]}}
connections:
  - wave.y -> a.u
  - a.y -> b.u1
experiment:
  stop: 1 s
  events:
    - {from: 0.02, to: 0.04, override: {a.u: 3}}
    - {from: 0.03, to: 0.09, ramp: {b.u1: [1, 2]}}
    - {at: 0, set: {b.u2: 0}}
    - {at: 0.05, set: {b.u2: 1}}
    - {from: 0.06, to: 0.08, ramp: {b.u2: 2}}
plan: {step: 1 ms, coupling: soh}
)",
                                                  "events.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
  ASSERT_EQ(live.program.interventions.size(), 3u);
  coupling::Memory memory = coupling::start(live.program);
  const long before = allocations;
  coupling::advance(live.program, memory, 200);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace seam

#endif
