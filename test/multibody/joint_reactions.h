#pragma once
// The reactions of all joints as the plain sum of Newton's and Euler's equations: the reference of
// simulation/output/reactions.h.

#include <vector>

#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/jacobian.h"

namespace stiction {

// The wrench (moment about the body's origin, force; in W) that every body receives from its parent through
// all joints between them, fixed ones included, in the motion vdot under the given external wrenches. Entry 0
// is the total that the world has to provide, about its origin.
inline void joint_reactions(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                            const std::vector<BodyWrench>& wrenches, std::vector<Vec6>* reactions) {
  const size_t n = forest.bodies.size();
  reactions->assign(n, Vec6::Zero());
  std::vector<Vec3> origins(n);
  // The wrench that every body needs for its own motion, about its origin, minus the external ones.
  for (size_t b = 0; b < n; ++b) {
    const int body = static_cast<int>(b);
    const Pose X = body_pose(forest, kinematics, body);
    origins[b] = X.p;
    if (b == 0) continue;
    const Inertia inertia = forest.bodies[b].inertia.in_frame({X.R, Vec3::Zero()});
    const Vec6 V = body_velocity(forest, kinematics, body),
               A = body_acceleration(forest, kinematics, vdot, body);
    const Vec3 w = V.head<3>(), alpha = A.head<3>(), c = inertia.com;
    const Vec3 a_com = A.tail<3>() + alpha.cross(c) + w.cross(w.cross(c));
    const Vec3 force = inertia.mass * (a_com - forest.gravity);
    const Vec3 moment = inertia.I_com * alpha + w.cross(inertia.I_com * w) + c.cross(force);
    (*reactions)[b] = stack<double>(moment, force);
  }
  for (const BodyWrench& w : wrenches) {
    Vec6& reaction = (*reactions)[w.body];
    reaction.tail<3>() -= w.wrench.tail<3>();
    reaction.head<3>() -= w.wrench.head<3>() + (w.p_W - origins[w.body]).cross(w.wrench.tail<3>());
  }
  // A parent needs what its children need; children come after their parents.
  for (size_t b = n - 1; b > 0; --b) {
    const int parent = forest.bodies[b].parent;
    Vec6& to = (*reactions)[parent];
    const Vec3 force = (*reactions)[b].tail<3>();
    to.head<3>() += Vec3((*reactions)[b].head<3>()) + (origins[b] - origins[parent]).cross(force);
    to.tail<3>() += force;
  }
}

}  // namespace stiction
