// Compensators and smoothers around FMUs, whatever the schedule: the same as around native subsystems.
#include <fmt/format.h>

#include "engine/fmu_workshop.hpp"

namespace seam::engine {
namespace {

struct Kind {
  int version;
  const char* suffix;  ///< of the FMU's name
  const char* native;  ///< input_signal of the native pair that it equals
};

class Filtered : public FmuWorkshop, public ::testing::WithParamInterface<Kind> {
 protected:
  std::string text(const std::string& left, const std::string& right, const std::string& plan) const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {}\n  r: {}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
        "experiment: {{stop: 0.48}}\nplan: {{step: 10 ms, {}}}\nrecord: {{variables: [\"*.outputs\"]}}\n",
        left, right, plan);
  }
  std::string native(int side) const {
    return fmt::format(
        "{{model: mass-chain, solver: rk4, solver_step: 1 ms, input_signal: {}, set: {{masses: [0.2], to_ground: {{k: "
        "11, d: 0.4}}, {}}}}}",
        GetParam().native,
        side == 0 ? "coupling: {kind: spring, k: 7, d: 0.3}, x0: [1], v0: [-0.5]"
                  : "coupling: {kind: force}, x0: [0.25], v0: [2]");
  }
  std::string made(int side) const {
    return fmt::format(
        "{{fmu: {}, set: {{m: 0.2, k: 11, d: 0.4, {}, solver: rk4, solver_step: 1 ms}}}}",
        fmu(GetParam().version, std::string(side == 0 ? "two-mass-left" : "two-mass-right") + GetParam().suffix),
        side == 0 ? "kc: 7, dc: 0.3, x0: 1, v0: -0.5" : "x0: 0.25, v0: 2");
  }
};

INSTANTIATE_TEST_SUITE_P(TwoMasses, Filtered,
                         ::testing::Values(Kind{2, "-poor", "stepped"}, Kind{3, "-poor", "stepped"},
                                           Kind{2, "-signal", "signal"}, Kind{3, "-signal", "signal"}));

const char* const micro_steps = "subsystems: {l: {micro_step: 1 ms}, r: {micro_step: 1 ms}}";

TEST_P(Filtered, fmus_equal_the_native_run_under_every_schedule) {
  const std::string plans[] = {
      fmt::format("coupling: hinf, {}", micro_steps),
      fmt::format("coupling: {{hinf: {{order: 3, static_gain: one}}}}, {}", micro_steps),
      fmt::format("coupling: hinf, schedule: {{gauss-seidel: [l, r]}}, {}", micro_steps),
      "coupling: hinf, subsystems: {l: {micro_step: 1 ms}, r: {step: 40 ms, micro_step: 2 ms}}",
      "coupling: hinf, subsystems: {l: {step: 20 ms, micro_step: 2 ms}, r: {micro_step: 1 ms}}",
      fmt::format("coupling: foh, connections: {{r.F_in: {{hinf: {{order: 2}}}}, l.v_in: {{hinf: {{smoother: 0.4, "
                  "weight: 0.02}}}}}}, {}",
                  micro_steps)};
  for (const std::string& plan : plans) {
    const auto expected = table_of(text(native(0), native(1), plan));
    const auto table = table_of(text(made(0), made(1), plan));
    for (const char* name : {"l.F", "r.x1", "r.v1"}) {
      for (std::size_t i = 0; i < expected.rows(); ++i)
        ASSERT_NEAR(column(table, name).at(i), column(expected, name).at(i), 1e-9) << plan << " " << name << i;
    }
  }
}

}  // namespace
}  // namespace seam::engine
