#include "fmus/framework/memory.hpp"

#include <cstring>

namespace seam::fmus {
namespace {

constexpr std::uint64_t mark = 0x73656d6d656d3032;  // these bytes are ours

class Writer {
 public:
  template <typename T>
  void value(const T& item) {
    bytes.append(reinterpret_cast<const char*>(&item), sizeof item);
  }
  template <typename T>
  void list(const std::vector<T>& items) {
    value<std::uint64_t>(items.size());
    for (const T& item : items) value(item);
  }
  void text(const std::string& item) {
    value<std::uint64_t>(item.size());
    bytes += item;
  }

  std::string bytes;
};

/// Every read is checked; after a failed one nothing is read any more.
class Reader {
 public:
  Reader(const char* bytes, std::size_t count) : next_(bytes), left_(count) {}

  template <typename T>
  T value() {
    T item{};
    if (take(sizeof item)) std::memcpy(&item, next_ - sizeof item, sizeof item);
    return item;
  }
  template <typename T>
  std::vector<T> list() {
    const auto count = value<std::uint64_t>();
    if (count > left_ / sizeof(T)) sound_ = false;
    std::vector<T> items(sound_ ? count : 0);
    for (T& item : items) item = value<T>();
    return items;
  }
  std::string text() {
    const auto count = value<std::uint64_t>();
    return take(count) ? std::string(next_ - count, count) : std::string();
  }
  bool sound() const { return sound_; }
  bool done() const { return sound_ && left_ == 0; }

 private:
  bool take(std::uint64_t count) {
    sound_ = sound_ && count <= left_;
    if (!sound_) return false;
    next_ += count;
    left_ -= count;
    return true;
  }

  const char* next_;
  std::size_t left_;
  bool sound_ = true;
};

void write(Writer& writer, const std::optional<double>& number) {
  writer.value<char>(number.has_value() ? 1 : 0);
  writer.value(number.value_or(0.0));
}

std::optional<double> read_optional(Reader& reader) {
  const bool given = reader.value<char>() != 0;
  const auto number = reader.value<double>();
  return given ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string to_bytes(const Memory& memory) {
  Writer writer;
  writer.value(mark);
  writer.value(memory.phase);
  writer.value(memory.time);
  writer.value(memory.experiment.start);
  write(writer, memory.experiment.stop);
  write(writer, memory.experiment.tolerance);
  for (const bool flag : {memory.experiment.told, memory.stale, memory.awaits_end}) writer.value<char>(flag ? 1 : 0);
  write(writer, memory.next_event);
  writer.value(memory.trace);
  writer.list(memory.reals);
  writer.list(memory.integers);
  writer.list(memory.states);
  writer.list(memory.clocks);
  writer.list(memory.input_derivatives);
  writer.value<std::uint64_t>(memory.texts.size());
  for (const std::string& text : memory.texts) writer.text(text);
  return std::move(writer.bytes);
}

std::optional<Memory> from_bytes(const char* bytes, std::size_t count) {
  Reader reader(bytes, count);
  if (reader.value<std::uint64_t>() != mark) return std::nullopt;
  Memory memory;
  memory.phase = reader.value<Phase>();
  memory.time = reader.value<double>();
  memory.experiment.start = reader.value<double>();
  memory.experiment.stop = read_optional(reader);
  memory.experiment.tolerance = read_optional(reader);
  for (bool* flag : {&memory.experiment.told, &memory.stale, &memory.awaits_end}) *flag = reader.value<char>() != 0;
  memory.next_event = read_optional(reader);
  memory.trace = reader.value<Trace>();
  memory.reals = reader.list<double>();
  memory.integers = reader.list<std::int64_t>();
  memory.states = reader.list<double>();
  memory.clocks = reader.list<ClockTime>();
  memory.input_derivatives = reader.list<InputDerivative>();
  const auto texts = reader.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < texts && reader.sound(); ++i) memory.texts.push_back(reader.text());
  if (!reader.done()) return std::nullopt;
  return memory;
}

}  // namespace seam::fmus
