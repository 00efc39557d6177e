#include "seam/fmi/model_exchange/event_count.hpp"

#include <fmt/format.h>

#include <numeric>

namespace seam::fmi {

std::string EventCount::words() const {
  const long all = std::accumulate(std::begin(counts_), std::end(counts_), 0L);
  if (all == 0) return {};
  return fmt::format(", {} events: {} by indicators, {} by time, {} by jumps of inputs, {} on its wish", all,
                     counts_[0], counts_[1], counts_[2], counts_[3]);
}

}  // namespace seam::fmi
