#include "stiction/geometry/convex/direction_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/convex/direction_climb.h"
#include "stiction/geometry/convex/ellipsoid_separation.h"
#include "stiction/geometry/convex/epa.h"
#include "stiction/geometry/convex/gjk.h"
#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/nonsmooth_directions.h"
#include "stiction/geometry/convex/proximal_search.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/convex/witness_points.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 2.2e-16;
constexpr double kErosion = 0.1;      // of the smallest size: overlaps up to this are shallow
constexpr double kStart = 1e-2;       // relative accuracy of a first direction from GJK
constexpr double kSharpStart = 1e-4;  // for superellipsoids, whose curvature varies strongly
constexpr double kFineStart = 1e-10;
constexpr double kDeepStart = 1e-3;  // of the depth, from EPA
constexpr double kFineDeepStart = 1e-7;
constexpr double kProved = 2e-13;     // of the sizes: witness points this close prove a direction
constexpr double kSameDepth = 1e-9;   // of the sizes: where g differs by less, the witness points decide
constexpr double kSameWay = 1e-9;     // of the overlap
constexpr double kNotShallow = 0.02;  // of the thickness: deeper ones need a global search
constexpr double kNotShallowCorner = 2e-3;  // the same where one of the two has corners
constexpr double kNotSharp = 0.1;           // of the radii of curvature, likewise
constexpr int kMaxRounds = 6;
constexpr int kRingDirections = 32;

bool has_sharp_curvature(const CollisionShape& shape) { return shape.kind == ShapeKind::superellipsoid; }
bool has_no_edges(const CollisionShape& shape) {
  return shape.kind == ShapeKind::superellipsoid || shape.kind == ShapeKind::ellipsoid;
}

// A direction, and the proof that it is the right one.
struct Found {
  double g = -1e300;
  Vec3 n = Vec3::UnitZ();
  WitnessPoints place;
  double slope = 0.0;  // m, of g, where both bodies are smooth: the remaining error of n
};

struct Search : DirectionSearch {
  bool is_proved(const Found& f) const { return f.place.off <= kProved * size; }

  double slope(const DirectionValue& v) const {
    return has_no_edges(A) && has_no_edges(B) ? (v.gradient - v.g * v.n).norm() : 0.0;
  }
  Found found(const DirectionValue& v) const {
    return {v.g, v.n, witness_points(*this, v, kProved * size), slope(v)};
  }

  // The larger separation; of nearly equal ones that with the better proof. Where g is equal to round-off the
  // directions may still differ by its square root: there the smaller slope wins, and then the first.
  const Found& better(const Found& one, const Found& two) const {
    if (std::abs(one.g - two.g) > kSameDepth * size) return one.g > two.g ? one : two;
    const auto certain = [](const Found& f) { return f.g - std::max(f.place.off, 0.0); };
    const double ahead = certain(two) - certain(one);
    if (std::abs(ahead) <= 8.0 * kRoundOff * size) return two.slope < one.slope ? two : one;
    return ahead > 0.0 ? two : one;
  }

  // Tries every choice of parts near n.
  Found refine(const Vec3& start) const {
    Found best{at(start).g, start, {}};
    const bool has_hull = A.kind == ShapeKind::hull || B.kind == ShapeKind::hull;
    for (int round = 0; round < kMaxRounds; ++round) {
      const Vec3 n = best.n;
      const NonsmoothDirections ka = nonsmooth_directions_near(A, n, round > 0),
                                kb = nonsmooth_directions_near(B, -(X_AB.R.transpose() * n), round > 0);
      const auto take = [&](const DirectionValue& v) {
        if (!(v.g > best.g - 8.0 * kRoundOff * size)) return false;
        const Found f = found(v);
        if (v.g > best.g || is_proved(f)) best = f;
        return is_proved(f);
      };
      bool done = false;
      for (int i = 0; i < ka.num_flats && !done; ++i) done = take(at(ka.flats[i]));
      for (int i = 0; i < kb.num_flats && !done; ++i) done = take(at(-(X_AB.R * kb.flats[i])));
      for (int i = 0; i < ka.num_lines && !done; ++i) {
        for (int j = 0; j < kb.num_lines && !done; ++j) {
          const Vec3 across = ka.lines[i].cross(X_AB.R * kb.lines[j]);
          const double length = across.norm();
          if (length < 1e-6) continue;  // parallel: one of the lines is enough
          done = take(at((n.dot(across) < 0.0 ? -1.0 : 1.0) / length * across));
        }
      }
      const bool is_sharp = has_sharp_curvature(A) || has_sharp_curvature(B);
      const auto across = [&](const Vec3& e) { return is_sharp ? bisect_across(e, n) : climb_across(e, n); };
      for (int i = 0; i < ka.num_lines && !done; ++i) done = take(across(ka.lines[i]));
      for (int j = 0; j < kb.num_lines && !done; ++j) done = take(across(X_AB.R * kb.lines[j]));
      // First on the surface, then on the sphere for the last digits.
      if (!done) done = take(climb(is_sharp ? climb_on_surface(n).n : n));
      const bool stays = (best.n - n).squaredNorm() < 0.25 * kNonsmoothWindow * kNonsmoothWindow;
      if (done || (stays && (round > 0 || !has_hull))) break;
    }
    return best;
  }

