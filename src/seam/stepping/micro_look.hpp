// Hands the micro steps of a macro step to those who record them.
#pragma once

#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/stepping/run.hpp"

namespace seam::stepping {

class MicroLook {
 public:
  MicroLook(const coupling::Program& program, const std::vector<MicroRecord>& records);

  /// After a step that ends at memory.tick: the micro steps of everybody who has arrived there.
  void whole_step(const coupling::Memory& memory);
  /// After the shorter last step, which began at memory.tick.
  void last_step(const coupling::Memory& memory);
  void flush();
  void finish();

 private:
  struct Stretch {
    double begin = 0.0, length = 0.0, fraction = 1.0;
  };
  void look(std::size_t record, const Stretch& stretch, const coupling::Memory& memory);

  const coupling::Program& program_;
  const std::vector<MicroRecord>& records_;
  std::vector<Row> rows_;
};

}  // namespace seam::stepping
