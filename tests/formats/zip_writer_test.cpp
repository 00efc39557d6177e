#include <gtest/gtest.h>
#include <sys/stat.h>

#include "formats/raw_zip.hpp"
#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/zip.hpp"

namespace seam::formats {
namespace {

/// An archive of a test, and what becomes of it.
struct Written {
  explicit Written(const RawZip& zip) {
    write_text(folder.file("old.zip"), zip.bytes());
    write_text(folder.file("new"), "new content");
    old = open_zip(folder.file("old.zip"), problems);
  }
  std::optional<ZipArchive> with(const std::string& name) {
    old->write_with(folder.file("new.zip"), {{name, folder.file("new")}});
    return open_zip(folder.file("new.zip"), problems);
  }

  TemporaryFolder folder;
  base::Problems problems;
  std::optional<ZipArchive> old;
};

TEST(ZipWriter, all_entries_are_taken_over_and_the_new_one_is_added) {
  const std::string large(100'000, 'x');
  Written written(RawZip().add("a\\b.txt", "hello").add({"c", large, 8}).add("empty/", ""));
  const auto result = written.with("d/e.so");
  ASSERT_TRUE(result) << written.problems.text();
  ASSERT_EQ(result->entries().size(), 4u);
  EXPECT_EQ(result->entries()[0].name, "a/b.txt");
  EXPECT_FALSE(result->entries()[0].backslashes);
  EXPECT_EQ(result->read(result->entries()[0], 100), "hello");
  EXPECT_EQ(result->read(*result->find("c"), large.size()), large);
  EXPECT_EQ(result->find("c")->compressed_size, written.old->find("c")->compressed_size);  // not packed anew
  EXPECT_EQ(result->find("empty")->kind, ZipEntry::Kind::folder);
  EXPECT_EQ(result->read(*result->find("d/e.so"), 100), "new content");
  EXPECT_TRUE(result->find("d/e.so")->executable);
}

TEST(ZipWriter, modes_are_kept) {
  Written written(RawZip().add({"run", "x", 0, 0, S_IFREG | 0755}).add({"text", "x", 0, 0, S_IFREG | 0644}));
  const auto result = written.with("new");
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->find("run")->executable);
  EXPECT_FALSE(result->find("text")->executable);
}

TEST(ZipWriter, an_entry_of_the_same_name_is_replaced) {
  Written written(RawZip().add("a", "old").add("b", "kept"));
  const auto result = written.with("a");
  ASSERT_TRUE(result) << written.problems.text();
  EXPECT_EQ(result->entries().size(), 2u);
  EXPECT_EQ(result->read(*result->find("a"), 100), "new content");
}

TEST(ZipWriter, an_archive_can_take_its_own_place) {
  Written written(RawZip().add("a", "old"));
  written.old->write_with(written.folder.file("old.zip"), {{"b", written.folder.file("new")}});
  const auto result = open_zip(written.folder.file("old.zip"), written.problems);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->entries().size(), 2u);
  EXPECT_EQ(written.folder.files(), 2u);
}

TEST(ZipWriter, where_a_file_cannot_be_read_what_is_there_stays) {
  Written written(RawZip().add("a", "old"));
  write_text(written.folder.file("new.zip"), "precious");
  EXPECT_THROW(written.old->write_with(written.folder.file("new.zip"), {{"c", written.folder.file("absent")}}),
               base::Error);
  EXPECT_EQ(read_text(written.folder.file("new.zip")), "precious");
  EXPECT_EQ(written.folder.files(), 3u);
}

TEST(ZipWriter, a_folder_that_is_not_there_is_an_error_with_its_name) {
  Written written(RawZip().add("a", "old"));
  try {
    written.old->write_with(written.folder.file("no/new.zip"), {{"b", written.folder.file("new")}});
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("no/new.zip"), std::string::npos) << error.what();
  }
}

TEST(ZipWriter, new_archive_holds_files_and_texts) {
  const TemporaryFolder folder;
  write_text(folder.file("a.txt"), "from a file");
  write_zip(folder.file("x.zip"), {{"resources/a.txt", folder.file("a.txt")}}, {{"b.txt", "from memory"}});
  base::Problems problems;
  const auto archive = open_zip(folder.file("x.zip"), problems);
  ASSERT_TRUE(archive) << problems.text();
  ASSERT_EQ(archive->entries().size(), 2u);
  EXPECT_EQ(archive->read(*archive->find("resources/a.txt"), 100), "from a file");
  EXPECT_EQ(archive->read(*archive->find("b.txt"), 100), "from memory");
  EXPECT_FALSE(archive->find("b.txt")->executable);
}

}  // namespace
}  // namespace seam::formats
