#include "stiction/geometry/primitive/cylinder_pairs.h"

#include <array>
#include <cmath>

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/primitive/capsule_pairs.h"
#include "stiction/geometry/primitive/contact_patch.h"

namespace stiction {
namespace {

constexpr double kLateralWeight = 0.5;  // of a line of the lateral surface: both ends together

// Two lateral surfaces: the nearest point and the ends of the interval side by side.
void add_lateral_contacts(const CollisionShape& A, const CollisionShape& B, const PairFrame& frame,
                          const Separation& found, double margin, ContactPoints* out) {
  const Pose& X = frame.X_AB;
  const Vec3& n = found.normal;
  const double ra = core_radius(A), rb = core_radius(B);
  const double radius_a = A.size[0] + ra, radius_b = B.size[0] + rb;  // of the lateral surfaces
  const Vec3 axis_a = Vec3::UnitZ(), axis_b = X.R.col(2);
  const ContactPoint nearest = frame.point(found.on_a + ra * n, n, found.distance - ra - rb, 1.0, 0);
  std::array<ContactPoint, 2> ends;
  int count = 0;
  SegmentPoints first, last;
  if (side_by_side(Vec3::Zero(), axis_a, A.size[1], X.p, axis_b, B.size[1], &first, &last)) {
    for (const SegmentPoints* p : {&first, &last}) {
      // On the cylinder that ends there, towards the other's axis; then the nearest point on the other.
      const bool from_a = std::abs(p->s) >= (1.0 - 1e-12) * A.size[1];
      const Vec3 apart = from_a ? Vec3(p->b - p->a) : Vec3(p->a - p->b);
      const Vec3 own = from_a ? axis_a : axis_b, other = from_a ? axis_b : axis_a;
      const Vec3 out_of_own = apart - own * own.dot(apart);
      const double across = out_of_own.norm();
      if (!(across > 0.0)) continue;
      Vec3 start = (from_a ? p->a : p->b) + (from_a ? radius_a : radius_b) / across * out_of_own;
      const Vec3 centre = from_a ? X.p : Vec3(Vec3::Zero());
      // Move back along its own axis if the other one ends first.
      const double foot = other.dot(start - centre), half = (from_a ? B : A).size[1];
      if (std::abs(foot) > half) start += (std::copysign(half, foot) - foot) / own.dot(other) * own;
      const double own_foot = own.dot(start - (from_a ? Vec3(Vec3::Zero()) : X.p));
      if (std::abs(own_foot) > (1.0 + 1e-12) * (from_a ? A : B).size[1]) continue;
      const Vec3 from_other = start - centre;
      const Vec3 radial = from_other - other * other.dot(from_other);
      const double reach = radial.norm(), distance = reach - (from_a ? radius_b : radius_a);
      if (!(reach > 0.0)) continue;
      const Vec3 m = (from_a ? -1.0 : 1.0) / reach * radial;  // from A into B
      const Vec3 on_a = from_a ? start : Vec3(start - distance * m);
      ends[count] = frame.point(on_a, m, distance, 1.0,
                                pair_feature(FeatureKind::vertex, count, FeatureKind::vertex, count));
      ++count;
    }
  }
  add_round_contacts(nearest, ends.data(), count, kLateralWeight, radius_a + radius_b, margin, out);
}

}  // namespace

void collide_cylinder_cylinder(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                               const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                               ContactPoints* out) {
  const PairFrame frame(X_WA, X_WB);
  Separation found;
  SupportFeature a, b;
  if (!support_features(A, B, frame, options.margin, memory, &found, &a, &b)) return;
  if (a.kind == SupportFeature::Kind::segment && b.kind == SupportFeature::Kind::segment) {
    add_lateral_contacts(A, B, frame, found, options.margin, out);
  } else {
    add_patch(A, B, frame, a, b, found, options, out);
  }
}

void collide_round_polytope(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                            const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                            ContactPoints* out) {
  const PairFrame frame(X_WA, X_WB);
  Separation found;
  SupportFeature a, b;
  if (!support_features(A, B, frame, options.margin, memory, &found, &a, &b)) return;
  add_patch(A, B, frame, a, b, found, options, out);
}

}  // namespace stiction
