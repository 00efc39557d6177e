#include "seam/formats/zip.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "formats/raw_zip.hpp"
#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

using namespace std::string_literals;
namespace fs = std::filesystem;

struct Opened {
  explicit Opened(const std::string& bytes, const ZipLimits& limits = {}) {
    write_text(folder.file("a.zip"), bytes);
    archive = open_zip(folder.file("a.zip"), problems, limits);
  }
  explicit Opened(const RawZip& zip, const ZipLimits& limits = {}) : Opened(zip.bytes(), limits) {}

  std::string what() const { return problems.empty() ? std::string{} : problems.all().front().what; }
  bool refused_for(std::string_view reason) const { return !archive && what().find(reason) != std::string::npos; }

  TemporaryFolder folder;
  base::Problems problems;
  std::optional<ZipArchive> archive;
};

TEST(Zip, stored_and_deflated_entries_read_back) {
  const std::string large(200'000, 'x');
  const Opened opened(RawZip().add("a/b.txt", "hello").add({"c", large, 8}));
  ASSERT_TRUE(opened.archive) << opened.what();
  ASSERT_EQ(opened.archive->entries().size(), 2u);
  EXPECT_EQ(opened.archive->read(*opened.archive->find("a/b.txt"), 100), "hello");
  EXPECT_EQ(opened.archive->read(*opened.archive->find("c"), large.size()), large);
  EXPECT_EQ(opened.archive->find("C"), nullptr);
}

TEST(Zip, names_are_normalised) {
  const Opened opened(RawZip().add("a\\b\\c.txt", "").add("./d//e", "").add("f/", ""));
  ASSERT_TRUE(opened.archive) << opened.what();
  EXPECT_EQ(opened.archive->entries()[0].name, "a/b/c.txt");
  EXPECT_TRUE(opened.archive->entries()[0].backslashes);
  EXPECT_EQ(opened.archive->entries()[1].name, "d/e");
  EXPECT_EQ(opened.archive->entries()[2].kind, ZipEntry::Kind::folder);
}

TEST(Zip, names_that_lead_out_of_the_folder_are_refused) {
  for (const char* const name : {"../a", "a/../../b", "a\\..\\..\\b", "..", "a/.."}) {
    EXPECT_TRUE(Opened(RawZip().add(name, "x")).refused_for("\"..\"")) << name;
  }
  for (const char* const name : {"/etc/passwd", "\\windows\\a", "//server/share", "\\\\server\\share"}) {
    EXPECT_TRUE(Opened(RawZip().add(name, "x")).refused_for("absolute")) << name;
  }
  for (const char* const name : {"C:\\a", "c:a", "Z:/a"}) {
    EXPECT_TRUE(Opened(RawZip().add(name, "x")).refused_for("drive")) << name;
  }
}

TEST(Zip, two_dots_within_a_name_are_nothing_special) {
  EXPECT_TRUE(Opened(RawZip().add("a..b/..c/d..", "x")).archive);
}

TEST(Zip, a_name_with_control_characters_is_refused_and_shown_harmless) {
  const Opened opened(RawZip().add("a\x1b[31m", "x"));
  EXPECT_TRUE(opened.refused_for("control character"));
  EXPECT_TRUE(opened.refused_for("\\x1b"));
}

// libzip writes blanks for zero bytes; what matters is that nothing behind one is hidden.
TEST(Zip, a_zero_byte_does_not_end_a_name) {
  const Opened opened(RawZip().add("a.txt\0/../../b"s, "x"));
  EXPECT_FALSE(opened.archive);
  const Opened harmless(RawZip().add("a.txt\0.exe"s, "x"));
  ASSERT_TRUE(harmless.archive) << harmless.what();
  EXPECT_EQ(harmless.archive->entries()[0].name, "a.txt .exe");
}

TEST(Zip, a_name_of_nothing_is_refused) {
  EXPECT_FALSE(Opened(RawZip().add(".", "x")).archive);
  EXPECT_FALSE(Opened(RawZip().add("./", "x")).archive);
  const Opened folder(RawZip().add("./", "").add("./a", "x"));  // as `zip -r x.zip ./` has it
  ASSERT_TRUE(folder.archive);
  EXPECT_TRUE(folder.archive->find("a"));
}

TEST(Zip, names_too_long_for_file_systems_are_refused) {
  EXPECT_TRUE(Opened(RawZip().add(std::string(256, 'a'), "x")).refused_for("longer than"));
  EXPECT_TRUE(Opened(RawZip().add(std::string(255, 'a'), "x")).archive);
}

TEST(Zip, folders_are_nested_to_the_limit_and_no_deeper) {
  std::string name;
  for (int i = 0; i < 31; ++i) name += "a/";
  EXPECT_TRUE(Opened(RawZip().add(name + "b", "x")).archive);
  EXPECT_TRUE(Opened(RawZip().add(name + "b/c", "x")).refused_for("deep"));
}

TEST(Zip, duplicates_are_refused_however_they_are_written) {
  EXPECT_TRUE(Opened(RawZip().add("a/b", "1").add("a/b", "2")).refused_for("collides"));
  EXPECT_TRUE(Opened(RawZip().add("a/b", "1").add("a\\b", "2")).refused_for("collides"));
  EXPECT_TRUE(Opened(RawZip().add("a/b", "1").add("a/./b", "2")).refused_for("collides"));
  EXPECT_TRUE(Opened(RawZip().add("a/b", "1").add("A/B", "2")).refused_for("collides"));
}

TEST(Zip, entries_that_are_there_twice_with_the_same_content_are_read_once) {
  const Opened opened(RawZip().add("a/b", "1").add("a/b", "1").add("a/b", "1"));
  ASSERT_TRUE(opened.archive);
  ASSERT_EQ(opened.archive->entries().size(), 1u);
  EXPECT_EQ(opened.archive->read(opened.archive->entries().front(), 10), "1");
  EXPECT_TRUE(Opened(RawZip().add("a/b", "1").add("A/B", "1")).refused_for("collides"));
}

TEST(Zip, a_file_cannot_also_be_a_folder) {
  EXPECT_TRUE(Opened(RawZip().add("a", "1").add("a/b", "2")).refused_for("collides"));
  EXPECT_TRUE(Opened(RawZip().add("a/b", "1").add("a", "2")).refused_for("collides"));
  EXPECT_TRUE(Opened(RawZip().add("a/b", "1").add("a/", "").add("a/", "")).archive);
}

TEST(Zip, links_and_special_files_are_refused) {
  EXPECT_TRUE(Opened(RawZip().add({"a", "/etc/passwd", 0, 0, S_IFLNK | 0777})).refused_for("link"));
  for (const std::uint32_t type : {S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK}) {
    EXPECT_TRUE(Opened(RawZip().add({"a", "x", 0, 0, type | 0666})).refused_for("special")) << type;
  }
}

TEST(Zip, encrypted_entries_are_refused) {
  EXPECT_TRUE(Opened(RawZip().add({"a", "x", 0, 1})).refused_for("encrypted"));
}

TEST(Zip, other_compressions_are_refused) {
  EXPECT_TRUE(Opened(RawZip().add({"a", "x", 12})).refused_for("method 12"));  // bzip2
}

TEST(Zip, what_is_no_archive_is_refused) {
  EXPECT_TRUE(Opened(""s).refused_for("empty"));
  EXPECT_TRUE(Opened("hello"s).refused_for("zip"));
  EXPECT_TRUE(Opened(RawZip()).refused_for("empty"));
  base::Problems problems;
  EXPECT_FALSE(open_zip("/nowhere/at/all.zip", problems));
  EXPECT_FALSE(open_zip("/tmp", problems));
  EXPECT_FALSE(open_zip("/dev/null", problems));
  EXPECT_EQ(problems.size(), 3u);
}

TEST(Zip, every_truncation_is_refused_or_noticed_while_reading) {
  const std::string whole = RawZip().add("a", "hello world").add({"b", "more", 8}).bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(Opened(whole.substr(0, length)).archive) << length;
  }
}

