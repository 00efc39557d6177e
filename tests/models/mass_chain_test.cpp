#include "seam/models/mass_chain.hpp"

#include <gtest/gtest.h>

#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/interconnect.hpp"

namespace seam::models {
namespace {

using Kind = ChainCoupling::Kind;

lti::Matrix matrix(const std::vector<double>& flat, Eigen::Index rows, Eigen::Index columns) {
  lti::Matrix M(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) M(i, j) = flat[static_cast<std::size_t>(i * columns + j)];
  }
  return M;
}

lti::StateSpace linear(const Model& model) {
  const auto sizes = model.ode->sizes();
  ode::Jacobians J;
  model.ode->jacobians(0.0, {}, {}, J);
  return {matrix(J.A, sizes.states, sizes.states), matrix(J.B, sizes.states, sizes.inputs),
          matrix(J.C, sizes.outputs, sizes.states), matrix(J.D, sizes.outputs, sizes.inputs)};
}

Eigen::Index place(const std::vector<Port>& ports, const std::string& name) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].name == name) return static_cast<Eigen::Index>(i);
  }
  ADD_FAILURE() << "no port " << name;
  return 0;
}

MassChain single(double m, double k, double d) { return {{m}, {}, {}, {k}, {d}, {0}, {0}, {}}; }

// Both masses of the seed-2 two-mass system, in one chain.
MassChain both() { return {{1, 1}, {100}, {0.1}, {10, 1000}, {0.1, 0.1}, {0, 0}, {0, 0}, {}}; }

std::vector<std::string> names(const std::vector<Port>& ports) {
  std::vector<std::string> result;
  for (const Port& port : ports) result.push_back(port.name);
  return result;
}

