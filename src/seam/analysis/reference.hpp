// The monolithic solution: all equations integrated together, with no coupling error at all.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "seam/analysis/monolithic.hpp"

namespace seam::analysis {

/// Moves along a grid of times and knows every port there.
class Reference {
 public:
  virtual ~Reference() = default;
  /// From the time reached to `t`, which is not earlier.
  virtual void advance_to(double t) = 0;
  virtual const assembly::PortValues& ports() const = 0;
  /// Of all members that are no signals, in their order; empty where they are not told.
  virtual std::span<const double> states() const { return {}; }
  /// How it is computed, in words.
  virtual std::string method() const = 0;
  /// Who asked to end before the time that was asked for, in words; the solution then stays where it is.
  virtual std::string ended() const { return {}; }
  /// Whether the time that was asked for last was reached all the same.
  virtual bool arrived() const { return true; }
};

/// Starts from the members' start states. None, with the reason, if the equations of a member are not known.
std::unique_ptr<Reference> make_reference(assembly::Assembly& assembly, double t0, std::string& reason);

}  // namespace seam::analysis
