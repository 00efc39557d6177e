// The micro steps of a macro step in one call: what a loop over evaluate and advance gives, to the bit.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "seam/assembly/lone_step.hpp"
#include "seam/assembly/subsystem.hpp"

namespace seam::assembly {

/// What is known of the micro steps before the run.
struct MarchWish {
  double length = 0.0;  ///< of a micro step, s
  int degree = 0;       ///< of the polynomial over the macro step
  enum class Parts {
    polynomials,  ///< a micro step gets its part of the polynomial
    constants     ///< a micro step gets the value of the polynomial at its begin
  } parts = Parts::polynomials;
  int most = 1;                                  ///< micro steps in one call
  std::vector<int> begin_outputs;                ///< wanted at the begin of every micro step, with its input
  std::vector<int> begin_inputs;                 ///< the same, as they were given
  std::vector<int> end_outputs;                  ///< wanted at the end of every micro step, with its input there
  std::vector<int> given_each = {};              ///< inputs with a polynomial of their own for every micro step
  std::vector<std::vector<int>> evaluated = {};  ///< outputs that are evaluated together
  std::vector<int> evaluated_later = {};         ///< outputs that nobody reads after step() before they are evaluated
};

class MarcherPair;

class Marcher {
 public:
  virtual ~Marcher() = default;

  /// Micro steps first, first + 1, … of `parts` equal ones that a macro step consists of.
  struct Stretch {
    double begin = 0.0;   ///< of the macro step
    double length = 0.0;  ///< of a micro step
    Sources sources = Sources::live;
    InputPolynomials input;  ///< over the macro step
    int first = 0, count = 1, parts = 1;
    const double* given = nullptr;  ///< (degree + 1) rows of all inputs a micro step, of which those `given_each` count
  };
  /// Where what was wished for goes: a row a micro step.
  struct Notes {
    double* begins = nullptr;  ///< outputs, then inputs
    double* ends = nullptr;
    double* outputs = nullptr;  ///< all of them at the end of the last micro step
  };
  /// False: nothing was done, because these steps are not as they were announced or their input is not finite.
  virtual bool march(const Stretch& stretch, const Notes& notes) = 0;
  /// Of macro steps that are one micro step, as march. False, too, where march has to be asked.
  virtual bool step(double begin, Sources sources, const double* coefficients, const Notes& notes) = 0;
  /// What is to be evaluated: one of MarchWish::evaluated, at a time.
  struct Wanted {
    int number = 0;
    double time = 0.0;
    Sources sources = Sources::live;
  };
  /// These outputs for these inputs, as Subsystem::evaluate gives them; each to its own place.
  virtual void evaluate(const Wanted& wanted, const double* inputs, double* outputs) = 0;

  /// The same without known signals, where macro steps are one micro step; null where they are not.
  virtual LoneStep* lone_step() = 0;
  /// Inputs that follow known signals, and until when they stay as they are at t; the others are left alone.
  virtual double write_signals(double t, Sources sources, double* inputs) = 0;
  virtual std::vector<int> driven_inputs() const = 0;
  /// Whether an input that is 0 adds nothing to any sum.
  virtual bool forgets_zeros() const = 0;

  /// Both at once, where that is faster; both have to live as long. Null: it is not.
  virtual std::unique_ptr<MarcherPair> beside(Marcher& other) = 0;
};

class MarcherPair {
 public:
  virtual ~MarcherPair() = default;
  using Stretches = std::array<Marcher::Stretch, 2>;
  using Notes = std::array<Marcher::Notes, 2>;
  using Outcomes = std::array<bool, 2>;
  /// As march() of each.
  virtual Outcomes march(const Stretches& stretches, const Notes& notes) = 0;
};

}  // namespace seam::assembly
