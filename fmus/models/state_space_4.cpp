// x' = A x + B u, y = C x + D u with two inputs, four states and three outputs, of which only the first feeds through.
// What has fewer states leaves the rest at zero. Its inner solver steps with the call, or in steps of at most
// solver_step, or on a grid of its own: as the co-simulation FMUs of other tools do. Or it is shaped like FMUs of
// 20-sim: the first stage of a step takes the rates of the end of the last call, before inputs were set, and the first
// call begins at 0 whenever the experiment starts.
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
  result.push_back(parameter("keeps_rates", 0.0, ""));
  result.back().description =
      "1: the first of four Runge-Kutta stages takes the rates of the end of the last call, and the first call begins "
      "at 0";
  return result;
}

class FourStates final : public OdeModel {
 public:
  explicit FourStates(Version version) : OdeModel(version, parameters(), equations) {}
  Traits traits() const override { return {.description = "linear system with four states"}; }

  void initialise() override {
    OdeModel::initialise();
    grid_ = real(place_of("grid"));
    keeps_rates_ = real(place_of("keeps_rates")) != 0.0;
    rates_.clear();
  }
  /// Between two points of the grid only outputs that feed through change.
  StepReport step(double t, double h) override {
    if (keeps_rates_) return step_from_kept_rates(rates_.empty() ? 0.0 : t, t + h);
    if (!(grid_ > 0.0)) return OdeModel::step(t, h);
    const auto points_until = [this](double time) { return std::floor(time / grid_ + 1e-6); };
    const double points = points_until(t + h) - points_until(t);
    if (points > 0.0) OdeModel::step(t, points * grid_);
    set_time(t + h);
    evaluate();
    return {.reached = t + h};
  }

 private:
  using Values = std::vector<double>;

  int place_of(const std::string& name) const { return place(*std::ranges::find(variables(), name, &Variable::name)); }
  Values rates_at(double time, Values x) {
    memory().states = std::move(x);
    set_time(time);
    evaluate();
    Values rates;
    for (const char* name : {"der(x1)", "der(x2)", "der(x3)", "der(x4)"}) rates.push_back(real(place_of(name)));
    return rates;
  }
  static Values moved(Values x, double h, const Values& rates) {
    for (std::size_t i = 0; i < rates.size(); ++i) x[i] += h * rates[i];
    return x;
  }

  StepReport step_from_kept_rates(double begin, double end) {
    if (rates_.empty()) rates_ = rates_at(begin, memory().states);
    const double longest = real(place_of("solver_step"));
    while (begin < end) {
      const double h = longest > 0.0 ? std::min(longest, end - begin) : end - begin;
      const Values x = memory().states, first = rates_;
      const Values second = rates_at(begin + 0.5 * h, moved(x, 0.5 * h, first));
      const Values third = rates_at(begin + 0.5 * h, moved(x, 0.5 * h, second));
      const Values fourth = rates_at(begin + h, moved(x, h, third));
      Values mean;
      for (std::size_t i = 0; i < first.size(); ++i)
        mean.push_back((first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]) / 6.0);
      begin = h < end - begin ? begin + h : end;
      rates_ = rates_at(begin, moved(x, h, mean));
    }
    return {.reached = end};
  }

  double grid_ = 0.0;
  bool keeps_rates_ = false;
  Values rates_;  ///< of the end of the last call; empty before the first
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<FourStates>(version); }

}  // namespace seam::fmus
