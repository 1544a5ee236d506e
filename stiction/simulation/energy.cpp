#include "stiction/simulation/energy.h"

#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/output/row_forces.h"

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

StepWork work_of_step(const Model& model, const StepRecord& whole) {
  StepWork work;
  VecX force = VecX::Zero(model.num_v());
  for_each_part(whole, [&](const StepRecord& r, double) {
    const VecX mean = 0.5 * (r.v_start + r.v_next);
    force.setZero();
    for (const ContactForce& contact : contact_forces(r)) {
      const Vec6 on_B = stack<double>(contact.moment, contact.force);
      add_wrench(model.forest, r.kinematics, contact.body_B, contact.p_W, on_B, force.data());
      add_wrench(model.forest, r.kinematics, contact.body_A, contact.p_W, -on_B, force.data());
    }
    work.contact += r.h * force.dot(mean);
    work.applied += r.h * r.applied.dot(mean);
    force.setZero();
    add_damping_forces(model.forest, r.v_next.data(), force.data());
    work.dampers += r.h * force.dot(mean);
    row_joint_forces(r, &force);
    work.rows += r.h * force.dot(mean);
  });
  return work;
}

}  // namespace stiction
