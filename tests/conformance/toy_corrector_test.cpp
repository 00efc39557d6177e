// A corrector that only this file knows, with a number as its parameter and a row of memory. It is added to the catalog
// before any test runs, so that the tests of correctors in this folder try it over every hold and schedule: step
// matrix, idle signals, names, memory to the bit, steps in one call. Here is what it does beside that.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/corrector/context.hpp"
#include "seam/engine/run/run.hpp"
#include "support/random_system.hpp"

namespace seam {
namespace {

/// Outputs are sent as they are; the next input gets a share of its last change on top. By half of it a value that is
/// held is right in the middle of the step, so that the error falls with the square of the step.
class LeadingInput final : public coupling::Corrector {
 public:
  explicit LeadingInput(double share) : share_(share) {}

  coupling::CorrectorShape shape() const override {
    coupling::CorrectorShape shape;
    shape.addition = coupling::Addition::constant;
    shape.rows = {"at the point before"};
    shape.points_before = 1;
    return shape;
  }
  void correct_outputs(coupling::CorrectionContext& m) const override {
    const auto& outputs = m.correction.outputs;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      if (m.is_here(m.correction.lanes[static_cast<std::size_t>(outputs[o].lane)])) m.sent()[o] = m.raw(outputs[o], 0);
    }
  }
  void find_offsets(coupling::CorrectionContext& m) const override {
    const auto& wires = m.correction.wires;
    for (std::size_t w = 0; w < wires.size(); ++w) {
      if (!m.is_here(wires[w])) continue;
      const double now = wires[w].gain * m.sent()[wires[w].output] + wires[w].offset;
      m.offset()[w] = m.points_before > 0 ? share_ * (now - m.row(0)[w]) : 0.0;
      m.row(0)[w] = now;
    }
  }

 private:
  double share_;
};

const bool toy_corrector_is_registered = [] {
  coupling::Entry entry{coupling::Part::corrector, "leading-toy", "adds a share of the last change to the next input"};
  entry.numbers = {{"share", 0.5, {0.0, 1.0, coupling::Range::Low::included}, "of the last change"}};
  entry.make_corrector = [](const system::Corrector& given) {
    return std::make_unique<LeadingInput>(given.numbers.at(0).second);
  };
  coupling::register_entry(std::move(entry));
  return true;
}();

/// Two oscillators, each driven by the displacement of the other; nothing feeds through directly.
engine::System corrected_pair(const std::string& coupling, const std::string& corrector, double step = 0.01) {
  engine::Changes changes;
  changes.coupling = coupling;
  changes.corrector = corrector;
  return engine::open_text(fmt::format("seam: 1\nsubsystems:\n"
                                       "  a: {{model: state-space, set: {{A: [[0, 1], [-200, -2]], B: [[0], [100]], "
                                       "C: [[1, 0]], x0: [1, 0]}}}}\n"
                                       "  b: {{model: state-space, set: {{A: [[0, 1], [-300, -1]], B: [[0], [100]], "
                                       "C: [[1, 0]]}}}}\n"
                                       "connections: [a.y -> b.u, b.y -> a.u]\n"
                                       "experiment: {{stop: 1}}\nplan: {{step: {:.17g}}}\n",
                                       step),
                           "pair.yaml", changes);
}

TEST(ToyCorrector, is_tried_by_every_test_that_loops_over_the_catalog) {
  const auto all = testing::all_correctors();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const auto& one) { return one.name == "leading-toy"; }));
}

TEST(ToyCorrector, takes_its_number_is_described_written_and_read_again) {
  const engine::System first = corrected_pair("zoh", "leading-toy,share=0.25");
  EXPECT_EQ(coupling::describe(first.plan.corrector), "leading-toy,share=0.25");
  const engine::System again = engine::open_text(engine::resolved_text(first), "again.yaml", {});
  EXPECT_EQ(coupling::describe(again.plan.corrector), "leading-toy,share=0.25");
  EXPECT_EQ(coupling::describe(corrected_pair("zoh", "leading-toy").plan.corrector), "leading-toy");
  try {
    corrected_pair("zoh", "leading-toy,share=2");
    FAIL();
  } catch (const base::ProblemsFound& found) {
    EXPECT_NE(std::string(found.what()).find("give a number from 0 to 1"), std::string::npos) << found.what();
  }
}

TEST(ToyCorrector, asks_for_no_model_and_says_nothing_of_one) {
  const engine::Live live = engine::make_live(corrected_pair("zoh", "leading-toy"), {engine::Horizon::experiment});
  ASSERT_TRUE(live.program.correction);
  EXPECT_TRUE(live.program.correction->notices.empty());
}

/// Displacement of the first oscillator at the end of the experiment.
double end_of(const std::string& coupling, const std::string& corrector, double step) {
  const engine::Live live = engine::make_live(corrected_pair(coupling, corrector, step), {engine::Horizon::experiment});
  coupling::Memory memory = coupling::start(live.program);
  coupling::advance(live.program, memory, live.program.ticks);
  return live.assembly->members[0].subsystem->states()[0];
}

TEST(ToyCorrector, makes_a_zero_order_hold_converge_with_order_2_by_half_of_the_change) {
  const double exact = end_of("soh", "none", 1.0 / 16000);
  const auto order = [&](const std::string& corrector) {
    const double coarse = std::abs(end_of("zoh", corrector, 1.0 / 1000) - exact);
    const double fine = std::abs(end_of("zoh", corrector, 1.0 / 4000) - exact);
    return std::log(coarse / fine) / std::log(4.0);
  };
  EXPECT_NEAR(order("leading-toy,share=0"), 1.0, 0.1);
  EXPECT_NEAR(order("leading-toy,share=0.25"), 1.0, 0.1);
  EXPECT_NEAR(order("leading-toy"), 2.0, 0.15);
}

TEST(ToyCorrector, without_a_share_it_is_no_corrector) {
  EXPECT_NEAR(end_of("foh", "leading-toy,share=0", 0.01), end_of("foh", "none", 0.01), 1e-13);
}

}  // namespace
}  // namespace seam
