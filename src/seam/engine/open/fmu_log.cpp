#include "seam/engine/open/fmu_log.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>

#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

/// Both logs may share it, and FMUs may speak from threads of their own.
class LogTarget {
 public:
  explicit LogTarget(const std::string& file) {
    if (!file.empty()) file_ = std::make_unique<formats::OpenFile>(file, formats::OpenFile::For::writing);
  }
  void line(const std::string& text) {
    const std::lock_guard lock(one_at_a_time_);
    const std::string whole = text + "\n";
    if (file_) {
      file_->write(whole);
    } else {
      std::fwrite(whole.data(), 1, whole.size(), stderr);
    }
  }

 private:
  std::mutex one_at_a_time_;
  std::unique_ptr<formats::OpenFile> file_;
};

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace

fmi::Logging make_fmu_logging(const FmuLogRequest& request) {
  fmi::Logging logging;
  logging.last_words = [](const std::string& line) { std::fputs(("notice: " + line + "\n").c_str(), stderr); };
  if (request.calls == FmuLogRequest::Calls::unheard && request.categories.empty()) return logging;
  const auto target = std::make_shared<LogTarget>(request.file);
  const auto sink = [target](const std::string& line) { target->line(line); };
  if (!request.categories.empty()) {
    logging.state = fmi::Logging::on;
    logging.sink = sink;
    if (request.categories != "all") logging.categories = names_in(request.categories);
  }
  if (request.calls == FmuLogRequest::Calls::written) logging.calls = std::make_shared<fmi::CallLog>(sink);
  return logging;
}

}  // namespace seam::engine
