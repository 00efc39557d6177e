// Linear equations by the fixed-step methods: many steps in one call, unrolled for small sizes, and equal to the bit to
// what FixedStepSolver makes of the same equations.
#pragma once

#include <span>
#include <vector>

#include "seam/ode/fixed_step.hpp"

namespace seam::ode {

/// x' = A x + B u with equations whose entries are summed as Ode::row_sums says. Matrices are row-major.
struct LinearSteps {
  const double* A = nullptr;
  const double* B = nullptr;
  const int* velocity_of = nullptr;  ///< null: first order
  double h = 0.0;
};

/// Rows of inputs that one step of a method needs: at its begin, then at the middle, then at the end.
int input_rows(Method method);

/// Rows of matrices (P Q), two of them side by side so that a processor adds up both at once, each as if it were alone.
class RowPairs {
 public:
  RowPairs(int states, int inputs) : states_(states), inputs_(inputs) {}
  /// One more row, with the place its entry goes to.
  void add(const double* p, const double* q, int place);
  /// The same rows with some columns of Q only. Allocates nothing in a copy of `all`.
  void take(const RowPairs& all, int first_input, int inputs);

  int states() const { return states_; }
  int inputs() const { return inputs_; }

  const double* numbers() const { return numbers_.data(); }  ///< (P Q) column by column, a pair of rows after the other
  std::span<const int> places() const { return places_; }

 private:
  int states_, inputs_;
  std::vector<double> numbers_;
  std::vector<int> places_;
};

struct LinearKernels {
  /// Moves `x` by so many steps and writes it to `states` before the first and after each of them, a row of n each
  /// time. `inputs`: input_rows of m numbers a step, those of one step `apart` numbers from the next.
  struct Ways {
    const double* inputs = nullptr;
    int apart = 0;
    double* states = nullptr;
  };
  void (*advance)(const LinearSteps& steps, int count, const Ways& ways, double* x) = nullptr;
  /// Outputs at many points: c x + d u of some rows of C and D.
  struct Reading {
    const double *C = nullptr, *D = nullptr;
    std::span<const int> outputs;
    const double *states = nullptr, *inputs = nullptr;  ///< at the first point
    int states_apart = 0, inputs_apart = 0;
    double* to = nullptr;
    int to_apart = 0;
  };
  void (*read)(const Reading& reading, int count) = nullptr;
  /// P x + Q u: all entries of the derivatives or of the outputs.
  struct Product {
    const double *P = nullptr, *Q = nullptr, *x = nullptr, *u = nullptr;
  };
  void (*read_all)(const Product& product, Out to) = nullptr;
  /// Entries of P x + Q u, each to its own place.
  void (*read_some)(const RowPairs& rows, const double* x, const double* u, double* to) = nullptr;
  /// One step of Euler's rule with constant inputs. Before it, outputs go to `begins` side by side, after it to their
  /// own places behind `ends`.
  struct Single {
    double h = 0.0;
    const RowPairs* before = nullptr;  ///< derivatives, then outputs
    const RowPairs* after = nullptr;
  };
  void (*single)(const Single& single, const double* u, double* x, double* begins, double* ends) = nullptr;
};

/// For so many states and inputs; null where such sizes are not unrolled.
const LinearKernels* linear_kernels(int states, int inputs, Method method);

}  // namespace seam::ode
