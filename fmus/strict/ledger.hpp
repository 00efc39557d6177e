// Who is alive in a strict library: instances and their saved states.
#pragma once

#include <map>
#include <string>

#include "fmus/framework/instance.hpp"

namespace seam::fmus::rules {

class Ledger {
 public:
  Ledger() = default;
  /// The library is unloaded or the process ends: whoever is still alive was forgotten.
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  std::map<const void*, std::string> instances;   ///< and their names
  std::map<const void*, const Instance*> states;  ///< and whose they are
};

Ledger& ledger();

}  // namespace seam::fmus::rules
