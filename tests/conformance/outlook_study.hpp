// Verdicts of the analysis beside what runs do, counted and printed.
#pragma once

#include <map>

#include "seam/engine/predict/outlook.hpp"
#include "support/random_coupling.hpp"

namespace seam::testing {

class OutlookStudy {
 public:
  /// How far the rate of growth that is told may be from the one observed.
  enum class Allowed {
    part,               ///< 1 % of it
    part_or_resolution  ///< 1 % of it, or 1e-4 of the spectral radius, whichever is larger
  };
  explicit OutlookStudy(Allowed allowed) : allowed_(allowed) {}

  /// Fails the test where a verdict is wrong or the growth is. `rate`: logarithm of the growth a macro step.
  void take(const RandomCoupling& coupling, const engine::Outlook& outlook, double rate, const std::string& which);
  void print(const std::string& title) const;
  double part_not_known() const;
  int stable() const;
  int unstable() const;

 private:
  struct Row {
    int systems = 0, stable = 0, unstable = 0, at_the_limit = 0, not_known = 0;
    double worst = 0.0;         ///< deviation of the rate, by what is allowed
    double worst_rate = 0.0;    ///< the same, by the rate itself, away from the limit
    double worst_radius = 0.0;  ///< deviation of the radius

    void add(const Row& other);
  };
  static void print(const char* name, const Row& row);
  Allowed allowed_;
  std::map<CouplingKind, Row> rows_;
};

}  // namespace seam::testing
