#pragma once
// The inverse of the mass matrix at the initial position q0, for parameters of a model file that are relative
// to the inertia. A tendon with armature a and moment arms J adds a J J' to the mass matrix:
//
//   (M + J A J')^-1 = M^-1 - M^-1 J (A^-1 + J' M^-1 J)^-1 J' M^-1

#include <vector>

#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/actuation/transmission.h"

namespace stiction {

class ReferenceMass {
 public:
  // Throws UserError if the mass matrix is not positive definite.
  explicit ReferenceMass(const Model& model);

  // Adds the armature of tendons, including the rotors of actuators on them.
  void add_tendons(const Model& model, const MomentRows& tendon_rows);
  // M^-1 x
  VecX solved(const VecX& x) const;
  const Kinematics& kinematics() const { return kinematics_; }

 private:
  const Forest& forest_;
  Kinematics kinematics_;
  MassMatrix M_;
  MatX J_, MiJ_, small_inverse_;
};

// |M^-1 row| of every actuator: the norm of the acceleration caused by a unit force of it. For free bodies
// the acceleration is that of the body's origin, as in MJCF.
std::vector<double> reference_accelerations(const Model& model, const Transmissions& transmissions);

}  // namespace stiction
