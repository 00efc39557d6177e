// Which of its interfaces an FMU is used by.
#pragma once

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

enum class Purpose {
  stepping,  ///< co-simulation
  exchange   ///< model exchange
};

/// Who handles the events of an FMI 3 co-simulation.
enum class EventUse {
  inside,                        ///< the FMU itself
  event_mode,                    ///< we do, where a step ends
  event_mode_with_early_return,  ///< we do, where the FMU stops
};

/// What an instance must know before it is made.
struct Use {
  Purpose purpose = Purpose::stepping;
};

/// What the FMU can do there; it must offer that interface.
inline const Interface& interface_for(Purpose purpose, const ModelDescription& description) {
  return purpose == Purpose::stepping ? *description.co_simulation : *description.model_exchange;
}

}  // namespace seam::fmi
