#include "seam/toolchain/build.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/base/problem.hpp"
#include "seam/fmi/archive/platform.hpp"
#include "seam/formats/zip.hpp"
#include "toolchain/decay.hpp"

namespace seam::toolchain {
namespace {

using formats::RawZip;

/// One FMU in a folder of its own, and what building it gives.
class Bench {
 public:
  explicit Bench(const RawZip& zip) { formats::write_text(folder.file("a.fmu"), zip.bytes()); }

  std::optional<Built> build(BuildRequest::Existing existing = BuildRequest::Existing::kept) const {
    return toolchain::build({folder.file("a.fmu"), folder.file("b.fmu"), existing, nullptr});
  }
  /// What it says when it fails; nothing of the new FMU may be there then.
  std::string failure() const {
    std::string said = "it did not fail";
    try {
      build();
    } catch (const std::exception& error) {
      said = error.what();
    }
    EXPECT_EQ(folder.files(), 1u) << said;
    return said;
  }
  bool fails_with(const std::string& words) const {
    const std::string said = failure();
    if (said.find(words) != std::string::npos) return true;
    ADD_FAILURE() << said;
    return false;
  }
  std::vector<std::string> entries(const std::string& name) const {
    base::Problems problems;
    const auto archive = formats::open_zip(folder.file(name), problems);
    std::vector<std::string> names;
    if (!archive) return names;
    for (const formats::ZipEntry& entry : archive->entries()) names.push_back(entry.name);
    return names;
  }

