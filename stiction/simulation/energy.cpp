#include "stiction/simulation/energy.h"

#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/simulation/constraint/constraint_rows.h"
#include "stiction/simulation/output/contact_forces.h"

namespace stiction {

Energies energies(const Model& model, const State& state) {
  Kinematics kinematics(model.forest);
  compute_positions(model.forest, state.q.data(), &kinematics);
  compute_velocities(model.forest, state.v.data(), &kinematics);
  Energies e;
  e.kinetic = kinetic_energy(model.forest, kinematics) + rotor_energy(model.forest, state.v.data());
  e.gravity = gravity_energy(model.forest, kinematics);
  e.springs = spring_energy(model.forest, state.q.data());
  return e;
}

StepWork work_of_step(const Model& model, const State& now, const StepRecord& r) {
  const VecX mean = 0.5 * (now.v + r.v_next);
  VecX force = VecX::Zero(model.num_v());
  for (std::size_t p = 0; p < r.collision.pairs.size(); ++p) {
    const ShapePair& pair = r.collision.pairs[p];
    if (r.contact.places[p].begin < 0) continue;
    for (int k = pair.begin; k < pair.end; ++k) {
      const ContactPoint& point = r.collision.points[k];
      const Vec3 at = point.p_A + 0.5 * point.distance * point.normal;
      const Vec3 on_B = contact_force(r, static_cast<int>(p), k - pair.begin);
      const Vec6 wrench = stack<double>(contact_moment(r, static_cast<int>(p), k - pair.begin), on_B);
      add_wrench(model.forest, r.kinematics, pair.body_B, at, wrench, force.data());
      add_wrench(model.forest, r.kinematics, pair.body_A, at, -wrench, force.data());
    }
  }
  StepWork work;
  work.contact = r.h * force.dot(mean);
  work.applied = r.h * r.applied.dot(mean);
  force.setZero();
  add_damping_forces(model.forest, r.v_next.data(), force.data());
  work.dampers = r.h * force.dot(mean);
  row_joint_forces(r, &force);
  work.rows = r.h * force.dot(mean);
  return work;
}

}  // namespace stiction
