#include "seam/coupling/turns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/names.hpp"

namespace seam::coupling {
namespace {

using system::SystemDescription;

std::vector<int> given(const SystemDescription& description, base::Problems& problems) {
  const system::Schedule& schedule = *description.plan.schedule;
  std::vector<std::string> names;
  for (const system::Subsystem& subsystem : description.subsystems) {
    if (!subsystem.is_signal) names.push_back(subsystem.name);
  }
  std::vector<int> order;
  for (std::size_t i = 0; i < schedule.order.size(); ++i) {
    const std::string& name = schedule.order[i];
    const auto found = std::find_if(description.subsystems.begin(), description.subsystems.end(),
                                    [&](const system::Subsystem& s) { return s.name == name && !s.is_signal; });
    const int index = static_cast<int>(found - description.subsystems.begin());
    if (found == description.subsystems.end()) {
      problems.add(schedule.order_where[i], fmt::format("\"{}\" is no subsystem that steps", name),
                   base::did_you_mean(name, names));
    } else if (std::find(order.begin(), order.end(), index) != order.end()) {
      problems.add(schedule.order_where[i], fmt::format("\"{}\" is in the order twice", name));
    } else {
      order.push_back(index);
    }
  }
  for (std::size_t s = 0; s < description.subsystems.size(); ++s) {
    const bool there = std::find(order.begin(), order.end(), static_cast<int>(s)) != order.end();
    if (!there && !description.subsystems[s].is_signal)
      problems.add(description.plan.schedule_where,
                   fmt::format("the order of gauss-seidel lacks \"{}\"", description.subsystems[s].name),
                   "name every subsystem that steps, or leave the order out");
  }
  return order;
}

}  // namespace

// The greedy heuristic of Eades, Lin and Smyth (1993) for small feedback arc sets: a subsystem without inputs from
// others goes to the front, one without outputs to others to the back, and else the one that sends most beyond what it
// gets.
std::vector<int> choose_turns(const SystemDescription& description, base::Problems& problems) {
  if (!description.plan.schedule->order.empty()) return given(description, problems);
  const int count = static_cast<int>(description.subsystems.size());
  std::vector<bool> left(static_cast<std::size_t>(count));
  int remaining = 0;
  for (int s = 0; s < count; ++s) {
    left[static_cast<std::size_t>(s)] = !description.subsystems[static_cast<std::size_t>(s)].is_signal;
    remaining += left[static_cast<std::size_t>(s)] ? 1 : 0;
  }
  std::vector<int> front, back;
  while (remaining > 0) {
    std::vector<int> hears(static_cast<std::size_t>(count)), heard(static_cast<std::size_t>(count));
    for (const system::Connection& c : description.connections) {
      const auto from = static_cast<std::size_t>(c.from.subsystem), to = static_cast<std::size_t>(c.to.subsystem);
      if (from == to || !left[from] || !left[to]) continue;
      ++heard[from];
      ++hears[to];
    }
    int best = -1, last = -1;
    for (int s = 0; s < count; ++s) {
      const auto i = static_cast<std::size_t>(s);
      if (!left[i]) continue;
      if (heard[i] == 0 && hears[i] > 0) last = s;
      const auto excess = [&](int which) {
        const auto w = static_cast<std::size_t>(which);
        return hears[w] == 0 ? count * count : heard[w] - hears[w];
      };
      if (best < 0 || excess(s) > excess(best)) best = s;
    }
    const bool to_back = last >= 0 && hears[static_cast<std::size_t>(best)] > 0;
    const int chosen = to_back ? last : best;
    (to_back ? back : front).push_back(chosen);
    left[static_cast<std::size_t>(chosen)] = false;
    --remaining;
  }
  front.insert(front.end(), back.rbegin(), back.rend());
  return front;
}

}  // namespace seam::coupling
