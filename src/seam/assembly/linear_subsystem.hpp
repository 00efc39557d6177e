// Linear equations of our own, stepped exactly: x+ = Ad x + sum_j G_j c_j under the input u(theta) = sum_j c_j theta^j.
#pragma once

#include <vector>

#include "seam/assembly/native.hpp"

namespace seam::assembly {

class LinearSubsystem final : public NativeSubsystem {
 public:
  /// The equations must be linear, or have no states (then there is nothing to integrate).
  explicit LinearSubsystem(NativeModel model);

  Capabilities capabilities() const override;
  void prepare(double length, int degree) override;
  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs) override;

 private:
  // One row a state: n entries of Ad, then for each j the m entries of G_j; rows one after the other.
  struct Table {
    double length = 0.0;
    int degree = 0;
    std::vector<double> rows;
  };

  const Table& table(double length, int degree) const;
  void step_states(const Table& table, const double* coefficients);
  void step_driven(const Step& step, const InputPolynomials& input);
  void write_outputs(const Step& step, const InputPolynomials& input, Out outputs);

  int n_ = 0, m_ = 0, p_ = 0;
  std::vector<Table> tables_;
  std::vector<double> next_;           // x+ while x is still read
  std::vector<double> output_rows_;    // one row an output: n entries of C, then m of D
  enum class OutputMap { from_states, from_states_and_inputs, by_equations } output_map_;
  std::vector<double> end_;            // the input at the end of the step
  std::vector<double> local_;          // the polynomial on one solver step
};

}  // namespace seam::assembly
