// The results of a geometrically implicit step: its solution in the record, missed pairs, and the deflections
// of layers to remember.

#include <algorithm>
#include <utility>

#include "stiction/geometry/narrow_phase.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/scheme/geometric/stepper.h"

namespace stiction {

// Pairs that overlap at the end and had no contact point in the step: those that were too far apart, and, for
// trees whose motion was changed by contact, those that the broad phase did not find.
int GeometricStepper::count_missed(const Model& model, const State& now, const StepRecord& r,
                                   StepWorkspace* w) {
  const CollisionRecord& collision = r.collision;
  if (r.geometric_contacts.empty()) return 0;
  q_.resize(now.q.size());
  integrate_positions(model.forest, now.q.data(), r.contact.solution.v.data(), r.h, q_.data());
  compute_positions(model.forest, q_.data(), &w->scheme.theta_kinematics);
  const std::vector<CollisionItem>& items = model.tables().collision->items;
  const int count = static_cast<int>(items.size());
  const auto tree_of = [&](int item) {
    return items[item].node >= 0 ? model.forest.nodes[items[item].node].tree : -1;
  };
  const auto pose = [&](int item) {
    const CollisionItem& of = items[item];
    if (of.is_static()) return collision.motions[item].X_WS;
    return body_pose(model.forest, w->scheme.theta_kinematics, of.body) * model.shapes[of.shape].X_BS;
  };
  is_pushed_.assign(model.forest.trees.size(), 0);
  for (const GeometricContact& contact : r.geometric_contacts) {
    const ShapePair& pair = collision.pairs[contact.pair];
    for (const int item : {pair.item_A, pair.item_B})
      if (tree_of(item) >= 0) is_pushed_[tree_of(item)] = 1;
  }
  ends_.resize(items.size());
  for (int i = 0; i < count; ++i) ends_[i] = pose(i);
  const auto overlaps = [&](int i, int j) {
    const CollisionShape &A = items[i].geometry, &B = items[j].geometry;
    if (!has_functions(items[i]) || !has_functions(items[j])) return false;
    if (pair_entry(A.kind, B.kind).function == nullptr) return false;
    const bool has_plane = A.kind == ShapeKind::half_space || B.kind == ShapeKind::half_space;
    const double reach = A.ball_radius + B.ball_radius;
    if (!has_plane && (ends_[i] * A.box_centre - ends_[j] * B.box_centre).squaredNorm() > reach * reach)
      return false;
    return signed_distance(A, ends_[i], B, ends_[j]).distance < -kTouching * smaller_size(A, B);
  };
  int missed = 0;
  found_.clear();
  for (const ShapePair& pair : collision.pairs) {
    found_.push_back({std::min(pair.item_A, pair.item_B), std::max(pair.item_A, pair.item_B)});
    if (pair.begin == pair.end) missed += overlaps(pair.item_A, pair.item_B);
  }
  std::sort(found_.begin(), found_.end());
  for (int i = 0; i < count; ++i) {
    if (tree_of(i) < 0 || !is_pushed_[tree_of(i)]) continue;
    for (int j = 0; j < count; ++j) {
      // Count a pair of two such trees once.
      if (j == i || (j < i && tree_of(j) >= 0 && is_pushed_[tree_of(j)])) continue;
      if (!w->collision.broad_phase.filter().allows(std::min(i, j), std::max(i, j))) continue;
      const std::pair<int, int> pair(std::min(i, j), std::max(i, j));
      if (std::binary_search(found_.begin(), found_.end(), pair)) continue;
      missed += overlaps(pair.first, pair.second);
    }
  }
  return missed;
}

// Replaces the explicit solution of the island.
void GeometricStepper::write(int island, StepRecord* r) {
  ContactSolution& solution = r->contact.solution;
  const ContactProblem& problem = r->contact.problem;
  const Island& of = problem.islands[island];
  for (const IslandTree& tree : problem_.motion.trees)
    solution.v.segment(problem.trees[tree.tree].v_begin, tree.size) = v_.segment(tree.begin, tree.size);
  for (int i = 0; i < problem_.num_rows(); ++i)
    solution.row_impulses[problem_.row(i)] = physical_[problem_.row_begin() + i];
  std::fill(solution.impulses.begin() + 4 * of.point_begin, solution.impulses.begin() + 4 * of.point_end,
            0.0);
  if (!solution.moments.empty())
    std::fill(solution.moments.begin() + 4 * of.point_begin, solution.moments.begin() + 4 * of.point_end,
              0.0);
  for (const IslandContact& contact : problem_.contacts) {
    const ContactSetup& s = contact.setup;
    const ContactLayout& at = contact.layout;
    const double* z = physical_.data() + contact.begin;
    const BodyState &A = problem_.motion.bodies[contact.body_A].state,
                    &B = problem_.motion.bodies[contact.body_B].state;
    double F[kMostContactUnknowns];
    Vec6 on_A, on_B;
    contact_conditions<double>(s, at, A, B, z, F, &on_A, &on_B);
    GeometricContact out;
    out.pair = candidates_[contact.pair].pair;
    out.a_A = A.X * (s.X_NA * Vec3(z[0], z[1], z[2]));
    out.a_B = B.X * (s.X_NB * Vec3(z[3], z[4], z[5]));
    out.impulse = on_B.tail<3>();
    // The normal is that of A's functions, and l N_A is the vector between the closest points.
    Vec3 g = Vec3::Zero();
    for (int i = 0; i < s.functions_A.count; ++i)
      g += (i == 0 ? 1.0 : z[at.l + i]) *
           implicit(*s.shape_A, s.functions_A.index[i], Vec3(z[0], z[1], z[2])).gradient;
    out.n = (A.X.R * (s.X_NA.R * g)).normalized();
    out.gap = z[at.l] * g.norm();
    if (at.turn >= 0) out.moment = s.mu_t * z[at.p] * z[at.turn] * out.n;
    if (at.slip >= 0) out.slip = z[at.slip];
    out.friction = s.mu;
    const auto deflection = [&](int d, int core, Vec3* of_layer, double* of_core) {
      if (d < 0) return;
      *of_layer = Vec3(z[d], z[d + 1], z[d + 2]);
      if (core >= 0) *of_core = z[core];
    };
    deflection(at.d_A, at.core_A, &out.deflection_A, &out.core_A);
    deflection(at.d_B, at.core_B, &out.deflection_B, &out.core_B);
    out.t1 = s.frame.col(1);
    out.t2 = s.frame.col(2);
    out.start_A = s.soft_A.d0;
    out.start_B = s.soft_B.d0;
    out.start_distance = candidates_[contact.pair].start_distance;
    r->geometric_contacts.push_back(out);
    // The whole impulse is assigned to the first of the pair's explicit points, whose positions do not
    // change.
    const ContactPairMap& place = r->contact.places[out.pair];
    const double sign = place.is_swapped ? -1.0 : 1.0;
    Eigen::Map<Vec3>(solution.impulses.data() + 4 * place.begin) = sign * out.impulse;
    if (!solution.moments.empty())
      Eigen::Map<Vec3>(solution.moments.data() + 4 * place.begin) = sign * out.moment;
  }
}

void GeometricStepper::remember(const StepRecord& r, ContactMemory* memory) const {
  memory->deflections.clear();
  constexpr double kGone = 1e-14;  // m
  for (const GeometricContact& contact : r.geometric_contacts) {
    if (contact.deflection_A.norm() + contact.deflection_B.norm() < kGone) continue;
    const ShapePair& pair = r.collision.pairs[contact.pair];
    RememberedDeflection layer;
    layer.shape_A = pair.shape_A;
    layer.shape_B = pair.shape_B;
    layer.normal_A = contact.deflection_A[0];
    layer.normal_B = contact.deflection_B[0];
    layer.shear_A = contact.deflection_A[1] * contact.t1 + contact.deflection_A[2] * contact.t2;
    layer.shear_B = contact.deflection_B[1] * contact.t1 + contact.deflection_B[2] * contact.t2;
    memory->deflections.push_back(layer);
  }
  std::sort(memory->deflections.begin(), memory->deflections.end(),
            [](const RememberedDeflection& a, const RememberedDeflection& b) {
              return std::pair(a.shape_A, a.shape_B) < std::pair(b.shape_A, b.shape_B);
            });
}

}  // namespace stiction
