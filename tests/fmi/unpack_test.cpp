#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "fmi/description_text.hpp"
#include "formats/raw_zip.hpp"
#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/fmi/archive/cache.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::fmi {
namespace {

namespace fs = std::filesystem;
using formats::RawZip;

/// A cache of its own for every test.
class Unpacking : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1); }
  void TearDown() override { ::unsetenv("XDG_CACHE_HOME"); }

  RawZip small() const {
    return RawZip()
        .add("modelDescription.xml", fmi2_variables(""))
        .add("binaries/linux64/m.so", "code")
        .add("resources/a.txt", "hello");
  }
  Fmu fmu(const RawZip& zip) const {
    formats::write_text(folder_.file("a.fmu"), zip.bytes());
    base::Problems problems;
    const std::optional<Fmu> opened = open_fmu(folder_.file("a.fmu"), problems);
    EXPECT_TRUE(opened) << problems.text();
    return opened.value_or(Fmu{});
  }
  static std::string text(const fs::path& path) { return formats::read_text(path.string()); }
  static std::string failure(const Unpacked& files, const std::string& identifier, Version version = Version::fmi2) {
    try {
      files.library(identifier, version);
    } catch (const base::Error& error) {
      return error.what();
    }
    return {};
  }

  formats::TemporaryFolder folder_;
};

TEST_F(Unpacking, the_files_are_there_read_only_in_a_cache_for_the_owner_alone) {
  const Fmu opened = fmu(small());
  const Unpacked files(opened, Unpacked::Sharing::shared);
  EXPECT_EQ(text(files.folder() / "resources/a.txt"), "hello");
  EXPECT_EQ(files.folder().parent_path(), fs::path(folder_.file("cache")) / "seam" / opened.hash);
  EXPECT_EQ(fs::status(files.folder() / "resources/a.txt").permissions(), fs::perms::owner_read);
  EXPECT_EQ(fs::status(folder_.file("cache/seam")).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(files.folder().parent_path()).permissions(), fs::perms::owner_all);
}

TEST_F(Unpacking, the_same_content_is_unpacked_once_and_kept) {
  const Fmu opened = fmu(small());
  fs::path first;
  {
    const Unpacked files(opened, Unpacked::Sharing::shared);
    first = files.folder();
  }
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat((first / "resources/a.txt").c_str(), &before), 0);
  const Unpacked files(opened, Unpacked::Sharing::shared);
  ASSERT_EQ(::stat((first / "resources/a.txt").c_str(), &after), 0);
  EXPECT_EQ(files.folder(), first);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(Unpacking, a_damaged_cache_is_made_anew) {
  const Fmu opened = fmu(small());
  const fs::path folder = Unpacked(opened, Unpacked::Sharing::shared).folder();
  const auto expect_whole_again = [&] {
    const Unpacked files(opened, Unpacked::Sharing::shared);
    EXPECT_EQ(text(files.folder() / "resources/a.txt"), "hello");
    EXPECT_EQ(text(files.folder() / "binaries/linux64/m.so"), "code");
    EXPECT_FALSE(fs::exists(files.folder() / "stranger"));
  };
  fs::remove(folder / "resources/a.txt");
  expect_whole_again();
  fs::permissions(folder / "resources/a.txt", fs::perms::owner_all);
  fs::resize_file(folder / "resources/a.txt", 2);
  expect_whole_again();
  fs::permissions(folder / "resources/a.txt", fs::perms::owner_all);
  const auto written = fs::last_write_time(folder / "resources/a.txt");
  formats::write_text((folder / "resources/a.txt").string(), "hollo");  // of the same size, and of the same age:
  fs::last_write_time(folder / "resources/a.txt", written);
  expect_whole_again();
  fs::remove(folder.parent_path() / "list");
  expect_whole_again();
  fs::create_symlink("/etc/passwd", folder / "stranger");
  expect_whole_again();
  fs::remove_all(folder);
  expect_whole_again();
}

TEST_F(Unpacking, what_a_killed_process_left_is_cleared_away) {
  const Fmu opened = fmu(small());
  const fs::path part = fs::path(folder_.file("cache")) / "seam" / (opened.hash + ".part-abcdef");
  fs::create_directories(part / "content");
  const Unpacked files(opened, Unpacked::Sharing::shared);
  EXPECT_FALSE(fs::exists(part));
}

