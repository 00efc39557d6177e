#include "seam/study/points.hpp"

#include <set>
#include <tuple>

#include "seam/study/prepare.hpp"
#include "study/study_folder.hpp"

namespace seam::study {
namespace {

using Points = StudyFolder;

TEST_F(Points, are_every_combination_and_the_last_axis_moves_first) {
  const Study study = prepared("vary: {plan.step: [1 ms, 2 ms], left.to_ground.k: [1, 2, 3]}\n").study;
  ASSERT_EQ(count_points(study), 6U);
  std::vector<std::vector<std::string>> texts;
  for (std::size_t i = 0; i < 6; ++i) texts.push_back(point_of(study, i).texts);
  EXPECT_EQ(texts, (std::vector<std::vector<std::string>>{
                       {"1 ms", "1"}, {"1 ms", "2"}, {"1 ms", "3"}, {"2 ms", "1"}, {"2 ms", "2"}, {"2 ms", "3"}}));
}

TEST_F(Points, of_a_range_hit_both_ends) {
  const Study study = prepared("vary: {left.to_ground.k: {from: 1, to: 100, count: 3, spacing: logarithmic}}\n").study;
  EXPECT_EQ(point_of(study, 0).texts.front(), "1");
  EXPECT_EQ(point_of(study, 1).texts.front(), "10");
  EXPECT_EQ(point_of(study, 2).texts.front(), "100");
}

TEST_F(Points, of_a_list_of_cases_move_together) {
  const Study study =
      prepared("cases: [{left.to_ground.k: 1, right.to_ground.k: 2}, {left.to_ground.k: 3, right.to_ground.k: 4}]\n")
          .study;
  ASSERT_EQ(count_points(study), 2U);
  EXPECT_EQ(point_of(study, 1).texts, (std::vector<std::string>{"3", "4"}));
}

TEST_F(Points, every_combination_sees_the_same_samples) {
  const Study study =
      prepared("seed: 4\nsamples: 5\nvary: {plan.step: [1 ms, 2 ms], left.to_ground.k: {uniform: [1, 2]}}\n").study;
  std::set<std::string> drawn;
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(point_of(study, i).texts[1], point_of(study, i + 5).texts[1]);
    drawn.insert(point_of(study, i).texts[1]);
  }
  EXPECT_EQ(drawn.size(), 5U);
}

TEST_F(Points, more_samples_do_not_change_those_before) {
  const std::string text = "seed: 4\nvary: {left.to_ground.k: {uniform: [1, 2]}}\nsamples: ";
  EXPECT_EQ(point_of(prepared(text + "5\n").study, 3).texts, point_of(prepared(text + "50\n").study, 3).texts);
}

TEST_F(Points, one_more_draw_does_not_change_the_others) {
  const Study one = prepared("seed: 4\nsamples: 2\nvary: {left.to_ground.k: {uniform: [1, 2]}}\n").study;
  const Study two =
      prepared(
          "seed: 4\nsamples: 2\nvary: {right.to_ground.k: {uniform: [1, 2]}, left.to_ground.k: {uniform: [1, 2]}}\n")
          .study;
  EXPECT_EQ(point_of(one, 1).texts[0], point_of(two, 1).texts[1]);
  EXPECT_NE(point_of(two, 1).texts[0], point_of(two, 1).texts[1]);
}

TEST_F(Points, become_changes_by_values) {
  const Study study = prepared(
                          "vary: {plan.step: [1 ms], zeta: [0.5], left.to_ground.k: [16]}\n"
                          "set: {d: \"{2*zeta*sqrt(0.25*left.to_ground.k)}\", left.to_ground.d: \"{d} N.s/m\"}\n")
                          .study;
  EXPECT_EQ(study.methods.back().coupling.coupling->coupling->name, "zoh");
  const engine::ValueChanges changes = changes_of(study, point_of(study, 0));
  ASSERT_EQ(changes.set.size(), 3U);
  const std::vector<std::tuple<std::string, double, std::string>> expected = {
      {"plan.step", 1.0, "ms"}, {"left.to_ground.k", 16.0, ""}, {"left.to_ground.d", 2.0, "N.s/m"}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& [path, number, unit] = expected[i];
    EXPECT_EQ(changes.set[i].name, path);
    EXPECT_EQ(changes.set[i].value.kind, system::Value::Kind::number) << path;
    EXPECT_EQ(changes.set[i].value.number, number) << path;
    EXPECT_EQ(changes.set[i].value.unit, unit) << path;
    EXPECT_NE(changes.set[i].where.source->name.find("study.yaml"), std::string::npos) << path;
  }
}

TEST_F(Points, expressions_may_stand_in_lists_texts_and_parameters_of_methods) {
  base::Problems problems;
  const Study study = *read_study_text(
      "study: 1\nsystem: pair.yaml\nvary: {a: [2], b: [3]}\n"
      "set: {left.masses: \"[{min(a, b)}, 4 kg]\", plan.coupling: \"hinf,cutoff={a/10}\"}\n"
      "reference: {plan.step: \"{a*b} ms\", plan.coupling: {hinf: {cutoff: \"{b/10}\"}}}\n",
      path("study.yaml"), problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  const engine::ValueChanges changes = changes_of(study, point_of(study, 0));
  ASSERT_EQ(changes.set.size(), 1U);
  ASSERT_EQ(changes.set[0].value.items.size(), 2U);
  EXPECT_EQ(changes.set[0].value.items[0].number, 2.0);
  EXPECT_EQ(changes.set[0].value.items[1].number, 4.0);
  EXPECT_EQ(changes.set[0].value.items[1].unit, "kg");
  EXPECT_EQ(changes.coupling.coupling->coupling->parameters.at(0).value.number, 0.2);
  const engine::ValueChanges reference = reference_changes_of(study, point_of(study, 0));
  EXPECT_EQ(reference.set.back().value.number, 6.0);
  EXPECT_EQ(reference.set.back().value.unit, "ms");
  EXPECT_EQ(reference.coupling.coupling->coupling->parameters.at(0).value.number, 0.3);
}

TEST_F(Points, where_errors_are_told_a_zero_order_hold_and_a_control_are_among_the_methods) {
  const auto methods = [&](const std::string& text) { return prepared(text).sheet.methods; };
  using Names = std::vector<std::string>;
  EXPECT_EQ(methods("vary: {plan.coupling: [foh]}\n"), (Names{"foh", "zoh", "no coupling"}));
  EXPECT_EQ(methods("vary: {plan.coupling: [zoh, foh]}\n"), (Names{"zoh", "foh", "no coupling"}));
  EXPECT_EQ(methods("name: x\n"), (Names{"as planned", "zoh", "no coupling"}));
  EXPECT_EQ(methods("metrics: [radius]\nvary: {plan.coupling: [foh]}\n"), (Names{"foh"}));
  EXPECT_EQ(methods("vary: {plan.coupling: [{foh: {samples: micro}}], plan.feedthrough: [held, fresh]}\n"),
            (Names{"foh,samples=micro held", "foh,samples=micro fresh", "zoh held", "zoh fresh", "no coupling"}));
}

}  // namespace
}  // namespace seam::study
