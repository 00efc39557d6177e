// Arithmetic in the texts of a study: "{2*zeta*sqrt(m*k)} N.s/m", max(abs(body.a1)).
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

/// Numbers, names (with dots; in `backquotes` with any character), + - * / ^, brackets, pi, and sqrt exp log sin cos
/// tan abs min max. Read once, evaluated many times.
class Expression {
 public:
  struct Name {
    std::string text;
    std::size_t at = 0;  ///< where it first stands
  };

  /// None with the problem.
  static std::optional<Expression> read(std::string_view text, ExpressionProblem& problem);

  /// Each once, in the order in which they appear; pi is one of them.
  const std::vector<Name>& names() const { return names_; }
  /// With the number of each name.
  double value(const double* numbers) const;
  const std::string& text() const { return text_; }
  /// The whole expression is this name; null if it is more.
  const std::string* single_name() const;

 private:
  friend class ExpressionReader;
  using Function = double (*)(const double* arguments);
  /// Takes numbers from the end of a stack and puts its result there.
  struct Operation {
    enum class Code { number, name, negate, add, subtract, multiply, divide, power, call } code = Code::number;
    double number = 0.0;
    std::size_t name = 0;
    Function function = nullptr;
    std::size_t arguments = 0;
  };

  std::string text_;
  std::vector<Name> names_;
  std::vector<Operation> operations_;
};

/// A name that every expression knows.
std::optional<double> constant(std::string_view name);

std::optional<double> evaluate(std::string_view text, const Lookup& lookup, ExpressionProblem& problem);

/// The text with every {expression} replaced by its number; a text without braces stays as it is.
std::optional<std::string> substitute(std::string_view text, const Lookup& lookup, ExpressionProblem& problem);

}  // namespace seam::study
