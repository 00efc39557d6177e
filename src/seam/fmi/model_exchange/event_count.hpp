// How often an FMU for model exchange was in Event Mode, and why.
#pragma once

#include <string>

namespace seam::fmi {

enum class Cause {
  crossing,  ///< an event indicator changed its sign
  time,      ///< the FMU had announced it
  input,     ///< an input jumped
  wish       ///< the FMU asked for it after a step of the integrator
};

class EventCount {
 public:
  void add(Cause cause) { ++counts_[static_cast<int>(cause)]; }
  /// Begins with a comma; empty if there were none.
  std::string words() const;

 private:
  long counts_[4] = {};
};

}  // namespace seam::fmi
