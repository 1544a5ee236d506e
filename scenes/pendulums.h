#pragma once
// Small mechanisms with a known motion.

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// A rod of 1 m and 1 kg on a hinge along y, hanging 30 degrees off the vertical.
Model pendulum();

// Two rods of 1 m and 1 kg on hinges along y, both held level: chaotic.
Model double_pendulum();

// Fifty links of 0.1 m on hinges along y and z alternately, held straight and level from the world.
Model chain();

// A block of 2 kg on a vertical slide and a spring of 200 N/m, started 0.1 m below its rest.
Model spring_mass();

// A free brick with three different principal moments of inertia, without gravity.
Model spinning_body();

}  // namespace stiction::scenes
