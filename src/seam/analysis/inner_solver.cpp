#include "seam/analysis/inner_solver.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace seam::analysis {
namespace {

using lti::Matrix;
using lti::StateSpace;
using Method = InnerSolver::Method;
using Steps = InnerSolver::Steps;

constexpr Method one_step_methods[] = {Method::euler,        Method::second_order,   Method::third_order,
                                       Method::fourth_order, Method::implicit_euler, Method::trapezoidal};
/// More of them in a call leave next to nothing that would tell the method.
constexpr int most_steps = 1000;

/// x+ = R(z) x + h phi(z) B u with z = h A and phi(z) = (R(z) - 1)/z; R is the stability function (Hairer and Wanner
/// 1996, sections IV.2 and IV.3).
struct OneStep {
  Matrix R, phi;
};

OneStep one_step(Method method, const Matrix& z) {
  const Matrix I = Matrix::Identity(z.rows(), z.cols());
  if (method == Method::implicit_euler || method == Method::trapezoidal) {
    const double implicit = method == Method::trapezoidal ? 0.5 : 1.0;
    const Matrix phi = (I - implicit * z).partialPivLu().inverse();
    return {I + z * phi, phi};
  }
  const int order = 1 + static_cast<int>(method) - static_cast<int>(Method::euler);
  Matrix phi = I;  // 1 + z/2! + z^2/3! + …, by Horner
  for (int k = order; k > 1; --k) phi = I + z * phi / k;
  return {I + z * phi, phi};
}

StepMap map_of(const StateSpace& equations, Method method, int steps, double length) {
  const double h = length / steps;
  const OneStep one = one_step(method, h * equations.A);
  StateSpace call{one.R, h * one.phi * equations.B, {}, {}};
  Matrix A = Matrix::Identity(equations.states(), equations.states());
  Matrix B = Matrix::Zero(equations.states(), equations.inputs());
  for (int left = steps; left > 0; left /= 2) {  // by squares
    if (left % 2 != 0) {
      B = call.A * B + call.B;
      A = call.A * A;
    }
    call.B += call.A * call.B;
    call.A = Matrix(call.A * call.A);
  }
  return {length, 0, {A, B, equations.C * A, equations.C * B + equations.D}};
}

/// How many steps of a method explain the calls of a length best. The error has one minimum, as that of 1/n^p has.
int best_number(const StateSpace& equations, Method method, std::size_t length, const CallsToExplain& calls) {
  const auto error = [&](int steps) {
    const double found = calls.error(length, map_of(equations, method, steps, calls.lengths[length]));
    return std::isfinite(found) ? found : std::numeric_limits<double>::max();
  };
  int low = 1, best = 1, high = 2;
  for (double least = error(1); high <= most_steps; high *= 2) {
    const double now = error(high);
    if (now > least) break;  // as large: too large to be told apart
    low = best;
    best = high;
    least = now;
  }
  while (high - low > 2) {
    const int left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (error(left) <= error(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  best = low;
  for (int steps = low + 1; steps <= high; ++steps) {
    if (error(steps) < error(best)) best = steps;
  }
  return best;
}

InnerSolver as_steps(Method method, const std::vector<double>& lengths, const std::vector<int>& numbers) {
  InnerSolver solver{method, Steps::varying, numbers.front(), lengths.front() / numbers.front()};
  bool same_number = true, same_step = true;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    same_number = same_number && numbers[i] == numbers.front();
    same_step = same_step && std::abs(lengths[i] / numbers[i] - solver.step) <= 1e-9 * solver.step;
  }
  if (same_number) solver.steps = Steps::of_the_call;
  if (same_step && lengths.size() > 1) solver.steps = Steps::of_its_own;
  return solver;
}

const char* word(Method method) {
  switch (method) {
    case Method::exact:
      break;
    case Method::euler:
      return "Euler";
    case Method::second_order:
      return "second-order Runge-Kutta";
    case Method::third_order:
      return "third-order Runge-Kutta";
    case Method::fourth_order:
      return "fourth-order Runge-Kutta";
    case Method::implicit_euler:
      return "implicit Euler";
    case Method::trapezoidal:
      return "trapezoidal";
  }
  return "exact";
}

}  // namespace

std::optional<StepMap> InnerSolver::call(const StateSpace& equations, double length, int degree) const {
  if (method == Method::exact) return step_map(equations, length, degree);
  if (degree > 0 || steps == Steps::varying) return std::nullopt;
  if (steps == Steps::of_the_call) return map_of(equations, method, a_call, length);
  const double number = std::round(length / step);
  if (number < 1.0 || number > 1e6 || std::abs(length - number * step) > 1e-9 * length) return std::nullopt;
  return map_of(equations, method, static_cast<int>(number), length);
}

std::string words(const InnerSolver& solver) {
  const char* const method = word(solver.method);
  if (solver.steps == Steps::of_its_own) return fmt::format("{} steps of {:.6g} s", method, solver.step);
  if (solver.steps == Steps::varying) return fmt::format("{} steps, {} in the longest call", method, solver.a_call);
  return fmt::format("{} {} step{} a call", solver.a_call, method, solver.a_call == 1 ? "" : "s");
}

std::optional<InnerSolver> solver_of(const StateSpace& equations, const CallsToExplain& calls) {
  const auto explains = [&](std::size_t length, const StepMap& map) {
    return calls.error(length, map) <= calls.allowed;
  };
  const auto all = [&](const auto& map_at) {
    for (std::size_t i = 0; i < calls.lengths.size(); ++i) {
      if (!explains(i, map_at(i))) return false;
    }
    return !calls.lengths.empty();
  };
  if (all([&](std::size_t i) { return step_map(equations, calls.lengths[i], calls.degree); })) return InnerSolver{};
  if (calls.degree > 0 || calls.lengths.size() < 2) return std::nullopt;  // one number would explain one length
  for (const Method method : one_step_methods) {
    std::vector<int> numbers;
    const auto best = [&](std::size_t i) {
      numbers.push_back(best_number(equations, method, i, calls));
      return map_of(equations, method, numbers.back(), calls.lengths[i]);
    };
    if (all(best)) return as_steps(method, calls.lengths, numbers);
  }
  return std::nullopt;
}

}  // namespace seam::analysis
