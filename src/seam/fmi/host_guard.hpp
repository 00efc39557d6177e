// Puts back what belongs to this process and an FMU may have changed: locale, working folder, floating point, umask,
// signal handlers.
#pragma once

#include <sys/types.h>

#include <array>
#include <cfenv>
#include <csignal>
#include <filesystem>
#include <string>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace seam::fmi {

/// Rounding and exception masks of this thread.
class Arithmetic {
 public:
  static Arithmetic now() { return Arithmetic(read()); }
  bool holds() const { return ((read() ^ control_) & settings) == 0; }
  void put_back() const { write(control_); }

 private:
  explicit Arithmetic(unsigned control) : control_(control) {}
#if defined(__x86_64__)
  static constexpr unsigned settings = ~0x3fU;  // without the flags that every operation may raise
  static unsigned read() { return _mm_getcsr(); }
  static void write(unsigned control) { _mm_setcsr(control); }
#else
  static constexpr unsigned settings = ~0U;
  static unsigned read() { return static_cast<unsigned>(std::fegetround()); }
  static void write(unsigned control) { std::fesetround(static_cast<int>(control)); }
#endif
  unsigned control_;
};

/// Puts back what was known before the calls that it surrounds. It looks only once, at the end: the processor waits for
/// all arithmetic before it answers.
class ArithmeticGuard {
 public:
  explicit ArithmeticGuard(const Arithmetic& known) : known_(known) {}
  ~ArithmeticGuard() {
    if (!known_.holds()) [[unlikely]]
      known_.put_back();
  }
  ArithmeticGuard(const ArithmeticGuard&) = delete;
  ArithmeticGuard& operator=(const ArithmeticGuard&) = delete;

 private:
  const Arithmetic& known_;
};

/// Alive around load, instantiate, initialise and free: whatever the FMU changes meanwhile is undone at the end.
class HostGuard {
 public:
  HostGuard();
  ~HostGuard();
  HostGuard(const HostGuard&) = delete;
  HostGuard& operator=(const HostGuard&) = delete;

 private:
  static constexpr std::array<int, 9> signals_ = {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE,
                                                  SIGILL, SIGABRT, SIGALRM, SIGPIPE};
  std::string locale_;
  std::filesystem::path folder_;
  std::fenv_t floating_point_;
  mode_t file_mode_;
  std::array<struct sigaction, signals_.size()> handlers_;
};

}  // namespace seam::fmi
