#include "conformance/outlook_study.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace seam::testing {

using Verdict = engine::Outlook::Verdict;

void OutlookStudy::take(const RandomCoupling& coupling, const engine::Outlook& outlook, double rate,
                        const std::string& which) {
  Row& row = rows_[coupling.kind];
  ++row.systems;
  const double radius = std::exp(rate);
  const Verdict verdict = outlook.verdict();
  if (verdict == Verdict::not_known) {
    ++row.not_known;
    fmt::print("  {}: not known: {}\n", which,
               outlook.stability ? fmt::format("radius {:.6f}, uncertain by {:.1e}", outlook.stability->spectral_radius,
                                               outlook.uncertainty)
                                 : outlook.unknown.front());
    return;
  }
  const double told = outlook.stability->spectral_radius;
  const std::string words = fmt::format("{}: told radius {:.9f}, uncertain by {:.1e}; the run has {:.9f}", which, told,
                                        outlook.uncertainty, radius);
  const bool at_the_limit = std::abs(radius - 1.0) <= 1e-3;
  ++(at_the_limit ? row.at_the_limit : rate < 0.0 ? row.stable : row.unstable);
  // Nearer than 1e-4 the run itself is too short to tell.
  if (std::abs(radius - 1.0) > 1e-4) {
    EXPECT_EQ(verdict, rate < 0.0 ? Verdict::stable : Verdict::unstable) << words;
  }
  double allowed = 0.01 * std::abs(rate);
  if (allowed_ == Allowed::part_or_resolution || at_the_limit) allowed = std::max(allowed, 1e-4 / radius);
  const double deviation = std::abs(std::log(told) - rate) / allowed;
  EXPECT_LE(deviation, 1.0) << words;
  row.worst = std::max(row.worst, deviation);
  row.worst_radius = std::max(row.worst_radius, std::abs(told - radius));
  if (!at_the_limit) row.worst_rate = std::max(row.worst_rate, std::abs(std::log(told) / rate - 1.0));
}

void OutlookStudy::Row::add(const Row& other) {
  systems += other.systems;
  stable += other.stable;
  unstable += other.unstable;
  at_the_limit += other.at_the_limit;
  not_known += other.not_known;
  worst = std::max(worst, other.worst);
  worst_rate = std::max(worst_rate, other.worst_rate);
  worst_radius = std::max(worst_radius, other.worst_radius);
}

void OutlookStudy::print(const char* name, const Row& row) {
  fmt::print("{:<26}{:>8}{:>8}{:>10}{:>14}{:>11}{:>15.1e}{:>17.4f} %{:>17.1f} %\n", name, row.systems, row.stable,
             row.unstable, row.at_the_limit, row.not_known, row.worst_radius, 100.0 * row.worst_rate,
             100.0 * row.worst);
}

/// The verdicts are counted by what the runs do; the growth is that of a macro step.
void OutlookStudy::print(const std::string& title) const {
  fmt::print("{}\n{:<26}{:>8}{:>8}{:>10}{:>14}{:>11}{:>15}{:>19}{:>19}\n", title, "coupling", "systems", "stable",
             "unstable", "at the limit", "not known", "worst radius", "worst growth rate", "worst, of allowed");
  Row all;
  for (const auto& [kind, row] : rows_) {
    print(word(kind), row);
    all.add(row);
  }
  print("all", all);
}

double OutlookStudy::part_not_known() const {
  double all = 0.0, not_known = 0.0;
  for (const auto& [kind, row] : rows_) {
    all += row.systems;
    not_known += row.not_known;
  }
  return not_known / all;
}

int OutlookStudy::stable() const {
  int count = 0;
  for (const auto& [kind, row] : rows_) count += row.stable;
  return count;
}

int OutlookStudy::unstable() const {
  int count = 0;
  for (const auto& [kind, row] : rows_) count += row.unstable;
  return count;
}

}  // namespace seam::testing
