// One system opened many times with different changes: what is the same as the last time is not done again.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "seam/engine/system.hpp"

namespace seam::engine {

/// Gives what `open` gives, and throws what it throws. The files of the system are read when they are needed first. For
/// one thread.
class Opener {
 public:
  explicit Opener(std::string path);
  System open(const Changes& changes);

 private:
  /// A description on its way, and the changes that are in it.
  struct Stage {
    Changes changes;
    system::SystemDescription description;
  };
  bool read(const Changes& changes);
  bool set(const Changes& changes);
  bool describe(const Changes& changes);
  Changes late(const Changes& all) const;
  Changes early(const Changes& all) const;

  std::string path_;
  std::optional<Stage> read_, set_, described_;
  std::map<std::string, system::CouplingRequest> couplings_;  // by their texts
};

}  // namespace seam::engine
