#pragma once

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// A four-legged robot of 16 kg: a free trunk and three hinges a leg (hip roll, hip pitch, knee).
Model quadruped();

}  // namespace stiction::scenes
