#include "seam/study/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace seam::study {
namespace {

std::optional<double> value_of(std::string_view text) {
  ExpressionProblem problem;
  const Lookup lookup = [](const std::string& name) -> std::optional<double> {
    if (name == "m") return 3.0;
    if (name == "left.k") return 12.0;
    return std::nullopt;
  };
  return evaluate(text, lookup, problem);
}

std::string problem_of(std::string_view text) {
  ExpressionProblem problem;
  EXPECT_FALSE(evaluate(
      text, [](const std::string&) { return std::nullopt; }, problem))
      << text;
  return problem.what;
}

TEST(Expression, operators_bind_as_on_paper) {
  EXPECT_EQ(value_of("1 + 2*3"), 7.0);
  EXPECT_EQ(value_of("(1 + 2)*3"), 9.0);
  EXPECT_EQ(value_of("8/4/2"), 1.0);
  EXPECT_EQ(value_of("5 - 3 - 1"), 1.0);
  EXPECT_EQ(value_of("-2^2"), -4.0);
  EXPECT_EQ(value_of("2^3^2"), 512.0);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of(" 2 * -3 "), -6.0);
}

TEST(Expression, names_and_functions_have_values) {
  EXPECT_EQ(value_of("sqrt(m*left.k)"), 6.0);
  EXPECT_EQ(value_of("max(m, 4) - min(m, 4)"), 1.0);
  EXPECT_EQ(value_of("2*pi"), 2.0 * std::numbers::pi);
  EXPECT_EQ(value_of("exp(log(2))"), std::exp(std::log(2.0)));
  EXPECT_EQ(value_of("1e-3*m"), 1e-3 * 3.0);
}

TEST(Expression, what_is_no_expression_is_told) {
  EXPECT_EQ(problem_of("a + 1"), "\"a\" has no value here");
  EXPECT_EQ(problem_of("1 +"), "something is missing at the end");
  EXPECT_EQ(problem_of("(1"), "a bracket is not closed");
  EXPECT_EQ(problem_of("1 2"), "\"2\" is not expected here");
  EXPECT_EQ(problem_of("sqrt(1, 2)"), "sqrt takes 1 argument");
  EXPECT_TRUE(problem_of("root(2)").starts_with("there is no function \"root\""));
  EXPECT_EQ(problem_of("1/0"), "\"1/0\" is not a finite number");
  EXPECT_EQ(problem_of("sqrt(-1)"), "\"sqrt(-1)\" is not a finite number");
  EXPECT_EQ(problem_of(std::string(1000, '(')), "it is nested too deep");
}

TEST(Expression, braces_in_a_text_become_numbers) {
  ExpressionProblem problem;
  const Lookup lookup = [](const std::string&) { return std::optional(0.1); };
  EXPECT_EQ(substitute("[{m} kg, {2*m} kg]", lookup, problem), "[0.1 kg, 0.2 kg]");
  EXPECT_EQ(substitute("foh", lookup, problem), "foh");
  EXPECT_FALSE(substitute("{m", lookup, problem));
  EXPECT_EQ(problem.what, "a brace is not closed");
}

}  // namespace
}  // namespace seam::study
