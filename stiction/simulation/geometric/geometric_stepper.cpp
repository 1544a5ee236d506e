#include "stiction/simulation/geometric/geometric_stepper.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/narrow_phase.h"

namespace stiction {
namespace {

constexpr int kMostRounds = 6;  // of new pairs and functions

Vec3 velocity_at(const CollisionRecord& c, int item, const Vec3& p) {
  const ShapeMotion& motion = c.motions[item];
  return motion.v + motion.w.cross(p - c.centres[item]);
}

// Velocity of a moving surface against its body, in W.
Vec3 surface_velocity(const Model& model, const StepRecord& r, int item) {
  if (r.contact.surface_velocities.empty()) return Vec3::Zero();
  const PlacedShape& shape = model.shapes[r.collision.model->items[item].shape];
  const Mat3& R = r.collision.motions[item].X_WS.R;
  return R * (shape.X_BS.R.transpose() * r.contact.surface_velocities[item]);
}

Mat3 stretch_of(const StepRecord& r, int pair, const Vec3& n) {
  const PairMaterial& material = r.contact.materials[pair];
  if (material.grain_side == 0) return Mat3::Identity();
  const ShapePair& of = r.collision.pairs[pair];
  const int item = material.grain_side == 2 ? of.item_B : of.item_A;
  const Vec3 along = r.collision.motions[item].X_WS.R * material.grain;
  const FrictionStretch S = friction_stretch(n, along, 1.0, material.cross_friction);
  const Eigen::Map<const Vec3> t1(S.t1), t2(S.t2);
  return n * n.transpose() + S.s1 * t1 * t1.transpose() + S.s2 * t2 * t2.transpose();
}

}  // namespace

ContactOptions explicit_options(const ContactOptions& options) {
  ContactOptions posed = options;
  posed.law = LawKind::coulomb_ncp;
  posed.solver = "pgs";
  return posed;
}

bool GeometricStepper::solve(const Model& model, const State& now, const Formulation& f, StepRecord* r) {
  GeometricReport& report = r->report.geometric;
  r->geometric_contacts.clear();
  bool all_solved = true;
  const ContactProblem& problem = r->contact.problem;
  for (int i = 0; i < static_cast<int>(problem.islands.size()); ++i) {
    const Island& island = problem.islands[i];
    if (island.patch_begin == island.patch_end) continue;
    ++report.islands;
    const Outcome outcome = solve_island(model, now, f, i, r);
    if (outcome == Outcome::solved) continue;
    ++report.fallbacks;
    report.without_functions += outcome == Outcome::has_no_functions;
    all_solved = false;
  }
  report.contacts = static_cast<int>(r->geometric_contacts.size());
  report.missed = count_missed(model, now, r);
  return all_solved;
}

GeometricStepper::Outcome GeometricStepper::solve_island(const Model& model, const State& now,
                                                         const Formulation& f, int island, StepRecord* r) {
  const ContactProblem& problem = r->contact.problem;
  const Island& of = problem.islands[island];
  const CollisionRecord& collision = r->collision;

  // The pairs, and the bodies that they move.
  speed_ = model.forest.gravity.norm() * r->h;
  for (int k = of.tree_begin; k < of.tree_end; ++k) {
    const ProblemTree& tree = problem.trees[problem.island_trees[k]];
    const int first = tree.is_free_body ? 3 : 0, count = tree.num_v - first;
    const auto largest = [&](const VecX& v) {
      return v.segment(tree.v_begin + first, count).lpNorm<Eigen::Infinity>();
    };
    speed_ = std::max({speed_, largest(problem.v_free), largest(now.v)});
  }
  if (!(speed_ > 0.0)) speed_ = 1.0;
  problem_.motion.begin(model.forest, r->kinematics, now.q, r->contact.solution.v, r->h,
                        &r->theta_kinematics);
  problem_.begin(problem, of, speed_);
  std::size_t count = 0;
  for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
    const int index = problem.patch_of_plan[k];
    if (index < of.patch_begin || index >= of.patch_end) continue;
    const ShapePair& pair = collision.pairs[k];
    const CollisionItem &A = collision.model->items[pair.item_A], &B = collision.model->items[pair.item_B];
    if (!has_functions(A) || !has_functions(B)) return Outcome::has_no_functions;
    if (partners_.size() <= count) partners_.resize(count + 1);
    set_partner(model, now, f, *r, static_cast<int>(k), &partners_[count++]);
  }
  partners_.resize(count);

