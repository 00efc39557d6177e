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
  std::size_t first = 0;  ///< among the flat ports, where the elements lie one after the other
};

/// The same for every step: few references are kept inside, where the step reads anyway; more stay with the caller.
class RealPorts {
 public:
  RealPorts() = default;
  explicit RealPorts(const RealVariables& variables)
      : count_(static_cast<std::uint32_t>(variables.references.size())),
        elements_(static_cast<std::uint32_t>(variables.elements)),
        first_(static_cast<std::uint32_t>(variables.first)) {
    if (count_ > few_.size()) {
      many_ = variables.references.data();
    } else {
      std::copy(variables.references.begin(), variables.references.end(), few_.begin());
    }
  }

  const std::uint32_t* references() const { return count_ > few_.size() ? many_ : few_.data(); }
  std::span<const std::uint32_t> span() const { return {references(), count_}; }
  std::size_t count() const { return count_; }
  std::size_t elements() const { return elements_; }
  std::size_t first() const { return first_; }

 private:
  std::uint32_t count_ = 0, elements_ = 0, first_ = 0;
  union {
    std::array<std::uint32_t, 2> few_{};
    const std::uint32_t* many_;
  };
};

}  // namespace seam::fmi
