#include "stiction/simulation/assemble.h"

#include <cmath>
#include <cstring>

#include <Eigen/LU>

namespace stiction {
namespace {

void set_trees(const Forest& forest, ContactProblem* problem) {
  if (problem->trees.size() == forest.trees.size()) return;
  std::vector<ProblemTree> trees;
  for (const Tree& tree : forest.trees) {
    ProblemTree out;
    out.num_v = tree.num_v();
    out.is_free_body = tree.is_free_body;
    trees.push_back(out);
  }
  problem->set_trees(trees);
}

// The problem's body for a node, made at its first touch.
int touched_body(const Forest& forest, const Kinematics& kinematics, int node, ContactRecord* c) {
  if (node < 0) return 0;
  if (c->body_of_node[node] > 0) return c->body_of_node[node];
  ContactProblem& problem = c->problem;
  ProblemBody body;
  body.tree = forest.nodes[node].tree;
  body.column_begin = static_cast<int>(problem.column_dofs.size());
  const Tree& tree = forest.trees[body.tree];
  if (!tree.is_free_body) {
    for (int at = node; at >= 0; at = forest.nodes[at].parent) {
      for (int d = forest.nodes[at].v_begin; d < forest.nodes[at].v_begin + forest.nodes[at].num_v; ++d) {
        problem.columns.insert(problem.columns.end(), kinematics.axis(d), kinematics.axis(d) + 8);
        problem.column_dofs.push_back(d - tree.v_begin);
      }
    }
    body.columns = static_cast<int>(problem.column_dofs.size()) - body.column_begin;
  }
  problem.bodies.push_back(body);
  c->nodes.push_back(node);
  return c->body_of_node[node] = static_cast<int>(problem.bodies.size()) - 1;
}

void set_A(const Forest& forest, const StepRecord& r, int t, ContactProblem* problem) {
  const Tree& tree = forest.trees[t];
  double* A = problem->A_of(t);
  const int n = tree.num_v();
  if (tree.is_free_body) {
    std::memset(A, 0, 48 * sizeof(double));
  } else {
    std::memset(A, 0, static_cast<std::size_t>(n) * n * sizeof(double));
  }
  for (int d = tree.v_begin; d < tree.v_end; ++d) {
    const Dof& dof = forest.dofs[d];
    const double* row = r.mass.rows.data() + dof.row;
    const int* ancestors = forest.ancestor_dofs.data() + dof.ancestors;
    for (int k = 0; k <= dof.depth; ++k) {
      const int i = d - tree.v_begin, j = (k < dof.depth ? ancestors[k] : d) - tree.v_begin;
      const double entry = row[k] + (k == dof.depth ? r.added_diagonal[d] : 0.0);
      if (tree.is_free_body) {
        A[8 * j + (i < 3 ? i : i + 1)] = entry;
        A[8 * i + (j < 3 ? j : j + 1)] = entry;
      } else {
        A[j * n + i] = A[i * n + j] = entry;
      }
    }
  }
}

// The 6x6 matrix that turns a wrench at O into the velocity it makes, trees seen one velocity at a time:
// sum of S S'/A_dd, exact for a free body.
Mat6 mobility(const Forest& forest, const ContactProblem& problem, const ProblemBody& body) {
  const double* A = problem.A_of(body.tree);
  Mat6 Y = Mat6::Zero();
  if (forest.trees[body.tree].is_free_body) {
    Mat3 I;
    for (int c = 0; c < 3; ++c) I.col(c) = Eigen::Map<const Vec3>(A + 8 * c);
    Y.topLeftCorner<3, 3>() = I.inverse();
    for (int i = 3; i < 6; ++i) Y(i, i) = 1.0 / A[8 * i + i + 1];
    return Y;
  }
  const int n = problem.trees[body.tree].num_v;
  for (int c = body.column_begin; c < body.column_begin + body.columns; ++c) {
    const double* S = problem.columns.data() + 8 * c;
    Vec6 s;
    s << S[0], S[1], S[2], S[4], S[5], S[6];
    const int d = problem.column_dofs[c];
    Y.noalias() += s * s.transpose() / A[d * n + d];
  }
  return Y;
}

// J Y J' at the arm r: the velocity of the point per impulse there.
Mat3 point_mobility(const Mat6& Y, const Vec3& r) {
  const Mat3 R = skew<double>(r);
  const Mat3 C = Y.bottomLeftCorner<3, 3>() * R;  // velocity from moment
  return Y.bottomRightCorner<3, 3>() - R * Y.topLeftCorner<3, 3>() * R + C + C.transpose();
}

// Velocity of a moving surface against its body, in W.
Vec3 surface_velocity(const Model& model, const StepRecord& r, int item) {
  if (r.contact.surface_velocities.empty()) return Vec3::Zero();
  const Vec3& v_B = r.contact.surface_velocities[item];
  if (v_B.isZero()) return Vec3::Zero();
  const CollisionRecord& collision = r.collision;
  const PlacedShape& shape = model.shapes[collision.model->items[item].shape];
  return collision.motions[item].X_WS.R * (shape.X_BS.R.transpose() * v_B);
}

// Velocity at p of a kinematic body; -1 is none.
Vec3 prescribed_velocity(const Kinematics& kinematics, int kinematic, const Vec3& p) {
  if (kinematic < 0) return Vec3::Zero();
  const PrescribedMotion& motion = kinematics.prescribed[kinematic];
  const Vec3 w = motion.V.head<3>();
  return motion.V.tail<3>() + w.cross(p - motion.X_WB.p);
}

// Velocity at p of what the node's tree hangs on: the part of the node's velocity that is not J v.
Vec3 base_velocity(const Forest& forest, const Kinematics& kinematics, int node, const Vec3& p) {
  return node < 0 ? Vec3(Vec3::Zero())
                  : prescribed_velocity(kinematics, forest.trees[forest.nodes[node].tree].kinematic_base, p);
}

Vec3 field_at(const NodeMotion& node, const Vec3& r) {
  const Vec3 w = Eigen::Map<const Vec3>(node.w);
  return Eigen::Map<const Vec3>(node.v) + w.cross(r);
}

void put(const Vec3& x, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
  to[3] = 0.0;
}

}  // namespace

void assemble_problem(const Model& model, const State& now, const ContactOptions& options, StepRecord* r) {
  const Forest& forest = model.forest;
  const Kinematics& kinematics = r->kinematics;
  const CollisionRecord& collision = r->collision;
  ContactRecord& c = r->contact;
  ContactProblem& problem = c.problem;

  // Who is touched, and by how many points?
  problem.h = r->h;
  problem.law = options.law;
  problem.elasticity = options.elasticity;
  set_trees(forest, &problem);
  problem.v_free = r->v_free;
  problem.v_start = now.v;
  problem.bodies.clear();
  problem.columns.clear();
  problem.column_dofs.clear();
  problem.bodies.emplace_back();
  c.nodes.assign(1, -1);
  c.body_of_node.assign(forest.nodes.size(), 0);
  c.plans.clear();
  c.places.clear();
  for (const ShapePair& pair : collision.pairs) {
    PairPlace place;
    PatchPlan plan;
    plan.points = pair.end - pair.begin;
    if (plan.points > 0) {
      const CollisionItem &A = collision.model->items[pair.item_A], &B = collision.model->items[pair.item_B];
      plan.a = touched_body(forest, kinematics, A.node, &c);
      plan.b = touched_body(forest, kinematics, B.node, &c);
      place.is_swapped = plan.b == 0;
      if (place.is_swapped) std::swap(plan.a, plan.b);
      if (plan.b == 0) plan.points = 0;
    }
    c.plans.push_back(plan);
    c.places.push_back(place);
  }
  problem.set_patches(c.plans);

  // Inertia of what is touched.
  for (const int t : problem.island_trees) set_A(forest, *r, t, &problem);
  c.mobilities.resize(problem.bodies.size());
  for (std::size_t b = 1; b < problem.bodies.size(); ++b)
    c.mobilities[b] = mobility(forest, problem, problem.bodies[b]);

  // The points.
  c.near_rigid_points = 0;
  c.inverse_masses.resize(problem.frames.size());
  c.materials.resize(collision.pairs.size());
  for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
    const int index = problem.patch_of_plan[k];
    if (index < 0) continue;
    const ShapePair& pair = collision.pairs[k];
    const Patch& patch = problem.patches[index];
    c.places[k].begin = patch.begin;
    const double sign = c.places[k].is_swapped ? -1.0 : 1.0;
    const int index_a = c.places[k].is_swapped ? pair.item_B : pair.item_A;
    const int index_b = c.places[k].is_swapped ? pair.item_A : pair.item_B;
    const CollisionItem& item_a = collision.model->items[index_a];
    const Vec3 belt = surface_velocity(model, *r, index_b) - surface_velocity(model, *r, index_a);
    const int node_a = c.nodes[patch.a], node_b = c.nodes[patch.b];
    const Vec3 O_b = Eigen::Map<const Vec3>(kinematics.origins.data() + 4 * forest.nodes[node_b].tree);
    const Vec3 O_a =
        node_a < 0 ? O_b
                   : Vec3(Eigen::Map<const Vec3>(kinematics.origins.data() + 4 * forest.nodes[node_a].tree));
    const PairMaterial& pair_material = c.materials[k] = c.model->pair(pair.item_A, pair.item_B);
    PointMaterial<double> material;
    const bool is_hertz = options.law != LawKind::sap && options.elasticity == Elasticity::hertz;
    material.stiffness = is_hertz ? pair_material.hertz_stiffness : pair_material.stiffness;
    material.dissipation = pair_material.dissipation;
    material.relaxation_time = pair_material.relaxation_time < 0.0 ? r->h : pair_material.relaxation_time;
    for (int p = patch.begin; p < patch.end; ++p) {
      const ContactPoint& point = collision.points[pair.begin + p - patch.begin];
      const Vec3 at = point.p_A + 0.5 * point.distance * point.normal;
      const Vec3 n = sign * point.normal, r_a = at - O_a, r_b = at - O_b;
      const Vec3 outside = belt - prescribed_velocity(kinematics, item_a.kinematic, at);
      const Vec3 bias = outside + base_velocity(forest, kinematics, node_b, at) -
                        base_velocity(forest, kinematics, node_a, at);
      PointFrame& frame = problem.frames[p];
      put(r_a, frame.r_A);
      put(r_b, frame.r_B);
      put(n, frame.n);
      put(bias, frame.bias);

      Vec3 velocity = field_at(kinematics.nodes[node_b], r_b) + outside;
      // Each body at its own surface: half way to a speculative point far away is no arm of it.
      const Vec3 to_surface = 0.5 * point.distance * n;
      Mat3 W = point_mobility(c.mobilities[patch.b], r_b + to_surface);
      if (node_a >= 0) {
        velocity -= field_at(kinematics.nodes[node_a], r_a);
        W += point_mobility(c.mobilities[patch.a], r_a - to_surface);
      }
      PointState<double> state;
      state.distance = point.distance;
      state.weight = point.weight;
      state.vn0 = n.dot(velocity);
      const double slip = (velocity - state.vn0 * n).norm();
      material.friction = blended_friction(pair_material, slip, options.v_s);
      const double w = W.norm() / 3.0;
      c.inverse_masses[p] = w;
      const PointRow<double> row = contact_row(options, r->h, state, material, w);
      c.near_rigid_points += row.is_near_rigid;
      for (int i = 0; i < kLawNumbers; ++i) problem.law_numbers[i][p] = row.numbers.x[i];
    }
  }
}

}  // namespace stiction
