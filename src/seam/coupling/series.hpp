// Several rows of a memory, one for each micro step.
#pragma once

namespace seam::coupling {

/// Rows that lie `apart` numbers from each other.
struct Series {
  int count = 0, apart = 0;
};

}  // namespace seam::coupling
