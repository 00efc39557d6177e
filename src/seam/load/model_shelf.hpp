// Built-in models that were made before, for a system that is made many times.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "seam/load/model_catalog.hpp"

namespace seam::load {

/// Keeps one a subsystem, and gives it again as long as its parameters are the same. What depends on more than these is
/// made anew. For one thread.
class ModelShelf {
 public:
  /// As make_model; null after problems. `number` is that of the subsystem.
  std::shared_ptr<const models::Model> model(std::size_t number, const system::Subsystem& subsystem,
                                             const MakeContext& context, base::Problems& problems);

 private:
  struct Kept {
    std::string name;
    std::vector<system::Setting> set;
    std::shared_ptr<const models::Model> model;
  };
  std::vector<Kept> kept_;
};

}  // namespace seam::load
