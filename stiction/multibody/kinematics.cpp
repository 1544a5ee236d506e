#include "stiction/multibody/kinematics.h"

#include <algorithm>

#include "stiction/math/simd.h"
#include "stiction/multibody/node_kinds.h"

namespace stiction {

using namespace simd;

namespace {

// The frame that a tree is rooted at: the world, or a kinematic body.
struct alignas(32) Base {
  double R[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  double p[4] = {};
};

void read_base(const Kinematics& k, int kinematic, Base* base) {
  if (kinematic < 0) return;
  const Pose& X = k.prescribed[kinematic].X_WB;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) base->R[4 * c + r] = X.R(r, c);
  for (int r = 0; r < 3; ++r) base->p[r] = X.p[r];
}

// R_out = R_parent R_local, all as columns; `local` is read from memory so that the loads broadcast its
// entries.
[[gnu::always_inline]] inline void multiply_rotations(Pack P0, Pack P1, Pack P2, const double* local,
                                                      double* out) {
  store(out, multiply(P0, P1, P2, local));
  store(out + 4, multiply(P0, P1, P2, local + 4));
  store(out + 8, multiply(P0, P1, P2, local + 8));
}

// Columns of the rotation of a quaternion of any length.
[[gnu::always_inline]] inline void store_quaternion_rotation(const double* q, double* columns) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double s = 2.0 / (w * w + x * x + y * y + z * z);
  const double sx = s * x, sy = s * y, sz = s * z;
  const double wx = w * sx, wy = w * sy, wz = w * sz;
  const double xx = x * sx, xy = x * sy, xz = x * sz, yy = y * sy, yz = y * sz, zz = z * sz;
  store(columns, Pack{1.0 - (yy + zz), xy + wz, xz - wy, 0.0});
  store(columns + 4, Pack{xy - wz, 1.0 - (xx + zz), yz + wx, 0.0});
  store(columns + 8, Pack{xz + wy, yz - wx, 1.0 - (xx + yy), 0.0});
}

// J_O = X J X' with X = [R p; 0 1]; R and p are read from the node.
[[gnu::always_inline]] inline void place_inertia(const double* J, NodeMotion* node) {
  const Pack R0 = load(node->R), R1 = load(node->R + 4), R2 = load(node->R + 8), p = load(node->p);
  const auto column = [&](const double* j) { return R0 * j[0] + R1 * j[1] + R2 * j[2] + p * j[3]; };
  const Pack Y0 = column(J), Y1 = column(J + 4), Y2 = column(J + 8), Y3 = column(J + 12);
  // Entries by shuffles: R and p were stored a moment ago, and loads that wait for them would stall.
  store(node->J, Y0 * spread<0>(R0) + Y1 * spread<0>(R1) + Y2 * spread<0>(R2) + Y3 * spread<0>(p));
  store(node->J + 4, Y0 * spread<1>(R0) + Y1 * spread<1>(R1) + Y2 * spread<1>(R2) + Y3 * spread<1>(p));
  store(node->J + 8, Y0 * spread<2>(R0) + Y1 * spread<2>(R1) + Y2 * spread<2>(R2) + Y3 * spread<2>(p));
  store(node->J + 12, Y3);
}

[[gnu::always_inline]] inline void store_axis(Kinematics* k, int dof, Pack angular, Pack linear) {
  double* axis = k->axes.data() + 8 * dof;
  store(axis, angular);
  store(axis + 4, linear);
  double* rows = k->axis_rows.data() + dof;
  const int stride = k->axis_stride;
  rows[0] = angular[0];
  rows[stride] = angular[1];
  rows[2 * stride] = angular[2];
  rows[3 * stride] = linear[0];
  rows[4 * stride] = linear[1];
  rows[5 * stride] = linear[2];
}

const Pack kPoint = {0.0, 0.0, 0.0, 1.0};

// A free node: its origin is O. Its axes never change: they are the world's, at O.
[[gnu::always_inline]] inline void place_free_node(const NodeConstants& c, const double* q, double* origin,
                                                   NodeMotion* node) {
  store_quaternion_rotation(q, node->R);
  store(node->p, kPoint);
  store(origin, Pack{q[4], q[5], q[6], 0.0} + multiply(node->R, c.p));
  place_inertia(c.pseudo_inertia, node);
}

void place_tree(const Forest& forest, const Tree& tree, double* origin, Kinematics* k) {
  Base base;
  read_base(*k, tree.kinematic_base, &base);
  alignas(32) double turn[12], turned[12];
  // The frame of the node before, most often the parent, stays in registers.
  Pack R0 = load(base.R), R1 = load(base.R + 4), R2 = load(base.R + 8), p = load(base.p);
  for (int n = tree.node_begin; n < tree.node_end; ++n) {
    const Node& info = forest.nodes[n];
    const NodeConstants& c = forest.constants[n];
    NodeMotion& node = k->nodes[n];
    const int i = info.q_begin;
    if (moves_in_world(info.kind)) {
      place_free_node(c, k->q.data() + i, origin, &node);
      R0 = load(node.R), R1 = load(node.R + 4), R2 = load(node.R + 8), p = kPoint;
      continue;
    }
    if (info.parent != n - 1 && info.parent >= 0) {
      const NodeMotion& parent = k->nodes[info.parent];
      R0 = load(parent.R), R1 = load(parent.R + 4), R2 = load(parent.R + 8), p = load(parent.p);
    }

    // The node's frame; a root is O itself.
    p += multiply(R0, R1, R2, c.p);
    switch (info.kind) {
      case NodeKind::axis: {
        const double cosine = c.turn * k->cosine[i] + (1.0 - c.turn), sine = c.turn * k->sine[i];
        const Pack x = multiply(R0, R1, R2, c.R), y = multiply(R0, R1, R2, c.R + 4);
        R2 = multiply(R0, R1, R2, c.R + 8);
        R0 = cosine * x + sine * y;
        R1 = cosine * y - sine * x;
        p += R2 * (c.slide * (k->q[i] - c.reference));
        break;
      }
      case NodeKind::ball: {
        store_quaternion_rotation(k->q.data() + i, turn);
        multiply_rotations(load(c.R), load(c.R + 4), load(c.R + 8), turn, turned);
        const Pack x = multiply(R0, R1, R2, turned), y = multiply(R0, R1, R2, turned + 4);
        R2 = multiply(R0, R1, R2, turned + 8);
        R0 = x, R1 = y;
        break;
      }
      case NodeKind::free:
        break;  // above
    }
    if (info.parent < 0) {
      store(origin, p);
      p = kPoint;
    }
    store(node.R, R0);
    store(node.R + 4, R1);
    store(node.R + 8, R2);
    store(node.p, p);

    // Its axes.
    switch (info.kind) {
      case NodeKind::axis: {
        const Pack angular = R2 * c.turn;
        store_axis(k, info.v_begin, angular, cross(p, angular) + R2 * c.slide);
        break;
      }
      case NodeKind::ball:
        store_axis(k, info.v_begin, R0, cross(p, R0));
        store_axis(k, info.v_begin + 1, R1, cross(p, R1));
        store_axis(k, info.v_begin + 2, R2, cross(p, R2));
        break;
      case NodeKind::free:
        break;  // constant
    }
    if (info.has_mass) place_inertia(c.pseudo_inertia, &node);
  }
}

// V x M for motions, as angular and linear parts.
[[gnu::always_inline]] inline void cross_motion(Pack w, Pack v, Pack mw, Pack mv, Pack* angular,
                                                Pack* linear) {
  const Pack w1 = yzx(w), v1 = yzx(v), mw1 = yzx(mw), mv1 = yzx(mv);
  *angular = yzx(w * mw1 - w1 * mw);
  *linear = yzx(w * mv1 - w1 * mv + v * mw1 - v1 * mw);
}

// The motion of the world or kinematic body that a tree is rooted at: at O, acceleration minus gravity.
void compute_base_motion(const Forest& forest, const Kinematics& k, const Tree& tree, const double* origin,
                         double* motion) {
  Pack w = zero(), v = zero(), alpha = zero();
  Pack a = {-forest.gravity[0], -forest.gravity[1], -forest.gravity[2], 0.0};
  if (tree.kinematic_base >= 0) {
    const PrescribedMotion& base = k.prescribed[tree.kinematic_base];
    const auto pack = [](const auto& x) { return Pack{x[0], x[1], x[2], 0.0}; };
    const Pack arm = load(origin) - pack(base.X_WB.p);
    const Pack velocity = pack(base.V.tail<3>());
    w = pack(base.V.head<3>());
    v = velocity + cross(w, arm);
    alpha = pack(base.A.head<3>());
    // Spatial from classical: d/dt of the field at the fixed point O.
    a += pack(base.A.tail<3>()) + cross(alpha, arm) - cross(w, velocity);
  }
  store(motion, w);
  store(motion + 4, v);
  store(motion + 8, alpha);
  store(motion + 12, a);
}

void move_free_node(const Forest& forest, const double* v, NodeMotion* node) {
  // v is that of O, which is the centre of mass; the field at the point O fixed in space changes by -w x v.
  const Pack w = {v[0], v[1], v[2], 0.0}, u = {v[3], v[4], v[5], 0.0};
  const Pack g = {forest.gravity[0], forest.gravity[1], forest.gravity[2], 0.0};
  store(node->w, w);
  store(node->v, u);
  store(node->alpha, zero());
  store(node->a, cross(u, w) - g);
}

void move_tree(const Forest& forest, const Tree& tree, const double* v, const double* base, Kinematics* k) {
  // The motion of the node before stays in registers; a node's w, v, alpha, a lie in a row, as the base's do.
  Pack w = load(base), u = load(base + 4), alpha = load(base + 8), a = load(base + 12);
  for (int n = tree.node_begin; n < tree.node_end; ++n) {
    const Node& info = forest.nodes[n];
    NodeMotion& node = k->nodes[n];
    const double* rates = v + info.v_begin;
    if (moves_in_world(info.kind)) {
      move_free_node(forest, rates, &node);
      w = load(node.w), u = load(node.v), alpha = load(node.alpha), a = load(node.a);
      continue;
    }
    if (info.parent != n - 1 && info.parent >= 0) {
      const NodeMotion& parent = k->nodes[info.parent];
      w = load(parent.w), u = load(parent.v), alpha = load(parent.alpha), a = load(parent.a);
    }
    const double* axis = k->axis(info.v_begin);
    Pack sw = load(axis) * rates[0], sv = load(axis + 4) * rates[0];
    for (int d = 1; d < info.num_v; ++d) {
      sw += load(axis + 8 * d) * rates[d];
      sv += load(axis + 8 * d + 4) * rates[d];
    }
    Pack bias_w, bias_v;
    cross_motion(w, u, sw, sv, &bias_w, &bias_v);
    w += sw, u += sv, alpha += bias_w, a += bias_v;
    store(node.w, w);
    store(node.v, u);
    store(node.alpha, alpha);
    store(node.a, a);
  }
}

Vec3 vec3(const double* p) { return Vec3(p[0], p[1], p[2]); }
Mat3 mat3(const double* c) {
  Mat3 M;
  M << c[0], c[4], c[8], c[1], c[5], c[9], c[2], c[6], c[10];
  return M;
}

}  // namespace

