#include "stiction/io/mjcf/names.h"

#include <map>

namespace stiction {
namespace {

// Attributes that name something else.
const std::map<std::string, std::string>& reference_kinds() {
  static const std::map<std::string, std::string> kinds = {
      {"joint", "joint"},    {"joint1", "joint"},    {"joint2", "joint"},    {"jointinparent", "joint"},
      {"site", "site"},      {"site1", "site"},      {"site2", "site"},      {"refsite", "site"},
      {"cranksite", "site"}, {"slidersite", "site"}, {"sidesite", "site"},   {"body", "body"},
      {"body1", "body"},     {"body2", "body"},      {"subtree1", "body"},   {"subtree2", "body"},
      {"target", "body"},    {"geom", "geom"},       {"geom1", "geom"},      {"geom2", "geom"},
      {"tendon", "tendon"},  {"tendon1", "tendon"},  {"tendon2", "tendon"},  {"actuator", "actuator"},
      {"camera", "camera"},  {"objname", "objtype"}, {"refname", "reftype"},
  };
  return kinds;
}

}  // namespace

std::string kind_of(const MjcfElement& element, const std::string& section) {
  if (section == "worldbody") return element.tag == "freejoint" ? "joint" : element.tag;
  if (section == "contact") return element.tag;  // pairs and excludes have names of their own
  return section;
}

void collect_names(const MjcfElement& element, const std::string& section, MjcfNames* names) {
  if (element.find("name") != nullptr) names->insert({kind_of(element, section), element.value("name")});
  for (const MjcfElement& child : element.children) collect_names(child, section, names);
}

void for_each_reference(MjcfElement* element,
                        const std::function<void(const std::string& kind, MjcfAttribute*)>& visit) {
  for (MjcfAttribute& attribute : element->attributes) {
    const auto found = reference_kinds().find(attribute.name);
    if (found == reference_kinds().end()) continue;
    std::string kind = found->second;
    if (kind == "objtype" || kind == "reftype") {
      kind = element->value(kind);
      if (kind == "xbody") kind = "body";
    }
    visit(kind, &attribute);
  }
  for (MjcfElement& child : element->children) for_each_reference(&child, visit);
}

void rename(MjcfElement* element, const std::string& section,
            const std::function<std::string(const MjcfName&)>& renamed) {
  const std::function<void(MjcfElement*)> rename_names = [&](MjcfElement* item) {
    if (MjcfAttribute* name = item->find("name"))
      name->renamed = renamed({kind_of(*item, section), name->value()});
    for (MjcfElement& child : item->children) rename_names(&child);
  };
  rename_names(element);
  for_each_reference(element, [&](const std::string& kind, MjcfAttribute* attribute) {
    attribute->renamed = renamed({kind, attribute->value()});
  });
}

}  // namespace stiction
