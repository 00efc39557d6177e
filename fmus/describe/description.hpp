// modelDescription.xml, written from the model that the library is built of.
#pragma once

#include <string>

#include "fmus/framework/model.hpp"

namespace seam::fmus {

/// What the build decides and the model does not know.
struct Build {
  std::string name, identifier;
  bool state = false;         ///< states can be saved, restored and serialised
  bool derivatives = false;   ///< directional, adjoint and output derivatives
  bool interpolates = false;  ///< FMI 1.0, 2: inputs follow their derivatives
  bool intermediate = false;  ///< FMI 3: reals take part in intermediate updates
  bool co_simulation = false;
  bool model_exchange = false;
  bool events = false;    ///< FMI 3: co-simulation with event mode
  bool aliases = false;   ///< FMI 1.0: a negated alias of every port that has one
  bool unlisted = false;  ///< no derivative of a state is listed, and ports are declared discrete

  /// The variable as the description shows it.
  Variable shown(Variable variable) const {
    if (!unlisted) return variable;
    variable.derivative_of = -1;
    const bool port = variable.causality == Causality::input || variable.causality == Causality::output;
    if (port && variable.variability == Variability::continuous) variable.variability = Variability::discrete;
    return variable;
  }
};

std::string describe_fmi1(const Model& model, const Build& build);
std::string describe_fmi2(const Model& model, const Build& build);
std::string describe_fmi3(const Model& model, const Build& build);

}  // namespace seam::fmus
