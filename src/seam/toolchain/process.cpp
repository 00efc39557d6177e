#include "seam/toolchain/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "seam/base/error.hpp"

namespace seam::toolchain {
namespace {

void require(int failure, const char* doing) {
  if (failure == 0) return;
  throw base::Error(base::Failure::internal,
                    fmt::format("cannot start a program: {}: {}", doing, std::strerror(failure)));
}

/// Standard input empty, both outputs to one file, its own folder.
class Surroundings {
 public:
  explicit Surroundings(const Job& job) {
    require(posix_spawn_file_actions_init(&actions_), "its files");
    require(posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0), "its input");
    require(posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, job.printed.c_str(),
                                             O_WRONLY | O_CREAT | O_TRUNC, 0600),
            "its output");
    require(posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO), "its messages");
    require(posix_spawn_file_actions_addchdir_np(&actions_, job.folder.c_str()), "its folder");
  }
  ~Surroundings() { posix_spawn_file_actions_destroy(&actions_); }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// What this program blocks or handles itself is the other's own business again.
class Signals {
 public:
  Signals() {
    require(posix_spawnattr_init(&attributes_), "its signals");
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    require(posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF), "its signals");
  }
  ~Signals() { posix_spawnattr_destroy(&attributes_); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

Ending wait(pid_t process, const std::atomic<bool>* stop_asked) {
  constexpr timespec moment{0, 2'000'000};
  bool stopped = false;
  int status = 0;
  for (;;) {
    const pid_t done = ::waitpid(process, &status, WNOHANG);
    if (done == process) break;
    if (done < 0 && errno != EINTR) require(errno, "waiting for it");
    if (!stopped && stop_asked && stop_asked->load(std::memory_order_relaxed)) {
      stopped = true;
      ::kill(process, SIGTERM);
    }
    ::nanosleep(&moment, nullptr);
  }
  if (stopped || (stop_asked && stop_asked->load(std::memory_order_relaxed))) return {Ending::How::interrupted, 0};
  if (WIFSIGNALED(status)) return {Ending::How::killed, WTERMSIG(status)};
  return {Ending::How::exited, WEXITSTATUS(status)};
}

}  // namespace

Ending run(const Job& job, const std::atomic<bool>* stop_asked) {
  std::vector<char*> words;
  for (const std::string& word : job.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const Surroundings surroundings(job);
  const Signals signals;
  pid_t process = 0;
  const int failure = posix_spawnp(&process, words[0], surroundings.get(), signals.get(), words.data(), environ);
  if (failure != 0) return {Ending::How::not_found, failure};
  return wait(process, stop_asked);
}

}  // namespace seam::toolchain
