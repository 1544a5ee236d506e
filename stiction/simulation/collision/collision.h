#pragma once
// The collision stage of a step: from where everything is and how it moves to points of contact.
//
// find_pairs puts a box around every shape, as far as it moves in h with its velocity, widened by the part of
// the margin that does not depend on the partner, and asks the broad phase. find_contacts asks the narrow
// phase for the points of each pair up to
//
//   margin = max(1e-4 m, 2 g h^2 + h u) + what the model says of the two shapes,
//
// where u bounds the relative speed of any two points that can meet: the relative velocity at the centre of
// the smaller shape, plus the relative angular velocity times the radius of its bounding ball.
//
// Laws that couple friction to the normal velocity (sap, icf_similar) carry a body that slides at u on a gap
// of mu (h + tau) u (S section VI-A, tau 0 for icf_similar). Both the boxes and the margin grow by this gap,
// with the largest mu (h + tau) of the model, the glide time, and the speed before the last step; otherwise
// the body would lose its points and fall. Torsional and rolling friction add theirs times the angular speed.
//
// Shapes that travel farther than the thinner one's thickness in a step, h u > thickness, could pass each
// other unseen, and a point that is near at the start says little about where they meet. If they do not
// overlap at the start, the time of impact decides: none, no points; otherwise points whose normal is close
// to that at impact stay, and where there is none the speculative point of the impact takes their place.
//
// t1, t2 of a point follow from its normal (stiction/geometry/simd/tangents.h).
//
// Pairs are sorted, points come in the order of the pairs, and every bit is the same for any number of
// threads.

#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// What the law of contact asks of collision detection: bodies that slide on a gap keep their points.
struct SlidingGap {
  double per_speed = 0.0;  // s, the gap over the sliding speed
  double per_spin = 0.0;   // m s, the gap over the relative angular speed
  double added_speed =
      0.0;  // m/s, of moving surfaces against their bodies, and what friction takes in a step
};

// From the kinematics, velocities included, and the step h: motions, centres and pairs.
void find_pairs(const Model& model, const Kinematics& kinematics, double h, const SlidingGap& gap,
                CollisionRecord* c, CollisionWorkspace* work);

// After find_pairs: the points, and what the pairs know of them.
void find_contacts(const Model& model, double h, const SlidingGap& gap, CollisionRecord* c,
                   CollisionWorkspace* work);

// The deepest point of every pair of shapes that overlap by more than `depth` (m) in the initial position.
struct RestOverlap {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  double depth = 0.0;            // m
};
std::vector<RestOverlap> overlaps_at_rest(const Model& model, double depth);

}  // namespace stiction
