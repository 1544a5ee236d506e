#pragma once
// Bodies that roll, spin and collide.

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// A cylinder of 5 cm and 0.5 kg that rolls on the floor, held by a spring of 100 N/m and pulled 0.1 m out,
// friction mu (S section VI-B).
Model spring_cylinder(double mu);
Model rolling_spring_cylinder();

// A sphere of 5 cm and 1 kg that rolls down a slope of `angle` (rad), mu 0.5.
Model rolling_sphere(double angle);
Model rolling_sphere_on_15_degrees();

// A bowling ball of 11 cm and 6 kg thrown without spin at 5 m/s, mu 0.2: it slides, then rolls at 5/7 of its
// speed.
Model bowling();

// A ball of 5 cm and 0.5 kg that rolls at 0.5 m/s on a lawn with rolling friction of 3 mm, and stops.
Model lawn_ball();

// A top of 50 g, a disc of 3 cm on a tip of 5 mm whose torsional friction is 0.5 mm, spinning upright at
// 100 rad/s.
Model spinning_top();

// Five steel balls on pendulums, the first one lifted by 30 degrees.
Model newtons_cradle();

// An ellipsoid with the mass of its lower half and principal axes of inertia that are rotated against its
// shape (a rattleback or celt): spun one way, it stops and reverses.
Model rattleback();

}  // namespace stiction::scenes
