#pragma once
// Mechanisms with closed loops, and a gripper.

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// Crank, coupler and rocker between two pivots on the ground, in the plane x, z; the crank can make full
// rotations. Angles of bars are measured from x towards z; q of the coupler is relative to the crank.
struct FourBarOptions {
  double ground = 0.3, crank = 0.1, coupler = 0.35, rocker = 0.25;  // m, between pivots
  double start = 1.0;                                               // rad, of the crank
  double speed = 6.283185307179586;  // rad/s of a velocity drive on the crank; 0: no drive
};
Model four_bar(const FourBarOptions& options);
Model driven_four_bar();

// A crank of 0.1 m, a connecting rod of 0.3 m and a slider of 0.5 kg along x.
struct SliderCrankOptions {
  double crank = 0.1, rod = 0.3;     // m, between pivots
  double start = 1.0;                // rad, of the crank from x towards z
  double speed = 6.283185307179586;  // rad/s of a velocity drive on the crank; 0: no drive
};
Model slider_crank(const SliderCrankOptions& options);
Model driven_slider_crank();

// Two fingers on slides along x, each pushed by its motor with `force` (N), squeeze a cube of 6 cm.
struct GripperOptions {
  double mass = 0.5;    // kg, of the cube
  double mu = 0.5;      // between cube and fingers
  double force = 10.0;  // N, of each finger
};
Model gripper(const GripperOptions& options);
Model gripper_with_cube();

}  // namespace stiction::scenes
