#pragma once
// What a document holds behind its handles: elements and attributes in flat lists, in the order of the file.
// For xml.cpp, which reads them, and xml/parse.cpp, which fills them.

#include <string>
#include <vector>

#include "stiction/io/xml/text.h"
#include "stiction/io/xml/xml.h"

namespace stiction {

struct XmlMark {
  bool is_set = false;
  Compatibility status = Compatibility::ignored;
  std::string why = "not read";
};

struct XmlElement::Attribute {
  std::string name;
  std::string value;
  std::size_t offset = 0;
  XmlMark mark;
};

struct XmlElement::Node {
  std::string name;
  std::string text;
  std::size_t offset = 0;
  int subtree_end = 0;  // elements [index, subtree_end) are this one and all below it
  int attribute_begin = 0, attribute_end = 0;
  XmlMark mark;
};

struct XmlElement::Data {
  std::string file;
  LineTable lines;
  std::vector<Node> nodes;  // in the order of the file
  std::vector<Attribute> attributes;

  XmlPlace place(std::size_t offset) const { return {file, lines.line(offset), lines.column(offset)}; }
};

}  // namespace stiction
