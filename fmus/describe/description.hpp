// modelDescription.xml, written from the model that the library is built of.
#pragma once

#include <string>

#include "fmus/framework/model.hpp"

namespace seam::fmus {

/// What the build decides and the model does not know.
struct Build {
  std::string name, identifier;
  bool state = false;        ///< states can be saved, restored and serialised
  bool derivatives = false;  ///< directional, adjoint and output derivatives
};

std::string describe_fmi2(const Model& model, const Build& build);
std::string describe_fmi3(const Model& model, const Build& build);

}  // namespace seam::fmus
