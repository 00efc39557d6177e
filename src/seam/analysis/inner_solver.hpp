// What a solver inside an FMU makes of equations that are known: its calls, by the usual one-step methods.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/linear_models.hpp"

namespace seam::analysis {

/// A solver that crosses a call in equal steps of one method.
struct InnerSolver {
  enum class Method {
    exact,
    euler,
    second_order,  ///< explicit Runge–Kutta with as many stages as its order: of linear equations all make the same
    third_order,
    fourth_order,
    implicit_euler,
    trapezoidal  ///< of linear equations also the implicit midpoint rule
  } method = Method::exact;
  /// Which of the methods that are one under held inputs; none: moving inputs have not told.
  std::optional<std::size_t> variant = {};
  /// The highest power of an input's polynomial that it follows; none: all. Many FMUs take higher derivatives of inputs
  /// and leave them out.
  std::optional<int> follows = {};
  enum class Steps {
    of_the_call,  ///< so many a call, whatever its length
    of_its_own,   ///< of one length, whatever the call's
    varying       ///< another number at every length
  } steps = Steps::of_the_call;
  int a_call = 1;     ///< of the longest that was looked at
  double step = 0.0;  ///< s, of its own

  /// The call of these equations; none where it is not told by what is known, as with inputs that move in it while the
  /// variant is not known.
  std::optional<StepMap> call(const lti::StateSpace& equations, double length, int degree) const;
  /// What it may be where only calls with inputs of a lower degree have told: the simplest first.
  std::vector<InnerSolver> refined(int degree) const;
};

/// Each method in one step a call, with nothing known of moving inputs; the exact solution first.
std::vector<InnerSolver> one_step_solvers();

/// "one Euler step a call"
std::string words(const InnerSolver& solver);

/// Which of several explanations is taken; they are tried from the simplest on. Short calls hardly tell solvers apart:
/// one that misses them by far less is taken instead of a simpler one.
struct Explanation {
  double allowed = 0.0;                                     ///< error up to which one explains the calls
  double least = std::numeric_limits<double>::infinity();  ///< error of the one that was taken

  /// Whether this one is taken.
  bool take(double error) {
    constexpr double far_less = 0.1;
    const bool better = error <= allowed && (std::isinf(least) || error < far_less * least);
    if (better) least = error;
    return better;
  }
  bool is_perfect() const {
    constexpr double rounding = 1e-10;
    return least <= rounding;
  }
};

/// Calls that are to be explained.
struct CallsToExplain {
  struct Kind {
    double length = 0.0;  ///< s
    int degree = 0;       ///< of the input's polynomial
  };
  std::vector<Kind> kinds;  ///< the longest first
  /// How far a map of the calls of one kind is from what the FMU answered.
  std::function<double(std::size_t kind, const StepMap& map)> error;
  double allowed = 0.0;  ///< error up to which it explains them

  int degree() const {
    int highest = 0;
    for (const Kind& kind : kinds) highest = std::max(highest, kind.degree);
    return highest;
  }
};
/// The solver with which these equations make all of the calls; none if no usual one does.
std::optional<InnerSolver> solver_of(const lti::StateSpace& equations, const CallsToExplain& calls);
/// The equations of which one step of a method makes a call: the inverse of `InnerSolver::call`. None if there are
/// none.
std::optional<lti::StateSpace> equations_behind(const StepMap& map, InnerSolver::Method method);

}  // namespace seam::analysis