  formats::TemporaryFolder folder;
};

RawZip decay2(const std::string& source, const std::string& listed = listed_decay) {
  return RawZip().add("modelDescription.xml", decay_description2(listed)).add("sources/decay.c", source);
}
RawZip decay3(const std::string& description) {
  return RawZip()
      .add("modelDescription.xml", decay_description3())
      .add("sources/decay.c", decay_source(3))
      .add("sources/rate.h", "#define RATE 1\n")
      .add("sources/buildDescription.xml", description);
}

class Build : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Fmi, Build, ::testing::Values(2, 3));

TEST_P(Build, the_new_fmu_has_everything_of_the_old_one_and_the_library) {
  const Bench bench(decay(GetParam()));
  const auto built = bench.build();
  ASSERT_TRUE(built);
  auto expected = bench.entries("a.fmu");
  const std::string platform = GetParam() == 2 ? fmi::this_machine().fmi2 : fmi::this_machine().fmi3;
  EXPECT_EQ(built->libraries, std::vector<std::string>{"binaries/" + platform + "/decay.so"});
  expected.push_back(built->libraries.front());
  EXPECT_EQ(bench.entries("b.fmu"), expected);
  EXPECT_TRUE(built->notices.empty());
  EXPECT_EQ(bench.folder.files(), 2u);
}

TEST_P(Build, what_is_there_is_kept_unless_it_may_be_replaced) {
  const Bench bench(decay(GetParam()));
  bench.build();
  const std::string before = formats::read_text(bench.folder.file("b.fmu"));
  EXPECT_THROW(bench.build(), base::ProblemsFound);
  EXPECT_EQ(formats::read_text(bench.folder.file("b.fmu")), before);
  EXPECT_TRUE(bench.build(BuildRequest::Existing::replaced));
  EXPECT_THROW(toolchain::build({bench.folder.file("b.fmu"), bench.folder.file("c.fmu")}), base::ProblemsFound);
  EXPECT_TRUE(toolchain::build(
      {bench.folder.file("b.fmu"), bench.folder.file("b.fmu"), BuildRequest::Existing::replaced, nullptr}));
  EXPECT_EQ(bench.entries("b.fmu").size(), bench.entries("a.fmu").size() + 1);
}

TEST_P(Build, nothing_is_left_behind_in_the_temporary_folder) {
  const Bench bench(decay(GetParam()));
  const formats::TemporaryFolder temporary;
  ::setenv("TMPDIR", temporary.file("").c_str(), 1);
  bench.build();
  ::unsetenv("TMPDIR");
  EXPECT_EQ(temporary.files(), 0u);
}

TEST(BuildFmi2, without_a_list_the_sources_that_are_there_are_taken_and_told) {
  const Bench bench(decay2(decay_source(2), ""));
  const auto built = bench.build();
  ASSERT_TRUE(built);
  ASSERT_EQ(built->notices.size(), 1u);
  EXPECT_NE(built->notices[0].find("decay.c"), std::string::npos);
}

TEST(BuildFmi2, all_c_stands_for_the_others_that_it_includes) {
  RawZip zip = decay2(decay_source(2), "");
  zip.add("sources/all.c", "#include \"decay.c\"\n");
  EXPECT_TRUE(Bench(zip).build());
}

TEST(BuildFmi2, a_source_that_another_one_includes_is_not_compiled_by_itself) {
  // the template uses a type of the file that includes it, as those of the FMU SDK do
  const std::string model = "typedef double Rate;\n  # include \"template.c\"\n" + decay_source(2);
  const Bench bench(decay2(model, "").add("sources/template.c", "static Rate rate_of_the_template = 1;\n"));
  const auto built = bench.build();
  ASSERT_TRUE(built);
  EXPECT_NE(built->notices.at(0).find("taken: decay.c"), std::string::npos) << built->notices[0];
}

TEST(BuildFmi2, functions_with_the_models_prefix_get_their_plain_names) {
  const std::string prefixed = "#define FMI2_FUNCTION_PREFIX decay_\n" + decay_source(2);
  EXPECT_TRUE(Bench(decay2(prefixed)).build());
  // a header of their own that knows no override
  const std::string own = "#undef FMI2_OVERRIDE_FUNCTION_PREFIX\n" + prefixed;
  EXPECT_TRUE(Bench(decay2(own)).build());
}

TEST(BuildFmi2, cxx_sources_are_compiled_and_linked_as_such) {
  const std::string list = R"(<SourceFiles><File name="decay.c"/><File name="part.cpp"/></SourceFiles>)";
  RawZip zip = decay2(decay_source(2), list);
  zip.add("sources/part.cpp", "#include <string>\n#include <vector>\nstd::vector<std::string> names{\"a\"};\n");
  EXPECT_TRUE(Bench(zip).build());
}

TEST(BuildFmi2, what_the_compiler_says_is_shown_with_the_fmu) {
  const Bench bench(decay2(decay_source(2) + "int broken = nothing_such;\n"));
  const std::string said = bench.failure();
  for (const char* word : {"a.fmu", "do not compile", "sources/decay.c:", "nothing_such"})
    EXPECT_NE(said.find(word), std::string::npos) << word << "\n" << said;
}

TEST(BuildFmi2, an_undefined_function_is_the_linkers_complaint) {
  EXPECT_TRUE(Bench(decay2(decay_source(2) + "int absent(void);\nint f(void) { return absent(); }\n"))
                  .fails_with("cannot be linked"));
}

TEST(BuildFmi2, a_function_that_the_description_promises_and_the_sources_lack_is_named) {
  EXPECT_TRUE(Bench(decay2("#define WITHOUT_STEP\n" + decay_source(2))).fails_with("promises: fmi2DoStep"));
}

TEST(BuildFmi2, a_missing_compiler_is_named_with_what_to_install) {
  ::setenv("CC", "seam-no-such-compiler -m64", 1);
  const std::string said = Bench(decay(2)).failure();
  ::unsetenv("CC");
  for (const char* word : {"\"seam-no-such-compiler\"", "No such file", "CC=", "build-essential"})
    EXPECT_NE(said.find(word), std::string::npos) << word << "\n" << said;
}

TEST(BuildFmi2, an_fmu_without_sources_is_refused) {
  EXPECT_TRUE(Bench(RawZip().add("modelDescription.xml", decay_description2(""))).fails_with("ships no sources"));
  EXPECT_TRUE(Bench(RawZip().add("modelDescription.xml", decay_description2("")).add("sources/readme.txt", ""))
                  .fails_with("no C or C++ file"));
}

TEST(BuildFmi2, listed_files_that_are_not_there_or_lead_elsewhere_are_refused) {
  const auto listed = [](const std::string& name) {
    return Bench(decay2(decay_source(2), "<SourceFiles><File name=\"" + name + "\"/></SourceFiles>"));
  };
  EXPECT_TRUE(listed("other.c").fails_with("sources/other.c\" is not in the FMU"));
  EXPECT_TRUE(listed("../modelDescription.xml").fails_with("\"..\""));
  EXPECT_TRUE(listed("/etc/passwd").fails_with("absolute"));
}

TEST(BuildFmi2, names_full_of_shell_words_are_file_names_and_nothing_else) {
  const std::string name = "a;touch $HOME `id` &amp; -o x.c";
  RawZip zip;
  zip.add("modelDescription.xml", decay_description2("<SourceFiles><File name=\"" + name + "\"/></SourceFiles>"));
  zip.add("sources/a;touch $HOME `id` & -o x.c", decay_source(2));
  EXPECT_TRUE(Bench(zip).build());
}

TEST(BuildFmi3, definitions_and_include_folders_reach_the_compiler) {
  // decay(3) compiles only with both: rate.h lies in include/ and is worth FIRST
  EXPECT_TRUE(Bench(decay(3)).build());
  RawZip without = decay3(build_description(R"(><SourceFile name="decay.c"/><IncludeDirectory name="include"/>)"));
  without.add("sources/include/rate2.h", "");
  EXPECT_TRUE(Bench(without).build());
}

TEST(BuildFmi3, libraries_of_the_system_are_linked_and_missing_ones_named) {
  const std::string set = R"(><SourceFile name="decay.c"/>)";
  EXPECT_TRUE(Bench(decay3(build_description(set, R"(<Library name="pthread" external="true"/>)"))).build());
  EXPECT_TRUE(
      Bench(decay3(build_description(set, R"(<Library name="seam-none" external="true"/>)"))).fails_with("seam-none"));
  EXPECT_TRUE(Bench(decay3(build_description(set, R"(<Library name="own"/>)"))).fails_with("not in its sources/"));
  EXPECT_TRUE(Bench(decay3(build_description(set, R"(<Library name="-o/tmp/x" external="true"/>)")))
                  .fails_with("cannot be the name of a library"));
}

TEST(BuildFmi3, a_build_description_that_cannot_be_followed_is_a_problem) {
  EXPECT_TRUE(Bench(decay3("<other/>")).fails_with("not <fmiBuildDescription>"));
  EXPECT_TRUE(Bench(decay3("<fmiBuildDescription")).fails_with("buildDescription.xml"));
  EXPECT_TRUE(Bench(decay3("<fmiBuildDescription/>")).fails_with("no build configuration for"));
  EXPECT_TRUE(Bench(decay3(build_description(">"))).fails_with("names no source file"));
  EXPECT_TRUE(
      Bench(decay3(build_description(R"(language="Fortran"><SourceFile name="decay.c"/>)"))).fails_with("Fortran"));
  EXPECT_TRUE(Bench(decay3(build_description(R"(><SourceFile name="decay.c"/><PreprocessorDefinition name="a b"/>)")))
                  .fails_with("no name of a macro"));
}

TEST(BuildFmi3, the_configuration_for_this_platform_goes_before_the_one_for_all) {
  const std::string machine = fmi::this_machine().fmi3;
  const auto configuration = [](const std::string& platform, const std::string& file) {
    return "<BuildConfiguration modelIdentifier=\"decay\"" + platform + "><SourceFileSet><SourceFile name=\"" + file +
           "\"/></SourceFileSet></BuildConfiguration>";
  };
  const std::string here = configuration(" platform=\"" + machine + "\"", "decay.c");
  const std::string elsewhere = configuration(" platform=\"vax-vms\"", "absent.c");
  const std::string all = configuration("", "broken.c");
  RawZip zip = decay3("<fmiBuildDescription>" + elsewhere + all + here + "</fmiBuildDescription>");
  zip.add("sources/broken.c", "#error this is not the one\n");
  EXPECT_TRUE(Bench(zip).build());
  EXPECT_TRUE(Bench(decay3("<fmiBuildDescription>" + elsewhere + "</fmiBuildDescription>")).fails_with(machine));
}

TEST(BuildFmi3, the_only_configuration_is_taken_under_a_wrong_name_and_that_is_told) {
  std::string description = build_description(R"(><SourceFile name="decay.c"/>)");
  description.replace(description.find("\"decay\""), 7, "\"other\"");
  const auto built = Bench(decay3(description)).build();
  ASSERT_TRUE(built);
  ASSERT_EQ(built->notices.size(), 1u);
  EXPECT_NE(built->notices[0].find("\"other\""), std::string::npos);
  EXPECT_TRUE(built->libraries[0].ends_with("/decay.so")) << built->libraries[0];
}

TEST(BuildFmi3, options_that_are_not_followed_are_told) {
  const auto built =
      Bench(decay3(build_description(R"(compiler="gcc" compilerOptions="-O1 -o/tmp/x"><SourceFile name="decay.c"/>)")))
          .build();
  ASSERT_TRUE(built);
  ASSERT_EQ(built->notices.size(), 1u);
  EXPECT_NE(built->notices[0].find("-o/tmp/x"), std::string::npos);
  EXPECT_EQ(built->notices[0].find("-O1"), std::string::npos);
}

}  // namespace
}  // namespace seam::toolchain
