#include <cmath>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/bodies.h"

namespace stiction {
namespace {

constexpr double kShortestAxis = 1e-14;  // MuJoCo's

// A force that is a polynomial of the position or velocity: only its linear part acts.
double linear_coefficient(const MjcfValues& values, const char* attribute) {
  std::array<double, 3> coefficients = {0.0, 0.0, 0.0};
  values.fill(attribute, &coefficients);
  if (coefficients[1] != 0.0 || coefficients[2] != 0.0)
    values.approximate(attribute, "only the first, linear coefficient acts");
  return coefficients[0];
}

void read_limits(const MjcfValues& values, bool turns, Joint* joint) {
  const double unit = turns ? values.angle(1.0) : 1.0;
  const bool is_free = joint->type == JointType::free, is_ball = joint->type == JointType::ball;
  // MuJoCo takes a ball that may turn by 0 and any range of a free joint.
  if (is_free) {
    for (const char* name : {"range", "limited"}) values.ignore(name, "a free joint has no limits");
  } else if (is_ball && values.word("limited", "auto", {"false", "true", "auto"}) == "true" &&
             !(values.has("range") && values.numbers("range", 2, 2, true)[1] > 0.0)) {
    for (const char* name : {"range", "limited"})
      values.ignore(name, "a ball joint without freedom to turn is not simulated; it has no limit");
  } else {
    const Range range = values.range("range", "limited", unit);
    joint->limited = range.limited;
    if (is_ball && range.limited && range.lower != 0.0)
      values.fail("range", "the first number must be 0 for a ball");
    if (!is_ball) joint->lower[0] = range.lower;
    joint->upper[0] = range.upper;
  }
  if (values.number("margin", 0.0) != 0.0) values.ignore("margin", "limits act where the range ends");
  for (const char* name : {"solreflimit", "solimplimit"})
    values.approximate(name, "limits of joints are as rigid as the step allows");
}

void read_actuation(const MjcfValues& values, Joint* joint, JointActuation* actuation) {
  Range force;
  if (num_velocities(joint->type) == 1) {
    force = values.range("actuatorfrcrange", "actuatorfrclimited");
  } else {
    for (const char* name : {"actuatorfrcrange", "actuatorfrclimited"})
      values.ignore(name, "acts on hinges and slides only, as in MuJoCo");
  }
  const bool has_range = force.limited;
  if (has_range) actuation->force = force;
  if (has_range) joint->effort_limit = std::max(std::abs(force.lower), std::abs(force.upper));
  actuation->compensates_gravity = values.boolean("actuatorgravcomp", false);
}

}  // namespace

Joint read_joint_values(const MjcfValues& values, const Pose& X_BF, SpringDamper* spring_damper,
                        JointActuation* actuation) {
  Joint joint;
  const std::string type = values.word("type", "hinge", {"free", "ball", "slide", "hinge"});
  joint.type = type == "free"    ? JointType::free
               : type == "ball"  ? JointType::ball
               : type == "slide" ? JointType::prismatic
                                 : JointType::revolute;
  const bool has_axis = type == "hinge" || type == "slide", turns = type != "slide" && type != "free";
  const Vec3 anchor = values.vec3("pos", Vec3::Zero()), axis = values.vec3("axis", Vec3::UnitZ());
  if (type != "free") joint.p_BJ = X_BF * anchor;
  if (has_axis) {
    if (axis.norm() < kShortestAxis) values.fail("axis", "the axis has no direction");
    joint.axis = X_BF.R * axis.normalized();
    const double ref = values.number("ref", 0.0), springref = values.number("springref", 0.0);
    joint.reference = turns ? values.angle(ref) : ref;
    joint.neutral[0] = turns ? values.angle(springref) : springref;
  }

  const auto not_negative = [&](const char* attribute, double number) {
    if (number < 0.0) values.fail(attribute, "must not be negative");
    return per_dof(number);
  };
  joint.armature = not_negative("armature", values.number("armature", 0.0));
  joint.stiffness = not_negative("stiffness", linear_coefficient(values, "stiffness"));
  joint.damping = not_negative("damping", linear_coefficient(values, "damping"));
  joint.friction_loss = not_negative("frictionloss", values.number("frictionloss", 0.0));
  for (const char* name : {"solreffriction", "solimpfriction"})
    values.approximate(name, "dry friction holds as firmly as the step allows");
  if (values.has("springdamper")) {
    const std::vector<double> numbers = values.numbers("springdamper", 2, 2);
    if (numbers[0] < 0.0 || numbers[1] < 0.0) values.fail("springdamper", "must not be negative");
    if (numbers[0] > 0.0 && numbers[1] > 0.0) *spring_damper = {"", numbers[0], numbers[1]};
  }
  values.ignore("springyield", "springs do not yield");
  values.ignore("group", kForDisplayOnly);
  values.ignore("user", kNotUsed);
  read_limits(values, turns, &joint);
  read_actuation(values, &joint, actuation);
  return joint;
}

}  // namespace stiction
