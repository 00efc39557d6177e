// Puts back what belongs to this process and an FMU may have changed: locale, working folder, floating point, signal handlers.
#pragma once

#include <array>
#include <csignal>
#include <cfenv>
#include <filesystem>
#include <string>

namespace seam::fmi {

/// Alive around load, instantiate, initialise and free: whatever the FMU changes meanwhile is undone at the end.
class HostGuard {
 public:
  HostGuard();
  ~HostGuard();
  HostGuard(const HostGuard&) = delete;
  HostGuard& operator=(const HostGuard&) = delete;

 private:
  static constexpr std::array<int, 8> signals_ = {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
  std::string locale_;
  std::filesystem::path folder_;
  std::fenv_t floating_point_;
  std::array<struct sigaction, signals_.size()> handlers_;
};

}  // namespace seam::fmi
