#include "stiction/io/urdf/robot.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/principal_axes.h"
#include "stiction/math/physical_inertia.h"

namespace stiction {
namespace {

constexpr const char* kNothingToSimulate = "belongs to another program; nothing of it is simulated";
constexpr const char* kNoForceElement = "force elements and constraints of Drake are not built";

Inertia read_inertia(const XmlElement& link, const UrdfCompiler& compiler) {
  const std::optional<XmlElement> inertial = link.child("inertial");
  if (!inertial) return {};
  const Pose X_LI = read_urdf_origin(*inertial);
  const XmlElement mass = inertial->required_child("mass");
  const XmlElement moments = inertial->required_child("inertia");
  Mat3 I = Mat3::Zero();
  I(0, 0) = moments.number("ixx");
  I(1, 1) = moments.number("iyy");
  I(2, 2) = moments.number("izz");
  I(0, 1) = I(1, 0) = moments.number("ixy", 0.0);
  I(0, 2) = I(2, 0) = moments.number("ixz", 0.0);
  I(1, 2) = I(2, 1) = moments.number("iyz", 0.0);
  Inertia inertia = {mass.number("value"), X_LI.p, X_LI.R * I * X_LI.R.transpose()};
  if (inertia.mass < 0.0) mass.fail("value", format("a mass of {} kg is negative", inertia.mass));
  const std::string defect = inertia_defect(inertia);
  if (defect.empty()) return inertia;
  if (!violates_triangle_inequality(inertia))
    moments.fail(format("link '{}' {}", link.string("name"), defect));
  if (!compiler.balance_inertia) return inertia;
  moments.approximate("violates the triangle inequality; all moments are set to their mean, as asked");
  return balanced_inertia(inertia);
}

UrdfLink read_link(const XmlElement& element, const UrdfCompiler& compiler) {
  UrdfLink link{element, element.string("name")};
  if (link.name.empty()) element.fail("name", "is empty");
  if (element.has("type")) element.ignore("type", "has no meaning in URDF");
  link.inertia = read_inertia(element, compiler);
  if (!element.child("inertial")) element.approximate("without <inertial>: a link without mass");
  read_urdf_parts(element, &link);
  for (const char* tag : {"gazebo", "sensor"})
    for (const XmlElement& other : element.children(tag)) other.ignore_all(kNothingToSimulate);
  return link;
}

UrdfFrame read_frame(const XmlElement& element) {
  const Vec3 rpy = element.vec3("rpy", Vec3::Zero());
  return {element,
          element.string("name"),
          element.string("link"),
          {rotation_from_roll_pitch_yaw(rpy.x(), rpy.y(), rpy.z()), element.vec3("xyz", Vec3::Zero())}};
}

// <mujoco><compiler boundmass, boundinertia, settotalmass>.
void set_masses(const UrdfCompiler& compiler, std::vector<UrdfLink>* links) {
  double total = 0.0;
  for (UrdfLink& link : *links) {
    if (link.name == "world") continue;
    link.inertia.mass = std::max(link.inertia.mass, compiler.bound_mass);
    if (compiler.bound_inertia > 0.0) {
      const MjcfPrincipalAxes axes = mjcf_principal_axes(link.inertia.I_com);
      const Vec3 moments = axes.moments.cwiseMax(compiler.bound_inertia);
      link.inertia.I_com = axes.R * moments.asDiagonal() * axes.R.transpose();
    }
    total += link.inertia.mass;
  }
  if (compiler.total_mass <= 0.0 || total <= 0.0) return;
  for (UrdfLink& link : *links) {
    link.inertia.mass *= compiler.total_mass / total;
    link.inertia.I_com *= compiler.total_mass / total;
  }
}

// A material that is defined once may be named anywhere in the file.
void collect_materials(const XmlElement& robot, UrdfRobot* out) {
  std::vector<XmlElement> materials = robot.children("material");
  for (const XmlElement& link : robot.children("link"))
    for (const char* tag : {"visual", "collision"})
      for (const XmlElement& part : link.children(tag))
        for (const XmlElement& material : part.children("material")) materials.push_back(material);
  for (const XmlElement& element : materials) {
    if (!element.children().empty()) {
      const Material material = read_urdf_material(element);
      out->materials.emplace(material.name, material);
    }
  }
  for (const XmlElement& element : materials) {
    if (element.children().empty() && out->materials.count(element.string("name", "")) == 0)
      element.ignore("no material of this name is defined");
  }
}

}  // namespace

Pose read_urdf_origin(const XmlElement& parent) {
  const std::optional<XmlElement> origin = parent.child("origin");
  if (!origin) return {};
  Pose X = translation(origin->vec3("xyz", Vec3::Zero()));
  if (origin->has("quat_xyzw")) {
    if (origin->has("rpy")) origin->fail("quat_xyzw", "stands beside 'rpy', and only one of them may");
    const std::vector<double> q = origin->numbers("quat_xyzw", 4, 4);
    const Vec4 quaternion(q[3], q[0], q[1], q[2]);
    if (!(quaternion.norm() > 1e-9)) origin->fail("quat_xyzw", "is a quaternion of length zero");
    X.R = rotation_from_quaternion(quaternion);
  } else {
    const Vec3 rpy = origin->vec3("rpy", Vec3::Zero());
    X.R = rotation_from_roll_pitch_yaw(rpy.x(), rpy.y(), rpy.z());
  }
  return X;
}

UrdfRobot read_urdf_robot(const XmlElement& root) {
  UrdfRobot robot{root.string("name")};
  if (root.has("version")) root.honour("version");
  for (const std::string& name : root.attribute_names())
    if (name.rfind("xmlns", 0) == 0) root.honour(name);
  robot.compiler = read_urdf_mujoco(root);
  collect_materials(root, &robot);
  for (const XmlElement& child : root.children()) {
    const std::string_view tag = child.name();
    if (tag == "link")
      robot.links.push_back(read_link(child, robot.compiler));
    else if (tag == "joint" || tag == "drake:joint")
      robot.joints.push_back(read_urdf_joint(child));
    else if (tag == "transmission")
      robot.transmissions.push_back(read_urdf_transmission(child));
    else if (tag == "frame")
      robot.frames.push_back(read_frame(child));
    else if (tag == "drake:collision_filter_group")
      robot.filter_groups.push_back(read_urdf_filter_group(child));
    else if (tag.rfind("drake:", 0) == 0)
      child.ignore_all(kNoForceElement);
    else if (tag != "mujoco" && tag != "material")
      child.ignore_all(kNothingToSimulate);
  }
  set_masses(robot.compiler, &robot.links);
  return robot;
}

}  // namespace stiction
