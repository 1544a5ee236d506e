#pragma once
// A frame fixed to what moves it: looked up once, placed in the world in every step.

#include <string>

#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

struct AttachedFrame {
  int node = -1, kinematic = -1;  // as in BodyPlace; both -1: it does not move
  int tree = -1;                  // of the node
  Pose X_NP;                      // in the node, the kinematic body or the world
  int body = 0;                   // that it was given on
};

AttachedFrame place_on(const Forest& forest, int body, const Pose& X_BP);
// Of a named frame of the model; throws UserError with the closest name there is.
AttachedFrame frame_place(const Model& model, const std::string& name);

Pose pose_of(const Kinematics& kinematics, const AttachedFrame& place);
Vec3 point_of(const Kinematics& kinematics, const AttachedFrame& place);

}  // namespace stiction
