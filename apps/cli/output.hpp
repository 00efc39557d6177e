// Standard output is ours alone: what a library of an FMU prints there goes to standard error, or nowhere.
#pragma once

#include <string_view>

namespace seam::cli {

enum class Printed { to_standard_error, nowhere };

/// To be called first: keeps standard output for print(), and what is printed there otherwise goes elsewhere.
void claim_standard_output(Printed by_others);

/// Writes at once; false if it cannot be written (a full disk, a closed pipe).
bool print(std::string_view text);

/// Whether print() was called; for a signal handler, too.
bool has_printed();

/// The descriptor print() writes to, for a signal handler.
int output_descriptor();

}  // namespace seam::cli
