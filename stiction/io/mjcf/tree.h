#pragma once
// An MJCF file as a tree that can be rewritten: included files stand in their places, every element has been
// checked against the schema, and elements may be copied and renamed (`replicate`, `attach`). Each element
// and attribute still knows the place in the file that it comes from.

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/io/mjcf/mjcf.h"
#include "stiction/io/xml/xml.h"

namespace stiction {

struct MjcfContext;

struct MjcfAttribute {
  std::string name;
  XmlElement source;                                  // the element of the file that has it
  std::optional<std::string> renamed = std::nullopt;  // its text, where it is not what the file says

  std::string value() const;  // marks it as read
};

struct MjcfElement {
  std::string tag;
  XmlElement source;
  std::vector<MjcfAttribute> attributes;
  std::vector<MjcfElement> children;
  std::shared_ptr<const MjcfContext> context = nullptr;  // of the model that it was written in
  // Of an included file that it was written in, from the main file.
  std::filesystem::path include_folder = {};
  int attachment = -1;  // the attached model that this frame holds, or that this actuator comes from

  const MjcfAttribute* find(std::string_view attribute) const;
  MjcfAttribute* find(std::string_view attribute);
  std::string value(std::string_view attribute) const;  // empty if there is none
};

// The path that a file of a model names: a backslash separates folders too, as in files written on Windows.
std::filesystem::path mjcf_path(std::string file);

// The files of one model: they live as long as this, and the report is made of them.
class MjcfFiles {
 public:
  explicit MjcfFiles(const MjcfOptions& options) : options_(options) {}

  // The tree of a file, or of a text. Throws UserError for what the schema does not know.
  MjcfElement read(const std::filesystem::path& file);
  MjcfElement parse(std::string_view text, const std::filesystem::path& file);

  // Counts elements of a tree, or of copies of it before they are made, towards MjcfOptions::max_elements.
  void count(const MjcfElement& element, int copies = 1);
  void report(CompatibilityReport* report) const;
  const MjcfOptions& options() const { return options_; }

 private:
  struct Place;
  MjcfElement tree_of(XmlDocument document, const std::filesystem::path& file);
  MjcfElement copy(const XmlElement& element, const Place& place);
  void copy_children(const XmlElement& element, const Place& place, MjcfElement* into);
  void include(const XmlElement& element, const Place& place, MjcfElement* into);

  const MjcfOptions& options_;
  std::vector<XmlDocument> documents_;
  std::set<std::filesystem::path> included_;
  long long num_elements_ = 0;
};

}  // namespace stiction