  // Where the island goes if nothing is known better.
  v_.resize(problem_.motion.num_v);
  const bool is_soft = f.contact.law == LawKind::geometric_quasi_rigid;
  const bool remembers = now.acceleration.size() == now.v.size();
  for (const IslandTree& tree : problem_.motion.trees) {
    const int v_begin = problem.trees[tree.tree].v_begin;
    auto v = v_.segment(tree.begin, tree.size);
    if (!is_soft)
      v = r->contact.solution.v.segment(v_begin, tree.size);
    else if (remembers)
      v = now.v.segment(v_begin, tree.size) + r->h * now.acceleration.segment(v_begin, tree.size);
    else
      v = now.v.segment(v_begin, tree.size);
  }
  if (is_soft) {
    // Soft pairs that the motion without contact would bring together take part too.
    free_.resize(v_.size());
    for (const IslandTree& tree : problem_.motion.trees)
      free_.segment(tree.begin, tree.size) =
          problem.v_free.segment(problem.trees[tree.tree].v_begin, tree.size);
    problem_.motion.move(free_.data(), false);
    for (Partner& partner : partners_) look(*r, &partner);
  }
  problem_.motion.move(v_.data(), false);
  for (Partner& partner : partners_) look(*r, &partner);

  for (int round = 0; round < kMostRounds; ++round) {
    if (!solve_round(f, r)) return Outcome::failed;
    if (widen(*r)) continue;
    write(island, r);
    return Outcome::solved;
  }
  return Outcome::failed;
}

void GeometricStepper::set_partner(const Model& model, const State& now, const Formulation& f,
                                   const StepRecord& r, int pair_index, Partner* partner) {
  const CollisionRecord& collision = r.collision;
  const ShapePair& pair = collision.pairs[pair_index];
  const CollisionItem &A = collision.model->items[pair.item_A], &B = collision.model->items[pair.item_B];
  const PairMaterial& material = r.contact.materials[pair_index];
  *partner = {};
  partner->pair = pair_index;
  partner->body_A = problem_.motion.add_body(A.node, A.kinematic);
  partner->body_B = problem_.motion.add_body(B.node, B.kinematic);
  ContactSetup& s = partner->setup;
  s.shape_A = &A.geometry;
  s.shape_B = &B.geometry;
  s.X_NA = A.is_static() ? collision.motions[pair.item_A].X_WS : A.X_NS;
  s.X_NB = B.is_static() ? collision.motions[pair.item_B].X_WS : B.X_NS;
  s.h = r.h;
  s.speed = speed_;
  s.length = smaller_size(A.geometry, B.geometry);
  s.belt = surface_velocity(model, r, pair.item_B) - surface_velocity(model, r, pair.item_A);

  // What the explicit points say: impulses, and how things stand at the start.
  const PairPlace& place = r.contact.places[pair_index];
  const double sign = place.is_swapped ? -1.0 : 1.0;
  const ContactPoint* deepest = &collision.points[pair.begin];
  double w = 0.0, pushed = 0.0;
  for (int i = pair.begin; i < pair.end; ++i) {
    const ContactPoint& point = collision.points[i];
    if (point.distance < deepest->distance) deepest = &point;
    const int p = place.begin + i - pair.begin;
    const Vec3 impulse = sign * Eigen::Map<const Vec3>(r.contact.solution.impulses.data() + 4 * p);
    partner->guess.impulse += impulse;
    if (!r.contact.solution.moments.empty())
      partner->guess.turning +=
          sign * point.normal.dot(Eigen::Map<const Vec3>(r.contact.solution.moments.data() + 4 * p));
    pushed += std::max(0.0, point.normal.dot(impulse));
    w = std::max(w, r.contact.inverse_masses[p]);
  }
  partner->takes_part = pushed > 0.0;
  s.mass = w > 0.0 ? 1.0 / w : 1.0;
  partner->start_distance = deepest->distance;
  const Vec3 at = 0.5 * (deepest->p_A + deepest->p_B()), &n = deepest->normal;
  const Vec3 u0 = velocity_at(collision, pair.item_B, at) - velocity_at(collision, pair.item_A, at) + s.belt;
  const double vn0 = n.dot(u0);
  s.mu = material.static_friction;
  if (material.dynamic_friction != material.static_friction)
    s.mu = blended_friction(material, (u0 - vn0 * n).norm(), f.contact.v_s);
  s.mu_t = material.torsional_friction;
  s.stretch = stretch_of(r, pair_index, n);

  // Where it has to be at the end.
  const RigidOptions& rigid = f.contact.rigid;
  const double phi = deepest->distance;
  const bool is_soft = f.contact.law == LawKind::geometric_quasi_rigid;
  if (is_soft) {
    set_layers(now, f, r, partner);
  } else if (material.restitution > 0.0 && vn0 < -rigid.restitution_speed && phi + r.h * vn0 < 0.0) {
    s.bounces = true;
    s.rebound = -material.restitution * vn0;
  }
  if (!is_soft && phi < -kTouching * s.length) {
    s.target = std::min(0.0, phi + std::min(-rigid.push_out * phi, r.h * rigid.fastest_push_out));
  }
}

