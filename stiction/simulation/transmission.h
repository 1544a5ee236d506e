#pragma once
// What tendons and actuators act on: their lengths, and how lengths change with the velocities (moment arms).
//
//   fixed tendon     length = sum c_j q_j                         moment = c_j on the velocity of joint j
//   spatial tendon   length = sum of straight and wrapped parts   moment = sum d' (J_to - J_from) over the
//   straight parts,
//                                                                 d their direction; wrapped parts add
//                                                                 nothing of their own
//   actuator         length = gear . (what it acts on)            moment likewise; force f on it is moment' f
//   on the joints
//
// Lengths and moments are those of MJCF's tendons and transmissions (joint, jointinparent, tendon, site with
// and without a reference site, slider-crank; `body` has none without contacts).

#include <string>
#include <vector>

#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/model.h"

namespace stiction {

// A place fixed to a body.
struct BodyPoint {
  int body = 0;
  Pose X_BP;
};

struct ResolvedWrap {
  WrapKind kind = WrapKind::site;
  double coefficient = 1.0;  // joint: per unit of q; pulley: divisor
  int joint = -1;
  BodyPoint place;  // of a site, or of a shape
  bool is_cylinder = false;
  double radius = 0.0;  // m
  bool has_side = false;
  BodyPoint side;
};

// Tendons and actuators with their names looked up, once per model.
class Transmissions {
 public:
  // Throws UserError, naming tendon or actuator, where a name does not exist or does not fit.
  explicit Transmissions(const Model& model);

  int num_tendons() const { return static_cast<int>(tendons_.size()); }
  int num_actuators() const { return static_cast<int>(actuators_.size()); }

  // Length, and moment arms by velocity of the model (overwritten).
  double tendon(const Model& model, const Kinematics& kinematics, const double* q, int index,
                VecX* moment) const;
  double actuator(const Model& model, const Kinematics& kinematics, const double* q, int index,
                  VecX* moment) const;

 private:
  struct ResolvedActuator {
    TransmissionKind kind = TransmissionKind::joint;
    int joint = -1, tendon = -1;
    BodyPoint site, reference;
    bool has_reference = false;
  };

  std::vector<std::vector<ResolvedWrap>> tendons_;
  std::vector<ResolvedActuator> actuators_;
};

}  // namespace stiction
