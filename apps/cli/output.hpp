// Standard output is ours alone: what a stranger's library prints there goes to standard error.
#pragma once

#include <string_view>

namespace seam::cli {

/// To be called first: keeps standard output for print() and lets all other output land on standard error.
void claim_standard_output();

/// Writes at once; false if it cannot be written (a full disk, a closed pipe).
bool print(std::string_view text);

/// Whether print() was called; for a signal handler, too.
bool has_printed();

/// The descriptor print() writes to, for a signal handler.
int output_descriptor();

}  // namespace seam::cli
