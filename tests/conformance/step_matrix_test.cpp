// The matrix that analysis probes is the step that is run, and its spectral radius says what a long run does.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "conformance/every_method.hpp"
#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"

namespace seam {
namespace {

using testing::Drive;
using testing::RandomSystems;
using testing::size_of;
using testing::Way;

constexpr std::uint64_t matrix_seed = 20261115;
constexpr int systems = 500;

/// Whether a way is tried with system i: all plain holds under the first rhythm; other rhythms, filters and correctors,
/// which are many or whose steps are dear, with the first systems only.
bool is_tried(const Way& way, int i) {
  if (!way.corrector.name.empty()) return i < systems / 40;
  if (way.rhythm.name != testing::all_rhythms.front().name) return i < systems / 20;
  return i < systems / 10 || !coupling::has_filters(way.coupling);
}

/// Calls `test` for every random system and the ways that are tried with it.
template <class Test>
void for_all(Drive drive, const std::vector<Way>& ways, Test test) {
  std::printf("seed %llu, %d systems\n", static_cast<unsigned long long>(matrix_seed), systems);
  RandomSystems random(matrix_seed, drive);
  for (int i = 0; i < systems; ++i) {
    const engine::System system = random.next();
    for (const Way& way : ways) {
      if (!is_tried(way, i)) continue;
      const engine::Live live = engine::make_live(with(system, way), {engine::Horizon::none, INFINITY});
      coupling::Memory memory = coupling::start(live.program);
      coupling::settle(live.program, memory);
      test(live.program, memory, random, "system " + std::to_string(i) + ", " + way.name);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

/// All that have a matrix: identified models do not exist before a run.
std::vector<Way> ways_with_a_matrix() {
  std::vector<Way> ways = testing::ways_without_corrector();
  for (const auto& correctors : {testing::all_correctors(), testing::all_choosing_correctors()}) {
    const std::vector<Way> corrected = testing::ways_with(correctors);
    ways.insert(ways.end(), corrected.begin(), corrected.end());
  }
  return ways;
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

/// What a hyper-period makes of a state, with sources and offsets as they are.
struct Observed {
  std::vector<double> state;
  double largest = 0.0;  ///< value on the way
};
Observed observe(const coupling::Program& program, coupling::Memory memory, const std::vector<double>& z) {
  Observed result;
  analysis::write_state(program, memory, z);
  for (base::Tick tick = 0; tick < program.hyper_period(); ++tick) {
    coupling::advance(program, memory, 1);
    for (const double value : memory.values) result.largest = std::max(result.largest, std::abs(value));
  }
  result.state = analysis::read_state(program, memory);
  return result;
}

/// A double that no step writes would show as an eigenvalue 1 that is not there.
void expect_no_idle_signal(const analysis::Transition& transition, const std::string& what) {
  for (Eigen::Index s = transition.states; s < transition.matrix.rows(); ++s) {
    const std::string& name = transition.names[static_cast<std::size_t>(s)];
    EXPECT_FALSE(transition.matrix(s, s) == 1.0 && transition.matrix.row(s).cwiseAbs().sum() == 1.0)
        << what << ": " << name << " is never written";
    EXPECT_FALSE(name.empty()) << what << ": a signal has no name";
  }
}

// Outputs are rounded by half an epsilon of their size, in the runs and in the matrix. In every tick of the period that
// adds up over two ports of a source with gains of up to two, and where a compensator sends, it is multiplied by what
// this makes of jumps: no step can be known better. With holds that is nothing beside 1e-12.
TEST(StepMatrix, times_a_difference_is_the_difference_of_real_steps_and_no_signal_is_idle) {
  for_all(
      Drive::full, ways_with_a_matrix(),
      [](const coupling::Program& program, coupling::Memory& memory, RandomSystems& random, const std::string& what) {
        std::string reason;
        const auto transition = analysis::transition(program, memory, reason);
        ASSERT_TRUE(transition) << reason;
        expect_no_idle_signal(*transition, what);
        std::vector<double> from(static_cast<std::size_t>(transition->matrix.rows())), moved = from;
        lti::Vector difference(transition->matrix.rows());
        for (std::size_t i = 0; i < from.size(); ++i) {
          from[i] = random.uniform(-1.0, 1.0);
          moved[i] = random.uniform(-1.0, 1.0);
          difference(static_cast<Eigen::Index>(i)) = moved[i] - from[i];
        }
        const Observed first = observe(program, memory, from), second = observe(program, memory, moved);
        const double scale =
            std::max({1.0, size_of(first.state), size_of(second.state), transition->matrix.cwiseAbs().maxCoeff()});
        const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * amplification(program) *
                                static_cast<double>(program.hyper_period()) * (first.largest + second.largest);
        const lti::Vector predicted = transition->matrix * difference;
        for (std::size_t i = 0; i < from.size(); ++i) {
          ASSERT_NEAR(second.state[i] - first.state[i], predicted(static_cast<Eigen::Index>(i)),
                      1e-12 * scale + rounding)
              << what << ": " << transition->names[i];
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
      Drive::none, testing::ways_without_corrector(),
      [&](const coupling::Program& program, coupling::Memory& memory, RandomSystems& random, const std::string& what) {
        std::string reason;
        const auto stability = analysis::stability(program, memory, reason);
        ASSERT_TRUE(stability) << reason;
        const double rho = stability->spectral_radius;
        // the short way that scans of many steps take
        const auto equations = analysis::equation_poles(*program.assembly, program.grid.time(memory.tick));
        const auto quick = analysis::step_modes(program, memory, equations, 0.0);
        ASSERT_TRUE(quick) << what;
        ASSERT_NEAR(quick->radius, rho, 1e-7 * std::max(1.0, rho)) << what;
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

}  // namespace
}  // namespace seam
