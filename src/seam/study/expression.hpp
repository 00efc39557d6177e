// Arithmetic in the texts of a study: "{2*zeta*sqrt(m*k)} N.s/m".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seam::study {

/// What is wrong with an expression, and where in the text.
struct ExpressionProblem {
  std::string what;
  std::size_t at = 0;
  std::string unknown;  ///< a name that has no value; empty: something else is wrong
};

/// The number of a name; none if there is no such name.
using Lookup = std::function<std::optional<double>(const std::string& name)>;

/// Numbers, names (with dots), + - * / ^, brackets, pi, and sqrt exp log sin cos tan abs min max.
std::optional<double> evaluate(std::string_view text, const Lookup& lookup, ExpressionProblem& problem);

/// The text with every {expression} replaced by its number; a text without braces stays as it is.
std::optional<std::string> substitute(std::string_view text, const Lookup& lookup, ExpressionProblem& problem);

}  // namespace seam::study
