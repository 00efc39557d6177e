#include "seam/analysis/inner_solver.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "seam/lti/logarithm.hpp"

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

/// A Runge–Kutta method, at most diagonally implicit (Hairer, Nørsett and Wanner 1993, section II.1): row i of `a` and
/// the instant c_i of stage i, and the weights b.
struct Tableau {
  std::vector<std::vector<double>> a;
  std::vector<double> b;

  double c(std::size_t stage) const { return std::accumulate(a[stage].begin(), a[stage].end(), 0.0); }
};

/// Methods that make the same of linear equations under held inputs; moving inputs tell them apart by their stages.
const std::vector<Tableau>& tableaus(Method method) {
  static const std::map<Method, std::vector<Tableau>> all = {
      {Method::euler, {{{{0}}, {1}}}},
      {Method::second_order,
       {{{{0}, {0.5, 0}}, {0, 1}},                // midpoint
        {{{0}, {1, 0}}, {0.5, 0.5}},              // Heun
        {{{0}, {2.0 / 3.0, 0}}, {0.25, 0.75}}}},  // Ralston
      {Method::third_order,
       {{{{0}, {0.5, 0}, {-1, 2, 0}}, {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0}},      // Kutta
        {{{0}, {1.0 / 3.0, 0}, {0, 2.0 / 3.0, 0}}, {0.25, 0, 0.75}},           // Heun
        {{{0}, {0.5, 0}, {0, 0.75, 0}}, {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0}}}},  // Bogacki and Shampine
      {Method::fourth_order,
       {{{{0}, {0.5, 0}, {0, 0.5, 0}, {0, 0, 1, 0}}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}},
        {{{0}, {1.0 / 3.0, 0}, {-1.0 / 3.0, 1, 0}, {1, -1, 1, 0}}, {0.125, 0.375, 0.375, 0.125}}}},
      {Method::implicit_euler, {{{{1}}, {1}}}},
      {Method::trapezoidal, {{{{0}, {0.5, 0.5}}, {0.5, 0.5}}, {{{0.5}}, {1}}}},  // and the implicit midpoint rule
  };
  return all.at(method);
}

/// One step of length h by (x, w_0, w_1, …), where the inputs are the sum of w_j (share (t - t0)/h)^j.
Matrix one_step(const StateSpace& equations, const Tableau& tableau, double h, double share, int degree) {
  const auto n = equations.states(), m = equations.inputs(), all = n + m * (degree + 1);
  std::vector<Matrix> slopes;  // of each stage, by (x, w)
  Matrix end = Matrix::Identity(n, all);
  for (std::size_t i = 0; i < tableau.b.size(); ++i) {
    Matrix state = Matrix::Identity(n, all);
    for (std::size_t k = 0; k < i; ++k) state += h * tableau.a[i][k] * slopes[k];
    Matrix slope = equations.A * state;
    for (int j = 0; j <= degree; ++j) slope.middleCols(n + j * m, m) += std::pow(share * tableau.c(i), j) * equations.B;
    const double implicit = tableau.a[i][i];
    if (implicit != 0.0)
      slope = (Matrix::Identity(n, n) - h * implicit * equations.A).partialPivLu().solve(slope).eval();
    end += h * tableau.b[i] * slope;
    slopes.push_back(std::move(slope));
  }
  Matrix step = Matrix::Zero(all, all);
  step.topRows(n) = end;
  for (int j = 0; j <= degree; ++j) {  // the same polynomial of inputs from the end of the step on
    double factor = 1.0;               // l over j times share^(l - j)
    for (int l = j; l <= degree; ++l) {
      step.block(n + j * m, n + l * m, m, m) = factor * Matrix::Identity(m, m);
      factor *= share * (l + 1) / (l + 1 - j);
    }
  }
  return step;
}

/// Of a method in so many equal steps.
struct Crossing {
  Method method;
  std::size_t variant;  ///< of its tableaus
  int steps;
};

