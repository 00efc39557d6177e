// Designs: named changes to a system file, such as the same parts coupled the other way round.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/yaml.hpp"

namespace seam::load {

/// Names of the designs in a system file, in its order.
std::vector<std::string> design_names(const formats::Node& root);

/// The file with one of its designs applied: maps merge, null removes, a connection replaces those with the same sink
/// or the same bond ({to: SINK, from: null} removes one). The file as it is, with a problem, if there is no such
/// design.
std::shared_ptr<const formats::Node> with_design(const std::shared_ptr<const formats::Node>& root,
                                                 const std::string& name, base::Problems& problems);

}  // namespace seam::load