Kinematics::Kinematics(const Forest& forest)
    : nodes(forest.nodes.size()),
      axes(8 * forest.num_v),
      axis_stride(padded(forest.num_v + 3)),
      origins(4 * forest.trees.size()),
      bases(16 * forest.trees.size()),
      prescribed(forest.kinematic_bodies.size()) {
  axis_rows.resize(6 * axis_stride);
  for (AlignedVector<double>* work : {&q, &sine, &cosine}) work->resize(padded(forest.num_q + 3));
  for (size_t b = 0; b < prescribed.size(); ++b)
    prescribed[b].X_WB = forest.bodies[forest.kinematic_bodies[b]].X_PB;
  for (const Node& node : forest.nodes) {
    if (!moves_in_world(node.kind)) continue;
    for (int d = 0; d < 3; ++d) {
      Pack unit = zero();
      unit[d] = 1.0;
      store_axis(this, node.v_begin + d, unit, zero());
      store_axis(this, node.v_begin + 3 + d, zero(), unit);
    }
  }
}

void compute_positions(const Forest& forest, const double* q, Kinematics* kinematics) {
  // Sines and cosines of every q of the articulated trees; those of quaternions and slides are not used. They
  // are taken of a padded copy, which may be read in whole packs.
  Kinematics& k = *kinematics;
  for (const DofRange& run : forest.articulated_q) {
    for (int i = run.begin; i < run.begin + run.count; ++i) k.q[i] = q[i];
    sincos(k.q.data() + run.begin, run.count, k.sine.data() + run.begin, k.cosine.data() + run.begin);
  }
  double* origin = kinematics->origins.data();
  for (const Tree& tree : forest.trees) {
    if (tree.is_free_body) {
      place_free_node(forest.constants[tree.node_begin], q + tree.q_begin, origin,
                      &kinematics->nodes[tree.node_begin]);
    } else {
      place_tree(forest, tree, origin, kinematics);
    }
    origin += 4;
  }
}

