#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "seam/study/workers.hpp"

namespace seam::study {
namespace {

bool stopped(const WorkOrder& order) { return order.stop_asked && order.stop_asked->load(std::memory_order_relaxed); }

/// What the threads have in common.
class Bench {
 public:
  explicit Bench(const WorkOrder& order) : order_(order), next_(order.first), busy_(order.workers) {}

  void work() {
    const Work work = order_.hire();
    for (;;) {
      const std::size_t point = next_.fetch_add(1);
      if (point >= order_.end || stopped(order_)) break;
      std::vector<Row> rows = work(point);
      if (rows.empty()) break;
      const std::lock_guard lock(mutex_);
      ready_.emplace(point, std::move(rows));
      news_.notify_one();
    }
    const std::lock_guard lock(mutex_);
    --busy_;
    news_.notify_one();
  }

  /// Until all are delivered or no worker is left.
  void deliver_all() {
    for (std::size_t wanted = order_.first; wanted < order_.end; ++wanted) {
      std::unique_lock lock(mutex_);
      news_.wait(lock, [&] { return ready_.contains(wanted) || busy_ == 0; });
      auto found = ready_.extract(wanted);
      lock.unlock();
      if (found.empty()) return;
      order_.deliver(wanted, std::move(found.mapped()));
    }
  }

  void send_home() { next_.store(order_.end); }

 private:
  const WorkOrder& order_;
  std::atomic<std::size_t> next_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::map<std::size_t, std::vector<Row>> ready_;
  int busy_;
};

/// A single worker needs no thread of its own: the calling thread is the worker.
void work_alone(const WorkOrder& order) {
  const Work work = order.hire();
  for (std::size_t point = order.first; point < order.end && !stopped(order); ++point) {
    std::vector<Row> rows = work(point);
    if (rows.empty()) return;
    order.deliver(point, std::move(rows));
  }
}

}  // namespace

void work_by_threads(const WorkOrder& order) {
  if (order.workers == 1) return work_alone(order);
  Bench bench(order);
  std::vector<std::jthread> threads;
  for (int i = 0; i < order.workers; ++i) threads.emplace_back([&bench] { bench.work(); });
  try {
    bench.deliver_all();
  } catch (...) {
    bench.send_home();
    throw;
  }
}

}  // namespace seam::study
