#include "seam/coupling/step_probe.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

/// Oscillators of two states; each gets the position of the one before it, and some the speed of one far away.
std::string ring(int count, const std::string& plan, int every_far = 1000) {
  std::string subsystems, connections;
  for (int i = 0; i < count; ++i) {
    const int from = (i * 7 + count / 2) % count;
    const bool far = i % every_far == 0;
    subsystems += fmt::format(
        "  m{}: {{model: state-space, set: {{A: [[0, 1], [-{}, -4]], B: {}, C: [[1, 0], [0, 1]], D: {}, "
        "inputs: [{}], outputs: [x, v]}}}}\n",
        i, 300 + i, far ? "[[0, 0], [100, 3]]" : "[[0], [100]]", far ? "[[0, 0], [0, 0]]" : "[[0], [0]]",
        far ? "near, far" : "near");
    connections += fmt::format("  - m{0}.x -> m{1}.near\n", i, (i + 1) % count);
    if (far) connections += fmt::format("  - m{0}.v -> m{1}.far\n", from, i);
  }
  return "subsystems:\n" + subsystems + "connections:\n" + connections + "plan: {step: 1 ms" + plan + "}\n";
}

struct Probed {
  explicit Probed(const std::string& text) : system(live(text)), memory(start(system.program)) {
    settle(system.program, memory);
  }
  StepProbe probe() {
    return StepProbe(system.program, memory, system.program.signals, [this](Memory& step) {
      ++steps;
      advance_by_operations(system.program, step, 1, {});
    });
  }
  engine::Live system;
  Memory memory;
  int steps = 0;
};

TEST(StepProbe, gives_the_columns_that_unit_vectors_give_one_by_one) {
  for (const char* plan : {"", ", coupling: soh", ", schedule: gauss-seidel", ", corrector: mbcorr",
                           ", coupling: {foh: {samples: micro}}"}) {
    Probed one(ring(9, plan, 3));
    const lti::Matrix found = one.probe().columns(Probing::exact);
    const std::vector<double> rest(static_cast<std::size_t>(found.cols()));
    for (Eigen::Index k = 0; k < found.cols(); ++k) {
      std::vector<double> z = rest;
      z[static_cast<std::size_t>(k)] = 1.0;
      Memory memory = one.memory;
      write_state(one.system.program, memory, z);
      advance_by_operations(one.system.program, memory, 1, {});
      const std::vector<double> image = read_state(one.system.program, memory);
      for (Eigen::Index row = 0; row < found.rows(); ++row)
        ASSERT_NEAR(found(row, k), image[static_cast<std::size_t>(row)], 1e-14) << plan << ' ' << row << ' ' << k;
    }
  }
}

TEST(StepProbe, of_many_lanes_makes_far_fewer_steps_than_there_are_lanes) {
  Probed small(ring(16, "")), large(ring(256, ""));
  small.probe().entries(Probing::exact);
  large.probe().entries(Probing::exact);
  EXPECT_LT(small.steps, 45);
  EXPECT_LT(large.steps, 80);
}

TEST(StepProbe, gives_up_early_where_everything_depends_on_everything) {
  Probed chain(ring(256, ", schedule: gauss-seidel"));
  EXPECT_FALSE(chain.probe().entries(Probing::exact, {10'000}));
  EXPECT_LT(chain.steps, 100);
}

}  // namespace
}  // namespace seam::coupling
