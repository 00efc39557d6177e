#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "seam/study/workers.hpp"

namespace seam::study {
namespace {

/// Ten points of one row each, and which of them were delivered.
struct Order : WorkOrder {
  explicit Order(int number_of_workers) {
    first = 3;
    end = 13;
    workers = number_of_workers;
    stop_asked = &stop;
    hire = [this] {
      ++hired;
      return [this](std::size_t point) {
        if (std::this_thread::get_id() != caller) ++elsewhere;
        if (point == stops_at) stop = true;
        return point == stops_at ? std::vector<Row>{} : std::vector<Row>{{point, 0, {}, Ending::done, {}, {}}};
      };
    };
    deliver = [this](std::size_t point, std::vector<Row> rows) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(rows.at(0).point, point);
      delivered.push_back(point);
      if (point == breaks_at) throw std::runtime_error("no room");
    };
  }
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> stop = false;
  std::atomic<int> hired = 0, elsewhere = 0;
  std::size_t stops_at = 100, breaks_at = 100;
  std::vector<std::size_t> delivered;
};

TEST(ThreadWorkers, deliver_all_points_in_order) {
  for (const int workers : {1, 2, 3}) {
    Order order(workers);
    work_by_threads(order);
    EXPECT_EQ(order.delivered, (std::vector<std::size_t>{3, 4, 5, 6, 7, 8, 9, 10, 11, 12})) << workers;
    EXPECT_EQ(order.hired, workers);
    EXPECT_EQ(order.elsewhere, workers == 1 ? 0 : 10) << workers;  // one worker needs no thread of its own
  }
}

TEST(ThreadWorkers, deliver_what_was_done_when_asked_to_stop) {
  Order order(1);
  order.stops_at = 6;
  work_by_threads(order);
  EXPECT_EQ(order.delivered, (std::vector<std::size_t>{3, 4, 5}));
}

TEST(ThreadWorkers, go_home_when_nobody_takes_their_rows) {
  for (const int workers : {1, 2}) {
    Order order(workers);
    order.breaks_at = 4;
    EXPECT_THROW(work_by_threads(order), std::runtime_error) << workers;
    EXPECT_EQ(order.delivered, (std::vector<std::size_t>{3, 4})) << workers;
  }
}

}  // namespace
}  // namespace seam::study
