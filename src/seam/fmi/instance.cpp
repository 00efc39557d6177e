#include "seam/fmi/instance.hpp"

#include <fmt/format.h>

#include "seam/base/error.hpp"

namespace seam::fmi {
namespace {

std::string identity_of(const std::string& name, const Fmu& fmu) {
  const std::string tool =
      fmu.description.generation_tool.empty() ? "unknown tool" : harmless(fmu.description.generation_tool);
  return fmt::format("{} ({}, FMI {}, {})", name, std::filesystem::path(fmu.path).filename().string(),
                     fmu.description.version_text, tool);
}

const char* status_word(Severity severity) {
  switch (severity) {
    case Severity::discard:
      return "refused";
    case Severity::error:
      return "failed in";
    default:
      return "broke down in";
  }
}

}  // namespace

InstanceBase::InstanceBase(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files,
                           const Interface& interface)
    : name_(std::move(name)),
      identity_(identity_of(name_, fmu)),
      files_(std::move(files)),
      token_(fmu.description.token),
      library_(files_->library(interface.model_identifier, fmu.description.version)) {}

void InstanceBase::log(Severity severity, const char* category, const std::string& text) noexcept {
  try {
    messages_.add(severity, category ? category : "", text);
  } catch (...) {  // out of memory while logging: the message is lost, the run is not
  }
}

void InstanceBase::require(Severity severity, const char* function, const std::string& about) {
  if (severity == Severity::ok || severity == Severity::warning) return;
  if (severity == Severity::error) life_ = Life::failed;
  if (severity == Severity::fatal) life_ = Life::dead;
  fail(fmt::format("{} {}{}", status_word(severity), function, about.empty() ? "" : " (" + about + ")"));
}

void InstanceBase::fail(const std::string& what) {
  std::string text = identity_ + " " + what + "\n" + messages_.last();
  while (text.ends_with('\n')) text.pop_back();
  throw base::Error(base::Failure::subsystem, text);
}

}  // namespace seam::fmi
