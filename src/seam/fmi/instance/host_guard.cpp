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
  std::setlocale(LC_ALL, locale_.c_str());
  std::error_code none;
  if (!folder_.empty()) std::filesystem::current_path(folder_, none);
  std::fesetenv(&floating_point_);
  umask(file_mode_);
  for (std::size_t i = 0; i < signals_.size(); ++i) sigaction(signals_[i], &handlers_[i], nullptr);
}

}  // namespace seam::fmi
