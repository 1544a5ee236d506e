#include "stiction/io/mjcf_reference.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include <Eigen/LU>

#include "stiction/base/check.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/transmission.h"

namespace stiction {
namespace {

// The inverse of the mass matrix at q0; tendons with armature a and moment arms J add a J J'.
class InverseMass {
 public:
  explicit InverseMass(const Model& model) : forest_(model.forest), kinematics_(forest_), M_(forest_) {
    compute_positions(forest_, model.q0.data(), &kinematics_);
    compute_mass_matrix(forest_, kinematics_, &M_);
    STICTION_USER_CHECK(factorise(forest_, nullptr, &M_) < 0, "the mass matrix is not positive definite");
  }

  void add_tendons(const Model& model, const Transmissions& transmissions) {
    std::vector<double> armatures;
    for (std::size_t t = 0; t < model.elements.tendons.size(); ++t) {
      const Tendon& tendon = model.elements.tendons[t];
      double armature = tendon.armature;
      for (const Actuator& actuator : model.elements.actuators)
        if (actuator.transmission == TransmissionKind::tendon && actuator.target == tendon.name)
          armature += actuator.gear[0] * actuator.gear[0] * actuator.armature;
      if (armature <= 0.0) continue;
      VecX moment;
      transmissions.tendon(model, kinematics_, model.q0.data(), int(t), &moment);
      armatures.push_back(armature);
      J_.conservativeResize(forest_.num_v, Eigen::Index(armatures.size()));
      J_.col(J_.cols() - 1) = moment;
    }
    // (M + J A J')^-1 = M^-1 - M^-1 J (A^-1 + J' M^-1 J)^-1 J' M^-1
    MiJ_ = J_;
    for (Eigen::Index k = 0; k < MiJ_.cols(); ++k) solve(forest_, M_, MiJ_.col(k).data());
    MatX small = J_.transpose() * MiJ_;
    for (Eigen::Index k = 0; k < small.cols(); ++k) small(k, k) += 1.0 / armatures[std::size_t(k)];
    small_inverse_ = small.inverse();
  }

  // x' M^-1 x
  double squared(const VecX& x) const {
    VecX y = x;
    solve(forest_, M_, y.data());
    if (J_.cols() == 0) return x.dot(y);
    const VecX along = MiJ_.transpose() * x;
    return x.dot(y) - along.dot(small_inverse_ * along);
  }
  const Kinematics& kinematics() const { return kinematics_; }

 private:
  const Forest& forest_;
  Kinematics kinematics_;
  MassMatrix M_;
  MatX J_, MiJ_, small_inverse_;
};

// The actuator itself, or, for one that turns something in three directions, one of them.
std::vector<Actuator> outputs_of(const Actuator& actuator) {
  if (actuator.gain != "so3") return {actuator};
  std::vector<Actuator> outputs(3, actuator);
  const std::size_t begin = actuator.transmission == TransmissionKind::site ? 3 : 0;
  for (std::size_t i = 0; i < 3; ++i) {
    outputs[i].gear = {};
    outputs[i].gear[begin + i] = 1.0;
  }
  return outputs;
}

}  // namespace

void set_spring_dampers(const Model& model, MjcfScene* scene) {
  if (scene->spring_dampers.empty()) return;
  std::unordered_map<std::string, Joint*> joints;
  for (MjcfBody& body : scene->bodies)
    for (Joint& joint : body.body.joints) joints[joint.name] = &joint;
  const InverseMass inverse(model);
  for (const SpringDamper& wanted : scene->spring_dampers) {
    const JointPlace& place = model.forest.joints[std::size_t(model.joint(wanted.joint))];
    double trace = 0.0;
    for (int d = place.v_begin; d < place.v_begin + place.num_v; ++d)
      trace += inverse.squared(VecX::Unit(model.forest.num_v, d));
    const double inertia = place.num_v / trace, T = wanted.time_constant, r = wanted.damping_ratio;
    joints.at(wanted.joint)->stiffness = per_dof(inertia / (T * T * r * r));
    joints.at(wanted.joint)->damping = per_dof(2.0 * inertia / T);
  }
}

void set_damping_ratios(Model* model) {
  std::vector<Actuator>& actuators = model->elements.actuators;
  const auto has_ratio = [](const Actuator& actuator) { return actuator.damping_ratio > 0.0; };
  if (std::none_of(actuators.begin(), actuators.end(), has_ratio)) return;

  Model outputs = *model;
  outputs.elements.actuators.clear();
  for (const Actuator& actuator : actuators)
    for (const Actuator& output : outputs_of(actuator)) outputs.elements.actuators.push_back(output);
  const Transmissions transmissions(outputs);
  InverseMass inverse(*model);
  inverse.add_tendons(*model, transmissions);
  int index = 0;
  for (Actuator& actuator : actuators) {
    const int count = int(outputs_of(actuator).size());
    double sum = 0.0;
    for (int i = 0; i < count; ++i, ++index) {
      if (!has_ratio(actuator)) continue;
      VecX moment;
      transmissions.actuator(outputs, inverse.kinematics(), model->q0.data(), index, &moment);
      sum += inverse.squared(moment);
    }
    if (!has_ratio(actuator)) continue;
    STICTION_USER_CHECK(sum > 0.0, "actuator '{}': dampratio needs something to move", actuator.name);
    const double m = count / sum, kp = -actuator.bias_parameters[1];
    actuator.bias_parameters[2] = -2.0 * actuator.damping_ratio * std::sqrt(kp * m);
    actuator.damping_ratio = 0.0;
  }
}

void set_spring_lengths(Model* model) {
  std::vector<Tendon>& tendons = model->elements.tendons;
  const auto is_open = [](const Tendon& tendon) { return tendon.spring_length[0] < 0.0; };
  if (std::none_of(tendons.begin(), tendons.end(), is_open)) return;
  VecX q = model->q0;
  for (std::size_t j = 0; j < model->forest.joints.size(); ++j)
    if (model->forest.joints[j].num_q == 1)
      q[model->forest.joints[j].q_begin] = model->forest.joint(int(j)).neutral[0];
  Kinematics kinematics(model->forest);
  compute_positions(model->forest, q.data(), &kinematics);
  const Transmissions transmissions(*model);
  VecX moment;
  for (std::size_t t = 0; t < tendons.size(); ++t) {
    if (!is_open(tendons[t])) continue;
    const double length = transmissions.tendon(*model, kinematics, q.data(), int(t), &moment);
    tendons[t].spring_length = {length, length};
  }
}

}  // namespace stiction
