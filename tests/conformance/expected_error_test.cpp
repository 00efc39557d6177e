// The error that is expected of a coupling before it is run, beside the error of the run: random systems under a tone,
// over every way to couple that the catalog offers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "conformance/every_method.hpp"
#include "conformance/settled_error.hpp"
#include "seam/analysis/accuracy.hpp"
#include "seam/analysis/complete_compensators.hpp"
#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/predict/outlook.hpp"
#include "support/random_system.hpp"

namespace seam::testing {
namespace {

/// The tone of such a system, Hz.
double frequency_of(const assembly::Assembly& assembly) {
  return assembly.members.front().drives.front().signal->rate();
}

/// So many hyper-periods hold a whole number of periods of the tone.
constexpr int window = 40;

/// The system with steps of which the tone is a given part of the Nyquist frequency of the slowest exchange, nearly.
engine::System with_way_at(const engine::System& plain, const Way& way, double share) {
  const double frequency = frequency_of(*engine::make_live(plain, {engine::Horizon::none}).assembly);
  engine::System system = with(plain, way);
  std::int64_t together = 1, slowest = 1;
  for (const system::SubsystemPlan& entry : system.plan.subsystems) {
    together = std::lcm(together, std::int64_t{entry.multiple});
    slowest = std::max(slowest, std::int64_t{entry.multiple});
  }
  const auto ratio = static_cast<double>(together) / static_cast<double>(slowest);
  const double periods = std::max(1.0, std::round(0.5 * share * window * ratio));
  const double before = system.plan.step;
  system.plan.step = periods / (window * static_cast<double>(together) * frequency);
  for (system::SubsystemPlan& entry : system.plan.subsystems) entry.micro_step *= system.plan.step / before;
  base::Problems problems;
  analysis::complete_compensators(system.description, system.plan, problems);
  base::require_none(problems);
  return system;
}

/// Outputs of the coupled equations under the tones, by dense solutions.
Eigen::MatrixXcd monolithic_answers(assembly::Assembly& assembly, const std::vector<Tone>& tones) {
  std::string reason;
  const auto whole = analysis::monolithic_model(assembly, 0.0, reason);
  const auto wiring = analysis::interconnection(assembly);
  Eigen::VectorXcd inputs(static_cast<Eigen::Index>(wiring.signals.size()));
  for (std::size_t i = 0; i < wiring.signals.size(); ++i)
    inputs(static_cast<Eigen::Index>(i)) = wiring.signals[i].factor;
  return answers(whole->system, inputs, tones);
}

struct Expected {
  std::vector<double> errors;
  std::vector<Tone> tones;
  Eigen::MatrixXcd exact;  ///< a column a tone
  Watch watch;
};

/// Over a period of the multisine, nearly. None where a resonance is so narrow that its tones lie too far apart.
std::optional<Watch> watch_of_multisine(const analysis::Band& band, const analysis::Stability& found, double period) {
  const double apart = (band.to - band.from) / tones_of_drive;
  double slowest = -std::log(found.spectral_radius) / period;
  for (const Complex& pole : *found.monolithic_poles) slowest = std::min(slowest, -pole.real());
  if (slowest < 2.0 * std::numbers::pi * apart) return std::nullopt;
  return Watch{Watch::to_settle(found.spectral_radius, 30.0),
               static_cast<base::Tick>(std::round(2.0 / apart / period))};
}

/// None if the coupling is refused, is not stable enough to be measured, or learns.
std::optional<Expected> expected_errors(const engine::System& system, Drive drive) {
  engine::Live live;
  try {
    live = engine::make_live(system, {engine::Horizon::none});
  } catch (const base::ProblemsFound&) {
    return std::nullopt;
  }
  std::string reason;
  const auto found = analysis::stability(live.program, coupling::start(live.program), reason);
  if (!found || found->spectral_radius > 0.97) return std::nullopt;
  const auto linear = analysis::linear_parts(*live.assembly, 0.0, reason);
  const double f = frequency_of(*live.assembly);
  const analysis::Band band{drive == Drive::tone ? f : 0.1 * f, f};
  Expected expected;
  expected.tones =
      drive == Drive::tone ? std::vector<Tone>{{f}} : tones_of_multisine(band.from, band.to, tones_of_drive);
  expected.watch = {Watch::to_settle(found->spectral_radius, 30.0), window};
  if (drive == Drive::multisine) {
    const auto watch = watch_of_multisine(band, *found, analysis::period_of(live.program));
    if (!watch) return std::nullopt;
    expected.watch = *watch;
  }
  const auto accuracy =
      analysis::predict_accuracy({live.program, system.plan}, *linear, {*found->monolithic_poles, band}, reason);
  if (!accuracy) return std::nullopt;
  for (const std::string& name : accuracy->output_names) {
    const auto one = std::ranges::find(accuracy->outputs, name, &analysis::NamedError::name);
    expected.errors.push_back(one->error);
  }
  expected.exact = monolithic_answers(*live.assembly, expected.tones);
  return expected;
}

struct Tally {
  int systems = 0, outputs = 0, beyond_tenth = 0, beyond_third = 0;
  double worst = 0.0;
  std::string worst_case;
};

/// Every way whose error can be known, and some with steps that differ more.
std::vector<Way> ways_to_compare() {
  std::vector<Way> ways = every_way();
  std::erase_if(ways, [](const Way& way) {  // nothing is expected of what is learned while it runs
    const auto& choices = way.corrector.choices;
    return std::find(choices.begin(), choices.end(), std::pair<std::string, std::string>("model", "identified")) !=
           choices.end();
  });
  const Rhythm wide[] = {{"rates 1:20", system::Schedule::Kind::jacobi, {1, 20}},
                         {"rates 5:1:10", system::Schedule::Kind::jacobi, {5, 1, 10}},
                         {"gauss-seidel, rates 20:1", system::Schedule::Kind::gauss_seidel, {20, 1}}};
  std::vector<Way> all;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    all.push_back(ways[i]);
    Way wider = ways[i];
    wider.rhythm = wide[i % 3];
    wider.name += " but " + wider.rhythm.name;
    if (i % 5 == 0 && (wider.corrector.name.empty() || fits(wider.corrector, wider.coupling, wider.rhythm)))
      all.push_back(wider);
  }
  return all;
}

/// Compares random systems under a part of the ways, the next system under the next of them, `rounds` times.
Tally compare(Drive drive, std::size_t part, int rounds, std::uint64_t seed) {
  const std::vector<Way> ways = ways_to_compare();
  RandomSystems systems(seed, drive);
  Tally tally;
  for (std::size_t n = 0; n < static_cast<std::size_t>(rounds) * ways.size(); n += part) {
    const Way& way = ways[n % ways.size()];
    const double share = std::exp(systems.uniform(std::log(0.04), std::log(0.5)));
    const engine::System system = with_way_at(systems.next(), way, share);
    const auto expected = expected_errors(system, drive);
    if (!expected) continue;
    ++tally.systems;
    const auto measured = settled_errors(system, expected->tones, expected->exact, expected->watch);
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (!(measured[i] > 1e-9) && !(expected->errors[i] > 1e-9)) continue;  // a source
      ++tally.outputs;
      const double off = std::abs(expected->errors[i] / measured[i] - 1.0);
      if (!(off <= 0.1)) ++tally.beyond_tenth;
      if (!(off <= 0.3)) ++tally.beyond_third;
      if (off <= tally.worst) continue;
      tally.worst = off;
      tally.worst_case =
          fmt::format("{} at {:.3f} of the Nyquist frequency, output {}: expected {:.4g}, measured {:.4g}", way.name,
                      share, i, expected->errors[i], measured[i]);
    }
  }
  return tally;
}

