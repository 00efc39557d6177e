// Linear equations of our own, stepped exactly: x+ = Ad x + sum_j G_j c_j under the input u(theta) = sum_j c_j theta^j.
#pragma once

#include <deque>
#include <vector>

#include "seam/assembly/linear_kernel.hpp"
#include "seam/assembly/native.hpp"

namespace seam::assembly {

class LinearSubsystem final : public NativeSubsystem {
 public:
  /// The equations must be linear, or have no states (then there is nothing to integrate).
  explicit LinearSubsystem(NativeModel model);

  Capabilities capabilities() const override;
  bool is_same_in_parts(double part) const override;
  void prepare(double length, int degree) override;
  void prepare_once(double length, int degree) override;
  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs) override;
  std::optional<DirectStep> direct_step(double length, int degree) override;

 private:
  /// Everything about steps of one length under polynomials of one degree.
  struct Table {
    double length = 0.0;
    std::vector<double> columns;
    LinearStep step;
    LinearKernel kernel = nullptr;
  };

  /// How a step is done: by the table alone; with known signals followed or sampled; or nothing to integrate.
  enum class Way { plain, driven, sampled, without_states };

  const Table& table(double length, int degree);
  bool is_prepared(double length, int degree) const;
  void fill(Table& table, double length, int degree);
  /// The length and degree of the steps that a step consists of.
  std::pair<double, int> solver_step(double length, int degree);
  void advance_driven(const Step& step, const InputPolynomials& input, Out outputs);
  void advance_sampled(const Step& step, const InputPolynomials& input, Out outputs);
  void outputs_by_equations(const Step& step, const InputPolynomials& input, Out outputs);

  Way way_ = Way::plain;
  LinearStep sizes_;
  std::deque<Table> tables_;  // stay where they are
  Table once_;                // for one step
  const Table* latest_ = nullptr;
  std::vector<double> output_columns_;  // of C, then of D if any entry is not 0
  std::vector<double> scratch_;
  std::vector<double> end_;     // the input at the end of the step
  std::vector<double> local_;   // the polynomial on one solver step
  std::vector<double> unused_;  // outputs inside a step
};

}  // namespace seam::assembly
