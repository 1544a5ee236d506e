#include "stiction/simulation/scheme/geometric/residual_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/residual.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/contact/surface_velocity.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/output/row_forces.h"
#include "stiction/simulation/scheme/geometric/layers.h"
#include "stiction/simulation/scheme/geometric/stepper.h"

namespace stiction {
namespace {

// The step and its bodies at the end.
struct EndOfStep {
  const Model& model;
  const Formulation& f;
  const StepRecord& r;
  Kinematics kinematics;
  double impulse = 1.0;  // N s, P

  const ShapePair& pair_of(const GeometricContact& contact) const { return r.collision.pairs[contact.pair]; }
  const CollisionShape& shape(int item) const { return model.tables().collision->items[item].geometry; }
  double size(const ShapePair& pair) const { return smaller_size(shape(pair.item_A), shape(pair.item_B)); }
  Pose pose(int item) const {
    const CollisionItem& of = model.tables().collision->items[item];
    return body_pose(model.forest, kinematics, of.body) * model.shapes[of.shape].X_BS;
  }
  Vec3 surface(int item) const {
    return surface_velocity(model, r.collision, r.contact.surface_velocities, item);
  }
  PairLayers layers(int pair) const {
    if (f.contact.law != LawKind::geometric_quasi_rigid) return {};
    return pair_layers(model, f.geometric, r, pair);
  }
};

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

// m: how far a is from being a point of a shape, `depth` below its surface, with the outward normal n. A ball that
// touches a convex shape from outside has the touching point as the nearest of the shape if and only if the ball's
// radius there is normal to it; at edges and corners for every n in the cone of normals. The size is that of the ball.
double distance_from_surface(const CollisionShape& shape, const Pose& X, const Vec3& a, const Vec3& n,
                             double depth, double size) {
  const CollisionShape ball = collision_shape(Sphere{size});
  const Vec3 above = a + depth * n;
  const Vec3 nearest = signed_distance(shape, X, ball, translation(above + size * n)).p_A;
  if (depth == 0.0) return (nearest - above).norm();
  // Layers recede along the gradients of their functions at a, whose mean is n. Near an edge of right angles they meet
  // up to 2 depths beside the surface point above a; sharper ones need more.
  constexpr double kBeside = 4.0;
  double error = std::abs(signed_distance(shape, X, ball, translation(a)).distance + size + depth);
  raise((nearest - above).norm() - kBeside * depth, &error);
  return error;
}

// The closest points, their gap and the normal; gaps of pairs that could have touched.
void check_geometry(const EndOfStep& at, GeometricResidual* out) {
  for (const GeometricContact& contact : at.r.geometric_contacts) {
    const ShapePair& pair = at.pair_of(contact);
    const double size = at.size(pair), length = contact.n.norm();
    raise(std::abs(length - 1.0), &out->points);
    raise((contact.a_B - contact.a_A - contact.gap * contact.n).norm() / size, &out->points);
    const Vec3 n = contact.n / length;
    const double on_A = distance_from_surface(at.shape(pair.item_A), at.pose(pair.item_A), contact.a_A, n,
                                              contact.deflection_A[0], size);
    const double on_B = distance_from_surface(at.shape(pair.item_B), at.pose(pair.item_B), contact.a_B, -n,
                                              contact.deflection_B[0], size);
    for (const double distance : {on_A, on_B}) raise(distance / size, &out->points);
  }
  for (std::size_t k = 0; k < at.r.collision.pairs.size(); ++k) {
    const ShapePair& pair = at.r.collision.pairs[k];
    if (pair.begin == pair.end) continue;
    const auto& contacts = at.r.geometric_contacts;
    const auto contact = std::find_if(contacts.begin(), contacts.end(), [k](const GeometricContact& one) {
      return one.pair == static_cast<int>(k);
    });
    const bool is_contact = contact != contacts.end();
    const PairLayers layers = at.layers(static_cast<int>(k));
    // Soft shapes overlap; their layers recede until they do not.
    const bool recedes = is_contact && (layers.A.is_soft || layers.B.is_soft);
    const double distance = recedes ? contact->gap
                                    : signed_distance(at.shape(pair.item_A), at.pose(pair.item_A),
                                                      at.shape(pair.item_B), at.pose(pair.item_B))
                                          .distance;
    raise(-distance / at.size(pair), &out->overlap);
    if (is_contact && contact->n.dot(contact->impulse) > 0.0)
      raise(std::abs(distance) / at.size(pair), &out->complementarity);
  }
}

// The deflections of both layers of a contact at the start of the step, in its axes.
struct Deflections {
  Vec3 A = Vec3::Zero(), B = Vec3::Zero();
};
Deflections deflections_before(const EndOfStep& at, const GeometricContact& contact) {
  const ShapePair& pair = at.pair_of(contact);
  for (const RememberedDeflection& one : at.r.deflections) {
    if (one.shape_A != pair.shape_A || one.shape_B != pair.shape_B) continue;
    const auto in_axes = [&contact](double normal, const Vec3& shear) {
      return Vec3(normal, contact.t1.dot(shear), contact.t2.dot(shear));
    };
    return {in_axes(one.normal_A, one.shear_A), in_axes(one.normal_B, one.shear_B)};
  }
  return {};
}

// borne: the impulse on the layer, N s along (n, t1, t2).
void check_layer(const EndOfStep& at, const SoftLayer& layer, const Vec3& d, const Vec3& d0, double core,
                 const Vec3& borne, double size, GeometricResidual* out) {
  if (!layer.is_soft) {
    raise(d.norm() / size, &out->layer);
    raise(std::abs(core) / at.impulse, &out->layer);
    return;
  }
  const Vec3 held = at.r.h * (layer.K * d) + layer.C * (d - d0) + core * Vec3::UnitX();
  raise((held - borne).norm() / at.impulse, &out->layer);
  // Zero is the smaller of what the core bears and of how far the layer is from it.
  const double to_core =
      layer.has_core() ? (layer.most - d[0]) / size : std::numeric_limits<double>::infinity();
  raise(std::abs(std::min(core / at.impulse, to_core)), &out->layer);
}

// Checks the layers; returns the velocity by which their shear adds to the slip.
Vec3 check_layers_of(const EndOfStep& at, const GeometricContact& contact, GeometricResidual* out) {
  const PairLayers layers = at.layers(contact.pair);
  const Deflections before = deflections_before(at, contact);
  const double p = contact.n.dot(contact.impulse), size = at.size(at.pair_of(contact));
  const Vec3 friction = contact.impulse - p * contact.n;
  const Vec3 borne(p, -friction.dot(contact.t1), -friction.dot(contact.t2));
  check_layer(at, layers.A, contact.deflection_A, before.A, contact.core_A, borne, size, out);
  check_layer(at, layers.B, contact.deflection_B, before.B, contact.core_B, borne, size, out);
  const Vec3 change = contact.deflection_A - before.A + contact.deflection_B - before.B;
  return (change[1] * contact.t1 + change[2] * contact.t2) / at.r.h;
}

void check_friction(const EndOfStep& at, const GeometricContact& contact, GeometricResidual* out) {
  const ShapePair& pair = at.pair_of(contact);
  const PairMaterial& material = at.r.contact.materials[contact.pair];
  const Forest& forest = at.model.forest;
  const double p = contact.n.dot(contact.impulse), mu = contact.friction,
               turning = contact.n.dot(contact.moment), L = at.size(pair);
  const bool has_friction = p > 0.0 && mu > 0.0;
  raise(-p / at.impulse, &out->pull);
  raise((contact.moment - turning * contact.n).norm() / (at.impulse * L), &out->moment);
  if (!has_friction || !(material.torsional_friction > 0.0))
    raise(std::abs(turning) / (at.impulse * L), &out->moment);
  const Vec3 sheared = check_layers_of(at, contact, out);
  if (!has_friction) {
    raise((contact.impulse - p * contact.n).norm() / at.impulse, &out->cone);
    if (p > 0.0) raise(std::abs(contact.slip), &out->slip);
    return;
  }
  const Vec3 w = body_velocity(forest, at.kinematics, pair.body_B).head<3>() -
                 body_velocity(forest, at.kinematics, pair.body_A).head<3>();
  const Vec3 u = point_velocity(forest, at.kinematics, pair.body_B, contact.a_B) -
                 point_velocity(forest, at.kinematics, pair.body_A, contact.a_A) + at.surface(pair.item_B) -
                 at.surface(pair.item_A);
  // In the axes in which the friction ellipsoid is a ball: (impulse, moment divided by its friction
  // length). With P = 1 - n n' the impulse is mu p P S w, and w is opposite to P S u, u less the rates of shear.
  const Mat3 P = Mat3::Identity() - contact.n * contact.n.transpose();
  const Mat3 PS = P * friction_tensor_of(at.r, contact.pair, start_normal(at.r, contact.pair));
  const double length = material.torsional_friction / mu;
  Vec4 friction, slip;
  friction.head<3>() = (PS + contact.n * contact.n.transpose()).inverse() * (P * contact.impulse);
  friction[3] = length > 0.0 ? turning / length : 0.0;
  slip.head<3>() = PS * (P * u - sheared);
  slip[3] = length * contact.n.dot(w);
  friction /= mu * p;
  raise(friction.norm() - 1.0, &out->cone);
  const double fast = slip.norm();
  raise(std::abs(contact.slip - fast), &out->slip);
  constexpr double kSticks = 1e-6;  // fraction of the cone
  if (friction.norm() < 1.0 - kSticks)
    raise(fast, &out->stick);
  else
    raise(mu * std::abs(friction.dot(slip) + fast) / std::max(fast, 1e-9), &out->dissipation);
}

// Of the trees in contact.
void check_momentum(const EndOfStep& at, const State& now, const State& next, GeometricResidual* out) {
  const Forest& forest = at.model.forest;
  const StepRecord& r = at.r;
  VecX pushed = VecX::Zero(at.model.num_v());
  for (const GeometricContact& contact : r.geometric_contacts) {
    const ShapePair& pair = at.pair_of(contact);
    add_impulse(forest, at.kinematics, pair.body_A, contact.a_A, -contact.impulse, -contact.moment, &pushed);
    add_impulse(forest, at.kinematics, pair.body_B, contact.a_B, contact.impulse, contact.moment, &pushed);
  }
  const ContactProblem& problem = r.contact.problem;
  VecX rows = VecX::Zero(at.model.num_v()), product = VecX::Zero(at.model.num_v());
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
    for (Eigen::Index i = 0; i < momentum.size(); ++i) raise(std::abs(momentum[i]) / scale, &out->momentum);
  }
}

}  // namespace

