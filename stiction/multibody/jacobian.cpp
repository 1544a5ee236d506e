#include "stiction/multibody/jacobian.h"

namespace stiction {

namespace {

Vec3 vec3(const double* p) { return Vec3(p[0], p[1], p[2]); }

// Momentum (about O, linear) of a node's own mass.
struct Momentum {
  Vec3 L, P;
};

Momentum momentum_of(const NodeMotion& node) {
  const double* J = node.J;
  Mat3 S;
  S << J[0], J[4], J[8], J[1], J[5], J[9], J[2], J[6], J[10];
  const Vec3 w = vec3(node.w), v = vec3(node.v), h = vec3(J + 12);
  return {S.trace() * w - S * w + h.cross(v), J[15] * v + w.cross(h)};
}

}  // namespace

void point_jacobian(const Forest& forest, const Kinematics& kinematics, int body, const Vec3& p_W,
                    TreeJacobian* J) {
  const int first = forest.places[body].node;
  if (first < 0) {
    J->setZero(6, 0);
    return;
  }
  const Tree& tree = forest.trees[forest.nodes[first].tree];
  const Vec3 arm = p_W - vec3(kinematics.origins.data() + 4 * forest.nodes[first].tree);
  J->setZero(6, tree.num_v());
  for (int n = first; n >= 0; n = forest.nodes[n].parent) {
    const Node& node = forest.nodes[n];
    for (int d = node.v_begin; d < node.v_begin + node.num_v; ++d) {
      const Vec3 s = vec3(kinematics.axis(d)), t = vec3(kinematics.axis(d) + 4);
      J->col(d - tree.v_begin) = stack<double>(s, t + s.cross(arm));
    }
  }
}

void body_jacobian(const Forest& forest, const Kinematics& kinematics, int body, TreeJacobian* J) {
  point_jacobian(forest, kinematics, body, body_pose(forest, kinematics, body).p, J);
}

Totals totals(const Forest& forest, const Kinematics& kinematics) {
  Totals sum;
  Vec3 first_moment = Vec3::Zero();
  for (size_t n = 0; n < forest.nodes.size(); ++n) {
    const NodeMotion& node = kinematics.nodes[n];
    const Vec3 O = vec3(kinematics.origins.data() + 4 * forest.nodes[n].tree);
    const Momentum m = momentum_of(node);
    sum.mass += node.J[15];
    first_moment += vec3(node.J + 12) + node.J[15] * O;
    sum.momentum += m.P;
    sum.angular_momentum += m.L + O.cross(m.P);
  }
  if (sum.mass > 0.0) sum.com = first_moment / sum.mass;
  return sum;
}

double kinetic_energy(const Forest& forest, const Kinematics& kinematics) {
  double energy = 0.0;
  for (size_t n = 0; n < forest.nodes.size(); ++n) {
    const NodeMotion& node = kinematics.nodes[n];
    const Momentum m = momentum_of(node);
    energy += 0.5 * (m.L.dot(vec3(node.w)) + m.P.dot(vec3(node.v)));
  }
  return energy;
}

double rotor_energy(const Forest& forest, const double* v) {
  double energy = 0.0;
  for (int d = 0; d < forest.num_v; ++d) energy += 0.5 * forest.dofs[d].armature * v[d] * v[d];
  return energy;
}

double gravity_energy(const Forest& forest, const Kinematics& kinematics) {
  const Totals sum = totals(forest, kinematics);
  return -sum.mass * forest.gravity.dot(sum.com);
}

}  // namespace stiction
