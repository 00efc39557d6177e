#include "seam/ode/input.hpp"

namespace seam::ode {

void InputPolynomials::at(double theta, Out u) const {
  for (int i = 0; i < width; ++i) {
    double value = coefficients[degree * width + i];
    for (int j = degree - 1; j >= 0; --j) value = value * theta + coefficients[j * width + i];
    u[i] = value;
  }
}

void follow(std::span<DrivenInput> driven, int input, double factor, double offset) {
  for (DrivenInput& one : driven) {
    if (one.input != input) continue;
    one.factor = factor;
    one.offset = offset;
  }
}

void InputSignal::at(double t, Side side, Out u) const {
  polynomials.at(theta(t), u);
  drive(t, side, u);
}

void InputSignal::drive(double t, Side side, Out u) const {
  for (const DrivenInput& input : driven) {
    const double value = side == Side::right ? input.signal->at(t) : input.signal->before(t);
    u[input.input] = input.kept * u[input.input] + input.factor * value + input.offset;
  }
}

}  // namespace seam::ode
