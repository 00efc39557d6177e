// One system opened many times with different changes: what is the same as the last time is not done again.
#pragma once

#include <map>
#include <string>

#include "seam/engine/system.hpp"
#include "seam/load/model_shelf.hpp"

namespace seam::engine {

/// Gives what `open` gives, and throws what it throws. The files of the system are read when they are needed first. For
/// one thread.
class Opener {
 public:
  explicit Opener(std::string path);
  System open(const Changes& changes);

  /// A system that nobody needs any more: the next one uses its memory.
  void take_back(System system) { spare_ = std::move(system); }
  /// The models of what was opened, for whoever makes it live.
  load::ModelShelf& shelf() { return shelf_; }

 private:
  /// A description on its way, and the changes that are in it.
  struct Stage {
    bool valid = false;
    Changes changes;
    system::SystemDescription description;
  };
  bool read(const Changes& changes);
  bool set(const Changes& changes);
  bool describe(const Changes& changes);
  Changes late(const Changes& all) const;
  void leave_early(Changes& all) const;
  bool is_step_late(const Changes& all) const;

  std::string path_;
  Stage read_, set_, described_;
  bool describes_by_step_ = false;                            ///< with these settings
  Changes early_;                                             ///< of the system that is opened
  std::map<std::string, system::CouplingRequest> couplings_;  // by their texts
  load::ModelShelf shelf_;
  System spare_;
};

}  // namespace seam::engine
