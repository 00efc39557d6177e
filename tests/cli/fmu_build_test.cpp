// seam build: source FMUs of our own become FMUs that run.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <csignal>
#include <thread>

#include "cli/fmu_folder.hpp"
#include "seam/fmi/archive/platform.hpp"
#include "toolchain/decay.hpp"

namespace seam::cli {
namespace {

class FmuBuild : public ::testing::TestWithParam<int> {
 protected:
  FmuBuild() { folder_.write("decay.fmu", toolchain::decay(GetParam()).bytes()); }

  std::string platform() const { return GetParam() == 2 ? fmi::this_machine().fmi2 : fmi::this_machine().fmi3; }
  std::string built() const { return "decay-" + platform() + ".fmu"; }

  FmuFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Fmi, FmuBuild, ::testing::Values(2, 3));

TEST_P(FmuBuild, what_was_built_runs_and_follows_its_closed_form) {
  const Ran ran = folder_.seam({"build", "decay.fmu"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(says(ran.err, "wrote " + built() + " with binaries/" + platform() + "/decay.so")) << ran.err;
  EXPECT_EQ(folder_.names(), (Words{built(), "decay.fmu"}));
  ASSERT_EQ(
      folder_.seam({"run", built(), "--set", built().substr(0, built().size() - 4) + ".k=2", "-o", "r.csv"}).exit_code,
      0);
  const auto table = folder_.table("r.csv");
  const auto x = column(table, built().substr(0, built().size() - 4) + ".x");
  ASSERT_EQ(x.size(), 5u);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], std::exp(-0.5 * static_cast<double>(i)), 1e-14);
}

TEST_P(FmuBuild, an_fmu_with_sources_alone_names_the_command) {
  EXPECT_TRUE(says(folder_.seam({"info", "decay.fmu"}).out, "`seam build`"));
  const Ran ran = folder_.seam({"run", "decay.fmu"});
  EXPECT_EQ(ran.exit_code, 1);  // known before the run
  EXPECT_TRUE(says(ran.err, "`seam build`")) << ran.err;
  folder_.seam({"build", "decay.fmu"});
  EXPECT_FALSE(says(folder_.seam({"info", built()}).out, "`seam build`"));
}

TEST_P(FmuBuild, json_tells_file_platform_and_libraries) {
  const Ran ran = folder_.seam({"build", "decay.fmu", "-o", "new.fmu", "--json", "-q"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err, "");
  const formats::Value value = json(ran.out);
  EXPECT_EQ(value.find("file")->string(), "new.fmu");
  EXPECT_EQ(value.find("platform")->string(), platform());
  EXPECT_EQ(value.find("libraries")->items().size(), 1u);
}

TEST_P(FmuBuild, nothing_is_replaced_without_force) {
  folder_.write("new.fmu", "precious");
  EXPECT_TRUE(refuses(folder_, {"build", "decay.fmu", "-o", "new.fmu"}, {"new.fmu", "exists already", "--force"}));
  EXPECT_EQ(folder_.read("new.fmu"), "precious");
  EXPECT_EQ(folder_.seam({"build", "decay.fmu", "-o", "new.fmu", "--force"}).exit_code, 0);
  EXPECT_TRUE(refuses(folder_, {"build", "new.fmu"}, {"has a library for this platform already", "--force"}));
  EXPECT_TRUE(refuses(folder_, {"build", "decay.fmu", "-o", "no/new.fmu"}, {"there is no folder"}));
}

TEST_P(FmuBuild, an_interrupt_ends_the_compiler_and_writes_nothing) {
  folder_.write("slow-cc", "#!/bin/sh\ntouch \"" + folder_.path("started") + "\"\nexec sleep 600\n");
  ::chmod(folder_.path("slow-cc").c_str(), 0700);
  ::setenv("CC", folder_.path("slow-cc").c_str(), 1);
  const pid_t process = folder_.start({"build", "decay.fmu"});
  ::unsetenv("CC");
  while (!folder_.has("started")) std::this_thread::yield();
  ::kill(process, SIGINT);
  EXPECT_EQ(folder_.wait(process).exit_code, 130);
  EXPECT_EQ(folder_.names(), (Words{"decay.fmu", "slow-cc", "started"}));
}

TEST(FmuBuildRefused, what_is_no_source_fmu_is_a_problem) {
  const FmuFolder folder(2, "gain");
  folder.write("text.fmu", "hello");
  EXPECT_TRUE(refuses(folder, {"build", "gain.fmu"}, {"gain.fmu", "ships no sources"}));
  EXPECT_TRUE(refuses(folder, {"build", "text.fmu"}, {"text.fmu", "zip"}));
  EXPECT_TRUE(refuses(folder, {"build", "absent.fmu"}, {"absent.fmu", "no such file"}));
  EXPECT_EQ(folder.seam({"build"}).exit_code, 2);
}

TEST(FmuBuildRefused, a_library_that_crashes_when_it_is_loaded_is_blamed) {
  const FmuFolder folder;
  const std::string crash = "__attribute__((constructor)) static void crash(void) { __builtin_trap(); }\n";
  folder.write("bad.fmu", formats::RawZip()
                              .add("modelDescription.xml", toolchain::decay_description2(toolchain::listed_decay))
                              .add("sources/decay.c", toolchain::decay_source(2) + crash)
                              .bytes());
  const Ran ran = folder.seam({"build", "bad.fmu"});
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_TRUE(says(ran.err, "bad.fmu")) << ran.err;
  EXPECT_EQ(folder.names(), Words{"bad.fmu"});
}

}  // namespace
}  // namespace seam::cli
