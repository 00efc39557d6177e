#include "seam/assembly/linear_marcher.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "assembly/march_scene.hpp"

namespace seam::assembly {
namespace {

/// The same in calls of `at_once` micro steps.
Seen marched(Scene& scene, Sources sources, int at_once) {
  const auto marcher = scene.subsystem->marcher(scene.wish);
  Seen seen = room_for(scene);
  for (int first = 0; first < scene.parts; first += at_once) {
    const double* const c = scene.coefficients.data();
    if (scene.parts == 1 && marcher->step(scene.begin, sources, c, {seen.begins.data(), nullptr, seen.outputs.data()}))
      continue;
    EXPECT_TRUE(marcher->march(stretch_of(scene, sources, first, at_once), notes_of(scene, first, seen)));
  }
  seen.states.assign(scene.subsystem->states().begin(), scene.subsystem->states().end());
  return seen;
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
