// Words for what an FMU declares, shared by its text and its JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "seam/fmi/description/model_description.hpp"

namespace seam::report {

/// One capability an interface may have.
struct Capability {
  std::string_view key;    ///< in JSON
  std::string_view words;  ///< for people
  bool fmi::Interface::*flag;
};
const std::vector<Capability>& capabilities();

/// "Float64", "Real", with the sizes of an array: "Float64[3,n]" where n is a structural parameter.
std::string type_words(const fmi::ModelDescription& description, const fmi::VariableIndex& index,
                       const fmi::Variable& variable);

}  // namespace seam::report
