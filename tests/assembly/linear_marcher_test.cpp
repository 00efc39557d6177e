#include "seam/assembly/linear_marcher.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "assembly/equations.hpp"
#include "seam/assembly/ode_subsystem.hpp"
#include "seam/assembly/polynomial.hpp"
#include "seam/models/signals.hpp"

namespace seam::assembly {
namespace {

constexpr ode::Method every_method[] = {ode::Method::euler, ode::Method::midpoint, ode::Method::rk4,
                                        ode::Method::symplectic_euler};

/// Numbers to the bit: -0 is another one than 0, and a NaN equals itself.
std::vector<std::uint64_t> bits(const std::vector<double>& numbers) {
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
Seen step_by_step(Scene& scene, Sources sources) {
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

/// The same in calls of `at_once` micro steps.
Seen marched(Scene& scene, Sources sources, int at_once) {
  const auto marcher = scene.subsystem->marcher(scene.wish);
  const auto parts = static_cast<std::size_t>(scene.parts);
  Seen seen;
  seen.begins.resize(parts * scene.width);
  seen.ends.resize(parts * scene.wish.end_outputs.size());
  seen.outputs.resize(static_cast<std::size_t>(scene.p));
  for (int first = 0; first < scene.parts; first += at_once) {
    const auto begin = static_cast<std::size_t>(first);
    Marcher::Stretch stretch;
    stretch.begin = scene.begin;
    stretch.length = scene.wish.length;
    stretch.sources = sources;
    stretch.input = {scene.coefficients.data(), scene.wish.degree, scene.m};
    stretch.first = first;
    stretch.count = std::min(at_once, scene.parts - first);
    stretch.parts = scene.parts;
    stretch.given = scene.given.data() + first * (scene.wish.degree + 1) * scene.m;
    const double* const c = scene.coefficients.data();
    if (scene.parts == 1 && marcher->step(scene.begin, sources, c, {seen.begins.data(), nullptr, seen.outputs.data()}))
      continue;
    EXPECT_TRUE(
        marcher->march(stretch, {seen.begins.data() + begin * scene.width,
                                 seen.ends.data() + begin * scene.wish.end_outputs.size(), seen.outputs.data()}));
  }
  seen.states.assign(scene.subsystem->states().begin(), scene.subsystem->states().end());
  return seen;
}

void expect_same(const Seen& one, const Seen& other, unsigned seed) {
  EXPECT_EQ(bits(one.begins), bits(other.begins)) << "begins, seed " << seed;
  EXPECT_EQ(bits(one.ends), bits(other.ends)) << "ends, seed " << seed;
  EXPECT_EQ(bits(one.outputs), bits(other.outputs)) << "outputs, seed " << seed;
  EXPECT_EQ(bits(one.states), bits(other.states)) << "states, seed " << seed;
}

TEST(LinearMarcher, equals_one_step_after_the_other_to_the_bit_whatever_the_model_the_solver_and_the_input) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const int parts = seed % 3 == 0 ? 1 : 10;
    Scene scene(seed, parts), same(seed, parts);
    const Sources sources = seed % 5 == 0 ? Sources::silent : Sources::live;
    expect_same(step_by_step(scene, sources), marched(same, sources, seed % 2 == 0 ? parts : 3), seed);
  }
}

TEST(LinearMarcher, follows_a_signal_back_in_time_and_after_it_was_scaled_anew) {
  NativeModel model = lag();
  model.drives = {{0, std::make_shared<models::StepSignal>(models::Edge{0.25, 0.0}, 1.0, 2.0), 1.0, 0.0}};
  OdeSubsystem subsystem(model, ode::Method::euler), same(model, ode::Method::euler);
  MarchWish wish;
  wish.length = 0.1;
  const auto marcher = subsystem.marcher(wish);
  for (const double begin : {0.0, 0.1, 0.2, 0.3, 0.0, 0.4}) {
    const double c = 0.0;
    double y = 0.0, expected = 0.0;
    Marcher::Stretch stretch;
    stretch.begin = begin;
    stretch.length = 0.1;
    stretch.input = {&c, 0, 1};
    ASSERT_TRUE(marcher->march(stretch, {nullptr, nullptr, &y}));
    same.advance({begin, 0.1}, {&c, 0, 1}, {&expected, 1});
    EXPECT_EQ(y, expected) << begin;
    subsystem.follow(0, 1.0 + begin, begin);
    same.follow(0, 1.0 + begin, begin);
  }
}

TEST(LinearMarcher, evaluates_as_its_subsystem_does) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Scene scene(seed, 1);
    scene.wish.evaluated.resize(2);
    for (int output = 0; output < scene.p; ++output) scene.wish.evaluated[output % 2].push_back(output);
    const auto marcher = scene.subsystem->marcher(scene.wish);
    const Sources sources = seed % 5 == 0 ? Sources::silent : Sources::live;
    std::vector<double> found(static_cast<std::size_t>(scene.p)), expected = found;
    for (const double t : {0.0, 0.03, 0.01, 0.06}) {
      scene.begin = t;
      marched(scene, sources, 1);
      marcher->evaluate({0, t, sources}, scene.coefficients.data(), found.data());
      marcher->evaluate({1, t, sources}, scene.coefficients.data(), found.data());
      const In inputs{scene.coefficients.data(), static_cast<std::size_t>(scene.m)};
      scene.subsystem->evaluate(t, sources, inputs, expected);
      EXPECT_EQ(bits(found), bits(expected)) << "seed " << seed << " at " << t;
    }
  }
}

TEST(LinearMarcher, leaves_an_input_that_is_not_finite_and_another_length_to_steps_one_by_one) {
  OdeSubsystem subsystem(lag(), ode::Method::rk4);
  MarchWish wish;
  wish.length = 0.1;
  wish.degree = 1;
  const auto marcher = subsystem.marcher(wish);
  const std::vector<double> fine = {1.0, 0.0}, infinite = {1.0, std::numeric_limits<double>::infinity()};
  double y = 0.0;
  Marcher::Stretch stretch;
  stretch.length = 0.1;
  stretch.input = {infinite.data(), 1, 1};
  EXPECT_FALSE(marcher->march(stretch, {nullptr, nullptr, &y}));
  stretch.input = {fine.data(), 1, 1};
  stretch.length = 0.05;
  EXPECT_FALSE(marcher->march(stretch, {nullptr, nullptr, &y}));
  EXPECT_EQ(subsystem.states()[0], 3.0) << "nothing was done";
  stretch.length = 0.1;
  EXPECT_TRUE(marcher->march(stretch, {nullptr, nullptr, &y}));
}

TEST(LinearMarcher, is_not_offered_for_equations_that_sum_in_another_way_nor_with_error_control) {
  MarchWish wish;
  wish.length = 0.1;
  EXPECT_EQ(OdeSubsystem(lag(), ode::CvodeTolerances{}).marcher(wish), nullptr);
  NativeModel large = linear({lti::Matrix::Identity(9, 9), lti::Matrix::Zero(9, 1), lti::Matrix::Zero(1, 9), one(0)},
                             std::vector<double>(9));
  EXPECT_EQ(OdeSubsystem(large, ode::Method::euler).marcher(wish), nullptr);
}

}  // namespace
}  // namespace seam::assembly
