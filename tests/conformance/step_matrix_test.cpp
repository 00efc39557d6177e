// The matrix that analysis probes is the step that is run, and its spectral radius says what a long run does.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "support/random_system.hpp"
#include "support/rhythm.hpp"

namespace seam {
namespace {

using testing::RandomSystems;
using testing::Rhythm;

constexpr std::uint64_t seed = 20261115;
constexpr int systems = 500;

const std::vector<Rhythm> rhythms = {{"jacobi"},
                                     {"gauss-seidel", system::Schedule::Kind::gauss_seidel},
                                     {"rates 1:2:4", system::Schedule::Kind::jacobi, {1, 2, 4}},
                                     {"rates 6:1:3", system::Schedule::Kind::jacobi, {6, 1, 3}},
                                     {"gauss-seidel, rates 4:1:2", system::Schedule::Kind::gauss_seidel, {4, 1, 2}}};

/// Calls `test` for every random system, affine method and way of feed-through, and for the first of them under every
/// rhythm. Filters, whose steps are dear, are run with the first tenth of the systems.
template <class Test>
void for_all(Test test) {
  std::printf("seed %llu, %d systems\n", static_cast<unsigned long long>(seed), systems);
  RandomSystems random(seed);
  for (int i = 0; i < systems; ++i) {
    const engine::System system = random.next();
    for (const system::Coupling& coupling : testing::all_couplings()) {
      if (i >= systems / 10 && coupling::has_filters(coupling)) continue;
      for (const auto feedthrough : {system::Feedthrough::held, system::Feedthrough::fresh}) {
        for (const Rhythm& rhythm : rhythms) {
          if (i >= systems / 20 && &rhythm != &rhythms.front()) break;
          const engine::System chosen = testing::with(testing::with(system, coupling, feedthrough), rhythm);
          const engine::Live live = engine::make_live(chosen, {engine::Horizon::none, INFINITY});
          coupling::Memory memory = coupling::start(live.program);
          coupling::settle(live.program, memory);
          test(live.program, memory, random,
               "system " + std::to_string(i) + ", " + coupling::describe(coupling) + ", " + rhythm.name +
                   (feedthrough == system::Feedthrough::held ? ", held" : ", fresh"));
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

template <class Numbers>
double size_of(const Numbers& z) {
  double largest = 0.0;
  for (const double v : z) largest = std::max(largest, std::abs(v));
  return largest;
}

/// What emitters send of an output of 1 that comes suddenly: by so much they multiply the rounding of outputs.
double amplification(const coupling::Program& program) {
  double largest = 1.0;
  for (const coupling::EmitterGroup& group : program.emitters) {
    std::vector<double> rows(static_cast<std::size_t>(group.emitter->rows()));
    const double output = 1.0;
    group.emitter->observe(1, &output, rows.data());
    largest = std::max(largest, std::abs(rows[0]));
  }
  return largest;
}

/// One hyper-period, tick by tick; the largest value on the way.
double advance_watching(const coupling::Program& program, coupling::Memory& memory) {
  double largest = 0.0;
  for (base::Tick tick = 0; tick < program.hyper_period(); ++tick) {
    coupling::advance(program, memory, 1, assembly::Sources::silent);
    largest = std::max(largest, size_of(memory.values));
  }
  return largest;
}

// Outputs are rounded by half an epsilon of their size, in the run and in the matrix. In every tick of the period that
// adds up over two ports of a source with gains of up to two, and where a compensator sends, it is multiplied by what
// this makes of jumps: no step can be known better. With holds that is nothing beside 1e-12.
TEST(StepMatrix, times_a_vector_is_the_real_step) {
  for_all(
      [](const coupling::Program& program, coupling::Memory& memory, RandomSystems& random, const std::string& what) {
        std::string reason;
        const auto transition = analysis::transition(program, memory, reason);
        ASSERT_TRUE(transition) << reason;
        std::vector<double> z(static_cast<std::size_t>(transition->matrix.rows()));
        for (double& v : z) v = random.uniform(-1.0, 1.0);
        analysis::write_state(program, memory, z);
        const double largest = advance_watching(program, memory);
        const std::vector<double> observed = analysis::read_state(program, memory);
        const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * amplification(program) *
                                static_cast<double>(program.hyper_period()) * largest;
        const lti::Vector predicted =
            transition->matrix * Eigen::Map<const lti::Vector>(z.data(), transition->matrix.rows());
        for (std::size_t i = 0; i < z.size(); ++i) {
          ASSERT_NEAR(observed[i], predicted(static_cast<Eigen::Index>(i)),
                      1e-12 * std::max(1.0, size_of(observed)) + rounding)
              << what;
        }
      });
}

/// Logarithm of how much a disturbance grows over `steps` macro steps, renormalised on the way.
double log_growth(const coupling::Program& program, coupling::Memory& memory, RandomSystems& random, base::Tick steps) {
  std::vector<double> z = analysis::read_state(program, memory);
  for (double& v : z) v = random.uniform(-1.0, 1.0);
  double total = -std::log(size_of(z));
  analysis::write_state(program, memory, z);
  for (base::Tick done = 0; done < steps;) {
    const base::Tick count = std::min<base::Tick>(32, steps - done);
    coupling::advance(program, memory, count * program.hyper_period(), assembly::Sources::silent);
    done += count;
    z = analysis::read_state(program, memory);
    const double size = size_of(z);
    if (size == 0.0) return -INFINITY;
    total += std::log(size);
    for (double& v : z) v /= size;
    analysis::write_state(program, memory, z);
  }
  return total;
}

TEST(StepMatrix, its_spectral_radius_predicts_growth_or_decay_of_a_long_run) {
  int growing = 0, decaying = 0, too_close = 0;
  for_all(
      [&](const coupling::Program& program, coupling::Memory& memory, RandomSystems& random, const std::string& what) {
        std::string reason;
        const auto stability = analysis::stability(program, memory, reason);
        ASSERT_TRUE(stability) << reason;
        const double rho = stability->spectral_radius;
        // the short way that scans of many steps take
        const auto equations = analysis::equation_poles(*program.assembly, program.grid.time(memory.tick));
        const auto quick = analysis::spectral_radius(program, memory, equations, 0.0);
        ASSERT_TRUE(quick) << what;
        ASSERT_NEAR(*quick, rho, 1e-7 * std::max(1.0, rho)) << what;
        if (std::abs(rho - 1.0) <= 1e-4) {
          ++too_close;
          return;
        }
        ++(rho > 1.0 ? growing : decaying);
        const auto steps = static_cast<base::Tick>(std::ceil(20.0 / std::abs(rho - 1.0)));
        const double growth = log_growth(program, memory, random, std::max<base::Tick>(steps, 100));
        ASSERT_EQ(growth > 0.0, rho > 1.0) << what << ": radius " << rho << ", logarithm of the growth " << growth;
      });
  std::printf("%d grow, %d decay, %d within 1e-4 of the limit\n", growing, decaying, too_close);
  EXPECT_GT(growing, 500);
  EXPECT_GT(decaying, 500);
}

// A double that nobody writes would show as an eigenvalue 1 that is not there.
TEST(StepMatrix, no_signal_is_idle) {
  RandomSystems random(7);
  for (int i = 0; i < 20; ++i) {
    const engine::System system = random.next();
    for (const system::Coupling& coupling : testing::all_couplings()) {
      for (const Rhythm& rhythm : rhythms) {
        const engine::Live live = engine::make_live(
            with(testing::with(system, coupling, system::Feedthrough::held), rhythm), {engine::Horizon::none});
        std::string reason;
        const auto t = analysis::transition(live.program, coupling::start(live.program), reason);
        for (Eigen::Index s = t->states; s < t->matrix.rows(); ++s) {
          EXPECT_EQ(t->matrix(s, s) == 1.0 && (t->matrix.row(s).cwiseAbs().sum() == 1.0), false)
              << coupling::describe(coupling) << ", " << rhythm.name << ": " << t->names[static_cast<std::size_t>(s)]
              << " is never written";
        }
      }
    }
  }
}

}  // namespace
}  // namespace seam