void expect_kept(const Tally& tally, int least) {
  EXPECT_GE(tally.systems, least);
  EXPECT_EQ(tally.beyond_third, 0) << tally.worst_case;
  EXPECT_LE(tally.beyond_tenth, 0.05 * tally.outputs) << tally.worst_case;
  ::testing::Test::RecordProperty("systems", tally.systems);
  ::testing::Test::RecordProperty("outputs", tally.outputs);
  ::testing::Test::RecordProperty("worst", fmt::format("{:.2g}: {}", tally.worst, tally.worst_case));
}

TEST(ExpectedError, is_that_of_the_run_for_some_ways_of_the_catalog) { expect_kept(compare(Drive::tone, 7, 1, 5), 40); }

TEST(ExpectedErrorSlow, is_that_of_the_run_for_every_way_of_the_catalog) {
  expect_kept(compare(Drive::tone, 1, 2, 6), 300);
}

// Over a band, as analyze and tune state it.
TEST(ExpectedError, over_a_band_is_that_of_the_run_under_a_multisine) {
  expect_kept(compare(Drive::multisine, 67, 1, 7), 5);
}

TEST(ExpectedErrorSlow, over_a_band_is_that_of_the_run_under_a_multisine) {
  expect_kept(compare(Drive::multisine, 1, 1, 8), 300);
}

