#include "stiction/simulation/scheme/geometric/residual_check.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/narrow_phase.h"
#include "stiction/multibody/jacobian.h"
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
    out.overlap = std::max(out.overlap, -distance / size);
    for (const GeometricContact& contact : r.geometric_contacts)
      if (contact.pair == static_cast<int>(k) && contact.n.dot(contact.impulse) > 0.0)
        out.complementarity = std::max(out.complementarity, std::abs(distance) / size);
  }

  // Friction, and the impulses of the contacts.
  VecX pushed = VecX::Zero(model.num_v());
  for (const GeometricContact& contact : r.geometric_contacts) {
    const ShapePair& pair = r.collision.pairs[contact.pair];
    add_impulse(forest, end, pair.body_A, contact.a_A, -contact.impulse, -contact.moment, &pushed);
    add_impulse(forest, end, pair.body_B, contact.a_B, contact.impulse, contact.moment, &pushed);
    const PairMaterial& material = r.contact.materials[contact.pair];
    const double p = contact.n.dot(contact.impulse), mu = contact.friction;
    if (!(p > 0.0) || !(mu > 0.0)) continue;
    const Vec3 w =
        body_velocity(forest, end, pair.body_B).head<3>() - body_velocity(forest, end, pair.body_A).head<3>();
    const Vec3 u = point_velocity(forest, end, pair.body_B, contact.a_B) -
                   point_velocity(forest, end, pair.body_A, contact.a_A) + surface_of(pair.item_B) -
                   surface_of(pair.item_A);
    // In the axes in which the friction ellipsoid is a ball: (impulse, moment divided by its friction
    // length). With P = 1 - n n' the impulse is mu p P S w, and w is opposite to P S u.
    const Mat3 P = Mat3::Identity() - contact.n * contact.n.transpose();
    const Mat3 PS = P * friction_tensor_of(r, contact.pair, start_normal(r, contact.pair));
    const double lever = material.torsional_friction / mu;
    Vec4 friction, slip;
    friction.head<3>() = (PS + contact.n * contact.n.transpose()).inverse() * (P * contact.impulse);
    friction[3] = lever > 0.0 ? contact.n.dot(contact.moment) / lever : 0.0;
    slip.head<3>() = PS * (P * u);
    slip[3] = lever * contact.n.dot(w);
    friction /= mu * p;
    out.cone = std::max(out.cone, friction.norm() - 1.0);
    const double fast = slip.norm();
    constexpr double kSticks = 1e-6;  // fraction of the cone
    if (friction.norm() < 1.0 - kSticks)
      out.stick = std::max(out.stick, fast);
    else
      out.dissipation =
          std::max(out.dissipation, mu * std::abs(friction.dot(slip) + fast) / std::max(fast, 1e-9));
  }

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
    VecX most(tree.num_v);
    multiply_A(problem, t, now.v.data() + tree.v_begin, most.data());
    const double scale = std::max(
        {most.lpNorm<Eigen::Infinity>(), product.segment(tree.v_begin, tree.num_v).lpNorm<Eigen::Infinity>(),
         pushed.segment(tree.v_begin, tree.num_v).lpNorm<Eigen::Infinity>(), 1e-12});
    out.momentum = std::max(out.momentum, momentum.lpNorm<Eigen::Infinity>() / scale);
  }
  return out;
}

}  // namespace stiction
