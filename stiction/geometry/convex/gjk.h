#pragma once
// The distance of two convex shapes from their support functions (E. G. Gilbert, D. W. Johnson, S. S.
// Keerthi, "A fast procedure for computing the distance between complex objects in three-dimensional space",
// IEEE J. Robotics and Automation 4(2), 1988).
//
// The distance is that of the origin from the Minkowski difference b - a. A simplex of up to four support
// differences moves towards the origin; with v its point nearest to the origin and w the support difference
// in direction -v,
//   |v| >= distance >= v . w/|v|,
// and it ends when both agree to `tolerance` of |v|, or when no vertex is new: for polytopes the answer is
// then exact to round-off. The nearest point of a simplex is found by signed volumes, which stay accurate for
// flat simplices (M. Montanari, N. Petrinic, E. Barbieri, "Improving the GJK algorithm for faster and more
// reliable distance queries between convex objects", ACM TOG 36(3), 2017).

#include <array>

#include "stiction/geometry/convex/support.h"
#include "stiction/math/spatial.h"

namespace stiction {

struct GjkVertex {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // m, support points of the two cores, in A's frame
  int vertex_a = 0, vertex_b = 0;           // as in SupportPoint
  double share = 0.0;                       // of the nearest point: v = sum of share (b - a)
};

// The support points of A along n and of B along -n (n in A).
GjkVertex support_difference(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                             const Vec3& n, const GjkVertex& hint = {});

// Everything in the frame of A, and for the cores alone: the caller adds the radii.
struct GjkResult {
  bool overlap = false;                         // distance below round-off of the sizes: no normal
  double distance = 0.0;                        // m, upper bound |v|
  double lower_bound = 0.0;                     // m
  Vec3 normal = Vec3::UnitZ();                  // unit, from A to B
  Vec3 p_a = Vec3::Zero(), p_b = Vec3::Zero();  // m, nearest points
  std::array<GjkVertex, 4> simplex;             // the first `size` span the nearest point
  int size = 0;
  int iterations = 0;
};

struct GjkOptions {
  double tolerance = 1e-12;  // of the distance
  // Stop as soon as the cores are known to be farther apart than this, m: the result then only has a
  // direction and a lower bound.
  double far_enough = 1e300;
  Vec3 axis = Vec3::Zero();  // a first guess of the normal, in A; zero: from centre to centre
};

GjkResult gjk_distance(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                       const GjkOptions& options = {});

}  // namespace stiction
