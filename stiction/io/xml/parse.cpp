#include <algorithm>
#include <cstdint>
#include <cstring>

#include <pugixml.hpp>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/xml/data.h"

namespace stiction {

// Turns the parser's tree into the document's flat one, and checks what the parser lets pass.
class XmlTreeReader {
 public:
  XmlTreeReader(std::string_view text, const XmlLimits& limits, XmlElement::Data* data)
      : text_(text), limits_(limits), data_(data) {}

  void read(const pugi::xml_document& parsed) {
    // The parser's tree is walked without recursion: a file may nest more deeply than a stack allows.
    pugi::xml_node at = parsed.first_child();
    while (at) {
      visit(at);
      if (at.type() == pugi::node_element && at.first_child()) {
        at = at.first_child();
        continue;
      }
      if (at.type() == pugi::node_element) close_element();
      while (at && !at.next_sibling()) {
        at = at.parent();
        if (at && at.type() == pugi::node_element) close_element();
      }
      if (at) at = at.next_sibling();
    }
    if (data_->nodes.empty()) fail(text_.size(), "there is no root element");
  }

 private:
  void visit(const pugi::xml_node& at) {
    switch (at.type()) {
      case pugi::node_element:
        return open_element(at);
      case pugi::node_pcdata:
      case pugi::node_cdata:
        return add_text(at);
      case pugi::node_doctype:
        fail(std::size_t(at.offset_debug()), "a document type declaration (<!DOCTYPE>) is not allowed");
      default:
        return;
    }
  }

  void open_element(const pugi::xml_node& at) {
    const std::size_t offset = std::size_t(at.offset_debug());
    if (open_.empty() && !data_->nodes.empty())
      fail(offset, format("a second root element <{}> after <{}>", at.name(), data_->nodes[0].name));
    if (int(open_.size()) >= limits_.max_depth)
      fail(offset, format("elements are nested more than {} deep", limits_.max_depth));
    if (data_->nodes.size() + data_->attributes.size() >= limits_.max_items)
      fail(offset, format("there are more than {} elements and attributes", limits_.max_items));
    open_.push_back(int(data_->nodes.size()));
    XmlElement::Node node;
    node.name = checked_name(at.name(), offset);
    node.offset = offset;
    node.attribute_begin = int(data_->attributes.size());
    add_attributes(at, offset + node.name.size());
    node.attribute_end = int(data_->attributes.size());
    data_->nodes.push_back(std::move(node));
  }

  // Errors and reports repeat names.
  const char* checked_name(const char* name, std::size_t offset) {
    constexpr std::size_t kLongestName = 256;
    if (std::strlen(name) > kLongestName)
      fail(offset, format("the name {} has more than {} characters", shown(name), kLongestName));
    return name;
  }

  void close_element() {
    XmlElement::Node& node = data_->nodes[open_.back()];
    node.subtree_end = int(data_->nodes.size());
    node.text = std::string(trimmed(node.text));
    open_.pop_back();
  }

  // The parser has found the attributes well-formed, so that their places follow from the quotes.
  void add_attributes(const pugi::xml_node& at, std::size_t i) {
    std::vector<std::string_view> names;
    for (const pugi::xml_attribute& attribute : at.attributes()) {
      while (i < text_.size() && is_space(text_[i])) ++i;
      const std::string_view name = checked_name(attribute.name(), i);
      data_->attributes.push_back({std::string(name), attribute.value(), i, {}});
      const std::size_t open = text_.find_first_of("\"'", i + name.size());
      const std::size_t close = text_.find(text_[open], open + 1);
      check_references(open + 1, close);
      names.push_back(name);
      i = close + 1;
    }
    std::sort(names.begin(), names.end());
    const auto twin = std::adjacent_find(names.begin(), names.end());
    if (twin != names.end())
      fail(data_->attributes.back().offset,
           format("element <{}>: attribute '{}' is given twice", at.name(), *twin));
  }

  void add_text(const pugi::xml_node& at) {
    const std::size_t offset = std::size_t(at.offset_debug());
    if (open_.empty()) {
      if (trimmed(at.value()).empty()) return;
      fail(offset, format("text outside the root element: {}", shown(trimmed(at.value()))));
    }
    if (at.type() == pugi::node_pcdata)
      check_references(offset, std::min(text_.find('<', offset), text_.size()));
    data_->nodes[open_.back()].text += at.value();
  }

  void check_references(std::size_t begin, std::size_t end) {
    const std::size_t bad = find_bad_reference(text_.substr(0, end), begin);
    if (bad == std::string_view::npos) return;
    const std::size_t semicolon = text_.find(';', bad);
    const std::string_view name = text_.substr(bad, std::min(semicolon, end) - bad);
    fail(bad, format("{} is not a character that XML knows; write '&amp;' for an '&'", shown(name)));
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& message) {
    throw_user_error(format("{}:{}: {}", data_->file, data_->lines.line(offset), message));
  }

  std::string_view text_;
  XmlLimits limits_;
  XmlElement::Data* data_;
  std::vector<int> open_;
};

XmlDocument parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits) {
  STICTION_USER_CHECK(text.size() <= limits.max_bytes, "{}:1: {} bytes are more than the {} allowed", file,
                      text.size(), limits.max_bytes);
  XmlDocument document;
  document.data_->file = file;
  document.data_->lines = LineTable(text);
  const LineTable& lines = document.data_->lines;
  // A byte order mark would shift the parser's offsets.
  const std::size_t mark = text.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0;
  std::string padded(text);
  std::fill_n(padded.begin(), mark, ' ');
  std::size_t bad = find_bad_utf8(padded);
  if (bad != std::string::npos) {
    clean_comments(&padded);
    bad = find_bad_utf8(padded);
  }
  STICTION_USER_CHECK(bad == std::string_view::npos,
                      "{}:{}: column {}: byte {:#04x} is not UTF-8 text, the only encoding that is read",
                      file, lines.line(bad), lines.column(bad), int(std::uint8_t(text[bad])));

  pugi::xml_document parsed;
  constexpr unsigned kOptions = pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment;
  const pugi::xml_parse_result result =
      parsed.load_buffer(padded.data(), padded.size(), kOptions, pugi::encoding_utf8);
  STICTION_USER_CHECK(result, "{}:{}: column {}: not well-formed XML: {}", file,
                      lines.line(std::size_t(result.offset)), lines.column(std::size_t(result.offset)),
                      result.description());
  XmlTreeReader(padded, limits, document.data_.get()).read(parsed);
  return document;
}

XmlDocument read_xml_file(const std::filesystem::path& file, const XmlLimits& limits) {
  return parse_xml(read_file_bytes(file), file.string(), limits);
}

}  // namespace stiction
