#pragma once
// Spatial algebra: poses, six-vectors (angular, linear) at a point in given axes, inertia of a rigid body.
//
//   V x M  = (w x m_w,  w x m_v + v x m_w)       motion on motion
//   V x* F = (w x f_w + v x f_v,  w x f_v)       motion on force (moment, force)
// (Featherstone, Rigid Body Dynamics Algorithms, 2.9; his order is the same.)

#include <string>

#include "stiction/math/matrix.h"
#include "stiction/math/rotation.h"

namespace stiction {

// X_AB: the pose of frame B in A; p_A = R p_B + p.
template <class T>
struct PoseT {
  Mat3T<T> R = Mat3T<T>::Identity();
  Vec3T<T> p = Vec3T<T>::Zero();

  PoseT operator*(const PoseT& other) const { return {R * other.R, R * other.p + p}; }
  Vec3T<T> operator*(const Vec3T<T>& point) const { return R * point + p; }
  PoseT inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};
using Pose = PoseT<double>;

inline Pose translation(const Vec3& p) { return {Mat3::Identity(), p}; }
inline Pose translation(double x, double y, double z) { return translation(Vec3(x, y, z)); }

// (angular, linear), or (moment, force).
template <class T>
Vec6T<T> stack(const Vec3T<T>& angular, const Vec3T<T>& linear) {
  Vec6T<T> out;
  out.template head<3>() = angular;
  out.template tail<3>() = linear;
  return out;
}

template <class T>
Vec6T<T> cross_motion(const Vec6T<T>& V, const Vec6T<T>& M) {
  const Vec3T<T> w = V.template head<3>(), v = V.template tail<3>();
  const Vec3T<T> mw = M.template head<3>(), mv = M.template tail<3>();
  return stack<T>(w.cross(mw), w.cross(mv) + v.cross(mw));
}

// The same motion field read at the point p instead of at the origin: v(p) = v(0) + w x p.
template <class T>
Vec6T<T> motion_at(const Vec6T<T>& V, const Vec3T<T>& p) {
  Vec6T<T> out = V;
  out.template tail<3>() += Vec3T<T>(V.template head<3>()).cross(p);
  return out;
}

// Mass, centre of mass and inertia of a rigid body, in the axes of a frame B.
struct Inertia {
  double mass = 0.0;          // kg
  Vec3 com = Vec3::Zero();    // m, centre of mass from B's origin, in B
  Mat3 I_com = Mat3::Zero();  // kg m^2, about the centre of mass, in B's axes

  // The same body described in frame A, with X_AB the pose of B in A.
  Inertia in_frame(const Pose& X_AB) const;
  // Two bodies in the same frame, welded.
  Inertia operator+(const Inertia& other) const;
  // The 6x6 inertia about B's origin: momentum (angular about the origin, linear) = I V.
  Mat6 about_origin() const;
};

// Empty if a real body can have the inertia: finite, mass >= 0, I symmetric, principal moments >= 0 that
// satisfy the triangle inequality to a relative 1e-6 (CAD exports round their numbers). Otherwise what is
// wrong with it.
std::string inertia_defect(const Inertia& inertia);

Inertia point_mass(double mass, const Vec3& com = Vec3::Zero());
Inertia solid_sphere(double mass, double radius);
Inertia solid_box(double mass, const Vec3& half_extents);
// Axis along z; `length` without the caps of the capsule.
Inertia solid_cylinder(double mass, double radius, double length);
Inertia solid_capsule(double mass, double radius, double length);
Inertia solid_ellipsoid(double mass, const Vec3& radii);

}  // namespace stiction
