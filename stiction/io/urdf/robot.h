#pragma once
// A URDF file as it is written: links, joints and what belongs to them, checked one by one but not yet
// assembled. Reading marks every element and attribute for the compatibility report.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/constraint/material.h"
#include "stiction/geometry/shape/shape.h"
#include "stiction/io/xml/xml.h"
#include "stiction/multibody/joint.h"
#include "stiction/simulation/model/elements.h"

namespace stiction {

struct UrdfMesh {
  std::string file_name;  // as written
  Vec3 scale = Vec3::Ones();
  bool is_declared_convex = false;
};

// A <visual> or a <collision>.
struct UrdfPart {
  XmlElement element;
  XmlElement geometry;  // <box>, <mesh>, ...
  bool is_collision = false;
  std::string name;  // may be empty
  Pose X_LS = {};    // in the link
  std::optional<Shape> shape = std::nullopt;
  std::optional<UrdfMesh> mesh = std::nullopt;  // one of the two
  std::string material = {};                    // name, may be empty
  ContactMaterial contact = {};
  double margin = 0.0;  // m, beyond its surface, where its pressure field takes part already
};

struct UrdfLink {
  XmlElement element;
  std::string name;
  Inertia inertia = {};
  std::vector<UrdfPart> parts = {};
};

struct UrdfJoint {
  XmlElement element;
  std::string parent, child;  // links
  Pose X_PC = {};             // the child in the parent at the joint's zero position
  Joint joint = {};
};

struct UrdfTransmission {
  XmlElement element;
  std::string name, joint;
  double armature = 0.0;  // kg m^2 or kg, of the rotor as seen by the joint
};

struct UrdfFrame {
  XmlElement element;
  std::string name, link;
  Pose X_LF = {};
};

struct UrdfFilterGroup {
  XmlElement element;
  std::string name;
  std::vector<std::string> links, groups, ignored_groups;
};

// The options of a <mujoco> block.
struct UrdfCompiler {
  bool balance_inertia = false;
  double bound_mass = 0.0, bound_inertia = 0.0;  // kg, kg m^2, at least
  double total_mass = 0.0;                       // kg, if positive
  bool discard_visual = false;
  std::string mesh_folder = {};
  bool strip_path = true;
  std::optional<Vec3> gravity = std::nullopt;     // m/s^2
  std::optional<double> timestep = std::nullopt;  // s
};

struct UrdfRobot {
  std::string name;
  UrdfCompiler compiler = {};
  std::vector<UrdfLink> links = {};
  std::vector<UrdfJoint> joints = {};
  std::map<std::string, Material> materials = {};
  std::vector<UrdfTransmission> transmissions = {};
  std::vector<UrdfFrame> frames = {};
  std::vector<UrdfFilterGroup> filter_groups = {};
};

// Reads everything below <robot>; throws UserError for what is wrong in itself.
UrdfRobot read_urdf_robot(const XmlElement& root);

// The parts of it, one file each.
Pose read_urdf_origin(const XmlElement& parent);              // <origin>, or identity
void read_urdf_parts(const XmlElement& link, UrdfLink* out);  // <visual>, <collision>
Material read_urdf_material(const XmlElement& material);      // name, colour, texture
UrdfJoint read_urdf_joint(const XmlElement& joint);           // <joint>, <drake:joint>
UrdfCompiler read_urdf_mujoco(const XmlElement& root);        // <mujoco>
UrdfTransmission read_urdf_transmission(const XmlElement& transmission);
UrdfFilterGroup read_urdf_filter_group(const XmlElement& group);

}  // namespace stiction
