#include "seam/lti/sliding_window.hpp"

#include <algorithm>

#include "seam/base/error.hpp"

namespace seam::lti {

// Sample i lies at i and at i + capacity, so that any run of at most `capacity` samples lies in one piece.
SlidingWindow::SlidingWindow(int inputs, int outputs, int capacity)
    : inputs_(inputs), outputs_(outputs), capacity_(capacity) {
  if (inputs < 1 || outputs < 1 || capacity < 1) {
    throw base::Error(base::Failure::internal, "a window needs inputs, outputs and room for a sample");
  }
  memory_.resize(2 + 2 * static_cast<std::size_t>(capacity) * static_cast<std::size_t>(inputs + outputs));
}

std::size_t SlidingWindow::place_of_inputs(int sample) const {
  return 2 + static_cast<std::size_t>(sample) * static_cast<std::size_t>(inputs_);
}

std::size_t SlidingWindow::place_of_outputs(int sample) const {
  return place_of_inputs(2 * capacity_) + static_cast<std::size_t>(sample) * static_cast<std::size_t>(outputs_);
}

void SlidingWindow::add(std::span<const double> inputs, std::span<const double> outputs) {
  if (inputs.size() != static_cast<std::size_t>(inputs_) || outputs.size() != static_cast<std::size_t>(outputs_)) {
    throw base::Error(base::Failure::internal, "a window: a sample of another size than announced");
  }
  const int next = static_cast<int>(memory_[1]);
  for (const int copy : {next, next + capacity_}) {
    std::copy(inputs.begin(), inputs.end(), memory_.data() + place_of_inputs(copy));
    std::copy(outputs.begin(), outputs.end(), memory_.data() + place_of_outputs(copy));
  }
  memory_[1] = (next + 1) % capacity_;
  memory_[0] = std::min(count() + 1, capacity_);
}

bool SlidingWindow::is_sound() const {
  return memory_[0] >= 0.0 && memory_[0] <= capacity_ && memory_[1] >= 0.0 && memory_[1] < capacity_;
}

void SlidingWindow::clear() { std::fill(memory_.begin(), memory_.end(), 0.0); }

Samples SlidingWindow::newest(int wanted) const {
  const int given = std::clamp(wanted, 0, count());
  const int next = static_cast<int>(memory_[1]);
  const int first = next + capacity_ - given;  // in the second copy, or in the first one and beyond
  return {{memory_.data() + place_of_inputs(first), static_cast<std::size_t>(given * inputs_)},
          {memory_.data() + place_of_outputs(first), static_cast<std::size_t>(given * outputs_)}};
}

}  // namespace seam::lti
