#include "stiction/geometry/field/pressure_patch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/field/facet_phase.h"
#include "stiction/geometry/field/pressure_query.h"
#include "stiction/geometry/field/round_direction.h"
#include "stiction/geometry/narrow_phase.h"

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_surface(ShapeKind kind) { return kind == ShapeKind::mesh || kind == ShapeKind::height_field; }

// Bounds of a shape in its own frame; a half-space is open downwards and sideways.
void bounds_of(const CollisionShape& shape, Vec3* lower, Vec3* upper) {
  if (shape.kind == ShapeKind::half_space) {
    *lower = Vec3::Constant(-kInfinity);
    *upper = Vec3(kInfinity, kInfinity, 0.0);
    return;
  }
  *lower = shape.box_centre - shape.box_half;
  *upper = shape.box_centre + shape.box_half;
}

// The overlap of X's bounds with those of Y, in X's frame. False if there is none.
bool overlap_in_frame(const CollisionShape& X, const CollisionShape& Y, const Pose& X_XY, double margin,
                      Vec3* centre, Vec3* half) {
  Vec3 lower, upper;
  bounds_of(X, &lower, &upper);
  lower.array() -= margin;
  upper.array() += margin;
  if (Y.kind != ShapeKind::half_space) {
    const Vec3 c = X_XY * Y.box_centre, reach = X_XY.R.cwiseAbs() * Y.box_half;
    lower = lower.cwiseMax(c - reach);
    upper = upper.cwiseMin(c + reach);
  }
  if (!(lower.array() <= upper.array()).all()) return false;
  *centre = 0.5 * (lower + upper);
  *half = 0.5 * (upper - lower);
  return true;
}

void append_pieces(const PressureSide& side, FieldPieces* out) {
  for (const FieldPiece& piece : side.field->pieces) out->push_back(moved_piece(piece, side.X_QS));
}

// Keeps the pieces of a round shape, or of its partner, that can be the least one somewhere in the overlap. Corners of
// facets reach beyond the shape's bounds.
void keep_in_overlap(const PressureQuery& query, const Buffers& buffers, FieldPieces* pieces) {
  constexpr double kBeyond = 0.25;
  keep_relevant(query.reach(), pieces);
  if (buffers.walk.keeps_every_piece) return;
  keep_relevant(query.axes, query.half + Vec3::Constant(kBeyond * query.half.maxCoeff()), pieces);
}

// Whether a plane is the least one of its shape anywhere in a round shape, widened by the margin.
bool reaches_cell(const PressureSide& round, const FieldPieces& planes, std::size_t j, double margin) {
  for (std::size_t k = 0; k < planes.size(); ++k) {
    if (k == j) continue;
    // The largest value of (p_k - p_j) in it.
    const Vec3 slope = planes[j].slope - planes[k].slope;
    const double length = slope.norm();
    if (!(length > 0.0)) continue;
    const double reach = reach_of(*round.field, round.X_QS.R.transpose() * (slope / length)) + margin;
    if (planes[j].value - planes[k].value > slope.dot(round.X_QS.p) + reach * length) return false;
  }
  return true;
}

// The direction from a round shape to the other one, searched for once in a query.
const RoundDirection& direction_of(const PressureSide& round, const PressureSide& flat,
                                   const PressureQuery& query, Buffers* buffers) {
  RoundDirection& direction = buffers->direction;
  if (!buffers->has_direction) {
    direction = direction_to(round, flat);
    direction.near += query.origin;
    buffers->has_direction = true;
  }
  return direction;
}

// What a round shape is against a box, a hull or a half-space in one pass.
struct RoundAndPlanes {
  const PressureSide &round, &flat;
  bool round_is_A = false;
  FieldPieces& planes;
};

// Which share of the sheet with one plane is in closed form.
double closed_weight(const PressureQuery& query, bool round_is_A, const FieldPieces& planes, std::size_t j) {
  const ShapeKind kind = (round_is_A ? query.A : query.B).field->shape.kind;
  if (has_strips(kind)) return strip_weight(query, round_is_A, planes, j);
  return has_plane_rings(kind) ? ring_weight(query, round_is_A, planes, j) : 0.0;
}

