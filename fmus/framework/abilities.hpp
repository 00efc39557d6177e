// What an FMU offers beyond what its model computes. The build decides it, so that FMUs share a model.
#pragma once

namespace seam::fmus {

struct Abilities {
  bool co_simulation = true;
  bool model_exchange = false;
  bool event_mode = false;           ///< FMI 3: events of a co-simulation can be left to the environment
  int input_derivatives = 0;         ///< FMI 2: the highest order that is taken; 0: inputs are held
  bool intermediate_update = false;  ///< FMI 3: the environment is asked for inputs inside a step
  bool milliseconds = false;         ///< refuses steps that are no multiples of 1 ms
};

extern const Abilities abilities;

}  // namespace seam::fmus
