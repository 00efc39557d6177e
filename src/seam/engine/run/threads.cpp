#include "seam/engine/run/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "seam/coupling/parallel_steps.hpp"
#include "seam/load/fmu_subsystem.hpp"
#include "seam/load/opened_fmus.hpp"

namespace seam::engine {
namespace {

using stepping::Load;
using stepping::Verdict;

std::string duration_words(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} us", 1e6 * seconds);
}

/// Instances of a library of which one is `serial` share a thread: so they never run beside each other. One number a
/// subsystem; -1: free.
std::vector<int> groups_of(const system::SystemDescription& description) {
  std::vector<const void*> library;
  std::set<const void*> serial;
  for (const system::Subsystem& subsystem : description.subsystems) {
    const auto fmu = load::fmu_of(subsystem);
    library.push_back(fmu.get());
    if (fmu && subsystem.fmu()->serial) serial.insert(fmu.get());
  }
  std::map<const void*, int> numbers;
  std::vector<int> groups;
  for (const void* which : library) {
    const bool stays = which && serial.contains(which);
    groups.push_back(stays ? numbers.try_emplace(which, static_cast<int>(numbers.size())).first->second : -1);
  }
  return groups;
}

/// A subsystem of which there can be no second instance, even after the first; null: there is none.
const system::Subsystem* made_only_once(const system::SystemDescription& description) {
  for (const system::Subsystem& subsystem : description.subsystems) {
    if (load::can_be_made_only_once(subsystem)) return &subsystem;
  }
  return nullptr;
}

}  // namespace

ThreadChoice::ThreadChoice(const System& system) : system_(system) {
  const system::Threads& asked = system.plan.threads;
  most_ = asked.most.value_or(assembly::ThreadTeam::processors());
  if (most_ == 1) return;
  const auto& subsystems = system.description.subsystems;
  for (std::size_t i = 0; i < subsystems.size(); ++i) {
    if (!subsystems[i].is_signal) members_.push_back(static_cast<int>(i));
  }
  if (const char* reason = coupling::why_serial(system.plan, static_cast<int>(members_.size()))) {
    words_ = fmt::format("one thread: {}", reason);
    return;
  }
  const system::Subsystem* once = made_only_once(system.description);
  if (asked.use == system::Threads::Use::always || (once && asked.most)) {
    assign(stepping::divide(equal_loads(), most_));
    if (asked.use != system::Threads::Use::always)
      words_ = fmt::format("{} threads, and the subsystems shared out unmeasured: \"{}\" can be made only once", most_,
                           once->name);
  } else if (once) {
    words_ = fmt::format("one thread: whether more would gain cannot be measured, since \"{}\" can be made only once",
                         once->name);
  } else {
    measures_ = true;
  }
}

std::vector<Load> ThreadChoice::equal_loads() const {
  const std::vector<int> groups = groups_of(system_.description);
  std::vector<Load> loads;
  for (const int member : members_) {
    const auto i = static_cast<std::size_t>(member);
    loads.push_back({1.0, system_.plan.subsystems[i].multiple, groups[i]});
  }
  return loads;
}

void ThreadChoice::assign(const stepping::Division& division) {
  assignment_.team = std::make_shared<assembly::ThreadTeam>(division.threads);
  assignment_.thread_of_subsystem.assign(system_.description.subsystems.size(), 0);
  for (std::size_t i = 0; i < members_.size(); ++i)
    assignment_.thread_of_subsystem[static_cast<std::size_t>(members_[i])] = division.thread_of_load[i];
}

Verdict ThreadChoice::judge(const stepping::Costs& costs, const Prospect& prospect) {
  measures_ = false;
  std::vector<Load> loads = equal_loads();
  for (std::size_t i = 0; i < loads.size(); ++i) loads[i].cost = costs.lanes[i];
  const int most = std::min(most_, static_cast<int>(loads.size()));
  const double meeting = stepping::cost_of_meeting(most);
  const stepping::Division alone = stepping::divide(loads, 1);
  const stepping::Division best = stepping::divide_best(loads, most, meeting);
  const std::string measured = fmt::format("the steps of all subsystems take {}", duration_words(alone.step));
  if (best.threads == 1) {
    words_ = fmt::format("one thread: {}, and with {} threads {}", measured, most,
                         duration_words(stepping::divide(loads, most).step + meeting));
    return Verdict::go_on;
  }
  const auto left = static_cast<double>(prospect.program.ticks);
  const double gained = left * (alone.step - best.step);
  const double lost = prospect.setup + static_cast<double>(prospect.steps) * (alone.step + costs.rest);
  if (gained < 2.0 * lost) {
    words_ = fmt::format("one thread: {} would gain {} in this run, less than starting it again costs", best.threads,
                         duration_words(gained));
    return Verdict::go_on;
  }
  assign(best);
  one_thread_step_ = alone.step + costs.rest;
  words_ = fmt::format("{} threads: {}, shared out {}", best.threads, measured, duration_words(best.step));
  return Verdict::start_again;
}

void ThreadChoice::go_back() {
  words_ = fmt::format("one thread: the first steps on {} threads took longer; the machine may be busy", threads());
  assignment_ = {};
  one_thread_step_ = 0.0;
}

std::vector<int> threads_of_lanes(const ThreadAssignment& assignment, const coupling::Program& program) {
  std::vector<int> threads;
  for (const coupling::Lane& lane : program.lanes)
    threads.push_back(assignment.thread_of_subsystem[static_cast<std::size_t>(lane.member)]);
  return threads;
}

}  // namespace seam::engine
