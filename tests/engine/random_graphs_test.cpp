// Systems of any shape and any units: every command comes to an end, and what it says does not depend on the units.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/predict/linear_models.hpp"
#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/engine/run/run.hpp"
#include "support/growth.hpp"

namespace seam::engine {
namespace {

/// A graph of subsystems with two inputs and one output; whether its numbers are of size 1 or in any units is chosen
/// when it is written.
class Graph {
 public:
  explicit Graph(std::uint64_t seed) : random_(seed), count_(2 + static_cast<int>(random_() % 7)) {
    for (int i = 0; i < count_; ++i) parts_.push_back(part());
    switch (random_() % 4) {
      case 0:  // chain
        for (int i = 1; i < count_; ++i) connect(i - 1, i, 0);
        break;
      case 1:  // tree
        for (int i = 1; i < count_; ++i) connect(below(i), i, 0);
        break;
      case 2:  // ring
        for (int i = 0; i < count_; ++i) connect(i, (i + 1) % count_, 0);
        break;
      default:  // any, with parts that nothing reaches
        for (int i = 0; i < count_; ++i) {
          if (random_() % 3 != 0) connect(below(count_), i, 0);
        }
    }
    for (int i = 0; i < count_; ++i) {
      if (random_() % 3 == 0) connect(below(count_), i, 1);
    }
    sine_to_ = below(count_);
  }

  enum class Units { of_size_1, any };

  /// In any units outputs are a times, inputs b times what they were: y' = a y, u' = b u, gain' = gain b/a.
  std::string text(Units units) const {
    std::string subsystems, connections;
    for (int i = 0; i < count_; ++i) {
      const Part& p = parts_[static_cast<std::size_t>(i)];
      const double a = units == Units::any ? p.a : 1.0, b = units == Units::any ? p.b : 1.0;
      subsystems += fmt::format(
          "  p{}: {{model: state-space, set: {{A: [[{}, {}], [{}, {}]], B: [[{}, {}], [{}, {}]], C: [[{}, {}]], D: "
          "[[{}, {}]], x0: [{}, 0]}}}}\n",
          i, p.A[0], p.A[1], p.A[2], p.A[3], p.B[0] / b, p.B[1] / b, p.B[2] / b, p.B[3] / b, p.C[0] * a, p.C[1] * a,
          p.D * a / b, 0.0, p.x0);
    }
    for (const Wire& wire : wires_) {
      const Part &from = parts_[static_cast<std::size_t>(wire.from)], &to = parts_[static_cast<std::size_t>(wire.to)];
      const double gain = units == Units::any ? wire.gain * to.b / from.a : wire.gain;
      connections +=
          fmt::format("  - {{from: p{}.y, to: p{}.u{}, gain: {}}}\n", wire.from, wire.to, wire.input + 1, gain);
    }
    const Part& driven = parts_[static_cast<std::size_t>(sine_to_)];
    const bool is_free = !is_fed(sine_to_, 0);
    if (is_free) {
      subsystems += "  s: {model: sine, set: {amplitude: 1, frequency: 1}}\n";
      connections +=
          fmt::format("  - {{from: s.y, to: p{}.u1, gain: {}}}\n", sine_to_, units == Units::any ? driven.b : 1.0);
    }
    subsystems += "  zero: {model: constant, set: {value: 0}}\n";
    for (int i = 0; i < count_; ++i) {
      for (int input = 0; input < 2; ++input) {
        const bool taken = is_fed(i, input) || (is_free && i == sine_to_ && input == 0);
        if (!taken) connections += fmt::format("  - zero.y -> p{}.u{}\n", i, input + 1);
      }
    }
    return fmt::format("seam: 1\nsubsystems:\n{}connections:\n{}experiment: {{stop: 1}}\nplan: {{step: 0.05}}\n",
                       subsystems, connections);
  }

 private:
  struct Part {
    double A[4], B[4], C[2], D, x0;
    double a, b;
  };
  struct Wire {
    int from, to, input;
    double gain;
  };

  bool is_fed(int part, int input) const {
    return std::any_of(wires_.begin(), wires_.end(),
                       [&](const Wire& wire) { return wire.to == part && wire.input == input; });
  }
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  void connect(int from, int to, int input) { wires_.push_back({from, to, input, uniform(-3.0, 3.0)}); }