TEST_F(Unpacking, private_copies_of_killed_processes_are_cleared_away_and_those_of_living_ones_stay) {
  const std::string temporary = folder_.file("temporary");
  fs::create_directory(temporary);
  ::setenv("TMPDIR", temporary.c_str(), 1);
  const Fmu opened = fmu(small());
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const auto start = [&](bool lives_on) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const Unpacked files(opened, Unpacked::Sharing::private_copy);
    const std::string name = files.folder().filename().string() + "\n";
    if (::write(ready[1], name.data(), name.size()) < 0) ::_exit(1);
    while (lives_on) ::pause();
    ::_exit(0);  // without a destructor
  };
  const auto name_of = [&] {
    std::string name;
    for (char c = 0; ::read(ready[0], &c, 1) == 1 && c != '\n';) name += c;
    return fs::path(temporary) / name;
  };
  const pid_t dead = start(false);
  const fs::path left = name_of();
  ::waitpid(dead, nullptr, 0);
  const pid_t living = start(true);
  const fs::path used = name_of();
  ASSERT_TRUE(fs::exists(left) && fs::exists(used)) << left << used;
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(left, long_ago);
  fs::last_write_time(used, long_ago);
  const pid_t last = start(false);
  const fs::path fresh = name_of();
  ::waitpid(last, nullptr, 0);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(used));
  EXPECT_TRUE(fs::exists(fresh));  // too young to be abandoned
  ::kill(living, SIGKILL);
  ::waitpid(living, nullptr, 0);
  ::unsetenv("TMPDIR");
}

TEST_F(Unpacking, processes_at_once_all_find_whole_files) {
  const Fmu opened = fmu(small());
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        const Unpacked files(opened, Unpacked::Sharing::shared);
        ::_exit(text(files.folder() / "resources/a.txt") == "hello" ? 0 : 1);
      } catch (...) {
        ::_exit(2);
      }
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
}

TEST_F(Unpacking, a_private_copy_can_be_written_and_is_removed_with_its_handle) {
  const Fmu opened = fmu(small());
  fs::path where;
  {
    const Unpacked files(opened, Unpacked::Sharing::private_copy);
    where = files.folder();
    formats::write_text((where / "resources/a.txt").string(), "changed");
    const Unpacked other(opened, Unpacked::Sharing::private_copy);
    EXPECT_NE(other.folder(), where);
    EXPECT_EQ(text(other.folder() / "resources/a.txt"), "hello");
  }
  EXPECT_FALSE(fs::exists(where));
}

TEST_F(Unpacking, without_a_home_the_folder_is_private_and_temporary) {
  const Fmu opened = fmu(small());
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("HOME");
  fs::path where;
  {
    const Unpacked files(opened, Unpacked::Sharing::shared);
    where = files.folder();
    EXPECT_EQ(text(where / "resources/a.txt"), "hello");
    EXPECT_EQ(fs::status(where).permissions(), fs::perms::owner_all);
  }
  EXPECT_FALSE(fs::exists(where));
  ::setenv("HOME", home.c_str(), 1);
}

TEST_F(Unpacking, a_relative_cache_is_not_used) {
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("HOME", folder_.file("home").c_str(), 1);
  EXPECT_EQ(cache_root(), fs::path(folder_.file("home")) / ".cache/seam");
  ::setenv("HOME", home.c_str(), 1);
}

TEST_F(Unpacking, a_cache_that_is_a_link_is_not_used) {
  fs::create_directories(folder_.file("elsewhere"));
  fs::create_directories(folder_.file("cache"));
  fs::create_symlink(folder_.file("elsewhere"), folder_.file("cache/seam"));
  EXPECT_EQ(cache_root(), std::nullopt);
  const Unpacked files(fmu(small()), Unpacked::Sharing::shared);
  EXPECT_EQ(text(files.folder() / "resources/a.txt"), "hello");
  EXPECT_TRUE(fs::is_empty(folder_.file("elsewhere")));
}

TEST_F(Unpacking, a_cache_others_could_write_to_is_closed_to_them) {
  fs::create_directories(folder_.file("cache/seam"));
  fs::permissions(folder_.file("cache/seam"), fs::perms::all);
  EXPECT_TRUE(cache_root());
  EXPECT_EQ(fs::status(folder_.file("cache/seam")).permissions(), fs::perms::owner_all);
}

