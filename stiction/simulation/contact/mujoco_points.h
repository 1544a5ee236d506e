#pragma once
// How many of MuJoCo's points a pair with MuJoCo's curve of force (soft_contact.h) has.
//
// The points of a pair of ours share its stiffness by their weights, whereas each of MuJoCo's has the whole
// curve. So a point of weight w has the share min(1, N w) of it, N the points that MuJoCo finds where a shape
// lies flat or on its side on a plane, a box or a hull,
//
//   1 for spheres and (super)ellipsoids, 2 for capsules, 4 for boxes, cylinders and hulls,
//
// of a pair the smaller N. A box has the whole curve at each corner that touches (weight 1/4), and so has a
// corner of a fine hull, of weight 1. On height fields MuJoCo finds more, as many as there are prisms around
// the shape; where a cylinder stands on a plane it finds three, below an upright capsule one.

#include "stiction/simulation/contact/soft_contact.h"

namespace stiction {

// N; 1 for a pair without a curve of MuJoCo's.
double mujoco_points(const CollisionModel& collision, const PairMaterial& pair, int i, int j);

// The share that a point has in the force table of its pair.
double table_share(double weight, double points);

// The stiffness and the damping of laws without tables, where N points carry the load.
void set_for_points(const SoftContact& soft, double points, int i, int j, PairMaterial* pair);

}  // namespace stiction
