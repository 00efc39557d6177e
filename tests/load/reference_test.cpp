#include "seam/load/reach.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "formats/temporary_folder.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::load {
namespace {

Reference read(const std::string& written) {
  base::Problems problems;
  const auto reference = read_reference(written, {}, {}, problems);
  EXPECT_TRUE(reference) << problems.text();
  return reference.value_or(Reference{});
}

TEST(Reference, is_decoded_and_brought_into_one_form) {
  EXPECT_EQ(read("resources/a%20b.fmu").path, "resources/a b.fmu");
  EXPECT_EQ(read("./resources//a.fmu").path, "resources/a.fmu");
  EXPECT_EQ(read("resources\\a.fmu").path, "resources/a.fmu");
  EXPECT_EQ(read("a.ssp#Variant%20B.ssd").fragment, "Variant B.ssd");
  EXPECT_EQ(read("#twin").path, "");
}

TEST(Reference, that_cannot_be_decoded_or_asks_a_question_is_refused) {
  for (const char* written : {"a%2", "a%zz", "a%00b", "a?x=1"}) {
    base::Problems problems;
    EXPECT_FALSE(read_reference(written, {}, {}, problems)) << written;
    EXPECT_EQ(problems.size(), 1u);
  }
}

TEST(Reference, leads_out_only_into_folders_that_were_opened) {
  formats::TemporaryFolder folder;
  for (const char* name : {"system", "models", "models-of-others"})
    std::filesystem::create_directories(folder.file(name));
  formats::write_text(folder.file("models/a.fmu"), "x");
  const std::string real = std::filesystem::canonical(folder.file("models/a.fmu")).string();
  const Reach reach{folder.file("system"), {folder.file("models")}};
  const auto path = [&](const std::string& written, const Reach& from) {
    base::Problems problems;
    const auto reference = read_reference(written, from, {}, problems);
    EXPECT_EQ(problems.empty(), reference.has_value());
    return reference ? std::filesystem::weakly_canonical(reference->path).string() : std::string("refused");
  };
  EXPECT_EQ(path("../models/a.fmu", reach), real);
  EXPECT_EQ(path("../models/../models/a.fmu", reach), real);
  EXPECT_EQ(path(folder.file("models/a.fmu"), reach), real);
  EXPECT_EQ(path("file://" + folder.file("models/a.fmu"), reach), real);
  EXPECT_EQ(path("../models-of-others/a.fmu", reach), "refused");
  EXPECT_EQ(path("../models/../a.fmu", reach), "refused");
  EXPECT_EQ(path("../models/a.fmu", {folder.file("system"), {}}), "refused");
  EXPECT_EQ(path("../models/a.fmu", {"", {folder.file("models")}}), "refused") << "nothing lies above a package";
  EXPECT_EQ(path("http://host/a.fmu", reach), "refused");
}

TEST(Reach, link_out_of_an_opened_folder_leads_nowhere) {
  formats::TemporaryFolder folder;
  for (const char* name : {"opened", "closed"}) std::filesystem::create_directories(folder.file(name));
  std::filesystem::create_directory_symlink(folder.file("closed"), folder.file("opened/link"));
  EXPECT_TRUE(lies_in(folder.file("opened/a"), {folder.file("opened")}));
  EXPECT_FALSE(lies_in(folder.file("opened/link/a"), {folder.file("opened")}));
}

}  // namespace
}  // namespace seam::load