double closed_energy(const PressureQuery& query, bool round_is_A, const FieldPiece& plane) {
  const ShapeKind kind = (round_is_A ? query.A : query.B).field->shape.kind;
  return has_strips(kind) ? strip_energy(query, round_is_A, plane)
                          : plane_ring_energy(query, round_is_A, plane);
}

// id: of the plane in features, -1 if there is no other one.
void add_closed(const PressureQuery& query, bool round_is_A, const FieldPiece& plane, double weight, int id,
                PressurePatch* patch) {
  const std::uint64_t first_feature =
      id < 0 ? 0 : std::uint64_t{1} << 63 | static_cast<std::uint64_t>(id + 1) << 40;
  if (has_strips((round_is_A ? query.A : query.B).field->shape.kind))
    add_strips(query, round_is_A, plane, weight, first_feature, id, patch);
  else
    add_plane_rings(query, round_is_A, plane, weight, first_feature, id, patch);
}

// The planes that meet the round shape, and which share of each is in rings. Returns how far the shape reaches beyond
// any of them.
double find_planes(const PressureQuery& query, const RoundAndPlanes& pair,
                   std::vector<std::pair<int, double>>* rings) {
  const PressureSide& round = pair.round;
  rings->clear();
  double largest_overlap = 0.0;
  for (std::size_t j = 0; j < pair.planes.size(); ++j) {
    const FieldPiece& plane = pair.planes[j];
    const double length = plane.slope.norm();
    const Vec3 outward = plane.slope / length;
    const double lowest =
        outward.dot(round.X_QS.p) - reach_of(*round.field, round.X_QS.R.transpose() * -outward);
    const double overlap = plane.value / length - lowest + query.options.margin;
    if (!(overlap > 0.0) || !reaches_cell(round, pair.planes, j, query.options.margin)) continue;
    largest_overlap = std::max(largest_overlap, overlap);
    rings->emplace_back(static_cast<int>(j), closed_weight(query, pair.round_is_A, pair.planes, j));
  }
  return largest_overlap;
}

// The largest value of d . x in a round shape beyond a plane n . x <= v of the other one (n unit, in Q):
//   min over l >= 0 of h(d - l n) + l v,   h the support function of the round shape.
double reach_beyond(const PressureSide& round, const Vec3& d, const Vec3& n, double v) {
  const auto bound = [&](double l) {
    const Vec3 e = d - l * n;
    const double length = e.norm();
    const double reach =
        length > 0.0 ? length * reach_of(*round.field, round.X_QS.R.transpose() * (e / length)) : 0.0;
    return e.dot(round.X_QS.p) + reach + l * v;
  };
  // Convex in l; any l is a bound.
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kRounds = 24;
  double from = 0.0, to = 2.0;
  double a = to - kGolden * (to - from), b = from + kGolden * (to - from), at_a = bound(a), at_b = bound(b);
  for (int i = 0; i < kRounds; ++i) {
    if (at_a < at_b) {
      to = b;
      b = a;
      at_b = at_a;
      a = to - kGolden * (to - from);
      at_a = bound(a);
    } else {
      from = a;
      a = b;
      at_a = at_b;
      b = from + kGolden * (to - from);
      at_b = bound(b);
    }
  }
  return std::min({bound(0.0), bound(1.0), at_a, at_b});
}

// Facets of the round shape for all planes, around the direction to the other one: they cover what of the round shape is
// beyond the plane that touches the other one in that direction.
void lay_facets(const PressureQuery& query, const RoundAndPlanes& pair, const RoundDirection& direction,
                FieldPieces* facets) {
  const Vec3& towards = direction.towards;
  const double rounding = pair.flat.field->shape.rounding, margin = query.options.margin;
  const double reach =
      towards.dot(pair.round.X_QS.p) + reach_of(*pair.round.field, pair.round.X_QS.R.transpose() * towards);
  double overlap = reach - towards.dot(direction.near - query.origin) + rounding + margin;
  if (rounding > 0.0) {
    // Edges of a rounded shape's field are sharp and reach farther than the shape, but not beyond its planes.
    for (const FieldPiece& plane : pair.planes) {
      const double length = plane.slope.norm();
      const double beyond =
          reach_beyond(pair.round, -towards, plane.slope / length, plane.value / length + margin);
      overlap = std::min(overlap, reach + beyond);
    }
  }
  facets->clear();
  if (!(overlap > query.least_overlap)) return;
  append_facets(*pair.round.field, pair.round.X_QS, towards, overlap, direction.near - query.origin,
                phase_on(pair.flat, towards), query.rings_of(*pair.round.field), facets);
}