  Part part() {
    const double w = uniform(0.5, 8.0), damping = uniform(0.02, 1.0);
    Part p{};
    switch (random_() % 3) {
      case 0:  // oscillator
        p = {{0.0, w, -w, -2.0 * damping * w}, {0.0, 0.0, w, 0.5 * w}, {1.0, 0.0}, 0.0, 1.0, 1.0, 1.0};
        break;
      case 1:  // two lags, the first feeds through
        p = {{-w, 0.0, 1.0, -damping}, {w, 0.0, 0.0, 1.0}, {0.5, 0.5}, uniform(-0.5, 0.5), 0.0, 1.0, 1.0};
        break;
      default:  // an integrator and a lag
        p = {{0.0, 0.0, 0.0, -w}, {1.0, 0.0, w, w}, {1.0, 0.2}, 0.0, 0.0, 1.0, 1.0};
    }
    p.a = std::pow(10.0, uniform(-9.0, 9.0));
    p.b = std::pow(10.0, uniform(-9.0, 9.0));
    return p;
  }

  std::mt19937_64 random_;
  int count_;
  int sine_to_ = 0;
  std::vector<Part> parts_;
  std::vector<Wire> wires_;
};

/// Anything but problems that are told ends the test.
template <class Work>
void expect_no_internal_error(const std::string& text, const char* what, const Work& work) {
  try {
    work();
  } catch (const base::ProblemsFound&) {
  } catch (const base::Error& error) {
    EXPECT_NE(error.failure(), base::Failure::internal) << what << ": " << error.what() << "\n" << text;
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what() << "\n" << text;
  }
}

/// A run that is scaled back to size 1 again and again grows as the radius says. Near 1 such a run would be too long.
void expect_rate(const System& system, const analysis::Stability& told) {
  const double radius = told.spectral_radius;
  if (std::abs(radius - 1.0) < 0.01) return;
  const double rate = seam::testing::growth_rate(system, static_cast<int>(told.structural.size()));
  EXPECT_NEAR(rate, std::log(radius), 0.1 * std::abs(std::log(radius)));
}

void check(int first, int count) {
  const formats::TemporaryFolder folder;
  int stable = 0, unstable = 0;
  for (int seed = first; seed < first + count && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph(static_cast<std::uint64_t>(seed));
    const std::string text = graph.text(Graph::Units::any);
    ASSERT_NO_THROW({
      const System system = open_text(text, folder.file("graph.yaml"), {});
      const System usual = open_text(graph.text(Graph::Units::of_size_1), folder.file("usual.yaml"), {});
      Outlook outlook;
      expect_no_internal_error(text, "analyze", [&] { outlook = look_ahead(system, {}); });
      expect_no_internal_error(text, "tune", [&] { tune(system, {0.05, {}}); });
      expect_no_internal_error(text, "linearize", [&] { linear_models(system, {}); });
      expect_no_internal_error(text, "run", [&] {
        RunSettings settings;
        settings.file = folder.file("graph.csv");
        run(system, settings);
      });
      OutlookRequest request;
      request.depth = OutlookRequest::Depth::verdict;
      const Outlook expected = look_ahead(usual, request);
      ASSERT_TRUE(outlook.stability && expected.stability) << text;
      ASSERT_NEAR(outlook.stability->spectral_radius, expected.stability->spectral_radius, 1e-8) << text;
      ASSERT_EQ(outlook.verdict(), expected.verdict()) << text << expected.stability->spectral_radius;
      expect_rate(usual, *expected.stability);
      ++(expected.stability->stable() ? stable : unstable);
    }) << text;
  }
  EXPECT_GT(stable, count / 10);
  EXPECT_GT(unstable, count / 10);
}

TEST(RandomGraphs, of_any_units_are_analysed_tuned_linearised_and_run_like_the_same_in_units_of_size_1) { check(1, 4); }
TEST(RandomGraphsSlow, of_any_units_are_analysed_tuned_linearised_and_run_like_the_same_in_units_of_size_1) {
  check(1, 1000);
}

}  // namespace
}  // namespace seam::engine
