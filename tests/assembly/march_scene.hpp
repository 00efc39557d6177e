// Random linear subsystems that make the micro steps of a random macro step one by one: what marchers are compared
// with.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "assembly/equations.hpp"
#include "seam/assembly/marcher.hpp"
#include "seam/assembly/ode_subsystem.hpp"
#include "seam/assembly/polynomial.hpp"
#include "seam/models/linear_ode.hpp"
#include "seam/models/signals.hpp"

namespace seam::assembly {

constexpr ode::Method every_method[] = {ode::Method::euler, ode::Method::midpoint, ode::Method::rk4,
                                        ode::Method::symplectic_euler};

/// Numbers to the bit: -0 is another one than 0, and a NaN equals itself.
inline std::vector<std::uint64_t> bits(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> result;
  for (const double number : numbers) result.push_back(std::bit_cast<std::uint64_t>(number));
  return result;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int upto(int most) { return static_cast<int>(engine_() % static_cast<unsigned>(most + 1)); }
  /// Zeros of both signs are among them.
  double number() {
    const int kind = upto(7);
    if (kind == 0) return 0.0;
    if (kind == 1) return -0.0;
    return std::uniform_real_distribution<double>(-2.0, 2.0)(engine_);
  }
  std::vector<double> numbers(int count) {
    std::vector<double> result;
    for (int i = 0; i < count; ++i) result.push_back(number());
    return result;
  }
  lti::Matrix matrix(int rows, int columns) {
    return lti::Matrix::NullaryExpr(rows, columns, [this] { return number(); });
  }

 private:
  std::mt19937 engine_;
};

/// A random subsystem, a random wish and a random macro step; two of them from one seed are the same.
struct Scene {
  Scene(unsigned seed, int micro_steps) : random(seed), parts(micro_steps) {
    n = 1 + random.upto(3), m = 1 + random.upto(3), p = 1 + random.upto(3);
    NativeModel model =
        linear({random.matrix(n, n), random.matrix(n, m), random.matrix(p, n), random.matrix(p, m)}, random.numbers(n));
    method = every_method[random.upto(3)];
    std::vector<int> velocity_of(static_cast<std::size_t>(n), -1);
    if (n > 1) velocity_of[0] = 1;
    if (random.upto(1) == 0)
      model.ode = std::make_shared<models::LinearOde>(
          lti::StateSpace{random.matrix(n, n), random.matrix(n, m), random.matrix(p, n), random.matrix(p, m)},
          velocity_of);
    model.reading = random.upto(2) == 0 ? InputReading::stepped : InputReading::signal;
    model.solver_step = 0.01 / (1 + random.upto(2));
    drive(model);
    wish.length = 0.01;
    wish.degree = random.upto(2);
    if (model.reading == InputReading::stepped) wish.parts = MarchWish::Parts::constants;
    wish.most = 64;
    for (int i = 0; i < p; ++i) {
      if (random.upto(1) == 0) wish.begin_outputs.push_back(i);
      if (random.upto(1) == 0) wish.end_outputs.push_back(i);
    }
    for (int i = 0; i < m; ++i) {
      if (random.upto(1) == 0) wish.begin_inputs.push_back(i);
      if (random.upto(2) == 0 && wish.parts == MarchWish::Parts::polynomials) wish.given_each.push_back(i);
    }
    coefficients = random.numbers((wish.degree + 1) * m);
    given = random.numbers(parts * (wish.degree + 1) * m);
    begin = random.upto(1) == 0 ? 0.0 : 7.0 + random.number();
    subsystem = std::make_unique<OdeSubsystem>(model, method);
    width = wish.begin_outputs.size() + wish.begin_inputs.size();
  }

  void drive(NativeModel& model) {
    for (int i = 0; i < m; ++i) {
      const int kind = random.upto(5);
      const double factor = random.number(), offset = random.number();
      if (kind == 0) model.drives.push_back({i, formula([](double t) { return std::sin(30.0 * t); }), factor, offset});
      if (kind == 1)
        model.drives.push_back(
            {i, std::make_shared<models::StepSignal>(models::Edge{0.05, 1e-9}, 0.3, -0.7), factor, offset});
      if (kind == 2)
        model.drives.push_back({i, models::ImpulseSignal(0.01, 0.03).fitted(model.solver_step), factor, offset});
    }
  }

