#include "stiction/simulation/scheme/geometric/island_motion.h"

#include <cmath>

#include "stiction/multibody/positions.h"

namespace stiction {
namespace {

Eigen::Map<const Vec3> vec3(const double* p) { return Eigen::Map<const Vec3>(p); }

Mat3 rotation_of(const NodeMotion& node) { return Eigen::Map<const Mat3, 0, Eigen::OuterStride<4>>(node.R); }

}  // namespace

Pose pose_after(const PrescribedMotion& motion, double h) {
  const Vec3 w = motion.V.head<3>(), v = motion.V.tail<3>();
  return {rotation_exp<double>(h * w) * motion.X_WB.R, motion.X_WB.p + h * v};
}

Mat3 left_jacobian(const Vec3& r) {
  const double t2 = r.squaredNorm(), t = std::sqrt(t2);
  double b, c;  // (1 - cos t)/t^2, (t - sin t)/t^3
  if (t < kSmallAngle) {
    b = 0.5 - t2 / 24.0 + t2 * t2 / 720.0;
    c = 1.0 / 6.0 - t2 / 120.0 + t2 * t2 / 5040.0;
  } else {
    b = (1.0 - std::cos(t)) / t2;
    c = (t - std::sin(t)) / (t2 * t);
  }
  const Mat3 K = skew(r);
  return Mat3::Identity() + b * K + c * K * K;
}

void IslandMotion::begin(const Forest& forest, const Kinematics& start, const VecX& q0, const VecX& v_else,
                         double h, Kinematics* at_end) {
  forest_ = &forest;
  start_ = &start;
  end_ = at_end;
  q0_ = &q0;
  h_ = h;
  v_ = v_else;
  q_.resize(q0.size());
  has_joints_ = false;
  num_v = 0;
  trees.clear();
  // Reuse the first body first, so that its matrices keep their sizes.
  for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) spare_.push_back(std::move(*body));
  bodies.clear();
  for (std::size_t b = 0; b < start.prescribed.size(); ++b) {
    end_->prescribed[b] = start.prescribed[b];
    end_->prescribed[b].X_WB = pose_after(start.prescribed[b], h);
  }
}

int IslandMotion::add_tree(int tree) {
  const Tree& of = forest_->trees[tree];
  IslandTree out;
  out.tree = tree;
  out.begin = num_v;
  out.size = of.num_v();
  out.is_free_body = of.is_free_body;
  if (of.is_free_body) {
    out.c0 = vec3(start_->origins.data() + 4 * tree);
    out.R0 = rotation_of(start_->nodes[of.node_begin]);
  } else {
    has_joints_ = true;
  }
  num_v += out.size;
  trees.push_back(out);
  return static_cast<int>(trees.size()) - 1;
}

int IslandMotion::add_body(int node, int kinematic) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].node == node && bodies[b].kinematic == kinematic) return static_cast<int>(b);
  IslandBody body;
  if (!spare_.empty()) {
    body = std::move(spare_.back());
    spare_.pop_back();
  }
  body.node = node;
  body.kinematic = kinematic;
  body.tree = -1;
  body.state = {};
  body.dofs.clear();
  if (node >= 0) {
    const int tree = forest_->nodes[node].tree;
    for (std::size_t t = 0; t < trees.size(); ++t)
      if (trees[t].tree == tree) body.tree = static_cast<int>(t);
    if (!forest_->trees[tree].is_free_body) {
      for (int at = node; at >= 0; at = forest_->nodes[at].parent)
        for (int k = 0; k < forest_->nodes[at].num_v; ++k)
          body.dofs.push_back(forest_->nodes[at].v_begin + k - forest_->trees[tree].v_begin);
      body.axes.resize(6, static_cast<Eigen::Index>(body.dofs.size()));
    }
  } else if (kinematic >= 0) {
    body.state.X = end_->prescribed[kinematic].X_WB;
    body.state.w = start_->prescribed[kinematic].V.head<3>();
    body.state.v = start_->prescribed[kinematic].V.tail<3>();
  }
  bodies.push_back(std::move(body));
  return static_cast<int>(bodies.size()) - 1;
}

