#include "seam/lti/model_keeper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "lti/random_matrices.hpp"
#include "seam/base/error.hpp"

namespace seam::lti {
namespace {

/// A damped mass on a spring, in pairs of (held force, position at the end), and what becomes of it.
class Watched {
 public:
  explicit Watched(const KeeperChoices& choices) : keeper(1, 1, choices), samples_(choices.shape.samples) {}

  StateSpace system{Matrix{{0.9, 0.3}, {-0.4, 0.8}}, Matrix{{0.1}, {0.4}}, Matrix{{1.0, 0.2}}, Matrix{{0.15}}};
  ModelKeeper keeper;
  Vector x = Vector{{1.0, -0.5}};
  double load = 0.0;  ///< added to the output
  double output = 0.0;
  std::function<double(double)> noise = [](double) { return 0.0; };

  /// One macro step with this input.
  const Judgement& step(double u) {
    std::vector<double> us, ys;
    for (int i = 0; i < samples_; ++i) {
      output = (system.C * x + system.D * u)(0) + load;
      output += noise(output);
      x = system.A * x + system.B * u;
      us.push_back(u);
      ys.push_back(output);
    }
    return keeper.observe({us, ys});
  }

  /// How far K is from the truth.
  double wrong() const { return std::abs(keeper.step_gains().K()(0, 0) / true_K() - 1.0); }
  double true_K() const {
    PairedModel model({2, 1, 1});
    model.take(system);
    StepGains gains({2, 1, 1});
    gains.derive(model, samples_);
    return gains.K()(0, 0);
  }

