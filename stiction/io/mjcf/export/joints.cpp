#include <algorithm>
#include <cmath>

#include "stiction/io/mjcf/export/parts.h"
#include "stiction/io/mjcf/mujoco_order.h"

namespace stiction {
namespace {

using Kind = MjcfJointPart::Kind;

const char* word_for(Kind kind) {
  switch (kind) {
    case Kind::hinge:
      return "hinge";
    case Kind::slide:
      return "slide";
    case Kind::ball:
      return "ball";
    case Kind::free:
      return "free";
  }
  return "";
}

struct Part {
  Kind kind = Kind::hinge;
  Vec3 axis = Vec3::UnitZ();
  const char* suffix = "";  // of its name
};

// The elementary motions of a joint, in order.
std::vector<Part> parts_of(const Joint& joint) {
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return {{Kind::hinge, joint.axis, ""}};
    case JointType::prismatic:
      return {{Kind::slide, joint.axis, ""}};
    case JointType::screw:
      return {{Kind::hinge, joint.axis, ""}, {Kind::slide, joint.axis, "_slide"}};
    case JointType::universal:
      return {{Kind::hinge, joint.axis, "_1"}, {Kind::hinge, joint.axis2, "_2"}};
    case JointType::planar:
      return {{Kind::slide, joint.axis2, "_x"},
              {Kind::slide, joint.axis.cross(joint.axis2), "_y"},
              {Kind::hinge, joint.axis, "_angle"}};
    case JointType::ball:
      return {{Kind::ball, joint.axis, ""}};
    case JointType::free:
      return {{Kind::free, joint.axis, ""}};
  }
  return {};
}

// Rotors of actuators on this joint: they are in its armature and damping already, and readers add them
// again.
struct Rotors {
  double armature = 0.0, damping = 0.0;
};

Rotors rotors_of(const Joint& joint, const Elements& elements) {
  Rotors sum;
  for (const Actuator& actuator : elements.actuators) {
    if (actuator.transmission != TransmissionKind::joint || actuator.target != joint.name) continue;
    const double gear2 = actuator.gear[0] * actuator.gear[0];
    sum.armature += gear2 * actuator.armature;
    sum.damping += gear2 * actuator.damping;
  }
  return sum;
}

double without_rotors(const char* attribute, double total, double rotors, const Joint& joint,
                      MjcfExport* out) {
  if (rotors == 0.0) return total;
  constexpr double kRoundOff = 1e-12;
  const double rest = total - rotors;
  if (rest < -kRoundOff * rotors)
    out->approximate("joint", attribute, joint.name, "is less than what its actuators add to it");
  return std::abs(rest) <= kRoundOff * rotors ? 0.0 : std::max(rest, 0.0);
}

// Quaternions have one number for all their velocities.
void check_uniform(const char* attribute, const PerDof& values, const Joint& joint, MjcfExport* out) {
  const int count = num_velocities(joint.type);
  if (std::any_of(values.begin(), values.begin() + count, [&](double value) { return value != values[0]; }))
    out->approximate("joint", attribute, joint.name, "the first number is taken for all directions");
}

void check_quaternion_joint(const Body& body, const Joint& joint, const Vec3& com, MjcfExport* out) {
  check_uniform("armature", joint.armature, joint, out);
  check_uniform("damping", joint.damping, joint, out);
  check_uniform("stiffness", joint.stiffness, joint, out);
  check_uniform("frictionloss", joint.friction_loss, joint, out);
  const bool is_free = joint.type == JointType::free;
  if (is_free && com != Vec3::Zero() &&
      (joint.armature[0] != 0.0 || joint.damping[0] != 0.0 || joint.friction_loss[0] != 0.0))
    out->approximate("joint", "damping", joint.name,
                     "armature, damping and friction act on the body's origin, not on its centre of mass");

  // Springs rest where the body stands at the reference position.
  const Vec4 neutral(joint.neutral[0], joint.neutral[1], joint.neutral[2], joint.neutral[3]);
  if (joint.stiffness[0] == 0.0 || neutral.norm() == 0.0) return;
  constexpr double kRoundOff = 1e-12;
  const Mat3 R = is_free ? body.X_PB.R : Mat3(Mat3::Identity());
  const Vec3 p(joint.neutral[4], joint.neutral[5], joint.neutral[6]);
  if ((rotation_from_quaternion(neutral) - R).norm() > kRoundOff ||
      (is_free && (p - body.X_PB.p).norm() > kRoundOff))
    out->approximate("joint", "stiffness", joint.name, "the spring rests at the reference position instead");
}

void write_limits(const Joint& joint, const Part& part, int k, MjcfExport* out, MjcfNode* node) {
  if (part.kind == Kind::ball)
    set_range("range", "limited", {joint.limited, 0.0, joint.upper[0]}, joint.name, out, node);
  else if (part.kind != Kind::free && joint.type != JointType::continuous)
    set_range("range", "limited", {joint.limited, joint.lower[std::size_t(k)], joint.upper[std::size_t(k)]},
              joint.name, out, node);
  Range effort = {joint.effort_limit > 0.0, -joint.effort_limit, joint.effort_limit};
  for (const JointActuation& item : out->model.elements.joint_actuation) {
    if (item.joint != joint.name) continue;
    if (item.force.limited) effort = item.force;
    if (item.compensates_gravity) node->set("actuatorgravcomp", true);
  }
  if (part.kind == Kind::hinge || part.kind == Kind::slide)
    set_range("actuatorfrcrange", "actuatorfrclimited", effort, joint.name, out, node);
}

void write_part(const Joint& joint, const Part& part, int k, MjcfExport* out, MjcfNode* node) {
  const auto i = std::size_t(k);
  double armature = joint.armature[i], damping = joint.damping[i];
  if (num_velocities(joint.type) == 1) {
    const Rotors rotors = rotors_of(joint, out->model.elements);
    armature = without_rotors("armature", armature, rotors.armature, joint, out);
    damping = without_rotors("damping", damping, rotors.damping, joint, out);
  }
  node->set("type", word_for(part.kind));
  if (part.kind != Kind::free) node->set_unless("pos", joint.p_BJ, Vec3(Vec3::Zero()));
  if (part.kind == Kind::hinge || part.kind == Kind::slide) {
    node->set("axis", part.axis);
    if (num_velocities(joint.type) == 1) node->set_unless("ref", joint.reference, 0.0);
    node->set_unless("springref", joint.neutral[i], 0.0);
  }
  node->set_unless("armature", armature, 0.0);
  node->set_unless("damping", damping, 0.0);
  node->set_unless("stiffness", joint.stiffness[i], 0.0);
  node->set_unless("frictionloss", joint.friction_loss[i], 0.0);
  write_limits(joint, part, k, out, node);
}

// The slide of a screw follows its hinge: travel = pitch (angle - reference).
void write_screw_slide(const Joint& joint, const std::string& hinge, const std::string& slide,
                       MjcfExport* out, MjcfNode* node, MjcfNode* equality) {
  node->set("type", "slide").set("axis", joint.axis);
  equality->add("joint")
      .set("name", out->make_up("equality", slide))
      .set("joint1", slide)
      .set("joint2", hinge)
      .set("polycoef", std::array<double, 5>{0.0, joint.pitch, 0.0, 0.0, 0.0});
  out->approximate("joint", "", joint.name,
                   "a screw becomes a hinge and a slide that a soft constraint couples");
}

void check_order(const Body& body, const std::vector<Part>& parts, MjcfExport* out) {
  int velocities = 0;
  bool after_ball = false;
  for (const Part& part : parts) {
    if (after_ball && (part.kind == Kind::hinge || part.kind == Kind::ball))
      out->ignore("body", "", body.name, "MuJoCo refuses a ball that another rotation follows");
    after_ball = after_ball || part.kind == Kind::ball;
    velocities += part.kind == Kind::ball ? 3 : part.kind == Kind::free ? 6 : 1;
  }
  if (velocities > 6)
    out->ignore("body", "", body.name, "MuJoCo refuses more than six velocities of one body");
}

}  // namespace

