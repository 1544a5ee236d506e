#include "stiction/geometry/field/round_direction.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/narrow_phase.h"

namespace stiction {
namespace {

constexpr double kDeep = 1e-3;  // of the size of the core, or of the shape

// A smaller shape in the middle of a round one: a direction from it to another shape changes continuously until that
// one reaches into it.
CollisionShape core_of(const CollisionShape& round) {
  constexpr double kPoint = 1e-6;  // of the radius
  const Vec3 size = round.size + Vec3::Constant(round.rounding);
  CollisionShape core;
  core.kind = round.kind;
  switch (round.kind) {
    case ShapeKind::sphere:
      core.size = Vec3(kPoint * round.size[0], 0.0, 0.0);
      break;
    case ShapeKind::capsule:
      core.size = Vec3(kPoint * round.size[0], round.size[1], 0.0);
      break;
    case ShapeKind::cylinder: {
      const double taken = 0.5 * std::min(size[0], size[1]);
      core.size = Vec3(size[0] - taken, size[1] - taken, 0.0);
      break;
    }
    default:
      core.size = 0.5 * size;
      break;
  }
  const bool is_ball = round.kind == ShapeKind::sphere;
  const bool is_long = round.kind == ShapeKind::capsule || round.kind == ShapeKind::cylinder;
  const double end = round.kind == ShapeKind::capsule ? core.size[0] + core.size[1] : core.size[1];
  core.box_half = is_ball   ? Vec3(Vec3::Constant(core.size[0]))
                  : is_long ? Vec3(core.size[0], core.size[0], end)
                            : core.size;
  core.ball_radius = is_ball ? core.size[0] : core.box_half.norm();
  core.thickness = 2.0 * core.box_half.minCoeff();
  return core;
}

// The point of a triangle nearest to x.
Vec3 nearest_of_triangle(const Vec3 (&t)[3], const Vec3& x) {
  const Vec3 a = t[1] - t[0], b = t[2] - t[0], r = x - t[0];
  const double aa = a.dot(a), ab = a.dot(b), bb = b.dot(b), ar = a.dot(r), br = b.dot(r);
  const double determinant = aa * bb - ab * ab;
  if (determinant > 0.0) {
    const double u = (bb * ar - ab * br) / determinant, v = (aa * br - ab * ar) / determinant;
    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0) return t[0] + u * a + v * b;
  }
  Vec3 best = t[0];
  for (int i = 0; i < 3; ++i) {
    const Vec3 &from = t[i], side = t[(i + 1) % 3] - from;
    const double square = side.squaredNorm();
    const Vec3 p = from + (square > 0.0 ? std::clamp(side.dot(x - from) / square, 0.0, 1.0) : 0.0) * side;
    if ((p - x).squaredNorm() < (best - x).squaredNorm()) best = p;
  }
  return best;
}

// The nearest points of a segment from -h to h along z and of a triangle; false if it goes through.
bool nearest_to_segment(double h, const Vec3 (&t)[3], Vec3* on_segment, Vec3* on_triangle) {
  double best = 1e300;
  const auto take = [&](const Vec3& p, const Vec3& q) {
    const double square = (p - q).squaredNorm();
    if (!(square < best)) return;
    best = square;
    *on_segment = p;
    *on_triangle = q;
  };
  for (const double end : {-h, h}) {
    const Vec3 p(0, 0, end);
    take(p, nearest_of_triangle(t, p));
  }
  if (h == 0.0) return true;
  for (int i = 0; i < 3; ++i) {
    // Inner points of the axis and a side: along the axis the nearest to a point of the side is its z.
    const Vec3 &from = t[i], side = t[(i + 1) % 3] - from;
    const double across = side.head<2>().squaredNorm();
    const double s = across > 0.0 ? std::clamp(-side.head<2>().dot(from.head<2>()) / across, 0.0, 1.0) : 0.0;
    const Vec3 q = from + s * side;
    if (std::abs(q.z()) <= h) take(Vec3(0, 0, q.z()), q);
  }
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double below = n.dot(Vec3(0, 0, -h) - t[0]), above = n.dot(Vec3(0, 0, h) - t[0]);
  if (below * above < 0.0) {
    const Vec3 x(0, 0, h * (below + above) / (below - above));
    if ((nearest_of_triangle(t, x) - x).norm() <= 1e-9 * h) return false;
  }
  return true;
}

}  // namespace

RoundDirection direction_to(const PressureSide& round, const PressureSide& flat) {
  const CollisionShape core = core_of(round.field->shape);
  const CollisionShape& shape = flat.field->shape;
  ContactPoint nearest = signed_distance(core, round.X_QS, shape, flat.X_QS);
  RoundDirection out;
  out.is_deep = !(nearest.distance > kDeep * core.ball_radius);
  if (out.is_deep) nearest = signed_distance(round.field->shape, round.X_QS, shape, flat.X_QS);
  out.towards = nearest.normal;
  out.near = nearest.p_B();
  return out;
}

RoundDirection direction_to(const PressureSide& round, const Vec3 (&corners)[3]) {
  const CollisionShape& shape = round.field->shape;
  const Vec3 size = shape.size + Vec3::Constant(shape.rounding);
  const Pose X_SQ = round.X_QS.inverse();
  const bool is_ellipsoid = shape.kind == ShapeKind::ellipsoid;
  // An ellipsoid is a ball in other coordinates, in which planes stay planes.
  Vec3 t[3];
  for (int i = 0; i < 3; ++i) {
    t[i] = X_SQ * corners[i];
    if (is_ellipsoid) t[i] = t[i].cwiseQuotient(size).eval();
  }
  const double h = shape.kind == ShapeKind::capsule    ? size[1]
                   : shape.kind == ShapeKind::cylinder ? size[1] - 0.5 * std::min(size[0], size[1])
                                                       : 0.0;
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  RoundDirection out;
  out.is_deep = !nearest_to_segment(h, t, &from, &to);
  Vec3 d = to - from;
  out.is_deep = out.is_deep || !(d.norm() > kDeep * (is_ellipsoid ? 1.0 : size[0]));
  if (out.is_deep) return out;
  if (is_ellipsoid) {
    d = d.cwiseQuotient(size).eval();
    to = to.cwiseProduct(size).eval();
  }
  out.towards = round.X_QS.R * d.normalized();
  out.near = round.X_QS * to;
  return out;
}

}  // namespace stiction
