#include "seam/analysis/run_error.hpp"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "seam/coupling/emitter/compensator.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/sections.hpp"

namespace seam::analysis {
namespace {

using coupling::FilterSolver;
using lti::Complex;
using lti::Matrix;
using lti::Vector;

/// States after a step: of themselves, and of the number that is fed.
struct Propagation {
  Matrix states;
  Vector fed;

  /// What they are for turn^n fed in the n-th step, over turn^n at its begin.
  Eigen::VectorXcd settled(Complex turn) const {
    const Eigen::MatrixXcd left = turn * Matrix::Identity(states.rows(), states.rows()) - states;
    return left.partialPivLu().solve(fed.cast<Complex>());
  }
};

/// All rows of the emitter over a micro step at whose end the output is fed: one port a row, and one for the output.
Propagation propagation(const coupling::Emitter& emitter) {
  const int rows = emitter.rows(), ports = rows + 1;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> answers(rows, ports);
  answers << Matrix::Identity(rows, rows), Vector::Zero(rows);
  const Vector outputs = Vector::Unit(ports, rows);
  emitter.observe(ports, outputs.data(), answers.data());
  return {answers.leftCols(rows), answers.col(rows)};
}

/// Of the smoother over a time in which it holds a sample.
Propagation propagation(const lti::StateSpace& smoother, double time, FilterSolver solver) {
  if (solver == FilterSolver::euler)
    return {Matrix::Identity(smoother.states(), smoother.states()) + time * smoother.A, time * smoother.B};
  const lti::PolynomialStep step = lti::discretise(smoother, time, 0);
  return {step.Ad, step.G[0]};
}

/// A compensator at the sender and a smoother at the sink, in units of H.
struct Path {
  Propagation sender, smoother;  ///< over a micro step
  lti::Matrix read;              ///< what arrives, of the smoother's states

  Path(const ErrorSystem& system, const Compensator& compensator, double h, FilterSolver solver)
      : sender(propagation(coupling::Compensator(
            lti::realise_in_sections({compensator.zeros, compensator.poles, compensator.gain}), h, solver))) {
    const lti::StateSpace equations = lti::realise(low_pass(system.smoother));
    smoother = propagation(equations, h, solver);
    read = equations.C;
  }
};

}  // namespace

double tone_error(const ErrorSystem& system, const Compensator& compensator, int micro_steps, FilterSolver solver) {
  const double h = 1.0 / micro_steps;
  const Path path(system, compensator, h, solver);
  const Propagation& micro = path.smoother;
  Propagation macro = micro;
  for (int i = 1; i < micro_steps; ++i) macro = {micro.states * macro.states, micro.states * macro.fed + micro.fed};
  constexpr int tones = 30;
  constexpr double highest = 0.3;
  double sum = 0.0;
  for (int k = 0; k < tones; ++k) {
    const double w = 2.0 * std::numbers::pi * highest * (k + 0.5) / tones;
    const Complex turn = std::polar(1.0, w * h);
    const Complex sample = turn * path.sender.settled(turn)(0);
    Eigen::VectorXcd states = sample * macro.settled(std::polar(1.0, w));
    for (int i = 0; i < micro_steps; ++i) {
      sum += 0.5 * std::norm((path.read * states)(0) - std::polar(1.0, w * h * i));
      states = (micro.states * states + sample * micro.fed).eval();
    }
  }
  return std::sqrt(sum / (tones * micro_steps));
}

double kink_error(const ErrorSystem& system, const Compensator& compensator, int micro_steps, FilterSolver solver) {
  const double h = 1.0 / micro_steps;
  const Path path(system, compensator, h, solver);
  constexpr int places = 7, macro_steps = 20;
  double sum = 0.0;
  for (int place = 0; place < places; ++place) {
    const auto signal = [&](int micro) { return std::max(0.0, micro * h - (place + 0.5) / places); };
    Vector sender = Vector::Zero(path.sender.states.rows()), smoother = Vector::Zero(path.smoother.states.rows());
    for (int n = 0; n < macro_steps; ++n) {
      const double sample = sender(0);
      for (int i = n * micro_steps; i < (n + 1) * micro_steps; ++i) {
        const double wrong = (path.read * smoother)(0) - signal(i);
        sum += wrong * wrong * h;
        smoother = (path.smoother.states * smoother + sample * path.smoother.fed).eval();
        sender = (path.sender.states * sender + signal(i + 1) * path.sender.fed).eval();
      }
    }
  }
  return std::sqrt(sum / places);
}

}  // namespace seam::analysis
