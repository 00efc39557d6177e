// Local variables of several types beside outputs: everything follows from the time and the number of steps.
#pragma once

#include "fmus/framework/model.hpp"

namespace seam::fmus {

class Locals final : public Model {
 public:
  Locals(Version version, int outputs) : Model(version) {
    k_ = add(parameter("k", 2.0, "N/m", Variability::tunable));
    for (int i = 1; i <= outputs; ++i) outputs_.push_back(add(output("y" + std::to_string(i), "m")));
    for (int i = 1; i <= 40; ++i) locals_.push_back(add(local("body.x" + std::to_string(i), "m")));
    steps_ = add(discrete_local("steps", Type::int32));
    odd_ = add(discrete_local("odd", Type::boolean));
    Variable mode = discrete_local("mode", Type::enumeration);
    mode.items = {"first", "second"};
    mode_ = add(std::move(mode));
    text_ = add(discrete_local("text", Type::string));
    if (version == Version::fmi2) return;
    Variable single = local("single", "m");
    single.type = Type::float32;
    single_ = add(std::move(single));
    Variable vector = local("vector", "m");
    vector.dimensions = {{3, -1}};
    vector_ = add(std::move(vector));
  }

  Traits traits() const override { return {.description = "y_i = i t, x_i = k i t^2, and the number of steps"}; }

  void evaluate() override {
    const double t = memory().time;
    double i = 0.0;
    for (const int y : outputs_) real(y) = ++i * t;
    i = 0.0;
    for (const int x : locals_) real(x) = real(k_) * ++i * t * t;
    odd_is(integer(steps_) % 2 == 1);
    if (version() == Version::fmi2) return;
    real(single_) = 0.5 * t;
    for (std::size_t e = 0; e < 3; ++e) real(vector_, e) = static_cast<double>(e + 1) * t;
  }

  StepReport step(double t, double h) override {
    set_time(t + h);
    ++integer(steps_);
    evaluate();
    return {.reached = t + h};
  }

 private:
  static Variable discrete_local(std::string name, Type type) {
    Variable variable = local(std::move(name), "");
    variable.type = type;
    variable.variability = Variability::discrete;
    return variable;
  }
  void odd_is(bool odd) {
    integer(odd_) = odd ? 1 : 0;
    integer(mode_) = odd ? 2 : 1;
    text(text_) = odd ? "odd" : "even";
  }

  int k_, steps_, odd_, mode_, text_, single_ = -1, vector_ = -1;
  std::vector<int> outputs_, locals_;
};

}  // namespace seam::fmus
