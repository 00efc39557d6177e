// FMI 1.0 behind the C interface of FMI 2, so that Instance2 and what stands on it run it. An instance is a component
// of ours around that of the FMU: it knows the prefixed functions, the sign of negated aliases, and how the calls of
// FMI 2 are made of those of FMI 1.0.
#pragma once

#include <string>

#include "fmi2.h"
#include "seam/fmi/description/purpose.hpp"
#include "seam/fmi/instance/library.hpp"

namespace seam::fmi {

/// What is called in the place of a function of FMI 2; null where FMI 1.0 has nothing like it.
void* function_for_fmi1(const char* fmi2_name);

/// The function of FMI 1.0 that a call of FMI 2 leads to, for messages; null if it leads to none.
const char* name_in_fmi1(Purpose purpose, const char* fmi2_name);

/// Stands for fmi2Instantiate. The component is freed by the fmi2FreeInstance of function_for_fmi1.
struct Instantiation1 {
  const Library& library;
  const ModelDescription& description;  ///< outlives the component
  Purpose purpose = Purpose::stepping;
  const fmi2CallbackFunctions& callbacks;  ///< outlive it, too
  std::string name;
  std::string location;  ///< URI of the unpacked FMU
  bool logs = false;
};
/// Throws base::Error(subsystem) naming a function that the library lacks; null if the FMU gives no instance.
fmi2Component instantiate_fmi1(const Instantiation1& wanted);

}  // namespace seam::fmi
