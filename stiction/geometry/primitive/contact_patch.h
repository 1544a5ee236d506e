#pragma once
// Contact points of a segment or a disc on a polygon, a disc or a segment.
//
// Once the common normal n of two shapes is known, their features that face each other (support_feature.h)
// are a segment (the core of a capsule, a line on the lateral surface of a cylinder), a disc (of a cylinder)
// or a polygon (of a box or a hull). One feature is projected along n into the plane of the other, the two
// are intersected there, and every corner of the intersection becomes a contact whose distance is measured
// along n: p_A and p_B lie on the two features.
//
// For core + radius the surface is offset along n: by the radius where n is normal to it (the deepest
// points), elsewhere up to where the line leaves the shape (rounded_surface.h).
//
// Weights.
//   Disc     Its outline within the other feature counts by length. Straight sides give half of their length
//            to either end. Arcs give theirs to the four corners of the disc (the rim point nearest to the
//            other feature's plane, its opposite and the two at right angles) by hat functions of the angle,
//            which vanish at the next corner; where a corner is cut off its share goes to the end of the arc.
//            A whole disc has four times 1/4. A cut appears with zero weight; as the outline becomes shorter
//            than the overlap is deep, the total falls from 1 to 1/4, the weight of features that only touch
//            at their borders. Nothing jumps, except the directions of the corners where a disc that is cut
//            lies exactly flat.
//   Segment  Each of its two ends, or the point where it is cut off, has w (1/2 for a capsule, 1/4 for a
//            cylinder). Where it is cut off, the end farther from the other feature has
//            w (sin^2 b + f cos^2 b), b the angle between segment and normal, f the fraction that is left: an
//            upright capsule has w whether it stands on a face or at an edge.
//   All      A patch in which only a corner with a small share overlaps (a vertex of a fine hull on a disc) is
//            raised to its least total weight (patch_weights.h).

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/convex/support_feature.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// Appends the contact points of two features of which not both are segments; `found` is the separation of the
// cores.
void add_patch(const CollisionShape& A, const CollisionShape& B, const PairFrame& frame,
               const SupportFeature& a, const SupportFeature& b, const Separation& found,
               const CollideOptions& options, ContactPoints* out);

// Distance (m) after which a ray from the point x of a segment (|s| <= half along the unit axis, about the
// origin) in the unit direction n leaves the capsule around it.
double capsule_exit_distance(const Vec3& axis, double half, double radius, const Vec3& x, const Vec3& n);

// Reduces the points from `begin` on to `max_points`: drops those of least weight times depth, never the
// deepest; their weight goes to the nearest point that stays.
void limit_points(std::size_t begin, int max_points, ContactPoints* out);

}  // namespace stiction