void GeometricStepper::set_layers(const State& now, const Formulation& f, const StepRecord& r,
                                  Partner* partner) const {
  const ShapePair& pair = r.collision.pairs[partner->pair];
  const ContactMaterial &A = r.contact.model->items[pair.item_A].material,
                        &B = r.contact.model->items[pair.item_B].material;
  const bool neither = !A.stiffness && !B.stiffness;
  const auto set = [&](const ContactMaterial& material, int shape, SoftLayer* layer) {
    const double k =
        neither ? 2.0 * r.contact.materials[partner->pair].stiffness : material.stiffness.value_or(0.0);
    layer->is_soft = k > 0.0;
    layer->K = k * Mat3::Identity();
    layer->C = material.relaxation_time.value_or(0.0) * layer->K;
    if (material.max_deflection) layer->most = *material.max_deflection;
    for (const QuasiRigidLayer& given : f.geometric.layers) {
      if (given.shape != shape) continue;
      layer->is_soft = true;
      layer->K = given.K;
      layer->C = given.C;
      layer->most = given.max_deflection;
    }
  };
  set(A, pair.shape_A, &partner->setup.soft_A);
  set(B, pair.shape_B, &partner->setup.soft_B);
  for (const RememberedDeflection& layer : now.memory.deflections) {
    if (layer.shape_A != pair.shape_A || layer.shape_B != pair.shape_B) continue;
    // Shears are in W until the tangents are known.
    partner->guess.deflection_A = layer.shear_A;
    partner->guess.deflection_B = layer.shear_B;
    partner->setup.soft_A.d0[0] = layer.normal_A;
    partner->setup.soft_B.d0[0] = layer.normal_B;
    partner->takes_part = true;
  }
}

// The closest points where the bodies are now, and the explicit centre of pressure on flat contacts.
void GeometricStepper::look(const StepRecord& r, Partner* partner) const {
  const CollisionRecord& collision = r.collision;
  const ShapePair& pair = collision.pairs[partner->pair];
  ContactSetup& s = partner->setup;
  const BodyState &A = problem_.motion.bodies[partner->body_A].state,
                  &B = problem_.motion.bodies[partner->body_B].state;
  ContactPoint& closest = partner->guess.closest;
  const Pose X_A = A.X * s.X_NA;
  closest = signed_distance(*s.shape_A, X_A, *s.shape_B, B.X * s.X_NB);
  const PairPlace& place = r.contact.places[partner->pair];
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
  if (closest.distance < s.target && !s.bounces) partner->takes_part = true;
  if (s.bounces) partner->takes_part = true;
}

