#include "output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>

namespace seam::cli {
namespace {

int own_descriptor = STDOUT_FILENO;
std::atomic<bool> printed{false};

}  // namespace

void claim_standard_output(Printed by_others) {
  const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return;
  own_descriptor = copy;
  const int nowhere = by_others == Printed::nowhere ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
  dup2(nowhere < 0 ? STDERR_FILENO : nowhere, STDOUT_FILENO);
  if (nowhere >= 0) close(nowhere);
}

bool print(std::string_view text) {
  printed = true;
  while (!text.empty()) {
    const ssize_t written = ::write(own_descriptor, text.data(), text.size());
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool has_printed() { return printed; }

int output_descriptor() { return own_descriptor; }

}  // namespace seam::cli
