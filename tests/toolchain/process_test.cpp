#include "seam/toolchain/process.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "formats/temporary_folder.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::toolchain {
namespace {

struct Started {
  explicit Started(std::vector<std::string> words, const std::atomic<bool>* stop_asked = nullptr)
      : ending(run({std::move(words), folder.file(""), folder.file("printed")}, stop_asked)) {}

  std::string printed() const { return formats::read_text(folder.file("printed")); }

  formats::TemporaryFolder folder;
  Ending ending;
};

TEST(Process, what_it_prints_on_both_streams_is_kept_and_its_exit_code_told) {
  const Started started({"sh", "-c", "echo one; echo two >&2; exit 7"});
  EXPECT_EQ(started.ending.how, Ending::How::exited);
  EXPECT_EQ(started.ending.code, 7);
  EXPECT_FALSE(started.ending.well());
  EXPECT_EQ(started.printed(), "one\ntwo\n");
}

TEST(Process, no_shell_reads_the_words) {
  const Started started({"echo", "$HOME; touch x", "`touch y`", "a b"});
  EXPECT_TRUE(started.ending.well());
  EXPECT_EQ(started.printed(), "$HOME; touch x `touch y` a b\n");
  EXPECT_EQ(started.folder.files(), 1u);
}

TEST(Process, it_runs_in_its_folder_and_reads_nothing) {
  const Started started({"sh", "-c", "pwd; cat"});
  EXPECT_EQ(started.printed(), std::filesystem::canonical(started.folder.file(".")).string() + "\n");
}

TEST(Process, a_program_that_is_not_there_is_told_from_one_that_fails) {
  const Started started({"seam-no-such-compiler"});
  EXPECT_EQ(started.ending.how, Ending::How::not_found);
  EXPECT_EQ(started.ending.code, ENOENT);
}

TEST(Process, a_signal_that_ends_it_is_told) {
  const Started started({"sh", "-c", "kill -9 $$"});
  EXPECT_EQ(started.ending.how, Ending::How::killed);
  EXPECT_EQ(started.ending.code, SIGKILL);
}

TEST(Process, the_wish_to_stop_ends_it_although_this_program_blocks_the_signal) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const std::atomic<bool> stop{true};
  const Started started({"sleep", "600"}, &stop);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(started.ending.how, Ending::How::interrupted);
}

}  // namespace
}  // namespace seam::toolchain
