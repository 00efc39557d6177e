#include "seam/stepping/division.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "seam/assembly/thread_team.hpp"

namespace seam::stepping {
namespace {

/// What must stay together, as one: the work of its members by how often they step.
struct Bundle {
  std::vector<std::size_t> loads;
  std::map<int, double> work;  ///< multiple -> s
  double mean = 0.0;           ///< s a macro step
};

std::vector<Bundle> bundles_of(const std::vector<Load>& loads) {
  std::vector<Bundle> bundles;
  std::map<int, std::size_t> of_group;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Load& load = loads[i];
    std::size_t which = bundles.size();
    if (load.group >= 0) which = of_group.try_emplace(load.group, which).first->second;
    if (which == bundles.size()) bundles.emplace_back();
    bundles[which].loads.push_back(i);
    bundles[which].work[load.multiple] += load.cost;
    bundles[which].mean += load.cost / load.multiple;
  }
  std::ranges::stable_sort(bundles, [](const Bundle& a, const Bundle& b) { return a.mean > b.mean; });
  return bundles;
}

/// What a thread does beside this work: two that step by m and n meet once in lcm(m, n).
double beside(const std::map<int, double>& thread, const std::map<int, double>& work) {
  double sum = 0.0;
  for (const auto& [own, cost] : work) {
    for (const auto& [other, busy] : thread) sum += busy / std::lcm(own, other);
  }
  return sum;
}

/// The mean over a hyper-period of what the busiest thread does.
double mean_step(const std::vector<std::map<int, double>>& threads) {
  long period = 1;
  for (const auto& thread : threads) {
    for (const auto& [multiple, work] : thread) period = std::lcm(period, static_cast<long>(multiple));
  }
  double sum = 0.0;
  for (long end = 1; end <= period; ++end) {
    double busiest = 0.0;
    for (const auto& thread : threads) {
      double busy = 0.0;
      for (const auto& [multiple, work] : thread) busy += end % multiple == 0 ? work : 0.0;
      busiest = std::max(busiest, busy);
    }
    sum += busiest;
  }
  return sum / static_cast<double>(period);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Division divide(const std::vector<Load>& loads, int threads) {
  Division division;
  division.threads = threads;
  division.thread_of_load.assign(loads.size(), 0);
  std::vector<std::map<int, double>> busy(static_cast<std::size_t>(threads));
  for (const Bundle& bundle : bundles_of(loads)) {
    std::size_t best = 0;
    for (std::size_t t = 1; t < busy.size(); ++t) {
      if (beside(busy[t], bundle.work) < beside(busy[best], bundle.work)) best = t;
    }
    for (const std::size_t load : bundle.loads) division.thread_of_load[load] = static_cast<int>(best);
    for (const auto& [multiple, work] : bundle.work) busy[best][multiple] += work;
  }
  division.step = mean_step(busy);
  return division;
}

Division divide_best(const std::vector<Load>& loads, int most, double meeting) {
  Division best = divide(loads, 1);
  for (int threads = 2; threads <= std::min<int>(most, static_cast<int>(loads.size())); ++threads) {
    Division other = divide(loads, threads);
    other.step += meeting;
    if (other.step < 0.95 * best.step) best = std::move(other);
  }
  return best;
}

double cost_of_meeting(int threads) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t times = 200;
  assembly::ThreadTeam team(threads);
  std::vector<double> costs;
  for (std::size_t i = 0; i < times; ++i) {
    const Clock::time_point begin = Clock::now();
    team.together({[](void*, int) {}, nullptr});
    costs.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  std::nth_element(costs.begin(), costs.begin() + times / 2, costs.end());
  return costs[times / 2];
}

CostSamples::CostSamples(const coupling::Program& program)
    : program_(program), lanes_(program.lanes.size()), before_(program.lanes.size()) {}

void CostSamples::add(const coupling::LaneWatch& watch) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const double passed = watch.lanes()[i] - before_[i];
    before_[i] = watch.lanes()[i];
    if (passed > 0.0) lanes_[i].push_back(passed);  // a slower one rests in most steps
  }
  rest_.push_back(watch.rest() - rest_before_);
  rest_before_ = watch.rest();
}

bool CostSamples::are_enough() const {
  const auto steps = static_cast<base::Tick>(rest_.size());
  const base::Tick period = program_.hyper_period();
  const double passed = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (passed > 1.0 && steps >= std::max<base::Tick>(2, period)) return true;
  return steps >= std::max<base::Tick>(8, 2 * period) && (steps >= 64 || passed > 0.05);
}

Costs CostSamples::costs() const {
  Costs costs;
  for (const auto& lane : lanes_) costs.lanes.push_back(median(lane));
  costs.rest = median(rest_);
  return costs;
}

}  // namespace seam::stepping