void compute_velocities(const Forest& forest, const double* v, Kinematics* kinematics) {
  for (size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    if (tree.is_free_body) {
      move_free_node(forest, v + tree.v_begin, &kinematics->nodes[tree.node_begin]);
    } else {
      double* base = kinematics->bases.data() + 16 * t;
      compute_base_motion(forest, *kinematics, tree, kinematics->origins.data() + 4 * t, base);
      move_tree(forest, tree, v, base, kinematics);
    }
  }
}

Pose body_pose(const Forest& forest, const Kinematics& kinematics, int body) {
  const BodyPlace& place = forest.places[body];
  if (place.kinematic >= 0) return kinematics.prescribed[place.kinematic].X_WB * place.X_NB;
  if (place.node < 0) return place.X_NB;
  const NodeMotion& node = kinematics.nodes[place.node];
  const Vec3 origin = vec3(kinematics.origins.data() + 4 * forest.nodes[place.node].tree);
  return Pose{mat3(node.R), origin + vec3(node.p)} * place.X_NB;
}

// The velocity or acceleration fields of a body's node at O, and O.
namespace {
struct Fields {
  Vec3 O = Vec3::Zero(), w = Vec3::Zero(), v = Vec3::Zero(), alpha = Vec3::Zero(), a = Vec3::Zero();
};

Fields fields_of(const Forest& forest, const Kinematics& kinematics, int body) {
  Fields f;
  const BodyPlace& place = forest.places[body];
  if (place.kinematic >= 0) {
    const PrescribedMotion& base = kinematics.prescribed[place.kinematic];
    f.O = base.X_WB.p;
    f.w = base.V.head<3>();
    f.v = base.V.tail<3>();
    f.alpha = base.A.head<3>();
    f.a = base.A.tail<3>() - f.w.cross(f.v);
  } else if (place.node >= 0) {
    const NodeMotion& node = kinematics.nodes[place.node];
    f.O = vec3(kinematics.origins.data() + 4 * forest.nodes[place.node].tree);
    f.w = vec3(node.w);
    f.v = vec3(node.v);
    f.alpha = vec3(node.alpha);
    f.a = vec3(node.a) + forest.gravity;
  }
  return f;
}

Vec3 velocity_at(const Fields& f, const Vec3& p_W) { return f.v + f.w.cross(p_W - f.O); }
// Classical acceleration of a material point: rate of the field at the point plus w x velocity.
Vec3 acceleration_at(const Fields& f, const Vec3& p_W) {
  return f.a + f.alpha.cross(p_W - f.O) + f.w.cross(velocity_at(f, p_W));
}
}  // namespace

