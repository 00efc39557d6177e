// Files that are no system: what cannot be read, what is not YAML, what would take for ever.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

TEST(BadFile, duplicate_key_names_the_second_and_the_line_of_the_first) {
  EXPECT_TRUE(refused(and_then("  coupling: foh\n"), "system.yaml:16:3:", {"\"coupling\" is given twice", "line 15"}));
}

TEST(BadFile, unknown_key_is_named_with_the_one_that_was_meant) {
  EXPECT_TRUE(refused(with("coupling:", "couplin:"),
                      "system.yaml:15:3:", {"\"couplin\" is not a key of plan", "did you mean \"coupling\"?"}));
}

TEST(BadFile, unknown_key_at_the_top_is_a_problem) {
  EXPECT_TRUE(refused(and_then("recrod: {every: 1}\n"), "system.yaml:16:1:", {"did you mean \"record\"?"}));
}

TEST(BadFile, tab_is_a_problem_that_says_use_spaces) {
  EXPECT_TRUE(refused(with("  coupling", "\tcoupling"), "system.yaml:15:1:", {"tab", "use spaces"}));
}

TEST(BadFile, alias_bomb_is_refused_before_it_bursts) {
  std::string text = "seam: 1\nn0: &n0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i <= 12; ++i) {
    const std::string before = "*n" + std::to_string(i - 1);
    text += "n" + std::to_string(i) + ": &n" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j) text += (j ? ", " : "") + before;
    text += "]\n";
  }
  EXPECT_TRUE(refused(text, "system.yaml:8:20:", {"expands to more than"}));
}

TEST(BadFile, nesting_1000_deep_is_a_problem_at_the_level_too_many) {
  EXPECT_TRUE(refused("seam: 1\nsubsystems: " + std::string(1000, '[') + std::string(1000, ']') + "\n",
                      "system.yaml:2:76:", {"nested deeper than 64 levels"}));
}

TEST(BadFile, nesting_1000_deep_in_blocks_is_a_problem) {
  std::string text = "seam: 1\nsubsystems:\n";
  for (int i = 1; i <= 1000; ++i) text += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_TRUE(refused(text, "system.yaml:66:65:", {"nested deeper than 64 levels"}));
}

TEST(BadFile, empty_file_is_a_problem) { EXPECT_TRUE(refused("", "system.yaml:", {"the file is empty"})); }

TEST(BadFile, file_of_comments_alone_is_a_problem) { EXPECT_TRUE(refused("# nothing\n\n", "system.yaml:", {"empty"})); }

TEST(BadFile, text_that_is_not_yaml_is_a_problem_at_its_place) {
  EXPECT_TRUE(refused("this is { not: [yaml\n", "system.yaml:1:16:", {"never closed"}));
}

TEST(BadFile, yaml_that_is_no_system_says_how_to_begin) {
  EXPECT_TRUE(refused("hello\n", "system.yaml:1:1:", {"seam: 1"}));
}

TEST(BadFile, binary_file_is_not_printed) {
  std::string bytes;
  for (int i = 0; i < 2560; ++i) bytes += static_cast<char>(i % 256);
  EXPECT_TRUE(refused(bytes, "system.yaml:1:1:", {"not a text file", "UTF-8"}));
}

TEST(BadFile, file_larger_than_16_mib_is_refused_unread) {
  std::string text = two_lags;
  while (text.size() <= (std::size_t{16} << 20)) text += std::string(1 << 16, '#') + "\n";
  EXPECT_TRUE(refused(text, "cannot read \"system.yaml\":", {"larger than 16777216 bytes"}));
}

TEST(BadFile, missing_file_is_named) {
  const Folder folder;
  const Ran ran = folder.seam({"run", "nowhere.yaml"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("nowhere.yaml"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("No such file"), std::string::npos) << ran.err;
  EXPECT_TRUE(folder.names().empty());
}

TEST(BadFile, folder_instead_of_a_file_is_named) {
  const Folder folder;
  const Ran ran = folder.seam({"run", "."});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("cannot read \".\""), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("directory"), std::string::npos) << ran.err;
}

TEST(BadFile, file_without_read_permission_is_named) {
  const Folder folder("system.yaml", two_lags);
  ASSERT_EQ(::chmod(folder.path("system.yaml").c_str(), 0), 0);
  const Ran ran = folder.seam({"run", "system.yaml"});
  if (::geteuid() == 0) {  // root reads everything
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return;
  }
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("cannot read \"system.yaml\": Permission denied"), std::string::npos) << ran.err;
}

TEST(BadFile, key_that_is_not_built_yet_is_said_to_be_so) {
  EXPECT_TRUE(refused(with("model: state-space", "udp: {}"), "system.yaml:4:5:", {"\"udp\" is not yet supported"}));
}

TEST(BadFile, key_that_is_not_built_yet_is_not_also_a_model_without_name) {
  const Folder folder("system.yaml", with("model: state-space", "udp: {}"));
  EXPECT_EQ(count(folder.seam({"check", "system.yaml"}).err, "no model \"\""), 0u);
}

TEST(BadFile, more_than_20_problems_are_20_and_a_count) {
  std::string text = "seam: 1\nsubsystems:\n";
  for (int i = 0; i < 30; ++i) text += "  s" + std::to_string(i) + ": {model: nonsense" + std::to_string(i) + "}\n";
  text += "plan: {step: 1}\n";
  EXPECT_TRUE(refused(text, "system.yaml:22:16:", {"and 10 more"}));
  const Folder folder("system.yaml", text);
  EXPECT_EQ(count(folder.seam({"check", "system.yaml"}).err, "there is no model"), 20u);
}

// A name in a file must not move the cursor or ring the bell of the reader's terminal.
TEST(BadFile, control_characters_of_a_name_are_not_sent_to_the_terminal) {
  const Folder folder("system.yaml", with("state-space", "\"x\\e[2Jy\\a\""));
  const Ran ran = folder.seam({"check", "system.yaml"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(count(ran.err, "\x1b"), 0u);
  EXPECT_EQ(count(ran.err, "\a"), 0u);
}

}  // namespace
}  // namespace seam::cli
