// Derivatives against closed forms: x' = A x + B u, y = C x + D u.
#include "fmi/living_instances.hpp"

namespace seam::fmi {
namespace {

using Row = std::vector<double>;

template <class Chosen>
class InstanceDerivatives : public Instances<Chosen> {
 protected:
  /// What one unit of a known changes.
  Row column(const std::vector<std::string>& unknowns, const std::string& known) {
    Row sensitivity(unknowns.size(), -1.0);
    const Row seed{1.0};
    this->instance_->directional(this->references(unknowns), this->references({known}), seed, sensitivity);
    return sensitivity;
  }
};
TYPED_TEST_SUITE(InstanceDerivatives, Versions);

TYPED_TEST(InstanceDerivatives, directional_derivatives_of_a_state_space_are_its_matrices) {
  this->begin("state-space");
  this->instance_->do_step(0.0, 0.1);
  EXPECT_EQ(this->column({"der(x1)", "der(x2)"}, "x1"), (Row{0.0, -4.0}));
  EXPECT_EQ(this->column({"der(x1)", "der(x2)"}, "x2"), (Row{1.0, -0.4}));
  EXPECT_EQ(this->column({"der(x1)", "der(x2)"}, "u1"), (Row{1.0, 0.0}));
  EXPECT_EQ(this->column({"der(x1)", "der(x2)"}, "u2"), (Row{0.0, 1.0}));
  EXPECT_EQ(this->column({"y1", "y2"}, "x1"), (Row{1.0, 0.0}));
  EXPECT_EQ(this->column({"y1", "y2"}, "x2"), (Row{0.0, 1.0}));
  EXPECT_EQ(this->column({"y1", "y2"}, "u2"), (Row{0.5, 0.0}));
}

TYPED_TEST(InstanceDerivatives, seed_weighs_the_knowns) {
  this->begin("state-space");
  this->instance_->do_step(0.0, 0.1);
  const Row seed{3.0, -2.0, 10.0};
  Row sensitivity(2);
  this->instance_->directional(this->references({"der(x2)", "y1"}), this->references({"x1", "x2", "u2"}), seed,
                               sensitivity);
  EXPECT_DOUBLE_EQ(sensitivity[0], -4.0 * 3.0 - 0.4 * -2.0 + 10.0);
  EXPECT_DOUBLE_EQ(sensitivity[1], 3.0 + 0.5 * 10.0);
}

// m x'' = f1 - k x - d v - F, F = kc (x - x_in) + dc (v - v_in), with m = 0.1, k = kc = 10, d = dc = 0.1.
TYPED_TEST(InstanceDerivatives, of_a_mass_follow_from_its_springs) {
  this->begin("two-mass-left");
  this->instance_->do_step(0.0, 0.01);
  const std::vector<std::string> outputs{"x1", "v1", "a1", "F"};
  const auto expect = [&](const std::string& known, const Row& expected) {
    const Row found = this->column(outputs, known);
    for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_DOUBLE_EQ(found[i], expected[i]) << outputs[i] << known;
  };
  expect("f1", {0.0, 0.0, 10.0, 0.0});
  expect("x_in", {0.0, 0.0, 100.0, -10.0});
  expect("v_in", {0.0, 0.0, 1.0, -0.1});
  EXPECT_DOUBLE_EQ(this->column({"der(v1)"}, "x1").at(0), -200.0);
  EXPECT_DOUBLE_EQ(this->column({"der(v1)"}, "v1").at(0), -2.0);
}

// With a held input y' = C x'.
TYPED_TEST(InstanceDerivatives, output_derivative_is_the_slope_of_the_output) {
  this->begin("state-space");
  this->set_real("u2", 3.0);
  this->instance_->do_step(0.0, 0.1);
  Row slopes(2);
  this->instance_->output_derivatives(this->references({"y1", "y2"}), 1, slopes);
  EXPECT_DOUBLE_EQ(slopes[0], this->real("der(x1)"));
  EXPECT_DOUBLE_EQ(slopes[1], -4.0 * this->real("x1") - 0.4 * this->real("x2") + 3.0);
}

TYPED_TEST(InstanceDerivatives, order_that_is_not_declared_is_refused) {
  this->begin("state-space");
  this->instance_->do_step(0.0, 0.1);
  Row slopes(1);
  for (const unsigned order : {0U, 2U}) {
    EXPECT_NE(failure_of([&] {
                this->instance_->output_derivatives(this->references({"y1"}), order, slopes);
              }).find("up to order 1, not " + std::to_string(order)),
              std::string::npos);
  }
}

TYPED_TEST(InstanceDerivatives, fmu_without_derivatives_needs_no_function_for_them_and_says_so) {
  this->begin("two-mass-left-poor");
  this->instance_->do_step(0.0, 0.1);
  Row slopes(1);
  EXPECT_NE(failure_of([&] {
              this->instance_->output_derivatives(this->references({"x1"}), 1, slopes);
            }).find("offers no derivatives of outputs"),
            std::string::npos);
  EXPECT_NE(failure_of([&] { this->column({"x1"}, "f1"); }).find("offers no directional derivatives"),
            std::string::npos);
}

TYPED_TEST(InstanceDerivatives, strict_fmu_allows_them_after_a_step) {
  this->begin("strict");
  this->set_real("u", 3.0);
  this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(this->column({"z", "der(x)"}, "u"), (Row{1.0, 1.0}));
  Row slopes(1);
  this->instance_->output_derivatives(this->references({"y"}), 1, slopes);
  EXPECT_EQ(slopes[0], this->real("der(x)"));
  this->instance_.reset();
  EXPECT_EQ(this->illegal_calls(), "");
}

TYPED_TEST(InstanceDerivatives, failure_names_unknowns_and_knowns) {
  this->begin("state-space");
  const std::string said = failure_of([&] { this->column({"y1", "y2"}, "A11"); });
  EXPECT_NE(said.find("(of y1, y2 by A11)"), std::string::npos) << said;
}

using Fmi3Derivatives = InstanceDerivatives<Instance3>;

TEST_F(Fmi3Derivatives, adjoint_is_the_transposed_directional_derivative) {
  begin("state-space");
  instance_->do_step(0.0, 0.1);
  const std::vector<std::string> unknowns{"der(x1)", "der(x2)", "y1", "y2"}, knowns{"x1", "x2", "u1", "u2"};
  for (std::size_t row = 0; row < unknowns.size(); ++row) {
    Row seed(unknowns.size(), 0.0), found(knowns.size());
    seed[row] = 1.0;
    instance_->adjoint(references(unknowns), references(knowns), seed, found);
    for (std::size_t i = 0; i < knowns.size(); ++i)
      EXPECT_EQ(found[i], column(unknowns, knowns[i])[row]) << unknowns[row] << " " << knowns[i];
  }
}

TEST_F(Fmi3Derivatives, fmu_without_adjoint_derivatives_says_so) {
  begin("two-mass-left-poor");
  Row seed(1), found(1);
  EXPECT_NE(
      failure_of([&] { instance_->adjoint(references({"x1"}), references({"f1"}), seed, found); }).find("adjoint"),
      std::string::npos);
}

}  // namespace
}  // namespace seam::fmi
