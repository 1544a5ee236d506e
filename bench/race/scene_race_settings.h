#pragma once
// Settings of MuJoCo that leave a scene as it is and ask as much of its solver as ours does.

#include "bench/race/scene_race_sides.h"

namespace stiction::race {

SceneModels copy_of(const SceneModels& models);

// Lets MuJoCo's solver go on until it leaves no more than this of the balance of momentum in the middle one
// of the steps that are looked at. False: it does not come so far.
bool tighten_mujoco(double residual, SceneModels* models);

// Gives MuJoCo's contacts the stiffness k of ours, so that what rests sinks as deep. With the time constant T, the
// damping ratio 1, the impedance d and the inverse mass w of the bodies at a point its force at the depth r is
//
//   c r/((1 - d) w T^2),   c = 1 for the elliptic cone, (condim - 1)/((mu^2/impratio) (1 + mu^2)) for pyramids,
//
// so T is two steps, the shortest that MuJoCo takes, or that of the file if it is shorter, and
//
//   d = 1 - c/(k w T^2),   at most 0.9999, the largest that MuJoCo takes, and no less than the file's.
//
// The shortest T leaves the smallest d and so the easiest problem. Every geom has the d of its own body with the k
// of its contact with something that does not move, if the scene has such a thing, else with one like itself: two
// equal geoms that both move are half as stiff where k does not follow their mass. Where ours is as soft as the
// file, its numbers stay.
void stiffen_mujoco(SceneModels* models);

// Of MuJoCo's solvers the fastest that leaves no more than this of the balance of momentum, each with the
// largest tolerance that does, from that of the file on. False: none comes so far, and the model stays as it
// is.
bool choose_mujoco_solver(double residual, SceneModels* models);

}  // namespace stiction::race
