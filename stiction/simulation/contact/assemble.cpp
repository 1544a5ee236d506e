#include "stiction/simulation/contact/assemble.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stiction/constraint/attached_frame.h"
#include "stiction/math/cholesky_structure.h"
#include "stiction/math/simd.h"
#include "stiction/simulation/contact/floating_mobility.h"
#include "stiction/simulation/contact/mujoco_points.h"
#include "stiction/simulation/contact/surface_velocity.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

// Guesses of v at the end of the step: acceleration as in the last step, or extrapolated from the last two.
void set_guesses(const AssembleInputs& now, ContactProblem* problem) {
  const double h = now.h;
  const auto n = now.v.size();
  const bool remembers = now.acceleration.size() == n && now.last_acceleration.size() == n;
  problem->v_guesses.resize(remembers ? 2 : 0);
  if (!remembers) return;
  problem->v_guesses[1] = now.v + h * now.acceleration;
  problem->v_guesses[0] = now.v + h * (2.0 * now.acceleration - now.last_acceleration);
}

// The problem's body of a node in contact; bodies are in the order of their nodes.
void add_body(const Forest& forest, const Kinematics& kinematics, int node, ContactWorkspace* c,
              ContactProblem* to) {
  ContactProblem& problem = *to;
  ProblemBody body;
  body.tree = forest.nodes[node].tree;
  body.column_begin = static_cast<int>(problem.column_dofs.size());
  const Tree& tree = forest.trees[body.tree];
  if (!tree.is_free_body) {
    for (int at = node; at >= 0; at = forest.nodes[at].parent) body.columns += forest.nodes[at].num_v;
    const std::size_t end = static_cast<std::size_t>(body.column_begin + body.columns);
    problem.columns.resize(8 * end);
    problem.column_dofs.resize(end);
    double* column = problem.columns.data() + 8 * body.column_begin;
    int* dof = problem.column_dofs.data() + body.column_begin;
    for (int at = node; at >= 0; at = forest.nodes[at].parent) {
      for (int d = forest.nodes[at].v_begin; d < forest.nodes[at].v_begin + forest.nodes[at].num_v; ++d) {
        std::memcpy(column, kinematics.axis(d), 8 * sizeof(double));
        *dof++ = d - tree.v_begin;
        column += 8;
      }
    }
    for (int at = forest.nodes[node].parent; at >= 0 && body.parent == 0; at = forest.nodes[at].parent)
      body.parent = std::max(c->body_of_node[at], 0);
  }
  c->body_of_node[node] = static_cast<int>(problem.bodies.size());
  problem.bodies.push_back(body);
  c->nodes.push_back(node);
}

void set_A(const Forest& forest, const AssembleInputs& r, int t, ContactProblem* problem) {
  const Tree& tree = forest.trees[t];
  double* A = problem->A_of(t);
  const double* rows = r.mass.rows.data();
  if (tree.is_free_body) {
    // All velocities before a velocity are its ancestors.
    std::memset(A, 0, 48 * sizeof(double));
    for (int i = 0; i < 6; ++i) {
      const double* row = rows + forest.dofs[tree.v_begin + i].row;
      for (int j = 0; j <= i; ++j) A[8 * j + lane_of(i)] = A[8 * i + lane_of(j)] = row[j];
      A[8 * i + lane_of(i)] += r.added_diagonal[tree.v_begin + i];
    }
    return;
  }
  const int n = tree.num_v();
  std::memset(A, 0, static_cast<std::size_t>(n) * n * sizeof(double));
  for (int d = tree.v_begin; d < tree.v_end; ++d) {
    const Dof& dof = forest.dofs[d];
    const int* ancestors = forest.ancestor_dofs.data() + dof.ancestors;
    const int i = d - tree.v_begin;
    for (int k = 0; k < dof.depth; ++k) {
      const int j = ancestors[k] - tree.v_begin;
      A[j * n + i] = A[i * n + j] = rows[dof.row + k];
    }
    A[i * n + i] = rows[dof.row + dof.depth] + r.added_diagonal[d];
  }
}

