#pragma once
// Scenes for geometrically implicit stepping: those of G section 6, and others with curved bodies.

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// A disc of 1 m and 1 kg that rolls at -3 m/s in the plane y = 0, mu 0.4 (G 6.1); as a regular polygon of so
// many sides, which starts on a vertex.
Model rolling_disc();
Model rolling_polygon(int sides);

// A unit sphere of 1 kg at rest on two fixed ones of 10 m and 9 m, pushed by (1, 2.6, -9.81) N, mu 0.2,
// e_r 0.3 (G 6.2).
Model sphere_on_two_spheres();

// A disc of 1 m and 1 kg that falls by 0.5 m on a plane with a compliant layer of 1000 N/m around a core,
// without friction (G 6.3); the layer is 0.05 m deep, so that the disc meets the core, or 1 m.
Model disc_on_shallow_layer();
Model disc_on_deep_layer();

// An ellipsoid of 30 x 20 x 20 cm that rolls down a slope of 10 degrees about its long axis, mu 0.6.
Model ellipsoid_on_slope();

// Five superellipsoids that fall into a bowl of eight tilted planes.
Model superellipsoids_in_bowl();

// Two jaws that close with 2 N on the gear of G 6.4, a disc of 20.75 mm with six teeth in the plane z = 0;
// (x, y) is the middle of the fingertips against its centre (m). It lies on
// a support with mu 0.25 under its weight (2.5-D friction, uniform pressure).
Model gear_in_jaws(double x, double y);
Model gear_in_jaws_at_sweet_spot();

}  // namespace stiction::scenes
