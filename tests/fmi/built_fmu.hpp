// FMUs of our own as they were built, and a cache that no other test shares.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "formats/temporary_folder.hpp"
#include "seam/fmi/instance/instance.hpp"

namespace seam::fmi {

class BuiltFmus : public ::testing::Test {
 protected:
  BuiltFmus() {
    ::setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1);
    ::setenv("SEAM_STRICT_LOG", folder_.file("illegal-calls").c_str(), 1);
  }
  ~BuiltFmus() override {
    ::unsetenv("XDG_CACHE_HOME");
    ::unsetenv("SEAM_STRICT_LOG");
  }

  static std::shared_ptr<const Fmu> open(int version, const std::string& name) {
    base::Problems problems;
    const std::string path = std::string(SEAM_BINARY_DIR) + "/fmus/fmi" + std::to_string(version) + "/" + name + ".fmu";
    auto fmu = open_fmu(path, problems);
    EXPECT_TRUE(fmu) << problems.text();
    return std::make_shared<const Fmu>(fmu.value_or(Fmu{}));
  }
  static std::shared_ptr<const Unpacked> unpack(const Fmu& fmu) {
    return std::make_shared<const Unpacked>(fmu, Unpacked::Sharing::shared);
  }
  bool saw_illegal_calls() const { return std::filesystem::exists(folder_.file("illegal-calls")); }

  formats::TemporaryFolder folder_;
};

/// What a call that must fail says; empty if it does not fail.
template <class Call>
std::string failure_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace seam::fmi