Vec6 body_velocity(const Forest& forest, const Kinematics& kinematics, int body) {
  const Fields f = fields_of(forest, kinematics, body);
  return stack<double>(f.w, velocity_at(f, body_pose(forest, kinematics, body).p));
}

Vec3 point_velocity(const Forest& forest, const Kinematics& kinematics, int body, const Vec3& p_W) {
  return velocity_at(fields_of(forest, kinematics, body), p_W);
}

Vec6 body_bias_acceleration(const Forest& forest, const Kinematics& kinematics, int body) {
  const Fields f = fields_of(forest, kinematics, body);
  return stack<double>(f.alpha, acceleration_at(f, body_pose(forest, kinematics, body).p));
}

Vec6 body_acceleration(const Forest& forest, const Kinematics& kinematics, const double* vdot, int body) {
  Fields f = fields_of(forest, kinematics, body);
  for (int n = forest.places[body].node; n >= 0; n = forest.nodes[n].parent) {
    for (int d = 0; d < forest.nodes[n].num_v; ++d) {
      const double* axis = kinematics.axis(forest.nodes[n].v_begin + d);
      f.alpha += vec3(axis) * vdot[forest.nodes[n].v_begin + d];
      f.a += vec3(axis + 4) * vdot[forest.nodes[n].v_begin + d];
    }
  }
  return stack<double>(f.alpha, acceleration_at(f, body_pose(forest, kinematics, body).p));
}

void compute_body_poses(const Forest& forest, const Kinematics& kinematics, AlignedVector<double>* poses) {
  poses->resize(16 * forest.bodies.size());
  double* out = poses->data();
  for (size_t b = 0; b < forest.bodies.size(); ++b, out += 16) {
    const BodyPlace& place = forest.places[b];
    if (place.node >= 0) {
      const NodeMotion& node = kinematics.nodes[place.node];
      const double* R = place.X_NB.R.data();
      const Pack R0 = load(node.R), R1 = load(node.R + 4), R2 = load(node.R + 8);
      for (int c = 0; c < 3; ++c) store(out + 4 * c, multiply(R0, R1, R2, R + 3 * c));
      store(out + 12, load(kinematics.origins.data() + 4 * forest.nodes[place.node].tree) + load(node.p) +
                          multiply(R0, R1, R2, place.X_NB.p.data()));
    } else {
      const Pose X = body_pose(forest, kinematics, static_cast<int>(b));
      for (int c = 0; c < 3; ++c) store(out + 4 * c, Pack{X.R(0, c), X.R(1, c), X.R(2, c), 0.0});
      store(out + 12, Pack{X.p[0], X.p[1], X.p[2], 0.0});
    }
  }
}

}  // namespace stiction
