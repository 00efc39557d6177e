#include "seam/study/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "seam/formats/number.hpp"

namespace seam::study {
namespace {

bool begins_name(char letter) { return std::isalpha(static_cast<unsigned char>(letter)) || letter == '_'; }
bool continues_name(char letter) {
  return begins_name(letter) || std::isdigit(static_cast<unsigned char>(letter)) || letter == '.' || letter == '[' ||
         letter == ']';
}

using Function = double (*)(const std::vector<double>&);
struct KnownFunction {
  const char* name;
  std::size_t arguments;
  Function call;
};

constexpr KnownFunction functions[] = {
    {"sqrt", 1, [](const std::vector<double>& x) { return std::sqrt(x[0]); }},
    {"exp", 1, [](const std::vector<double>& x) { return std::exp(x[0]); }},
    {"log", 1, [](const std::vector<double>& x) { return std::log(x[0]); }},
    {"sin", 1, [](const std::vector<double>& x) { return std::sin(x[0]); }},
    {"cos", 1, [](const std::vector<double>& x) { return std::cos(x[0]); }},
    {"tan", 1, [](const std::vector<double>& x) { return std::tan(x[0]); }},
    {"abs", 1, [](const std::vector<double>& x) { return std::abs(x[0]); }},
    {"min", 2, [](const std::vector<double>& x) { return std::min(x[0], x[1]); }},
    {"max", 2, [](const std::vector<double>& x) { return std::max(x[0], x[1]); }},
};

/// Thrown inside this file alone.
struct Wrong {};

class Reader {
 public:
  Reader(std::string_view text, const Lookup& lookup, ExpressionProblem& problem)
      : text_(text), lookup_(lookup), problem_(problem) {}

  double whole() {
    const double value = sum();
    if (at_ < text_.size()) fail(fmt::format("\"{}\" is not expected here", text_[at_]));
    return value;
  }

 private:
  [[noreturn]] void fail(std::string what) {
    problem_.what = std::move(what);
    problem_.at = at_;
    throw Wrong{};
  }

  bool take(char letter) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ >= text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }

  double sum() {
    double value = product();
    for (;;) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return value;
    }
  }

  double product() {
    double value = signed_power();
    for (;;) {
      if (take('*'))
        value *= signed_power();
      else if (take('/'))
        value /= signed_power();
      else
        return value;
    }
  }

  /// A sign binds weaker than a power, as on paper: -2^2 is -4.
  double signed_power() {
    constexpr int deepest = 100;
    if (++depth_ > deepest) fail("it is nested too deep");
    double value = 0.0;
    if (take('-')) {
      value = -signed_power();
    } else {
      value = atom();
      if (take('^')) value = std::pow(value, signed_power());
    }
    --depth_;
    return value;
  }

  double atom() {
    if (take('(')) {
      const double value = sum();
      if (!take(')')) fail("a bracket is not closed");
      return value;
    }
    if (at_ >= text_.size()) fail("something is missing at the end");
    if (begins_name(text_[at_])) return named();
    const std::size_t length = formats::number_length(text_.substr(at_));
    if (length == 0 || text_[at_] == '+') fail(fmt::format("\"{}\" is not expected here", text_[at_]));
    const formats::NumberRead read = formats::read_number(text_.substr(at_, length));
    if (read.reading != formats::Reading::number) fail("this number cannot be held");
    at_ += length;
    return read.number;
  }

  double named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (take('(')) return called(name, begin);
    if (const auto value = lookup_(name)) return *value;
    if (name == "pi") return std::numbers::pi;
    at_ = begin;
    problem_.unknown = name;
    fail(fmt::format("\"{}\" has no value here", name));
  }

  double called(const std::string& name, std::size_t begin) {
    const auto* const found =
        std::find_if(std::begin(functions), std::end(functions), [&](const auto& known) { return name == known.name; });
    if (found == std::end(functions)) {
      at_ = begin;
      fail(fmt::format("there is no function \"{}\"; there are sqrt, exp, log, sin, cos, tan, abs, min, max", name));
    }
    std::vector<double> arguments{sum()};
    while (take(',')) arguments.push_back(sum());
    if (!take(')')) fail("a bracket is not closed");
    if (arguments.size() != found->arguments)
      fail(fmt::format("{} takes {} argument{}", name, found->arguments, found->arguments == 1 ? "" : "s"));
    return found->call(arguments);
  }

  std::string_view text_;
  const Lookup& lookup_;
  ExpressionProblem& problem_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<double> evaluate(std::string_view text, const Lookup& lookup, ExpressionProblem& problem) {
  try {
    const double value = Reader(text, lookup, problem).whole();
    if (std::isfinite(value)) return value;
    problem = {fmt::format("\"{}\" is not a finite number", text), 0, {}};
  } catch (const Wrong&) {  // the problem says it
  }
  return std::nullopt;
}

std::optional<std::string> substitute(std::string_view text, const Lookup& lookup, ExpressionProblem& problem) {
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find('{', at);
    if (open == std::string_view::npos) return result += text.substr(at);
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) {
      problem = {"a brace is not closed", open, {}};
      return std::nullopt;
    }
    const auto value = evaluate(text.substr(open + 1, close - open - 1), lookup, problem);
    if (!value) {
      problem.at += open + 1;
      return std::nullopt;
    }
    result += text.substr(at, open - at);
    result += formats::number_text(*value);
    at = close + 1;
  }
}

}  // namespace seam::study
