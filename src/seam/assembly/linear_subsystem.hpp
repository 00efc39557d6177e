// Linear equations of our own: a step of a given length is one affine map from (state, input coefficients) to (state,
// outputs), whether it is made exactly or by a fixed-step solver.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "seam/assembly/native.hpp"
#include "seam/lti/affine_rows.hpp"
#include "seam/ode/fixed_step.hpp"

namespace seam::assembly {

class LinearSubsystem final : public NativeSubsystem {
 public:
  /// The equations must be linear, or have no states (then there is nothing to integrate). Without a method the step is
  /// exact: x+ = Ad x + sum_j G_j c_j under the input u(theta) = sum_j c_j theta^j.
  explicit LinearSubsystem(NativeModel model, std::optional<ode::Method> method = std::nullopt);

  Capabilities capabilities() const override;
  StepFunction prepare(const Calls& calls) override;
  /// Over a length or a degree that was not prepared it makes the table first.
  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs);

 private:
  /// A step of one length under polynomials of one degree: rows of x+ and y over z = (x, coefficients).
  struct Table {
    double length = 0.0;
    int degree = 0;
    lti::AffineRows rows;
  };

  std::optional<double> divisible_by() const;
  bool is_linear() const { return equations().nature() == ode::Ode::Nature::linear; }
  const Table& table(double length, int degree);
  bool is_prepared(double length, int degree) const;
  Table make_table(double length, int degree);
  lti::Matrix exact_states(double length, int degree);
  lti::Matrix solved_states(double length, int degree);
  /// In how many parts an exact step follows signals that change, and the degree of its input in them.
  std::pair<int, int> followed_parts(double length, int degree, Sources sources) const;
  /// The constant value of every signal in the step, written to z_; false if one changes within the step.
  bool write_constant_signals(const Step& step);
  void apply(const Table& table);
  void follow_signals(const Step& step, const InputPolynomials& input, Out outputs);

  std::unique_ptr<ode::FixedStepSolver> solver_;  // null: exact
  std::deque<Table> tables_;                      // stay where they are
  Table unprepared_;                              // the last step that was not announced
  const Table* latest_ = nullptr;
  std::vector<double> z_;                          // state, then input coefficients
  std::vector<double> result_;                     // state, then outputs, as the rows of a table are written
  std::vector<double> end_;                        // the input at the end of the step
  double steady_from_ = 0.0, steady_until_ = 0.0;  // known signals stay as they are in between
};

}  // namespace seam::assembly
