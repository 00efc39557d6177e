// When a stranger's code crashes or hangs: say who, keep the results, leave.
#pragma once

#include <optional>

namespace seam::cli {

enum class Answer { text, json };

/// From now on a crash, an exception that nothing catches, a call of exit, SIGPIPE and SIGALRM save the results, name
/// the FMU and the call, and exit with 4 (70 if no FMU was running).
void watch_for_crash(Answer answer);

/// The same in a copy of the process that works for it: the FMU and the call are told to it through this descriptor.
void watch_copy(int words);

/// From now on what crashes is a library of an FMU that could not be unloaded.
void expect_ends_of_libraries();

/// A thread that ends the program in the same way if one call into an FMU takes longer than this.
void watch_for_hang(double seconds, Answer answer);

/// Asked to stop, and a while later still inside one step: what was recorded is saved, and the FMU is named.
[[noreturn]] void leave_interrupted();

}  // namespace seam::cli
