#pragma once
// The collision stage of a step: finds contact points from the poses and velocities of all shapes.
//
// find_pairs encloses every shape in a box that covers its motion during h, enlarged by the part of the
// margin that does not depend on the other shape, and asks the broad phase for overlapping boxes.
// find_contacts asks the narrow phase for the points of each pair up to the distance
//
//   margin = max(1e-4 m, 2 g h^2 + h u) + (margins of the two shapes in the model) + dh,
//
// where u bounds the relative speed of any two points that can touch: the relative velocity at the centre of
// the smaller shape, plus the relative angular velocity times the radius of its bounding sphere; dh is the
// largest distance from which on a barrier acts, 0 under other elasticities (contact/law/normal_force.h).
//
// Under laws that couple friction to the normal velocity (sap, icf_similar) a body that slides at u floats on
// a gap of mu (h + tau) u (S section VI-A; tau = 0 for icf_similar). The boxes and the margin grow by this
// gap, computed from the largest mu (h + tau) of the model (SlidingGap) and the speed before the last step;
// otherwise the body would lose its contact points and fall. Torsional and rolling friction add a gap
// proportional to the relative angular speed.
//
// If two shapes travel farther in a step than the thinner one's thickness, h u > thickness, they could pass
// through each other, and the points at the start say little about where they will touch. If they do not
// overlap at the start, the time of impact decides: without an impact there are no points; otherwise the
// points whose normal is close to that at impact are kept, and if there are none, the speculative point of
// the impact replaces them.
//
// Pairs of which one shape at least is compliant and both have a surface for pressure fields touch by these, where the
// law takes them (pressure_pairs.h).
//
// t1, t2 of a point follow from its normal (stiction/geometry/simd/tangents.h).
//
// Pairs are sorted, points come in the order of the pairs, and results are the same, bit for bit, for any
// number of threads.

#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// What collision detection needs to know of the contact law, so that bodies that slide on a gap keep their
// points, and barriers act from where they begin.
struct SlidingGap {
  double per_speed = 0.0;  // s, the gap over the sliding speed
  double per_spin = 0.0;   // m s, the gap over the relative angular speed
  // m/s, of moving surfaces relative to their bodies, plus the change by friction in a step.
  double added_speed = 0.0;
  double barrier_distance = 0.0;  // m, dh
  bool takes_fields = false;      // pairs with pressure fields touch by them, otherwise at points
};

// From kinematics (with velocities) and the step h: motions, centres and pairs.
void find_pairs(const Model& model, const Kinematics& kinematics, double h, const SlidingGap& gap,
                CollisionRecord* c, CollisionWorkspace* work);

// After find_pairs: the contact points, and for each pair its range of points, margin and time of impact.
void find_contacts(const Model& model, double h, const SlidingGap& gap, CollisionRecord* c,
                   CollisionWorkspace* work);

// The deepest point of every pair of shapes that overlap by more than `depth` (m) in the initial position.
struct RestOverlap {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  double depth = 0.0;            // m
};
std::vector<RestOverlap> overlaps_at_rest(const Model& model, double depth);

}  // namespace stiction
