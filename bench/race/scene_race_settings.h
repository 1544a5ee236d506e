#pragma once
// Settings of MuJoCo that leave a scene as it is and ask as much of its solver as ours does.

#include "bench/race/scene_race_sides.h"

namespace stiction::race {

SceneModels copy_of(const SceneModels& models);

// Lets MuJoCo's solver go on until it leaves no more than this of the balance of momentum in the middle one
// of the steps that are looked at. False: it does not come so far.
bool tighten_mujoco(double residual, SceneModels* models);

// Gives MuJoCo's contacts the stiffness k of ours. Over a step of length h a contact of ours yields to a normal
// impulse by 1/(h^2 k), one of MuJoCo's by w (1 - d)/d with the impedance d and the inverse mass w of the bodies
// at the point, so that
//
//   d = 1 - 1/(1 + h^2 k w),   at most 0.9999, the largest that MuJoCo takes.
//
// Every geom has the d of its own body with the k of its contact with something that does not move, if the scene
// has such a thing, else with one like itself. Where ours is as soft as the file (a force table), it stays as it
// is. Two equal geoms that both move yield twice as much where k does not follow their mass. MuJoCo's time
// constant stays as the file has it: shorter than two steps it is not stable.
void stiffen_mujoco(SceneModels* models);

// Of MuJoCo's solvers the fastest that leaves no more than this of the balance of momentum, each with the
// largest tolerance that does, from that of the file on. False: none comes so far, and the model stays as it
// is.
bool choose_mujoco_solver(double residual, SceneModels* models);

}  // namespace stiction::race
