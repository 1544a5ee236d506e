// The <joint> and <drake:joint> elements of a URDF file, and the transmissions that drive them.

#include <numbers>

#include "stiction/base/check.h"
#include "stiction/io/urdf/robot.h"

namespace stiction {
namespace {

constexpr const char* kNoDriver = "a matter of the robot's driver, not of its mechanics";

const std::vector<std::string> kJointTypes = {"revolute", "continuous", "prismatic",
                                              "fixed",    "floating",   "planar"};
const std::vector<std::string> kDrakeJointTypes = {"ball", "planar", "screw", "universal"};

JointType read_type(const XmlElement& element) {
  if (element.name() == "drake:joint") {
    constexpr JointType kTypes[] = {JointType::ball, JointType::planar, JointType::screw,
                                    JointType::universal};
    return kTypes[element.choice("type", kDrakeJointTypes)];
  }
  constexpr JointType kTypes[] = {JointType::revolute, JointType::continuous, JointType::prismatic,
                                  JointType::fixed,    JointType::free,       JointType::planar};
  return kTypes[element.choice("type", kJointTypes)];
}

bool has_one_axis(JointType type) {
  return type == JointType::revolute || type == JointType::continuous || type == JointType::prismatic ||
         type == JointType::screw;
}

// The axis is given in the joint's frame, which is the child's at zero.
void read_axes(const XmlElement& element, Joint* joint) {
  joint->axis = Vec3::UnitX();  // URDF's default
  const std::optional<XmlElement> axis = element.child("axis");
  if (axis) {
    const Vec3 given = axis->vec3("xyz");
    // A fixed joint often has an axis of zeros; it has no meaning there.
    const bool has_axis = has_one_axis(joint->type) || joint->type == JointType::planar;
    if (!has_axis) axis->ignore_all(format("a {} joint has no axis", name_of(joint->type)));
    const double length = given.stableNorm();
    if (has_axis && !(length > 1e-9)) axis->fail("xyz", "the axis has length zero");
    if (has_axis) joint->axis = given / length;
  }
  if (joint->type == JointType::planar) {
    // Drake's frame: the smallest rotation that takes z to the normal; its x and y are the directions of
    // travel.
    const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), joint->axis).toRotationMatrix();
    joint->axis2 = (R.col(0) - joint->axis * joint->axis.dot(R.col(0))).normalized();
  }
  if (joint->type == JointType::universal) {
    joint->axis = Vec3::UnitX();
    joint->axis2 = Vec3::UnitY();
  }
}

void read_effort_and_velocity(const XmlElement& limit, Joint* joint) {
  const auto read = [&limit](const char* name, double* out) {
    if (!limit.has(name)) return;
    *out = limit.number(name);
    if (*out < 0.0) limit.fail(name, format("{} is negative", *out));
    if (*out == 0.0) limit.ignore(name, "0 is taken for no limit");
  };
  read("effort", &joint->effort_limit);
  read("velocity", &joint->velocity_limit);
  if (joint->effort_limit > 0.0)
    limit.approximate("effort",
                      "bounds the actuator of a transmission, not a force that is set from outside");
  if (joint->velocity_limit > 0.0) limit.ignore("velocity", "speeds are not limited; kept in the joint");
  for (const char* name : {"acceleration", "deceleration", "jerk", "drake:acceleration"}) {
    if (!limit.has(name)) continue;
    limit.number(name);
    limit.ignore(name, kNoDriver);
  }
}

void read_limit(const XmlElement& element, Joint* joint) {
  const std::optional<XmlElement> limit = element.child("limit");
  const bool needs_limit = joint->type == JointType::revolute || joint->type == JointType::prismatic;
  if (!limit) {
    if (needs_limit) element.fail(format("a {} joint needs a <limit>", name_of(joint->type)));
    return;
  }
  limit->honour();
  read_effort_and_velocity(*limit, joint);
  const double lower = limit->number("lower", 0.0), upper = limit->number("upper", 0.0);
  if (needs_limit) {
    if (lower > upper) limit->fail(format("lower limit {} is above upper limit {}", lower, upper));
    joint->limited = true;
    joint->lower[0] = lower;
    joint->upper[0] = upper;
  }
  for (const char* name : {"lower", "upper"})
    if (!needs_limit) limit->ignore(name, format("a {} joint has no limits", name_of(joint->type)));
}