 private:
  int samples_;
};

KeeperChoices choices(int samples = 1) {
  KeeperChoices result;
  result.order = 2;
  result.shape.samples = samples;
  return result;
}

class Keeper : public testing::Test {
 protected:
  RandomMatrices random{81};
  double any() { return random.matrix(1, 1)(0, 0); }
};

TEST_F(Keeper, believes_nothing_before_a_sample_more_than_there_are_unknowns) {
  for (const Trust trust : {Trust::at_once, Trust::when_overdetermined, Trust::after_proof}) {
    KeeperChoices asked = choices();
    asked.trust = trust;
    Watched watched(asked);
    int first = 0;
    for (int n = 1; n <= 12 && first == 0; ++n) {
      const Judgement& judgement = watched.step(any());
      if (judgement.standing == Standing::in_use) first = n;
      if (n == 6) {
        EXPECT_EQ(judgement.reason, Reason::too_few_samples);
      }
      if (n == 7 && trust == Trust::when_overdetermined) {
        EXPECT_EQ(judgement.reason, Reason::uncertain_samples);
        EXPECT_EQ(judgement.uncertainty, INFINITY);
      }
      if (n == 8 && trust == Trust::after_proof) {
        EXPECT_EQ(judgement.reason, Reason::not_proven);
      }
    }
    EXPECT_EQ(first, 7 + static_cast<int>(trust)) << "k (nu + 1) + n - 1 = 7 samples are the unknowns";
    EXPECT_LT(watched.wrong(), 1e-8);
  }
}

TEST_F(Keeper, needs_fewer_macro_steps_with_micro_samples) {
  Watched watched(choices(5));
  watched.step(any());
  watched.step(any());
  const Judgement& judgement = watched.step(any());
  EXPECT_EQ(judgement.standing, Standing::in_use);
  EXPECT_LT(watched.wrong(), 1e-8);
}

TEST_F(Keeper, keeps_a_model_as_long_as_it_foretells) {
  Watched watched(choices());
  int changes = 0;
  for (int n = 0; n < 200; ++n) changes += watched.step(any()).change != Judgement::Change::none;
  EXPECT_EQ(changes, 1);
  EXPECT_EQ(watched.keeper.judgement().reason, Reason::model_foretells);
}

TEST_F(Keeper, finds_another_model_when_the_subsystem_has_become_another) {
  Watched watched(choices());
  for (int n = 0; n < 30; ++n) watched.step(any());
  watched.system.A(1, 0) = -0.1;
  watched.system.D(0, 0) = 0.6;
  EXPECT_GT(watched.wrong(), 0.5);
  for (int n = 0; n < 25; ++n) watched.step(any());
  EXPECT_LT(watched.wrong(), 0.01) << "the threshold";
  EXPECT_EQ(watched.keeper.judgement().standing, Standing::in_use);
}

/// A controller with constant gains: the inputs follow from the outputs alone.
double closed_loop(const Watched& watched) { return -0.8 * watched.output; }

TEST_F(Keeper, believes_nothing_in_a_loop_closed_by_a_constant_gain) {
  Watched watched(choices());
  for (int n = 0; n < 60; ++n) EXPECT_EQ(watched.step(closed_loop(watched)).standing, Standing::none) << n;
  EXPECT_EQ(watched.keeper.judgement().reason, Reason::poor_samples);
}

TEST_F(Keeper, keeps_what_it_knew_while_samples_are_collinear) {
  Watched watched(choices());
  for (int n = 0; n < 15; ++n) watched.step(any());
  for (int n = 0; n < 60; ++n) {
    EXPECT_EQ(watched.step(closed_loop(watched)).change, Judgement::Change::none);
    EXPECT_LT(watched.wrong(), 1e-8);
  }
}

TEST_F(Keeper, is_not_misled_where_the_check_of_the_paper_is_blind) {
  int blind = 0;
  for (const bool guarded : {false, true}) {
    KeeperChoices asked = choices();
    if (!guarded) {
      asked.most_uncertainty = INFINITY;
      asked.least_gap = 0.0;
      asked.least_prominence = 0.0;
    }
    Watched watched(asked);
    watched.noise = [&](double) { return 1e-6 * any(); };
    for (int n = 0; n < 40; ++n) {
      const Judgement& judgement = watched.step(closed_loop(watched) + 1e-6 * any());
      if (judgement.standing != Standing::in_use || watched.wrong() < 0.2) continue;
      EXPECT_FALSE(guarded) << "step " << n << ", uncertainty " << judgement.uncertainty;
      blind += judgement.error < 1e-2;
    }
  }
  EXPECT_GT(blind, 0) << "the noise is no trap";
}

TEST_F(Keeper, does_not_give_up_what_it_knows_well_at_a_zero_of_the_output) {
  Watched watched(choices());
  watched.noise = [&](double) { return 1e-6 * any(); };
  for (int n = 0; n < 30; ++n) watched.step(any());
  const double at_first = watched.wrong();
  ASSERT_LT(at_first, 1e-4);
  int bad_looks = 0;
  for (int n = 0; n < 400; ++n) bad_looks += watched.step(4e-3 * any()).error > 0.01;
  EXPECT_GT(bad_looks, 3) << "the outputs have no zeros";
  EXPECT_EQ(watched.wrong(), at_first);
}

TEST_F(Keeper, lets_states_be_tracked_that_do_not_grow_and_are_known_well) {
  Watched watched(choices());
  EXPECT_FALSE(watched.keeper.can_be_tracked()) << "there is no model";
  for (int n = 0; n < 20; ++n) watched.step(any());
  EXPECT_TRUE(watched.keeper.can_be_tracked());

  Watched unstable(choices());
  unstable.system.A *= 1.2;
  for (int n = 0; n < 12; ++n) unstable.step(any());
  ASSERT_EQ(unstable.keeper.judgement().standing, Standing::in_use);
  EXPECT_LT(unstable.wrong(), 1e-6);
  EXPECT_FALSE(unstable.keeper.can_be_tracked());
}

TEST_F(Keeper, after_an_event_has_its_model_still_and_waits_for_samples) {
  for (const Interruption cause : {Interruption::event, Interruption::saturation, Interruption::parameter_change}) {
    Watched watched(choices());
    for (int n = 0; n < 15; ++n) watched.step(any());
    const bool is_forgotten = cause == Interruption::parameter_change;
    EXPECT_EQ(watched.keeper.interrupt(cause).standing, is_forgotten ? Standing::none : Standing::set_aside);
    watched.x = Vector{{30.0, 20.0}};
    for (int n = 1; n <= 8; ++n) {
      const Judgement& judgement = watched.step(any());
      EXPECT_EQ(judgement.standing == Standing::in_use, n >= (is_forgotten ? 8 : 3)) << n;
      if (n < 3) {
        EXPECT_EQ(judgement.reason, Reason::too_few_samples);
      }
    }
    EXPECT_LT(watched.wrong(), 1e-8);
  }
}

TEST_F(Keeper, sets_a_model_aside_that_foretells_worse_than_holding) {
  Watched watched(choices());
  for (int n = 0; n < 15; ++n) watched.step(any());
  watched.system = {Matrix{{0.0, 0.0}, {0.0, 0.0}}, Matrix{{0.0}, {0.0}}, Matrix{{1.0, 0.2}}, Matrix{{1e-9}}};
  watched.load = 5.0;  // nothing moves any more
  Judgement judgement;
  for (int n = 0; n < 3; ++n) judgement = watched.step(any());
  EXPECT_EQ(judgement.standing, Standing::set_aside);
  EXPECT_EQ(judgement.reason, Reason::worse_than_holding);
}

TEST_F(Keeper, counts_a_constant_load_as_a_state_if_it_may_choose_the_order) {
  KeeperChoices asked;
  asked.most_states = 4;
  asked.shape = {1, 6};
  asked.window = 40;
  Watched watched(asked);
  watched.load = 3.0;
  for (int n = 0; n < 40; ++n) watched.step(any());
  EXPECT_EQ(watched.keeper.model().order(), 3);
  EXPECT_EQ(watched.keeper.judgement().standing, Standing::in_use);
  EXPECT_LT(watched.wrong(), 1e-8);
}

TEST_F(Keeper, makes_nothing_of_numbers_that_are_none) {
  Watched watched(choices());
  watched.noise = [](double) { return std::numeric_limits<double>::quiet_NaN(); };
  for (int n = 0; n < 20; ++n) EXPECT_EQ(watched.step(any()).standing, Standing::none);
  watched.noise = [](double) { return 0.0; };
  for (int n = 0; n < 30; ++n) watched.step(any());
  EXPECT_EQ(watched.keeper.judgement().standing, Standing::in_use) << "they have left the window";
}

TEST_F(Keeper, changes_coordinates_without_a_jump_of_outputs) {
  Watched watched(choices());
  for (int n = 0; n < 20; ++n) watched.step(any());
  const StateSpace before{watched.keeper.model().A(), watched.keeper.model().B(), watched.keeper.model().C(),
                          watched.keeper.model().D()};
  const Matrix C_before = watched.keeper.step_gains().C();
  // nearly the same subsystem: found again in other coordinates
  watched.system.A(1, 0) *= 1.05;
  Judgement::Change change = Judgement::Change::none;
  for (int n = 0; n < 40 && change == Judgement::Change::none; ++n) change = watched.step(3.0 * any()).change;
  ASSERT_EQ(change, Judgement::Change::other_model);
  const Vector e = random.matrix(2, 1), mapped = watched.keeper.coordinate_change() * e;
  const double now = (C_before * e)(0), then = (watched.keeper.step_gains().C() * mapped)(0);
  EXPECT_NEAR(then, now, 0.02 * C_before.norm() * e.norm());
  const double next = (before.C * e)(0), next_then = (watched.keeper.model().C() * mapped)(0);
  EXPECT_NEAR(next_then, next, 0.02 * before.C.norm() * e.norm());
}

TEST_F(Keeper, goes_on_from_its_memory_as_if_nothing_had_been) {
  for (const int samples : {1, 3}) {
    for (const int until : {2, 9, 30}) {
      Watched watched(choices(samples));
      watched.noise = [&](double) { return 1e-3 * any(); };
      for (int n = 0; n < until; ++n) watched.step(any());
      std::vector<double> memory(watched.keeper.memory_size());
      watched.keeper.save(memory);
      ModelKeeper other(1, 1, choices(samples));
      other.load(memory);
      for (int n = 0; n < 30; ++n) {
        const Judgement expected = watched.step(any());
        const Samples latest = watched.keeper.window().newest(samples);
        const Judgement found = other.observe(latest);
        EXPECT_EQ(found.standing, expected.standing);
        EXPECT_EQ(found.reason, expected.reason);
        EXPECT_EQ(found.error, expected.error);
        if (expected.standing == Standing::in_use) {
          EXPECT_EQ(other.step_gains().K(), watched.keeper.step_gains().K());
        }
      }
    }
  }
}

TEST_F(Keeper, refuses_sizes_that_fit_nothing) {
  KeeperChoices asked = choices();
  asked.window = 2;
  EXPECT_THROW(ModelKeeper(1, 1, asked), base::Error);
  ModelKeeper keeper(1, 1, choices());
  std::vector<double> short_of(keeper.memory_size() - 1);
  EXPECT_THROW(keeper.save(short_of), base::Error);
  EXPECT_THROW(keeper.load(short_of), base::Error);
}

TEST_F(Keeper, refuses_a_memory_that_it_cannot_have_written) {
  Watched watched(choices());
  for (int n = 0; n < 20; ++n) watched.step(any());
  std::vector<double> memory(watched.keeper.memory_size());
  watched.keeper.save(memory);
  const auto refuses = [&](std::size_t place, double number) {
    std::vector<double> damaged = memory;
    damaged[place] = number;
    ModelKeeper other(1, 1, choices());
    EXPECT_THROW(other.load(damaged), base::Error) << place << " " << number;
  };
  const std::size_t window = 11, model = memory.size() - watched.keeper.model().memory().size();
  for (const double number : {-1.0, 1e9, std::nan("")}) {
    for (const std::size_t place : {std::size_t{2}, std::size_t{3}, std::size_t{4}, std::size_t{7}, window})
      refuses(place, number);
    refuses(model, number);
  }
}

}  // namespace
}  // namespace seam::lti
