#include "seam/fmi/archive/archive.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fmi/description_text.hpp"
#include "formats/raw_zip.hpp"
#include "formats/temporary_folder.hpp"
#include "seam/formats/sha256.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::fmi {
namespace {

using formats::RawZip;
using namespace std::string_literals;

const std::string description = fmi2_variables("");

RawZip good() { return RawZip().add("modelDescription.xml", description).add("binaries/linux64/m.so", "x"); }

struct Opened {
  explicit Opened(const std::string& bytes) {
    formats::write_text(folder.file("a.fmu"), bytes);
    fmu = open_fmu(folder.file("a.fmu"), problems);
  }
  explicit Opened(const RawZip& zip) : Opened(zip.bytes()) {}

  bool refused_for(std::string_view reason) const { return !fmu && problems.text().find(reason) != std::string::npos; }

  formats::TemporaryFolder folder;
  base::Problems problems;
  std::optional<Fmu> fmu;
};

TEST(Archive, a_good_fmu_is_opened_with_its_platforms_and_its_hash) {
  const Opened opened(good().add("binaries/win64/m.dll", "x").add("binaries/readme.txt", "x").add("sources/all.c", ""));
  ASSERT_TRUE(opened.fmu) << opened.problems.text();
  EXPECT_EQ(opened.fmu->description.model_name, "M");
  EXPECT_EQ(opened.fmu->platforms, (std::vector<std::string>{"linux64", "win64"}));
  EXPECT_TRUE(opened.fmu->ships_sources);
  EXPECT_EQ(opened.fmu->hash, formats::sha256_of_file(opened.folder.file("a.fmu")));
  EXPECT_TRUE(description_problems(*opened.fmu).empty());
}

TEST(Archive, problems_of_the_description_name_the_archive_and_the_line) {
  const Opened opened(RawZip().add("modelDescription.xml", "<a>\n<b>\n</a>"));
  EXPECT_TRUE(opened.refused_for("a.fmu/modelDescription.xml:3:"));
}

TEST(Archive, an_fmu_without_binaries_and_sources_is_an_error_for_check) {
  const Opened opened(RawZip().add("modelDescription.xml", description));
  ASSERT_TRUE(opened.fmu);
  EXPECT_EQ(description_problems(*opened.fmu).size(), 1u);
}

TEST(Archive, backslashes_between_parts_work_and_are_an_error_for_check) {
  const Opened opened(RawZip().add("modelDescription.xml", description).add("binaries\\linux64\\m.so", "x"));
  ASSERT_TRUE(opened.fmu);
  EXPECT_EQ(opened.fmu->platforms, std::vector<std::string>{"linux64"});
  ASSERT_EQ(description_problems(*opened.fmu).size(), 1u);
  EXPECT_NE(description_problems(*opened.fmu)[0].what.find("\\"), std::string::npos);
}

TEST(HostileArchive, traversal_by_name_is_refused) {
  EXPECT_TRUE(Opened(good().add("../../etc/cron.d/x", "x")).refused_for("\"..\""));
}
TEST(HostileArchive, traversal_by_backslash_is_refused) {
  EXPECT_TRUE(Opened(good().add("resources\\..\\..\\x", "x")).refused_for("\"..\""));
}
TEST(HostileArchive, an_absolute_name_is_refused) {
  EXPECT_TRUE(Opened(good().add("/etc/passwd", "x")).refused_for("absolute"));
}
TEST(HostileArchive, a_drive_letter_is_refused) {
  EXPECT_TRUE(Opened(good().add("C:\\x", "x")).refused_for("drive letter"));
}
TEST(HostileArchive, a_control_character_in_a_name_is_refused) {
  EXPECT_TRUE(Opened(good().add("a\nb", "x")).refused_for("control"));
}
TEST(HostileArchive, a_link_is_refused) {
  EXPECT_TRUE(Opened(good().add({"resources/x", "/etc", 0, 0, S_IFLNK | 0777})).refused_for("link"));
}
TEST(HostileArchive, a_device_is_refused) {
  EXPECT_TRUE(Opened(good().add({"resources/x", "", 0, 0, S_IFBLK | 0666})).refused_for("special"));
}
TEST(HostileArchive, an_encrypted_entry_is_refused) {
  EXPECT_TRUE(Opened(good().add({"resources/x", "x", 0, 1})).refused_for("encrypted"));
}
TEST(HostileArchive, a_duplicate_is_refused) {
  EXPECT_TRUE(Opened(good().add("modelDescription.xml", description + " ")).refused_for("collides"));
}
TEST(HostileArchive, names_that_differ_by_case_are_refused) {
  EXPECT_TRUE(Opened(good().add("MODELDESCRIPTION.XML", "x")).refused_for("collides"));
}
TEST(HostileArchive, a_file_that_is_no_zip_is_refused) { EXPECT_TRUE(Opened("hello"s).refused_for("zip")); }
TEST(HostileArchive, an_empty_file_is_refused) { EXPECT_TRUE(Opened(""s).refused_for("empty")); }
TEST(HostileArchive, an_archive_of_nothing_is_refused) { EXPECT_TRUE(Opened(RawZip()).refused_for("empty")); }

TEST(HostileArchive, a_truncated_archive_is_refused) {
  const std::string whole = good().bytes();
  EXPECT_TRUE(Opened(whole.substr(0, whole.size() / 2)).refused_for("zip"));
}

TEST(HostileArchive, a_damaged_description_is_refused) {
  EXPECT_TRUE(Opened(RawZip().add({"modelDescription.xml", description, 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, true}))
                  .refused_for("cannot read"));
}

TEST(HostileArchive, a_description_whose_packed_bytes_are_nonsense_is_refused) {
  std::string bytes = RawZip().add({"modelDescription.xml", description, 8}).bytes();
  bytes[bytes.find("<?xml") - 5] = '\x07';  // a block type deflate does not have
  EXPECT_TRUE(Opened(bytes).refused_for("cannot read"));
}

TEST(HostileArchive, a_bomb_is_refused_before_it_is_unpacked) {
  EXPECT_TRUE(Opened(good().add({"resources/x", "12", 8, 0, 0, 1u << 30})).refused_for("1000 times"));
}

TEST(HostileArchive, a_bomb_that_lies_about_its_size_is_stopped) {
  EXPECT_TRUE(Opened(RawZip().add({"modelDescription.xml", std::string(1'000'000, ' '), 8, 0, 0, 100}))
                  .refused_for("cannot read"));
}

TEST(HostileArchive, too_many_entries_are_refused) {
  RawZip zip = good();
  for (int i = 0; i < 100'000; ++i) zip.add(std::to_string(i), "");
  EXPECT_TRUE(Opened(zip).refused_for("entries"));
}

TEST(HostileArchive, folders_nested_too_deep_are_refused) {
  std::string name;
  for (int i = 0; i < 500; ++i) name += "a/";
  EXPECT_TRUE(Opened(good().add(name + "b", "x")).refused_for("deep"));
}

TEST(HostileArchive, an_entry_that_claims_more_than_two_gibibytes_is_refused) {
  EXPECT_TRUE(Opened(good().add({"resources/x", "x", 8, 0, 0, 0x80000001})).refused_for("bytes"));
}

TEST(HostileArchive, a_missing_description_is_refused) {
  EXPECT_TRUE(Opened(RawZip().add("a", "x")).refused_for("no modelDescription.xml"));
}

TEST(HostileArchive, a_description_that_is_a_folder_is_refused) {
  EXPECT_TRUE(
      Opened(RawZip().add("modelDescription.xml/", "").add("modelDescription.xml/a", "x")).refused_for("is a folder"));
}

TEST(HostileArchive, a_description_one_folder_too_deep_is_found_and_named) {
  EXPECT_TRUE(
      Opened(RawZip().add("model/modelDescription.xml", description)).refused_for("model/modelDescription.xml"));
}

TEST(HostileArchive, a_huge_description_is_refused) {
  EXPECT_TRUE(Opened(RawZip().add({"modelDescription.xml", "x", 8, 0, 0, 300u << 20})).refused_for("times"));
}

TEST(HostileArchive, an_empty_description_is_refused) {
  EXPECT_TRUE(Opened(RawZip().add("modelDescription.xml", "")).refused_for("empty"));
}

TEST(HostileArchive, an_identifier_that_leads_elsewhere_is_refused) {
  EXPECT_TRUE(
      Opened(RawZip().add("modelDescription.xml", fmi2("<CoSimulation modelIdentifier=\"../../../tmp/evil\"/>")))
          .refused_for("C identifier"));
}

TEST(HostileArchive, a_missing_file_is_a_problem_and_no_crash) {
  base::Problems problems;
  EXPECT_FALSE(open_fmu("/nowhere/a.fmu", problems));
  EXPECT_FALSE(open_fmu("/tmp", problems));
  EXPECT_FALSE(open_fmu("/dev/zero", problems));
  EXPECT_EQ(problems.size(), 3u);
}

// Every single byte of a small archive changed: opened or refused, never a crash or a hang.
TEST(HostileArchive, a_flipped_byte_anywhere_does_no_harm) {
  const std::string whole = good().bytes();
  formats::TemporaryFolder folder;
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    formats::write_text(folder.file("a.fmu"), bytes);
    base::Problems problems;
    if (!open_fmu(folder.file("a.fmu"), problems)) ++refused;
  }
  EXPECT_GT(refused, whole.size() / 2);
}

const std::string flange_variables =
    "<ScalarVariable name=\"flange.f\" valueReference=\"1\" causality=\"output\"><Real/></ScalarVariable>\n"
    "<ScalarVariable name=\"flange.v\" valueReference=\"2\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"other\" valueReference=\"3\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>\n";

RawZip with_terminals(const std::string& inside) {
  return RawZip()
      .add("modelDescription.xml", fmi2_variables(flange_variables, "<Outputs><Unknown index=\"1\"/></Outputs>"))
      .add("binaries/linux64/m.so", "x")
      .add("terminalsAndIcons/terminalsAndIcons.xml", inside);
}

TEST(Archive, terminals_are_written_into_their_variables) {
  const Opened opened(with_terminals(
      R"(<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals><Terminal name="body"><Terminal name="flange" matchingRule="plug">
<TerminalMemberVariable variableName="flange.f" memberName="f" variableKind="inflow"/>
<TerminalMemberVariable variableName="flange.v" memberName="v" variableKind="signal"/></Terminal></Terminal></Terminals></fmiTerminalsAndIcons>)"));
  ASSERT_TRUE(opened.fmu) << opened.problems.text();
  const ModelDescription& read = opened.fmu->description;
  EXPECT_EQ(read.find("flange.f")->terminal.name, "body.flange");
  EXPECT_EQ(read.find("flange.f")->terminal.role, TerminalPlace::Role::inflow);
  EXPECT_EQ(read.find("flange.v")->terminal.name, "body.flange");
  EXPECT_EQ(read.find("flange.v")->terminal.role, TerminalPlace::Role::signal);
  EXPECT_EQ(read.find("other")->terminal.name, "");
  EXPECT_TRUE(opened.fmu->found_in_archive.empty());
}

TEST(Archive, terminals_that_are_wrong_are_errors_for_check_and_nobody_else) {
  for (const std::string inside :
       {"<fmiTerminalsAndIcons><Terminals>", "",
        "<fmiTerminalsAndIcons><Terminals><Terminal name='t'><TerminalMemberVariable variableName='no'/>"
        "</Terminal></Terminals></fmiTerminalsAndIcons>"}) {
    const Opened opened(with_terminals(inside));
    ASSERT_TRUE(opened.fmu) << opened.problems.text();
    EXPECT_EQ(opened.fmu->found_in_archive.size(), 1u) << inside;
  }
  const Opened icons(with_terminals("<fmiTerminalsAndIcons><GraphicalRepresentation/></fmiTerminalsAndIcons>"));
  EXPECT_TRUE(icons.fmu->found_in_archive.empty());
}

}  // namespace
}  // namespace seam::fmi
