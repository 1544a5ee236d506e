#include "stiction/multibody/passive_forces.h"

#include <cmath>

namespace stiction {

namespace {

Vec4 quaternion_at(const double* q) { return Vec4(q[0], q[1], q[2], q[3]); }
Vec3 vector_at(const double* q) { return Vec3(q[0], q[1], q[2]); }

// Quaternion of a joint's neutral position; all zeros mean the identity.
Vec4 neutral_quaternion(const Joint& joint) {
  const Vec4 q = quaternion_at(joint.neutral.data());
  return q.squaredNorm() > 0.0 ? Vec4(q.normalized()) : Vec4(1.0, 0.0, 0.0, 0.0);
}

// The rotation vector from the neutral orientation, in the body's axes.
Vec3 turn_from_neutral(const Joint& joint, const double* q) {
  return quaternion_log(
      quaternion_product(quaternion_conjugate(neutral_quaternion(joint)), quaternion_at(q)));
}

// Moment of the rotational spring in the body's axes.
Vec3 turning_moment(const Joint& joint, const double* q) {
  const Vec3 r = turn_from_neutral(joint, q);
  const Vec3 Kr = vector_at(joint.stiffness.data()).cwiseProduct(r);
  // Jr^-T x = x - r x x / 2 + c r x (r x x).
  return -(Kr - 0.5 * r.cross(Kr) + rotation_jacobian_coefficient(r.norm()) * r.cross(r.cross(Kr)));
}

bool has_spring(const Forest& forest, const Node& node) {
  for (int d = node.v_begin; d < node.v_begin + node.num_v; ++d)
    if (forest.dofs[d].stiffness != 0.0) return true;
  return false;
}

}  // namespace

// Its series is 1/12 + t^2/720.
double rotation_jacobian_coefficient(double t) {
  if (t < kSmallAngle) return 1.0 / 12.0 + t * t / 720.0;
  return 1.0 / (t * t) - (1.0 + std::cos(t)) / (2.0 * t * std::sin(t));
}

void add_spring_forces(const Forest& forest, const double* q, double* tau) {
  for (size_t n = 0; n < forest.nodes.size(); ++n) {
    const Node& node = forest.nodes[n];
    switch (node.kind) {
      case NodeKind::axis: {
        const Dof& dof = forest.dofs[node.v_begin];
        tau[node.v_begin] -= dof.stiffness * (q[node.q_begin] - dof.neutral);
        continue;
      }
      case NodeKind::ball:
      case NodeKind::free:
        break;  // below
    }
    if (!has_spring(forest, node)) continue;
    const Joint& joint = forest.joint(node.joint);
    const double* qn = q + node.q_begin;
    Vec3 moment = turning_moment(joint, qn);
    if (node.kind == NodeKind::free) {
      // To world axes; the force acts on the origin, the velocities are those of the centre of mass.
      const Mat3 R = rotation_from_quaternion(quaternion_at(qn));
      const Vec3 force = -vector_at(joint.stiffness.data() + 3)
                              .cwiseProduct(vector_at(qn + 4) - vector_at(joint.neutral.data() + 4));
      const Vec3 arm = -(R * vector_at(forest.constants[n].p));
      moment = R * moment + arm.cross(force);
      for (int i = 0; i < 3; ++i) tau[node.v_begin + 3 + i] += force[i];
    }
    for (int i = 0; i < 3; ++i) tau[node.v_begin + i] += moment[i];
  }
}

void add_damping_forces(const Forest& forest, const double* v, double* tau) {
  for (int d = 0; d < forest.num_v; ++d) tau[d] -= forest.dofs[d].damping * v[d];
}

double spring_energy(const Forest& forest, const double* q) {
  double energy = 0.0;
  for (const Node& node : forest.nodes) {
    if (!has_spring(forest, node)) continue;
    const double* qn = q + node.q_begin;
    switch (node.kind) {
      case NodeKind::axis: {
        const Dof& dof = forest.dofs[node.v_begin];
        energy += 0.5 * dof.stiffness * (qn[0] - dof.neutral) * (qn[0] - dof.neutral);
        continue;
      }
      case NodeKind::ball:
      case NodeKind::free:
        break;  // below
    }
    const Joint& joint = forest.joint(node.joint);
    const Vec3 r = turn_from_neutral(joint, qn);
    energy += 0.5 * r.dot(vector_at(joint.stiffness.data()).cwiseProduct(r));
    if (node.kind == NodeKind::free) {
      const Vec3 x = vector_at(qn + 4) - vector_at(joint.neutral.data() + 4);
      energy += 0.5 * x.dot(vector_at(joint.stiffness.data() + 3).cwiseProduct(x));
    }
  }
  return energy;
}

}  // namespace stiction
