// What the stages of a fixed-step solver see of the inputs, for many micro steps at once.
#pragma once

#include <vector>

#include "seam/assembly/known_signals.hpp"
#include "seam/assembly/marcher.hpp"
#include "seam/assembly/native.hpp"
#include "seam/ode/fixed_step.hpp"

namespace seam::assembly {

/// What a marcher moves: it all belongs to the subsystem.
struct MarchedModel {
  const ode::Ode* equations = nullptr;
  ode::Method method = ode::Method::euler;
  InputReading reading = InputReading::signal;
  int solver_steps = 1;  ///< in a micro step
  std::vector<double>* x = nullptr;
  std::span<const ode::DrivenInput> driven;
};

/// Where they go: rows that are `wide` numbers long, of which those of one model lie `apart`.
struct InputDesk {
  double* stages = nullptr;  ///< input_rows of every solver step
  double* ends = nullptr;    ///< a row a micro step
  int wide = 0, apart = 1;
};

class LinearInputs {
 public:
  static constexpr int highest_degree = 2;
  LinearInputs(const MarchedModel& model, const MarchWish& wish);

  KnownSignals& signals() { return signals_; }
  /// Rows of stages in a micro step.
  int rows() const { return rows_ * solver_steps_; }
  /// The same in a solver step.
  int stage_rows() const { return rows_; }

  /// A stage at the begin of a step may then take the first coefficient for the value there.
  bool are_finite(const Marcher::Stretch& stretch) const;
  enum class Written {
    once,    ///< nothing changes: the first micro step has its rows, and they are those of all
    for_all  ///< every micro step has its own
  };
  /// Known signals are not among them yet.
  Written write(const Marcher::Stretch& stretch, const InputDesk& desk);
  /// For all, after they were written once.
  void repeat(const Marcher::Stretch& stretch, const InputDesk& desk);
  void write_signals(const Marcher::Stretch& stretch, const InputDesk& desk, Written written);
  /// Whether an input was written for all, to a desk whose stages begin there, and is 0.
  bool is_zero(const double* stages, int count, int column) const {
    const Constant& known = constants_[static_cast<std::size_t>(column)];
    return known.desk == stages && known.count >= count && known.value == 0.0;
  }

 private:
  /// A column in which all rows from the first are this number.
  struct Constant {
    const double* desk = nullptr;
    double value = 0.0;
    int count = 0, first_end = 0;
  };

  double* stage(const InputDesk& desk, int step, int column) const {
    return desk.stages + step * rows() * desk.wide + column * desk.apart;
  }
  void find_parts(const Marcher::Stretch& stretch);
  void fill_constant(const InputDesk& desk, int count, int column, double value);
  void fill_changing(const Marcher::Stretch& stretch, const InputDesk& desk, std::size_t signal);
  template <int degree>
  void fill_given_begins(const Marcher::Stretch& stretch, const InputDesk& desk, int column) const;
  template <int degree>
  void fill_given(const Marcher::Stretch& stretch, const InputDesk& desk, int column);
  template <int degree>
  void fill_column(const Marcher::Stretch& stretch, const InputDesk& desk, int column);
  template <int degree, class Part>
  void write_stages(const InputDesk& desk, int step, int column, const Part& part);

  int inputs_, rows_, solver_steps_, degree_;
  bool sampled_;       // known signals are, at the begin of a micro step
  bool constant_;      // a micro step gets one value
  bool all_ends_;      // of every micro step, not only of the last
  int first_end_ = 0;  // from this micro step on the inputs at the end are wanted
  std::vector<int> given_each_;
  std::vector<char> given_;    // one an input: by given_each
  std::vector<char> written_;  // one an input: not left to its signal
  std::vector<Constant> constants_;
  std::vector<double> borders_;  // of the micro steps in the macro step, from 0 to 1
  int borders_first_ = -1, borders_parts_ = 0;
  KnownSignals signals_;
};

}  // namespace seam::assembly
