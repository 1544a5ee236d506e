#include "stiction/simulation/output/reactions.h"

#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/output/row_forces.h"

namespace stiction {
namespace {

Vec3 vec3(const double* p) { return Vec3(p[0], p[1], p[2]); }

// Motion of a body: its angular velocity and acceleration, and the acceleration of a point minus gravity.
struct BodyMotionNow {
  Vec3 w, alpha, a;
};

BodyMotionNow motion_at(const Forest& forest, const Kinematics& k, const NodeForces& work, int body,
                        const Vec3& p_W) {
  const int n = forest.places[body].node;
  if (n >= 0) {
    const NodeMotion& node = k.nodes[n];
    const Vec3 r = p_W - vec3(k.origins.data() + 4 * forest.nodes[n].tree);
    const Vec3 w = vec3(node.w), alpha = vec3(work.accelerations.data() + 8 * n);
    const Vec3 velocity = vec3(node.v) + w.cross(r);
    return {w, alpha, vec3(work.accelerations.data() + 8 * n + 4) + alpha.cross(r) + w.cross(velocity)};
  }
  // Static or kinematic bodies: no velocity of a tree moves them.
  const Vec6 V = body_velocity(forest, k, body), A = body_bias_acceleration(forest, k, body);
  const Vec3 w = V.head<3>(), alpha = A.head<3>(), r = p_W - body_pose(forest, k, body).p;
  return {w, alpha, A.tail<3>() + alpha.cross(r) + w.cross(w.cross(r)) - forest.gravity};
}

// The total force along each tendon in one part of a step: of its spring, damper, limits, dry friction,
// coupling to another tendon, and actuators.
void set_tendon_forces(const Model& model, const StepRecord& r, std::vector<double>* forces) {
  const ActuationRecord& actuation = r.actuation;
  forces->resize(actuation.tendons.size());
  for (std::size_t i = 0; i < forces->size(); ++i) (*forces)[i] = actuation.tendons[i].force;
  for (std::size_t i = 0; i < actuation.actuators.size(); ++i) {
    const int tendon = model.tables().actuation->transmissions.tendon_of(static_cast<int>(i));
    if (tendon >= 0) (*forces)[tendon] += model.elements.actuators[i].gear[0] * actuation.actuators[i].force;
  }
  for_each_row_force(r, [&](const RowOwner& owner, double force, const StepRecord&, int) {
    if (owner.kind == RowKind::tendon_limit)
      (*forces)[owner.index] += tendon_limit_force(owner.component, force);
    if (owner.kind == RowKind::tendon_friction) (*forces)[owner.index] += force;
    if (owner.kind != RowKind::constraint) return;
    const Constraint& constraint = model.tables().constraints->constraints[owner.index];
    if (const auto* coupling = std::get_if<Coupling>(&constraint.what))
      add_tendon_forces(*coupling, actuation.transmissions.tendon_lengths, force, forces);
  });
}

}  // namespace

Reactions::Reactions(const Forest& forest)
    : of_bodies(forest.bodies.size(), Vec6::Zero()),
      forces(forest),
      tau(VecX::Zero(forest.num_v)),
      origins(forest.bodies.size(), Vec3::Zero()) {}

void compute_reactions(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                       std::span<const BodyWrench> wrenches, Reactions* reactions) {
  std::vector<Vec6>& of_bodies = reactions->of_bodies;
  std::vector<Vec3>& origins = reactions->origins;
  inverse_dynamics(forest, kinematics, vdot, &reactions->forces, reactions->tau.data());

  // The wrench required by the motion of every body, about its origin.
  for (std::size_t b = 0; b < of_bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    const Pose X = body_pose(forest, kinematics, body);
    origins[b] = X.p;
    of_bodies[b].setZero();
    if (b == 0) continue;
    const Inertia& inertia = forest.bodies[b].inertia;
    const Vec3 c = X.R * inertia.com;
    const BodyMotionNow motion = motion_at(forest, kinematics, reactions->forces, body, X.p + c);
    const Vec3 w_B = X.R.transpose() * motion.w, alpha_B = X.R.transpose() * motion.alpha;
    const Vec3 force = inertia.mass * motion.a;
    const Vec3 spin = inertia.I_com * alpha_B + w_B.cross(inertia.I_com * w_B);
    of_bodies[b] = stack<double>(X.R * spin + c.cross(force), force);
  }
  // Minus external wrenches.
  for (const BodyWrench& w : wrenches) {
    const Vec3 force = w.wrench.tail<3>();
    of_bodies[w.body].tail<3>() -= force;
    of_bodies[w.body].head<3>() -= w.wrench.head<3>() + (w.p_W - origins[w.body]).cross(force);
  }
  // Add the wrenches of the children to those of their parents; children have larger indices than their
  // parents.
  for (std::size_t b = of_bodies.size() - 1; b > 0; --b) {
    const int parent = forest.bodies[b].parent;
    const Vec3 force = of_bodies[b].tail<3>();
    of_bodies[parent].head<3>() += of_bodies[b].head<3>() + (origins[b] - origins[parent]).cross(force);
    of_bodies[parent].tail<3>() += force;
  }
}

Vec6 loop_closure_wrench(const Model& model, const StepRecord& record, int constraint) {
  const Constraint& of = model.tables().constraints->constraints[constraint];
  const LoopClosure& closure = *of.loop_closure();
  Vec6 on_first = Vec6::Zero();
  for_each_row_force(record, [&](const RowOwner& owner, double force, const StepRecord& part, int) {
    if (owner.kind != RowKind::constraint || owner.index != constraint) return;
    on_first += wrench_on_first(of, pose_of(part.kinematics, closure.a), pose_of(part.kinematics, closure.b),
                                owner.component, force);
  });
  return on_first;
}

void outside_wrenches(const Model& model, const StepRecord& record, std::span<const ContactForce> contacts,
                      std::vector<double>* tendon_forces, std::vector<BodyWrench>* wrenches) {
  wrenches->assign(record.wrenches.begin(), record.wrenches.end());
  for (const ContactForce& contact : contacts) {
    const Vec6 on_B = stack<double>(contact.moment, contact.force);
    wrenches->push_back({contact.body_B, contact.p_W, on_B});
    wrenches->push_back({contact.body_A, contact.p_W, -on_B});
  }
  for_each_row_force(record, [&](const RowOwner& owner, double force, const StepRecord& part, int) {
    if (owner.kind != RowKind::constraint) return;
    const Constraint& of = model.tables().constraints->constraints[owner.index];
    const LoopClosure* closure = of.loop_closure();
    if (closure == nullptr) return;
    const Pose X_A = pose_of(part.kinematics, closure->a), X_B = pose_of(part.kinematics, closure->b);
    const Vec6 on_first = wrench_on_first(of, X_A, X_B, owner.component, force);
    wrenches->push_back({closure->a.body, X_A.p, on_first});
    wrenches->push_back({closure->b.body, closure->acts_at_one_point() ? X_A.p : X_B.p, -on_first});
  });
  set_tendon_forces(model, record, tendon_forces);
  model.tables().actuation->transmissions.add_tendon_wrenches(record.kinematics, tendon_forces->data(),
                                                              wrenches);
}

}  // namespace stiction
