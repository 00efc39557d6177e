// Another program, started with a list of words: no shell reads them.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace seam::toolchain {

struct Job {
  std::vector<std::string> words;  ///< the first is the program, looked for in PATH
  std::filesystem::path folder;    ///< where it runs
  std::filesystem::path printed;   ///< the file that takes what it prints
};

struct Ending {
  enum class How {
    exited,
    killed,       ///< by a signal
    not_found,    ///< there is no such program; `code` is the system's reason
    interrupted,  ///< it was asked to stop, so it was ended
  } how = How::exited;
  int code = 0;  ///< exit code or signal
  bool well() const { return how == How::exited && code == 0; }
};

/// Waits for its end. It reads nothing, and signals reach it like any other process.
Ending run(const Job& job, const std::atomic<bool>* stop_asked);

}  // namespace seam::toolchain
