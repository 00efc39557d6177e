// One system opened many times with different values: its file is read once, and models whose parameters stay the same
// are made once.
#pragma once

#include <optional>
#include <string>

#include "seam/base/problem.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/load/model_catalog.hpp"
#include "seam/system/description.hpp"

namespace seam::engine {

/// Gives what `open` gives with the same changes, and throws what it throws. For one thread.
class Opener {
 public:
  explicit Opener(std::string path);
  /// The values of all systems that are opened from now on; they are described once.
  void set(const ValueChanges& changes);
  /// With these values, coupled like this. Throws base::ProblemsFound with every problem there is, those of the values
  /// too.
  System open(const CouplingChanges& coupling = {});

  /// A system that is not needed any more: the next one uses its memory.
  void take_back(System system) { spare_ = std::move(system); }
  /// The models of what was opened, for making it live.
  load::ModelCache& cache() { return cache_; }

 private:
  void read(const std::string& design);

  std::string path_;
  std::optional<std::string> design_;                     ///< of what was read; none: nothing yet
  std::optional<system::SystemDescription> description_;  ///< as read; none: it cannot be read
  base::Problems read_problems_;
  system::SystemDescription described_;
  base::Problems problems_;
  load::ModelCache cache_;
  System spare_;
};

/// Every `system: FILE` of a description that was read from `path` becomes the subsystems and connections of that file,
/// and of those inside it. Experiment, plan and record are those of the outermost file.
void put_systems_in_place(const std::string& path, system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::engine
