#include "scenes/solids.h"

namespace stiction::scenes {

void add_rod(const std::string& name, const std::string& body, const Vec3& from, const Vec3& to,
             double radius, double mass, ModelBuilder* builder) {
  const Vec3 along = to - from;
  const Pose X_BS{frame_with_z(along.normalized()), 0.5 * (from + to)};
  add_part(name, body, X_BS, Capsule{radius, along.norm()}, mass, builder);
}

void add_part(const std::string& name, const std::string& body, const Pose& X_BS, const Shape& shape,
              double mass, ModelBuilder* builder) {
  builder->add_solid(name, body, X_BS, shape, mass / volume(shape));
}

Joint motor_hinge(const std::string& name, const Vec3& axis, double lower, double upper, const Motor& motor) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::revolute;
  joint.axis = axis;
  joint.armature = per_dof(motor.armature);
  joint.damping = per_dof(motor.damping);
  joint.limited = true;
  joint.lower = per_dof(lower);
  joint.upper = per_dof(upper);
  joint.effort_limit = motor.effort;
  return joint;
}

}  // namespace stiction::scenes
