#pragma once

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// Forty free boxes, balls and capsules above a floor between two arms: a forest of small and large trees.
Model free_bodies_and_arms();

}  // namespace stiction::scenes
