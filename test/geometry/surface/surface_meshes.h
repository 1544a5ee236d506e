#pragma once
// Floors made of triangles, and the wrench of a penalty law on points of contact, for the tests of surfaces.

#include <algorithm>
#include <cmath>

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/shape/triangle_mesh.h"
#include "stiction/math/spatial.h"

namespace stiction {

// The square |x|, |y| <= half at z = 0, of n x n cells whose diagonals alternate.
inline TriangleMesh floor_mesh(int n, double half) {
  TriangleMesh mesh;
  for (int r = 0; r <= n; ++r)
    for (int c = 0; c <= n; ++c)
      mesh.vertices.emplace_back(-half + 2 * half * c / n, -half + 2 * half * r / n, 0.0);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const int i = r * (n + 1) + c, j = i + n + 1;
      if ((r + c) % 2 == 0) {
        mesh.triangles.push_back({i, i + 1, j});
        mesh.triangles.push_back({i + 1, j + 1, j});
      } else {
        mesh.triangles.push_back({i, i + 1, j + 1});
        mesh.triangles.push_back({i, j + 1, j});
      }
    }
  }
  return mesh;
}

// Two unit squares that fall away from the line x = 0 by the angle (rad) on either side: a ridge, or for a
// negative angle a valley.
inline TriangleMesh folded_floor(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{Vec3(-c, -1, -s), Vec3(0, -1, 0), Vec3(c, -1, -s), Vec3(-c, 1, -s), Vec3(0, 1, 0), Vec3(c, 1, -s)},
          {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}};
}

// The force and the moment about `centre` on A of springs with stiffness k = 1 N/m times the weight.
inline Vec6 spring_wrench(const ContactPoints& points, const Vec3& centre) {
  Vec6 wrench = Vec6::Zero();
  for (const ContactPoint& p : points) {
    if (p.distance >= 0.0) continue;
    const Vec3 force = p.weight * p.distance * p.normal;  // from B on A, against n
    wrench.tail<3>() += force;
    wrench.head<3>() += (p.p_A - centre).cross(force);
  }
  return wrench;
}

inline double total_weight(const ContactPoints& points) {
  double sum = 0.0;
  for (const ContactPoint& p : points) sum += p.weight;
  return sum;
}

// What a motion of a shape with these half extents does to the wrench: the largest change of force per
// displacement of the corner that moves farthest, the same of the moment over the size, and the largest
// horizontal force as a share of the normal one.
struct Continuity {
  double force = 0.0, moment = 0.0, horizontal = 0.0;
};

template <class Collide, class Motion>
Continuity continuity(const Vec3& half, double end, double step, const Motion& pose_at,
                      const Collide& collide) {
  Continuity worst;
  Vec6 last = Vec6::Zero();
  Pose last_pose;
  for (int i = 0; i * step <= end; ++i) {
    const Pose X = pose_at(i * step);
    const Vec6 wrench = spring_wrench(collide(X), X.p);
    if (i > 0) {
      double way = 0.0;
      for (int k = 0; k < 8; ++k) {
        const Vec3 corner =
            half.cwiseProduct(Vec3((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1));
        way = std::max(way, (X * corner - last_pose * corner).norm());
      }
      worst.force = std::max(worst.force, (wrench - last).tail<3>().norm() / way);
      worst.moment = std::max(worst.moment, (wrench - last).head<3>().norm() / (way * half.norm()));
    }
    if (wrench[5] != 0.0)
      worst.horizontal = std::max(worst.horizontal, wrench.segment<2>(3).norm() / wrench[5]);
    last = wrench, last_pose = X;
  }
  return worst;
}

}  // namespace stiction