TEST(MassChain, two_masses_have_their_textbook_matrix) {
  const lti::StateSpace system = linear(mass_chain({{2, 4}, {10}, {1}, {3, 5}, {0.5, 0.25}, {0, 0}, {0, 0}, {}}));
  lti::Matrix A(4, 4);
  A << 0, 0, 1, 0, 0, 0, 0, 1, -13.0 / 2, 10.0 / 2, -1.5 / 2, 1.0 / 2, 10.0 / 4, -15.0 / 4, 1.0 / 4, -1.25 / 4;
  EXPECT_LT((system.A - A).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(MassChain, seed_2_poles_come_out) {
  const auto poles = lti::eigenvalues(linear(mass_chain(both())).A);
  EXPECT_NEAR(poles[0].real(), -0.10990015, 1e-8);
  EXPECT_NEAR(std::abs(poles[0].imag()), 33.31632277, 1e-8);
  EXPECT_NEAR(poles[2].real(), -0.09009985, 1e-8);
  EXPECT_NEAR(std::abs(poles[2].imag()), 9.99964166, 1e-8);
}

TEST(MassChain, owner_of_the_spring_and_receiver_of_the_force_make_the_whole_chain) {
  MassChain owner = single(1, 10, 0.1);
  owner.couplings = {{Kind::spring, 0, 100, 0.1, 0, ""}};
  MassChain receiver = single(1, 1000, 0.1);
  receiver.couplings = {{Kind::force, 0, 0, 0, 0, ""}};
  const Model first = mass_chain(owner);
  const Model second = mass_chain(receiver);
  EXPECT_EQ(names(first.inputs), (std::vector<std::string>{"f1", "x_in", "v_in"}));
  EXPECT_EQ(names(first.outputs), (std::vector<std::string>{"x1", "v1", "a1", "F"}));
  EXPECT_EQ(names(second.inputs), (std::vector<std::string>{"f1", "F_in"}));

  lti::Matrix K = lti::Matrix::Zero(5, 7);
  K(place(first.inputs, "x_in"), 4 + place(second.outputs, "x1")) = 1.0;
  K(place(first.inputs, "v_in"), 4 + place(second.outputs, "v1")) = 1.0;
  K(3 + place(second.inputs, "F_in"), place(first.outputs, "F")) = 1.0;
  const auto whole = lti::interconnect({linear(first), linear(second)}, K, lti::Matrix::Zero(5, 0));
  ASSERT_TRUE(whole.has_value());
  const auto coupled = lti::eigenvalues(whole->A);
  const auto monolithic = lti::eigenvalues(linear(mass_chain(both())).A);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(std::abs(coupled[i] - monolithic[i]), 1e-11);
}

TEST(MassChain, velocity_coupling_integrates_the_partner_and_has_an_eigenvalue_zero) {
  MassChain owner = single(1, 10, 0.1);
  owner.couplings = {{Kind::spring_velocity, 0, 100, 0.1, 0.25, ""}};
  const Model model = mass_chain(owner);
  EXPECT_EQ(model.state_names, (std::vector<std::string>{"x1", "v1", "x_partner"}));
  EXPECT_EQ(model.x0, (std::vector<double>{0, 0, 0.25}));
  const std::vector<double> x = {1.0, 2.0, 0.25};
  const std::vector<double> u = {7.0, 3.0};  // f1, v_in
  std::vector<double> dx(3);
  std::vector<double> y(4);
  model.ode->derivatives(0.0, x, u, dx);
  model.ode->outputs(0.0, x, u, y);
  const double F = 100 * (1.0 - 0.25) + 0.1 * (2.0 - 3.0);
  EXPECT_DOUBLE_EQ(y[3], F);
  EXPECT_DOUBLE_EQ(dx[1], 7.0 - 10 * 1.0 - 0.1 * 2.0 - F);
  EXPECT_DOUBLE_EQ(y[2], dx[1]) << "a1 is the acceleration";
  EXPECT_EQ(dx[2], 3.0);
  EXPECT_EQ(std::abs(lti::eigenvalues(linear(model).A).back()), 0.0);
}

TEST(MassChain, positions_know_their_velocities_and_the_integrated_partner_is_no_position) {
  MassChain chain = both();
  chain.couplings = {{Kind::spring_velocity, 1, 1, 1, 0, ""}};
  const Model model = mass_chain(chain);
  const auto velocity_of = model.ode->velocity_of();
  EXPECT_EQ(std::vector<int>(velocity_of.begin(), velocity_of.end()), (std::vector<int>{2, 3, -1, -1, -1}));
}

TEST(MassChain, forces_are_zero_while_unconnected_and_coupling_inputs_must_be_connected) {
  MassChain chain = single(1, 0, 0);
  chain.couplings = {{Kind::spring, 0, 1, 1, 0, ""}};
  const Model model = mass_chain(chain);
  EXPECT_EQ(model.inputs[0].start, std::optional<double>(0.0));
  EXPECT_EQ(model.inputs[1].start, std::nullopt);
  EXPECT_EQ(model.inputs[1].unit, "m");
  EXPECT_EQ(model.inputs[2].unit, "m/s");
  EXPECT_EQ(model.outputs[2].unit, "m/s2");
  EXPECT_EQ(model.outputs[3].unit, "N");
}

TEST(MassChain, several_couplings_act_on_their_own_masses) {
  MassChain chain = both();
  chain.couplings = {{Kind::spring, 0, 5, 0, 0, "_left"}, {Kind::force, 1, 0, 0, 0, "_right"}};
  const Model model = mass_chain(chain);
  EXPECT_EQ(names(model.inputs), (std::vector<std::string>{"f1", "f2", "x_in_left", "v_in_left", "F_in_right"}));
  const lti::StateSpace system = linear(model);
  EXPECT_EQ(system.B(2, 2), 5.0);
  EXPECT_EQ(system.B(3, 2), 0.0);
  EXPECT_EQ(system.B(2, 4), 0.0);
  EXPECT_EQ(system.B(3, 4), 1.0);
}

}  // namespace
}  // namespace seam::models
