#include "stiction/io/mjcf/tree.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/rules.h"
#include "stiction/io/mjcf/schema.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

std::string not_known(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const std::string closest = closest_name(name, known);
  const std::string hint = closest.empty() ? std::string() : format("; did you mean '{}'?", closest);
  return format("{} '{}' is not known here{}", what, name, hint);
}

// Throws for a child or an attribute that the schema does not have, and for what breaks the rules of its type.
void check(const std::string& type_name, MjcfElement* checked) {
  MjcfElement& element = *checked;
  const XmlSchema::Type& type = mjcf_schema().type(type_name);
  const auto& known = type.attributes;
  const auto is_unknown = [&](const MjcfAttribute& attribute) {
    return std::find(known.begin(), known.end(), attribute.name) == known.end();
  };
  // MuJoCo passes over what it does not know of these two.
  const bool passes_over = type_name == "frame" || type_name == "replicate";
  for (const MjcfAttribute& attribute : element.attributes) {
    if (!is_unknown(attribute)) continue;
    const std::string message = not_known("attribute", attribute.name, known);
    if (!passes_over) element.source.fail(attribute.name, message);
    element.source.ignore(attribute.name, message + "; MuJoCo passes over it");
  }
  if (passes_over) std::erase_if(element.attributes, is_unknown);
  check_rules(element, type_name);
  for (MjcfElement& child : element.children) {
    const auto tag = std::find(type.tags.begin(), type.tags.end(), child.tag);
    if (tag == type.tags.end())
      child.source.fail(not_known(format("in <{}> the element", element.tag), child.tag, type.tags));
    check(type.types[std::size_t(tag - type.tags.begin())], &child);
  }
}

// Attributes whose text is one of a few words, none of which is empty, or the name of a class.
bool is_keyword(std::string_view name) {
  for (const std::string_view one :
       {"type", "class", "childclass", "limited", "ctrllimited", "forcelimited", "actlimited",
        "actuatorfrclimited", "angle", "integrator", "cone", "jacobian", "solver", "inertiafromgeom"})
    if (name == one) return true;
  return false;
}

}  // namespace

std::string MjcfAttribute::value() const {
  const std::string written = source.string(name, "");
  return renamed ? *renamed : written;
}

const MjcfAttribute* MjcfElement::find(std::string_view attribute) const {
  for (const MjcfAttribute& candidate : attributes)
    if (candidate.name == attribute) return &candidate;
  return nullptr;
}

MjcfAttribute* MjcfElement::find(std::string_view attribute) {
  return const_cast<MjcfAttribute*>(std::as_const(*this).find(attribute));
}

std::string MjcfElement::value(std::string_view attribute) const {
  const MjcfAttribute* found = find(attribute);
  return found == nullptr ? std::string() : found->value();
}

// Where included files are looked for: first beside the main file, then beside the file that includes.
struct MjcfFiles::Place {
  std::filesystem::path main_folder, folder;
  int depth = 0;
};

std::filesystem::path mjcf_path(std::string file) {
  std::replace(file.begin(), file.end(), '\\', '/');
  return file;
}

MjcfElement MjcfFiles::read(const std::filesystem::path& file) {
  return tree_of(read_xml_file(file, options_.limits), file);
}

MjcfElement MjcfFiles::parse(std::string_view text, const std::filesystem::path& file) {
  return tree_of(parse_xml(text, file.string(), options_.limits), file);
}

MjcfElement MjcfFiles::tree_of(XmlDocument document, const std::filesystem::path& file) {
  documents_.push_back(std::move(document));
  const XmlElement root = documents_.back().root();
  if (root.name() != "mujoco") root.fail("an MJCF file has the root element <mujoco>");
  std::error_code ignored;
  included_ = {std::filesystem::weakly_canonical(file, ignored)};
  MjcfElement tree = copy(root, {file.parent_path(), file.parent_path(), 0});
  check("mujoco", &tree);
  return tree;
}

MjcfElement MjcfFiles::copy(const XmlElement& element, const Place& place) {
  if (++num_elements_ > options_.max_elements)
    element.fail(format("the model has more than {} elements", options_.max_elements));
  MjcfElement out{std::string(element.name()), element, {}, {}};
  std::vector<std::string> blank = element.blank_attributes();
  std::sort(blank.begin(), blank.end());
  for (const std::string& name : element.attribute_names()) {
    if (name == "xmlns" || name.find(':') != std::string::npos) continue;  // of other formats
    // Blank ones count as absent, as in MuJoCo.
    if (!blank.empty() && !is_keyword(name) && std::binary_search(blank.begin(), blank.end(), name)) {
      element.string(name);
      continue;
    }
    out.attributes.push_back({name, element});
  }
  if (place.depth > 0 && out.find("file") != nullptr)
    out.include_folder = place.folder.lexically_relative(place.main_folder);
  copy_children(element, place, &out);
  return out;
}

void MjcfFiles::copy_children(const XmlElement& element, const Place& place, MjcfElement* into) {
  for (const XmlElement& child : element.children()) {
    if (child.name() == "include")
      include(child, place, into);
    else
      into->children.push_back(copy(child, place));
  }
}

void MjcfFiles::include(const XmlElement& element, const Place& place, MjcfElement* into) {
  const std::filesystem::path name = mjcf_path(element.string("file"));
  element.honour();
  if (!element.children().empty()) element.children()[0].fail("an <include> has no elements inside");
  if (!options_.allow_files) element.fail("files are not allowed here");
  if (place.depth >= options_.max_include_depth)
    element.fail("file", format("includes are nested more than {} deep", options_.max_include_depth));
  std::error_code ignored;
  std::filesystem::path file = place.main_folder / name;
  if (!std::filesystem::exists(file, ignored)) file = place.folder / name;
  if (!std::filesystem::is_regular_file(file, ignored))
    element.fail("file", format("there is no file '{}'", file.string()));
  if (!included_.insert(std::filesystem::weakly_canonical(file, ignored)).second)
    element.fail("file", format("'{}' is included twice; MJCF allows once", file.string()));

  documents_.push_back(read_xml_file(file, options_.limits));
  const XmlElement root = documents_.back().root();
  root.honour();
  for (const std::string& attribute : root.attribute_names())
    root.ignore(attribute, "attributes of an included file's root do not count");
  if (root.children().empty()) element.fail("file", format("'{}' has no elements", file.string()));
  copy_children(root, {place.main_folder, file.parent_path(), place.depth + 1}, into);
}

void MjcfFiles::count(const MjcfElement& element, int copies) {
  num_elements_ += copies;
  if (num_elements_ > options_.max_elements)
    element.source.fail(format("the model grows to more than {} elements", options_.max_elements));
  for (const MjcfElement& child : element.children) count(child, copies);
}

void MjcfFiles::report(CompatibilityReport* report) const {
  for (const XmlDocument& document : documents_) document.report(report);
}

}  // namespace stiction
