// Prepares a contact candidate of a geometrically implicit step: materials, impulses and layers, and the
// closest points at the guess of the end of the step.

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/math/eigenvalues.h"
#include "stiction/simulation/contact/surface_velocity.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/scheme/geometric/layers.h"
#include "stiction/simulation/scheme/geometric/stepper.h"

namespace stiction {
namespace {

constexpr double kClose = 1e-4;  // fraction of the size: a pair nearer than this at the guess takes part

Vec3 velocity_at(const CollisionRecord& c, int item, const Vec3& p) {
  const ShapeMotion& motion = c.motions[item];
  return motion.v + motion.w.cross(p - c.centres[item]);
}

}  // namespace

Mat3 friction_tensor_of(const StepRecord& r, int pair, const Vec3& n) {
  const PairMaterial& material = r.contact.materials[pair];
  if (material.friction_direction_side == 0) return Mat3::Identity();
  const ShapePair& of = r.collision.pairs[pair];
  const int item = material.friction_direction_side == 2 ? of.item_B : of.item_A;
  const Vec3 along = r.collision.motions[item].X_WS.R * material.friction_direction;
  const FrictionTensor S = friction_tensor(n, along, 1.0, material.anisotropy_ratio);
  const Eigen::Map<const Vec3> t1(S.t1), t2(S.t2);
  return n * n.transpose() + S.s1 * t1 * t1.transpose() + S.s2 * t2 * t2.transpose();
}

void check_layers(const Model& model, const GeometricOptions& options) {
  for (const QuasiRigidLayer& layer : options.layers) {
    STICTION_USER_CHECK(layer.shape >= 0 && layer.shape < static_cast<int>(model.shapes.size()),
                        "model '{}': a quasi-rigid layer of shape {}, but there are {} shapes", model.name,
                        layer.shape, model.shapes.size());
    const std::string& name = model.shapes[layer.shape].name;
    STICTION_USER_CHECK(layer.K.allFinite() && layer.C.allFinite(),
                        "quasi-rigid layer of shape '{}': stiffness or damping is not finite", name);
    // The smallest eigenvalue of the symmetric part: work of a unit deflection.
    const auto least = [](const Mat3& M) { return principal_moments(0.5 * (M + M.transpose()))[0]; };
    constexpr double kRoundOff = 1e-12;  // relative to the largest entry
    STICTION_USER_CHECK(least(layer.K) > 0.0,
                        "quasi-rigid layer of shape '{}': the stiffness is not positive definite (its least "
                        "eigenvalue is {} N/m)",
                        name, least(layer.K));
    STICTION_USER_CHECK(least(layer.C) >= -kRoundOff * layer.C.cwiseAbs().maxCoeff(),
                        "quasi-rigid layer of shape '{}': the damping is negative in a direction (its least "
                        "eigenvalue is {} N s/m)",
                        name, least(layer.C));
    STICTION_USER_CHECK(layer.max_deflection > 0.0,
                        "quasi-rigid layer of shape '{}': a maximum deflection of {} m is not positive", name,
                        layer.max_deflection);
  }
}

void GeometricStepper::set_candidate(const Model& model, const State& now, const Formulation& f,
                                     const StepRecord& r, int pair_index, ContactCandidate* candidate) {
  const CollisionRecord& collision = r.collision;
  const ShapePair& pair = collision.pairs[pair_index];
  const std::vector<CollisionItem>& items = model.tables().collision->items;
  const CollisionItem &A = items[pair.item_A], &B = items[pair.item_B];
  const PairMaterial& material = r.contact.materials[pair_index];
  *candidate = {};
  candidate->pair = pair_index;
  candidate->body_A = problem_.motion.add_body(A.node, A.kinematic);
  candidate->body_B = problem_.motion.add_body(B.node, B.kinematic);
  ContactSetup& s = candidate->setup;
  s.shape_A = &A.geometry;
  s.shape_B = &B.geometry;
  s.X_NA = A.is_static() ? collision.motions[pair.item_A].X_WS : A.X_NS;
  s.X_NB = B.is_static() ? collision.motions[pair.item_B].X_WS : B.X_NS;
  s.h = r.h;
  s.speed = speed_;
  s.length = smaller_size(A.geometry, B.geometry);
  const auto surface_of = [&](int item) {
    return surface_velocity(model, collision, r.contact.surface_velocities, item);
  };
  s.belt = surface_of(pair.item_B) - surface_of(pair.item_A);

  // From the explicit points: impulses, and distance and velocity at the start.
  const ContactPairMap& place = r.contact.places[pair_index];
  const double sign = place.is_swapped ? -1.0 : 1.0;
  const ContactPoint* deepest = &collision.points[pair.begin];
  double w = 0.0, pushed = 0.0;
  for (int i = pair.begin; i < pair.end; ++i) {
    const ContactPoint& point = collision.points[i];
    if (point.distance < deepest->distance) deepest = &point;
    const int p = place.begin + i - pair.begin;
    const Vec3 impulse = sign * Eigen::Map<const Vec3>(r.contact.solution.impulses.data() + 4 * p);
    candidate->guess.impulse += impulse;
    if (!r.contact.solution.moments.empty())
      candidate->guess.turning +=
          sign * point.normal.dot(Eigen::Map<const Vec3>(r.contact.solution.moments.data() + 4 * p));
    pushed += std::max(0.0, point.normal.dot(impulse));
    w = std::max(w, r.contact.problem.inverse_masses[p]);
  }
  candidate->takes_part = pushed > 0.0;
  s.mass = w > 0.0 ? 1.0 / w : 1.0;
  candidate->start_distance = deepest->distance;
  const Vec3 at = 0.5 * (deepest->p_A + deepest->p_B()), &n = deepest->normal;
  const Vec3 u0 = velocity_at(collision, pair.item_B, at) - velocity_at(collision, pair.item_A, at) + s.belt;
  const double vn0 = n.dot(u0);
  s.mu = material.static_friction;
  if (material.dynamic_friction != material.static_friction)
    s.mu = blended_friction(material, (u0 - vn0 * n).norm(), f.contact.v_s);
  s.mu_t = material.torsional_friction;
  s.friction_tensor = friction_tensor_of(r, pair_index, n);

  // The conditions at the end of the step.
  const RigidOptions& rigid = f.contact.rigid;
  const double phi = deepest->distance;
  const bool is_soft = f.contact.law == LawKind::geometric_quasi_rigid;
  if (is_soft) {
    set_layers(model, now, f, r, candidate);
  } else if (material.restitution > 0.0 && vn0 < -rigid.restitution_speed && phi + r.h * vn0 < 0.0) {
    s.bounces = true;
    s.rebound = -material.restitution * vn0;
  }
  if (!is_soft && phi < -kTouching * s.length) {
    s.target = std::min(0.0, phi + std::min(-rigid.penetration_recovery * phi, r.h * rigid.fastest_recovery));
  }
}

void GeometricStepper::set_layers(const Model& model, const State& now, const Formulation& f,
                                  const StepRecord& r, ContactCandidate* candidate) const {
  const ShapePair& pair = r.collision.pairs[candidate->pair];
  const PairLayers layers = pair_layers(model, f.geometric, r, candidate->pair);
  candidate->setup.soft_A = layers.A;
  candidate->setup.soft_B = layers.B;
  for (const RememberedDeflection& layer : now.memory.deflections) {
    if (layer.shape_A != pair.shape_A || layer.shape_B != pair.shape_B) continue;
    candidate->guess.shear_A = layer.shear_A;
    candidate->guess.shear_B = layer.shear_B;
    candidate->setup.soft_A.d0[0] = layer.normal_A;
    candidate->setup.soft_B.d0[0] = layer.normal_B;
    candidate->takes_part = true;
  }
}

// The closest points at the present guess of the poses; for flat contacts the centre of pressure of the
// explicit points.
void GeometricStepper::look(const StepRecord& r, ContactCandidate* candidate) const {
  const CollisionRecord& collision = r.collision;
  const ShapePair& pair = collision.pairs[candidate->pair];
  ContactSetup& s = candidate->setup;
  const BodyState &A = problem_.motion.bodies[candidate->body_A].state,
                  &B = problem_.motion.bodies[candidate->body_B].state;
  ContactPoint& closest = candidate->guess.closest;
  const Pose X_A = A.X * s.X_NA;
  closest = signed_distance(*s.shape_A, X_A, *s.shape_B, B.X * s.X_NB);
  const ContactPairMap& place = r.contact.places[candidate->pair];
  if (pair.end - pair.begin > 1) {
    Vec3 sum = Vec3::Zero();
    double weight = 0.0;
    for (int i = pair.begin; i < pair.end; ++i) {
      const int p = place.begin + i - pair.begin;
      const Vec3 impulse = Eigen::Map<const Vec3>(r.contact.solution.impulses.data() + 4 * p);
      const double share = std::abs(collision.points[i].normal.dot(impulse));
      sum += share * collision.points[i].p_A;
      weight += share;
    }
    if (weight > 0.0) {
      // Moved along with A.
      const Vec3 there = X_A * (collision.motions[pair.item_A].X_WS.inverse() * Vec3(sum / weight));
      closest.p_A = there - closest.normal * closest.normal.dot(there - closest.p_A);
    }
  }
  if (s.bounces || closest.distance < s.target + kClose * s.length) candidate->takes_part = true;
}

}  // namespace stiction