  // The slower method, from a direction without proof; then edges and flat parts again, exactly.
  Found refine(const Found& start) const {
    const ProximalResult slow = proximal_search(*this, start.n);
    const Found f{slow.distance, slow.normal, {slow.on_a, slow.off}, slope(at(slow.normal))};
    return better(better(refine(slow.normal), f), start);
  }

  // Whether one point proves that an overlapping direction is the best of all: the penetration depth is at
  // least the depth of any point of one body in the other.
  bool is_surely_best(const Found& f) const {
    const auto depth = [](const CollisionShape& shape, const Vec3& p) {
      const bool is_exact = shape.kind != ShapeKind::superellipsoid;
      return is_exact ? -nearest_on_core(shape, p).distance : 0.0;
    };
    const double least = -(1.0 - kSameWay) * f.g;
    const Vec3 on_b = f.place.on_a + f.g * f.n;
    return depth(A, on_b) >= least || depth(B, X_AB.R.transpose() * (f.place.on_a - X_AB.p)) >= least;
  }

  // Whether the overlap along n is small relative to the thickness and, where a body is smooth, to the radii
  // of curvature of both.
  bool is_shallow(const Found& f) const {
    const double share = A.polytope || B.polytope ? kNotShallowCorner : kNotShallow;
    if (-f.g > share * std::min(A.thickness, B.thickness)) return false;
    if (!has_no_edges(A) && !has_no_edges(B)) return true;
    const auto least_radius = [](const CollisionShape& shape) {
      if (shape.kind != ShapeKind::ellipsoid && shape.kind != ShapeKind::superellipsoid) return 0.0;
      const double least = shape.size.minCoeff();
      return least * least / shape.size.maxCoeff();
    };
    if (-f.g <= kNotSharp * (least_radius(A) + least_radius(B))) return true;
    // Flat spots and corners of a superellipsoid may be much smaller than the overlap.
    if (A.kind == ShapeKind::superellipsoid || B.kind == ShapeKind::superellipsoid) return false;
    const DirectionValue v = at(f.n);
    const Mat3 frame = frame_with_z(f.n);
    const double r11 = curvature(v, frame.col(0), frame.col(0)),
                 r12 = curvature(v, frame.col(0), frame.col(1)),
                 r22 = curvature(v, frame.col(1), frame.col(1));
    return -f.g <= kNotSharp * (0.5 * (r11 + r22) - std::hypot(0.5 * (r11 - r22), r12));
  }

  // For two shapes around axes (capsules, cylinders): tries the direction between the nearest points of the
  // axes. It is right if the lateral surfaces touch there, or one of them and the end of the other. False if
  // that proves nothing.
  bool try_across_axes(Found* best) const {
    const Vec3 axis_a = Vec3::UnitZ(), axis_b = X_AB.R.col(2);
    const SegmentPoints near =
        nearest_of_segments(Vec3::Zero(), axis_a, A.size[1], X_AB.p, axis_b, B.size[1]);
    const bool on_a = std::abs(near.s) < A.size[1], on_b = std::abs(near.t) < B.size[1];
    const Vec3 apart = near.b - near.a;
    const double length = apart.norm();
    if (!(on_a || on_b) || !(length > kSameDepth * size)) return false;
    const Vec3 n = apart / length;
    *best = found(on_a && on_b ? at(n) : climb_across(on_a ? axis_a : axis_b, n));
    return is_proved(*best) && (best->g >= 0.0 || is_surely_best(*best));
  }

