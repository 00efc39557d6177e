// When a stranger's code crashes or hangs: say who, keep the results, leave.
#pragma once

#include <optional>

namespace seam::cli {

enum class Answer { text, json };

/// From now on a crash saves the results, names the FMU and the call, and exits with 4 (70 if no FMU was running).
void watch_for_crash(Answer answer);

/// A thread that ends the program in the same way if one call into an FMU takes longer than this.
void watch_for_hang(double seconds, Answer answer);

/// Asked to stop, and a while later still inside one step: what was recorded is saved, and that is all.
[[noreturn]] void leave_interrupted();

}  // namespace seam::cli
