#include "seam/formats/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"

namespace seam::formats {
namespace {

std::string reading_error(const std::string& path, std::size_t limit = largest_text_file) {
  try {
    read_text(path, limit);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.failure(), base::Failure::file);
    return error.what();
  }
  return {};
}

TEST(TextFile, what_was_written_is_read) {
  const TemporaryFolder folder;
  const std::string text = std::string(200'000, 'x') + "\nend";
  write_text(folder.file("a.txt"), text);
  EXPECT_EQ(read_text(folder.file("a.txt")), text);
}

TEST(TextFile, writing_replaces_and_leaves_no_temporary) {
  const TemporaryFolder folder;
  write_text(folder.file("a.txt"), "first, and longer");
  write_text(folder.file("a.txt"), "second");
  EXPECT_EQ(read_text(folder.file("a.txt")), "second");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(TextFile, a_link_stays_a_link) {
  const TemporaryFolder folder;
  write_text(folder.file("target.txt"), "old");
  std::filesystem::create_symlink(folder.file("target.txt"), folder.file("link.txt"));
  write_text(folder.file("link.txt"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.txt")));
  EXPECT_EQ(read_text(folder.file("target.txt")), "new");
}

TEST(TextFile, missing_file_is_named_with_the_reason) {
  const TemporaryFolder folder;
  const std::string message = reading_error(folder.file("none.yaml"));
  EXPECT_NE(message.find(folder.file("none.yaml")), std::string::npos);
  EXPECT_NE(message.find("No such file"), std::string::npos);
}

TEST(TextFile, a_directory_is_not_read_and_not_overwritten) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("sub"));
  EXPECT_NE(reading_error(folder.file("sub")).find("directory"), std::string::npos);
  EXPECT_THROW(write_text(folder.file("sub"), "x"), base::Error);
}

TEST(TextFile, an_unwritable_place_names_the_path_the_user_gave) {
  try {
    write_text("/nowhere/at/all.txt", "x");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("\"/nowhere/at/all.txt\""), std::string::npos);
  }
}

TEST(TextFile, a_full_disk_is_an_error) { EXPECT_THROW(write_text("/dev/full", "x"), base::Error); }

TEST(TextFile, the_limit_is_held_also_for_endless_files) {
  const TemporaryFolder folder;
  write_text(folder.file("a.txt"), "12345");
  EXPECT_EQ(read_text(folder.file("a.txt"), 5), "12345");
  EXPECT_NE(reading_error(folder.file("a.txt"), 4).find("larger than 4 bytes"), std::string::npos);
  EXPECT_NE(reading_error("/dev/zero", 100'000).find("larger than"), std::string::npos);
}

}  // namespace
}  // namespace seam::formats
