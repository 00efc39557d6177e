// An FMU behind the contract of a subsystem.
#include "seam/fmi/co_simulation/co_simulation.hpp"

#include "fmi/built_fmu.hpp"
#include "seam/base/error.hpp"
#include "seam/fmi/co_simulation/input_mode.hpp"

namespace seam::fmi {
namespace {

using assembly::Outcome;
using assembly::Sources;

class CoSimulated : public BuiltFmus, public ::testing::WithParamInterface<int> {
 protected:
  /// Of the FMU with all its inputs connected, initialised with zeros.
  void make(const std::string& name, int retries = 0) {
    FmuSetup setup;
    setup.name = "it";
    setup.fmu = open(GetParam(), name);
    const Ports ports = ports_of(setup.fmu->description, {});
    for (std::size_t i = 0; i < ports.inputs.size(); ++i) setup.connected_inputs.push_back(static_cast<int>(i));
    setup.experiment.stop = 10.0;
    setup.retries = retries;
    inputs_.assign(ports.inputs.size(), 0.0);
    outputs_.assign(ports.outputs.size(), -1.0);
    subsystem_ = make_co_simulation(std::move(setup));
    step_ = subsystem_->prepare({0.1});
  }
  void begin() {
    subsystem_->initialise(0.0);
    subsystem_->evaluate(0.0, Sources::live, inputs_, outputs_);
    subsystem_->begin_steps(outputs_);
  }
  Outcome step(double t, double h) {
    assembly::InputPolynomials input;
    input.coefficients = inputs_.data();
    input.width = static_cast<int>(inputs_.size());
    return step_.advance({t, h, Sources::live}, input, outputs_);
  }

  std::vector<double> inputs_, outputs_;
  std::unique_ptr<assembly::Subsystem> subsystem_;
  assembly::StepFunction step_;
};
INSTANTIATE_TEST_SUITE_P(Fmi, CoSimulated, ::testing::Values(2, 3));

TEST_P(CoSimulated, step_takes_the_input_and_gives_the_output_at_its_end) {
  make("integrator");
  begin();
  inputs_ = {3.0};
  EXPECT_EQ(step(0.0, 0.5), Outcome::accepted);
  EXPECT_NEAR(outputs_.at(0), 1.5, 1e-15);
}

TEST_P(CoSimulated, abilities_are_those_of_the_description) {
  make("two-mass-left");
  EXPECT_FALSE(subsystem_->capabilities().takes_polynomials);
  EXPECT_TRUE(subsystem_->capabilities().can_evaluate) << "by directional derivatives";
  EXPECT_TRUE(subsystem_->capabilities().can_shorten);
  EXPECT_TRUE(subsystem_->facets().persistence);
  EXPECT_FALSE(subsystem_->shows_states());
  make("two-mass-left-poor");
  EXPECT_FALSE(subsystem_->capabilities().can_evaluate);
  EXPECT_FALSE(subsystem_->facets().persistence);
}

// x1' = v1, m v1' = f1 - k x1 - d v1 - F, F = kc (x1 - x_in) + dc (v1 - v_in); outputs x1, v1, a1, F.
TEST_P(CoSimulated, linear_model_is_that_of_the_equations) {
  make("two-mass-left");
  begin();
  const auto model = assembly::linearised(*subsystem_, 0.0, inputs_);
  ASSERT_TRUE(model);
  const double m = 0.1, k = model->matrices.A(1, 0), d = model->matrices.A(1, 1);
  const lti::Matrix& C = model->matrices.C;
  const lti::Matrix& D = model->matrices.D;
  EXPECT_EQ(model->matrices.A(0, 0), 0.0);
  EXPECT_EQ(model->matrices.A(0, 1), 1.0);
  EXPECT_EQ(model->matrices.B(1, 0), 1.0 / m);
  EXPECT_EQ(C(0, 0), 1.0);
  EXPECT_EQ(C(1, 1), 1.0);
  EXPECT_EQ(C(2, 0), k);
  EXPECT_EQ(C(2, 1), d);
  EXPECT_EQ(D(3, 1), -C(3, 0)) << "the spring feels the difference of displacements";
  EXPECT_EQ(D(3, 2), -C(3, 1));
  EXPECT_EQ(D(3, 0), 0.0);
}

// x1, v1, a1, F from f1, x_in, v_in: the spring is felt at once by a1 and F, the force by a1 alone.
TEST_P(CoSimulated, feed_through_is_that_of_the_model_structure) {
  make("two-mass-left");
  const bool expected[4][3] = {{false, false, false}, {false, false, false}, {true, true, true}, {false, true, true}};
  for (int y = 0; y < 4; ++y) {
    for (int u = 0; u < 3; ++u) EXPECT_EQ(subsystem_->feeds_through(y, u), expected[y][u]) << y << " " << u;
  }
}

TEST_P(CoSimulated, outputs_are_not_read_between_two_steps) {
  make("types");
  begin();
  step(0.0, 0.5);
  EXPECT_THROW(subsystem_->evaluate(0.5, Sources::live, inputs_, outputs_), base::Error);
}

TEST_P(CoSimulated, snapshot_brings_it_back_and_may_outlive_it) {
  make("strict");
  begin();
  step(0.0, 0.5);
  const auto snapshot = subsystem_->save();
  step(0.5, 0.5);
  const std::vector<double> once = outputs_;
  subsystem_->restore(snapshot);
  step(0.5, 0.5);
  EXPECT_EQ(outputs_, once);
  subsystem_.reset();
}

TEST_P(CoSimulated, second_initialisation_begins_anew) {
  make("integrator");
  begin();
  inputs_ = {3.0};
  step(0.0, 0.5);
  const double once = outputs_.at(0);
  inputs_ = {0.0};
  begin();
  inputs_ = {3.0};
  step(0.0, 0.5);
  EXPECT_EQ(outputs_.at(0), once);
}

TEST_P(CoSimulated, discarded_step_is_rejected_with_a_complaint_that_names_it) {
  make("bad-discard");
  begin();
  EXPECT_EQ(step(0.0, 0.5), Outcome::accepted);
  EXPECT_EQ(step(0.5, 0.5), Outcome::rejected);
  const std::string complaint = subsystem_->complaint();
  for (const char* part : {"it (bad-discard.fmu", "0.5 s -> 1 s", "retries: 3"}) {
    EXPECT_NE(complaint.find(part), std::string::npos) << complaint;
  }
}

// Only what is new is tried again on a running FMU: orders that it refused in a trial are not told to it once more.
TEST_F(BuiltFmus, calls_that_were_announced_before_are_not_new) {
  FmuSetup setup;
  setup.fmu = open(2, "two-mass-left");
  setup.via = system::Via::derivatives;
  const Ports ports = ports_of(setup.fmu->description, {});
  setup.connected_inputs = {0};
  const Drives drives({}, ports.inputs);
  InputMode<Instance2> mode(setup, ports, drives);
  EXPECT_TRUE(mode.prepare({0.01, 2}));
  EXPECT_FALSE(mode.prepare({0.005, 1}));
  EXPECT_FALSE(mode.prepare({0.02, 2}));
  EXPECT_TRUE(mode.prepare({0.001, 0, 10, 0.01}));
  EXPECT_FALSE(mode.prepare({0.001, 0, 10, 0.01}));
  EXPECT_FALSE(mode.prepare({0.01, 2}));
  EXPECT_EQ(mode.calls(), 10);
}

}  // namespace
}  // namespace seam::fmi
