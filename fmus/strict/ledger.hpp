// Who is alive in a strict library: instances and their saved states.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "fmus/framework/instance.hpp"

namespace seam::fmus::rules {

class Ledger {
 public:
  Ledger() = default;
  /// The library is unloaded or the process ends: an instance that is still alive was forgotten.
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  struct Life {
    std::string name;
    std::thread::id thread;  ///< it was made on
  };
  std::map<const void*, Life> instances;
  std::map<const void*, const Instance*> states;  ///< and whose they are
  std::recursive_mutex one_at_a_time;             ///< instances may live on several threads
};

Ledger& ledger();
/// As long as it lives no other thread uses the ledger.
inline std::lock_guard<std::recursive_mutex> alone() {
  return std::lock_guard<std::recursive_mutex>(ledger().one_at_a_time);
}

}  // namespace seam::fmus::rules
