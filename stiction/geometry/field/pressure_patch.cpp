#include "stiction/geometry/field/pressure_patch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/geometry/field/pressure_query.h"
#include "stiction/geometry/field/round_direction.h"
#include "stiction/geometry/narrow_phase.h"

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_round(ShapeKind kind) {
  return kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::cylinder ||
         kind == ShapeKind::ellipsoid;
}
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
                      Vec3* centre, double* radius) {
  Vec3 lower, upper;
  bounds_of(X, &lower, &upper);
  lower.array() -= margin;
  upper.array() += margin;
  if (Y.kind != ShapeKind::half_space) {
    const Vec3 c = X_XY * Y.box_centre, half = X_XY.R.cwiseAbs() * Y.box_half;
    lower = lower.cwiseMax(c - half);
    upper = upper.cwiseMin(c + half);
  }
  if (!(lower.array() <= upper.array()).all()) return false;
  *centre = 0.5 * (lower + upper);
  *radius = 0.5 * (upper - lower).norm();
  return true;
}

void append_pieces(const PressureSide& side, FieldPieces* out) {
  for (const FieldPiece& piece : side.field->pieces) out->push_back(moved_piece(piece, side.X_QS));
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

// Facets of a round shape for all planes of a box or a hull, around the direction to it: they cover what of the round
// shape is beyond the plane that touches the other one in that direction. near: where the other shape is nearest. Returns
// whether they reach so deep into each other that their sheet may have several parts.
bool append_common_facets(const PressureQuery& query, const PressureSide& round, const PressureSide& flat,
                          FieldPieces* facets, Vec3* near) {
  const CollisionShape& shape = flat.field->shape;
  const RoundDirection direction = direction_to(round, flat);
  const Vec3& towards = direction.towards;
  *near = direction.near;
  // Edges of a rounded shape's field are sharp and reach farther than the shape.
  const double overlap = towards.dot(round.X_QS.p - *near) +
                         reach_of(*round.field, round.X_QS.R.transpose() * towards) + shape.rounding +
                         query.options.margin;
  int axis = 0;
  (flat.X_QS.R.transpose() * towards).cwiseAbs().minCoeff(&axis);
  append_facets(*round.field, round.X_QS, towards, overlap, flat.X_QS.R.col(axis), facets);
  return direction.is_deep;
}

// A round shape against planes.
void add_round_and_planes(const PressureQuery& query, bool round_is_A, Buffers* buffers,
                          PressurePatch* patch) {
  const PressureSide &round = round_is_A ? query.A : query.B, &flat = round_is_A ? query.B : query.A;
  FieldPieces& planes = round_is_A ? buffers->pieces_B : buffers->pieces_A;
  planes.clear();
  append_pieces(flat, &planes);
  keep_relevant(query.reach(), &planes);
  FieldPieces& facets = buffers->facets;
  const bool is_ball = round.field->shape.kind == ShapeKind::sphere;
  // The planes that meet the round shape, and which share of each is in rings.
  std::vector<std::pair<int, double>>& rings = buffers->rings;
  rings.clear();
  bool needs_facets = false;
  double largest_overlap = 0.0;
  for (std::size_t j = 0; j < planes.size(); ++j) {
    const double length = planes[j].slope.norm();
    const Vec3 outward = planes[j].slope / length;
    const double lowest =
        outward.dot(round.X_QS.p) - reach_of(*round.field, round.X_QS.R.transpose() * -outward);
    const double overlap = planes[j].value / length - lowest + query.options.margin;
    if (!(overlap > 0.0) || !reaches_cell(round, planes, j, query.options.margin)) continue;
    largest_overlap = std::max(largest_overlap, overlap);
    const double weight = is_ball ? ring_weight(query, round_is_A, planes, j) : 0.0;
    rings.emplace_back(static_cast<int>(j), weight);
    needs_facets = needs_facets || weight < 1.0;
    if (query.options.wants_energy && weight > 0.0)
      patch->energy += weight * plane_ring_energy(query, round_is_A, planes[j]);
  }
  if (!needs_facets) return;
  facets.clear();
  Vec3 near;
  bool is_deep = false;
  if (flat.field->shape.kind == ShapeKind::half_space) {
    const Vec3 outward = flat.X_QS.R.col(2);
    int axis = 0;
    (flat.X_QS.R.transpose() * outward).cwiseAbs().minCoeff(&axis);
    append_facets(*round.field, round.X_QS, -outward, largest_overlap, flat.X_QS.R.col(axis), &facets);
    near = round.X_QS.p - (outward.dot(round.X_QS.p - flat.X_QS.p)) * outward;
  } else {
    is_deep = append_common_facets(query, round, flat, &facets, &near);
  }
  if (facets.empty()) return;
  keep_relevant(query.reach(), &facets);
  const FieldPieces &of_A = round_is_A ? facets : planes, &of_B = round_is_A ? planes : facets;
  const std::size_t first = patch->faces.size();
  if (is_deep || !add_faces_around(query, of_A, of_B, near, buffers, patch))
    add_polygon_faces(query, of_A, of_B, buffers, patch);
  // What facets add for a plane counts by what is not in rings.
  for (const auto& [j, weight] : rings) {
    const int id = planes[static_cast<std::size_t>(j)].id;
    for (std::size_t f = first; f < patch->faces.size() && weight > 0.0; ++f) {
      PressureFace& face = patch->faces[f];
      if ((round_is_A ? face.piece_B : face.piece_A) != id) continue;
      for (double* part : {&face.area, &face.share, &face.trace}) *part *= 1.0 - weight;
    }
    if (query.options.wants_energy && weight < 1.0)
      patch->energy += (1.0 - weight) *
                       overlap_energy(query, of_A, of_B, buffers, round_is_A ? -1 : j, round_is_A ? j : -1);
  }
}

void add_two_lists(const PressureQuery& query, Buffers* buffers, PressurePatch* patch) {
  keep_relevant(query.reach(), &buffers->pieces_A);
  keep_relevant(query.reach(), &buffers->pieces_B);
  add_polygon_faces(query, buffers->pieces_A, buffers->pieces_B, buffers, patch);
  if (query.options.wants_energy)
    patch->energy = overlap_energy(query, buffers->pieces_A, buffers->pieces_B, buffers);
}

// Where rings of facets begin, of two round shapes: along an axis of one of them, whichever is A, or of both if they are
// equal. Not along that of a ball, which may turn.
Vec3 phase_of(const PressureSide& A, const PressureSide& B) {
  const auto key = [](const PressureSide& side) {
    const CollisionShape& shape = side.field->shape;
    return std::array<double, 4>{shape.kind == ShapeKind::sphere ? -1.0 : static_cast<double>(shape.kind),
                                 shape.size[0], shape.size[1], shape.size[2]};
  };
  const Vec3 a = A.X_QS.R.col(2), b = B.X_QS.R.col(2);
  if (key(A) != key(B)) return key(A) > key(B) ? a : b;
  return a.dot(b) < 0.0 ? Vec3(a - b) : Vec3(a + b);
}

// Two round shapes: planes around the direction along which they overlap least.
void add_round_pair(const PressureQuery& query, const Pose& X_WA, const Pose& X_WB, Buffers* buffers,
                    PressurePatch* patch) {
  const ContactPoint nearest = signed_distance(query.A.field->shape, X_WA, query.B.field->shape, X_WB);
  const double overlap = query.options.margin - nearest.distance;
  if (!(overlap > 0.0)) return;
  const Vec3 phase = phase_of(query.A, query.B);
  buffers->pieces_A.clear();
  buffers->pieces_B.clear();
  append_facets(*query.A.field, query.A.X_QS, nearest.normal, overlap, phase, &buffers->pieces_A);
  append_facets(*query.B.field, query.B.X_QS, -nearest.normal, overlap, phase, &buffers->pieces_B);
  keep_relevant(query.reach(), &buffers->pieces_A);
  keep_relevant(query.reach(), &buffers->pieces_B);
  const Vec3 middle = nearest.p_A + 0.5 * nearest.distance * nearest.normal - query.origin;
  if (!add_faces_around(query, buffers->pieces_A, buffers->pieces_B, middle, buffers, patch))
    add_polygon_faces(query, buffers->pieces_A, buffers->pieces_B, buffers, patch);
  if (query.options.wants_energy)
    patch->energy = overlap_energy(query, buffers->pieces_A, buffers->pieces_B, buffers);
}

void add_triangle(const PressureQuery& query, const Vec3 (&corners)[3], int id, bool surface_is_A,
                  Buffers* buffers, PressurePatch* patch) {
  const PressureSide& soft = surface_is_A ? query.B : query.A;
  if (!is_round(soft.field->shape.kind)) {
    add_triangle_faces(query, corners, id, surface_is_A, buffers->pieces_B, buffers, patch);
    return;
  }
  const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double length = across.norm();
  if (!(length > 0.0)) return;
  const Vec3 outward = across / length;
  const double lowest = outward.dot(soft.X_QS.p) - reach_of(*soft.field, soft.X_QS.R.transpose() * -outward);
  double overlap = outward.dot(corners[0]) - lowest + query.options.margin;
  if (!(overlap > 0.0)) return;
  Vec3 towards = -outward;
  const RoundDirection direction = direction_to(soft, corners);
  if (!direction.is_deep) {
    towards = direction.towards;
    overlap = towards.dot(soft.X_QS.p - direction.near) + query.options.margin +
              reach_of(*soft.field, soft.X_QS.R.transpose() * towards);
    if (!(overlap > 0.0)) return;
  }
  buffers->facets.clear();
  append_facets(*soft.field, soft.X_QS, towards, overlap, corners[1] - corners[0], &buffers->facets);
  add_triangle_faces(query, corners, id, surface_is_A, buffers->facets, buffers, patch);
}

// A rigid mesh or height field against a compliant shape.
void add_surface(const PressureQuery& query, bool surface_is_A, Buffers* buffers, PressurePatch* patch) {
  const PressureSide &surface = surface_is_A ? query.A : query.B, &soft = surface_is_A ? query.B : query.A;
  buffers->pieces_B.clear();
  append_pieces(soft, &buffers->pieces_B);
  keep_relevant(query.reach(), &buffers->pieces_B);
  // The ball of the query in the surface's frame.
  const Vec3 centre = surface.X_QS.inverse().p, reach = Vec3::Constant(query.radius);
  MeshRegion& region = buffers->region;
  if (surface.field->shape.kind == ShapeKind::mesh)
    gather(*surface.field->shape.mesh, centre - reach, centre + reach, &region);
  else
    gather(*surface.field->shape.field, centre - reach, centre + reach, &region);
  for (const RegionTriangle& triangle : region.triangles) {
    Vec3 corners[3];
    for (int i = 0; i < 3; ++i) corners[i] = surface.X_QS * triangle.corners[i];
    add_triangle(query, corners, triangle.id, surface_is_A, buffers, patch);
  }
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

bool bound_overlap(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
                   double margin, Vec3* origin, double* radius) {
  const Pose X_AB = X_WA.inverse() * X_WB;
  Vec3 in_A, in_B;
  double radius_A, radius_B;
  if (!overlap_in_frame(A.shape, B.shape, X_AB, margin, &in_A, &radius_A)) return false;
  if (!overlap_in_frame(B.shape, A.shape, X_AB.inverse(), margin, &in_B, &radius_B)) return false;
  const bool takes_A = radius_A <= radius_B;
  *origin = takes_A ? X_WA * in_A : X_WB * in_B;
  *radius = (takes_A ? radius_A : radius_B) + margin;
  return std::isfinite(*radius);
}

void find_pressure_patch(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
                         const PressureOptions& options, PressureWorkspace* workspace, PressurePatch* patch) {
  patch->clear();
  if (!makes_pressure_patch(A, B)) return;
  PressureQuery query;
  query.options = options;
  if (!bound_overlap(A, X_WA, B, X_WB, options.margin, &query.origin, &query.radius)) return;
  const Pose to_Q = translation(-query.origin);
  query.A = {&A, to_Q * X_WA, A.is_rigid()};
  query.B = {&B, to_Q * X_WB, B.is_rigid()};
  if (A.is_rigid())
    query.kappa = B.kappa();
  else if (B.is_rigid())
    query.kappa = A.kappa();
  else
    query.kappa = A.kappa() * B.kappa() / (A.kappa() + B.kappa());
  query.fades = A.shape.kind != ShapeKind::half_space && B.shape.kind != ShapeKind::half_space;
  query.least_pressure = -query.kappa * options.margin;

  Buffers& buffers = workspace->buffers();
  const ShapeKind a = A.shape.kind, b = B.shape.kind;
  if (has_rings(A, B)) {
    add_rings(query, patch);
    if (options.wants_energy) patch->energy = ring_energy(query);
    return;
  }
  if (A.tets || B.tets) {
    add_tet_faces(query, &buffers, patch);
  } else if (is_surface(a) || is_surface(b)) {
    add_surface(query, is_surface(a), &buffers, patch);
  } else if (is_round(a) && is_round(b)) {
    add_round_pair(query, X_WA, X_WB, &buffers, patch);
  } else if (is_round(a) || is_round(b)) {
    add_round_and_planes(query, is_round(a), &buffers, patch);
  } else {
    buffers.pieces_A.clear();
    buffers.pieces_B.clear();
    append_pieces(query.A, &buffers.pieces_A);
    append_pieces(query.B, &buffers.pieces_B);
    add_two_lists(query, &buffers, patch);
  }
  add_points(query, &buffers, patch);
  if (is_round(a) != is_round(b) && (a == ShapeKind::sphere || b == ShapeKind::sphere) &&
      !(A.tets || B.tets) && !is_surface(a) && !is_surface(b)) {
    const FieldPieces& planes = a == ShapeKind::sphere ? buffers.pieces_B : buffers.pieces_A;
    for (const auto& [j, weight] : buffers.rings)
      if (weight > 0.0)
        add_plane_rings(query, a == ShapeKind::sphere, planes[static_cast<std::size_t>(j)], weight, patch);
  }
}

}  // namespace stiction
