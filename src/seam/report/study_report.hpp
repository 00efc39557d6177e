// Studies in words: which cases there will be, how far they are, and what they say together.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "seam/formats/value.hpp"
#include "seam/study/run_study.hpp"

namespace seam::report {

/// Before anything is run: how many cases, which methods, what the first ones are.
std::string plan_of_study_text(const study::Prepared& prepared);
formats::Value plan_of_study_value(const study::Prepared& prepared);

/// The summary as a table, and what went wrong.
std::string study_text(const study::Prepared& prepared, const study::StudyResult& result);

bool every_case_failed(const study::StudyResult& result);

/// "120 of 2000 points, 3 min 20 s left": by the points that were made since it was first asked.
class StudyProgress {
 public:
  std::string text(std::size_t done, std::size_t all);

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<std::size_t> first_;
};

}  // namespace seam::report