TEST_F(Unpacking, a_file_that_changed_since_it_was_opened_is_not_unpacked_under_its_old_name) {
  const Fmu opened = fmu(small());
  formats::write_text(folder_.file("a.fmu"), small().add("resources/evil", "x").bytes());
  EXPECT_THROW(Unpacked(opened, Unpacked::Sharing::shared), base::Error);
  EXPECT_FALSE(fs::exists(fs::path(folder_.file("cache")) / "seam" / opened.hash));
}

TEST_F(Unpacking, set_uid_is_dropped) {
  const Unpacked files(fmu(small().add({"resources/tool", "x", 0, 0, S_IFREG | S_ISUID | S_ISVTX | 0755})),
                       Unpacked::Sharing::shared);
  EXPECT_EQ(fs::status(files.folder() / "resources/tool").permissions(), fs::perms::owner_read | fs::perms::owner_exec);
}

#if defined(__x86_64__)
TEST_F(Unpacking, the_library_of_this_machine_is_found) {
  const Unpacked two(fmu(small()), Unpacked::Sharing::shared);
  EXPECT_EQ(two.library("m", Version::fmi2), two.folder() / "binaries/linux64/m.so");
  const Unpacked three(fmu(small().add("binaries/x86_64-linux/m.so", "")), Unpacked::Sharing::shared);
  EXPECT_EQ(three.library("m", Version::fmi3), three.folder() / "binaries/x86_64-linux/m.so");
}

TEST_F(Unpacking, a_missing_library_names_what_is_wanted_and_what_is_there) {
  const Unpacked files(fmu(RawZip()
                               .add("modelDescription.xml", fmi2_variables(""))
                               .add("binaries/win64/m.dll", "")
                               .add("binaries/win32/m.dll", "")),
                       Unpacked::Sharing::shared);
  const std::string why = failure(files, "m");
  EXPECT_NE(why.find("binaries/linux64/m.so"), std::string::npos) << why;
  EXPECT_NE(why.find("it has win32, win64"), std::string::npos) << why;
  EXPECT_EQ(why.find("seam build"), std::string::npos) << why;
  EXPECT_NE(failure(files, "m", Version::fmi3).find("x86_64-linux"), std::string::npos);
  const Unpacked other(fmu(small().add("binaries/linux64/o.so", "")), Unpacked::Sharing::shared);
  EXPECT_NE(failure(other, "n").find("binaries/linux64 holds no n.so"), std::string::npos) << failure(other, "n");
}

TEST_F(Unpacking, the_only_library_serves_under_another_name_and_is_told_of) {
  const Fmu renamed = fmu(RawZip()
                              .add("modelDescription.xml", fmi2_variables(""))
                              .add("binaries/linux64/tank-v2.so", "code")
                              .add("binaries/linux64/license.txt", ""));
  const Unpacked files(renamed, Unpacked::Sharing::shared);
  EXPECT_EQ(files.library("m", Version::fmi2), files.folder() / "binaries/linux64/tank-v2.so");
  const auto found = description_problems(renamed);
  ASSERT_FALSE(found.empty());
  const auto told = std::any_of(found.begin(), found.end(), [](const DescriptionProblem& problem) {
    return problem.what.find("holds \"tank-v2.so\", not m.so") != std::string::npos;
  });
  EXPECT_TRUE(told) << found.front().what;
  EXPECT_TRUE(std::ranges::none_of(description_problems(fmu(small())), [](const DescriptionProblem& problem) {
    return problem.what.find("modelIdentifier asks for") != std::string::npos;
  }));
}
#endif

TEST_F(Unpacking, sources_are_mentioned_where_binaries_are_missing) {
  const Unpacked files(fmu(RawZip().add("modelDescription.xml", fmi2_variables("")).add("sources/all.c", "")),
                       Unpacked::Sharing::shared);
  EXPECT_NE(failure(files, "m").find("seam build"), std::string::npos);
}

TEST_F(Unpacking, an_identifier_that_is_none_never_becomes_a_path) {
  const Unpacked files(fmu(small()), Unpacked::Sharing::shared);
  EXPECT_NE(failure(files, "../../../evil").find("cannot name a library"), std::string::npos);
}

}  // namespace
}  // namespace seam::fmi
