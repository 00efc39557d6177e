// Systems made live from a text, as short as they come.
#pragma once

#include <string>

#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::coupling {

inline engine::System open(const std::string& text) { return engine::open_text("seam: 1\n" + text, "test.yaml", {}); }

inline engine::Live live(const std::string& text, engine::Horizon horizon = engine::Horizon::none) {
  return engine::make_live(open(text), {horizon});
}

/// What is wrong with a system, or empty.
inline std::string problems_of(const std::string& text) {
  try {
    live(text);
  } catch (const base::ProblemsFound& found) {
    return found.what();
  }
  return {};
}

inline int count(const Program& program, Action action) {
  int found = 0;
  for (const Operation& operation : program.operations) found += operation.action == action ? 1 : 0;
  return found;
}

/// The value of an output or an input at the present communication point.
inline double output(const Program& program, const Memory& memory, int member, int port = 0) {
  return memory.values[static_cast<std::size_t>(program.output_place(member, port))];
}
inline double input(const Program& program, const Memory& memory, int member, int port = 0) {
  return memory.values[static_cast<std::size_t>(program.input_place(member, port))];
}

}  // namespace seam::coupling
