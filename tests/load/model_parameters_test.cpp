// Bad parameters, one test each: a problem at the right place that says how to mend it; never a crash or a silent
// number.
#include <gtest/gtest.h>

#include "load/model_making.hpp"

namespace seam::load {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Parameters, unknown_one_is_a_problem_at_its_name_that_offers_the_nearest) {
  const auto making = make("gain", "{k: 1, kk: 2}");
  EXPECT_EQ(making.problem(), "\"gain\" has no parameter \"kk\" | did you mean \"k\"?");
  EXPECT_EQ(making.column(), 8);
}

TEST(Parameters, unknown_one_in_a_map_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1], to_ground: {kappa: 3}}").problem(), "no parameter \"kappa\""));
}

TEST(Parameters, missing_one_is_a_problem_that_says_what_it_is) {
  EXPECT_EQ(make("sine").problem(), "\"sine\" needs the parameter \"frequency\" | set frequency [Hz]: cycles a second");
}

TEST(Parameters, all_problems_are_found_at_once) {
  const auto making = make("chirp", "{f0: fast, f1: 2 kg, amplitud: 3, sampled: 7}");
  EXPECT_EQ(making.problems.size(), 5u) << making.problems.text();  // duration is missing
}

TEST(Parameters, unknown_one_does_not_hide_what_is_wrong_with_the_others) {
  EXPECT_EQ(make("limiter", "{low: 2, high: 1, lwo: 3}").problems.size(), 2u);
  EXPECT_EQ(make("mass-chain", "{mases: [1], masses: [0], springs: [1], x0: [1, 2]}").problems.size(), 4u);
}

TEST(Parameters, wrong_dimension_is_a_problem_at_the_value) {
  const auto making = make("sine", "{frequency: 3 kg}");
  EXPECT_EQ(making.problem(), "\"frequency\" cannot be in kg | give it in Hz");
  EXPECT_EQ(making.column(), 13);
}

TEST(Parameters, plain_number_takes_no_unit) {
  EXPECT_TRUE(contains(make("gain", "{k: 3 kg}").problem(), "it is a plain number without a unit"));
}

TEST(Parameters, plain_number_may_be_a_percentage) {
  EXPECT_DOUBLE_EQ(static_output(*make("gain", "{k: 50 %}").model, {1.0}), 0.5);
}

TEST(Parameters, unknown_unit_is_a_problem) {
  EXPECT_TRUE(contains(make("step", "{time: 3 foo}").problem(), "not the text \"3 foo\""));
}

TEST(Parameters, unknown_unit_of_the_output_is_a_problem) {
  EXPECT_TRUE(contains(make("constant", "{value: 1, unit: foo}").problem(), "\"foo\" is not a known unit"));
}

TEST(Parameters, values_of_different_dimensions_are_a_problem) {
  EXPECT_TRUE(contains(make("step", "{before: 1 N, after: 2 m}").problem(), "cannot be in m"));
}

TEST(Parameters, text_for_a_number_is_a_problem) {
  EXPECT_TRUE(contains(make("gain", "{k: big}").problem(), "must be a number"));
}

TEST(Parameters, list_for_a_number_is_a_problem) {
  EXPECT_TRUE(contains(make("gain", "{k: [1, 2]}").problem(), "not a list"));
}

TEST(Parameters, number_for_a_list_is_a_problem) {
  EXPECT_TRUE(contains(make("sum", "{gains: 3}").problem(), "must be a list of numbers"));
}

TEST(Parameters, text_inside_a_list_is_a_problem_at_the_text) {
  const auto making = make("sum", "{gains: [1, two]}");
  EXPECT_TRUE(contains(making.problem(), "not the text \"two\""));
  EXPECT_EQ(making.column(), 13);
}

TEST(Parameters, not_a_number_and_infinity_are_problems) {
  EXPECT_TRUE(contains(make("gain", "{k: .nan}").problem(), "must be finite"));
  EXPECT_TRUE(contains(make("sum", "{gains: [1, .inf]}").problem(), "must be finite"));
}

TEST(Parameters, number_for_a_boolean_is_a_problem) {
  EXPECT_TRUE(contains(make("constant", "{value: 1, sampled: 1}").problem(), "must be true or false"));
}

TEST(Parameters, unknown_choice_is_a_problem_that_offers_the_nearest) {
  EXPECT_TRUE(contains(make("table", "{x: [1], y: [1], outside: clmap}").problem(), "did you mean \"clamp\"?"));
}

TEST(Parameters, number_for_a_map_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1], to_ground: 3}").problem(), "must be a map"));
}

TEST(Parameters, the_same_one_twice_is_a_problem) {
  base::Problems problems;
  system::Subsystem subsystem;
  subsystem.origin = system::BuiltInModel{"gain"};
  system::Value one;
  one.number = 1.0;
  subsystem.set = {{"k", one, {}}, {"k", one, {}}};
  EXPECT_FALSE(make_model(subsystem, {}, problems).has_value());
  EXPECT_TRUE(contains(problems.text(), "set twice"));
}

TEST(StateSpaceParameters, ragged_matrix_is_a_problem_at_the_row) {
  const auto making = make("state-space", "{A: [[0, 1], [1]]}");
  EXPECT_TRUE(contains(making.problem(), "row 2 of \"A\" has 1 entries, the first row has 2"));
  EXPECT_EQ(making.column(), 14);
}

TEST(StateSpaceParameters, flat_list_for_a_matrix_is_a_problem) {
  EXPECT_TRUE(contains(make("state-space", "{A: [[1]], B: [1]}").problem(), "a list of rows, each in brackets"));
}