// Velocity at p of a kinematic body; -1 is none.
Vec3 prescribed_velocity(const Kinematics& kinematics, int kinematic, const Vec3& p) {
  return kinematic < 0 ? Vec3(Vec3::Zero())
                       : Vec3(velocity_at(kinematics.prescribed[kinematic], p).tail<3>());
}

// Velocity at p of the kinematic base of the node's tree: the part of the node's velocity that is not J v.
Vec3 base_velocity(const Forest& forest, const Kinematics& kinematics, int node, const Vec3& p) {
  return node < 0 ? Vec3(Vec3::Zero())
                  : prescribed_velocity(kinematics, forest.trees[forest.nodes[node].tree].kinematic_base, p);
}

// Angular velocity of a kinematic body; -1 is none.
Vec3 prescribed_angular_velocity(const Kinematics& kinematics, int kinematic) {
  return kinematic < 0 ? Vec3(Vec3::Zero()) : Vec3(kinematics.prescribed[kinematic].V.head<3>());
}

Vec3 base_angular_velocity(const Forest& forest, const Kinematics& kinematics, int node) {
  return node < 0
             ? Vec3(Vec3::Zero())
             : prescribed_angular_velocity(kinematics, forest.trees[forest.nodes[node].tree].kinematic_base);
}

bool has_kinematic_base(const Forest& forest, int node) {
  return node >= 0 && forest.trees[forest.nodes[node].tree].kinematic_base >= 0;
}

using simd::Pack;

Pack pack(const Vec3& x) { return Pack{x[0], x[1], x[2], 0.0}; }

// Angular velocity of a node; -1: none.
Vec3 angular_velocity(const Kinematics& kinematics, int node) {
  if (node < 0) return Vec3::Zero();
  const double* w = kinematics.nodes[node].w;
  return Vec3(w[0], w[1], w[2]);
}

// Velocity of a node at the arm r.
Pack field_at(const NodeMotion& node, Pack r) {
  return simd::load(node.v) + simd::cross(simd::load(node.w), r);
}

// |W|^2.
double square_of(const Pack W[3]) { return simd::sum(W[0] * W[0] + W[1] * W[1] + W[2] * W[2]); }

// Two bodies of one tree may hardly move relative to each other. Their inverse mass counts as no less than
// this share of what it would be in two trees, so that round-off does not decide.
constexpr double kLeastShare = 1e-6;

// Friction tensors of pairs with anisotropic friction.
void set_friction_tensors(const CollisionRecord& collision, ContactRecord* c) {
  ContactProblem& problem = c->problem;
  problem.friction_tensors.assign(problem.frames.size(), FrictionTensor{});
  for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
    const int index = problem.patch_of_plan[k];
    if (index < 0) continue;
    const PairMaterial& material = c->materials[k];
    const int item =
        material.friction_direction_side == 2 ? collision.pairs[k].item_B : collision.pairs[k].item_A;
    const Vec3 along = collision.motions[item].X_WS.R * material.friction_direction;
    const Patch& patch = problem.patches[index];
    for (int p = patch.begin; p < patch.end; ++p) {
      const Vec3 n = Eigen::Map<const Vec3>(problem.frames[p].n);
      problem.friction_tensors[p] = friction_tensor(n, along, 1.0, material.anisotropy_ratio);
    }
  }
}

// What the points of a pressure patch share.
struct PatchSums {
  double pressed = 0.0, all = 0.0;  // N/m, stiffness of the points with pressure, and of all
  Vec3 centre = Vec3::Zero();       // m, of the pressed ones; of all if there are none

  // Of one of them in the patch, so that those of its pressed points add up to 1.
  double share(const PressurePoint& point) const {
    return point.stiffness / (point.pressure > 0.0 ? pressed : all);
  }
};

PatchSums sums_of(const PressurePoint* begin, const PressurePoint* end) {
  PatchSums sums;
  Vec3 all = Vec3::Zero(), pressed = Vec3::Zero();
  for (const PressurePoint* point = begin; point != end; ++point) {
    sums.all += point->stiffness;
    all += point->stiffness * point->p;
    if (!(point->pressure > 0.0)) continue;
    sums.pressed += point->stiffness;
    pressed += point->stiffness * point->p;
  }
  sums.centre = sums.pressed > 0.0 ? Vec3(pressed / sums.pressed) : Vec3(all / sums.all);
  return sums;
}

