// The error of a run under tones once its start has died away, beside what the coupled equations answer to them.
#pragma once

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "seam/analysis/loop_gain.hpp"
#include "seam/analysis/monolithic.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::testing {

using Complex = std::complex<double>;

/// Im(amplitude exp(2 pi j frequency t)).
struct Tone {
  double frequency = 0.0;  ///< Hz
  Complex amplitude = 1.0;
};

/// Those of the model `multisine` with a root mean square of 1.
inline std::vector<Tone> tones_of_multisine(double from, double to, int count) {
  std::vector<Tone> tones;
  for (int k = 0; k < count; ++k)
    tones.push_back({from + (to - from) * (k + 0.5) / count,
                     std::polar(std::sqrt(2.0 / count), -std::numbers::pi * k * (k + 1.0) / count)});
  return tones;
}

/// All outputs of the equations under an excitation of these inputs, a column a tone.
inline Eigen::MatrixXcd answers(const lti::StateSpace& whole, const Eigen::VectorXcd& inputs,
                                const std::vector<Tone>& tones) {
  Eigen::MatrixXcd result(whole.outputs(), static_cast<Eigen::Index>(tones.size()));
  for (std::size_t k = 0; k < tones.size(); ++k) {
    Eigen::MatrixXcd shifted = -whole.A.cast<Complex>();
    shifted.diagonal().array() += Complex(0.0, 2.0 * std::numbers::pi * tones[k].frequency);
    const Eigen::VectorXcd tone = tones[k].amplitude * inputs;
    result.col(static_cast<Eigen::Index>(k)) = whole.C * shifted.partialPivLu().solve(whole.B * tone) + whole.D * tone;
  }
  return result;
}

/// How long a run is watched, in hyper-periods.
struct Watch {
  base::Tick settling = 0, window = 0;

  /// Until the slowest motion of the step has decayed by so many e-folds.
  static base::Tick to_settle(double radius, double folds) {
    return static_cast<base::Tick>(std::ceil(-folds / std::log(std::max(radius, 0.3))));
  }
};

/// What the equations answer to tones from tick to tick of a grid. Tests are not optimised: plain loops over few calls.
class ExactAnswers {
 public:
  ExactAnswers(const base::Grid& grid, const std::vector<Tone>& tones, const Eigen::MatrixXcd& answers)
      : grid_(grid), tones_(tones), now_(2 * tones.size()), turn_(2 * tones.size()) {
    for (std::size_t k = 0; k < tones.size(); ++k) {
      const double angle = 2.0 * std::numbers::pi * tones[k].frequency * grid.step;
      turn_[2 * k] = std::cos(angle);
      turn_[2 * k + 1] = std::sin(angle);
    }
    for (Eigen::Index i = 0; i < answers.rows(); ++i) {
      for (Eigen::Index k = 0; k < answers.cols(); ++k) {
        parts_.push_back(answers(i, k).imag());  // by the cosine
        parts_.push_back(answers(i, k).real());  // by the sine
      }
    }
  }

  void move_to(base::Tick tick) {
    constexpr base::Tick until_drift = 256;
    if (tick != tick_ + 1 || tick % until_drift == 0) {
      for (std::size_t k = 0; k < tones_.size(); ++k) {
        const double angle = 2.0 * std::numbers::pi * tones_[k].frequency * grid_.time(tick);
        now_[2 * k] = std::cos(angle);
        now_[2 * k + 1] = std::sin(angle);
      }
    } else {
      const std::size_t count = now_.size();
      double* const now = now_.data();
      const double* const turn = turn_.data();
      for (std::size_t k = 0; k < count; k += 2) {
        const double cosine = now[k];
        now[k] = cosine * turn[k] - now[k + 1] * turn[k + 1];
        now[k + 1] = cosine * turn[k + 1] + now[k + 1] * turn[k];
      }
    }
    tick_ = tick;
  }

  double at(Eigen::Index output) const {
    const std::size_t count = now_.size();
    const double* const part = parts_.data() + static_cast<std::size_t>(output) * count;
    const double* const now = now_.data();
    double sum = 0.0;
    for (std::size_t k = 0; k < count; ++k) sum += part[k] * now[k];
    return sum;
  }

 private:
  const base::Grid grid_;
  const std::vector<Tone>& tones_;
  std::vector<double> now_, turn_, parts_;  // cosine and sine a tone
  base::Tick tick_ = -2;
};

/// Of each output at the ends of its subsystem's steps, over its size; of outputs that nothing moves 0. `exact` has a
/// row an output and a column a tone.
inline std::vector<double> settled_errors(const engine::System& system, const std::vector<Tone>& tones,
                                          const Eigen::MatrixXcd& exact, const Watch& watch) {
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  const coupling::Program& program = live.program;
  coupling::Memory memory = coupling::start(program);
  coupling::advance(program, memory, watch.settling * program.hyper_period());
  Eigen::VectorXd errors = Eigen::VectorXd::Zero(exact.rows()), sizes = errors;
  ExactAnswers answers(program.grid, tones, exact);
  for (base::Tick n = 0; n < watch.window * program.hyper_period(); ++n) {
    coupling::advance(program, memory, 1);
    answers.move_to(memory.tick);
    Eigen::Index first = 0;
    for (std::size_t m = 0; m < live.assembly->members.size(); ++m) {
      const auto outputs = static_cast<Eigen::Index>(live.assembly->members[m].outputs.size());
      const bool arrives = memory.tick % system.plan.subsystems[m].multiple == 0;
      for (Eigen::Index i = first; arrives && live.assembly->members[m].subsystem && i < first + outputs; ++i) {
        const double wanted = answers.at(i);
        const auto place = program.output_place(static_cast<int>(m), static_cast<int>(i - first));
        errors(i) += std::pow(memory.values[static_cast<std::size_t>(place)] - wanted, 2);
        sizes(i) += wanted * wanted;
      }
      first += outputs;
    }
  }
  std::vector<double> result;
  for (Eigen::Index i = 0; i < errors.size(); ++i)
    result.push_back(sizes(i) > 0.0 ? std::sqrt(errors(i) / sizes(i)) : 0.0);
  return result;
}

}  // namespace seam::testing
