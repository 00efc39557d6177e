#include "seam/assembly/thread_team.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <thread>

#include "seam/assembly/resident.hpp"

namespace seam::assembly {
namespace {

using Id = std::thread::id;

/// The thread behind each number of a team.
std::vector<Id> ids(ThreadTeam& team) {
  std::vector<Id> found(static_cast<std::size_t>(team.size()));
  const auto note = [](void* what, int thread) {
    (*static_cast<std::vector<Id>*>(what))[static_cast<std::size_t>(thread)] = std::this_thread::get_id();
  };
  team.together({note, &found});
  return found;
}

TEST(ThreadTeam, every_thread_has_a_number_of_its_own_and_keeps_it) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadTeam team(threads);
    EXPECT_EQ(team.size(), threads);
    const std::vector<Id> first = ids(team);
    EXPECT_EQ(std::set<Id>(first.begin(), first.end()).size(), static_cast<std::size_t>(threads));
    EXPECT_EQ(first.front(), std::this_thread::get_id());
    for (int i = 0; i < 20; ++i) EXPECT_EQ(ids(team), first);
  }
}

// Plain numbers: what one round wrote is there in the next, on whatever thread.
TEST(ThreadTeam, nobody_begins_a_round_before_all_have_ended_the_one_before) {
  struct Ring {
    std::vector<long> now, next;
  };
  for (const int threads : {2, 3, 5}) {
    ThreadTeam team(threads);
    Ring ring{std::vector<long>(static_cast<std::size_t>(threads), 1), {}};
    ring.next = ring.now;
    constexpr int rounds = 300;
    for (int round = 0; round < rounds; ++round) {
      team.together({[](void* what, int thread) {
                       auto& all = *static_cast<Ring*>(what);
                       const auto mine = static_cast<std::size_t>(thread);
                       all.next[mine] = all.now[mine] + all.now[(mine + 1) % all.now.size()] % 1000;
                     },
                     &ring});
      ring.now = ring.next;
    }
    std::vector<long> expected(static_cast<std::size_t>(threads), 1);
    for (int round = 0; round < rounds; ++round) {
      std::vector<long> next = expected;
      for (std::size_t i = 0; i < next.size(); ++i) next[i] += expected[(i + 1) % next.size()] % 1000;
      expected = next;
    }
    EXPECT_EQ(ring.now, expected);
  }
}

TEST(ThreadTeam, an_errand_is_done_on_its_thread_and_its_result_comes_back) {
  ThreadTeam team(3);
  const std::vector<Id> all = ids(team);
  for (int thread = 0; thread < 3; ++thread) {
    EXPECT_EQ(team.on(thread, [] { return std::this_thread::get_id(); }), all[static_cast<std::size_t>(thread)]);
    EXPECT_EQ(team.on(thread, [&] { return std::string("done by ") + std::to_string(thread); }),
              "done by " + std::to_string(thread));
  }
}

TEST(ThreadTeam, an_errand_on_the_thread_that_asks_is_done_at_once) {
  ThreadTeam team(2);
  EXPECT_EQ(team.on(1, [&] { return team.on(1, [&] { return team.is_here(1) && !team.is_here(0); }); }), true);
}

TEST(ThreadTeam, what_an_errand_throws_is_thrown_where_it_was_asked_for) {
  ThreadTeam team(2);
  for (int thread = 0; thread < 2; ++thread) {
    EXPECT_THROW(team.on(thread, [] { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_THROW(team.on(thread, []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_EQ(team.on(thread, [] { return 5; }), 5);
  }
}

/// Where everything was called.
struct Visits {
  std::set<Id> threads;
  int calls = 0;
  bool destroyed = false;
};

class Visited final : public Subsystem, DiscretePorts, Tuning {
 public:
  explicit Visited(Visits& visits) : visits_(visits) {
    note();
    facets_.discrete_ports = this;
    facets_.tuning = this;
  }
  ~Visited() override {
    note();
    visits_.destroyed = true;
  }
  Capabilities capabilities() const override {
    note();
    return {};
  }
  bool feeds_through(int, int, Phase) const override { return note() > 0; }
  StepFunction prepare(const Calls&) override {
    note();
    return StepFunction::of(*this);
  }
  void initialise(double) override { note(); }
  Outcome advance(const Step&, const InputPolynomials&, Out outputs) {
    outputs[0] = note();
    return Outcome::accepted;
  }
  void evaluate(double, Sources, In, Out) override { note(); }
  Snapshot save() override {
    note();
    return {{}, std::shared_ptr<void>(this, [](void* self) { static_cast<Visited*>(self)->note(); })};
  }
  void restore(const Snapshot& snapshot) override {
    note();
    if (snapshot.handle.get() != this) throw std::runtime_error("this is no snapshot of mine");
  }

 private:
  void give(std::span<const DiscreteValue>) override { note(); }
  void take(std::span<DiscreteValue>) override { note(); }
  void follow(int, double, double) override { note(); }
  void tune(int, double, const DiscreteValue&) override { note(); }
  int note() const {
    visits_.threads.insert(std::this_thread::get_id());
    return ++visits_.calls;
  }
  Visits& visits_;
};

TEST(Resident, is_made_called_and_destroyed_on_its_thread_alone) {
  ThreadTeam team(3);
  const std::vector<Id> all = ids(team);
  Visits visits;
  std::unique_ptr<Subsystem> resident =
      make_resident(team, 2, [&]() -> std::unique_ptr<Subsystem> { return std::make_unique<Visited>(visits); });
  double y = 0.0;
  resident->capabilities();
  resident->feeds_through(0, 0);
  const StepFunction step = resident->prepare({1.0, 0});
  resident->initialise(0.0);
  resident->evaluate(0.0, Sources::live, {}, {});
  EXPECT_EQ(step.call(step.who, {}, {}, {&y, 1}), Outcome::accepted);
  EXPECT_EQ(y, visits.calls);
  EXPECT_EQ(team.on(1, [] { return 0; }), 0);
  EXPECT_EQ(team.on(2, [&] { return step.call(step.who, {}, {}, {&y, 1}); }), Outcome::accepted);
  resident->facets().discrete_ports->give({});
  resident->facets().discrete_ports->take({});
  resident->facets().tuning->follow(0, 1.0, 0.0);
  resident->facets().tuning->tune(0, 1.0, {});
  EXPECT_EQ(resident->facets().equations, nullptr) << "it offers what the one inside offers";
  {
    const Snapshot snapshot = resident->save();
    resident->restore(snapshot);
  }
  const int calls = visits.calls;
  EXPECT_EQ(calls, 15);  // the end of the snapshot among them
  resident.reset();
  EXPECT_TRUE(visits.destroyed);
  EXPECT_EQ(visits.calls, calls + 1);
  EXPECT_EQ(visits.threads, std::set<Id>{all[2]});
}

TEST(Resident, that_cannot_be_made_is_none) {
  ThreadTeam team(2);
  EXPECT_EQ(make_resident(team, 1, [] { return std::unique_ptr<Subsystem>(); }), nullptr);
  EXPECT_THROW(make_resident(team, 1, []() -> std::unique_ptr<Subsystem> { throw std::runtime_error("not today"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace seam::assembly
