#include "seam/fmi/co_simulation/event_memory.hpp"

#include <cstdint>
#include <cstring>

#include "seam/base/error.hpp"

namespace seam::fmi {
namespace {

template <class Number>
void put(std::string& text, Number number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string_view cut(std::string_view& text, std::uint64_t size) {
  if (size > text.size())
    throw base::Error(base::Failure::subsystem, "the saved state of an FMU's events is too short");
  const std::string_view front = text.substr(0, size);
  text.remove_prefix(size);
  return front;
}

template <class Number>
Number get(std::string_view& text) {
  Number number{};
  std::memcpy(&number, cut(text, sizeof number).data(), sizeof number);
  return number;
}

}  // namespace

std::string EventMemory::bytes() const {
  std::string text;
  put(text, static_cast<std::uint64_t>(numbers.size()));
  for (const double number : numbers) put(text, number);
  put(text, static_cast<std::uint64_t>(discrete_values.size()));
  for (const system::DiscreteValue& discrete_value : discrete_values) {
    put(text, discrete_value.integer);
    put(text, static_cast<std::uint64_t>(discrete_value.text.size()));
    text += discrete_value.text;
  }
  return text;
}

EventMemory EventMemory::read(std::string_view& text, std::size_t numbers, std::size_t discrete_values) {
  const auto expect = [&](std::size_t count) {
    if (get<std::uint64_t>(text) != count)
      throw base::Error(base::Failure::subsystem, "the saved state of an FMU's events is that of another one");
  };
  EventMemory memory;
  expect(numbers);
  for (std::size_t i = 0; i < numbers; ++i) memory.numbers.push_back(get<double>(text));
  expect(discrete_values);
  for (std::size_t i = 0; i < discrete_values; ++i) {
    const auto integer = get<std::int64_t>(text);
    const auto size = get<std::uint64_t>(text);
    memory.discrete_values.push_back({integer, std::string(cut(text, size))});
  }
  return memory;
}

}  // namespace seam::fmi
