// The file into which strict FMUs write what was forbidden, one for each test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace seam::fmus {

/// Instances must be gone before it is.
class StrictLog {
 protected:
  StrictLog() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "." + test->name();
    for (char& c : name) c = c == '/' ? '.' : c;
    path_ = testing::TempDir() + name + ".log";
    std::remove(path_.c_str());
    setenv("SEAM_STRICT_LOG", path_.c_str(), 1);
  }
  ~StrictLog() {
    unsetenv("SEAM_STRICT_LOG");
    std::remove(path_.c_str());
  }
  StrictLog(const StrictLog&) = delete;
  StrictLog& operator=(const StrictLog&) = delete;

  std::string log() const {
    std::ifstream file(path_);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  /// Exactly one line, with these words in it.
  void expect_line(const std::string& words) const {
    const std::string text = log();
    EXPECT_NE(text.find(words), std::string::npos) << "log: " << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << "log: " << text;
  }

 private:
  std::string path_;
};

}  // namespace seam::fmus
