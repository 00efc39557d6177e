#include "seam/fmi/instance/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "seam/base/error.hpp"
#include "seam/fmi/instance/call_watch.hpp"
#include "seam/fmi/instance/host_guard.hpp"

namespace seam::fmi {
namespace {

// An FMU that carries its own CVODE or LAPACK must call its own. Sanitizers replace malloc and do not survive deep
// binding.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int binding = RTLD_NOW | RTLD_LOCAL;
#else
constexpr int binding = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

}  // namespace

Library::Library(const std::filesystem::path& path, const char* identity, Substitute substitute)
    : path_(path), identity_(identity), substitute_(substitute) {
  show_calls_of_this_thread();
  const HostGuard guard;
  const CallScope scope(identity_);
  call_watch.now_in("the code that runs when it is loaded");
  handle_ = dlopen(path.c_str(), binding);
  if (handle_) return;
  const char* reason = dlerror();
  throw base::Error(base::Failure::subsystem,
                    fmt::format("the FMU's library {} cannot be loaded: {}\n   install what is missing, or ask the "
                                "supplier for a build for this system",
                                path.filename().string(), reason ? reason : "no reason given"));
}

Library::~Library() {
  const HostGuard guard;
  const CallScope scope(identity_);
  call_watch.now_in("the code that runs when it is unloaded");
  dlclose(handle_);
}

void* Library::own(const char* name) const { return dlsym(handle_, name); }

void* Library::require(const char* name) const {
  if (void* function = find(name)) return function;
  lacks(name);
}

void Library::lacks(const std::string& function) const {
  throw base::Error(base::Failure::subsystem,
                    fmt::format("the FMU's library {} lacks the function {}, which its description promises",
                                path_.filename().string(), function));
}

}  // namespace seam::fmi
