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
  input_samples_.resize(2 * static_cast<std::size_t>(capacity) * static_cast<std::size_t>(inputs));
  output_samples_.resize(2 * static_cast<std::size_t>(capacity) * static_cast<std::size_t>(outputs));
}

void SlidingWindow::add(std::span<const double> inputs, std::span<const double> outputs) {
  if (inputs.size() != static_cast<std::size_t>(inputs_) || outputs.size() != static_cast<std::size_t>(outputs_)) {
    throw base::Error(base::Failure::internal, "a window: a sample of another size than announced");
  }
  for (const int copy : {next_, next_ + capacity_}) {
    std::copy(inputs.begin(), inputs.end(), input_samples_.data() + copy * inputs_);
    std::copy(outputs.begin(), outputs.end(), output_samples_.data() + copy * outputs_);
  }
  next_ = next_ + 1 < capacity_ ? next_ + 1 : 0;
  count_ = std::min(count_ + 1, capacity_);
}

void SlidingWindow::clear() { count_ = next_ = 0; }

Samples SlidingWindow::newest(int wanted) const {
  const int given = std::clamp(wanted, 0, count_);
  const int first = next_ + capacity_ - given;  // in the second copy, or in the first one and beyond
  return {{input_samples_.data() + first * inputs_, static_cast<std::size_t>(given * inputs_)},
          {output_samples_.data() + first * outputs_, static_cast<std::size_t>(given * outputs_)}};
}

std::size_t SlidingWindow::memory_size() const { return 1 + (input_samples_.size() + output_samples_.size()) / 2; }

void SlidingWindow::save(std::span<double> memory) const {
  const Samples all = samples();
  double* const outputs = memory.data() + 1 + input_samples_.size() / 2;
  memory[0] = count_;
  std::fill(std::copy(all.inputs.begin(), all.inputs.end(), memory.data() + 1), outputs, 0.0);
  std::fill(std::copy(all.outputs.begin(), all.outputs.end(), outputs), memory.data() + memory_size(), 0.0);
}

bool SlidingWindow::load(std::span<const double> memory) {
  clear();
  if (!(memory[0] >= 0.0 && memory[0] <= capacity_)) return false;
  const double* const inputs = memory.data() + 1;
  const double* const outputs = inputs + input_samples_.size() / 2;
  const int count = static_cast<int>(memory[0]);
  for (int i = 0; i < count; ++i)
    add({inputs + i * inputs_, static_cast<std::size_t>(inputs_)},
        {outputs + i * outputs_, static_cast<std::size_t>(outputs_)});
  return true;
}

}  // namespace seam::lti
