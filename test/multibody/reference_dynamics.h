#pragma once
// The slow, clear version of inverse dynamics: Newton and Euler for every body with ordinary vectors, no
// recursion on forces, no spatial algebra, templated on the real type so that dual numbers differentiate it.

#include <vector>

#include "stiction/multibody/positions.h"
#include "stiction/multibody/tree.h"

namespace stiction::reference {

template <class T>
struct Motion {
  PoseT<T> X;  // X_WB
  Vec3T<T> w = Vec3T<T>::Zero(), v = Vec3T<T>::Zero(), alpha = Vec3T<T>::Zero(),
           a = Vec3T<T>::Zero();  // of the origin

  // The same rigid motion, read at another point of the world.
  Vec3T<T> velocity_at(const Vec3T<T>& p) const { return v + w.cross(Vec3T<T>(p - X.p)); }
  Vec3T<T> acceleration_at(const Vec3T<T>& p) const {
    const Vec3T<T> arm = p - X.p;
    return a + alpha.cross(arm) + w.cross(Vec3T<T>(w.cross(arm)));
  }
};

// How a unit of one velocity moves `body` and its descendants: a rotation about `axis` through `point` and a
// translation along it.
template <class T>
struct Axis {
  int body = 0;
  Vec3T<T> turn = Vec3T<T>::Zero(), point = Vec3T<T>::Zero(), shift = Vec3T<T>::Zero();
};

template <class T>
struct Result {
  std::vector<Motion<T>> bodies;
  VecXT<T> tau;
};

// Rotates the frame of `m` about a unit axis (in its own axes) through `anchor` (in its own axes), by R.
template <class T>
void turn(const Mat3T<T>& R, const Vec3T<T>& anchor, const Vec3T<T>& rate_W, const Vec3T<T>& rate_dot_W,
          Motion<T>* m) {
  const Vec3T<T> c = m->X * anchor;
  const Vec3T<T> v_c = m->velocity_at(c), a_c = m->acceleration_at(c);
  Motion<T> next;
  next.X.R = m->X.R * R;
  next.X.p = c - next.X.R * anchor;
  next.w = m->w + rate_W;
  next.alpha = m->alpha + rate_dot_W + m->w.cross(rate_W);
  const Vec3T<T> arm = next.X.p - c;
  next.v = v_c + next.w.cross(arm);
  next.a = a_c + next.alpha.cross(arm) + next.w.cross(Vec3T<T>(next.w.cross(arm)));
  *m = next;
}

template <class T>
void slide(const Vec3T<T>& axis_B, const T& q, const T& qd, const T& qdd, Motion<T>* m) {
  const Vec3T<T> u = m->X.R * axis_B;
  const Vec3T<T> to = m->X.p + u * q;
  const Vec3T<T> v = m->velocity_at(to) + u * qd;
  const Vec3T<T> a = m->acceleration_at(to) + u * qdd + T(2) * m->w.cross(Vec3T<T>(u * qd));
  m->X.p = to;
  m->v = v;
  m->a = a;
}

// The centre of mass, in its frame, of a body and all that is fixed to it.
inline Inertia welded(const Forest& forest, int body) {
  Inertia total = forest.bodies[body].inertia;
  for (size_t b = body + 1; b < forest.bodies.size(); ++b) {
    bool moves = false;
    for (const Joint& joint : forest.bodies[b].joints) moves = moves || joint.type != JointType::fixed;
    if (!moves && forest.bodies[b].parent == body)
      total = total + welded(forest, static_cast<int>(b)).in_frame(forest.bodies[b].X_PB);
  }
  return total;
}

template <class T>
Result<T> inverse_dynamics(const Forest& forest, const VecXT<T>& q, const VecXT<T>& v, const VecXT<T>& vdot) {
  const size_t n = forest.bodies.size();
  Result<T> result;
  result.bodies.resize(n);
  result.tau = VecXT<T>::Zero(forest.num_v);
  std::vector<Axis<T>> axes(forest.num_v);

  for (size_t b = 1; b < n; ++b) {
    const Body& body = forest.bodies[b];
    Motion<T> m = result.bodies[body.parent];
    const Vec3T<T> to = m.X * Vec3T<T>(body.X_PB.p.cast<T>());
    m.v = m.velocity_at(to), m.a = m.acceleration_at(to);
    m.X.p = to;
    m.X.R = m.X.R * body.X_PB.R.cast<T>();
    for (size_t j = 0; j < body.joints.size(); ++j) {
      const Joint& joint = body.joints[j];
      JointIndices place;
      for (const JointIndices& p : forest.joints)
        if (p.body == static_cast<int>(b) && p.index_in_body == static_cast<int>(j)) place = p;
      const T* qj = q.data() + place.q_begin;
      const T* vj = v.data() + place.v_begin;
      const T* aj = vdot.data() + place.v_begin;
      const Vec3T<T> anchor = joint.p_BJ.cast<T>();
      const auto hinge = [&](const Vec3& axis_B, const T& angle, int i) {
        const Vec3T<T> axis = axis_B.cast<T>(), u = m.X.R * axis;
        Axis<T>& S = axes[place.v_begin + i];
        S.body = static_cast<int>(b), S.turn = u, S.point = m.X * anchor;
        turn<T>(rotation_about<T>(axis, angle), anchor, u * vj[i], u * aj[i], &m);
      };
      const auto slider = [&](const Vec3& axis_B, const T& travel, int i, double scale) {
        const Vec3T<T> axis = axis_B.cast<T>();
        Axis<T>& S = axes[place.v_begin + i];
        S.body = static_cast<int>(b), S.shift = m.X.R * axis * T(scale);
        slide<T>(axis, travel * T(scale), vj[i] * T(scale), aj[i] * T(scale), &m);
      };
      switch (joint.type) {
        case JointType::fixed:
          break;
        case JointType::revolute:
        case JointType::continuous:
          hinge(joint.axis, qj[0] - T(joint.reference), 0);
          break;
        case JointType::prismatic:
          slider(joint.axis, qj[0] - T(joint.reference), 0, 1.0);
          break;
        case JointType::screw:
          slider(joint.axis, qj[0] - T(joint.reference), 0, joint.pitch);
          hinge(joint.axis, qj[0] - T(joint.reference), 0);
          break;
        case JointType::universal:
          hinge(joint.axis, qj[0], 0);
          hinge(joint.axis2, qj[1], 1);
          break;
        case JointType::planar:
          slider(joint.axis2, qj[0], 0, 1.0);
          slider(joint.axis.cross(joint.axis2), qj[1], 1, 1.0);
          hinge(joint.axis, qj[2], 2);
          break;
        case JointType::ball: {
          const Mat3T<T> R = rotation_from_quaternion(Vec4T<T>(qj[0], qj[1], qj[2], qj[3]));
          const Mat3T<T> R_W = m.X.R * R;
          for (int i = 0; i < 3; ++i) {
            Axis<T>& S = axes[place.v_begin + i];
            S.body = static_cast<int>(b), S.turn = R_W.col(i), S.point = m.X * anchor;
          }
          // Rates are in the child's axes, which rotate with it:
          // d/dt (R_W rate) = R_W rate_dot + w x (R_W rate), and w x rate there is w_parent x rate here.
          turn<T>(R, anchor, R_W * Vec3T<T>(vj[0], vj[1], vj[2]), R_W * Vec3T<T>(aj[0], aj[1], aj[2]), &m);
          break;
        }
        case JointType::free: {
          m.X = joint_motion<T>(joint, qj);
          const Vec3T<T> com = m.X * Vec3T<T>(welded(forest, static_cast<int>(b)).com.cast<T>());
          m.w = Vec3T<T>(vj[0], vj[1], vj[2]);
          m.alpha = Vec3T<T>(aj[0], aj[1], aj[2]);
          const Vec3T<T> arm = m.X.p - com;
          m.v = Vec3T<T>(vj[3], vj[4], vj[5]) + m.w.cross(arm);
          m.a = Vec3T<T>(aj[3], aj[4], aj[5]) + m.alpha.cross(arm) + m.w.cross(Vec3T<T>(m.w.cross(arm)));
          for (int i = 0; i < 3; ++i) {
            Axis<T>&S = axes[place.v_begin + i], &L = axes[place.v_begin + 3 + i];
            S.body = L.body = static_cast<int>(b);
            S.turn[i] = T(1), S.point = com;
            L.shift[i] = T(1);
          }
          break;
        }
      }
      for (int i = 0; i < place.num_v; ++i) result.tau[place.v_begin + i] = T(joint.armature[i]) * aj[i];
    }
    result.bodies[b] = m;
  }

  // Every velocity works against the inertial force and moment of all its descendants.
  for (size_t b = 1; b < n; ++b) {
    const Inertia& inertia = forest.bodies[b].inertia;
    const Motion<T>& m = result.bodies[b];
    const Vec3T<T> com = m.X * Vec3T<T>(inertia.com.cast<T>());
    const Mat3T<T> I = m.X.R * inertia.I_com.cast<T>() * m.X.R.transpose();
    const Vec3T<T> force = T(inertia.mass) * (m.acceleration_at(com) - forest.gravity.cast<T>());
    const Vec3T<T> moment = I * m.alpha + m.w.cross(Vec3T<T>(I * m.w));
    std::vector<bool> above(n, false);
    for (int p = static_cast<int>(b); p != 0; p = forest.bodies[p].parent) above[p] = true;
    for (int d = 0; d < forest.num_v; ++d) {
      const Axis<T>& S = axes[d];
      if (!above[S.body]) continue;
      const Vec3T<T> arm = com - S.point;
      result.tau[d] += S.turn.dot(Vec3T<T>(moment + arm.cross(force))) + S.shift.dot(force);
    }
  }
  return result;
}

// q moved by e along velocities v (Duals: e may be an infinitesimal).
template <class T>
VecXT<T> displaced(const Forest& forest, const VecXT<T>& q, const VecXT<T>& step) {
  VecXT<T> out = q;
  for (size_t j = 0; j < forest.joints.size(); ++j) {
    const JointIndices& place = forest.joints[j];
    const Joint& joint = forest.joint(static_cast<int>(j));
    T* qj = out.data() + place.q_begin;
    const T* s = step.data() + place.v_begin;
    if (joint.type == JointType::ball) {
      const Vec4T<T> turned = quaternion_product(Vec4T<T>(qj[0], qj[1], qj[2], qj[3]),
                                                 quaternion_exp(Vec3T<T>(s[0], s[1], s[2])));
      for (int i = 0; i < 4; ++i) qj[i] = turned[i];
    } else if (joint.type == JointType::free) {
      const Vec3T<T> com = welded(forest, place.body).com.template cast<T>();
      const Vec4T<T> before(qj[0], qj[1], qj[2], qj[3]);
      const Vec4T<T> after = quaternion_product(quaternion_exp(Vec3T<T>(s[0], s[1], s[2])), before);
      const Vec3T<T> c =
          Vec3T<T>(qj[4], qj[5], qj[6]) + rotation_from_quaternion(before) * com + Vec3T<T>(s[3], s[4], s[5]);
      const Vec3T<T> p = c - rotation_from_quaternion(after) * com;
      for (int i = 0; i < 4; ++i) qj[i] = after[i];
      for (int i = 0; i < 3; ++i) qj[4 + i] = p[i];
    } else {
      for (int i = 0; i < place.num_q; ++i) qj[i] += s[i];
    }
  }
  return out;
}

}  // namespace stiction::reference
