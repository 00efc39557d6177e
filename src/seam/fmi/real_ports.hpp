// The variables that one call of an FMU sets or reads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace seam::fmi {

/// Real variables, and how many elements they have together.
struct RealVariables {
  std::span<const std::uint32_t> references;
  std::size_t elements = 0;
};

/// The same for every step: few references are kept inside, where the step reads anyway; more stay with the caller.
class RealPorts {
 public:
  explicit RealPorts(const RealVariables& variables)
      : references_(variables.references.data()),
        count_(static_cast<std::uint32_t>(variables.references.size())),
        elements_(static_cast<std::uint32_t>(variables.elements)) {
    if (count_ > few_.size()) return;
    std::copy(variables.references.begin(), variables.references.end(), few_.begin());
    references_ = few_.data();
  }
  RealPorts(const RealPorts&) = delete;
  RealPorts& operator=(const RealPorts&) = delete;

  const std::uint32_t* references() const { return references_; }
  std::span<const std::uint32_t> span() const { return {references_, count_}; }
  std::size_t count() const { return count_; }
  std::size_t elements() const { return elements_; }

 private:
  const std::uint32_t* references_;
  std::uint32_t count_, elements_;
  std::array<std::uint32_t, 2> few_{};
};

}  // namespace seam::fmi