bool GeometricStepper::solve_round(const Formulation& f, StepRecord* r) {
  problem_.contacts.clear();
  for (Partner& partner : partners_) {
    if (!partner.takes_part) continue;
    ContactSetup& s = partner.setup;
    const BodyState &A = problem_.motion.bodies[partner.body_A].state,
                    &B = problem_.motion.bodies[partner.body_B].state;
    set_functions(partner.guess, A, B, &s);
    const auto set_shear = [&](const Vec3& shear, SoftLayer* layer) {
      layer->d0[1] = s.frame.col(1).dot(shear);
      layer->d0[2] = s.frame.col(2).dot(shear);
    };
    set_shear(partner.guess.deflection_A, &s.soft_A);
    set_shear(partner.guess.deflection_B, &s.soft_B);
    // What friction can change: at least a part of the speed, where nothing pushes yet.
    constexpr double kLeast = 0.05;
    const double pushed = std::max(0.0, partner.guess.closest.normal.dot(partner.guess.impulse)) / s.mass;
    if (s.mu > 0.0) s.rho = 1.0 / (s.mu * std::max(pushed, kLeast * speed_));
    IslandContact contact(s);
    contact.body_A = partner.body_A;
    contact.body_B = partner.body_B;
    contact.pair = static_cast<int>(&partner - partners_.data());
    problem_.contacts.push_back(contact);
  }
  problem_.finish();
  physical_.setZero(problem_.size());
  physical_.head(problem_.motion.num_v) = v_;
  for (const IslandContact& contact : problem_.contacts) {
    ContactGuess guess = partners_[contact.pair].guess;
    guess.deflection_A = contact.setup.soft_A.d0;
    guess.deflection_B = contact.setup.soft_B.d0;
    guess_unknowns(guess, problem_.motion.bodies[contact.body_A].state,
                   problem_.motion.bodies[contact.body_B].state, contact.setup, contact.layout,
                   physical_.data() + contact.begin);
  }
  for (int i = 0; i < problem_.num_rows(); ++i)
    physical_[problem_.row_begin() + i] = r->contact.solution.row_impulses[problem_.row(i)];
  problem_.to_scaled(physical_, &z_);

  // As it is, then with more creep.
  MixedOptions options;
  options.tolerance = f.geometric.tolerance;
  options.max_iterations = f.geometric.max_iterations;
  options.restarts = 0;
  GeometricReport& total = r->report.geometric;
  total.unknowns = std::max(total.unknowns, problem_.size());
  start_ = z_;
  bool is_solved = false;
  for (const double creep : {kCreep, 1e-5, 1e-3}) {
    if (creep > kCreep) {
      for (IslandContact& contact : problem_.contacts) contact.setup.creep = creep;
      z_ = start_;
    }
    const MixedReport report = solver_.solve(problem_, options, &z_);
    total.iterations += report.iterations;
    is_solved = report.status == MixedStatus::converged;
    if (is_solved) {
      total.relaxed += creep > kCreep;
      total.residual = std::max(total.residual, report.residual);
      break;
    }
  }
  if (!is_solved) return false;
  problem_.to_physical(z_, &physical_);
  v_ = physical_.head(problem_.motion.num_v);
  problem_.motion.move(v_.data(), false);
  return true;
}

// Whether pairs or functions that took no part should have.
bool GeometricStepper::widen(const StepRecord& r) {
  bool is_wider = false;
  for (const IslandContact& contact : problem_.contacts) {
    Partner& partner = partners_[contact.pair];
    const double* z = physical_.data() + contact.begin;
    const ContactLayout& at = contact.layout;
    // Where the next round begins.
    partner.guess.impulse = Vec3::Zero();
    if (leaves_functions(contact.setup, at, z)) {
      is_wider = true;
      look(r, &partner);
    }
    const BodyState &A = problem_.motion.bodies[contact.body_A].state,
                    &B = problem_.motion.bodies[contact.body_B].state;
    Vec6 on_A, on_B;
    double F[kMostContactUnknowns];
    contact_conditions<double>(contact.setup, at, A, B, z, F, &on_A, &on_B);
    partner.guess.impulse = on_B.tail<3>();
    if (at.turn >= 0) partner.guess.turning = contact.setup.mu_t * z[at.p] * z[at.turn];
  }
  for (Partner& partner : partners_) {
    if (partner.takes_part) continue;
    partner.guess.impulse = Vec3::Zero();
    look(r, &partner);
    if (!partner.takes_part) continue;
    // Overlaps below round-off are none.
    if (partner.guess.closest.distance > partner.setup.target - kTouching * partner.setup.length * 1e-2 &&
        !partner.setup.bounces) {
      partner.takes_part = false;
      continue;
    }
    is_wider = true;
  }
  if (!is_wider) return false;
  for (Partner& partner : partners_)
    if (partner.takes_part) look(r, &partner);
  return true;
}

}  // namespace stiction
