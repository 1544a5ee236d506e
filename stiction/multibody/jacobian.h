#pragma once
// Jacobians, and totals of a forest: centre of mass, momentum, energies.
//
// The axes S = (s, t) of kinematics.h are the columns of the spatial Jacobian at O; at a point p they become
// (s, t + s x (p - O)).

#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/mass_matrix.h"

namespace stiction {

// 6 x nv of the tree the body is in (0 columns for a body that is not in a tree): V = J v[tree], with V =
// (angular, velocity of the body's point that is now at p_W), in world axes. Columns of velocities that are
// not ancestors of the body are zero.
using TreeJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;
void point_jacobian(const Forest& forest, const Kinematics& kinematics, int body, const Vec3& p_W,
                    TreeJacobian* J);
// At the body's origin.
void body_jacobian(const Forest& forest, const Kinematics& kinematics, int body, TreeJacobian* J);

struct Totals {
  double mass = 0.0;                     // kg, of everything that moves in a tree
  Vec3 com = Vec3::Zero();               // m, in W
  Vec3 momentum = Vec3::Zero();          // kg m/s
  Vec3 angular_momentum = Vec3::Zero();  // kg m^2/s, about the world's origin
};
Totals totals(const Forest& forest, const Kinematics& kinematics);

// J, of the bodies; the energy of armatures (rotors) is in `rotor_energy` alone.
double kinetic_energy(const Forest& forest, const Kinematics& kinematics);
double rotor_energy(const Forest& forest, const double* v);
// J, -sum m g . c.
double gravity_energy(const Forest& forest, const Kinematics& kinematics);

}  // namespace stiction
