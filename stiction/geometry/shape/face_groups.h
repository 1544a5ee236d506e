#pragma once
// The faces of a polytope in groups of eight with similar normals, so that queries over all faces evaluate
// few.
//
// With the normals of a group within the angle rho of their mean m, and theta the angle between m and v,
//   n_f . v <= |v| cos(theta - rho)   where theta > rho,        n_f . v <= |v|   elsewhere,
// and the height of a point p above face f, relative to a centre c, is n_f . (p - c) - r_f with r_f the
// distance of the face from c: a group whose bound is below the threshold is skipped. The result is that of
// evaluating every face.

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

// All faces with n . p - offset >= least, and these heights (m), in unspecified order; both lists have room
// for all faces. Returns how many.
int faces_above(const FaceGroups& groups, const Vec3& p, double least, int* faces, double* heights);

// All faces with n . d no more than `window` below the largest, and these cosines; both lists have room for
// all faces. The largest comes first, among equal ones the lowest index; d is a unit vector. Returns how
// many.
int aligned_faces(const FaceGroups& groups, const Vec3& d, double window, int* faces, double* cosines);

}  // namespace stiction
