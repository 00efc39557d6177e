// Puts back what belongs to this process and an FMU may have changed: locale, working folder, floating point, umask,
// signal handlers.
#pragma once

#include <sys/types.h>

#include <array>
#include <cfenv>
#include <csignal>
#include <filesystem>
#include <locale>
#include <string>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace seam::fmi {

/// Rounding and exception masks of this thread.
class Arithmetic {
 public:
  static Arithmetic now() { return Arithmetic(read()); }
  bool holds() const { return ((read() ^ control_) & settings) == 0; }

  /// Whether this thread rounds to nearest, found out by rounding: two sums cost a tenth of reading the register, which
  /// waits for all arithmetic. A quarter of the last digit must vanish, and three quarters must not.
  [[gnu::always_inline]] static bool rounds_to_nearest() {
#if defined(__x86_64__)
    __m128d ones = _mm_set1_pd(1.0);
    asm volatile("" : "+x"(ones) : : "memory");  // from the compiler, which would do the sums itself
    const __m128d sums = _mm_add_pd(ones, _mm_set_pd(0x1p-54, 0x1.8p-53));
    return _mm_movemask_pd(_mm_cmpeq_pd(sums, _mm_set_pd(1.0, 1.0 + 0x1p-52))) == 3;
#else
    volatile double one = 1.0;
    return one + 0x1p-54 == 1.0 && one + 0x1.8p-53 != 1.0;
#endif
  }
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

/// Puts back how numbers were rounded before the calls that it surrounds. Exception masks and flushed subnormals, which
/// change no result that is used, wait for the next HostGuard.
class ArithmeticGuard {
 public:
  [[gnu::always_inline]] explicit ArithmeticGuard(const Arithmetic& known) : known_(known) {}
  [[gnu::always_inline]] ~ArithmeticGuard() {
    if (!Arithmetic::rounds_to_nearest() && !known_.holds()) [[unlikely]]
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
  static constexpr std::array<int, 11> signals_ = {SIGINT, SIGTERM, SIGHUP,  SIGXCPU, SIGSEGV, SIGBUS,
                                                   SIGFPE, SIGILL,  SIGABRT, SIGALRM, SIGPIPE};
  std::string locale_;
  std::locale stream_locale_;  ///< what streams take over when they are made
  std::filesystem::path folder_;
  std::fenv_t floating_point_;
  mode_t file_mode_;
  std::array<struct sigaction, signals_.size()> handlers_;
};

}  // namespace seam::fmi