// A round shape against planes.
void add_round_and_planes(const PressureQuery& query, bool round_is_A, Buffers* buffers,
                          PressurePatch* patch) {
  const RoundAndPlanes pair{round_is_A ? query.A : query.B, round_is_A ? query.B : query.A, round_is_A,
                            round_is_A ? buffers->pieces_B : buffers->pieces_A};
  FieldPieces &planes = pair.planes, &facets = buffers->facets;
  planes.clear();
  append_pieces(pair.flat, &planes);
  keep_in_overlap(query, *buffers, &planes);
  const double largest_overlap = find_planes(query, pair, &buffers->rings);
  bool needs_facets = false;
  for (const auto& [j, weight] : buffers->rings) {
    needs_facets = needs_facets || weight < 1.0;
    if (!(weight > 0.0)) continue;
    const FieldPiece& plane = planes[static_cast<std::size_t>(j)];
    buffers->ring_planes.emplace_back(plane, weight);
    // What rings and facets share out by a weight that depends on the poses is no gradient of U.
    patch->fades = patch->fades || (weight < 1.0 && !query.is_speculative);
    if (query.options.wants_energy) patch->energy += weight * closed_energy(query, round_is_A, plane);
  }
  if (!needs_facets) return;
  RoundDirection direction;
  if (pair.flat.field->shape.kind == ShapeKind::half_space) {
    const Vec3 outward = pair.flat.X_QS.R.col(2), &centre = pair.round.X_QS.p;
    direction.towards = -outward;
    direction.near = query.origin + centre - outward.dot(centre - pair.flat.X_QS.p) * outward;
    if (!(largest_overlap > 0.0)) return;
  } else {
    direction = direction_of(pair.round, pair.flat, query, buffers);
  }
  const FieldPieces &of_A = round_is_A ? facets : planes, &of_B = round_is_A ? planes : facets;
  const auto share_with_rings = [&](int j, double weight, std::size_t first) {
    // What facets add for a plane counts by what is not in rings.
    const int id = planes[static_cast<std::size_t>(j)].id;
    for (std::size_t f = first; f < patch->faces.size() && weight > 0.0; ++f) {
      PressureFace& face = patch->faces[f];
      if ((round_is_A ? face.piece_B : face.piece_A) != id) continue;
      for (double* part : {&face.area, &face.share, &face.trace}) *part *= 1.0 - weight;
    }
    if (query.options.wants_energy && weight < 1.0)
      patch->energy += (1.0 - weight) *
                       overlap_energy(query, of_A, of_B, buffers, round_is_A ? -1 : j, round_is_A ? j : -1);
  };
  const std::size_t first = patch->faces.size();
  lay_facets(query, pair, direction, &facets);
  keep_in_overlap(query, *buffers, &facets);
  if (facets.empty()) return;
  const Vec3 near = direction.near - query.origin;
  const Vec3 n = round_is_A ? direction.towards : Vec3(-direction.towards);
  if (direction.is_deep || !add_faces_around(query, of_A, of_B, near, n, buffers, patch))
    add_polygon_faces(query, of_A, of_B, buffers, patch);
  for (const auto& [j, weight] : buffers->rings) share_with_rings(j, weight, first);
}

void add_two_lists(const PressureQuery& query, Buffers* buffers, PressurePatch* patch) {
  keep_relevant(query.reach(), &buffers->pieces_A);
  keep_relevant(query.reach(), &buffers->pieces_B);
  add_polygon_faces(query, buffers->pieces_A, buffers->pieces_B, buffers, patch);
  if (query.options.wants_energy)
    patch->energy = overlap_energy(query, buffers->pieces_A, buffers->pieces_B, buffers);
}

