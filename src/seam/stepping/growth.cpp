#include "seam/stepping/growth.hpp"

#include <algorithm>
#include <cmath>

namespace seam::stepping {
namespace {

constexpr std::size_t parts = 8;
constexpr double noteworthy = 1000.0;
constexpr double steady = 1.2;  ///< from one part to the next

bool grows(const double* largest) {
  const double last = largest[parts - 1];
  if (!(last > noteworthy * largest[0]) || !(last > std::sqrt(noteworthy) * largest[parts / 2 - 1])) return false;
  for (std::size_t part = parts / 2; part < parts; ++part) {
    if (largest[part - 1] == 0.0 || largest[part] < steady * largest[part - 1]) return false;
  }
  return true;
}

}  // namespace

GrowthWatch::GrowthWatch(const std::vector<Column>& columns, double start, double stop)
    : start_(start), length_(stop - start) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const bool computed = column.direction == Direction::output && column.member >= 0 && !column.signal;
    if (computed && column.type == system::PortType::real) outputs_.emplace_back(i, column.name);
  }
  largest_.resize(outputs_.size() * parts);
}

void GrowthWatch::sample(double t, const Row& row) {
  const double passed = std::clamp((t - start_) / length_, 0.0, 1.0) * static_cast<double>(parts);
  const std::size_t part = std::min(static_cast<std::size_t>(passed), parts - 1);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    double& largest = largest_[i * parts + part];
    largest = std::max(largest, std::abs(row.numbers[outputs_[i].first]));
  }
}

std::optional<Growth> GrowthWatch::found() const {
  std::optional<Growth> most;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const double* const largest = largest_.data() + i * parts;
    const double from = largest[0], to = largest[parts - 1];
    if (grows(largest) && (!most || to * most->from > most->to * from)) most = {outputs_[i].second, from, to};
  }
  return most;
}

}  // namespace seam::stepping
