// Small pieces of text about systems that several reports share.
#pragma once

#include <fmt/format.h>

#include <string>

#include "seam/system/description.hpp"

namespace seam::report {

inline std::string what_it_is(const system::Subsystem& subsystem) {
  if (const auto* added = std::get_if<system::AddedKind>(&subsystem.origin))
    return added->key + " " + added->content.text;
  return subsystem.fmu() ? subsystem.fmu()->shown() : "model " + subsystem.model()->name;
}

/// What happens to a value on its way: "" or "times 3.6", "times 2 plus 1", "km/h to m/s", "1 becomes 7".
std::string conversion_text(const system::Connection& connection, const system::SystemDescription& description);

/// "name [unit]", made safe to show.
std::string port_text(const system::Port& port);

}  // namespace seam::report