  // The best of the axes of both shapes, for overlapping bodies.
  Vec3 best_axis() const {
    Vec3 best = X_AB.p.norm() > 0.0 ? Vec3(X_AB.p.normalized()) : Vec3::UnitX();
    double most = separation_along(A, B, X_AB, best);
    const auto look = [&](const Vec3& n) {
      for (const double sign : {1.0, -1.0}) {
        const double g = separation_along(A, B, X_AB, sign * n);
        if (g > most) most = g, best = sign * n;
      }
    };
    for (int i = 0; i < 3; ++i) look(Vec3::Unit(i)), look(X_AB.R.col(i));
    for (const CollisionShape* shape : {&A, &B}) {
      if (shape->kind != ShapeKind::hull) continue;
      for (const HullFace& face : shape->hull->faces)
        look(shape == &A ? face.normal : Vec3(X_AB.R * face.normal));
    }
    return best;
  }

  // The best of some directions perpendicular to the axis (a column of `frame`) of a capsule or a cylinder: a
  // small body deep inside leaves the lateral surface almost equally fast in all of them.
  Vec3 best_across(const Mat3& frame) const {
    Vec3 best = frame.col(0);
    double most = -1e300;
    for (int k = 0; k < kRingDirections; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kRingDirections;
      const Vec3 n = std::cos(angle) * frame.col(0) + std::sin(angle) * frame.col(1);
      const double g = separation_along(A, B, X_AB, n);
      if (g > most) most = g, best = n;
    }
    return best;
  }
};

bool is_around_axis(const CollisionShape& shape) {
  return shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder;
}

CollisionShape eroded(const CollisionShape& shape) {
  CollisionShape inner = shape;
  if (shape.kind == ShapeKind::cylinder) {
    const double less = kErosion * std::min(shape.size[0], shape.size[1]);
    inner.size[0] -= less;
    inner.size[1] -= less;
  } else if (shape.kind == ShapeKind::box || shape.kind == ShapeKind::ellipsoid ||
             shape.kind == ShapeKind::superellipsoid) {
    inner.size.array() -= kErosion * shape.size.minCoeff();
  }
  return inner;
}

}  // namespace

bool finds_separating_direction(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                double reach, PairMemory* memory) {
  constexpr int kSteps = 4;
  const double enough = std::max(reach, 0.0) + 1e-12 * (core_extent(A) + core_extent(B) + X_AB.p.norm());
  if (memory != nullptr && separation_along(A, B, X_AB, memory->axis) > enough) return true;
  if (A.kind == ShapeKind::ellipsoid && (B.kind == ShapeKind::ellipsoid || B.kind == ShapeKind::box)) {
    Vec3 n;
    const bool is_apart = separate_ellipsoid(A, B, X_AB, enough, &n);
    if (is_apart && memory != nullptr) memory->axis = n;
    return is_apart;
  }
  Vec3 x = X_AB.p + X_AB.R * B.box_centre - A.box_centre;
  for (int step = 0; step < kSteps; ++step) {
    const double length2 = x.squaredNorm();
    if (!(length2 > 0.0)) return false;
    const Vec3 w = X_AB * core_support(B, -(X_AB.R.transpose() * x)).p - core_support(A, x).p;
    const double along = x.dot(w);
    if (along > 0.0 && along * along > enough * enough * length2) {
      if (memory != nullptr) memory->axis = x / std::sqrt(length2);
      return true;
    }
    const Vec3 way = w - x;
    const double way2 = way.squaredNorm();
    if (!(way2 > 0.0)) return false;
    x += std::clamp((length2 - along) / way2, 0.0, 1.0) * way;
  }
  return false;
}

double separation_along(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& n) {
  return n.dot(X_AB.p) - core_reach(A, n) - core_reach(B, -(X_AB.R.transpose() * n));
}

