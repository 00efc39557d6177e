#include "seam/study/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

struct KnownFunction {
  const char* name;
  std::size_t arguments;
  double (*call)(const double* x);
};

constexpr KnownFunction functions[] = {
    {"sqrt", 1, [](const double* x) { return std::sqrt(x[0]); }},
    {"exp", 1, [](const double* x) { return std::exp(x[0]); }},
    {"log", 1, [](const double* x) { return std::log(x[0]); }},
    {"sin", 1, [](const double* x) { return std::sin(x[0]); }},
    {"cos", 1, [](const double* x) { return std::cos(x[0]); }},
    {"tan", 1, [](const double* x) { return std::tan(x[0]); }},
    {"abs", 1, [](const double* x) { return std::abs(x[0]); }},
    {"min", 2, [](const double* x) { return std::min(x[0], x[1]); }},
    {"max", 2, [](const double* x) { return std::max(x[0], x[1]); }},
};

/// Numbers that wait for an operation.
constexpr std::size_t deepest_stack = 64;

/// Thrown inside this file alone.
struct Wrong {};

}  // namespace

class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, ExpressionProblem& problem) : text_(text), problem_(problem) {
    result_.text_ = text;
  }

  Expression whole() {
    sum();
    if (at_ < text_.size()) fail(fmt::format("\"{}\" is not expected here", text_[at_]));
    return std::move(result_);
  }

 private:
  using Operation = Expression::Operation;
  using Code = Operation::Code;

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

  void push(const Operation& operation) {
    result_.operations_.push_back(operation);
    if (++height_ > deepest_stack) fail("it is nested too deep");
  }
  /// It puts one number in the place of so many.
  void combine(Code code, std::size_t count) {
    result_.operations_.push_back({code});
    height_ -= count - 1;
  }

  void sum() {
    product();
    for (;;) {
      const Code code = take('+') ? Code::add : take('-') ? Code::subtract : Code::number;
      if (code == Code::number) return;
      product();
      combine(code, 2);
    }
  }

  void product() {
    signed_power();
    for (;;) {
      const Code code = take('*') ? Code::multiply : take('/') ? Code::divide : Code::number;
      if (code == Code::number) return;
      signed_power();
      combine(code, 2);
    }
  }

  /// A sign binds weaker than a power, as on paper: -2^2 is -4.
  void signed_power() {
    constexpr int deepest = 100;
    if (++depth_ > deepest) fail("it is nested too deep");
    if (take('-')) {
      signed_power();
      combine(Code::negate, 1);
    } else {
      atom();
      if (take('^')) {
        signed_power();
        combine(Code::power, 2);
      }
    }
    --depth_;
  }

  void atom() {
    if (take('(')) {
      sum();
      if (!take(')')) fail("a bracket is not closed");
      return;
    }
    if (at_ >= text_.size()) fail("something is missing at the end");
    if (text_[at_] == '`') return quoted();
    if (begins_name(text_[at_])) return named();
    const std::size_t length = formats::number_length(text_.substr(at_));
    if (length == 0 || text_[at_] == '+') fail(fmt::format("\"{}\" is not expected here", text_[at_]));
    const formats::NumberRead read = formats::read_number(text_.substr(at_, length));
    if (read.reading != formats::Reading::number) fail("this number cannot be held");
    at_ += length;
    push({.code = Code::number, .number = read.number});
  }

  void quoted() {
    const std::size_t close = text_.find('`', at_ + 1);
    if (close == std::string_view::npos) fail("a backquote is not closed");
    push_name(std::string(text_.substr(at_ + 1, close - at_ - 1)), at_);
    at_ = close + 1;
  }

  void named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    std::string name(text_.substr(begin, at_ - begin));
    if (take('(')) return called(name, begin);
    push_name(std::move(name), begin);
  }

  void push_name(std::string name, std::size_t begin) {
    auto& names = result_.names_;
    const auto known = std::ranges::find(names, name, &Expression::Name::text);
    const auto number = static_cast<std::size_t>(known - names.begin());
    if (known == names.end()) names.push_back({std::move(name), begin});
    push({.code = Code::name, .name = number});
  }

  void called(const std::string& name, std::size_t begin) {
    const auto* const found =
        std::find_if(std::begin(functions), std::end(functions), [&](const auto& known) { return name == known.name; });
    if (found == std::end(functions)) {
      at_ = begin;
      fail(fmt::format("there is no function \"{}\"; there are sqrt, exp, log, sin, cos, tan, abs, min, max", name));
    }
    std::size_t arguments = 1;
    for (sum(); take(','); ++arguments) sum();
    if (!take(')')) fail("a bracket is not closed");
    if (arguments != found->arguments)
      fail(fmt::format("{} takes {} argument{}", name, found->arguments, found->arguments == 1 ? "" : "s"));
    combine(Code::call, arguments);
    result_.operations_.back().function = found->call;
    result_.operations_.back().arguments = arguments;
  }

  std::string_view text_;
  ExpressionProblem& problem_;
  Expression result_;
  std::size_t at_ = 0, height_ = 0;
  int depth_ = 0;
};

std::optional<Expression> Expression::read(std::string_view text, ExpressionProblem& problem) {
  try {
    return ExpressionReader(text, problem).whole();
  } catch (const Wrong&) {  // the problem says it
    return std::nullopt;
  }
}

double Expression::value(const double* numbers) const {
  std::array<double, deepest_stack + 1> stack;
  double* top = stack.data();  // behind the last number
  for (const Operation& operation : operations_) {
    switch (operation.code) {
      case Operation::Code::number:
        *top++ = operation.number;
        break;
      case Operation::Code::name:
        *top++ = numbers[operation.name];
        break;
      case Operation::Code::negate:
        top[-1] = -top[-1];
        break;
      case Operation::Code::add:
        --top;
        top[-1] += *top;
        break;
      case Operation::Code::subtract:
        --top;
        top[-1] -= *top;
        break;
      case Operation::Code::multiply:
        --top;
        top[-1] *= *top;
        break;
      case Operation::Code::divide:
        --top;
        top[-1] /= *top;
        break;
      case Operation::Code::power:
        --top;
        top[-1] = std::pow(top[-1], *top);
        break;
      case Operation::Code::call:
        top -= operation.arguments;
        *top = operation.function(top);
        ++top;
        break;
    }
  }
  return stack[0];
}

const std::string* Expression::single_name() const {
  const bool single = operations_.size() == 1 && operations_[0].code == Operation::Code::name;
  return single ? &names_.front().text : nullptr;
}

std::optional<double> constant(std::string_view name) {
  return name == "pi" ? std::optional(std::numbers::pi) : std::nullopt;
}

std::optional<double> evaluate(std::string_view text, const Lookup& lookup, ExpressionProblem& problem) {
  const auto expression = Expression::read(text, problem);
  if (!expression) return std::nullopt;
  std::vector<double> numbers;
  for (const Expression::Name& name : expression->names()) {
    auto number = lookup(name.text);
    if (!number) number = constant(name.text);
    if (!number) {
      problem = {fmt::format("\"{}\" has no value here", name.text), name.at, name.text};
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  const double value = expression->value(numbers.data());
  if (std::isfinite(value)) return value;
  problem = {fmt::format("\"{}\" is not a finite number", text), 0, {}};
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
