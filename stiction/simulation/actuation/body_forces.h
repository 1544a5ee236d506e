#pragma once
// Forces on bodies that the model defines: gravity compensation and fluid forces.
//
//   gravity compensation   -c m g at the centre of mass, c a fraction of the body's weight
//   fluid                  multibody/fluid_force.h: on an ellipsoid for each shape that asks for it, on the
//                          box with the body's inertia for bodies without such shapes
//
// Fluid forces depend on the velocity of the body minus the wind.

#include <memory>
#include <vector>

#include "stiction/constraint/attached_frame.h"
#include "stiction/multibody/fluid_force.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

struct CompensatedBody {
  AttachedFrame com;
  Vec3 force = Vec3::Zero();  // N, in W
};

struct BodyInFluid {
  AttachedFrame place;  // frame of the ellipsoid or box
  bool is_box = false;
  FluidEllipsoid ellipsoid;
  FluidBox box;
};

struct BodyForcesModel {
  explicit BodyForcesModel(const Model& model);

  std::vector<CompensatedBody> compensated;
  std::vector<BodyInFluid> in_fluid;
  Fluid fluid;
};

// (moment about the origin of the tree, force), in W.
struct NodeWrench {
  Vec3 moment, force;
};

struct BodyForcesRecord {
  explicit BodyForcesRecord(const Forest& forest);

  VecX gravity_compensation, fluid;  // by velocity
};

// From positions and velocities. `wrenches` is scratch memory: one per node, then summed from the leaves to
// the roots.
void compute_body_forces(const Forest& forest, const BodyForcesModel& model, const Kinematics& kinematics,
                         std::vector<NodeWrench>* wrenches, BodyForcesRecord* record);

// -d(moment, force)/dV of the fluid on one body, at its place in W, V its velocity (angular, linear) there.
Mat6 fluid_damping(const BodyForcesModel& model, const Kinematics& kinematics, const BodyInFluid& body);

// tau += both, except the gravity compensation that counts as actuator force.
void add_body_forces(const BodyForcesModel& model, const ActuationModel& actuation,
                     const BodyForcesRecord& record, double* tau);

}  // namespace stiction