Separation largest_separation(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                              double far_enough) {
  const Search search{{A, B, X_AB, core_extent(A) + core_extent(B) + X_AB.p.norm()}};
  const auto answer = [](const Found& f) { return Separation{f.g, f.n, f.place.on_a}; };
  Found best;
  const auto consider = [&](const Found& f) { best = search.better(best, f); };
  const auto is_apart = [&] { return best.g >= 0.0 && search.is_proved(best); };

  bool is_shallow = false, is_deep = false;
  // For deep overlaps the best direction may be anywhere.
  const auto try_epa_directions = [&](const GjkResult& overlap) {
    is_deep = true;
    for (const double tolerance : {kDeepStart, kFineDeepStart}) {
      const EpaResult epa = epa_depth(A, B, X_AB, overlap, tolerance);
      consider(search.refine(epa.normal));
      for (int i = 0; i < epa.num_others; ++i) consider(search.refine(epa.others[i]));
      // If EPA ran out of room for faces, another run would find the same.
      const bool is_full = epa.depth - epa.lower_bound > tolerance * epa.depth;
      if (is_full || (search.is_proved(best) && epa.num_others == 0)) break;
    }
  };
  if (is_around_axis(A) && is_around_axis(B) && search.try_across_axes(&best)) return answer(best);
  if (A.kind == ShapeKind::ellipsoid && B.kind == ShapeKind::ellipsoid) {
    best = search.found(search.climb(direction_between_ellipsoids(A, B, X_AB)));
    if (best.g > far_enough || is_apart()) return answer(best);
    is_shallow =
        search.is_proved(best) && -best.g <= kErosion * std::min(A.size.minCoeff(), B.size.minCoeff());
  }
  if (!is_shallow) {
    // From slightly shrunken cores, which are apart if the overlap is shallow.
    GjkOptions options;
    options.tolerance = has_sharp_curvature(A) || has_sharp_curvature(B) ? kSharpStart : kStart;
    options.far_enough = far_enough + 2.0 * (core_radius(A) + core_radius(B)) + search.size;
    const GjkResult gjk = gjk_distance(eroded(A), eroded(B), X_AB, options);
    if (!gjk.overlap) {
      const double first = separation_along(A, B, X_AB, gjk.normal);
      if (first > far_enough) return {first, gjk.normal, Vec3::Zero()};
      consider(search.refine(gjk.normal));
      if (is_apart()) return answer(best);
    }
    if (gjk.overlap || !search.is_proved(best)) {
      const GjkResult whole = gjk_distance(A, B, X_AB, {kFineStart, 1e300, Vec3::Zero()});
      if (!whole.overlap) {
        // Once more, from a more accurate first direction.
        consider(search.refine(whole.normal));
      } else {
        try_epa_directions(whole);
      }
      if (is_apart()) return answer(best);
    }
  }
  if (!search.is_proved(best)) consider(search.refine(best));
  if (is_apart()) return answer(best);
  if (!is_deep && !search.is_shallow(best) && !search.is_surely_best(best)) {
    const GjkResult whole = gjk_distance(A, B, X_AB, {kFineStart, 1e300, Vec3::Zero()});
    if (whole.overlap) try_epa_directions(whole);
  }
  const auto try_direction = [&](const Vec3& n, double window) {
    if (!(separation_along(A, B, X_AB, n) > best.g - window)) return;
    Found f = search.refine(n);
    if (!search.is_proved(f)) f = search.refine(f);
    consider(f);
  };
  if (!is_deep && search.is_proved(best) && search.is_surely_best(best)) return answer(best);
  try_direction(search.best_axis(), 0.0);
  if (is_deep) {
    // For bodies symmetric about their centres, g(-n) = g(n) - 2 n . p: try the opposite direction too, which
    // EPA may not distinguish for lack of room.
    try_direction(-best.n, 0.0);
    // Between two of the sampled directions g is larger by at most half the angle times the lever arm.
    constexpr double kHalfAngle = std::numbers::pi / kRingDirections;
    if (is_around_axis(A))
      try_direction(search.best_across(Mat3::Identity()), kHalfAngle * (core_extent(B) + X_AB.p.norm()));
    if (is_around_axis(B))
      try_direction(search.best_across(X_AB.R), kHalfAngle * (core_extent(A) + X_AB.p.norm()));
  }
  return answer(best);
}

}  // namespace stiction
