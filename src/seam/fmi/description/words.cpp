#include "seam/fmi/description/words.hpp"

namespace seam::fmi {

const Words<Causality>& causality_words() {
  static const Words<Causality> words{{"parameter", Causality::parameter},
                                      {"calculatedParameter", Causality::calculated_parameter},
                                      {"structuralParameter", Causality::structural_parameter},
                                      {"input", Causality::input},
                                      {"output", Causality::output},
                                      {"local", Causality::local},
                                      {"independent", Causality::independent}};
  return words;
}

const Words<Variability>& variability_words() {
  static const Words<Variability> words{{"constant", Variability::constant},
                                        {"fixed", Variability::fixed},
                                        {"tunable", Variability::tunable},
                                        {"discrete", Variability::discrete},
                                        {"continuous", Variability::continuous}};
  return words;
}

const Words<Initial>& initial_words() {
  static const Words<Initial> words{
      {"exact", Initial::exact}, {"approx", Initial::approx}, {"calculated", Initial::calculated}};
  return words;
}

}  // namespace seam::fmi
