#pragma once
// The robots of this folder with servos on all their joints. A control is the offset (rad) of a servo from
// the initial pose, so that a robot whose controls are zero stands still.

#include "stiction/simulation/input_schedule.h"
#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// The quadruped above a floor: it drops by 4 cm and stands.
Model quadruped_standing();

// The same with the controls of `trot`: an open-loop trot, diagonal legs alternately.
Model quadruped_trotting();
InputSchedule trot(const Model& model);

// The humanoid above a floor: it drops by 3 cm and stands with bent knees.
Model humanoid_standing();

// The hand with a ball of 7 cm and 0.1 kg on its palm, which its fingers close around.
Model hand_with_ball();

}  // namespace stiction::scenes