// Two round shapes: planes around the direction along which they overlap least.
void add_round_pair(const PressureQuery& query, Buffers* buffers, PressurePatch* patch) {
  RoundDirection& nearest = buffers->direction;
  if (!buffers->has_direction) {
    const ContactPoint point =
        signed_distance(query.A.field->shape, query.A.X_QS, query.B.field->shape, query.B.X_QS);
    nearest.towards = point.normal;
    nearest.near = query.origin + point.p_A + 0.5 * point.distance * point.normal;
    nearest.distance = point.distance;
    buffers->has_direction = true;
  }
  const double overlap = query.options.margin - nearest.distance;
  if (!(overlap > query.least_overlap)) return;
  const Vec3 near = nearest.near - query.origin;
  const Vec3 phase = phase_of_round_pair(query.A, query.B, nearest.towards, near);
  buffers->pieces_A.clear();
  buffers->pieces_B.clear();
  append_facets(*query.A.field, query.A.X_QS, nearest.towards, overlap, near, phase,
                query.rings_of(*query.A.field), &buffers->pieces_A);
  append_facets(*query.B.field, query.B.X_QS, -nearest.towards, overlap, near, phase,
                query.rings_of(*query.B.field), &buffers->pieces_B);
  keep_in_overlap(query, *buffers, &buffers->pieces_A);
  keep_in_overlap(query, *buffers, &buffers->pieces_B);
  if (!add_faces_around(query, buffers->pieces_A, buffers->pieces_B, near, nearest.towards, buffers, patch))
    add_polygon_faces(query, buffers->pieces_A, buffers->pieces_B, buffers, patch);
  if (query.options.wants_energy)
    patch->energy = overlap_energy(query, buffers->pieces_A, buffers->pieces_B, buffers);
}

}  // namespace

PressureWorkspace::PressureWorkspace() : buffers_(std::make_unique<Buffers>()) {}
PressureWorkspace::~PressureWorkspace() = default;
PressureWorkspace::PressureWorkspace(PressureWorkspace&&) noexcept = default;
PressureWorkspace& PressureWorkspace::operator=(PressureWorkspace&&) noexcept = default;

Vec6 PressurePatch::wrench() const {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (const PressurePoint& point : points) {
    if (!(point.pressure > 0.0)) continue;
    const Vec3 f = point.force() * point.normal;
    force += f;
    moment += point.p.cross(f);
  }
  return stack<double>(moment, force);
}

bool makes_pressure_patch(const PressureField& A, const PressureField& B) {
  if (A.is_rigid() && B.is_rigid()) return false;
  return !(A.shape.kind == ShapeKind::half_space && B.shape.kind == ShapeKind::half_space);
}