void IslandMotion::move(const double* v, bool with_derivatives) {
  if (has_joints_) {
    for (const IslandTree& tree : trees)
      for (int i = 0; i < tree.size; ++i) v_[forest_->trees[tree.tree].v_begin + i] = v[tree.begin + i];
    integrate_positions(*forest_, q0_->data(), v_.data(), h_, q_.data());
    compute_positions(*forest_, q_.data(), end_);
  }
  for (IslandTree& tree : trees)
    if (tree.is_free_body && with_derivatives) tree.turn = h_ * left_jacobian(h_ * vec3(v + tree.begin));
  for (IslandBody& body : bodies) {
    if (body.tree < 0) continue;
    const IslandTree& tree = trees[body.tree];
    if (tree.is_free_body) {
      const Vec3 w = vec3(v + tree.begin), speed = vec3(v + tree.begin + 3);
      body.state.X.R = rotation_exp<double>(h_ * w) * tree.R0;
      body.state.X.p = tree.c0 + h_ * speed;
      body.state.w = w;
      body.state.v = speed;
      continue;
    }
    set_chain(&body);
    if (with_derivatives) set_derivatives(v + tree.begin, &body);
  }
}

// Pose, axes and velocity of a body of a tree.
void IslandMotion::set_chain(IslandBody* body) const {
  const int tree = trees[body->tree].tree, v_begin = forest_->trees[tree].v_begin;
  const NodeMotion& node = end_->nodes[body->node];
  const Vec3 O = vec3(end_->origins.data() + 4 * tree), arm = vec3(node.p);
  body->state.X = {rotation_of(node), O + arm};
  Vec6 V = Vec6::Zero();
  const int base = forest_->trees[tree].kinematic_base;
  if (base >= 0) {
    const PrescribedMotion& motion = end_->prescribed[base];
    const Vec3 w = motion.V.head<3>(), v = motion.V.tail<3>();
    V = stack<double>(w, v + w.cross(body->state.X.p - motion.X_WB.p));
  }
  for (std::size_t k = 0; k < body->dofs.size(); ++k) {
    const double* S = end_->axis(v_begin + body->dofs[k]);
    const Vec3 w = vec3(S), v = vec3(S + 4) + w.cross(arm);
    body->axes.col(static_cast<Eigen::Index>(k)) = stack<double>(w, v);
    V += v_[v_begin + body->dofs[k]] * stack<double>(w, v);
  }
  body->state.w = V.head<3>();
  body->state.v = V.tail<3>();
}

// Derivative of the axis of the d-th velocity between root and body, at a fixed point, by the e-th one.
Vec6 IslandMotion::axis_change(const IslandBody& body, int d, int e) const {
  const int v_begin = forest_->trees[trees[body.tree].tree].v_begin;
  const int node_d = forest_->dofs[v_begin + body.dofs[d]].node,
            node_e = forest_->dofs[v_begin + body.dofs[e]].node;
  // Velocities are listed from the body to the root.
  if (node_d != node_e && node_e > node_d) return Vec6::Zero();
  const Vec6 S_d = body.axes.col(d), S_e = body.axes.col(e);
  if (node_d == node_e && forest_->nodes[node_d].kind == NodeKind::free) {
    // World axes through the centre of mass: they change as it moves, and only the rotational ones do.
    const int i = v_begin + body.dofs[d] - forest_->nodes[node_d].v_begin,
              j = v_begin + body.dofs[e] - forest_->nodes[node_d].v_begin;
    if (i >= 3 || j < 3) return Vec6::Zero();
    return stack<double>(Vec3::Zero(), S_e.tail<3>().cross(S_d.head<3>()));
  }
  return cross_motion<double>(S_e, S_d);
}