StepMap map_of(const StateSpace& equations, const Crossing& crossing, double length, int degree) {
  const auto n = equations.states(), m = equations.inputs();
  const Tableau& tableau = tableaus(crossing.method)[crossing.variant];
  Matrix power = one_step(equations, tableau, length / crossing.steps, 1.0 / crossing.steps, degree);
  Matrix call = Matrix::Identity(power.rows(), power.cols());
  for (int left = crossing.steps; left > 0; left /= 2) {  // by squares
    if (left % 2 != 0) call = Matrix(power * call);
    power = Matrix(power * power);
  }
  const Matrix A = call.topLeftCorner(n, n), B = call.topRightCorner(n, m * (degree + 1));
  Matrix D = equations.C * B;
  for (int j = 0; j <= degree; ++j) D.middleCols(j * m, m) += equations.D;  // every power of theta is 1 at the end
  return {length, degree, {A, B, equations.C * A, D}};
}

/// The same call with inputs of a higher degree, whose further powers nothing follows.
StepMap widened(StepMap map, int degree) {
  const Eigen::Index columns = map.inputs() * Eigen::Index{degree + 1}, known = map.matrices.inputs();
  for (lti::Matrix* matrix : {&map.matrices.B, &map.matrices.D}) {
    matrix->conservativeResize(Eigen::NoChange, columns);
    matrix->rightCols(columns - known).setZero();
  }
  map.degree = degree;
  return map;
}

/// What a method in so many steps makes of calls of one kind, if it follows powers of the inputs up to one.
StepMap map_of(const StateSpace& equations, const Crossing& crossing, const CallsToExplain::Kind& kind,
               const std::optional<int>& follows) {
  const int followed = std::min(kind.degree, follows.value_or(kind.degree));
  return widened(map_of(equations, crossing, kind.length, followed), kind.degree);
}

