// Which subsystem a path names, where many paths are looked up.
#pragma once

#include <string_view>
#include <unordered_map>

#include "seam/system/description.hpp"

namespace seam::system {

/// As find_subsystem does it, without asking all of them. Sees the names that were there when it was made.
class SubsystemNames {
 public:
  explicit SubsystemNames(const SystemDescription& description) {
    for (std::size_t i = 0; i < description.subsystems.size(); ++i)
      by_name_.emplace(description.subsystems[i].name, static_cast<int>(i));
  }

  /// The longest name that fits, or -1.
  int find(std::string_view path) const {
    for (std::size_t dot = path.rfind('.'); dot != std::string_view::npos && dot > 0; dot = path.rfind('.', dot - 1)) {
      if (const auto found = by_name_.find(path.substr(0, dot)); found != by_name_.end()) return found->second;
    }
    return -1;
  }

 private:
  std::unordered_map<std::string_view, int> by_name_;  // the first, where several have the same
};

}  // namespace seam::system
