#include "stiction/geometry/narrow_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "stiction/base/check.h"
#include "stiction/geometry/convex/rounded_surface.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/polytope/box_box.h"
#include "stiction/geometry/polytope/polytope_pairs.h"
#include "stiction/geometry/primitive/capsule_pairs.h"
#include "stiction/geometry/primitive/cylinder_pairs.h"
#include "stiction/geometry/primitive/half_space_pairs.h"
#include "stiction/geometry/primitive/primitive_pairs.h"
#include "stiction/geometry/primitive/smooth_pairs.h"
#include "stiction/geometry/surface/height_field_pairs.h"
#include "stiction/geometry/surface/mesh_pairs.h"
#include "stiction/geometry/surface/surface_distance.h"

namespace stiction {
namespace {

using Table = std::array<std::array<PairEntry, kNumShapeKinds>, kNumShapeKinds>;

constexpr PairEntry closed(CollideFunction f) { return {f, false, "closed form"}; }
constexpr PairEntry newton(CollideFunction f) { return {f, false, "Newton on the surfaces"}; }
constexpr PairEntry clipping(CollideFunction f) { return {f, false, "separating axes + clipping"}; }
constexpr PairEntry triangles(CollideFunction f) { return {f, false, "triangles under a tree of boxes"}; }
constexpr PairEntry none{};

// The upper half; whole_table() fills in the lower one, swapped. The only pairs that never collide are two
// half-spaces and two height fields: both are terrain and do not move.
constexpr Table upper_half() {
  Table t{};
  // clang-format off
  constexpr int kSphere = int(ShapeKind::sphere), kCapsule = int(ShapeKind::capsule),
                kEllipsoid = int(ShapeKind::ellipsoid), kSuperellipsoid = int(ShapeKind::superellipsoid),
                kCylinder = int(ShapeKind::cylinder), kBox = int(ShapeKind::box), kHull = int(ShapeKind::hull),
                kHalfSpace = int(ShapeKind::half_space), kMesh = int(ShapeKind::mesh),
                kHeightField = int(ShapeKind::height_field);
  t[kSphere][kSphere]                  = closed(collide_sphere_sphere);
  t[kSphere][kCapsule]                 = closed(collide_sphere_capsule);
  t[kSphere][kEllipsoid]               = newton(collide_sphere_ellipsoid);
  t[kSphere][kSuperellipsoid]          = newton(collide_sphere_superellipsoid);
  t[kSphere][kCylinder]                = closed(collide_sphere_cylinder);
  t[kSphere][kBox]                     = closed(collide_sphere_box);
  t[kSphere][kHull]                    = closed(collide_sphere_hull);
  t[kSphere][kHalfSpace]               = closed(collide_sphere_half_space);
  t[kSphere][kMesh]                    = triangles(collide_convex_mesh);
  t[kSphere][kHeightField]             = triangles(collide_convex_height_field);

  t[kCapsule][kCapsule]                = closed(collide_capsule_capsule);
  t[kCapsule][kEllipsoid]              = newton(collide_smooth);
  t[kCapsule][kSuperellipsoid]         = newton(collide_smooth);
  t[kCapsule][kCylinder]               = newton(collide_capsule_cylinder);
  t[kCapsule][kBox]                    = clipping(collide_round_polytope);
  t[kCapsule][kHull]                   = clipping(collide_round_polytope);
  t[kCapsule][kHalfSpace]              = closed(collide_capsule_half_space);
  t[kCapsule][kMesh]                   = triangles(collide_convex_mesh);
  t[kCapsule][kHeightField]            = triangles(collide_convex_height_field);

  t[kEllipsoid][kEllipsoid]            = newton(collide_smooth);
  t[kEllipsoid][kSuperellipsoid]       = newton(collide_smooth);
  t[kEllipsoid][kCylinder]             = newton(collide_smooth);
  t[kEllipsoid][kBox]                  = newton(collide_smooth);
  t[kEllipsoid][kHull]                 = newton(collide_smooth);
  t[kEllipsoid][kHalfSpace]            = closed(collide_ellipsoid_half_space);
  t[kEllipsoid][kMesh]                 = triangles(collide_convex_mesh);
  t[kEllipsoid][kHeightField]          = triangles(collide_convex_height_field);

  t[kSuperellipsoid][kSuperellipsoid]  = newton(collide_smooth);
  t[kSuperellipsoid][kCylinder]        = newton(collide_smooth);
  t[kSuperellipsoid][kBox]             = newton(collide_smooth);
  t[kSuperellipsoid][kHull]            = newton(collide_smooth);
  t[kSuperellipsoid][kHalfSpace]       = closed(collide_superellipsoid_half_space);
  t[kSuperellipsoid][kMesh]            = triangles(collide_convex_mesh);
  t[kSuperellipsoid][kHeightField]     = triangles(collide_convex_height_field);

  t[kCylinder][kCylinder]              = newton(collide_cylinder_cylinder);
  t[kCylinder][kBox]                   = clipping(collide_round_polytope);
  t[kCylinder][kHull]                  = clipping(collide_round_polytope);
  t[kCylinder][kHalfSpace]             = closed(collide_cylinder_half_space);
  t[kCylinder][kMesh]                  = triangles(collide_convex_mesh);
  t[kCylinder][kHeightField]           = triangles(collide_convex_height_field);

  t[kBox][kBox]                        = clipping(collide_box_box);
  t[kBox][kHull]                       = clipping(collide_polytopes);
  t[kBox][kHalfSpace]                  = closed(collide_polytope_half_space);
  t[kBox][kMesh]                       = triangles(collide_convex_mesh);
  t[kBox][kHeightField]                = triangles(collide_convex_height_field);

  t[kHull][kHull]                      = clipping(collide_polytopes);
  t[kHull][kHalfSpace]                 = closed(collide_polytope_half_space);
  t[kHull][kMesh]                      = triangles(collide_convex_mesh);
  t[kHull][kHeightField]               = triangles(collide_convex_height_field);

  t[kHalfSpace][kHalfSpace]            = none;
  t[kHalfSpace][kMesh]                 = triangles(collide_half_space_mesh);
  t[kHalfSpace][kHeightField]          = triangles(collide_half_space_height_field);

  t[kMesh][kMesh]                      = triangles(collide_mesh_mesh);
  t[kMesh][kHeightField]               = triangles(collide_mesh_height_field);

  t[kHeightField][kHeightField]        = none;
  // clang-format on
  return t;
}

constexpr Table whole_table() {
  Table table = upper_half();
  for (int a = 0; a < kNumShapeKinds; ++a)
    for (int b = 0; b < a; ++b) {
      table[a][b] = table[b][a];
      table[a][b].swapped = true;
    }
  return table;
}

constexpr Table kTable = whole_table();

// Every pair has a function except two half-spaces and two height fields.
constexpr bool is_complete(const Table& table) {
  constexpr int kHalfSpace = int(ShapeKind::half_space), kHeightField = int(ShapeKind::height_field);
  for (int a = 0; a < kNumShapeKinds; ++a)
    for (int b = 0; b < kNumShapeKinds; ++b) {
      const bool is_empty = a == b && (a == kHalfSpace || a == kHeightField);
      if ((table[a][b].function == nullptr) != is_empty) return false;
    }
  return true;
}
static_assert(is_complete(kTable), "a shape lacks an entry in the pair table");

// Functions that can be called directly, without swapping and without correcting for a rounding: pairs of
// convex shapes in the order of the table; null for all others. Rows of sixteen, so that an entry is found by
// a shift.
using Shortcuts = std::array<std::array<CollideFunction, 16>, kNumShapeKinds>;
constexpr Shortcuts shortcuts() {
  Shortcuts out{};
  for (int a = 0; a <= static_cast<int>(ShapeKind::half_space); ++a)
    for (int b = a; b <= static_cast<int>(ShapeKind::half_space); ++b) out[a][b] = kTable[a][b].function;
  return out;
}
constexpr Shortcuts kShortcuts = shortcuts();

void swap_sides(ContactPoint* point) {
  point->p_A = point->p_B();
  point->normal = -point->normal;
  point->feature = swapped_feature(point->feature);
}

bool has_radius(const CollisionShape& shape) {
  return shape.rounding > 0.0 || shape.kind == ShapeKind::capsule;
}

// Distance (m) from p (in W) along the unit vector d to where the line leaves a shape made of core + radius.
// Nothing if that is farther than the longest tangent to the core.
std::optional<double> exit_distance_of(const CollisionShape& shape, const Pose& X_WS, const Vec3& p,
                                       const Vec3& d) {
  if (!has_radius(shape)) return 0.0;
  const double radius = core_radius(shape);
  const double longest = std::sqrt(radius * (radius + 2.0 * shape.ball_radius));
  return exit_distance(shape, X_WS.R.transpose() * (p - X_WS.p), X_WS.R.transpose() * d, longest);
}

// A point of the core moved by the radius along n lies on the surface only where n is normal to the core.
// Moves the points along their normals onto the surface; the deepest one already lies there. For convex
// pairs, points whose line does not leave the shape nearby are dropped.
void move_to_surfaces(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                      double margin, std::size_t begin, ContactPoints* out) {
  const bool is_convex = A.is_convex() && B.is_convex();
  double deepest = std::numeric_limits<double>::infinity();
  for (std::size_t i = begin; i < out->size(); ++i) deepest = std::min(deepest, (*out)[i].distance);
  std::size_t kept = begin;
  for (std::size_t i = begin; i < out->size(); ++i) {
    ContactPoint point = (*out)[i];
    const std::optional<double> exit_b = exit_distance_of(B, X_WB, point.p_B(), -point.normal);
    const std::optional<double> exit_a = exit_distance_of(A, X_WA, point.p_A, point.normal);
    if (is_convex && !(exit_a && exit_b) && point.distance > deepest) continue;
    point.p_A += exit_a.value_or(0.0) * point.normal;
    point.distance = std::min(point.distance - exit_a.value_or(0.0) - exit_b.value_or(0.0),
                              std::max(point.distance, margin));
    (*out)[kept++] = point;
  }
  out->resize(kept);
}

// The general case: empty entries, swapped pairs, rounded shapes, meshes and height fields. A function of its
// own, so that the direct calls in collide() stay cheap.
[[gnu::noinline]] void collide_general(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                       const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                                       ContactPoints* out) {
  const PairEntry& entry = kTable[static_cast<int>(A.kind)][static_cast<int>(B.kind)];
  if (entry.function == nullptr) return;
  const std::size_t begin = out->size();
  if (entry.swapped) {
    entry.function(B, X_WB, A, X_WA, options, memory, out);
    for (std::size_t i = begin; i < out->size(); ++i) swap_sides(&(*out)[i]);
  } else {
    entry.function(A, X_WA, B, X_WB, options, memory, out);
  }
  const bool is_rounded = A.rounding > 0.0 || B.rounding > 0.0;
  const bool has_surface = !A.is_convex() || !B.is_convex();
  if (is_rounded || (has_surface && (has_radius(A) || has_radius(B))))
    move_to_surfaces(A, X_WA, B, X_WB, options.margin, begin, out);
}

// Flat faces may have no contact with a surface that they lie beside, whatever the margin
// (surface_distance.h).
bool has_flat_faces(ShapeKind kind) { return kind >= ShapeKind::cylinder && kind <= ShapeKind::hull; }
bool is_surface(ShapeKind kind) { return kind == ShapeKind::mesh || kind == ShapeKind::height_field; }
bool is_polytope(ShapeKind kind) { return kind == ShapeKind::box || kind == ShapeKind::hull; }
// Kinds handled by the search over directions: spheres and half-spaces have closed forms instead.
bool has_separation(ShapeKind kind) { return kind >= ShapeKind::capsule && kind <= ShapeKind::hull; }

}  // namespace

const PairEntry& pair_entry(ShapeKind a, ShapeKind b) {
  return kTable[static_cast<int>(a)][static_cast<int>(b)];
}

void collide(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
             const CollideOptions& options, PairMemory* memory, ContactPoints* out) {
  const CollideFunction shortcut = kShortcuts[static_cast<int>(A.kind)][static_cast<int>(B.kind)];
  if (shortcut != nullptr && A.rounding + B.rounding == 0.0)
    shortcut(A, X_WA, B, X_WB, options, memory, out);
  else
    collide_general(A, X_WA, B, X_WB, options, memory, out);
}

ContactPoint signed_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB) {
  if (is_polytope(A.kind) && is_polytope(B.kind)) return polytope_distance(A, X_WA, B, X_WB);
  if (has_separation(A.kind) && has_separation(B.kind)) {
    // In the order of the table: where several directions are equally good, both orders find the same.
    if (A.kind <= B.kind) return separation_point(A, X_WA, B, X_WB);
    ContactPoint point = separation_point(B, X_WB, A, X_WA);
    swap_sides(&point);
    return point;
  }
  if (has_flat_faces(A.kind) && is_surface(B.kind)) return surface_distance(A, X_WA, B, X_WB);
  if (is_surface(A.kind) && has_flat_faces(B.kind)) {
    ContactPoint point = surface_distance(B, X_WB, A, X_WA);
    swap_sides(&point);
    return point;
  }
  STICTION_USER_CHECK(pair_entry(A.kind, B.kind).function != nullptr, "no distance between a {} and a {}",
                      name_of(A.kind), name_of(B.kind));
  static thread_local ContactPoints points;
  points.clear();
  CollideOptions options;
  options.margin = std::numeric_limits<double>::infinity();
  collide(A, X_WA, B, X_WB, options, nullptr, &points);
  STICTION_ASSERT(!points.empty());
  const ContactPoint* deepest = &points.front();
  for (const ContactPoint& point : points)
    if (point.distance < deepest->distance) deepest = &point;
  ContactPoint result = *deepest;
  result.weight = 1.0;
  return result;
}

}  // namespace stiction
