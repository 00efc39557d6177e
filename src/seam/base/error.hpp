// The run cannot go on: thrown, caught once at the edge, turned into an exit code and one clear message.
#pragma once

#include <stdexcept>
#include <string>

namespace seam::base {

enum class Failure {
  subsystem,  ///< a subsystem could not do what it was asked to
  file,       ///< a file could not be read or written
  internal    ///< ours: a promise inside seam was broken
};

class Error : public std::runtime_error {
 public:
  Error(Failure failure, const std::string& message) : std::runtime_error(message), failure_(failure) {}
  Failure failure() const { return failure_; }

 private:
  Failure failure_;
};

}  // namespace seam::base
