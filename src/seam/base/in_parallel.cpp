#include "seam/base/in_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace seam::base {
namespace {

thread_local bool inside = false;

}  // namespace

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  const std::size_t threads = inside ? 1 : std::min<std::size_t>(count, std::thread::hardware_concurrency());
  if (threads < 2) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> next = 0;
  const auto take_turns = [&] {
    inside = true;
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
    inside = false;
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(take_turns);
    take_turns();
  }
  for (const std::exception_ptr& one : thrown) {
    if (one) std::rethrow_exception(one);
  }
}

}  // namespace seam::base