void write_joints(int body_index, MjcfExport* out, MjcfNode* node, MjcfNode* equality) {
  const Forest& forest = out->model.forest;
  const Body& body = forest.bodies[std::size_t(body_index)];
  std::vector<Part> all;
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const Joint& joint = body.joints[j];
    const auto place = std::find_if(forest.joints.begin(), forest.joints.end(), [&](const JointIndices& p) {
      return p.body == body_index && p.index_in_body == int(j);
    });
    if (joint.type == JointType::fixed)
      out->ignore("joint", "", joint.name, "a fixed joint has no name; the body has no joint");
    if (joint.velocity_limit > 0.0) out->ignore("joint", "", joint.name, "there are no limits of velocities");
    if (joint.type == JointType::ball || joint.type == JointType::free) {
      const double* com = forest.constants[std::size_t(place->node_begin)].p;
      check_quaternion_joint(body, joint, Vec3(com[0], com[1], com[2]), out);
    }

    const std::vector<Part> parts = parts_of(joint);
    std::string main_name;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const bool is_own = std::string(parts[k].suffix).empty();
      const std::string name =
          is_own ? out->declare("joint", joint.name) : out->make_up("joint", joint.name + parts[k].suffix);
      MjcfNode& written = node->add("joint");
      written.set("name", name);
      if (joint.type == JointType::screw && k == 1)
        write_screw_slide(joint, main_name, name, out, &written, equality);
      else
        write_part(joint, parts[k], int(k), out, &written);
      if (k == 0) main_name = name;
    }
    if (joint.type == JointType::universal || joint.type == JointType::planar)
      out->approximate("joint", "name", joint.name, "becomes several joints with names derived from its own");
    all.insert(all.end(), parts.begin(), parts.end());
  }
  check_order(body, all, out);
}

}  // namespace stiction