TEST(Zip, damaged_bytes_are_noticed) {
  const Opened opened(RawZip().add({"a", "hello", 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, true}));
  ASSERT_TRUE(opened.archive);
  EXPECT_THROW(opened.archive->read(opened.archive->entries()[0], 100), base::Error);
}

TEST(Zip, an_entry_larger_than_it_claims_is_not_read_on) {
  const Opened opened(RawZip().add({"a", std::string(100'000, 'x'), 8, 0, 0, 10}));
  ASSERT_TRUE(opened.archive);
  EXPECT_THROW(opened.archive->read(opened.archive->entries()[0], 1'000'000), base::Error);
}

TEST(Zip, an_entry_larger_than_its_archive_is_refused) {
  EXPECT_TRUE(Opened(RawZip().add({"a", "x", 0, 0, 0, 0xFFFFFFFF, 1'000'000})).refused_for("larger than the file"));
}

TEST(Zip, limits_hold) {
  EXPECT_TRUE(Opened(RawZip().add("a", "").add("b", "").add("c", ""), {.entries = 2}).refused_for("2 entries"));
  EXPECT_TRUE(Opened(RawZip().add("a", "12345"), {.entry_bytes = 4}).refused_for("4 bytes"));
  EXPECT_TRUE(Opened(RawZip().add("a", "123").add("b", "123"), {.total_bytes = 5}).refused_for("5 bytes"));
  EXPECT_TRUE(Opened(RawZip().add({"a", "12", 8, 0, 0, 2000}), {.ratio = 10, .ratio_free_bytes = 1000})
                  .refused_for("10 times"));
  EXPECT_TRUE(Opened(RawZip().add({"a", "12", 8, 0, 0, 999}), {.ratio = 10, .ratio_free_bytes = 1000}).archive);
}

TEST(Zip, many_entries_that_share_their_bytes_are_refused) {
  RawZip zip;
  for (int i = 0; i < 10; ++i) zip.add({std::to_string(i), "", 0, 0, 0, 500, 500});
  zip.add("content", std::string(600, 'x'));
  EXPECT_TRUE(Opened(zip).refused_for("overlap"));
}

TEST(Zip, reading_more_than_asked_for_is_an_error) {
  const Opened opened(RawZip().add("a", "hello"));
  EXPECT_THROW(opened.archive->read(opened.archive->entries()[0], 4), base::Error);
}

TEST(Zip, extracting_makes_files_only_the_owner_can_use) {
  const Opened opened(RawZip()
                          .add({"a/run", "x", 0, 0, S_IFREG | S_ISUID | S_ISGID | 0777})
                          .add({"a/b/text", "hello", 0, 0, S_IFREG | 0666})
                          .add("empty/", ""));
  ASSERT_TRUE(opened.archive) << opened.what();
  const fs::path target = opened.folder.file("out");
  fs::create_directory(target);
  opened.archive->extract(target, ZipArchive::Access::read_only);
  EXPECT_EQ(read_text((target / "a/b/text").string()), "hello");
  EXPECT_TRUE(fs::is_directory(target / "empty"));
  EXPECT_EQ(fs::status(target / "a/run").permissions(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(fs::status(target / "a/b/text").permissions(), fs::perms::owner_read);
}

TEST(Zip, a_writable_copy_can_be_written) {
  const Opened opened(RawZip().add("a", "x"));
  const fs::path target = opened.folder.file("out");
  fs::create_directory(target);
  opened.archive->extract(target, ZipArchive::Access::writable);
  EXPECT_EQ(fs::status(target / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(Zip, extracting_does_not_write_through_what_is_already_there) {
  const Opened opened(RawZip().add("a", "x"));
  const fs::path target = opened.folder.file("out");
  fs::create_directory(target);
  write_text(opened.folder.file("victim"), "safe");
  fs::create_symlink(opened.folder.file("victim"), target / "a");
  EXPECT_THROW(opened.archive->extract(target, ZipArchive::Access::writable), base::Error);
  EXPECT_EQ(read_text(opened.folder.file("victim")), "safe");
}

}  // namespace
}  // namespace seam::formats
