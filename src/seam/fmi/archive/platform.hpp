// Which machine this is, in the words of FMI.
#pragma once

#include <string>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

struct Machine {
  const char* shown;
  const char* fmi2;  ///< folder below binaries/ by the FMI 1.0 and 2 standards; FMI 2.0.5 allows FMI 3's names too
  const char* fmi3;

  const char* folder(Version version) const { return version == Version::fmi3 ? fmi3 : fmi2; }
};

/// Of this program, not of the processor: the library is loaded into it.
constexpr Machine this_machine() {
#if defined(__x86_64__)
  return {"Linux on x86_64", "linux64", "x86_64-linux"};
#elif defined(__i386__)
  return {"Linux on x86", "linux32", "x86-linux"};
#elif defined(__aarch64__)
  return {"Linux on ARM 64-bit", "aarch64-linux", "aarch64-linux"};
#elif defined(__arm__)
  return {"Linux on ARM 32-bit", "aarch32-linux", "aarch32-linux"};
#elif defined(__riscv) && __riscv_xlen == 64
  return {"Linux on RISC-V 64-bit", "riscv64-linux", "riscv64-linux"};
#else
  return {"this machine", "unknown", "unknown"};
#endif
}

}  // namespace seam::fmi
