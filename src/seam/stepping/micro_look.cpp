#include "seam/stepping/micro_look.hpp"

#include <algorithm>
#include <limits>

#include "seam/coupling/micro_rows.hpp"

namespace seam::stepping {

using base::Tick;

MicroLook::MicroLook(const coupling::Program& program, const std::vector<MicroRecord>& records, Tick first)
    : program_(program), records_(records), looked_(first) {}

Tick MicroLook::steps_left(const coupling::Memory& memory) const {
  if (records_.empty()) return std::numeric_limits<Tick>::max();
  return program_.micro_rows_last - (memory.tick - looked_);
}

/// The rows at times_.
void MicroLook::hand_on(std::size_t record, const double* numbers) {
  const std::vector<Column>& columns = records_[record].columns;
  const std::size_t width = columns.size();
  const auto follows_signal = [](const Column& column) { return column.signal != nullptr; };
  if (std::ranges::any_of(columns, follows_signal)) {  // an input that does so takes it by itself
    numbers_.assign(numbers, numbers + times_.size() * width);
    for (std::size_t c = 0; c < width; ++c) {
      if (!columns[c].signal) continue;
      for (std::size_t i = 0; i < times_.size(); ++i)
        numbers_[i * width + c] = columns[c].factor * columns[c].signal->at(times_[i]) + columns[c].offset;
    }
    numbers = numbers_.data();
  }
  records_[record].observer->sample_all({times_, numbers, width});
}

void MicroLook::find_times(const Steps& steps) {
  if (steps == timed_) return;
  timed_ = steps;
  const double length = steps.multiple * program_.grid.step / steps.segments;
  times_.resize(static_cast<std::size_t>(steps.count * steps.segments));
  if (steps.segments != static_cast<int>(offsets_.size()) || length != offset_) {
    offset_ = length;
    offsets_.resize(static_cast<std::size_t>(steps.segments));
    for (int s = 0; s < steps.segments; ++s) offsets_[static_cast<std::size_t>(s)] = s * length;
  }
  double* time = times_.data();
  for (Tick i = 0; i < steps.count; ++i) {
    const double begin = program_.grid.time(steps.end + (i - 1) * steps.multiple);
    for (const double offset : offsets_) *time++ = begin + offset;
  }
}

void MicroLook::look(const coupling::Memory& memory) {
  for (std::size_t r = 0; r < records_.size(); ++r) {
    const coupling::MicroRows& rows = *records_[r].rows;
    const coupling::Lane& lane = program_.lanes[static_cast<std::size_t>(rows.lane)];
    const Tick step = lane.multiple;
    Tick end = looked_ - looked_ % step + step;
    while (end <= memory.tick) {  // as many steps as have their rows one after another
      const int place = coupling::micro_rows_of_step(rows, lane, end);
      const int room = rows.steps - (place - rows.place) / (lane.segments * rows.width());
      const Tick steps = std::min<Tick>(room, (memory.tick - end) / step + 1);
      find_times({end, steps, lane.multiple, lane.segments});
      hand_on(r, memory.values.data() + place);
      end += steps * step;
    }
  }
  looked_ = memory.tick;
}

void MicroLook::last_step(const coupling::Memory& memory) {
  for (std::size_t r = 0; r < records_.size(); ++r) {
    const coupling::MicroRows& rows = *records_[r].rows;
    const coupling::Lane& lane = program_.lanes[static_cast<std::size_t>(rows.lane)];
    const int count = coupling::count_micro_rows(lane, program_.last_step / program_.grid.step);
    const double begin = program_.grid.time(memory.tick), length = program_.last_step / count;
    timed_ = {};
    times_.resize(static_cast<std::size_t>(count));
    for (int s = 0; s < count; ++s) times_[static_cast<std::size_t>(s)] = begin + s * length;
    hand_on(r, memory.values.data() + coupling::micro_rows_of_step(rows, lane, memory.tick + 1));
  }
}

void MicroLook::flush() {
  for (const MicroRecord& record : records_) record.observer->flush();
}

void MicroLook::finish() {
  for (const MicroRecord& record : records_) record.observer->finish();
}

}  // namespace seam::stepping
