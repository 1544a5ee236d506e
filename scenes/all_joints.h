#pragma once
// Models that exercise all of the dynamics: every kind of joint, anchors and references away from zero,
// bodies fixed at the root, in the middle and at the ends, several joints on one body, inertias with products
// of inertia.

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// Every kind of joint except free in one tree on a fixed pedestal.
Model all_joints();

// Every kind of joint on a free base whose centre of mass is away from its origin.
Model all_joints_free();

// As all_joints without the screw, which MuJoCo does not have.
Model all_joints_mujoco();

}  // namespace stiction::scenes