// What a patch does not take from its material: its own extent resists spinning, and its force is that of the fields.
void adapt_to_patch(PairMaterial* material) {
  material->torsional_friction = 0.0;
  material->table = -1;
}

// Forgets the materials of other tables or another step, and makes room for this many pairs.
void prepare(const Model& model, double stiffness_step, std::size_t num_pairs, PairMaterialMemory* memory) {
  if (memory->tables.get() != &model.tables() || memory->stiffness_step != stiffness_step) {
    memory->tables = model.compiled.shared(model);
    memory->stiffness_step = stiffness_step;
    for (PairMaterialMemory::Pair& pair : memory->pairs) pair.items = {-1, -1};
  }
  if (memory->pairs.size() < num_pairs) memory->pairs.resize(num_pairs);
}

// Of pair k: mostly it is the one of the last step.
const PairMaterialMemory::Pair& material_of(const ModelTables& tables, const ShapePair& pair, std::size_t k,
                                            PairMaterialMemory* memory) {
  PairMaterialMemory::Pair& out = memory->pairs[k];
  const IndexPair items{pair.item_A, pair.item_B};
  if (out.items == items) return out;
  out.items = items;
  out.material = tables.pair(pair.item_A, pair.item_B, memory->stiffness_step);
  out.points_of_curve = out.material.table >= 0
                            ? mujoco_points(*tables.collision, out.material, pair.item_A, pair.item_B)
                            : 1.0;
  return out;
}

}  // namespace

