#pragma once
// Bodies that touch by their pressure fields (docs/models/pressure_fields.md).

#include "stiction/simulation/input_schedule.h"
#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// A box, a ball, a capsule, a cylinder, an ellipsoid and a wedge of 0.1 to 0.5 kg that fall on each other and on a rigid
// floor; E 1e6 Pa, d 10 s/m, mu 0.5. A seventh body is rigid.
Model soft_pile();

// A gripper with two soft bubbles that holds a spatula by its handle, after S section VI-D: ellipsoids with the radii
// 62.5, 41.65 and 41.65 mm, E 1e5 Pa, on slides along y with 50 g each; the handle is a cylinder of 15 mm and 110 mm
// along x, E 1e8 Pa, of a spatula of 68 g whose centre of mass is 20.8 mm in front of it. d 5 s/m, mu 1. The controls
// "left" and "right" are the forces along y on the two bubbles (N): f and -f grip with f.
Model bubble_gripper();
// The grip of S section VI-D: 16 N for 4.5 s, then 1 N for 1.5 s, again and again, for a minute.
double grip_at(double time);  // N
InputSchedule grip_of_bubbles(const Model& model);

}  // namespace stiction::scenes
