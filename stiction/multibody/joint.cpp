#include "stiction/multibody/joint.h"

namespace stiction {

int num_positions(JointType type) {
  switch (type) {
    case JointType::fixed:
      return 0;
    case JointType::revolute:
    case JointType::continuous:
    case JointType::prismatic:
    case JointType::screw:
      return 1;
    case JointType::universal:
      return 2;
    case JointType::planar:
      return 3;
    case JointType::ball:
      return 4;
    case JointType::free:
      return 7;
  }
  return 0;
}

int num_velocities(JointType type) {
  switch (type) {
    case JointType::ball:
      return 3;
    case JointType::free:
      return 6;
    default:
      return num_positions(type);
  }
}

const char* name_of(JointType type) {
  switch (type) {
    case JointType::fixed:
      return "fixed";
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
    case JointType::screw:
      return "screw";
    case JointType::universal:
      return "universal";
    case JointType::ball:
      return "ball";
    case JointType::planar:
      return "planar";
    case JointType::free:
      return "free";
  }
  return "unknown";
}

std::array<double, 7> reference_position(const Joint& joint) {
  if (joint.type == JointType::ball || joint.type == JointType::free) return {1, 0, 0, 0, 0, 0, 0};
  return {joint.reference, 0, 0, 0, 0, 0, 0};
}

}  // namespace stiction
