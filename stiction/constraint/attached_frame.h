#pragma once
// A frame fixed to a node, a kinematic body or the world: looked up once, its pose computed in every step.

#include "stiction/multibody/kinematics.h"

namespace stiction {

struct AttachedFrame {
  int node = -1, kinematic = -1;  // as in BodyPlace; both -1: it does not move
  int tree = -1;                  // of the node
  Pose X_NP;                      // in the node, the kinematic body or the world
  int body = 0;                   // the body on which it was defined
};

AttachedFrame place_on(const Forest& forest, int body, const Pose& X_BP);

Pose pose_of(const Kinematics& kinematics, const AttachedFrame& place);
Vec3 point_of(const Kinematics& kinematics, const AttachedFrame& place);

// (angular velocity, velocity at p) in W of a body whose motion is prescribed.
inline Vec6 velocity_at(const PrescribedMotion& motion, const Vec3& p) {
  const Vec3 w = motion.V.head<3>();
  Vec6 V;
  V.head<3>() = w;
  V.tail<3>() = motion.V.tail<3>() + w.cross(p - motion.X_WB.p);
  return V;
}

}  // namespace stiction
