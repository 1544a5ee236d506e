#include "stiction/io/mjcf/context.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

constexpr const char* kOutermost = "main";

const std::vector<std::string>& actuator_tags() {
  static const std::vector<std::string> tags = {"general",     "motor",  "position", "velocity",
                                                "intvelocity", "pid",    "damper",   "orientation",
                                                "cylinder",    "muscle", "adhesion", "dcmotor"};
  return tags;
}

void read_compiler(const MjcfElement& element, MjcfCompiler* compiler) {
  const MjcfValues values(element);
  element.source.honour();
  compiler->degrees =
      values.word("angle", compiler->degrees ? "degree" : "radian", {"radian", "degree"}) == "degree";
  compiler->eulerseq = values.string("eulerseq", compiler->eulerseq);
  if (compiler->eulerseq.size() != 3 || compiler->eulerseq.find_first_not_of("xyzXYZ") != std::string::npos)
    values.fail("eulerseq", "must be three letters of xyzXYZ");
  if (values.has("assetdir")) compiler->meshdir = compiler->texturedir = values.string("assetdir");
  compiler->meshdir = values.string("meshdir", compiler->meshdir);
  compiler->texturedir = values.string("texturedir", compiler->texturedir);
  compiler->autolimits = values.boolean("autolimits", compiler->autolimits);
  compiler->strippath = values.boolean("strippath", compiler->strippath);
  compiler->balance_inertia = values.boolean("balanceinertia", compiler->balance_inertia);
  compiler->fit_aabb = values.boolean("fitaabb", compiler->fit_aabb);
  compiler->bound_mass = values.number("boundmass", compiler->bound_mass);
  compiler->bound_inertia = values.number("boundinertia", compiler->bound_inertia);
  compiler->total_mass = values.number("settotalmass", compiler->total_mass);
  if (values.has("inertiafromgeom")) {
    const std::string word = values.word("inertiafromgeom", "auto", {"false", "true", "auto"});
    compiler->inertia_from_geom = word == "true"    ? InertiaFromGeom::always
                                  : word == "false" ? InertiaFromGeom::never
                                                    : InertiaFromGeom::automatic;
  }
  if (values.has("inertiagrouprange")) {
    const std::vector<double> groups = values.numbers("inertiagrouprange", 2, 2);
    compiler->inertia_group_min = groups[0];
    compiler->inertia_group_max = groups[1];
  }
  if (values.word("coordinate", "local", {"local", "global"}) == "global")
    values.fail("coordinate", "global coordinates are no longer part of MJCF");

  for (const char* name :
       {"usethread", "saveinertial", "savecompiled", "savecanonical", "conflict", "passthrough"})
    values.ignore(name, "about MuJoCo's compiler, not about the model");
  values.ignore("fusestatic", "bodies keep their names; fixed ones are one body in the dynamics anyway");
  values.ignore("discardvisual", "what is only visual is kept and does not touch");
  compiler->align_free = values.boolean("alignfree", compiler->align_free);
  for (const MjcfElement& child : element.children)
    child.source.ignore_all("length ranges of actuators are not computed");
}

// What an element of a default class says, over what its class has so far; orientations exclude each other,
// and shorter lists of numbers keep the rest.
void set_default(const MjcfElement& element, MjcfClass* into) {
  element.source.honour();
  const auto is_actuator = std::find(actuator_tags().begin(), actuator_tags().end(), element.tag);
  if (is_actuator != actuator_tags().end()) {
    into->actuators.push_back(element);
    into->actuators.back().context.reset();  // which owns it
    return;
  }
  std::vector<MjcfAttribute>& attributes = into->attributes[element.tag];
  attributes = MjcfValues(element, attributes).attributes();
  for (const MjcfElement& child : element.children)
    child.source.ignore_all("layers of materials are not shown");
}

void read_class(const MjcfElement& element, const std::string& parent, MjcfContext* context) {
  if (parent.empty())
    element.source.explain_unread("no element of the model takes this value from its class");
  element.source.honour();
  std::string name = element.value("class");
  const bool is_outermost = parent.empty();
  if (is_outermost) {
    if (!name.empty() && name != kOutermost)
      element.source.fail("class", "the outermost default class is called 'main'");
    name = kOutermost;
  } else {
    if (name.empty()) element.source.fail("a default class inside another one needs the attribute 'class'");
    if (context->classes.count(name) > 0)
      element.source.fail("class", format("there is already a default class '{}'", name));
    MjcfClass inherited = context->classes.at(parent);
    inherited.name = name;
    context->classes[name] = std::move(inherited);
  }
  // A class's own elements come before the classes inside it, wherever they stand.
  for (const MjcfElement& child : element.children)
    if (child.tag != "default") set_default(child, &context->classes.at(name));
  for (const MjcfElement& child : element.children)
    if (child.tag == "default") read_class(child, name, context);
}

void set_context(const std::shared_ptr<const MjcfContext>& context, MjcfElement* element) {
  element->context = context;
  for (MjcfElement& child : element->children) set_context(context, &child);
}

}  // namespace

const MjcfClass& MjcfContext::find_class(const std::string& name, const MjcfElement& asked_by) const {
  const auto found = classes.find(name.empty() ? kOutermost : name);
  if (found != classes.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : classes) names.push_back(entry.first);
  asked_by.source.fail(unknown_name_message("default class", name, names));
}

std::shared_ptr<MjcfContext> make_context(MjcfElement* tree, const std::filesystem::path& file) {
  auto context = std::make_shared<MjcfContext>();
  context->folder = file.parent_path();
  set_context(context, tree);
  for (const MjcfElement& section : tree->children)
    if (section.tag == "compiler") read_compiler(section, &context->compiler);
  context->classes[kOutermost].name = kOutermost;
  for (const MjcfElement& section : tree->children)
    if (section.tag == "default") read_class(section, "", context.get());
  return context;
}

MjcfValues with_class(const MjcfElement& element, const std::string& childclass, const std::string& kind) {
  std::string name = element.value("class");
  if (name.empty()) name = childclass;
  const MjcfClass& found = element.context->find_class(name, element);
  const auto attributes = found.attributes.find(kind.empty() ? element.tag : kind);
  return attributes == found.attributes.end() ? MjcfValues(element) : MjcfValues(element, attributes->second);
}

}  // namespace stiction
