#include "stiction/io/xml/xml.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

template <class Function>
std::string error_of(const Function& function) {
  try {
    function();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::string parse_error(std::string_view text, const XmlLimits& limits = {}) {
  return error_of([&] { parse_xml(text, "f.xml", limits); });
}

TEST(Xml, EveryElementAndAttributeKnowsItsLineAndColumn) {
  const XmlDocument document =
      parse_xml("<?xml version='1.0'?>\n<a>\n  <b x='1'\n     y = \"2\"/>\n</a>", "f.xml");
  const XmlElement b = document.root().required_child("b");
  EXPECT_EQ(b.place().line, 3);
  EXPECT_EQ(b.place().column, 4);
  EXPECT_EQ(b.place("x").line, 3);
  EXPECT_EQ(b.place("x").column, 6);
  EXPECT_EQ(b.place("y").line, 4);
  EXPECT_EQ(b.place("y").column, 6);
  EXPECT_EQ(b.place().file, "f.xml");
}

TEST(Xml, PlacesHoldAfterAByteOrderMarkAndEscapes) {
  const XmlDocument document = parse_xml("\xef\xbb\xbf<a t='&lt;&#65;&quot;' u='1'/>", "f.xml");
  EXPECT_EQ(document.root().string("t"), "<A\"");
  EXPECT_EQ(document.root().place("u").column, 27);
}

TEST(Xml, TextIsCollectedWithoutWhiteSpaceAtItsEnds) {
  const XmlDocument document = parse_xml("<a>\n one <b/><![CDATA[& two]]> </a>", "f.xml");
  EXPECT_EQ(document.root().text(), "one & two");
}

TEST(Xml, NumbersAreReadWholeOrNotAtAll) {
  EXPECT_EQ(parse_number(" -1.5e-3 "), -1.5e-3);
  EXPECT_EQ(parse_number("+2"), 2.0);
  for (const char* bad :
       {"", "1.0x", "1,5", "0x10", "nan", "inf", "-inf", "1e999", "--1", "+-1", "1 2", "true"})
    EXPECT_FALSE(parse_number(bad)) << bad;
}

TEST(Xml, AttributesAreReadAsTheTypeAskedFor) {
  const XmlDocument document = parse_xml("<a v='1 2\t3' n='-4' i='7' b='true' w='red' s=' x '/>", "f.xml");
  const XmlElement a = document.root();
  EXPECT_EQ(a.vec3("v"), Vec3(1, 2, 3));
  EXPECT_EQ(a.number("n"), -4.0);
  EXPECT_EQ(a.number("absent", 5.0), 5.0);
  EXPECT_EQ(a.integer("i"), 7);
  EXPECT_TRUE(a.boolean("b"));
  EXPECT_EQ(a.choice("w", {"green", "red"}), 1);
  EXPECT_EQ(a.string("s"), " x ");
  EXPECT_EQ(a.numbers("v", 1, 4), (std::vector<double>{1, 2, 3}));
}

TEST(Xml, AWrongValueNamesFileLineElementAndAttribute) {
  const XmlDocument document =
      parse_xml("<a>\n<joint v='1 2' n='nan' i='1.5' b='yes' w='greem'/></a>", "f.xml");
  const XmlElement joint = document.root().required_child("joint");
  EXPECT_EQ(error_of([&] { joint.vec3("v"); }),
            "f.xml:2: element <joint>: attribute 'v': 3 numbers expected, 2 found in '1 2'");
  EXPECT_EQ(error_of([&] { joint.number("n"); }),
            "f.xml:2: element <joint>: attribute 'n': 'nan' is not a finite number");
  EXPECT_EQ(error_of([&] { joint.integer("i"); }),
            "f.xml:2: element <joint>: attribute 'i': '1.5' is not a whole number");
  EXPECT_EQ(error_of([&] { joint.boolean("b"); }),
            "f.xml:2: element <joint>: attribute 'b': 'yes' is neither 'true' nor 'false'");
  EXPECT_EQ(error_of([&] {
              joint.choice("w", {"green", "red"});
            }),
            "f.xml:2: element <joint>: attribute 'w': 'greem' is not known; did you mean 'green'? (there are "
            "green, red)");
  EXPECT_EQ(error_of([&] { joint.number("absent"); }),
            "f.xml:2: element <joint>: attribute 'absent' is required");
}

TEST(Xml, AChildThatIsMissingOrDoubledIsAnError) {
  const XmlDocument document = parse_xml("<a>\n<b/>\n<b/></a>", "f.xml");
  EXPECT_EQ(error_of([&] { document.root().child("b"); }),
            "f.xml:3: element <b>: a <a> has only one, and another stands in line 2");
  EXPECT_EQ(error_of([&] { document.root().required_child("c"); }),
            "f.xml:1: element <a>: a child <c> is required");
  EXPECT_EQ(document.root().children("b").size(), 2u);
}

TEST(Xml, WhatIsNotWellFormedIsRefusedWithItsLine) {
  EXPECT_NE(parse_error("<a>\n<b>\n</a>").find("f.xml:3: "), std::string::npos);
  EXPECT_NE(parse_error("<a>\n<b").find("f.xml:2: "), std::string::npos);
  EXPECT_NE(parse_error("<a x=1/>").find("not well-formed"), std::string::npos);
  EXPECT_NE(parse_error("<a x='1' x='2'/>").find("attribute 'x' is given twice"), std::string::npos);
  EXPECT_NE(parse_error("<a/>\n<b/>").find("f.xml:2: a second root element <b>"), std::string::npos);
  EXPECT_NE(parse_error("<a/> text").find("text outside the root element"), std::string::npos);
  EXPECT_NE(parse_error("").find("f.xml:1: "), std::string::npos);
  EXPECT_NE(parse_error("<!-- nothing -->").find("there is no root element"), std::string::npos);
}

TEST(Xml, EntitiesAndDocumentTypesAreRefused) {
  const std::string bomb = "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;'>]>\n<a>&c;</a>";
  EXPECT_NE(parse_error(bomb).find("f.xml:1: a document type declaration"), std::string::npos);
  EXPECT_NE(parse_error("<a>\n&c;</a>").find("f.xml:2: '&c' is not a character"), std::string::npos);
  EXPECT_NE(parse_error("<a x='R&D'/>").find("'&D'"), std::string::npos);
  EXPECT_NE(parse_error("<a x='&#0;'/>").find("'&#0'"), std::string::npos);
}

// Nobody reads them.
TEST(Xml, CommentsMayHaveAnyEncoding) {
  const XmlDocument document = parse_xml("<a>\n<!-- \xe9 \x01 \xff -->\n<b c='1'/><!--\xe9--></a>", "f.xml");
  EXPECT_EQ(document.root().children().size(), 1u);
  EXPECT_EQ(document.root().children()[0].place().line, 3);
  EXPECT_NE(parse_error("<a><!-- \xe9 -->\n \xe9</a>").find("f.xml:2: column 2: byte 0xe9 is not UTF-8"),
            std::string::npos);
  EXPECT_NE(parse_error("<a><!-- \xe9").find("not well-formed"), std::string::npos);
}

TEST(Xml, OnlyUtf8IsRead) {
  EXPECT_EQ(parse_xml("<a x='\xc3\xa9\xe2\x82\xac\xf0\x9f\xa4\x96'/>", "f.xml").root().string("x").size(),
            9u);
  EXPECT_NE(parse_error("<a>\n \xe9</a>").find("f.xml:2: column 2: byte 0xe9 is not UTF-8"),
            std::string::npos);
  EXPECT_NE(parse_error(std::string_view("<a>\0</a>", 8)).find("byte 0x00"), std::string::npos);
  EXPECT_NE(parse_error("<a x='\xed\xa0\x80'/>").find("byte 0xed"),
            std::string::npos);                                                 // half a surrogate pair
  EXPECT_NE(parse_error("\xff\xfe<\0a").find("byte 0xff"), std::string::npos);  // UTF-16
}

TEST(Xml, AMillionNestedElementsAreAnErrorAndNotACrash) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "<a>";
  EXPECT_NE(parse_error(text).find("not well-formed"), std::string::npos);
  for (int i = 0; i < 1'000'000; ++i) text += "</a>";
  EXPECT_EQ(parse_error(text), "f.xml:1: elements are nested more than 1000 deep");
}

TEST(Xml, AFileLargerThanTheLimitIsRefused) {
  EXPECT_EQ(parse_error("<aaaa/>", {.max_bytes = 6}), "f.xml:1: 7 bytes are more than the 6 allowed");
}

TEST(Xml, AFileThatIsNotThereIsAnErrorWithItsName) {
  EXPECT_NE(error_of([] { read_xml_file("no/such/file.xml"); }).find("no/such/file.xml"), std::string::npos);
  EXPECT_NE(error_of([] {
              read_xml_file(std::filesystem::temp_directory_path());
            }).find(std::filesystem::temp_directory_path().string()),
            std::string::npos);
}

const XmlSchema& small_schema() {
  static const XmlSchema schema = {{"robot", "name", "link joint gazebo=any drake:x=link"},
                                   {"link", "name", ""},
                                   {"joint", "axis type", "link=joint"},
                                   {"any", "*", "*"}};
  return schema;
}

std::string schema_error(const std::string& text) {
  return error_of([&] { check_schema(parse_xml(text, "f.xml").root(), small_schema(), "robot"); });
}

TEST(XmlSchema, WhatTheFormatKnowsPasses) {
  EXPECT_EQ(schema_error(
                "<robot name='r' xmlns:q='u'><gazebo any='1'><thing/></gazebo><joint><link type='t'/></joint>"
                "<q:extra z='1'><w/></q:extra><drake:x name=''/></robot>"),
            "no error");
}

TEST(XmlSchema, WhatTheFormatDoesNotKnowIsAnErrorWithASuggestion) {
  EXPECT_EQ(schema_error("<robot>\n<joint axs='1'/></robot>"),
            "f.xml:2: element <joint>: attribute 'axs' is not known; did you mean 'axis'?");
  EXPECT_EQ(schema_error("<robot>\n\n<lnk/></robot>"),
            "f.xml:3: element <robot>: child <lnk> is not known; did you mean 'link'?");
  EXPECT_EQ(schema_error("<robot><drake:y/></robot>"),
            "f.xml:1: element <robot>: child <drake:y> is not known; did you mean 'drake:x'?");
}

TEST(XmlReport, EveryElementAndAttributeAppearsOnce) {
  const XmlDocument document = parse_xml("<a x='1'>\n<b y='2' z='3'/><c/></a>", "f.xml");
  CompatibilityReport report;
  document.report(&report);
  std::vector<std::string> seen;
  for (const CompatibilityEntry& entry : report.entries)
    seen.push_back(entry.element + "." + entry.attribute + ":" + std::to_string(entry.line));
  EXPECT_EQ(seen, (std::vector<std::string>{"a.:1", "a.x:1", "b.:2", "b.y:2", "b.z:2", "c.:2"}));
}

TEST(XmlReport, ReadingHonoursAndTheLastWordCounts) {
  const XmlDocument document = parse_xml("<a x='1' y='2' z='3'><b w='4'/><c/></a>", "f.xml");
  const XmlElement a = document.root();
  a.number("x");
  a.number("y");
  a.approximate("y", "rounded");
  a.required_child("b").ignore_all("not simulated");
  CompatibilityReport report;
  document.report(&report);
  EXPECT_EQ(report.entries[0].status, Compatibility::honoured);      // <a>
  EXPECT_EQ(report.entries[1].status, Compatibility::honoured);      // x
  EXPECT_EQ(report.entries[2].status, Compatibility::approximated);  // y
  EXPECT_EQ(report.entries[2].why, "rounded");
  EXPECT_EQ(report.entries[3].status, Compatibility::ignored);  // z
  EXPECT_EQ(report.entries[3].why, "not read");
  EXPECT_EQ(report.entries[4].why, "not simulated");  // <b>
  EXPECT_EQ(report.entries[5].why, "not simulated");  // w
  EXPECT_EQ(report.entries[6].why, "not read");       // <c>
}

}  // namespace
}  // namespace stiction
