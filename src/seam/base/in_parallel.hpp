// The same work for many numbers, on all processors.
#pragma once

#include <cstddef>
#include <functional>

namespace seam::base {

/// work(0), …, work(count - 1), each once, in any order and at the same time; all are done on return. What one of them
/// throws is thrown here, that of the smallest number first. Inside such work it is done by the calling thread alone.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace seam::base
