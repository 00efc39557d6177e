#include "seam/formats/xml.hpp"

#include <gtest/gtest.h>

namespace seam::formats {
namespace {

using namespace std::string_literals;

struct Read {
  explicit Read(std::string bytes, const XmlLimits& limits = {})
      : document(read_xml(std::move(bytes), "a.xml", problems, limits)) {}
  XmlElement root() const { return document->root(); }
  std::string what() const { return problems.empty() ? std::string{} : problems.all().front().what; }
  int line() const { return problems.empty() ? -1 : problems.all().front().where.line; }

  base::Problems problems;
  std::optional<XmlDocument> document;
};

std::string utf16(std::string_view ascii, bool big_endian, bool mark) {
  std::string bytes;
  if (mark) bytes += big_endian ? "\xFE\xFF"s : "\xFF\xFE"s;
  for (const char c : ascii) bytes += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
  return bytes;
}

TEST(Xml, names_attributes_and_children_are_found_with_their_lines) {
  const Read read("<?xml version=\"1.0\"?>\n<!-- c -->\n<a x='1'>\n  <b y=\"2\"/>text\n  <c/>\n\n  <b/>\n</a>\n");
  ASSERT_TRUE(read.document);
  const XmlElement a = read.root();
  EXPECT_EQ(a.name(), "a");
  EXPECT_EQ(a.line(), 3);
  EXPECT_EQ(a.attribute("x"), "1");
  EXPECT_FALSE(a.attribute("y"));
  ASSERT_EQ(a.children().size(), 3u);
  ASSERT_EQ(a.children("b").size(), 2u);
  EXPECT_EQ(a.children("b")[1].line(), 7);
  EXPECT_EQ(a.child("b")->attribute("y"), "2");
  EXPECT_FALSE(a.child("none"));
}

TEST(Xml, an_empty_attribute_is_not_a_missing_one) {
  const Read read("<a x=\"\"/>");
  EXPECT_EQ(read.root().attribute("x"), "");
}

TEST(Xml, line_numbers_survive_attributes_over_several_lines) {
  const Read read("<a\n  x=\"1\"\n  y=\"2&amp;&#10;\">\n  <b\n/></a>");
  EXPECT_EQ(read.root().child("b")->line(), 4);
}

TEST(Xml, the_five_entities_and_numeric_references_are_replaced) {
  const Read read("<a x=\"&lt;&gt;&amp;&quot;&apos;&#65;&#x3bb;\"/>");
  EXPECT_EQ(read.root().attribute("x"), "<>&\"'Aλ");
}

TEST(Xml, declared_entities_are_refused) {
  const Read read("<!DOCTYPE a [<!ENTITY b \"boom\">]>\n<a x=\"&b;\"/>");
  EXPECT_FALSE(read.document);
  EXPECT_NE(read.what().find("entities"), std::string::npos);
}

TEST(Xml, an_entity_nobody_declared_stays_as_it_is_written) {
  const Read read("<a x=\"&b;\"/>");
  ASSERT_TRUE(read.document);
  EXPECT_EQ(read.root().attribute("x"), "&b;");
}

TEST(Xml, a_document_type_without_entities_is_ignored) { EXPECT_TRUE(Read("<!DOCTYPE a>\n<a/>").document); }

TEST(Xml, a_reference_to_the_zero_character_is_a_problem_with_its_line) {
  for (const char* const reference :
       {"&#0;", "&#x0;", "&#000;", "&#xD800;", "&#x110000;", "&#99999999999;", "&#;", "&#x;", "&#12"}) {
    const Read read("<a>\n<b x=\"" + std::string(reference) + "\"/></a>");
    EXPECT_FALSE(read.document) << reference;
    EXPECT_EQ(read.line(), 2) << reference;
  }
}

TEST(Xml, utf16_of_both_byte_orders_is_read) {
  for (const bool big_endian : {false, true}) {
    for (const bool mark : {false, true}) {
      const Read read(utf16("<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<a x=\"1\"/>", big_endian, mark));
      ASSERT_TRUE(read.document);
      EXPECT_EQ(read.root().attribute("x"), "1");
      EXPECT_EQ(read.root().line(), 2);
    }
  }
}

TEST(Xml, utf16_beyond_the_basic_plane_is_read) {
  std::string bytes = utf16("<a x=\"", false, true) + "\x3D\xD8\x00\xDE"s + utf16("\"/>", false, false);
  const Read read(bytes);
  ASSERT_TRUE(read.document);
  EXPECT_EQ(read.root().attribute("x"), "\xF0\x9F\x98\x80");  // U+1F600
}

TEST(Xml, broken_utf16_is_a_problem) {
  EXPECT_FALSE(Read(utf16("<a/>", false, true) + "x").document);
  EXPECT_FALSE(Read(utf16("<a x=\"", false, true) + "\x3D\xD8"s + utf16("\"/>", false, false)).document);
}

TEST(Xml, latin1_is_read_if_it_is_declared) {
  const Read read("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a x=\"L\xE4nge\"/>");
  ASSERT_TRUE(read.document);
  EXPECT_EQ(read.root().attribute("x"), "Länge");
}

TEST(Xml, invalid_utf8_is_a_problem_with_its_line) {
  const Read read("<a>\n\n<b x=\"L\xE4nge\"/></a>");
  EXPECT_FALSE(read.document);
  EXPECT_EQ(read.line(), 3);
}

TEST(Xml, an_encoding_we_do_not_read_is_named_unless_it_makes_no_difference) {
  const Read read("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><a x=\"\x83\x65\"/>");
  EXPECT_FALSE(read.document);
  EXPECT_NE(read.what().find("shift_jis"), std::string::npos);
  EXPECT_TRUE(Read("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><a x=\"1\"/>").document);
}

TEST(Xml, a_byte_order_mark_does_not_count) {
  const Read read("\xEF\xBB\xBF<a/>");
  ASSERT_TRUE(read.document);
  EXPECT_EQ(read.root().where().column, 2);
}

TEST(Xml, a_zero_byte_is_a_problem) { EXPECT_FALSE(Read("<a x=\"1\0\"/>"s).document); }

TEST(Xml, text_that_is_not_well_formed_is_a_problem_with_its_line) {
  const Read read("<a>\n<b>\n</a>");
  EXPECT_FALSE(read.document);
  EXPECT_EQ(read.line(), 3);
  EXPECT_FALSE(Read("").document);
  EXPECT_FALSE(Read("hello").document);
  EXPECT_FALSE(Read("<a/><b/>").document);
  EXPECT_FALSE(Read("<a").document);
}

TEST(Xml, an_attribute_given_twice_is_a_problem) {
  const Read read("<a>\n<b x=\"1\" x=\"2\"/></a>");
  EXPECT_FALSE(read.document);
  EXPECT_EQ(read.line(), 2);
}

std::string nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += "<a>";
  for (std::size_t i = 0; i < depth; ++i) text += "</a>";
  return text;
}

TEST(Xml, nesting_is_allowed_to_the_limit_and_no_deeper) {
  EXPECT_TRUE(Read(nested(64)).document);
  EXPECT_FALSE(Read(nested(65)).document);
  EXPECT_FALSE(Read(nested(500'000)).document);
}

TEST(Xml, limits_of_size_hold) {
  EXPECT_FALSE(Read("<a x=\"123456789\"/>", {.bytes = 10}).document);
  EXPECT_FALSE(Read("<a x=\"123456789\"/>", {.attribute_bytes = 8}).document);
  EXPECT_TRUE(Read("<a x=\"123456789\"/>", {.attribute_bytes = 9}).document);
  EXPECT_FALSE(Read("<a><b/><b/></a>", {.marks = 3}).document);
  EXPECT_TRUE(Read("<a><b/><b/></a>", {.marks = 4}).document);
}

}  // namespace
}  // namespace seam::formats
