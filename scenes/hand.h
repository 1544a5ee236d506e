#pragma once

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// A hand of 16 hinges on a fixed palm: three fingers and a thumb of four hinges each, palm up.
Model hand();

}  // namespace stiction::scenes
