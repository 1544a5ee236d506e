#include "stiction/geometry/field/facet_phase.h"
#include "stiction/geometry/field/pressure_query.h"
#include "stiction/geometry/field/round_direction.h"

namespace stiction {
namespace {

// Facets of a round shape for one triangle of the surface. False if it is out of reach.
bool lay_facets_on(const PressureQuery& query, const PressureSide& soft, const Vec3 (&corners)[3],
                   FieldPieces* facets) {
  const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double length = across.norm();
  if (!(length > 0.0)) return false;
  const Vec3 outward = across / length;
  const double lowest = outward.dot(soft.X_QS.p) - reach_of(*soft.field, soft.X_QS.R.transpose() * -outward);
  double overlap = outward.dot(corners[0]) - lowest + query.options.margin;
  if (!(overlap > 0.0)) return false;
  Vec3 towards = -outward, near = (corners[0] + corners[1] + corners[2]) / 3.0;
  const RoundDirection direction = direction_to(soft, corners);
  if (!direction.is_deep) {
    towards = direction.towards;
    near = direction.near;
    overlap = towards.dot(soft.X_QS.p - direction.near) + query.options.margin +
              reach_of(*soft.field, soft.X_QS.R.transpose() * towards);
    if (!(overlap > 0.0)) return false;
  }
  facets->clear();
  const Vec3 phase = turned_along(-outward, towards, corners[1] - corners[0]);
  append_facets(*soft.field, soft.X_QS, towards, overlap, near, phase, query.rings_of(*soft.field), facets);
  return true;
}

}  // namespace

void gather_surface(const CollisionShape& shape, const Vec3& lower, const Vec3& upper, MeshRegion* region) {
  if (shape.kind == ShapeKind::mesh)
    gather(*shape.mesh, lower, upper, region);
  else
    gather(*shape.field, lower, upper, region);
}

void add_surface_faces(const PressureQuery& query, bool surface_is_A, Buffers* buffers,
                       PressurePatch* patch) {
  const PressureSide &surface = surface_is_A ? query.A : query.B, &soft = surface_is_A ? query.B : query.A;
  const bool is_faceted = is_round(soft.field->shape.kind), wants_energy = query.options.wants_energy;
  FieldPieces& planes = buffers->pieces_B;
  planes.clear();
  for (const FieldPiece& piece : soft.field->pieces) planes.push_back(moved_piece(piece, soft.X_QS));
  keep_relevant(query.reach(), &planes);
  if (wants_energy)
    patch->energy += is_faceted ? energy_of_middle(query, surface_is_A, buffers)
                                : energy_inside_surface(query, surface_is_A, buffers);
  // The ball of the query in the surface's frame.
  const Vec3 centre = surface.X_QS.inverse().p, reach = Vec3::Constant(query.radius);
  gather_surface(surface.field->shape, centre - reach, centre + reach, &buffers->region);
  for (const RegionTriangle& triangle : buffers->region.triangles) {
    Vec3 corners[3];
    for (std::size_t i = 0; i < 3; ++i) corners[i] = surface.X_QS * triangle.corners[i];
    if (!is_faceted) {
      add_triangle_faces(query, corners, triangle.id, surface_is_A, planes, buffers, patch);
      continue;
    }
    if (!lay_facets_on(query, soft, corners, &buffers->facets)) continue;
    add_triangle_faces(query, corners, triangle.id, surface_is_A, buffers->facets, buffers, patch);
    if (wants_energy)
      patch->energy += energy_behind_triangle(query, surface_is_A, corners, buffers->facets, buffers);
  }
}

}  // namespace stiction
