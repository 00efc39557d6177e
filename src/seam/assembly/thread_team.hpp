// The threads of a run. A subsystem whose code wants one thread for all its life has a home among them.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <type_traits>
#include <vector>

namespace seam::assembly {

/// Something to do, as a bare function: handing it over allocates nothing. It does not throw.
struct Task {
  void (*call)(void* what, int thread) = nullptr;
  void* what = nullptr;
};

/// Thread 0 is the one that made the team and gives all orders; the others wait for them: awake for a while, then
/// asleep.
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }
  /// The threads this process may use at the same time.
  static int processors();

  /// Every thread does it with its own number, all at the same time; all have done it on return. No allocation, no
  /// lock.
  void together(const Task& task);

  /// One thread does it while the caller waits; at once if that is the caller. What it throws is thrown here.
  template <class Work>
  auto on(int thread, Work&& work) const {
    using Result = std::invoke_result_t<Work>;
    if (is_here(thread)) return work();
    if constexpr (std::is_void_v<Result>) {
      Errand<std::remove_reference_t<Work>> errand{work, {}};
      order(thread, {&Errand<std::remove_reference_t<Work>>::run, &errand});
      if (errand.thrown) std::rethrow_exception(errand.thrown);
    } else {
      Result* result = nullptr;
      alignas(Result) unsigned char place[sizeof(Result)];
      on(thread, [&] { result = new (place) Result(work()); });
      const std::unique_ptr<Result, void (*)(Result*)> end(result, [](Result* r) { r->~Result(); });
      return Result(std::move(*result));
    }
  }
  bool is_here(int thread) const;

 private:
  struct Worker;
  template <class Work>
  struct Errand {
    Work& work;
    std::exception_ptr thrown;
    static void run(void* what, int /*thread*/) {
      auto& self = *static_cast<Errand*>(what);
      try {
        self.work();
      } catch (...) {
        self.thrown = std::current_exception();
      }
    }
  };
  void order(int thread, const Task& task) const;

  std::vector<std::unique_ptr<Worker>> workers_;  ///< of threads 1, 2, …
};

}  // namespace seam::assembly
