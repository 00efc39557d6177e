// Macro steps in which all lanes make one micro step by bare calls, many of them in a row: the same numbers to the bit
// as operation by operation.
#pragma once

#include <optional>
#include <vector>

#include "seam/assembly/marcher.hpp"
#include "seam/base/grid.hpp"
#include "seam/base/outcome.hpp"

namespace seam::coupling {

struct Program;
struct Memory;

/// A lane of it. Numbers are places in Memory::values.
struct UnisonLane {
  assembly::LoneStep* step = nullptr;
  assembly::Marcher* marcher = nullptr;
  int coefficients = 0, values = 0;
  int rows = 0;                 ///< of the first micro row
  int row_width = 0;            ///< 0: nobody wants them
  base::Tick rows_before = 0;   ///< micro rows, less one, after which the first is overwritten
  std::vector<char> sent = {};  ///< one an input: whether a copy writes it; the others stay as they are
};

/// What happens behind the steps: outputs are evaluated, or a number is copied.
struct UnisonAct {
  const assembly::LoneStep* evaluated = nullptr;  ///< null: a copy
  int number = 0;                                 ///< of MarchWish::evaluated
  int from = 0, to = 0;
};

struct Unison {
  std::vector<UnisonLane> lanes;
  std::vector<UnisonAct> point;
  std::vector<int> signals;  ///< places of inputs that follow known signals
  int saved = 0;             ///< where their values stay meanwhile
};

/// Where steps are nothing else than that; called when all operations are written.
std::optional<Unison> find_unison(Program& program);

/// Up to `count` macro steps from memory.tick on.
struct Together {
  base::Tick made = 0;                              ///< 0: they have to be made operation by operation
  base::Outcome outcome = base::Outcome::accepted;  ///< of the step behind those
};
Together advance_in_unison(const Program& program, Memory& memory, base::Tick count, assembly::Sources sources);

}  // namespace seam::coupling
