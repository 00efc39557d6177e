// Inputs of coupled linear systems for the step to come: the coupled motion is predicted, and every system gets the
// input, of a form that it can take, that brings it to where the coupled motion ends.
#pragma once

#include <optional>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// How an input may move within a step.
struct InputForm {
  enum class Kind {
    midpoint,    ///< one constant, the predicted input in the middle of the step
    polynomial,  ///< of degree coefficients - 1 in theta from 0 to 1
    pieces       ///< as many constants as coefficients, each over an equal part of the step
  } kind = Kind::polynomial;
  int coefficients = 2;
};

/// One of the systems. Its inputs are those that are predicted, then others, whose course is known.
struct PredictedPart {
  StateSpace system;
  int predicted = 0;      ///< inputs
  InputForm form;         ///< of these
  Matrix metric;          ///< W: a deviation dx of the state counts as |W dx|
  Matrix drive;           ///< from an innovation to the constant rate of the states that would have made it
  double log_unit = 0.0;  ///< logarithm of the size that counts as 1 in the metric
};

/// u = L y + l, over the predicted inputs and the outputs of all parts, one behind the other.
struct Wiring {
  Matrix L;
  Vector l;
};

/// What is known at the begin of the step. Courses are polynomials in theta.
struct KnownCourses {
  int residual = 0;  ///< degree of what outputs are beyond their model
  int drive = -1;    ///< degree of the innovation that goes on driving the states; -1: none does
  int others = 0;    ///< degree of the other inputs
};

/// Places of what the inputs depend on: columns of `gains`.
struct PredictionColumns {
  int states = 0, outputs = 0, others = 0;  ///< of all parts
  KnownCourses degrees;

  int state(int i) const { return i; }
  int residual(int power, int output) const { return states + power * outputs + output; }
  int drive(int power, int output) const { return residual(degrees.residual + 1 + power, output); }
  int other(int power, int input) const { return drive(degrees.drive + 1, 0) + power * others + input; }
  int constant() const { return other(degrees.others + 1, 0); }
  int count() const { return constant() + 1; }
};

/// Coefficients of every predicted input, one input behind the other, from these columns.
struct InputPrediction {
  PredictionColumns columns;
  Matrix gains;
  Matrix motion;  ///< the same of the states of all parts at the end of the step
};

struct PredictionTask {
  std::vector<PredictedPart> parts;
  Wiring wiring;
  Vector log_sizes;  ///< of the outputs, logarithms: how much of one counts as much as how much of another
  double step = 0.0;
  KnownCourses courses;
};

/// None if direct feed-through closes a loop without a unique solution.
std::optional<InputPrediction> predict_inputs(const PredictionTask& task);

}  // namespace seam::lti