  Random random;
  int parts, n = 0, m = 0, p = 0;
  ode::Method method = ode::Method::euler;
  MarchWish wish;
  std::vector<double> coefficients, given;
  double begin = 0.0;
  std::unique_ptr<OdeSubsystem> subsystem;
  std::size_t width = 0;
};

struct Seen {
  std::vector<double> begins, ends, outputs, states;
};

/// The micro steps one by one, as the coupling makes them of any subsystem.
inline Seen step_by_step(Scene& scene, Sources sources) {
  const MarchWish& wish = scene.wish;
  const int rows = wish.degree + 1, m = scene.m;
  const bool constant = wish.parts == MarchWish::Parts::constants;
  const InputPolynomials whole{scene.coefficients.data(), wish.degree, m};
  std::vector<double> part(static_cast<std::size_t>(rows * m));
  Seen seen;
  seen.outputs.resize(static_cast<std::size_t>(scene.p));
  for (int s = 0; s < scene.parts; ++s) {
    const double from = 1.0 * s / scene.parts, to = 1.0 * (s + 1) / scene.parts;
    constant ? whole.at(from, part) : restrict_polynomial(whole, from, to, part.data());
    for (const int column : wish.given_each) {
      for (int j = 0; j < rows; ++j)
        part[static_cast<std::size_t>(j * m + column)] =
            scene.given[static_cast<std::size_t>((s * rows + j) * m + column)];
    }
    const Step step{scene.begin + s * wish.length, wish.length, sources};
    scene.subsystem->evaluate(step.begin, sources, {part.data(), static_cast<std::size_t>(m)}, seen.outputs);
    for (const int output : wish.begin_outputs) seen.begins.push_back(seen.outputs[static_cast<std::size_t>(output)]);
    for (const int input : wish.begin_inputs) seen.begins.push_back(part[static_cast<std::size_t>(input)]);
    scene.subsystem->advance(step, {part.data(), constant ? 0 : wish.degree, m}, seen.outputs);
    for (const int output : wish.end_outputs) seen.ends.push_back(seen.outputs[static_cast<std::size_t>(output)]);
  }
  seen.states.assign(scene.subsystem->states().begin(), scene.subsystem->states().end());
  return seen;
}

inline Seen room_for(const Scene& scene) {
  Seen seen;
  seen.begins.resize(static_cast<std::size_t>(scene.parts) * scene.width);
  seen.ends.resize(static_cast<std::size_t>(scene.parts) * scene.wish.end_outputs.size());
  seen.outputs.resize(static_cast<std::size_t>(scene.p));
  return seen;
}

inline Marcher::Stretch stretch_of(const Scene& scene, Sources sources, int first, int at_once) {
  Marcher::Stretch stretch;
  stretch.begin = scene.begin;
  stretch.length = scene.wish.length;
  stretch.sources = sources;
  stretch.input = {scene.coefficients.data(), scene.wish.degree, scene.m};
  stretch.first = first;
  stretch.count = std::min(at_once, scene.parts - first);
  stretch.parts = scene.parts;
  stretch.given = scene.given.data() + first * (scene.wish.degree + 1) * scene.m;
  return stretch;
}

inline Marcher::Notes notes_of(const Scene& scene, int first, Seen& seen) {
  const auto begin = static_cast<std::size_t>(first);
  return {seen.begins.data() + begin * scene.width, seen.ends.data() + begin * scene.wish.end_outputs.size(),
          seen.outputs.data()};
}

inline void expect_same(const Seen& one, const Seen& other, unsigned seed) {
  EXPECT_EQ(bits(one.begins), bits(other.begins)) << "begins, seed " << seed;
  EXPECT_EQ(bits(one.ends), bits(other.ends)) << "ends, seed " << seed;
  EXPECT_EQ(bits(one.outputs), bits(other.outputs)) << "outputs, seed " << seed;
  EXPECT_EQ(bits(one.states), bits(other.states)) << "states, seed " << seed;
}

}  // namespace seam::assembly
