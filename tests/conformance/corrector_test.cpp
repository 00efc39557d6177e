// Every corrector of the catalog over every hold and schedule: one matrix is the step, nothing idles, nothing is
// remembered outside of the memory.
#include <gtest/gtest.h>

#include <cmath>

#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/corrector/learning.hpp"
#include "support/random_system.hpp"
#include "support/rhythm.hpp"

namespace seam {
namespace {

using testing::RandomSystems;
using testing::Rhythm;

constexpr std::uint64_t seed = 20261115;
constexpr int systems = 25;

const std::vector<Rhythm> rhythms = {{"jacobi"},
                                     {"gauss-seidel", system::Schedule::Kind::gauss_seidel},
                                     {"rates 1:2:4", system::Schedule::Kind::jacobi, {1, 2, 4}},
                                     {"gauss-seidel, rates 4:1:2", system::Schedule::Kind::gauss_seidel, {4, 1, 2}}};

bool fits(const system::Corrector& corrector, const Rhythm& rhythm) {
  return rhythm.multiples.size() == 1 || coupling::make_corrector(corrector)->shape().looks == 1;
}

/// Those whose models are identified.
std::vector<system::Corrector> learning_correctors() {
  std::vector<system::Corrector> all;
  for (const char* const name : {"mbcorr", "tracking"}) {
    for (const double looks : {1.0, 2.0}) {
      system::MethodRequest request{name, {}, {}};
      const auto give = [&](const std::string& parameter, const std::string& text, double number) {
        system::Setting setting;
        setting.name = parameter;
        setting.value.text = text;
        setting.value.number = number;
        setting.value.kind = number > 0.0 ? system::Value::Kind::number : system::Value::Kind::text;
        request.parameters.push_back(setting);
      };
      give("model", "identified", 0.0);
      give("window", "60", 60.0);
      give("micro_outputs", looks > 1.0 ? "2" : "1", looks);
      base::Problems problems;
      all.push_back(coupling::complete_corrector(request, problems));
      base::require_none(problems);
    }
  }
  return all;
}

/// Calls `test` for random systems, these correctors, some couplings, all rhythms.
template <class Test>
void for_all(int count, Test test, const std::vector<system::Corrector>& correctors = testing::all_correctors()) {
  std::printf("seed %llu, %d systems\n", static_cast<unsigned long long>(seed), count);
  RandomSystems random(seed);
  for (int i = 0; i < count; ++i) {
    const engine::System system = random.next();
    for (const system::Corrector& corrector : correctors) {
      for (const system::Coupling& coupling : testing::all_holds()) {
        for (const Rhythm& rhythm : rhythms) {
          if (!fits(corrector, rhythm)) continue;
          const bool fine = coupling.samples == system::Samples::micro;
          if (fine && coupling::make_corrector(corrector)->shape().looks > 1) continue;  // ten micro steps, not two
          engine::System chosen = testing::with(testing::with(system, coupling, system::Feedthrough::held), rhythm);
          chosen.plan.corrector = corrector;
          test(chosen, random,
               "system " + std::to_string(i) + ", " + coupling::describe(coupling) + " with " +
                   coupling::describe(corrector) + ", " + rhythm.name);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

double size_of(const std::vector<double>& z) {
  double largest = 0.0;
  for (const double v : z) largest = std::max(largest, std::abs(v));
  return largest;
}

TEST(Correctors, the_step_matrix_times_a_vector_is_the_real_step_and_no_signal_is_idle) {
  for_all(systems, [](const engine::System& system, RandomSystems& random, const std::string& what) {
    const engine::Live live = engine::make_live(system, {engine::Horizon::none, INFINITY});
    ASSERT_TRUE(live.program.correction) << what;
    coupling::Memory memory = coupling::start(live.program);
    coupling::settle(live.program, memory);
    std::string reason;
    const auto transition = analysis::transition(live.program, memory, reason);
    ASSERT_TRUE(transition) << reason;
    for (Eigen::Index s = transition->states; s < transition->matrix.rows(); ++s) {
      EXPECT_FALSE(transition->matrix(s, s) == 1.0 && transition->matrix.row(s).cwiseAbs().sum() == 1.0)
          << what << ": " << transition->names[static_cast<std::size_t>(s)] << " is never written";
      EXPECT_FALSE(transition->names[static_cast<std::size_t>(s)].empty()) << what << ": a signal has no name";
    }
    std::vector<double> z(static_cast<std::size_t>(transition->matrix.rows()));
    for (double& v : z) v = random.uniform(-1.0, 1.0);
    analysis::write_state(live.program, memory, z);
    coupling::advance(live.program, memory, live.program.hyper_period(), assembly::Sources::silent);
    const std::vector<double> observed = analysis::read_state(live.program, memory);
    const lti::Vector predicted =
        transition->matrix * Eigen::Map<const lti::Vector>(z.data(), transition->matrix.rows());
    const double scale = std::max({1.0, size_of(observed), transition->matrix.cwiseAbs().maxCoeff()});
    for (std::size_t i = 0; i < z.size(); ++i)
      ASSERT_NEAR(observed[i], predicted(static_cast<Eigen::Index>(i)), 1e-12 * scale) << what;
  });
}

/// So many steps before the copy is made, and after it.
struct Stretches {
  int before, after;
};
void expect_repeats(const engine::System& system, RandomSystems& random, const Stretches& steps,
                    const std::string& what) {
  const engine::Live live = engine::make_live(system, {engine::Horizon::none, INFINITY});
  coupling::Memory memory = coupling::start(live.program);
  for (const auto& member : live.assembly->members) {
    for (double& x : member.subsystem->states()) x = random.uniform(-1.0, 1.0);
  }
  coupling::advance(live.program, memory, steps.before);
  const coupling::Memory kept = memory;
  std::vector<assembly::Snapshot> snapshots;
  for (const auto& member : live.assembly->members) snapshots.push_back(member.subsystem->save());
  coupling::advance(live.program, memory, steps.after);
  const std::vector<double> once = analysis::read_state(live.program, memory);
  memory = kept;
  for (std::size_t m = 0; m < snapshots.size(); ++m) live.assembly->members[m].subsystem->restore(snapshots[m]);
  for (int n = 0; n < steps.after; ++n) coupling::advance(live.program, memory, 1);
  EXPECT_EQ(once, analysis::read_state(live.program, memory)) << what;
}

TEST(Correctors, runs_repeat_and_a_copy_of_the_memory_brings_them_back_to_the_bit) {
  for_all(2, [](const engine::System& system, RandomSystems& random, const std::string& what) {
    expect_repeats(system, random, {2, 9}, what);
  });
}

TEST(Correctors, so_do_runs_whose_models_are_identified) {
  int used = 0;
  const auto test = [&](const engine::System& system, RandomSystems& random, const std::string& what) {
    expect_repeats(system, random, {24, 40}, what);
    const engine::Live live = engine::make_live(system, {engine::Horizon::none, INFINITY});
    coupling::Memory memory = coupling::start(live.program);
    for (const auto& member : live.assembly->members) {
      for (double& x : member.subsystem->states()) x = random.uniform(-1.0, 1.0);
    }
    coupling::advance(live.program, memory, 64);
    for (std::size_t i = 0; i < live.program.learning->count(); ++i)
      used += live.program.learning->account(i, *live.program.correction, memory).used > 0 ? 1 : 0;
  };
  for_all(3, test, learning_correctors());
  EXPECT_GT(used, 0);
  std::printf("models in use: %d\n", used);
}

}  // namespace
}  // namespace seam
