#pragma once

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// A humanoid of 62 kg with 30 degrees of freedom; waist, neck, hips, ankles and shoulders have several hinges
// on one body.
Model humanoid();

}  // namespace stiction::scenes
