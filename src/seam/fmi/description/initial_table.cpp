#include "seam/fmi/description/initial_table.hpp"

namespace seam::fmi {
namespace {

bool is_signal(Variability variability) {
  return variability == Variability::discrete || variability == Variability::continuous;
}

bool is_fixed_or_tunable(Variability variability) {
  return variability == Variability::fixed || variability == Variability::tunable;
}

}  // namespace

bool is_allowed(Causality causality, Variability variability) {
  switch (causality) {
    case Causality::parameter:
    case Causality::calculated_parameter:
    case Causality::structural_parameter:
      return is_fixed_or_tunable(variability);
    case Causality::input:
      return is_signal(variability);
    case Causality::output:
      return is_signal(variability) || variability == Variability::constant;
    case Causality::local:
      return true;
    case Causality::independent:
      return variability == Variability::continuous;
  }
  return false;
}

std::optional<Initial> default_initial(Version version, Causality causality, Variability variability) {
  if (!is_allowed(causality, variability) || causality == Causality::independent) {
    return std::nullopt;
  }
  if (causality == Causality::input) {
    return version == Version::fmi3 ? std::optional(Initial::exact) : std::nullopt;
  }
  const bool given = causality == Causality::parameter || causality == Causality::structural_parameter ||
                     variability == Variability::constant;
  return given ? Initial::exact : Initial::calculated;
}

bool may_be_written(Version version, Causality causality, Variability variability, Initial initial) {
  const std::optional<Initial> usual = default_initial(version, causality, variability);
  if (!usual) return false;
  if (initial == *usual) return true;
  if (*usual == Initial::exact) return false;
  return is_signal(variability) || initial == Initial::approx;
}

}  // namespace seam::fmi