/// How many steps of a method explain the calls of a kind best. The error has one minimum, as that of 1/n^p has.
int best_number(const StateSpace& equations, const InnerSolver& solver, std::size_t kind,
                const CallsToExplain& calls) {
  const auto error = [&](int steps) {
    const Crossing crossing{solver.method, solver.variant.value_or(0), steps};
    const double found = calls.error(kind, map_of(equations, crossing, calls.kinds[kind], solver.follows));
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

/// That method, in these numbers of steps.
InnerSolver as_steps(const InnerSolver& method, const CallsToExplain& calls, const std::vector<int>& numbers) {
  const std::vector<CallsToExplain::Kind>& kinds = calls.kinds;
  InnerSolver solver = method;
  solver.a_call = numbers.front();
  solver.step = kinds.front().length / numbers.front();
  bool same_number = true, same_step = true, several_lengths = false;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const double step = kinds[i].length / numbers[i];
    same_number = same_number && numbers[i] == numbers.front();
    same_step = same_step && std::abs(step - solver.step) <= 1e-9 * solver.step;
    several_lengths = several_lengths || kinds[i].length != kinds.front().length;
  }
  solver.steps = same_step && several_lengths ? Steps::of_its_own : same_number ? Steps::of_the_call : Steps::varying;
  return solver;
}

/// Z with R(Z) = M; none if it is not found. Z and M commute, so Newton's method is that for numbers.
std::optional<Matrix> inverse_of_stability_function(Method method, const Matrix& M) {
  const Matrix I = Matrix::Identity(M.rows(), M.cols());
  const auto quotient = [](const Matrix& above, const Matrix& below) {
    return Matrix(below.partialPivLu().solve(above));
  };
  if (method == Method::euler) return Matrix(M - I);
  if (method == Method::implicit_euler) return Matrix(I - quotient(I, M));
  if (method == Method::trapezoidal) return Matrix(2.0 * quotient(M - I, M + I));
  const auto start = lti::logarithm(M);
  if (!start) return std::nullopt;
  const int order = 1 + static_cast<int>(method) - static_cast<int>(Method::euler);
  Matrix Z = *start;
  constexpr int most_iterations = 30;
  for (int i = 0; i < most_iterations; ++i) {
    Matrix R = I, slope = I;  // of 1 + z + … + z^p/p!
    for (int k = order; k > 0; --k) {
      R = (I + Z * R / k).eval();
      if (k > 1) slope = (I + Z * slope / (k - 1)).eval();
    }
    const Matrix change = quotient(R - M, slope);
    if (!change.allFinite()) return std::nullopt;
    Z -= change;
    if (change.norm() <= 1e-12 * Z.norm()) return Z;
  }
  return std::nullopt;
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
  const int followed = std::min(degree, follows.value_or(degree));
  if (method == Method::exact) return widened(step_map(equations, length, followed), degree);
  if ((followed > 0 && !variant) || steps == Steps::varying) return std::nullopt;
  Crossing crossing{method, variant.value_or(0), a_call};
  if (steps == Steps::of_its_own) {
    const double number = std::round(length / step);
    if (number < 1.0 || number > 1e6 || std::abs(length - number * step) > 1e-9 * length) return std::nullopt;
    crossing.steps = static_cast<int>(number);
  }
  return widened(map_of(equations, crossing, length, followed), degree);
}

std::vector<InnerSolver> InnerSolver::refined(int degree) const {
  std::vector<InnerSolver> all;
  const std::size_t variants = degree == 0 || method == Method::exact ? 1 : tableaus(method).size();
  for (int power = std::min(degree, follows.value_or(degree)); power >= 0; --power) {
    for (std::size_t i = 0; i < variants; ++i) {
      all.push_back(*this);
      if (degree > 0 && method != Method::exact) all.back().variant = i;
      if (power < degree) all.back().follows = power;
    }
  }
  // inputs of a low degree do not tell all variants apart
  std::ranges::stable_partition(all, [&](const InnerSolver& one) { return one.variant == variant; });
  return all;
}

std::vector<InnerSolver> one_step_solvers() {
  std::vector<InnerSolver> all = {{}};
  for (const Method method : one_step_methods) all.push_back({.method = method});
  return all;
}

std::string words(const InnerSolver& solver) {
  const char* const method = word(solver.method);
  if (solver.steps == Steps::of_its_own) return fmt::format("{} steps of {:.6g} s", method, solver.step);
  if (solver.steps == Steps::varying) return fmt::format("{} steps, {} in the longest call", method, solver.a_call);
  return fmt::format("{} {} step{} a call", solver.a_call, method, solver.a_call == 1 ? "" : "s");
}

std::optional<InnerSolver> solver_of(const StateSpace& equations, const CallsToExplain& calls) {
  const auto missed = [&](const auto& map_at) {
    double worst = 0.0;
    for (std::size_t i = 0; i < calls.kinds.size() && worst <= calls.allowed; ++i)
      worst = std::max(calls.error(i, map_at(i)), worst);
    return worst;
  };
  Explanation explanation{calls.allowed};
  std::optional<InnerSolver> taken;
  if (calls.kinds.empty()) return taken;
  for (const InnerSolver& exact : InnerSolver{}.refined(calls.degree())) {
    const auto call = [&](std::size_t i) { return *exact.call(equations, calls.kinds[i].length, calls.kinds[i].degree); };
    if (explanation.take(missed(call))) taken = exact;
  }
  if (calls.kinds.front().length <= calls.kinds.back().length) return taken;  // one number would explain one length
  for (const Method method : one_step_methods) {
    for (const InnerSolver& one : InnerSolver{.method = method}.refined(calls.degree())) {
      if (explanation.is_perfect()) return taken;
      std::vector<int> numbers;
      const auto best = [&](std::size_t i) {
        numbers.push_back(best_number(equations, one, i, calls));
        return map_of(equations, {method, one.variant.value_or(0), numbers.back()}, calls.kinds[i], one.follows);
      };
      if (explanation.take(missed(best))) taken = as_steps(one, calls, numbers);
    }
  }
  return taken;
}

// Under held inputs w the call is one step of (x, w)' = Z/h (x, w), whose map is R(Z): Z = R^-1 of it. The inverse of
// the stability function of a Runge-Kutta method is that near the logarithm.
std::optional<StateSpace> equations_behind(const StepMap& map, Method method) {
  if (method == Method::exact) return equations_behind(map);
  const auto outputs = outputs_behind(map);
  if (!outputs) return std::nullopt;
  const auto n = map.matrices.states(), m = Eigen::Index{map.inputs()};
  lti::Vector sizes = map.matrices.B.leftCols(m).colwise().norm();
  for (double& size : sizes) size = size > 0.0 ? size : 1.0;
  Matrix call = Matrix::Identity(n + m, n + m);
  call.topLeftCorner(n, n) = map.matrices.A;
  call.topRightCorner(n, m) = map.matrices.B.leftCols(m) * sizes.cwiseInverse().asDiagonal();
  const auto rates = inverse_of_stability_function(method, call);
  if (!rates || !rates->allFinite()) return std::nullopt;
  return StateSpace{rates->topLeftCorner(n, n) / map.step, rates->topRightCorner(n, m) * sizes.asDiagonal() / map.step,
                    outputs->C, outputs->D};
}

}  // namespace seam::analysis
