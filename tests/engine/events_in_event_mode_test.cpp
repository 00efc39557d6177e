// Events of the experiment on an FMU whose own events seam handles: a sampled controller with a clock.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "engine/fmu_workshop.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

/// The sampled system, tick by tick: e = r - measured, I += ki T e, u = kp e + I, x := exp(-T) x + (1 - exp(-T)) u.
struct SampledLoop {
  std::function<double(int)> gain = [](int) { return 2.0; };
  std::function<double(int, double)> measured = [](int, double x) { return x; };

  /// The plant at time t.
  double y(double t) const {
    constexpr double period = 0.1;
    double x = 0.0, integral = 0.0, u = 0.0;
    int tick = 0;
    for (; tick * period <= t + 1e-9; ++tick) {
      if (tick > 0) x = std::exp(-period) * x + (1.0 - std::exp(-period)) * u;
      const double error = 1.0 - measured(tick, x);
      integral += period * error;
      u = gain(tick) * error + integral;
    }
    const double since = t - (tick - 1) * period;
    return std::exp(-since) * x + (1.0 - std::exp(-since)) * u;
  }
};

class EventsInEventMode : public FmuWorkshop, public ::testing::WithParamInterface<const char*> {
 protected:
  EventsInEventMode() { ::setenv("SEAM_STRICT_LOG", log().c_str(), 1); }
  ~EventsInEventMode() override {
    EXPECT_EQ(std::filesystem::exists(log()) ? formats::read_text(log()) : "", "");
    ::unsetenv("SEAM_STRICT_LOG");
  }
  std::string log() const { return folder_.file("illegal-calls"); }

  void expect(const SampledLoop& exact, const std::string& event) const {
    const auto table = table_of(
        fmt::format("seam: 1\nsubsystems:\n  c: {{fmu: {}}}\n  p: {{model: state-space, set: {{A: [[-1]], B: "
                    "[[1]]}}}}\nconnections: "
                    "[c.y -> p.u, p.y -> c.measurement]\nexperiment:\n  stop: 1.2\n  events: [{}]\nplan: {{{}}}\n",
                    fmu(3, "strict-clock"), event, GetParam()));
    for (std::size_t i = 0; i < table.rows(); ++i)
      EXPECT_NEAR(column(table, "p.y")[i], exact.y(table.columns[0][i]), 1e-12) << event << " " << i;
  }
};
INSTANTIATE_TEST_SUITE_P(Plans, EventsInEventMode,
                         ::testing::Values("step: 0.1", "step: 0.05", "step: 0.05, coupling: foh",
                                           "step: 0.03, events: shared", "step: 0.03, events: shared, coupling: soh"));

// At 0.3 s the clock ticks before the parameter changes; the step that begins there has the new one.
TEST_P(EventsInEventMode, a_parameter_acts_from_the_step_that_begins_at_its_time) {
  SampledLoop exact;
  exact.gain = [](int tick) { return tick <= 3 ? 2.0 : 3.0; };
  expect(exact, "{at: 0.3, set: {c.kp: 3}}");
}

TEST_P(EventsInEventMode, an_override_is_what_ticks_see_inside_and_between_macro_steps) {
  SampledLoop exact;
  exact.measured = [](int tick, double x) { return tick >= 3 && tick < 6 ? 0.25 : x; };
  expect(exact, "{from: 0.3, to: 0.6, override: {c.measurement: 0.25}}");
}

TEST_P(EventsInEventMode, an_override_at_the_start_is_what_the_first_tick_sees) {
  SampledLoop exact;
  exact.measured = [](int tick, double x) { return tick < 3 ? -1.0 : x; };
  expect(exact, "{from: 0, to: 0.3, override: {c.measurement: -1}}");
}

}  // namespace
}  // namespace seam::engine
