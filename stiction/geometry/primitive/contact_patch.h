#pragma once
// Where a round part lies on another: the points of a segment or a disc over a polygon, a disc or a segment.
//
// Once the common normal n of two shapes is known, the parts of both that face each other are a segment (of a
// capsule's core, of a cylinder's mantle), a disc (of a cylinder) or a polygon (of a box or a hull). One part
// is moved along n into the plane of the other, the two are intersected there, and every corner of the
// intersection becomes a contact whose distance is measured along n: p_A and p_B lie on the two parts.
//
// A ball that sweeps the core moves the surface along n: by its radius where n is normal to it (the deepest
// points), elsewhere as far as the line stays in the shape (stiction/geometry/convex/rounded_surface.h).
//
// Weights.
//   Disc: its outline within the other part counts by length. Straight sides give half of it to either end.
//   Arcs give theirs to the four corners of the disc, the rim point nearest to the partner's plane, its
//   opposite and the two across, by hat functions of the angle, which vanish at the next corner; where a
//   corner is cut off its share goes to the end of the arc. A whole disc has four times 1/4; a cut that
//   begins has no weight; an outline shorter than the overlap is deep leads from 1 down to 1/4, the weight of
//   parts that only meet at their borders; nothing jumps, except the heading of the corners where a disc that
//   is cut lies exactly flat. Segment: each of its two ends w (1/2 for a capsule, 1/4 for a cylinder), or the
//   place where it is cut off; there the end farther from the partner has w (sin^2 b + f cos^2 b), b the
//   angle between segment and normal, f the part that is left: an upright capsule has w whether it stands on
//   a face or at an edge.

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/convex/support_feature.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// Appends the points of contact of two parts of which not both are segments; `found` is the separation of the
// cores.
void add_patch(const CollisionShape& A, const CollisionShape& B, const PairFrame& frame,
               const SupportFeature& a, const SupportFeature& b, const Separation& found,
               const CollideOptions& options, ContactPoints* out);

// How far a ray from the point x of a segment (|s| <= half along the unit axis, about the origin) in the unit
// direction n stays inside the segment swept by a ball of the given radius.
double capsule_exit_distance(const Vec3& axis, double half, double radius, const Vec3& x, const Vec3& n);

// Drops points beyond the first `max_points` after `begin`: those of least weight times depth, never the
// deepest; their weight goes to the nearest that stays.
void limit_points(std::size_t begin, int max_points, ContactPoints* out);

}  // namespace stiction
