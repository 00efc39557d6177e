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

Verdict combination(Causality causality, Variability variability) {
  const auto allowed_if = [](bool condition) { return condition ? Verdict::allowed : Verdict::forbidden; };
  switch (causality) {
    case Causality::parameter:
    case Causality::calculated_parameter:
    case Causality::structural_parameter:
      return allowed_if(is_fixed_or_tunable(variability));
    case Causality::input:
      return allowed_if(is_signal(variability));
    case Causality::output:
      return allowed_if(is_signal(variability) || variability == Variability::constant);
    case Causality::local:
      return Verdict::allowed;
    case Causality::independent:
      return allowed_if(variability == Variability::continuous);
  }
  return Verdict::forbidden;
}

std::optional<Initial> default_initial(Version version, Causality causality, Variability variability) {
  if (combination(causality, variability) == Verdict::forbidden || causality == Causality::independent) {
    return std::nullopt;
  }
  if (causality == Causality::input) {
    return version == Version::fmi3 ? std::optional(Initial::exact) : std::nullopt;
  }
  const bool given = causality == Causality::parameter || causality == Causality::structural_parameter ||
                     variability == Variability::constant;
  return given ? Initial::exact : Initial::calculated;
}

Verdict written_initial(Version version, Causality causality, Variability variability, Initial initial) {
  const std::optional<Initial> usual = default_initial(version, causality, variability);
  if (!usual) return Verdict::forbidden;
  if (initial == *usual) return Verdict::allowed;
  if (*usual == Initial::exact) return Verdict::forbidden;
  return is_signal(variability) || initial == Initial::approx ? Verdict::allowed : Verdict::forbidden;
}

}  // namespace seam::fmi
