// Values on their way into and out of an FMU, in the C types of the interface.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace seam::fmi {

/// Room for the values of one call. It grows with the largest call and is then used again: no allocation a step.
class ValueBuffer {
 public:
  template <class C>
  C* room(std::size_t count) {
    if (bytes_.size() < count * sizeof(C)) bytes_.resize(count * sizeof(C));
    return reinterpret_cast<C*>(bytes_.data());
  }

  template <class C, class Number>
  const C* put(const std::vector<Number>& numbers) {
    C* const into = room<C>(numbers.size());
    std::transform(numbers.begin(), numbers.end(), into, [](Number number) { return static_cast<C>(number); });
    return into;
  }
  /// Whatever is not 0 is true.
  template <class C>
  const C* put_booleans(const std::vector<std::int64_t>& numbers) {
    C* const into = room<C>(numbers.size());
    std::transform(numbers.begin(), numbers.end(), into, [](std::int64_t number) { return C{number != 0}; });
    return into;
  }

  /// What a call wrote into room<C>, one number a place.
  template <class C, class Number>
  void take(std::vector<Number>& numbers) const {
    const auto* from = reinterpret_cast<const C*>(bytes_.data());
    std::transform(from, from + numbers.size(), numbers.begin(), [](C value) { return static_cast<Number>(value); });
  }
  template <class C>
  void take_booleans(std::vector<std::int64_t>& numbers) const {
    const auto* from = reinterpret_cast<const C*>(bytes_.data());
    std::transform(from, from + numbers.size(), numbers.begin(), [](C value) { return value != C{0} ? 1 : 0; });
  }

  /// Strings and binaries as C sees them; `sizes` has their lengths, for binaries.
  const char** room_for_texts(std::size_t count);
  const char* const* put_texts(const std::vector<std::string>& texts);
  std::size_t* sizes() { return sizes_.data(); }
  /// Copied out: they belong to the FMU until its next call.
  void take_strings(std::vector<std::string>& texts) const;
  void take_binaries(std::vector<std::string>& texts) const;

 private:
  std::vector<std::byte> bytes_;
  std::vector<const char*> texts_;
  std::vector<std::size_t> sizes_;
};

}  // namespace seam::fmi
