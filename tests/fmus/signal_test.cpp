// Inputs that are signals in time inside a step: derivatives (FMI 2) and intermediate updates (FMI 3).
#include <gtest/gtest.h>

#include <cmath>

#include "fmus/fmu.hpp"
#include "fmus/native.hpp"

namespace seam::fmus {
namespace {

constexpr double H = 0.02;

/// What input i is at time t: a parabola a step, with jumps between the steps.
struct Parabolas {
  double begin = 0.0;
  double value(std::size_t i) const { return std::sin(3.0 * begin + static_cast<double>(i)); }
  double slope(std::size_t i) const { return 2.0 - 5.0 * begin + static_cast<double>(i); }
  double bend(std::size_t i) const { return 40.0 * begin - 7.0 * static_cast<double>(i); }
  double at(std::size_t i, double t) const {
    const double tau = t - begin;
    return value(i) + slope(i) * tau + 0.5 * bend(i) * tau * tau;
  }
  std::vector<double> coefficients(std::size_t count, double h) const {
    std::vector<double> result(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
      result[i] = value(i);
      result[count + i] = slope(i) * h;
      result[2 * count + i] = 0.5 * bend(i) * h * h;
    }
    return result;
  }
};

/// The FMU of either version under parabolas, and its native twin.
class Signal : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<Fmu> open(const std::string& name, const std::vector<std::string>& inputs) {
    names = inputs;
    Opening opening;
    if (GetParam() == 3) {
      opening.intermediate = inputs;
      opening.update = [this](Fmu& fmu, const Update& update) {
        updates.push_back(update);
        for (std::size_t i = 0; i < names.size(); ++i) {
          EXPECT_EQ(fmu.set(names[i], parabolas.at(i, update.time)), Result::ok);
        }
      };
    }
    return open_fmu(GetParam(), name, opening);
  }
  void step(Fmu& fmu, double t) {
    parabolas.begin = t;
    for (std::size_t i = 0; i < names.size(); ++i) {
      ASSERT_EQ(fmu.set(names[i], parabolas.value(i)), Result::ok);
      if (GetParam() == 3) continue;
      ASSERT_EQ(fmu.set_derivative(names[i], 1, parabolas.slope(i)), Result::ok);
      ASSERT_EQ(fmu.set_derivative(names[i], 2, parabolas.bend(i)), Result::ok);
    }
    ASSERT_EQ(fmu.step(t, H), Result::ok);
  }

