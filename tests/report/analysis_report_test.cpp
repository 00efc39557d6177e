#include "seam/report/analysis_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace seam::report {
namespace {

using analysis::Complex;
using analysis::Stability;

const engine::System& lag() {
  static const engine::System system = engine::open_text(
      "seam: 1\nname: lag\nsubsystems: {a: {model: state-space, set: {A: [[-1]], B: [[1]]}}}\n"
      "connections: [a.y -> a.u]\nplan: {step: 0.5, coupling: foh}\n",
      "lag.yaml", {});
  return system;
}

/// A verdict on eigenvalues alone, the first the largest.
Stability verdict_on(const std::vector<Complex>& eigenvalues) {
  Stability s;
  s.period = 0.5;
  s.eigenvalues = eigenvalues;
  s.spectral_radius = eigenvalues.empty() ? 0.0 : std::abs(eigenvalues[0]);
  for (const Complex& z : eigenvalues) {
    s.poles.push_back(z == 0.0 ? std::optional<Complex>() : std::log(z) / 0.5);
  }
  s.monolithic_poles = std::vector<Complex>{};
  return s;
}

std::string analysis_text(const engine::System& system, const Stability& s) {
  return verdict_text(system, s) + pole_text(s);
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(AnalysisReport, the_first_line_is_the_verdict_the_step_and_the_coupling) {
  const std::string text = analysis_text(lag(), verdict_on({0.5}));
  const std::string first = text.substr(0, text.find('\n'));
  for (const char* words : {"lag: stable", "0.5 s", "foh", "held"}) EXPECT_TRUE(says(first, words)) << first;
}

TEST(AnalysisReport, a_stable_mode_halves_and_an_unstable_one_doubles) {
  EXPECT_TRUE(says(analysis_text(lag(), verdict_on({0.5})), "halves in 0.5 s"));
  const std::string unstable = analysis_text(lag(), verdict_on({2.0}));
  EXPECT_TRUE(says(unstable, "NOT stable")) << unstable;
  EXPECT_TRUE(says(unstable, "doubles in 0.5 s")) << unstable;
  EXPECT_TRUE(says(unstable, "without oscillation"));
}

TEST(AnalysisReport, an_oscillation_is_named_by_its_frequency) {
  const Complex z = std::polar(0.9, 2.0 * std::numbers::pi * 0.25 * 0.5);  // a quarter of a hertz
  EXPECT_TRUE(says(analysis_text(lag(), verdict_on({z, std::conj(z)})), "0.25 Hz"));
}

TEST(AnalysisReport, a_real_negative_eigenvalue_is_an_alternation) {
  EXPECT_TRUE(says(analysis_text(lag(), verdict_on({-0.9})), "alternation"));
}

TEST(AnalysisReport, on_the_limit_it_is_marginal_and_neither_grows_nor_decays) {
  const Complex z = std::polar(1.0, 0.3);
  const std::string text = analysis_text(lag(), verdict_on({z, std::conj(z)}));
  EXPECT_TRUE(says(text, "marginally stable")) << text;
  EXPECT_TRUE(says(text, "neither grows nor decays")) << text;
  EXPECT_FALSE(says(text, "doubles"));
}

TEST(AnalysisReport, eigenvalues_that_are_all_zero_are_gone_after_a_few_steps) {
  EXPECT_TRUE(says(analysis_text(lag(), verdict_on({0.0, 0.0})), "gone after a few steps"));
}

TEST(AnalysisReport, a_structural_eigenvalue_is_named_with_its_meaning) {
  Stability s = verdict_on({0.5});
  s.structural.push_back({1.0, "the place of the pair"});
  const std::string text = analysis_text(lag(), s);
  EXPECT_TRUE(says(text, "eigenvalue 1 left out: the place of the pair")) << text;
  const formats::Value value = analysis_value(lag(), s, "stable");
  EXPECT_EQ(value.find("structural_eigenvalues")->items().size(), 1u);
  EXPECT_EQ(value.find("eigenvalues")->items().size(), 1u);
}

TEST(AnalysisReport, a_linearisation_says_so) {
  Stability s = verdict_on({0.5});
  EXPECT_FALSE(says(analysis_text(lag(), s), "linearisation"));
  s.exactness = analysis::Exactness::linearised;
  EXPECT_TRUE(says(analysis_text(lag(), s), "linearisation"));
  EXPECT_EQ(analysis_value(lag(), s, "stable").find("exactness")->string(), "linearised");
}

TEST(AnalysisReport, every_monolithic_pole_stands_beside_what_it_became) {
  Stability s = verdict_on({std::exp(-0.45), std::exp(-2.0)});  // poles -0.9 and -4
  s.monolithic_poles = std::vector<Complex>{-3.5, -1.0};
  const std::string text = analysis_text(lag(), s);
  const std::size_t slow = text.find("-1 "), fast = text.find("-3.5 ");
  ASSERT_NE(slow, std::string::npos) << text;
  ASSERT_NE(fast, std::string::npos) << text;
  EXPECT_TRUE(says(text.substr(slow, text.find('\n', slow) - slow), "-0.9")) << text;
  EXPECT_TRUE(says(text.substr(slow, text.find('\n', slow) - slow), "+0.1")) << text;
  EXPECT_TRUE(says(text.substr(fast, text.find('\n', fast) - fast), "-4")) << text;
}

TEST(AnalysisReport, without_monolithic_poles_the_reason_is_said) {
  Stability s = verdict_on({0.5});
  s.monolithic_poles.reset();
  s.monolithic_reason = "the delay has no equations";
  EXPECT_TRUE(says(analysis_text(lag(), s), "the delay has no equations"));
  const formats::Value value = analysis_value(lag(), s, "stable");
  EXPECT_TRUE(value.find("monolithic_poles")->is(formats::Value::Kind::null));
  EXPECT_EQ(value.find("monolithic_reason")->string(), "the delay has no equations");
}

TEST(AnalysisReport, the_pole_of_zero_is_null_and_complex_numbers_are_pairs) {
  const formats::Value value = analysis_value(lag(), verdict_on({Complex(0.3, -0.4), 0.0}), "stable");
  const auto& eigenvalues = value.find("eigenvalues")->items();
  EXPECT_EQ(eigenvalues[0].items()[0].number(), 0.3);
  EXPECT_EQ(eigenvalues[0].items()[1].number(), -0.4);
  EXPECT_TRUE(value.find("poles")->items()[1].is(formats::Value::Kind::null));
}

}  // namespace
}  // namespace seam::report
