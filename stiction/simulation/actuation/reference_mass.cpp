#include "stiction/simulation/actuation/reference_mass.h"

#include <Eigen/LU>

#include "stiction/base/check.h"

namespace stiction {

ReferenceMass::ReferenceMass(const Model& model) : forest_(model.forest), kinematics_(forest_), M_(forest_) {
  compute_positions(forest_, model.q0.data(), &kinematics_);
  compute_mass_matrix(forest_, kinematics_, &M_);
  STICTION_USER_CHECK(factorise(forest_, nullptr, &M_) < 0, "the mass matrix is not positive definite");
}

void ReferenceMass::add_tendons(const Model& model, const MomentRows& tendon_rows) {
  std::vector<double> armatures;
  for (std::size_t t = 0; t < model.elements.tendons.size(); ++t) {
    const Tendon& tendon = model.elements.tendons[t];
    double armature = tendon.armature;
    for (const Actuator& actuator : model.elements.actuators)
      if (actuator.transmission == TransmissionKind::tendon && actuator.target == tendon.name)
        armature += actuator.gear[0] * actuator.gear[0] * actuator.armature;
    if (armature <= 0.0) continue;
    armatures.push_back(armature);
    J_.conservativeResize(forest_.num_v, Eigen::Index(armatures.size()));
    J_.col(J_.cols() - 1) = tendon_rows.dense(int(t), forest_.num_v);
  }
  MiJ_ = J_;
  for (Eigen::Index k = 0; k < MiJ_.cols(); ++k) solve(forest_, M_, MiJ_.col(k).data());
  MatX small = J_.transpose() * MiJ_;
  for (Eigen::Index k = 0; k < small.cols(); ++k) small(k, k) += 1.0 / armatures[std::size_t(k)];
  small_inverse_ = small.inverse();
}

VecX ReferenceMass::solved(const VecX& x) const {
  VecX y = x;
  solve(forest_, M_, y.data());
  if (J_.cols() > 0) y -= MiJ_ * (small_inverse_ * (MiJ_.transpose() * x));
  return y;
}

std::vector<double> reference_accelerations(const Model& model, const Transmissions& transmissions) {
  ReferenceMass mass(model);
  TransmissionState at_q0(transmissions);
  transmissions.compute(mass.kinematics(), model.q0.data(), &at_q0);
  mass.add_tendons(model, at_q0.tendon_rows);
  std::vector<double> out;
  for (int i = 0; i < transmissions.num_actuators(); ++i) {
    VecX vdot = mass.solved(at_q0.actuator_rows.dense(i, model.num_v()));
    for (std::size_t n = 0; n < model.forest.nodes.size(); ++n) {
      const Node& node = model.forest.nodes[n];
      if (node.kind != NodeKind::free) continue;
      const Mat3 R = rotation_from_quaternion(Vec4(model.q0.segment<4>(node.q_begin)));
      const Vec3 com = R * Eigen::Map<const Vec3>(model.forest.constants[n].p);
      vdot.segment<3>(node.v_begin + 3) -= vdot.segment<3>(node.v_begin).cross(com);
    }
    out.push_back(vdot.norm());
  }
  return out;
}

}  // namespace stiction
