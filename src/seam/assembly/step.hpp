// One step of a subsystem: over which time, under which inputs, by which function.
#pragma once

#include <cstddef>
#include <vector>

#include "seam/base/outcome.hpp"
#include "seam/ode/input.hpp"

namespace seam::assembly {

using base::Outcome;
using ode::In;
using ode::InputPolynomials;
using ode::Out;

/// Signals known ahead of time are active in a run and silent while analysis probes the step.
enum class Sources { live, silent };

struct Step {
  double begin = 0.0;
  double length = 0.0;
  Sources sources = Sources::live;
  bool ends_macro_step = true;  ///< false: the master makes the macro step in several calls, and more follow
};

/// How a program will call a subsystem.
struct Calls {
  double length = 0.0;      ///< s, of one call
  int degree = 0;           ///< of the input polynomials
  int in_macro_step = 1;    ///< calls by which the master crosses a macro step, each with a constant input
  double macro_step = 0.0;  ///< s, where it is crossed in several calls
  bool evaluates = false;   ///< outputs are evaluated between steps, too (needs can_evaluate)
  /// Outputs that are wanted after every call, as the member lists them; null: all. Where Observables reads the others,
  /// a step need not write them.
  const std::vector<int>* outputs = nullptr;
};

struct StepCall;

/// Where a row of steps ended: behind the last, or at one that was not accepted.
struct RowEnd {
  const StepCall* at = nullptr;
  Outcome outcome = Outcome::accepted;
};

/// From step.begin over step.length under the input u(theta); outputs at the end, with the input of the step at its
/// end. A bare function over a block of memory that the subsystem chose: with many lanes the cache counts, and such
/// blocks can lie side by side.
struct StepFunction {
  using Call = Outcome (*)(void* who, const Step& step, const InputPolynomials& input, Out outputs);
  /// The same for one subsystem after another, all with this function, until one does not accept.
  using Row = RowEnd (*)(const StepCall* first, const StepCall* end, const Step& step, double* values);
  Call call = nullptr;
  void* who = nullptr;
  Row row = nullptr;  ///< null: one by one

  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs) const {
    return call(who, step, input, outputs);
  }
  /// The member function `advance` of an object that lives as long as this is used.
  template <class Object>
  static StepFunction of(Object& object) {
    return {[](void* who, const Step& step, const InputPolynomials& input, Out outputs) {
              return static_cast<Object*>(who)->advance(step, input, outputs);
            },
            &object};
  }
};

/// What one call a macro step needs to know of a lane, side by side.
struct StepCall {
  StepFunction step;
  int degree = 0;
  int inputs = 0, outputs = 0;       ///< how many
  int coefficients = 0, values = 0;  ///< places of the input polynomial and of the outputs
  int lane = -1;

  /// `base` is where places are counted from.
  InputPolynomials input(const double* base) const { return {base + coefficients, degree, inputs}; }
  Out output(double* base) const { return {base + values, static_cast<std::size_t>(outputs)}; }
};

}  // namespace seam::assembly
