#include "seam/stepping/costs.hpp"

#include <algorithm>

namespace seam::stepping {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

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