void read_dynamics(const XmlElement& element, Joint* joint) {
  const std::optional<XmlElement> dynamics = element.child("dynamics");
  if (!dynamics) return;
  dynamics->honour();
  const auto read = [&](const char* name, PerDof* out) {
    if (!dynamics->has(name)) return;
    const int dofs = num_velocities(joint->type);
    const std::vector<double> values = dynamics->numbers(name, 1, std::max(1, dofs));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] < 0.0) dynamics->fail(name, format("{} is negative", values[i]));
    if (values.size() > 1 && int(values.size()) != dofs)
      dynamics->fail(name, format("1 or {} numbers expected, {} found", dofs, values.size()));
    for (std::size_t i = 0; i < std::size_t(dofs); ++i) (*out)[i] = values[values.size() > 1 ? i : 0];
    if (dofs == 0) dynamics->ignore(name, "a fixed joint does not move");
  };
  read("damping", &joint->damping);
  read("friction", &joint->friction_loss);
}

void read_mimic(const XmlElement& element, Joint* joint) {
  const std::optional<XmlElement> mimic = element.child("mimic");
  if (!mimic) return;
  joint->mimic =
      Mimic{mimic->string("joint"), mimic->number("multiplier", 1.0), mimic->number("offset", 0.0)};
  if (!has_one_axis(joint->type))
    mimic->fail(format("a {} joint cannot follow another", name_of(joint->type)));
  if (joint->mimic->joint == joint->name) mimic->fail("joint", "the joint follows itself");
  mimic->honour();
}

void read_pitch(const XmlElement& element, Joint* joint) {
  const std::optional<XmlElement> pitch = element.child("drake:screw_thread_pitch");
  if (joint->type == JointType::screw) {
    const XmlElement given = element.required_child("drake:screw_thread_pitch");
    joint->pitch = given.number("value") / (2.0 * std::numbers::pi);  // Drake: m per turn
  } else if (pitch) {
    pitch->ignore_all(format("a {} joint has no thread", name_of(joint->type)));
  }
}

double read_value(const XmlElement& parent, std::string_view tag, double fallback) {
  const std::optional<XmlElement> child = parent.child(tag);
  return child ? child->number("value") : fallback;
}

}  // namespace

UrdfJoint read_urdf_joint(const XmlElement& element) {
  element.honour();
  UrdfJoint out{element, element.required_child("parent").string("link"),
                element.required_child("child").string("link")};
  Joint& joint = out.joint;
  joint.name = element.string("name");
  if (joint.name.empty()) element.fail("name", "is empty");
  joint.type = read_type(element);
  out.X_PC = read_urdf_origin(element);
  read_axes(element, &joint);
  read_limit(element, &joint);
  read_dynamics(element, &joint);
  read_mimic(element, &joint);
  read_pitch(element, &joint);
  for (const char* tag : {"calibration", "safety_controller"})
    for (const XmlElement& driver : element.children(tag)) driver.ignore_all(kNoDriver);
  return out;
}

UrdfTransmission read_urdf_transmission(const XmlElement& element) {
  element.ignore_all("a transmission of this kind drives nothing here");
  const std::vector<XmlElement> joints = element.children("joint"), actuators = element.children("actuator");
  if (joints.size() != 1 || actuators.size() != 1) return {element, "", ""};

  const XmlElement& actuator = actuators[0];
  UrdfTransmission out{element, actuator.string("name", ""), joints[0].string("name")};
  if (out.name.empty()) out.name = element.string("name", out.joint);
  // The control is the force or torque at the joint itself, so that no reduction stands between.
  element.honour();
  for (const XmlElement& named : {joints[0], actuator}) named.honour();
  for (const XmlElement& named : {element, joints[0], actuator}) named.honour("name");
  constexpr const char* kAtTheJoint =
      "controls are forces at the joint; the driver's interface does not matter";
  element.ignore("type", kAtTheJoint);
  for (const XmlElement& parent : {element, joints[0], actuator})
    for (const XmlElement& child : parent.children())
      if (!(child == joints[0]) && !(child == actuator)) child.ignore_all(kAtTheJoint);

  // Drake: the rotor's inertia as the joint feels it.
  const double rotor = read_value(actuator, "drake:rotor_inertia", 0.0);
  const double gear = read_value(actuator, "drake:gear_ratio", 1.0);
  if (rotor < 0.0) actuator.required_child("drake:rotor_inertia").fail("value", "is negative");
  for (const char* tag : {"drake:rotor_inertia", "drake:gear_ratio"}) {
    for (const XmlElement& child : actuator.children(tag)) {
      child.honour();
      child.honour("value");
    }
  }
  out.armature = rotor * gear * gear;
  return out;
}

}  // namespace stiction
