// How a step ended: ordinary numerics, a value and not an exception.
#pragma once

namespace seam::base {

enum class Outcome {
  accepted,  ///< time was advanced as asked
  rejected,  ///< the subsystem did not reach the end of the step
  diverged,  ///< a value is not finite or has grown past the limit
  ended,     ///< time was advanced as asked, and the subsystem wants the run to end here
  broke_off  ///< the subsystem ended the run inside the step
};

}  // namespace seam::base
