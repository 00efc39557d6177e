#include "seam/toolchain/compile.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace seam::toolchain {
namespace {

std::optional<Dialect> dialect(const std::string& language, const std::string& options = {},
                               const std::string& compiler = "gcc") {
  fmi::SourceSet set;
  set.language = language;
  set.compiler = compiler;
  set.options = options;
  base::Problems problems;
  return dialect_of(set, {}, problems);
}

TEST(Compile, the_language_of_a_set_decides_for_all_its_files) {
  EXPECT_EQ(dialect("C++11")->of("a.c"), Language::cxx);
  EXPECT_EQ(dialect("C++11")->standard, "-std=gnu++11");
  EXPECT_EQ(dialect("C99")->of("a.cpp"), Language::c);
}

TEST(Compile, without_a_language_the_names_of_the_files_decide) {
  const auto by_name = dialect("");
  EXPECT_EQ(by_name->of("a.c"), Language::c);
  for (const char* name : {"a.cpp", "a.cc", "a.cxx", "a.C"}) EXPECT_EQ(by_name->of(name), Language::cxx) << name;
}

TEST(Compile, other_languages_are_a_problem) {
  for (const char* language : {"Fortran", "C9", "c++11 -fplugin=x", "-std=c99"})
    EXPECT_FALSE(dialect(language)) << language;
}

TEST(Compile, options_that_only_change_the_code_pass) {
  const auto given = dialect("C99", "-O3 -ffast-math  -march=x86-64 -std=c11 -DX=1 -pthread -ffp-contract=off");
  EXPECT_EQ(given->options,
            (Words{"-O3", "-ffast-math", "-march=x86-64", "-std=c11", "-DX=1", "-pthread", "-ffp-contract=off"}));
  EXPECT_TRUE(given->left.empty());
}

TEST(Compile, options_that_reach_files_programs_or_the_linker_are_left_out) {
  const auto given = dialect(
      "C99",
      "-o /tmp/x -fplugin=evil.so -wrapper sh -Wl,-z,execstack -Wp,-MD,/tmp/y @args -B. -specs=s -include /etc/x "
      "-I/etc -L/ -lx -fdump-tree-all=/tmp/z -x none evil.c -save-temps -fprofile-use=/x");
  EXPECT_TRUE(given->options.empty());
  EXPECT_EQ(given->left.size(), 21u);
}

TEST(Compile, options_for_another_compiler_are_left_out) {
  EXPECT_TRUE(dialect("C99", "-O3", "MSVC")->options.empty());
  EXPECT_EQ(dialect("C99", "-O3", "clang")->options, Words{"-O3"});
}

TEST(Compile, no_name_of_an_fmu_can_become_an_option) {
  fmi::SourceSet set;
  set.files = {"-o x.c", "@x.c"};
  set.include_folders = {"-B"};
  set.definitions = {{"A", "1 -o /tmp/x"}, {"B", std::nullopt}};
  base::Problems problems;
  const Dialect plain;
  for (const std::string& file : set.files) {
    const Words words = words_to_compile({set, plain, file, fmi::Version::fmi3, "/h", "/w/0.o"});
    EXPECT_EQ(std::count(words.begin(), words.end(), "./sources/" + file), 1);
    EXPECT_EQ(std::count(words.begin(), words.end(), "-I./sources/-B"), 1);
    EXPECT_EQ(std::count(words.begin(), words.end(), "-DA=1 -o /tmp/x"), 1);
    EXPECT_EQ(std::count(words.begin(), words.end(), "-DB"), 1);
    EXPECT_EQ(std::count(words.begin(), words.end(), "-o"), 1);
  }
}

TEST(Compile, compilers_come_from_the_environment_with_their_own_words) {
  ::setenv("CC", " ccache  gcc -m64 ", 1);
  ::setenv("CXX", "", 1);
  const Compilers compilers = compilers_of_environment();
  ::unsetenv("CC");
  ::unsetenv("CXX");
  EXPECT_EQ(compilers.c, (Words{"ccache", "gcc", "-m64"}));
  EXPECT_EQ(compilers.cxx, Words{"c++"});
  EXPECT_EQ(compilers_of_environment().c, Words{"cc"});
}

}  // namespace
}  // namespace seam::toolchain
