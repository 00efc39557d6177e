#include "seam/stepping/micro_look.hpp"

#include <algorithm>

#include "seam/coupling/micro_rows.hpp"

namespace seam::stepping {

MicroLook::MicroLook(const coupling::Program& program, const std::vector<MicroRecord>& records)
    : program_(program), records_(records) {
  for (const MicroRecord& record : records) rows_.emplace_back(record.columns);
}

void MicroLook::look(std::size_t record, const Stretch& stretch, const coupling::Memory& memory) {
  const coupling::MicroRows& from = *records_[record].rows;
  const coupling::Lane& lane = program_.lanes[static_cast<std::size_t>(from.lane)];
  const int segments = coupling::count_micro_rows(lane, stretch.fraction);
  Row& row = rows_[record];
  for (int s = 0; s < segments; ++s) {
    const double t = stretch.begin + s * (stretch.length / segments);
    std::copy_n(coupling::micro_row(from, s, memory.values.data()), from.width(), row.numbers.begin());
    for (std::size_t c = 0; c < row.numbers.size(); ++c) {  // an input that follows a signal takes it by itself
      const Column& column = records_[record].columns[c];
      if (column.signal) row.numbers[c] = column.factor * column.signal->at(t) + column.offset;
    }
    records_[record].observer->sample(t, row);
  }
}

void MicroLook::whole_step(const coupling::Memory& memory) {
  for (std::size_t r = 0; r < records_.size(); ++r) {
    const int multiple = program_.lanes[static_cast<std::size_t>(records_[r].rows->lane)].multiple;
    if (memory.tick % multiple != 0) continue;
    look(r, {program_.grid.time(memory.tick - multiple), multiple * program_.grid.step}, memory);
  }
}

void MicroLook::last_step(const coupling::Memory& memory) {
  const double fraction = program_.last_step / program_.grid.step;
  for (std::size_t r = 0; r < records_.size(); ++r)
    look(r, {program_.grid.time(memory.tick), program_.last_step, fraction}, memory);
}

void MicroLook::flush() {
  for (const MicroRecord& record : records_) record.observer->flush();
}

void MicroLook::finish() {
  for (const MicroRecord& record : records_) record.observer->finish();
}

}  // namespace seam::stepping
