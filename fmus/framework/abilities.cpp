// Compiled once for each combination that the build asks for; every macro is 0 or a number.
#include "fmus/framework/abilities.hpp"

namespace seam::fmus {

const Abilities abilities{.co_simulation = SEAM_NO_SIMULATION == 0,
                          .model_exchange = SEAM_MODEL_EXCHANGE != 0,
                          .event_mode = SEAM_EVENT_MODE != 0,
                          .input_derivatives = SEAM_INPUT_DERIVATIVES,
                          .intermediate_update = SEAM_INTERMEDIATE_UPDATE != 0,
                          .milliseconds = SEAM_MILLISECONDS != 0};

}  // namespace seam::fmus