/// Two masses and the springs between them as FMUs of which derivatives are known, the first pushed by a sine of 2 Hz.
engine::System pushed_fmus(const std::string& kind, const std::string& plan) {
  return engine::open_text(
      fmt::format("seam: 1\nsubsystems:\n  push: {{model: sine, set: {{frequency: 2}}}}\n"
                  "  left: {{fmu: two-mass-left{0}.fmu, set: {{x0: 0}}}}\n  right: {{fmu: two-mass-right{0}.fmu}}\n"
                  "connections:\n  - {{from: push.y, to: left.f1, unit: as-is}}\n  - left.F -> right.F_in\n"
                  "  - right.x1 -> left.x_in\n  - right.v1 -> left.v_in\nexperiment: {{stop: 1000 s}}\nplan: {{step: "
                  "12.5 ms, {1}}}\n",
                  kind, plan),
      SEAM_BINARY_DIR "/fmus/fmi2/pushed.yaml", {});
}

// A known signal is sampled at every call of a co-simulation FMU: that is part of the error, too.
TEST(ExpectedError, is_that_of_the_run_of_fmus) {
  const double w = 4.0 * std::numbers::pi, m = 0.1, k = 10.0, d = 0.1;
  const Complex own(2.0 * k - m * w * w, 2.0 * w * d), other(k, w * d);
  const Complex x1 = own / (own * own - other * other), x2 = other / (own * own - other * other), j(0.0, w);
  Eigen::VectorXcd exact(8);
  exact << 0.0, x1, j * x1, j * j * x1, other * (x1 - x2), x2, j * x2, j * j * x2;
  for (const char* kind : {"", "-signal"}) {
    for (const char* plan :
         {"coupling: zoh", "coupling: foh", "coupling: hinf", "coupling: foh, feedthrough: fresh",
          "coupling: zoh, corrector: mbcorr", "coupling: foh, schedule: {gauss-seidel: [left, right]}",
          "coupling: foh, subsystems: {right: {step: 25 ms}}"}) {
      const engine::System system = pushed_fmus(kind, plan);
      engine::OutlookRequest request;
      request.band = analysis::Band{2.0, 2.0};
      const engine::Outlook outlook = engine::look_ahead(system, request);
      ASSERT_TRUE(outlook.accuracy) << kind << plan << outlook.accuracy_reason;
      const auto measured =
          settled_errors(system, {{2.0}}, exact, {Watch::to_settle(outlook.stability->spectral_radius, 30.0), window});
      for (std::size_t i = 1; i < measured.size(); ++i)
        EXPECT_NEAR(outlook.accuracy->curve.front().of_outputs[i], measured[i], 0.02 * measured[i])
            << kind << " " << plan << " " << outlook.accuracy->output_names[i];
    }
  }
}

// Only outputs that are connected are probed.
TEST(ExpectedError, is_not_known_of_outputs_that_no_model_describes) {
  const engine::Outlook outlook = engine::look_ahead(pushed_fmus("-poor", "coupling: zoh"), {});
  ASSERT_TRUE(outlook.accuracy) << outlook.accuracy_reason;
  for (const analysis::NamedError& output : outlook.accuracy->outputs) {
    const bool connected = output.name == "left.F" || output.name == "right.x1" || output.name == "right.v1";
    EXPECT_EQ(output.error > 0.0, connected) << output.name;
    EXPECT_EQ(std::isnan(output.error), !connected && output.name != "push.y") << output.name;
  }
}

}  // namespace
}  // namespace seam::testing
