#include "seam/fmi/instance/host_guard.hpp"

#include <sys/stat.h>

#include <clocale>
#include <system_error>

namespace seam::fmi {

HostGuard::HostGuard() : locale_(std::setlocale(LC_ALL, nullptr)) {
  std::error_code none;
  folder_ = std::filesystem::current_path(none);
  std::fegetenv(&floating_point_);
  file_mode_ = umask(0);
  umask(file_mode_);
  for (std::size_t i = 0; i < signals_.size(); ++i) sigaction(signals_[i], nullptr, &handlers_[i]);
}

HostGuard::~HostGuard() {
  if (std::locale() != stream_locale_) std::locale::global(stream_locale_);
  std::setlocale(LC_ALL, locale_.c_str());
  std::error_code none;
  if (!folder_.empty()) std::filesystem::current_path(folder_, none);
  std::fesetenv(&floating_point_);
  umask(file_mode_);
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    struct sigaction now {};
    // An FMU that ignores SIGPIPE wants its own writes to fail; ours expect it.
    if (signals_[i] == SIGPIPE && sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    sigaction(signals_[i], &handlers_[i], nullptr);
  }
}

}  // namespace seam::fmi
