#pragma once
// The intersection of a disc with a polygon or another disc, in the plane of the first and about its centre:
// its corners and the share of the outline of each (contact_patch.h), and the share of the part that overlaps
// (patch_weights.h).

#include <array>
#include <cmath>

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/convex/support_feature.h"

namespace stiction {

// A corner of an intersection: position in the common plane, share of the outline, and features of both.
struct PatchCorner {
  Eigen::Vector2d x = Eigen::Vector2d::Zero();
  double length = 0.0;   // m
  double bearing = 0.0;  // m, of the part of the outline where `inside` is positive
  FeatureKind kind_flat = FeatureKind::face, kind_other = FeatureKind::face;
  int flat = 0, other = 0;
};

struct PatchCorners {
  static constexpr int kMax = 2 * SupportFeature::kMaxCorners + 16;
  std::array<PatchCorner, kMax> corners;
  int count = 0;
  double length = 0.0;  // m, of the whole outline
  // 1 - (D - D(x))/window of patch_weights.h at a point x of the plane: middle + slope . x.
  double middle = 1.0;
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();  // 1/m

  double inside(const Eigen::Vector2d& x) const { return middle + slope.dot(x); }

  int add(const Eigen::Vector2d& x, FeatureKind kind_flat, int flat, FeatureKind kind_other, int other) {
    if (count == kMax) return kMax - 1;
    corners[count] = {x, 0.0, 0.0, kind_flat, kind_other, flat, other};
    return count++;
  }
  void give(int corner, double share) {
    corners[corner].length += share;
    length += share;
  }
  // Half of a straight side to either end.
  void give_side(int from, int to, double side);
};

// The four corners of a disc about the origin, 90 degrees apart.
struct DiscRim {
  double radius = 0.0;                                 // m
  Eigen::Vector2d heading = Eigen::Vector2d::UnitX();  // unit: to corner 0
  bool is_flat = true;                                 // its plane is the common one
  int index = 0;                                       // of the disc
  std::array<int, 4> corner{-1, -1, -1, -1};
  double overlapping = 3.141592653589793;  // rad: PatchCorners::inside is positive up to here from corner 0

  // From the centre to corner k, unit.
  Eigen::Vector2d direction(int k) const {
    const Eigen::Vector2d d = k % 2 == 0 ? heading : Eigen::Vector2d(-heading.y(), heading.x());
    return k < 2 ? d : Eigen::Vector2d(-d);
  }
  // Angle of x from corner 0, rad.
  double angle_of(const Eigen::Vector2d& x) const {
    return std::atan2(heading.x() * x.y() - heading.y() * x.x(), heading.dot(x));
  }
};
// The unit vector along x; along the first axis where x is zero.
Eigen::Vector2d heading_along(const Eigen::Vector2d& x);

// Projection along the contact normal from the plane of the flat disc into that of the other, about its
// centre: y = M x + c.
struct PlaneMap {
  Eigen::Matrix2d M = Eigen::Matrix2d::Identity();
  Eigen::Vector2d c = Eigen::Vector2d::Zero();
};

// The disc about the origin and a convex polygon, counter-clockwise.
void intersect_disc_polygon(DiscRim* rim, const Eigen::Vector2d* polygon, const int* vertices, int count,
                            PatchCorners* out);

// Two discs.
void intersect_discs(DiscRim* flat, DiscRim* other, const PlaneMap& to_other, PatchCorners* out);

// The interval [s0, s1] of a + s d, 0 <= s <= 1, inside the circle of radius r about the origin; false if
// there is none.
bool clip_to_circle(const Eigen::Vector2d& a, const Eigen::Vector2d& d, double r, double* s0, double* s1);

}  // namespace stiction