void assemble_problem(const Model& model, const ContactOptions& options, const AssembleInputs& in,
                      ContactRecord* contact, ContactWorkspace* workspace) {
  const Forest& forest = model.forest;
  const CollisionModel& shapes = *model.tables().collision;
  const ModelTables& tables = model.tables();
  const SolverForm solver = solver_form(options);
  const Kinematics& kinematics = in.kinematics;
  const CollisionRecord& collision = in.collision;
  ContactRecord& c = *contact;
  ContactWorkspace& work = *workspace;
  ContactProblem& problem = c.problem;

  // Which nodes are in contact, and at how many points?
  problem.h = in.h;
  problem.fall_speed = forest.gravity.norm() * in.h;
  problem.law = options.law;
  problem.elasticity = options.elasticity;
  problem.tables = tables.contact->soft.tables;
  // Only where a pair with a force table is near.
  if (problem.elasticity == Elasticity::table) problem.elasticity = Elasticity::linear;
  const bool uses_force_tables =
      uses_tables(options) && problem.tables != nullptr && !problem.tables->empty();
  problem.v_free = in.v_free;
  problem.v_start = in.v;
  set_guesses(in, &problem);
  problem.bodies.clear();
  problem.columns.clear();
  problem.column_dofs.clear();
  problem.bodies.emplace_back();
  work.nodes.assign(1, -1);
  work.body_of_node.assign(forest.nodes.size(), 0);
  work.plans.clear();
  c.places.clear();
  constexpr int kTouched = -1;  // no body of the problem yet
  for (const ShapePair& pair : collision.pairs) {
    for (const int item : {pair.item_A, pair.item_B}) {
      const int node = shapes.nodes[item];
      if (pair.end > pair.begin && node >= 0) work.body_of_node[node] = kTouched;
    }
  }
  for (int node = 0; node < static_cast<int>(forest.nodes.size()); ++node) {
    if (work.body_of_node[node] == kTouched) add_body(forest, kinematics, node, &work, &problem);
  }
  for (const ShapePair& pair : collision.pairs) {
    ContactPairMap place;
    PatchPlan plan;
    plan.points = pair.end - pair.begin;
    if (plan.points > 0) {
      const int node_A = shapes.nodes[pair.item_A], node_B = shapes.nodes[pair.item_B];
      plan.a = node_A < 0 ? 0 : work.body_of_node[node_A];
      plan.b = node_B < 0 ? 0 : work.body_of_node[node_B];
      place.is_swapped = plan.b == 0;
      if (place.is_swapped) std::swap(plan.a, plan.b);
      if (plan.b == 0) plan.points = 0;
    }
    work.plans.push_back(plan);
    c.places.push_back(place);
  }
  problem.set_patches(work.plans);

  // Inertia of the trees in contact.
  for (const int t : problem.island_trees) set_A(forest, in, t, &problem);
  const TreeInputs tree_inputs{forest, kinematics, in.mass};
  work.mobilities.resize(problem.bodies.size());
  work.mobility_columns.resize(problem.columns.size());
  const auto columns_of = [&](int body) {
    return work.mobility_columns.data() + 8 * problem.bodies[body].column_begin;
  };
  // Of the tree at hand.
  int root_tree = -1;
  BodyMobility root;
  const auto mobility_of_root = [&](int tree) -> const BodyMobility& {
    if (tree != root_tree) root = root_mobility(tree_inputs, tree);
    root_tree = tree;
    return root;
  };
  for (int b = 1; b < static_cast<int>(problem.bodies.size()); ++b) {
    const int tree = problem.bodies[b].tree, parent = problem.bodies[b].parent;
    if (problem.trees[tree].is_free_body)
      work.mobilities[b] = free_body_mobility(problem.A_of(tree));
    else if (!is_on_free_joint(forest, tree))
      work.mobilities[b] = node_mobility(tree_inputs, work.nodes[b], columns_of(b));
    else
      mobility_below(tree_inputs, parent > 0 ? work.nodes[parent] : forest.trees[tree].node_begin,
                     parent > 0 ? work.mobilities[parent] : mobility_of_root(tree), work.nodes[b],
                     &work.mobilities[b]);
  }

  // The points.
  const auto surface_of = [&](int item) {
    return surface_velocity(model, collision, c.surface_velocities, item);
  };
  c.near_rigid_points = 0;
  bool has_friction_direction = false;
  problem.inverse_masses.resize(problem.frames.size());
  const bool takes_shares = is_rigid(options.law);
  c.recovery_shares.resize(takes_shares ? problem.frames.size() : 0);
  c.materials.resize(collision.pairs.size());
  prepare(model, in.stiffness_step, collision.pairs.size(), &work.materials);
  for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
    const int index = problem.patch_of_plan[k];
    if (index < 0) continue;
    const ShapePair& pair = collision.pairs[k];
    const Patch& patch = problem.patches[index];
    c.places[k].begin = patch.begin;
    const double sign = c.places[k].is_swapped ? -1.0 : 1.0;
    const int index_a = c.places[k].is_swapped ? pair.item_B : pair.item_A;
    const int index_b = c.places[k].is_swapped ? pair.item_A : pair.item_B;
    const CollisionItem& item_a = shapes.items[index_a];
    const int node_a = work.nodes[patch.a], node_b = work.nodes[patch.b];
    // The part of the velocities that is not J v: moving surfaces, kinematic bodies and their descendants.
    const Vec3 belt = surface_of(index_b) - surface_of(index_a);
    const bool is_moved_from_outside =
        item_a.kinematic >= 0 || has_kinematic_base(forest, node_a) || has_kinematic_base(forest, node_b);
    const double* origins = kinematics.origins.data();
    const Pack O_b = simd::load(origins + 4 * forest.nodes[node_b].tree);
    const Pack O_a = node_a < 0 ? O_b : simd::load(origins + 4 * forest.nodes[node_a].tree);
    const PairMaterialMemory::Pair& remembered = material_of(tables, pair, k, &work.materials);
    const PairMaterial& pair_material = c.materials[k] = remembered.material;
    if (pair.has_patch) adapt_to_patch(&c.materials[k]);
    has_friction_direction = has_friction_direction || pair_material.friction_direction_side != 0;
    const bool has_torsional_or_rolling_friction = pair_material.has_torsional_or_rolling_friction();
    if (has_torsional_or_rolling_friction && problem.friction_lengths.empty())
      problem.friction_lengths.assign(problem.frames.size(), FrictionLengths{});
    Vec3 turning = Vec3::Zero();
    if (has_torsional_or_rolling_friction && is_moved_from_outside)
      turning = base_angular_velocity(forest, kinematics, node_b) -
                base_angular_velocity(forest, kinematics, node_a) -
                prescribed_angular_velocity(kinematics, item_a.kinematic);
    PointMaterial<double> material;
    material.stiffness = elastic_constant(options, pair_material);
    material.barrier_distance = pair_material.barrier_distance;
    material.dissipation = pair_material.dissipation;
    material.restitution = pair_material.restitution;
    material.table = uses_force_tables ? pair_material.table : -1;
    if (material.table >= 0) {
      material.table_scale = pair_material.table_scale;
      material.tables = problem.tables->data();
      problem.elasticity = Elasticity::table;
    }
    const double points_of_curve = material.table >= 0 ? remembered.points_of_curve : 1.0;
    material.mujoco = pair_material.mujoco.is_given ? &pair_material.mujoco : nullptr;
    material.relaxation_time = pair_material.relaxation_time < 0.0 ? in.h : pair_material.relaxation_time;
    const bool is_in_one_tree = node_a >= 0 && problem.bodies[patch.a].tree == problem.bodies[patch.b].tree;
    if (is_in_one_tree) {
      const int tree = problem.bodies[patch.a].tree;
      if (is_on_free_joint(forest, tree))
        mobility_between(tree_inputs, mobility_of_root(tree), node_a, node_b, &work.between);
      else
        work.between =
            mobility_between(tree_inputs, node_a, columns_of(patch.a), node_b, columns_of(patch.b));
    }
    double lighter = 0.0;
    if (takes_shares) {
      lighter = tables.contact->masses[index_b];
      if (node_a >= 0) lighter = std::min(lighter, tables.contact->masses[index_a]);
    }
    // What moves the surfaces at a place besides J v; bias: with the motion of the bases of both trees.
    const auto outside_at = [&](Pack at, Vec3 * bias) __attribute__((always_inline)) {
      Vec3 outside = belt;
      *bias = belt;
      if (is_moved_from_outside) {
        const Vec3 place(at[0], at[1], at[2]);
        outside -= prescribed_velocity(kinematics, item_a.kinematic, place);
        *bias = outside + base_velocity(forest, kinematics, node_b, place) -
                base_velocity(forest, kinematics, node_a, place);
      }
      return outside;
    };
    // Adds the mobility of both bodies; returns the least that |W|^2 counts as.
    const auto add_mobility = [&](Pack on_a, Pack on_b, Pack W[3]) __attribute__((always_inline)) {
      double least_square = 0.0;
      add_point_mobility(work.mobilities[patch.b], on_b, on_b, W);
      if (node_a >= 0) {
        add_point_mobility(work.mobilities[patch.a], on_a, on_a, W);
        if (is_in_one_tree) {
          least_square = kLeastShare * kLeastShare * square_of(W);
          subtract_mobility_between(work.between, on_a, on_b, W);
        }
      }
      return least_square;
    };
    // mu at the slip of this velocity, with torsional and rolling friction.
    const auto set_friction = [&](int p, Pack n, double vn0, Pack velocity) __attribute__((always_inline)) {
      material.friction = pair_material.static_friction;
      if (pair_material.dynamic_friction != pair_material.static_friction) {
        const Pack slip = velocity - n * vn0;
        material.friction = blended_friction(pair_material, std::sqrt(simd::dot(slip, slip)), options.v_s);
      }
      if (has_torsional_or_rolling_friction) {
        const double torsional = pair_material.torsional_friction, rolling = pair_material.rolling_friction;
        problem.friction_lengths[p] = friction_lengths(material.friction, torsional, rolling);
        simd::store(problem.friction_lengths[p].bias, pack(turning));
        material.friction = friction_scale(material.friction, torsional, rolling);
      }
    };
    if (pair.has_patch) {
      const PressurePoint* points = collision.pressure_points.data() + pair.begin;
      const PatchSums sums = sums_of(points, points + (patch.end - patch.begin));
      Pack W[3] = {simd::zero(), simd::zero(), simd::zero()};
      const Pack centre = pack(sums.centre);
      const double least_square = add_mobility(centre - O_a, centre - O_b, W);
      const double w = std::sqrt(std::max(square_of(W), least_square)) / 3.0;
      for (int p = patch.begin; p < patch.end; ++p) {
        const PressurePoint& point = points[p - patch.begin];
        const Pack n = pack(point.normal) * sign, at = pack(point.p), r_a = at - O_a, r_b = at - O_b;
        Vec3 bias;
        const Vec3 outside = outside_at(at, &bias);
        PointFrame& frame = problem.frames[p];
        simd::store(frame.r_A, r_a);
        simd::store(frame.r_B, r_b);
        simd::store(frame.n, n);
        simd::store(frame.bias, pack(bias));
        Pack velocity = field_at(kinematics.nodes[node_b], r_b) + pack(outside);
        if (node_a >= 0) velocity -= field_at(kinematics.nodes[node_a], r_a);
        const PressureState<double> state{point.force(), point.stiffness, simd::dot(n, velocity)};
        set_friction(p, n, state.vn0, velocity);
        problem.inverse_masses[p] = w / sums.share(point);
        const PointRow<double> row = contact_row(options, in.h, state, material, problem.inverse_masses[p]);
        c.near_rigid_points += row.is_near_rigid;
        problem.set_parameters(p, row.numbers);
      }
      continue;
    }
    for (int p = patch.begin; p < patch.end; ++p) {
      const ContactPoint& point = collision.points[pair.begin + p - patch.begin];
      const Pack n = pack(point.normal) * sign;
      // From the midpoint to the surface of A. The mobility of each body is taken at its own surface, because
      // the midpoint of a distant speculative contact can be far outside the body.
      const Pack to_surface = n * (0.5 * point.distance), at = pack(point.p_A) + to_surface * sign;
      const Pack r_a = at - O_a, r_b = at - O_b;
      Vec3 bias;
      const Vec3 outside = outside_at(at, &bias);
      PointFrame& frame = problem.frames[p];
      simd::store(frame.r_A, r_a);
      simd::store(frame.r_B, r_b);
      simd::store(frame.n, n);
      simd::store(frame.bias, pack(bias));

      Pack velocity = field_at(kinematics.nodes[node_b], r_b) + pack(outside);
      if (node_a >= 0) velocity -= field_at(kinematics.nodes[node_a], r_a);
      Pack W[3] = {simd::zero(), simd::zero(), simd::zero()};
      const double least_square = add_mobility(r_a - to_surface, r_b + to_surface, W);
      PointState<double> state;
      state.distance = point.distance;
      state.weight = table_share(point.weight, points_of_curve);
      state.vn0 = simd::dot(n, velocity);
      set_friction(p, n, state.vn0, velocity);
      const double w = std::sqrt(std::max(square_of(W), least_square)) / 3.0;  // |W|/3
      problem.inverse_masses[p] = w;
      if (takes_shares) {
        const Pack Wn = W[0] * n[0] + W[1] * n[1] + W[2] * n[2];
        c.recovery_shares[p] = state.recovery_share = recovery_share(simd::dot(n, Wn), lighter);
      }
      const PointRow<double> row = contact_row(options, solver, in.h, state, material, w);
      c.near_rigid_points += row.is_near_rigid;
      problem.set_parameters(p, row.numbers);
      if (row.slip_kept != 0.0) {
        if (problem.slip_targets.empty()) problem.slip_targets.assign(problem.frames.size(), SlipTarget{});
        const Pack slip = velocity - n * state.vn0;
        Vec3 rotation = Vec3::Zero();
        if (has_torsional_or_rolling_friction)
          rotation = angular_velocity(kinematics, node_b) - angular_velocity(kinematics, node_a) -
                     prescribed_angular_velocity(kinematics, item_a.kinematic);
        set_slip_target(row.slip_kept, Vec3(slip[0], slip[1], slip[2]), rotation, &problem.slip_targets[p]);
      }
    }
  }
  if (has_friction_direction) set_friction_tensors(collision, &c);
}

}  // namespace stiction
