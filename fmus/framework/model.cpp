#include "fmus/framework/model.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace seam::fmus {
namespace {

// FMI 2's value references are unique within a type alone; FMI 3's begin at some number, so that no place in
// the list is taken for one.
constexpr std::uint32_t first_reference = 16;

template <typename Value>
Value read_number(const char*& next, const char* end) {
  while (next < end && *next == ' ') ++next;
  Value value{};
  next = std::from_chars(next, end, value).ptr;
  return value;
}

std::string from_hexadecimal(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    int value = 0;
    std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

template <typename Value>
void copy_values(const std::vector<Value>& from, const Variable& old, std::vector<Value>& to, const Variable& now) {
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(old.offset), std::min(old.size, now.size),
              to.begin() + static_cast<std::ptrdiff_t>(now.offset));
}

}  // namespace

Model::Model(Version version) : version_(version), lists_(std::make_shared<Lists>()) {
  lists_->variables.reserve(8);  // one block for most models, so that many instances lie close together
  Variable time;
  time.name = "time";
  time.causality = Causality::independent;
  time.initial = Initial::none;
  time.unit = "s";
  add(std::move(time));
}

int Model::add(Variable variable) {
  Lists& lists = *lists_;
  const int place = static_cast<int>(lists.variables.size());
  std::vector<int>& known = lists.known[static_cast<std::size_t>(family(variable.type, version_))];
  variable.reference = static_cast<std::uint32_t>(version_ == Version::fmi3 ? first_reference + place : known.size());
  known.resize(variable.reference + 1, -1);
  known[variable.reference] = place;
  if (variable.derivative_of >= 0) {
    lists.states.push_back(variable.derivative_of);
    lists.derivatives.push_back(place);
  }
  if (variable.role == Role::event_indicator) lists.event_indicators.push_back(place);
  if (variable.type == Type::clock) lists.clocks.push_back(place);
  lists.variables.push_back(std::move(variable));
  Ends ends{memory_.reals.size(), memory_.integers.size(), memory_.texts.size()};
  begin(static_cast<std::size_t>(place), ends);
  return place;
}

std::string Model::token() const { return lists_->token.empty() ? found_token() : lists_->token; }

// FNV-1a over what both sides must agree on.
std::string Model::found_token() const {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](const std::string& text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  for (const Variable& v : variables()) {
    mix(v.name);
    mix(v.start);
    mix(std::to_string(static_cast<int>(v.type)) + "," + std::to_string(v.reference) + ";");
  }
  char digits[17] = {};
  std::to_chars(digits, digits + 16, hash, 16);
  return std::string("{seam-") + digits + "}";
}

std::size_t Model::size_of(const Variable& variable) const {
  std::size_t size = 1;
  for (const Dimension& dimension : variable.dimensions) {
    if (dimension.structural < 0) {
      size *= dimension.size;
    } else {
      const std::size_t where = offset(dimension.structural);
      size *= where < memory_.integers.size() ? static_cast<std::size_t>(memory_.integers[where]) : 0;
    }
  }
  return size;
}

void Model::locate(std::size_t place, Ends& ends) {
  const Variable& there = variables()[place];
  std::size_t& end = is_real(there.type) ? ends.reals : is_text(there.type) ? ends.texts : ends.integers;
  const std::size_t offset = end, size = size_of(there);
  end += size;
  if (there.offset == offset && there.size == size) return;
  if (lists_.use_count() > 1) lists_ = std::make_shared<Lists>(*lists_);  // no longer those of other instances
  lists_->variables[place].offset = offset;
  lists_->variables[place].size = size;
}

void Model::grow(const Ends& ends) {
  memory_.reals.resize(ends.reals);
  memory_.integers.resize(ends.integers);
  memory_.texts.resize(ends.texts);
}

void Model::start(const Variable& v) {
  const char* next = v.start.data();
  const char* end = next + v.start.size();
  for (std::size_t i = v.offset; i < v.offset + v.size; ++i) {
    if (is_real(v.type)) {
      memory_.reals[i] = read_number<double>(next, end);
    } else if (v.type == Type::string) {
      memory_.texts[i] = v.start;
    } else if (v.type == Type::binary) {
      memory_.texts[i] = from_hexadecimal(v.start);
    } else if (v.type == Type::uint64) {
      memory_.integers[i] = static_cast<std::int64_t>(read_number<std::uint64_t>(next, end));
    } else if (v.type == Type::boolean) {
      memory_.integers[i] = v.start == "true" ? 1 : 0;
    } else {
      memory_.integers[i] = read_number<std::int64_t>(next, end);
    }
  }
}