void IslandMotion::set_derivatives(const double* v, IslandBody* body) const {
  const IslandTree& tree = trees[body->tree];
  const int v_begin = forest_->trees[tree.tree].v_begin, count = static_cast<int>(body->dofs.size());
  body->d_pose.setZero(6, tree.size);
  body->d_velocity.setZero(6, tree.size);
  // By dxi first.
  for (int k = 0; k < count; ++k) {
    body->d_pose.col(body->dofs[k]) = body->axes.col(k);
    Vec6 change = Vec6::Zero();
    for (int d = 0; d < count; ++d) change += v[body->dofs[d]] * axis_change(*body, d, k);
    // The velocity is that of the body's origin, which moves with it.
    const Vec3 step = body->axes.col(k).tail<3>();
    change.tail<3>() += body->state.w.cross(step);
    body->d_velocity.col(body->dofs[k]) = change;
  }
  // Then by dv.
  for (int at = body->node; at >= 0; at = forest_->nodes[at].parent) {
    const Node& node = forest_->nodes[at];
    const int first = node.v_begin - v_begin;
    if (node.kind != NodeKind::axis) {
      const Vec3 turn = h_ * vec3(v + first);
      const Mat3 J = left_jacobian(node.kind == NodeKind::ball ? Vec3(-turn) : turn);
      body->d_pose.middleCols<3>(first) = (body->d_pose.middleCols<3>(first) * J).eval();
      body->d_velocity.middleCols<3>(first) = (body->d_velocity.middleCols<3>(first) * J).eval();
    }
    body->d_pose.middleCols(first, node.num_v) *= h_;
    body->d_velocity.middleCols(first, node.num_v) *= h_;
  }
  for (int k = 0; k < count; ++k) body->d_velocity.col(body->dofs[k]) += body->axes.col(k);
}

void IslandMotion::add_force(const IslandBody& body, const Vec6& impulse, double* tau) const {
  if (body.tree < 0) return;
  if (trees[body.tree].is_free_body) {
    for (int i = 0; i < 6; ++i) tau[i] += impulse[i];
    return;
  }
  for (std::size_t k = 0; k < body.dofs.size(); ++k)
    tau[body.dofs[k]] += body.axes.col(static_cast<Eigen::Index>(k)).dot(impulse);
}

void IslandMotion::add_force_change(const IslandBody& body, const Vec6& impulse, Eigen::Map<MatX>* D) const {
  if (body.tree < 0 || trees[body.tree].is_free_body) return;
  const int count = static_cast<int>(body.dofs.size());
  const int v_begin = forest_->trees[trees[body.tree].tree].v_begin;
  const Vec3 force = impulse.tail<3>();
  // Row d: S_d . (dp x f, 0) as the point of the moment moves, and dS_d . impulse. By dxi, then by dv.
  row_.resize(static_cast<std::size_t>(trees[body.tree].size));
  Eigen::Map<Eigen::Matrix<double, 1, Eigen::Dynamic>> row(row_.data(), trees[body.tree].size);
  const double* v = v_.data() + v_begin;
  for (int d = 0; d < count; ++d) {
    row.setZero();
    for (int e = 0; e < count; ++e) row[body.dofs[e]] = axis_change(body, d, e).dot(impulse);
    for (int at = body.node; at >= 0; at = forest_->nodes[at].parent) {
      const Node& node = forest_->nodes[at];
      const int first = node.v_begin - v_begin;
      if (node.kind != NodeKind::axis) {
        const Vec3 turn = h_ * vec3(v + first);
        const Mat3 J = left_jacobian(node.kind == NodeKind::ball ? Vec3(-turn) : turn);
        row.segment<3>(first) = (row.segment<3>(first) * J).eval();
      }
      row.segment(first, node.num_v) *= h_;
    }
    const Vec3 turn = body.axes.col(d).head<3>();
    row += force.cross(turn).transpose().lazyProduct(body.d_pose.bottomRows<3>());
    D->row(body.dofs[d]) += row;
  }
}

}  // namespace stiction
