#pragma once
// Numbers of an MJCF model that depend on all of it, at its initial position q0.
//
//   springdamper   time constant T and damping ratio r of a joint: k = I/(T r)^2, d = 2 I/T with the inertia
//                  that the joint moves, I = n / sum (M^-1)_ii over its n velocities
//   dampratio      of a servo with gain kp: kv = 2 r sqrt(kp m), m = n / sum J_i M^-1 J_i' over the n rows of
//                  its moment arms J; M has the armature of joints, actuators and tendons
//   springlength   where it is not given, a tendon's length with all joints at the rest of their springs

#include "stiction/io/mjcf/bodies.h"

namespace stiction {

// Into the joints of the scene that the model was built from.
void set_spring_dampers(const Model& model, MjcfScene* scene);
void set_damping_ratios(Model* model);
void set_spring_lengths(Model* model);

}  // namespace stiction