namespace {

// The origin of Q and the bounds of the overlap. False if the shapes' bounds do not overlap within the margin.
bool bound_overlap(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
                   double margin, PressureQuery* query) {
  const Pose X_AB = X_WA.inverse() * X_WB;
  Vec3 in_A, in_B, half_A, half_B;
  if (!overlap_in_frame(A.shape, B.shape, X_AB, margin, &in_A, &half_A)) return false;
  if (!overlap_in_frame(B.shape, A.shape, X_AB.inverse(), margin, &in_B, &half_B)) return false;
  const bool takes_A = half_A.squaredNorm() <= half_B.squaredNorm();
  query->origin = takes_A ? X_WA * in_A : X_WB * in_B;
  query->axes = takes_A ? X_WA.R : X_WB.R;
  query->half = (takes_A ? half_A : half_B) + Vec3::Constant(margin);
  query->radius = (takes_A ? half_A : half_B).norm() + margin;
  return std::isfinite(query->radius);
}

// All but the bounds, for Q with this origin in W.
void set_query(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
               const Vec3& origin, const PressureOptions& options, PressureQuery* query) {
  query->origin = origin;
  query->options = options;
  query->A = {&A, {X_WA.R, X_WA.p - origin}, A.is_rigid()};
  query->B = {&B, {X_WB.R, X_WB.p - origin}, B.is_rigid()};
  if (A.is_rigid())
    query->kappa = B.kappa();
  else if (B.is_rigid())
    query->kappa = A.kappa();
  else
    query->kappa = A.kappa() * B.kappa() / (A.kappa() + B.kappa());
  query->fades = A.shape.kind != ShapeKind::half_space && B.shape.kind != ShapeKind::half_space;
  query->least_pressure = -query->kappa * options.margin;
}

// False if the bounds do not overlap within the margin.
bool make_query(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
                const PressureOptions& options, PressureQuery* query) {
  if (!bound_overlap(A, X_WA, B, X_WB, options.margin, query)) return false;
  set_query(A, X_WA, B, X_WB, query->origin, options, query);
  constexpr double kRoundOff = 1e-12;
  double size = (X_WB.p - X_WA.p).norm();
  for (const PressureField* field : {&A, &B})
    if (field->shape.kind != ShapeKind::half_space) size += field->shape.ball_radius;
  query->least_overlap = kRoundOff * size;
  return true;
}

void add_faces(const PressureQuery& query, Buffers* buffers, PressurePatch* patch) {
  const PressureField &A = *query.A.field, &B = *query.B.field;
  const ShapeKind a = A.shape.kind, b = B.shape.kind;
  buffers->ring_planes.clear();
  if (A.tets || B.tets) {
    add_tet_faces(query, buffers, patch);
  } else if (is_surface(a) || is_surface(b)) {
    add_surface_faces(query, is_surface(a), buffers, patch);
  } else if (is_round(a) && is_round(b)) {
    add_round_pair(query, buffers, patch);
  } else if (is_round(a) || is_round(b)) {
    add_round_and_planes(query, is_round(a), buffers, patch);
  } else {
    buffers->pieces_A.clear();
    buffers->pieces_B.clear();
    append_pieces(query.A, &buffers->pieces_A);
    append_pieces(query.B, &buffers->pieces_B);
    add_two_lists(query, buffers, patch);
  }
}

// A round shape whose sheet with a half-space is in closed form as a whole: without bounds, which have nothing to add.
// False, and nothing added, of everything else.
bool add_on_half_space(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
                       const PressureOptions& options, PressureQuery* query, Buffers* buffers,
                       PressurePatch* patch) {
  const bool round_is_A = B.shape.kind == ShapeKind::half_space;
  if (!round_is_A && A.shape.kind != ShapeKind::half_space) return false;
  const ShapeKind kind = (round_is_A ? A : B).shape.kind;
  if (!has_strips(kind) && !has_plane_rings(kind)) return false;
  set_query(A, X_WA, B, X_WB, (round_is_A ? X_WA : X_WB).p, options, query);
  FieldPieces& planes = buffers->cuts;
  planes.clear();
  append_pieces(round_is_A ? query->B : query->A, &planes);
  query->radius = kInfinity;
  if (closed_weight(*query, round_is_A, planes, 0) < 1.0) return false;
  add_closed(*query, round_is_A, planes[0], 1.0, -1, patch);
  if (options.wants_energy) patch->energy += closed_energy(*query, round_is_A, planes[0]);
  return true;
}

// Faces and points of what presses, of what does not yet, or of both.
void add_pass(const PressureQuery& query, Buffers* buffers, PressurePatch* patch) {
  const std::size_t first = patch->faces.size();
  add_faces(query, buffers, patch);
  add_points(query, first, buffers, patch);
  const bool round_is_A = is_round(query.A.field->shape.kind);
  for (const auto& [plane, weight] : buffers->ring_planes)
    add_closed(query, round_is_A, plane, weight, plane.id, patch);
}

}  // namespace

void find_pressure_patch(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
                         const PressureOptions& options, PressureWorkspace* workspace, PressurePatch* patch) {
  patch->clear();
  if (!makes_pressure_patch(A, B)) return;
  Buffers& buffers = workspace->buffers();
  PressureQuery query;
  if (has_rings(A, B)) {
    set_query(A, X_WA, B, X_WB, (A.shape.kind == ShapeKind::sphere ? X_WA : X_WB).p, options, &query);
    add_rings(query, patch);
    if (options.wants_energy) patch->energy = ring_energy(query);
    return;
  }
  buffers.has_direction = false;
  const auto add = [&](const PressureOptions& with, bool is_speculative) {
    query.is_speculative = is_speculative;
    if (add_on_half_space(A, X_WA, B, X_WB, with, &query, &buffers, patch)) return;
    if (make_query(A, X_WA, B, X_WB, with, &query)) add_pass(query, &buffers, patch);
  };
  const bool is_faceted = is_round(A.shape.kind) || is_round(B.shape.kind);
  if (!is_faceted || options.margin == 0.0) return add(options, false);
  // Facets depend on how far the shapes overlap. Those of what presses are laid for the overlap alone, so that no margin
  // changes a force; those of what does not press yet, for the overlap with the margin.
  PressureOptions without = options, later = options;
  without.margin = 0.0;
  later.wants_energy = false;
  add(without, false);
  add(later, true);
}

}  // namespace stiction