void Model::begin(std::size_t place, Ends& ends) {
  locate(place, ends);
  grow(ends);
  const Variable& v = variables()[place];
  start(v);
  if (v.type != Type::clock) return;
  const auto seconds = [](const std::string& text) {
    const char* next = text.data();
    return read_number<double>(next, next + text.size());
  };
  memory_.clocks.push_back({.interval = seconds(v.interval), .shift = seconds(v.shift)});
}

void Model::reset() {
  memory_ = {};
  Ends ends;
  for (std::size_t i = 0; i < variables().size(); ++i) begin(i, ends);
}

ClockTime& Model::time_of(int clock) {
  const auto found = std::find(clocks().begin(), clocks().end(), clock);
  return memory_.clocks.at(static_cast<std::size_t>(found - clocks().begin()));
}

// First ticks are after the shift (periodic) or the first interval (FMI 3.0.2, 2.2.8.2).
void Model::start_clocks() {
  for (const int clock : clocks()) {
    const Ticking ticking = variables()[static_cast<std::size_t>(clock)].ticking;
    if (ticking == Ticking::triggered) continue;
    time_of(clock).ticks = 0;
    schedule(clock);
    if (is_periodic(ticking)) time_of(clock).due = memory_.experiment.start + time_of(clock).shift;
  }
}

void Model::stop_clocks() {
  for (const int clock : clocks()) {
    if (!ticks(clock)) continue;
    memory_.integers[offset(clock)] = 0;
    ClockTime& time = time_of(clock);
    ++time.ticks;
    time.last = memory_.time;
    const Ticking ticking = variables()[static_cast<std::size_t>(clock)].ticking;
    if (is_periodic(ticking)) time.due = time.last + time.interval;
    if (ticking != Ticking::triggered) schedule(clock);
  }
}

void Model::reschedule(int clock, double interval) {
  ClockTime& time = time_of(clock);
  const bool periodic = is_periodic(variables()[static_cast<std::size_t>(clock)].ticking);
  if (!periodic || time.interval != interval) time.news = 1;
  time.interval = interval;
  if (!periodic) time.due = memory_.time + interval;
  if (periodic && time.ticks > 0) time.due = time.last + interval;
}

void Model::resize() {
  const Memory before = memory_;
  const std::vector<Variable> old = variables();
  Ends ends;
  grow(ends);
  for (std::size_t i = 0; i < old.size(); ++i) {
    locate(i, ends);
    grow(ends);
    const Variable& now = variables()[i];
    if (is_real(old[i].type)) {
      copy_values(before.reals, old[i], memory_.reals, now);
    } else if (is_text(old[i].type)) {
      copy_values(before.texts, old[i], memory_.texts, now);
    } else {
      copy_values(before.integers, old[i], memory_.integers, now);
    }
  }
}

void Model::set_time(double t) {
  memory_.time = t;
  memory_.reals[0] = t;
}

// All our event indicators are positive unless an event is due; models with others override it.
bool Model::event_due() const {
  return std::any_of(event_indicators().begin(), event_indicators().end(),
                     [&](int place) { return !(real(place) > 0.0); });
}

EventReport Model::settle() {
  constexpr int most_rounds = 100;
  const Phase before = memory_.phase;
  memory_.phase = Phase::event;
  EventReport report;
  for (int round = 0; round == 0 || report.iteration == EventReport::Iteration::goes_on; ++round) {
    if (round == most_rounds) throw std::runtime_error("the discrete states do not converge");
    evaluate();
    report = update();
    stop_clocks();
    if (report.ending == Ending::asks_to_end) break;
  }
  evaluate();
  memory_.phase = before;
  memory_.next_event = report.next_event;
  return report;
}

/// Finds the variables in a memory that came from elsewhere; false if it is not theirs.
bool Model::relocate() {
  Ends ends;
  for (std::size_t i = 0; i < variables().size(); ++i) locate(i, ends);
  return memory_.clocks.size() == clocks().size() && ends.reals == memory_.reals.size() &&
         ends.integers == memory_.integers.size() && ends.texts == memory_.texts.size();
}

void Model::restore(const Memory& saved) {
  const Memory before = memory_;
  memory_ = saved;
  if (relocate()) return;
  memory_ = before;
  relocate();
  throw std::runtime_error("this is no state of this model");
}

}  // namespace seam::fmus