TEST(StateSpaceParameters, matrix_that_is_not_square_is_a_problem) {
  EXPECT_TRUE(contains(make("state-space", "{A: [[0, 1]]}").problem(), "\"A\" is 1 x 2, but it must be 1 x 1"));
}

TEST(StateSpaceParameters, b_with_too_few_rows_is_a_problem) {
  EXPECT_TRUE(contains(make("state-space", "{A: [[0, 1], [1, 0]], B: [[1]]}").problem(),
                       "\"B\" is 1 x 1, but it must be 2 x 1"));
}

TEST(StateSpaceParameters, c_with_too_few_columns_is_a_problem) {
  EXPECT_TRUE(contains(make("state-space", "{A: [[0, 1], [1, 0]], C: [[1]]}").problem(),
                       "\"C\" is 1 x 1, but it must be 1 x 2"));
}

TEST(StateSpaceParameters, d_without_inputs_is_a_problem) {
  EXPECT_TRUE(contains(make("state-space", "{A: [[1]], D: [[1]]}").problem(), "\"D\" is 1 x 1, but it must be 1 x 0"));
}

TEST(StateSpaceParameters, start_of_the_wrong_length_is_a_problem) {
  EXPECT_TRUE(contains(make("state-space", "{A: [[1]], x0: [1, 2]}").problem(), "has 2 entries, but there must be 1"));
}

TEST(StateSpaceParameters, wrong_number_of_names_is_a_problem) {
  EXPECT_TRUE(contains(make("state-space", "{A: [[1]], B: [[1]], inputs: [a, b]}").problem(),
                       "there are 1 inputs, but 2 names"));
}

TEST(StateSpaceParameters, name_that_stands_twice_is_a_problem) {
  EXPECT_TRUE(contains(make("state-space", "{A: [[1]], B: [[1, 1]], inputs: [a, a]}").problem(), "stands twice"));
}

TEST(MassChainParameters, mass_of_zero_or_less_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1, 0]}").problem(), "more than 0 kg"));
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [-1 kg]}").problem(), "more than 0 kg"));
}

TEST(MassChainParameters, no_masses_are_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: []}").problem(), "no masses"));
}

TEST(MassChainParameters, wrong_number_of_springs_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1, 1], springs: [1, 2]}").problem(),
                       "must be 1, one for each pair of neighbours"));
}

TEST(MassChainParameters, single_number_for_several_masses_is_a_problem) {
  EXPECT_TRUE(
      contains(make("mass-chain", "{masses: [1, 1], x0: 3}").problem(), "a list of 2 numbers, one for each mass"));
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1, 1], to_ground: {k: 3}}").problem(), "a list of 2 numbers"));
}

TEST(MassChainParameters, coupling_without_kind_is_a_problem) {
  EXPECT_TRUE(
      contains(make("mass-chain", "{masses: [1], coupling: {k: 3}}").problem(), "needs the parameter \"kind\""));
}

TEST(MassChainParameters, unknown_kind_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1], coupling: {kind: sprign, k: 1}}").problem(),
                       "did you mean \"spring\"?"));
}

TEST(MassChainParameters, coupling_of_a_mass_that_does_not_exist_is_a_problem) {
  for (const char* mass : {"0", "3", "1.5"}) {
    const auto making =
        make("mass-chain", std::string("{masses: [1, 1], coupling: {kind: force, mass: ") + mass + "}}");
    EXPECT_TRUE(contains(making.problem(), "a whole number from 1 to 2")) << mass;
  }
}

TEST(MassChainParameters, receiver_with_a_spring_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1], coupling: {kind: force, k: 3}}").problem(),
                       "the partner owns the spring"));
}

TEST(MassChainParameters, owner_without_a_spring_or_damper_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1], coupling: {kind: spring}}").problem(), "neither k nor d"));
}

TEST(MassChainParameters, partner_start_without_velocity_coupling_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-chain", "{masses: [1], coupling: {kind: spring, k: 1, x_partner0: 1}}").problem(),
                       "only spring-velocity"));
}

TEST(MassChainParameters, several_couplings_without_names_are_problems) {
  EXPECT_EQ(make("mass-chain", "{masses: [1], coupling: [{kind: force}, {kind: force}]}").problems.size(), 2u);
}

TEST(MassPowerDamperParameters, what_makes_no_damper_is_a_problem) {
  EXPECT_TRUE(contains(make("mass-power-damper", "{mass: 0, d: 1}").problem(), "more than 0 kg"));
  EXPECT_TRUE(contains(make("mass-power-damper", "{mass: 1, d: -1}").problem(), "must be 0 N.s/m or more"));
  EXPECT_TRUE(contains(make("mass-power-damper", "{mass: 1, d: 1, exponent: -1.5}").problem(), "-1 or more"));
  EXPECT_TRUE(contains(make("mass-power-damper", "{mass: 1, d: 1, limit: 0}").problem(), "more than 0 N.s/m"));
  EXPECT_TRUE(contains(make("mass-power-damper", "{mass: 1}").problem(), "needs the parameter \"d\""));
  EXPECT_TRUE(contains(make("mass-power-damper", "{mass: 1, d: 1, to_ground: {kappa: 1}}").problem(), "kappa"));
}

TEST(MassChainParameters, two_couplings_of_one_name_are_a_problem) {
  const auto making = make("mass-chain", "{masses: [1], coupling: [{kind: force, name: a}, {kind: force, name: a}]}");
  EXPECT_TRUE(contains(making.problem(), "two couplings are called \"a\""));
}

}  // namespace
}  // namespace seam::load
