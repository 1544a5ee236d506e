#pragma once
// The faces of a polytope in groups of eight whose normals are near each other, so that questions about all
// faces look at few of them.
//
// With the normals of a group within the angle rho of their mean m, and theta the angle between m and v,
//   n_f . v <= |v| cos(theta - rho)   where theta > rho,        n_f . v <= |v|   elsewhere,
// and the height of a point p above face f, seen from a centre c, is n_f . (p - c) - r_f with r_f the
// distance of the face from c: a group with a bound below what is asked for is passed over. What is returned
// is what looking at every face returns.

#include <vector>

#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"

namespace stiction {

struct PolytopeFace;  // stiction/geometry/shape/polytope.h

struct FaceGroups {
  static constexpr int kSize = 8;
  int count = 0, stride = 0;  // groups; padded to a multiple of four
  Vec3 centre = Vec3::Zero();
  double slack = 0.0;  // m, of round-off
  // Rows of `stride` numbers: m (three), cos rho, sin rho, least r.
  AlignedVector<double> bounds;
  // Per group four rows of eight: the normals, and the offsets of the faces.
  AlignedVector<double> rows;
  std::vector<int> faces;  // eight per group; -1: padding, which is below everything
};

FaceGroups face_groups(const std::vector<PolytopeFace>& faces, const Vec3& centre, double size);

// All faces with n . p - offset >= least, and these heights (m), in no order that is said; both lists have
// room for all faces. Returns how many.
int faces_above(const FaceGroups& groups, const Vec3& p, double least, int* faces, double* heights);

// All faces with n . d no more than `window` below the largest, and these; both lists have room for all
// faces. The largest is the first, of equal ones that with the lowest number; d a unit vector.
int aligned_faces(const FaceGroups& groups, const Vec3& d, double window, int* faces, double* cosines);

}  // namespace stiction
