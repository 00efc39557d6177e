#include <cmath>
#include <memory>

#include "lti/dual_loop.hpp"
#include "seam/lti/discretise.hpp"

namespace seam::lti {
namespace {

constexpr double m1 = 10.0, m2 = 10.0, c1 = 1e6, c2 = 1e7, ck = 2e5, d1 = 1.0, d2 = 2.0, dk = 2e2;

/// Eq. 38 with the exponent -1/2: min(dk / sqrt|dv|, 1e5) dv.
double damper_force(double dv) { return std::min(dk / std::sqrt(std::abs(dv)), 1e5) * dv; }

template <class Rates, class State>
State runge_kutta(const Rates& rates, const State& x, double h) {
  const State k1 = rates(x), k2 = rates(State(x + h / 2 * k1)), k3 = rates(State(x + h / 2 * k2)),
              k4 = rates(State(x + h * k3));
  return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

HeldSubsystem second_with_square_root() {
  auto state = std::make_shared<Eigen::Vector2d>(0.1, 0.0);
  return {2, 1, [state](const Vector& u, double h) {
            const auto force = [&](const Eigen::Vector2d& x) { return ck * (x(0) - u(0)) + damper_force(x(1) - u(1)); };
            const auto rates = [&](const Eigen::Vector2d& x) {
              return Eigen::Vector2d(x(1), (-c2 * x(0) - d2 * x(1) - force(x)) / m2);
            };
            const int count = std::max(static_cast<int>(std::lround(h / 1e-5)), 1);
            for (int i = 0; i < count; ++i) *state = runge_kutta(rates, *state, h / count);
            return Vector(Vector::Constant(1, force(*state)));
          }};
}

}  // namespace

std::vector<HeldSubsystem> DualOscillator::subsystems() const {
  const StateSpace first{Matrix{{0.0, 1.0}, {-c1 / m1, -d1 / m1}}, Matrix{{0.0}, {1.0 / m1}}, Matrix::Identity(2, 2),
                         Matrix::Zero(2, 1)};
  const StateSpace second{Matrix{{0.0, 1.0}, {-(ck + c2) / m2, -(dk + d2) / m2}},
                          Matrix{{0.0, 0.0}, {ck / m2, dk / m2}}, Matrix{{ck, dk}}, Matrix{{-ck, -dk}}};
  return {exact(first, Vector{{0.1, 0.0}}),
          damper == Damper::linear ? exact(second, Vector{{0.1, 0.0}}) : second_with_square_root()};
}

std::vector<Vector> DualOscillator::reference(double step, int steps) const {
  using State = Eigen::Vector4d;
  std::vector<Vector> outputs;
  State x(0.1, 0.0, 0.1, 0.0);
  const auto force = [&](const State& s) {
    const double dv = s(3) - s(1);
    return ck * (s(2) - s(0)) + (damper == Damper::linear ? dk * dv : damper_force(dv));
  };
  const auto keep = [&] { outputs.push_back(Vector{{x(0), x(1), force(x)}}); };
  if (damper == Damper::linear) {
    const StateSpace whole{Matrix{{0, 1, 0, 0},
                                  {-(c1 + ck) / m1, -(d1 + dk) / m1, ck / m1, dk / m1},
                                  {0, 0, 0, 1},
                                  {ck / m2, dk / m2, -(c2 + ck) / m2, -(d2 + dk) / m2}},
                           Matrix(4, 0), Matrix::Identity(4, 4), Matrix(4, 0)};
    const Matrix Ad = discretise(whole, step, 0).Ad;
    for (int n = 0; n < steps; ++n) {
      x = Ad * x;
      keep();
    }
    return outputs;
  }
  const auto rates = [&](const State& s) {
    const double f = force(s);
    return State(s(1), (-c1 * s(0) - d1 * s(1) + f) / m1, s(3), (-c2 * s(2) - d2 * s(3) - f) / m2);
  };
  const int count = static_cast<int>(std::lround(step / 2e-6));
  for (int n = 0; n < steps; ++n) {
    for (int i = 0; i < count; ++i) x = runge_kutta(rates, x, step / count);
    keep();
  }
  return outputs;
}

DualLoop DualOscillator::loop(double step, int steps) const {
  DualLoop loop;
  loop.subsystems = subsystems();
  loop.L = Matrix{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  loop.y0 = Vector{{0.1, 0.0, 0.0}};
  loop.step = step;
  loop.steps = steps;
  loop.keeper.order = 2;
  return loop;
}

}  // namespace seam::lti
