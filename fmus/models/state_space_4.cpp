// x' = A x + B u, y = C x + D u with two inputs, four states and three outputs, of which only the first feeds through.
// What has fewer states leaves the rest at zero. Its inner solver steps with the call, or in steps of at most
// solver_step, or on a grid of its own: as the co-simulation FMUs of other tools do.
#include <algorithm>
#include <cmath>
#include <string>

#include "fmus/framework/ode_model.hpp"
#include "seam/models/state_space.hpp"

namespace seam::fmus {
namespace {

constexpr int states = 4, inputs = 2, outputs = 3;

models::Model equations(std::span<const double> p) {
  std::size_t next = 0;
  const auto matrix = [&](int rows, int columns) {
    lti::Matrix M(rows, columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) M(i, j) = p[next++];
    }
    return M;
  };
  lti::StateSpace system;
  system.A = matrix(states, states);
  system.B = matrix(states, inputs);
  system.C = matrix(outputs, states);
  system.D = lti::Matrix::Zero(outputs, inputs);
  system.D.topRows(1) = matrix(1, inputs);
  std::vector<double> start;
  for (int i = 0; i < states; ++i) start.push_back(p[next++]);
  return models::state_space(system, start, {"u1", "u2"}, {"y1", "y2", "y3"});
}

std::vector<Variable> parameters() {
  std::vector<Variable> result;
  // Nothing is zero at the start, so that the description tells every way that a parameter may open.
  const auto add = [&](const char* name, int rows, int columns, double start) {
    for (int i = 1; i <= rows; ++i) {
      for (int j = 1; j <= columns; ++j) {
        const std::string entry = name + std::to_string(i) + std::to_string(j);
        result.push_back(parameter(entry, start, "", Variability::tunable));
      }
    }
  };
  add("A", states, states, -0.5);
  add("B", states, inputs, 1.0);
  add("C", outputs, states, 1.0);
  add("D", 1, inputs, 1.0);
  for (int i = 1; i <= states; ++i) result.push_back(parameter("x" + std::to_string(i) + "0", 0.0, ""));
  result.push_back(parameter("grid", 0.0, "s"));
  result.back().description =
      "0: every step ends where the call ends; else only at multiples of this (and solver_step)";
  return result;
}

class FourStates final : public OdeModel {
 public:
  explicit FourStates(Version version) : OdeModel(version, parameters(), equations) {}
  Traits traits() const override { return {.description = "linear system with four states"}; }

  void initialise() override {
    OdeModel::initialise();
    grid_ = real(place(*std::find_if(variables().begin(), variables().end(),
                                     [](const Variable& variable) { return variable.name == "grid"; })));
  }
  /// Between two points of the grid only outputs that feed through change.
  StepReport step(double t, double h) override {
    if (!(grid_ > 0.0)) return OdeModel::step(t, h);
    const auto points_until = [this](double time) { return std::floor(time / grid_ + 1e-6); };
    const double points = points_until(t + h) - points_until(t);
    if (points > 0.0) OdeModel::step(t, points * grid_);
    set_time(t + h);
    evaluate();
    return {.reached = t + h};
  }

 private:
  double grid_ = 0.0;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<FourStates>(version); }

}  // namespace seam::fmus