  std::vector<std::string> names;
  std::vector<Update> updates;
  Parabolas parabolas;
};
INSTANTIATE_TEST_SUITE_P(Fmi, Signal, testing::Values(2, 3));

TEST_P(Signal, inside_a_step_it_is_followed_as_natively_by_every_solver) {
  using ode::Method;
  for (const Method method : {Method::euler, Method::midpoint, Method::rk4, Method::symplectic_euler}) {
    auto fmu = open("two-mass-left-signal", {"f1", "x_in", "v_in"});
    fmu->choose("solver", static_cast<int>(method) + 1);
    fmu->set("solver_step", H / 5);
    fmu->start();
    Native native(left(0.1, 10.0, 1.0), method);
    for (int n = 0; n < 40; ++n) {
      step(*fmu, n * H);
      native.follow({parabolas.coefficients(3, H).data(), 2, 3}, n * H, H, 5);
      for (std::size_t i = 0; i < native.y.size(); ++i) {
        const std::string& name = native.model.outputs[i].name;
        ASSERT_NEAR((*fmu)[name], native.y[i], 1e-12 * std::max(1.0, std::abs(native.y[i]))) << name << " step " << n;
      }
    }
  }
}

TEST_P(Signal, an_integrated_parabola_is_a_cubic) {
  auto fmu = open("integrator-signal", {"u"});
  fmu->start();
  parabolas.begin = 0.0;
  step(*fmu, 0.0);
  const double exact = parabolas.value(0) * H + parabolas.slope(0) * H * H / 2.0 + parabolas.bend(0) * H * H * H / 6.0;
  EXPECT_NEAR((*fmu)["y"], exact, 1e-15);
  EXPECT_NEAR((*fmu)["der(x)"], parabolas.at(0, H), 1e-15) << "at the end the input is that of the end";
}

TEST_P(Signal, a_step_without_news_holds_the_input_it_ended_with) {
  auto fmu = open("integrator-signal", {"u"});
  fmu->start();
  step(*fmu, 0.0);
  const double before = (*fmu)["y"], end = parabolas.at(0, H);
  parabolas.begin = 1e9;  // a subsystem that still follows it goes far
  if (GetParam() == 3) names.clear();
  ASSERT_EQ(fmu->step(H, H), Result::ok);
  EXPECT_NEAR((*fmu)["y"], before + H * end, 1e-15);
}

TEST_P(Signal, inputs_that_nobody_describes_are_held) {
  auto fmu = open_fmu(GetParam(), "transfer-function-signal");
  fmu->start();
  auto plain = open_fmu(GetParam(), "transfer-function");
  plain->start();
  for (int n = 0; n < 5; ++n) {
    for (Fmu* one : {fmu.get(), plain.get()}) {
      one->set("u", 1.0 + n);
      one->step(n * H, H);
    }
    ASSERT_EQ((*fmu)["y"], (*plain)["y"]);
  }
}

TEST_P(Signal, a_saved_state_does_not_remember_derivatives_that_were_used) {
  auto fmu = open("integrator-signal", {"u"});
  fmu->start();
  step(*fmu, 0.0);
  void* state = nullptr;
  fmu->save(state);
  names.clear();
  fmu->step(H, H);
  const double after = (*fmu)["y"];
  fmu->restore(state);
  fmu->step(H, H);
  EXPECT_EQ((*fmu)["y"], after);
  fmu->forget(state);
}

TEST(InputDerivatives, a_saved_state_knows_the_derivatives_of_the_next_step) {
  auto fmu = open_fmu(2, "integrator-signal");
  fmu->start();
  fmu->set_derivative("u", 1, 2.0);
  void* state = nullptr;
  fmu->save(state);
  for (int n = 0; n < 2; ++n) {
    EXPECT_EQ(fmu->step(0.0, 1.0), Result::ok);
    EXPECT_DOUBLE_EQ((*fmu)["y"], 1.0);
    fmu->restore(state);
  }
  fmu->forget(state);
}

TEST(InputDerivatives, may_be_set_before_the_first_step_and_set_again) {
  auto fmu = open_fmu(2, "integrator-signal");
  EXPECT_EQ(fmu->set_derivative("u", 1, 99.0), Result::ok);
  fmu->start();
  EXPECT_EQ(fmu->set_derivative("u", 1, 4.0), Result::ok);
  fmu->step(0.0, 1.0);
  EXPECT_DOUBLE_EQ((*fmu)["y"], 2.0);
}

TEST(InputDerivatives, orders_above_those_that_are_followed_are_a_warning_and_the_lower_ones_stay) {
  auto fmu = open_fmu(2, "integrator-linear");
  fmu->start();
  EXPECT_EQ(fmu->set_derivative("u", 1, 4.0), Result::ok);
  EXPECT_EQ(fmu->set_derivative("u", 2, 100.0), Result::warning);
  EXPECT_EQ(fmu->messages.size(), 1u);
  EXPECT_EQ(fmu->step(0.0, 1.0), Result::ok);
  EXPECT_DOUBLE_EQ((*fmu)["y"], 2.0);
}

TEST(InputDerivatives, only_inputs_of_an_fmu_that_follows_them_have_any) {
  auto fmu = open_fmu(2, "integrator-signal");
  EXPECT_EQ(fmu->set_derivative("u", 0, 1.0), Result::error);
  fmu->reset();
  EXPECT_EQ(fmu->set_derivative("y", 1, 1.0), Result::error);
  EXPECT_EQ(open_fmu(2, "integrator")->set_derivative("u", 1, 1.0), Result::error);
}

/// One step of FMI 3 with everything written down.
class IntermediateUpdate : public Signal {};
INSTANTIATE_TEST_SUITE_P(Fmi, IntermediateUpdate, testing::Values(3));

TEST_P(IntermediateUpdate, comes_at_every_stage_and_can_be_read_where_states_are_accepted) {
  auto fmu = open("integrator-signal", {"u"});
  fmu->set("solver_step", H / 2);
  fmu->start();
  step(*fmu, 0.0);
  const double times[] = {0.0, H / 4, H / 2, H / 2, 3 * H / 4, H, H};
  const bool accepted[] = {true, false, false, true, false, false, true};
  ASSERT_EQ(updates.size(), 7u);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    EXPECT_DOUBLE_EQ(updates[i].time, times[i]) << i;
    EXPECT_TRUE(updates[i].set_requested) << i;
    EXPECT_EQ(updates[i].get_allowed, accepted[i]) << i;
    EXPECT_EQ(updates[i].step_finished, accepted[i]) << i;
    EXPECT_FALSE(updates[i].can_return_early) << i;
  }
}

TEST_P(IntermediateUpdate, gives_outputs_inside_the_step) {
  std::vector<double> seen;
  Opening opening;
  opening.intermediate = {"y"};
  opening.update = [&](Fmu& fmu, const Update& update) {
    EXPECT_FALSE(update.set_requested) << "no input was announced";
    if (update.get_allowed) seen.push_back(fmu["y"]);
  };
  auto fmu = open_fmu(3, "integrator-signal", opening);
  fmu->set("solver_step", 0.25);
  fmu->start();
  fmu->set("u", 2.0);
  fmu->step(0.0, 1.0);
  ASSERT_EQ(seen.size(), 5u);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_DOUBLE_EQ(seen[i], 0.5 * static_cast<double>(i));
}

TEST_P(IntermediateUpdate, is_not_called_by_an_fmu_that_has_none) {
  auto fmu = open("integrator", {"u"});
  fmu->start();
  step(*fmu, 0.0);
  EXPECT_TRUE(updates.empty());
}

TEST_P(IntermediateUpdate, that_fails_fails_the_step) {
  Opening opening;
  opening.intermediate = {"u"};
  opening.update = [](Fmu& fmu, const Update&) { EXPECT_EQ(fmu.set("y", 1.0), Result::error); };
  auto fmu = open_fmu(3, "integrator-signal", opening);
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 1.0), Result::error);
}

}  // namespace
}  // namespace seam::fmus
