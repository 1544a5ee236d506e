// MuJoCo's <mujoco> block and Drake's collision filter groups in a URDF file.

#include "stiction/base/check.h"
#include "stiction/io/urdf/robot.h"

namespace stiction {
namespace {

void read_compiler(const XmlElement& compiler, UrdfCompiler* out) {
  compiler.honour();
  for (const std::string& name : compiler.attribute_names())
    compiler.ignore(name, "is not a setting of this loader");
  const auto honoured = [&compiler](const char* name) {
    if (!compiler.has(name)) return false;
    compiler.honour(name);
    return true;
  };
  if (honoured("balanceinertia")) out->balance_inertia = compiler.boolean("balanceinertia");
  if (honoured("boundmass")) out->bound_mass = compiler.number("boundmass");
  if (honoured("boundinertia")) out->bound_inertia = compiler.number("boundinertia");
  if (honoured("settotalmass")) out->total_mass = compiler.number("settotalmass");
  if (honoured("discardvisual")) out->discard_visual = compiler.boolean("discardvisual");
  if (honoured("strippath")) out->strip_path = compiler.boolean("strippath");
  if (honoured("assetdir")) out->mesh_folder = compiler.string("assetdir");
  if (honoured("meshdir")) out->mesh_folder = compiler.string("meshdir");
  // Links on fixed joints always share a motion, and always keep their names.
  if (honoured("fusestatic")) compiler.boolean("fusestatic");
  if (compiler.has("angle")) compiler.ignore("angle", "angles of URDF are radians");
  for (const XmlElement& child : compiler.children()) child.ignore_all("is not a setting of this loader");
}

void read_option(const XmlElement& option, UrdfCompiler* out) {
  option.ignore_all("options beyond gravity and time step are not taken from a URDF");
  option.honour();
  if (option.has("gravity")) {
    out->gravity = option.vec3("gravity");
    option.honour("gravity");
  }
  if (option.has("timestep")) {
    out->timestep = option.number("timestep");
    if (!(*out->timestep > 0.0)) option.fail("timestep", "is not positive");
    option.honour("timestep");
  }
}

}  // namespace

UrdfCompiler read_urdf_mujoco(const XmlElement& root) {
  UrdfCompiler out;
  for (const XmlElement& block : root.children("mujoco")) {
    block.ignore_all("this part of MuJoCo's block is not read");
    block.honour();
    for (const XmlElement& compiler : block.children("compiler")) read_compiler(compiler, &out);
    for (const XmlElement& option : block.children("option")) read_option(option, &out);
  }
  return out;
}

UrdfFilterGroup read_urdf_filter_group(const XmlElement& element) {
  UrdfFilterGroup group{element, element.string("name"), {}, {}, {}};
  const bool is_off = element.boolean("ignore", false);
  for (const XmlElement& member : element.children("drake:member"))
    group.links.push_back(member.string("link"));
  for (const XmlElement& member : element.children("drake:member_group"))
    group.groups.push_back(member.string("name"));
  for (const XmlElement& ignored : element.children("drake:ignored_collision_filter_group"))
    group.ignored_groups.push_back(ignored.string("name"));
  if (is_off) {
    element.ignore_all("the file asks to ignore this group");
    return {element, group.name, {}, {}, {}};
  }
  return group;
}

}  // namespace stiction
