#include "stiction/simulation/scheme/geometric/residual_check.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/residual.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/contact/surface_velocity.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/output/row_forces.h"
#include "stiction/simulation/scheme/geometric/stepper.h"

namespace stiction {
namespace {

// Adds J' of an impulse and a moment at a point of a body, for all velocities.
void add_impulse(const Forest& forest, const Kinematics& kinematics, int body, const Vec3& p,
                 const Vec3& impulse, const Vec3& moment, VecX* tau) {
  const BodyPlace& place = forest.places[body];
  if (place.node < 0) return;
  TreeJacobian J;
  point_jacobian(forest, kinematics, body, p, &J);
  const Tree& tree = forest.trees[forest.nodes[place.node].tree];
  tau->segment(tree.v_begin, tree.num_v()) += J.transpose() * stack<double>(moment, impulse);
}

// The normal for which the friction direction was computed: of the deepest point of the pair at the start of
// the step.
Vec3 start_normal(const StepRecord& r, int pair) {
  const ShapePair& of = r.collision.pairs[pair];
  const auto begin = r.collision.points.begin() + of.begin, end = r.collision.points.begin() + of.end;
  return std::min_element(
             begin, end, [](const ContactPoint& a, const ContactPoint& b) { return a.distance < b.distance; })
      ->normal;
}

}  // namespace

GeometricResidual check_geometric_residual(const Model& model, const State& now, const StepRecord& r,
                                           const State& next) {
  // For a step taken in parts: the last part, which led to `next`.
  if (!r.parts.empty()) return check_geometric_residual(model, now, r.parts.back(), next);
  const Forest& forest = model.forest;
  const CollisionModel& collision = *model.tables().collision;
  Kinematics end(forest);
  end.prescribed = r.kinematics.prescribed;
  for (PrescribedMotion& motion : end.prescribed) motion.X_WB = pose_after(motion, r.h);
  compute_positions(forest, next.q.data(), &end);
  compute_velocities(forest, next.v.data(), &end);
  const auto pose = [&](int item) {
    const CollisionItem& of = collision.items[item];
    return body_pose(forest, end, of.body) * model.shapes[of.shape].X_BS;
  };
  const auto surface_of = [&](int item) {
    return surface_velocity(model, r.collision, r.contact.surface_velocities, item);
  };
  GeometricResidual out;

  // Distances of all pairs that could have touched.
  for (std::size_t k = 0; k < r.collision.pairs.size(); ++k) {
    const ShapePair& pair = r.collision.pairs[k];
    const CollisionShape &A = collision.items[pair.item_A].geometry,
                         &B = collision.items[pair.item_B].geometry;
    if (pair.begin == pair.end) continue;
    const double distance = signed_distance(A, pose(pair.item_A), B, pose(pair.item_B)).distance;
    const double size = smaller_size(A, B);
    raise(-distance / size, &out.overlap);
    for (const GeometricContact& contact : r.geometric_contacts)
      if (contact.pair == static_cast<int>(k) && contact.n.dot(contact.impulse) > 0.0)
        raise(std::abs(distance) / size, &out.complementarity);
  }

  // Friction, and the impulses of the contacts.
  double mass = 0.0;
  for (const NodeConstants& node : forest.constants) mass += node.mass;
  double most = mass * forest.gravity.norm() * r.h;
  for (const GeometricContact& contact : r.geometric_contacts) raise(contact.impulse.norm(), &most);
  if (most == 0.0) most = 1.0;  // nothing pushes
  VecX pushed = VecX::Zero(model.num_v());
  for (const GeometricContact& contact : r.geometric_contacts) {
    const ShapePair& pair = r.collision.pairs[contact.pair];
    add_impulse(forest, end, pair.body_A, contact.a_A, -contact.impulse, -contact.moment, &pushed);
    add_impulse(forest, end, pair.body_B, contact.a_B, contact.impulse, contact.moment, &pushed);
    const PairMaterial& material = r.contact.materials[contact.pair];
    const double p = contact.n.dot(contact.impulse), mu = contact.friction,
                 turning = contact.n.dot(contact.moment);
    const bool has_friction = p > 0.0 && mu > 0.0;
    const double L =
        smaller_size(collision.items[pair.item_A].geometry, collision.items[pair.item_B].geometry);
    raise(-p / most, &out.pull);
    raise((contact.moment - turning * contact.n).norm() / (most * L), &out.moment);
    if (!has_friction || !(material.torsional_friction > 0.0))
      raise(std::abs(turning) / (most * L), &out.moment);
    if (!has_friction) {
      raise((contact.impulse - p * contact.n).norm() / most, &out.cone);
      continue;
    }
    const Vec3 w =
        body_velocity(forest, end, pair.body_B).head<3>() - body_velocity(forest, end, pair.body_A).head<3>();
    const Vec3 u = point_velocity(forest, end, pair.body_B, contact.a_B) -
                   point_velocity(forest, end, pair.body_A, contact.a_A) + surface_of(pair.item_B) -
                   surface_of(pair.item_A);
    // In the axes in which the friction ellipsoid is a ball: (impulse, moment divided by its friction
    // length). With P = 1 - n n' the impulse is mu p P S w, and w is opposite to P S u.
    const Mat3 P = Mat3::Identity() - contact.n * contact.n.transpose();
    const Mat3 PS = P * friction_tensor_of(r, contact.pair, start_normal(r, contact.pair));
    const double length = material.torsional_friction / mu;
    Vec4 friction, slip;
    friction.head<3>() = (PS + contact.n * contact.n.transpose()).inverse() * (P * contact.impulse);
    friction[3] = length > 0.0 ? turning / length : 0.0;
    slip.head<3>() = PS * (P * u);
    slip[3] = length * contact.n.dot(w);
    friction /= mu * p;
    raise(friction.norm() - 1.0, &out.cone);
    const double fast = slip.norm();
    constexpr double kSticks = 1e-6;  // fraction of the cone
    if (friction.norm() < 1.0 - kSticks)
      raise(fast, &out.stick);
    else
      raise(mu * std::abs(friction.dot(slip) + fast) / std::max(fast, 1e-9), &out.dissipation);
  }

  // Rows, and where the velocities lead.
  out.rows = check_rows(r.contact.problem, next.v, r.contact.solution.row_impulses).relative;
  VecX moved(next.q.size()), missing(model.num_v());
  integrate_positions(forest, r.q_start.data(), next.v.data(), r.h, moved.data());
  position_difference(forest, moved.data(), next.q.data(), 1.0, missing.data());
  for (Eigen::Index i = 0; i < missing.size(); ++i) raise(std::abs(missing[i]), &out.motion);

  // Momentum of the trees in contact.
  const ContactProblem& problem = r.contact.problem;
  VecX rows = VecX::Zero(model.num_v()), product = VecX::Zero(model.num_v());
  row_joint_forces(r, &rows);
  rows *= r.h;
  for (const int t : problem.island_trees) {
    const ProblemTree& tree = problem.trees[t];
    const VecX change =
        next.v.segment(tree.v_begin, tree.num_v) - problem.v_free.segment(tree.v_begin, tree.num_v);
    multiply_A(problem, t, change.data(), product.data() + tree.v_begin);
    const VecX momentum = product.segment(tree.v_begin, tree.num_v) -
                          pushed.segment(tree.v_begin, tree.num_v) - rows.segment(tree.v_begin, tree.num_v);
    VecX momentum_now(tree.num_v);
    multiply_A(problem, t, now.v.data() + tree.v_begin, momentum_now.data());
    const double scale =
        std::max({momentum_now.lpNorm<Eigen::Infinity>(),
                  product.segment(tree.v_begin, tree.num_v).lpNorm<Eigen::Infinity>(),
                  pushed.segment(tree.v_begin, tree.num_v).lpNorm<Eigen::Infinity>(), 1e-12});
    for (Eigen::Index i = 0; i < momentum.size(); ++i) raise(std::abs(momentum[i]) / scale, &out.momentum);
  }
  return out;
}

}  // namespace stiction
