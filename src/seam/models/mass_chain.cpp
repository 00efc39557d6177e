#include "seam/models/mass_chain.hpp"

#include "seam/models/linear_ode.hpp"

namespace seam::models {
namespace {

using Kind = ChainCoupling::Kind;
using lti::Matrix;

/// Writes the chain's matrices row by row. Rows of A and B for a velocity hold the force on its mass until finish().
class ChainEquations {
 public:
  explicit ChainEquations(const MassChain& chain) : chain_(chain), n_(static_cast<int>(chain.masses.size())) {
    int states = 2 * n_;
    int inputs = n_;
    int forces = 0;
    for (const ChainCoupling& coupling : chain.couplings) {
      states += coupling.kind == Kind::spring_velocity ? 1 : 0;
      inputs += coupling.kind == Kind::spring ? 2 : 1;
      forces += coupling.kind == Kind::force ? 0 : 1;
    }
    const int outputs = 3 * n_ + forces;
    system_ = {Matrix::Zero(states, states), Matrix::Zero(states, inputs), Matrix::Zero(outputs, states),
               Matrix::Zero(outputs, inputs)};
    model_.x0.assign(static_cast<std::size_t>(states), 0.0);
    velocity_of_.assign(static_cast<std::size_t>(states), -1);
  }

  Model build() && {
    add_masses();
    add_springs();
    for (const ChainCoupling& coupling : chain_.couplings) add_coupling(coupling);
    finish();
    model_.ode = std::make_unique<LinearOde>(system_, velocity_of_);
    return std::move(model_);
  }

 private:
  void add_masses() {
    for (int i = 0; i < n_; ++i) {
      const std::string number = std::to_string(i + 1);
      system_.A(i, n_ + i) = 1.0;
      velocity_of_[i] = n_ + i;
      model_.x0[i] = chain_.x0[i];
      model_.x0[n_ + i] = chain_.v0[i];
      model_.inputs.push_back({"f" + number, "N", 0.0});
      system_.B(n_ + i, i) = 1.0;
      model_.outputs.push_back({"x" + number, "m", std::nullopt});
      model_.outputs.push_back({"v" + number, "m/s", std::nullopt});
      model_.outputs.push_back({"a" + number, "m/s2", std::nullopt});
      model_.state_names.push_back("x" + number);
    }
    for (int i = 0; i < n_; ++i) model_.state_names.push_back("v" + std::to_string(i + 1));
    next_input_ = n_;
    next_output_ = 3 * n_;
    next_state_ = 2 * n_;
  }

  void add_springs() {
    for (int i = 0; i < n_; ++i) pull(i, i, chain_.ground_springs[i], chain_.ground_dampers[i]);
    for (int i = 0; i + 1 < n_; ++i) {
      const double k = chain_.springs[i];
      const double d = chain_.dampers[i];
      pull(i, i, k, d);
      pull(i, i + 1, -k, -d);
      pull(i + 1, i + 1, k, d);
      pull(i + 1, i, -k, -d);
    }
  }

  /// Mass `on` feels -(k x + d v) of mass `of`.
  void pull(int on, int of, double k, double d) {
    system_.A(n_ + on, of) -= k;
    system_.A(n_ + on, n_ + of) -= d;
  }

  void add_coupling(const ChainCoupling& coupling) {
    const int velocity = n_ + coupling.mass;
    if (coupling.kind == Kind::force) {
      system_.B(velocity, add_input("F_in", "N", coupling)) = 1.0;
      return;
    }
    const int output = next_output_++;
    model_.outputs.push_back({"F" + coupling.suffix, "N", std::nullopt});
    system_.C(output, coupling.mass) = coupling.k;
    system_.C(output, velocity) = coupling.d;
    if (coupling.kind == Kind::spring) {
      system_.D(output, add_input("x_in", "m", coupling)) = -coupling.k;
      system_.D(output, add_input("v_in", "m/s", coupling)) = -coupling.d;
    } else {
      const int input = add_input("v_in", "m/s", coupling);
      const int partner = next_state_++;
      model_.state_names.push_back("x_partner" + coupling.suffix);
      model_.x0[partner] = coupling.x_partner0;
      system_.B(partner, input) = 1.0;
      system_.C(output, partner) = -coupling.k;
      system_.D(output, input) = -coupling.d;
    }
    system_.A.row(velocity) -= system_.C.row(output);
    system_.B.row(velocity) -= system_.D.row(output);
  }

  int add_input(const char* name, const char* unit, const ChainCoupling& coupling) {
    model_.inputs.push_back({name + coupling.suffix, unit, std::nullopt});
    return next_input_++;
  }

  /// Forces become accelerations, and the outputs x, v, a are read off.
  void finish() {
    for (int i = 0; i < n_; ++i) {
      system_.A.row(n_ + i) /= chain_.masses[i];
      system_.B.row(n_ + i) /= chain_.masses[i];
      system_.C(3 * i, i) = 1.0;
      system_.C(3 * i + 1, n_ + i) = 1.0;
      system_.C.row(3 * i + 2) = system_.A.row(n_ + i);
      system_.D.row(3 * i + 2) = system_.B.row(n_ + i);
    }
  }

  const MassChain& chain_;
  int n_;
  int next_input_ = 0, next_output_ = 0, next_state_ = 0;
  lti::StateSpace system_;
  std::vector<int> velocity_of_;
  Model model_;
};

}  // namespace

// m_i x_i'' = f_i - sum of spring and damper forces; a coupling's force is F = k (x - x_in) + d (v - v_in), felt as -F
// by its owner and as +F by the partner that receives it.
Model mass_chain(const MassChain& chain) { return ChainEquations(chain).build(); }

}  // namespace seam::models
