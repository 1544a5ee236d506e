// Signed distances of smooth shapes against a search in quadruple precision.
//
//   stiction_smooth_reference [poses per pair]
//
// The reference maximises g(n) = n . p - h_A(n) - h_B(-n) over the sphere of directions in __float128, with
// its own support functions: from the best of 200 directions and from the answer to be tested, a compass
// search and Newton's method with derivatives by central differences, on the whole sphere and on the circles
// perpendicular to the axes of capsules and cylinders, where g is not smooth; the poles and the intersections
// of the circles in closed form. Poses are random, every other one with a penetration of at most a fifth of
// the smaller radius. Distances are continuous across the medial axis, so that no pose near it is left out.
// Fails if a distance is wrong by more than 1e-10 of the size.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <quadmath.h>

#include "stiction/base/random.h"
#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/convex/support.h"

namespace {

using stiction::CollisionShape;
using stiction::Pose;
using stiction::Random;
using stiction::ShapeKind;
using Quad = __float128;
using Quad3 = std::array<Quad, 3>;

constexpr double kTolerance = 1e-10;  // of the size
constexpr int kDirections = 200;
constexpr int kMaxMoves = 100;
constexpr int kNewtonSteps = 12;

Quad dot(const Quad3& a, const Quad3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Quad3 cross(const Quad3& a, const Quad3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Quad3 scaled(Quad s, const Quad3& a) { return {s * a[0], s * a[1], s * a[2]}; }
Quad3 sum(const Quad3& a, const Quad3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Quad3 unit(const Quad3& a) { return scaled(1 / sqrtq(dot(a, a)), a); }

Quad norm_q(Quad x, Quad y, Quad q) {
  x = fabsq(x), y = fabsq(y);
  const Quad top = x > y ? x : y;
  if (top == 0) return 0;
  return top * powq(powq(x / top, q) + powq(y / top, q), 1 / q);
}

// The support function of the whole shape, ball included.
Quad reach(const CollisionShape& s, const Quad3& n) {
  const Quad a = s.size[0], b = s.size[1], c = s.size[2];
  switch (s.kind) {
    case ShapeKind::sphere:
      return a;
    case ShapeKind::capsule:
      return a + b * fabsq(n[2]);
    case ShapeKind::cylinder:
      return a * sqrtq(n[0] * n[0] + n[1] * n[1]) + b * fabsq(n[2]);
    case ShapeKind::ellipsoid:
      return sqrtq(a * a * n[0] * n[0] + b * b * n[1] * n[1] + c * c * n[2] * n[2]);
    default: {
      const Quad q1 = 2 / (2 - Quad(s.e1)), q2 = 2 / (2 - Quad(s.e2));
      return norm_q(norm_q(a * n[0], b * n[1], q2), c * n[2], q1);
    }
  }
}

struct Problem {
  const CollisionShape& A;
  const CollisionShape& B;
  std::array<Quad3, 3> columns;  // of R_AB
  Quad3 p;

  Quad g(const Quad3& n) const {
    const Quad3 m{-dot(columns[0], n), -dot(columns[1], n), -dot(columns[2], n)};
    return dot(n, p) - reach(A, n) - reach(B, m);
  }
};

struct Best {
  Quad g = -1e300Q;
  Quad3 n{0, 0, 1};
  void take(const Problem& problem, const Quad3& n_new) {
    const Quad value = problem.g(n_new);
    if (value > g) g = value, n = n_new;
  }
};

// Climbs on the sphere, or across `axis` if there is one.
void climb(const Problem& problem, Quad3 n, const Quad3* axis, Best* best) {
  if (axis) n = unit(sum(n, scaled(-dot(n, *axis), *axis)));
  Best here;
  here.take(problem, n);
  const auto basis = [&](Quad3* t1, Quad3* t2) {
    *t1 = axis ? cross(*axis, here.n)
               : unit(cross(here.n, fabsq(here.n[0]) < 0.6Q ? Quad3{1, 0, 0} : Quad3{0, 1, 0}));
    *t2 = cross(here.n, *t1);
  };
  Quad3 t1, t2;
  Quad step = 0.1Q;
  for (int move = 0; move < kMaxMoves && step > 1e-4Q; ++move) {
    basis(&t1, &t2);
    const Quad before = here.g;
    const Quad3 from = here.n;
    for (const Quad sign : {Quad(1), Quad(-1)}) {
      here.take(problem, unit(sum(from, scaled(sign * step, t1))));
      if (!axis) here.take(problem, unit(sum(from, scaled(sign * step, t2))));
    }
    if (!(here.g > before)) step *= 0.5Q;
  }
  // Newton's method; differences of 1e-9 are exact to 1e-16 in quadruple precision.
  const Quad h = 1e-9Q;
  for (int k = 0; k < kNewtonSteps; ++k) {
    const Quad before = here.g;
    basis(&t1, &t2);
    const auto at = [&](Quad x, Quad y) {
      return problem.g(unit(sum(here.n, sum(scaled(x, t1), scaled(y, t2)))));
    };
    const Quad g0 = at(0, 0), xp = at(h, 0), xm = at(-h, 0);
    const Quad gx = (xp - xm) / (2 * h), gxx = (xp - 2 * g0 + xm) / (h * h);
    if (axis) {
      if (!(gxx < 0)) break;
      here.take(problem, unit(sum(here.n, scaled(-gx / gxx, t1))));
      if (!(here.g > before)) break;
      continue;
    }
    const Quad yp = at(0, h), ym = at(0, -h), gy = (yp - ym) / (2 * h), gyy = (yp - 2 * g0 + ym) / (h * h);
    const Quad gxy = (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h * h),
               det = gxx * gyy - gxy * gxy;
    if (!(det > 0)) break;
    const Quad dx = -(gyy * gx - gxy * gy) / det, dy = -(gxx * gy - gxy * gx) / det;
    here.take(problem, unit(sum(here.n, sum(scaled(dx, t1), scaled(dy, t2)))));
    if (!(here.g > before)) break;
  }
  if (here.g > best->g) *best = here;
}

bool has_axis(const CollisionShape& s) {
  return s.kind == ShapeKind::capsule || s.kind == ShapeKind::cylinder;
}

Quad reference_distance(const Problem& problem, const Quad3& hint) {
  // A spiral over the sphere; the best direction and the answer to be tested are starts.
  std::vector<std::pair<double, Quad3>> starts;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / kDirections, r = std::sqrt(1.0 - z * z),
                 angle = 2.399963229728653 * i;
    const Quad3 n = unit({r * std::cos(angle), r * std::sin(angle), z});
    starts.push_back({double(problem.g(n)), n});
  }
  const auto first = std::max_element(starts.begin(), starts.end(),
                                      [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Quad3> axes;
  const Quad3 z_a{0, 0, 1}, z_b = problem.columns[2];
  if (has_axis(problem.A)) axes.push_back(z_a);
  if (has_axis(problem.B)) axes.push_back(z_b);
  Best best;
  for (const Quad3& axis : axes) best.take(problem, axis), best.take(problem, scaled(-1, axis));
  if (axes.size() == 2) {
    const Quad3 across = unit(cross(z_a, z_b));
    best.take(problem, across), best.take(problem, scaled(-1, across));
  }
  for (const Quad3& start : {first->second, hint}) {
    climb(problem, start, nullptr, &best);
    for (const Quad3& axis : axes) climb(problem, start, &axis, &best);
  }
  return best.g;
}

double smaller_radius(const CollisionShape& s) {
  if (s.kind == ShapeKind::sphere || s.kind == ShapeKind::capsule) return s.size[0];
  if (s.kind == ShapeKind::cylinder) return std::min(s.size[0], s.size[1]);
  return s.size.minCoeff();
}

CollisionShape shape(ShapeKind kind, double a, double b, double c, double e1 = 1.0, double e2 = 1.0) {
  CollisionShape s;
  s.kind = kind;
  s.size = {a, b, c};
  s.e1 = e1, s.e2 = e2;
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  const int poses = argc > 1 ? std::atoi(argv[1]) : 500;
  struct Named {
    const char* name;
    CollisionShape shape;
  };
  const std::vector<Named> shapes{
      {"sphere", shape(ShapeKind::sphere, 0.2, 0, 0)},
      {"capsule", shape(ShapeKind::capsule, 0.1, 0.3, 0)},
      {"ellipsoid", shape(ShapeKind::ellipsoid, 0.3, 0.2, 0.1)},
      {"superellipsoid", shape(ShapeKind::superellipsoid, 0.3, 0.2, 0.25, 0.5, 0.7)},
      {"cylinder", shape(ShapeKind::cylinder, 0.2, 0.3, 0)}};
  const double size = 0.4;  // m, the largest of them
  bool fails = false;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = i; j < shapes.size(); ++j) {
      const CollisionShape &A = shapes[i].shape, &B = shapes[j].shape;
      Random random(100 * i + j);
      double worst = 0.0;
      int overlapping = 0;
      for (int k = 0; k < poses;) {
        Pose X;
        const auto q = random.unit_vector<4>();
        X.R = stiction::rotation_from_quaternion(stiction::Vec4(q[0], q[1], q[2], q[3]));
        X.p = 0.6 * stiction::Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        const stiction::Separation found = stiction::largest_separation(A, B, X, 1e300);
        const double distance = found.distance - core_radius(A) - core_radius(B);
        if (distance < -0.2 * std::min(smaller_radius(A), smaller_radius(B))) continue;
        if (k % 2 == 0 && distance >= 0.0) continue;  // every other pose overlaps
        ++k;
        overlapping += distance < 0.0 ? 1 : 0;
        const auto quad = [](const stiction::Vec3& v) { return Quad3{v.x(), v.y(), v.z()}; };
        const Problem problem{A, B, {quad(X.R.col(0)), quad(X.R.col(1)), quad(X.R.col(2))}, quad(X.p)};
        const double error = double(reference_distance(problem, unit(quad(found.normal))) - Quad(distance));
        worst = std::max(worst, std::abs(error));
      }
      std::printf("%-15s %-15s %4d poses, %3d overlap, largest error %.1e of the size\n", shapes[i].name,
                  shapes[j].name, poses, overlapping, worst / size);
      std::fflush(stdout);
      fails = fails || !(worst <= kTolerance * size);
    }
  }
  return fails ? 1 : 0;
}