GeometricResidual check_geometric_residual(const Model& model, const State& now, const Formulation& f,
                                           const StepRecord& r, const State& next) {
  // For a step taken in parts: the last part, which led to `next`.
  if (!r.parts.empty()) return check_geometric_residual(model, now, f, r.parts.back(), next);
  const Forest& forest = model.forest;
  EndOfStep at{model, f, r, Kinematics(forest)};
  at.kinematics.prescribed = r.kinematics.prescribed;
  for (PrescribedMotion& motion : at.kinematics.prescribed) motion.X_WB = pose_after(motion, r.h);
  compute_positions(forest, next.q.data(), &at.kinematics);
  compute_velocities(forest, next.v.data(), &at.kinematics);
  double mass = 0.0;
  for (const NodeConstants& node : forest.constants) mass += node.mass;
  double most = mass * forest.gravity.norm() * r.h;
  for (const GeometricContact& contact : r.geometric_contacts) raise(contact.impulse.norm(), &most);
  if (most != 0.0) at.impulse = most;  // otherwise nothing pushes

  GeometricResidual out;
  check_geometry(at, &out);
  for (const GeometricContact& contact : r.geometric_contacts) check_friction(at, contact, &out);
  check_momentum(at, now, next, &out);

  // Rows, and where the velocities lead.
  out.rows = check_rows(r.contact.problem, next.v, r.contact.solution.row_impulses).relative;
  VecX moved(next.q.size()), missing(model.num_v());
  integrate_positions(forest, r.q_start.data(), next.v.data(), r.h, moved.data());
  position_difference(forest, moved.data(), next.q.data(), 1.0, missing.data());
  for (Eigen::Index i = 0; i < missing.size(); ++i) raise(std::abs(missing[i]), &out.motion);
  return out;
}

}  // namespace stiction
