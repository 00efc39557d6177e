// A folder with FMUs of our own in it, an FMU cache of its own, and the table a run in that folder gives.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/temporary_folder.hpp"
#include "seam/engine/run/run.hpp"
#include "seam/formats/csv.hpp"

namespace seam::engine {

class FmuWorkshop : public ::testing::Test {
 protected:
  FmuWorkshop() { ::setenv("XDG_CACHE_HOME", cache_.file("").c_str(), 1); }
  ~FmuWorkshop() override { ::unsetenv("XDG_CACHE_HOME"); }

  /// Copies an FMU of FMI 2 or 3 here, once, and gives the name of the copy.
  std::string fmu(int version, const std::string& name) const {
    const std::string copy = name + "-" + std::to_string(version) + ".fmu";
    const std::string built =
        std::string(SEAM_BINARY_DIR) + "/fmus/fmi" + std::to_string(version) + "/" + name + ".fmu";
    std::filesystem::copy_file(built, folder_.file(copy), std::filesystem::copy_options::skip_existing);
    return copy;
  }

  RunSummary run_text(const std::string& text, const RunSettings& wanted = {}) const {
    RunSettings settings = wanted;
    settings.file = folder_.file("result.csv");
    return run(open_text(text, folder_.file("system.yaml"), {}), settings);
  }

  formats::Table result() const {
    base::Problems problems;
    formats::Table table = formats::read_csv(folder_.file("result.csv"), problems);
    EXPECT_TRUE(problems.empty()) << problems.text();
    return table;
  }

  formats::Table table_of(const std::string& text) const {
    EXPECT_EQ(run_text(text).result.ending, stepping::Ending::completed) << text;
    return result();
  }

  /// A test failure and nothing if there is none of that name.
  static std::vector<double> column(const formats::Table& table, const std::string& name) {
    const std::vector<double>* found = table.find(name);
    if (found) return *found;
    ADD_FAILURE() << "no column \"" << name << "\"";
    return {};
  }

  formats::TemporaryFolder folder_, cache_;
};

}  // namespace seam::engine
