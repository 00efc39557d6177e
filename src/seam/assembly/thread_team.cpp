#include "seam/assembly/thread_team.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace seam::assembly {
namespace {

/// Looks before falling asleep: some tens of microseconds, as long as waking up takes.
constexpr int many_looks = 1000;

void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

/// Until the number is another one.
std::uint32_t wait_for_change(const std::atomic<std::uint32_t>& number, std::uint32_t known, int looks) {
  for (int i = 0; i < looks; ++i) {
    if (const std::uint32_t now = number.load(std::memory_order_acquire); now != known) return now;
    pause_briefly();
  }
  number.wait(known, std::memory_order_acquire);
  return number.load(std::memory_order_acquire);
}

/// A handler of a crash needs a stack of its own: that of this thread may have overflowed.
class SignalStack {
 public:
  SignalStack() : room_(65536) {
    stack_t alternative{};
    alternative.ss_sp = room_.data();
    alternative.ss_size = room_.size();
    sigaltstack(&alternative, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

 private:
  std::vector<char> room_;
};

thread_local const void* here = nullptr;  // the worker this thread is; null: thread 0, or none of a team

}  // namespace

/// Orders are counted: a worker has obeyed when `done` has reached `given`. On cache lines of their own.
struct ThreadTeam::Worker {
  alignas(64) std::atomic<std::uint32_t> given{0};
  Task task;  ///< null: the end
  alignas(64) std::atomic<std::uint32_t> done{0};
  int number = 0;
  int looks = many_looks;
  std::thread thread;

  void give(const Task& next) {
    task = next;
    given.store(given.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    given.notify_one();
  }
  void wait() const {
    const std::uint32_t wanted = given.load(std::memory_order_relaxed);
    for (std::uint32_t now = done.load(std::memory_order_acquire); now != wanted;)
      now = wait_for_change(done, now, looks);
  }
  void work() {
    here = this;
    const SignalStack stack;
    for (std::uint32_t seen = 0;;) {
      seen = wait_for_change(given, seen, looks);
      if (!task.call) return;
      task.call(task.what, number);
      done.store(seen, std::memory_order_release);
      done.notify_one();
    }
  }
};

ThreadTeam::ThreadTeam(int threads) {
  // where threads share processors, one that waits awake keeps the others from working
  const int looks = threads <= processors() ? many_looks : 0;
  for (int number = 1; number < threads; ++number) {
    workers_.push_back(std::make_unique<Worker>());
    Worker& worker = *workers_.back();
    worker.number = number;
    worker.looks = looks;
    worker.thread = std::thread([&worker] { worker.work(); });
  }
}

ThreadTeam::~ThreadTeam() {
  for (const auto& worker : workers_) {
    worker->give({});
    worker->thread.join();
  }
}

int ThreadTeam::processors() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

bool ThreadTeam::is_here(int thread) const {
  return here == (thread == 0 ? nullptr : workers_[static_cast<std::size_t>(thread) - 1].get());
}

void ThreadTeam::together(const Task& task) {
  for (const auto& worker : workers_) worker->give(task);
  task.call(task.what, 0);
  for (const auto& worker : workers_) worker->wait();
}

void ThreadTeam::order(int thread, const Task& task) const {
  Worker& worker = *workers_[static_cast<std::size_t>(thread) - 1];
  worker.give(task);
  worker.wait();
}

}  // namespace seam::assembly
