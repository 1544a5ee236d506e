#pragma once
// XML files as the loaders read them: every element and attribute knows its file, line and column, numbers
// are read strictly, and what a loader has read is remembered for the compatibility report.
//
//   XmlDocument document = read_xml_file("robot.urdf");
//   check_schema(document.root(), schema, "robot");          // what the format does not know throws
//   for (XmlElement joint : document.root().children("joint")) {
//     double damping = joint.number("damping", 0.0);          // marks the attribute as honoured
//     if (joint.has("friction")) joint.ignore("friction", "dry friction does not act yet");
//   }
//   document.report(&report);                               // one entry for every element and attribute
//
// Every error is a UserError that reads `FILE:LINE: element <joint>: attribute 'axs' is not known; did you
// mean 'axis'?`. Document type declarations, and with them user-defined entities, are refused: no robot needs
// them, and they can expand a small file to any size.

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stiction/io/compatibility_report.h"
#include "stiction/math/matrix.h"

namespace stiction {

// Where something is written; lines and columns count from 1.
struct XmlPlace {
  std::string file;
  int line = 1;
  int column = 1;
};

struct XmlLimits {
  std::size_t max_bytes = std::size_t(64) << 20;
  std::size_t max_items = 5'000'000;  // elements and attributes
  int max_depth = 1000;               // nested elements; low enough for a loader to recurse over them
};

// A handle on one element; cheap to copy, valid as long as its document.
//
// Asking for something by name marks it as honoured, unless it has been marked before; `approximate` and
// `ignore` always replace the mark.
class XmlElement {
 public:
  std::string_view name() const;
  std::string_view text() const;  // character data directly inside, without white space at both ends
  XmlPlace place() const;
  XmlPlace place(std::string_view attribute) const;
  const std::string& file() const;

  // Child elements in the order of the file. `children()` marks nothing, the others what they return.
  std::vector<XmlElement> children() const;
  std::vector<XmlElement> children(std::string_view tag) const;
  std::optional<XmlElement> child(std::string_view tag) const;  // throws if there are several
  XmlElement required_child(std::string_view tag) const;

  // Attributes. Without a fallback the attribute is required.
  std::vector<std::string> attribute_names() const;
  bool has(std::string_view attribute) const;  // marks nothing
  // Those whose value is white space alone, or nothing; marks nothing.
  std::vector<std::string> blank_attributes() const;
  std::string string(std::string_view attribute) const;
  std::string string(std::string_view attribute, std::string_view fallback) const;
  double number(std::string_view attribute) const;
  double number(std::string_view attribute, double fallback) const;
  int integer(std::string_view attribute) const;
  int integer(std::string_view attribute, int fallback) const;
  bool boolean(std::string_view attribute) const;  // true, false, 1 or 0
  bool boolean(std::string_view attribute, bool fallback) const;
  Vec3 vec3(std::string_view attribute) const;
  Vec3 vec3(std::string_view attribute, const Vec3& fallback) const;
  // As many finite numbers as there are, at least `min_count` and at most `max_count`.
  std::vector<double> numbers(std::string_view attribute, int min_count, int max_count) const;
  // The position of the attribute's value in the list; an unlisted word throws and suggests the closest.
  int choice(std::string_view attribute, const std::vector<std::string>& words) const;

  // What the report says, with the reason. The last call counts.
  void honour() const;
  void honour(std::string_view attribute) const;
  void approximate(std::string_view why) const;
  void approximate(std::string_view attribute, std::string_view why) const;
  void ignore(std::string_view why) const;
  void ignore(std::string_view attribute, std::string_view why) const;
  // The element, its attributes and everything below it.
  void ignore_all(std::string_view why) const;
  // The reason in the report for what nobody will have read of these.
  void explain_unread(std::string_view why) const;

  // Throws `FILE:LINE: element <tag>: message`, with the line of the element or of the attribute.
  [[noreturn]] void fail(std::string_view message) const;
  [[noreturn]] void fail(std::string_view attribute, std::string_view message) const;

  friend bool operator==(const XmlElement& a, const XmlElement& b) {
    return a.data_ == b.data_ && a.index_ == b.index_;
  }

 private:
  friend class XmlDocument;
  friend class XmlTreeReader;
  struct Data;  // the document's
  struct Attribute;
  struct Node;
  XmlElement(Data* data, int index) : data_(data), index_(index) {}
  const Node& node() const;
  Attribute* find(std::string_view attribute) const;
  const Attribute& read(std::string_view attribute) const;

  Data* data_;
  int index_;
};

class XmlDocument {
 public:
  XmlDocument(XmlDocument&&) noexcept;
  XmlDocument& operator=(XmlDocument&&) noexcept;
  ~XmlDocument();

  XmlElement root() const;
  const std::string& file() const;
  // Appends one entry for every element and attribute in the order of the file. What no loader has marked is
  // ignored, "not read".
  void report(CompatibilityReport* report) const;

 private:
  friend XmlDocument parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits);
  XmlDocument();
  std::unique_ptr<XmlElement::Data> data_;
};

// Parses a text; `file` is the name that errors and reports give it.
XmlDocument parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits = {});
XmlDocument read_xml_file(const std::filesystem::path& file, const XmlLimits& limits = {});

// What a format knows, one row for each type of element; words are separated by spaces.
//
//   const XmlSchema schema = {{"robot", "name version", "link joint gazebo=any"},
//                             {"joint", "name type", "axis limit"}, ..., {"any", "*", "*"}};
//
// A child is `tag`, whose type has the same name, or `tag=type`. `*` allows any attribute, or any child and
// everything below it. Names with a prefix (`ns:name`, `xmlns:ns`) are allowed everywhere, unless the schema
// itself lists names of that prefix.
class XmlSchema {
 public:
  struct Row {
    const char* type;
    const char* attributes;
    const char* children;
  };
  struct Type {
    std::vector<std::string> attributes;
    std::vector<std::string> tags;   // of the children
    std::vector<std::string> types;  // one for each tag
    bool any_attribute = false;
    bool any_child = false;
  };

  XmlSchema(std::initializer_list<Row> rows);
  const Type& type(const std::string& name) const;
  bool is_foreign(std::string_view name) const;  // has a prefix that the schema does not list

 private:
  std::unordered_map<std::string, Type> types_;
  std::vector<std::string> prefixes_;
};

// Throws for the first element or attribute below `element`, which is of the given type, that the schema does
// not know.
void check_schema(const XmlElement& element, const XmlSchema& schema, const std::string& type);

// One finite number and nothing else but white space around it, or nothing.
std::optional<double> parse_number(std::string_view text);

}  // namespace stiction
