// The integral of a pressure over what is inside a rigid surface, as a sum over its triangles.
//
// A ray from a point inside leaves the solid once more than it enters it. So the solid is the sum of the prisms below its
// triangles, seen along any direction e, positive where a triangle looks along e and negative where it looks against it;
// and, but for the middle x0 of a round shape, the sum of what its triangles hide from x0, positive where a triangle looks
// towards x0. With x0 inside, the sum of the latter is minus what is outside.

#include <algorithm>
#include <cmath>

#include "stiction/geometry/field/pressure_query.h"
#include "stiction/geometry/field/tet_mesh.h"

namespace stiction {
namespace {

// A direction e nearly along the axis of the surface along which its bounds are nearest, z of terrain: turned away a little,
// so that the sides of prisms do not lie in those of pieces. Within the cube around the query, in which the overlap lies;
// all triangles above it along e are between `lower` and `upper`.
struct Upwards {
  static constexpr double kTurned = 0.0137, kAcross = 0.0071;  // any small numbers without a ratio

  int axis = 2;
  double sign = 1.0;
  Vec3 e, lower, upper;  // in S; e not a unit vector: 1 or -1 along the axis
  Vec3 cube_lower, cube_upper;

  Upwards(const CollisionShape& shape, const Vec3& centre, double half)
      : cube_lower(centre - Vec3::Constant(half)), cube_upper(centre + Vec3::Constant(half)) {
    if (shape.kind == ShapeKind::mesh) {
      const Vec3 up = shape.box_centre + shape.box_half - centre,
                 down = centre - shape.box_centre + shape.box_half;
      int to_top = 0, to_bottom = 0;
      const double top = up.minCoeff(&to_top), bottom = down.minCoeff(&to_bottom);
      axis = top <= bottom ? to_top : to_bottom;
      sign = top <= bottom ? 1.0 : -1.0;
    }
    lower = cube_lower;
    upper = cube_upper;
    const double end = shape.box_centre[axis] + sign * shape.box_half[axis];
    if (sign > 0.0)
      upper[axis] = std::max(upper[axis], end);
    else
      lower[axis] = std::min(lower[axis], end);
    const Vec3 aside = lean(upper[axis] - lower[axis]);
    lower -= aside;
    upper += aside;
    e = sign * Vec3::Unit(axis);
    e[(axis + 1) % 3] = kTurned;
    e[(axis + 2) % 3] = kAcross;
  }

  // How far a prism of this length leans sideways.
  Vec3 lean(double length) const {
    Vec3 out = Vec3::Constant((kTurned + kAcross) * length);
    out[axis] = 0.0;
    return out;
  }

  // The bounds within the cube of the prism below a triangle with these bounds. False if it has no part there.
  bool bound_prism(Eigen::AlignedBox3d box, Vec3* least, Vec3* most) const {
    if (sign > 0.0)
      box.extend(Vec3(box.min() - (box.max()[axis] - cube_lower[axis]) * e));
    else
      box.extend(Vec3(box.max() - (cube_upper[axis] - box.min()[axis]) * e));
    const Vec3 sideways = lean(box.sizes()[axis]);
    *least = (box.min() - sideways).cwiseMax(cube_lower);
    *most = (box.max() + sideways).cwiseMin(cube_upper);
    return (least->array() < most->array()).all();
  }
};

void append_cube(const Mat3& R, double half, FieldPieces* cuts) {
  for (int i = 0; i < 3; ++i) {
    cuts->push_back({R.col(i), half, 0});
    cuts->push_back({-R.col(i), half, 0});
  }
}

// Calls add(least, most, below, sign) for the prism below every triangle, with its bounds in S and its upper side; its
// other sides are in buffers->prism.
template <class Add>
void for_each_prism(const PressureQuery& query, const PressureSide& surface, Buffers* buffers,
                    const Add& add) {
  const Upwards up(surface.field->shape, surface.X_QS.inverse().p, query.radius);
  gather_surface(surface.field->shape, up.lower, up.upper, &buffers->region);
  const Vec3 e = surface.X_QS.R * up.e.normalized();
  for (const RegionTriangle& triangle : buffers->region.triangles) {
    Vec3 corners[3];
    Eigen::AlignedBox3d box;
    for (std::size_t i = 0; i < 3; ++i) {
      corners[i] = surface.X_QS * triangle.corners[i];
      box.extend(triangle.corners[i]);
    }
    const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double along = across.dot(e), sign = along > 0.0 ? 1.0 : -1.0;
    if (!(std::abs(along) > 1e-14 * across.norm())) continue;
    Vec3 least, most;
    if (!up.bound_prism(box, &least, &most)) continue;
    buffers->prism.clear();
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 outward = sign * (corners[(i + 1) % 3] - corners[i]).cross(e).normalized();
      buffers->prism.push_back({outward, outward.dot(corners[i]), 0});
    }
    append_cube(surface.X_QS.R, query.radius, &buffers->prism);
    const Vec3 facing = sign * across.normalized();
    add(least, most, FieldPiece{facing, facing.dot(corners[0]), triangle.id}, sign);
  }
}

double energy_below(const PressureQuery& query, bool surface_is_A, const FieldPiece& p,
                    const FieldPiece& below, const FieldPieces& cuts, Buffers* buffers) {
  return surface_is_A ? element_energy(query, below, p, cuts, buffers)
                      : element_energy(query, p, below, cuts, buffers);
}

// Keeps where piece i of a list is the least one.
void append_cell(const FieldPieces& pieces, std::size_t i, FieldPieces* cuts) {
  for (std::size_t k = 0; k < pieces.size(); ++k)
    if (k != i) cuts->push_back(difference(pieces[k], pieces[i]));
}

// Whether it is the least one anywhere in a box, and not negative there: in axes of R with this middle.
bool reaches_box(const FieldPieces& pieces, std::size_t i, const Mat3& R, const Vec3& middle,
                 const Vec3& half) {
  const auto most = [&](const FieldPiece& piece) {
    return piece.value - piece.slope.dot(middle) + half.dot((R.transpose() * piece.slope).cwiseAbs());
  };
  if (!(most(pieces[i]) > 0.0)) return false;
  for (std::size_t k = 0; k < pieces.size(); ++k)
    if (k != i && most(difference(pieces[k], pieces[i])) < 0.0) return false;
  return true;
}

// The integral of the depth of a round shape over all of it, m^4.
double whole_depth(const CollisionShape& shape) {
  constexpr double kPi = 3.14159265358979323846;
  const Vec3 size = shape.size + Vec3::Constant(shape.rounding);
  switch (shape.kind) {
    case ShapeKind::sphere:
      return kPi / 3.0 * std::pow(shape.size[0], 4);
    case ShapeKind::capsule:
      return kPi / 3.0 * std::pow(shape.size[0], 3) * (shape.size[0] + 2.0 * shape.size[1]);
    case ShapeKind::ellipsoid:
      return kPi / 3.0 * size.prod() * size.minCoeff();
    case ShapeKind::cylinder: {
      // Over the depths t: of the volume 2 pi (R - t)^2 (L - t) that is deeper, L half the length.
      const double R = size[0], L = size[1], t = std::min(R, L);
      return 2.0 * kPi *
             (R * R * L * t - (R * R + 2.0 * R * L) * t * t / 2.0 + (2.0 * R + L) * t * t * t / 3.0 -
              t * t * t * t / 4.0);
    }
    default:
      return 0.0;
  }
}

}  // namespace

double energy_inside_surface(const PressureQuery& query, bool surface_is_A, Buffers* buffers) {
  const PressureSide &surface = surface_is_A ? query.A : query.B, &soft = surface_is_A ? query.B : query.A;
  FieldPieces &cell = buffers->cell, &pieces = buffers->pieces_B;
  double energy = 0.0;
  for_each_prism(query, surface, buffers,
                 [&](const Vec3& least, const Vec3& most, const FieldPiece& below, double sign) {
                   const FieldPieces& prism = buffers->prism;
                   const auto add = [&](const FieldPiece& p) {
                     cell.insert(cell.end(), prism.begin(), prism.end());
                     energy += sign * energy_below(query, surface_is_A, p, below, cell, buffers);
                   };
                   const Vec3 middle = surface.X_QS * (0.5 * (least + most)), half = 0.5 * (most - least);
                   if (soft.field->tets) {
                     const TetMesh& mesh = *soft.field->tets;
                     const Vec3 x = soft.X_QS.inverse() * middle,
                                size = (soft.X_QS.R.transpose() * surface.X_QS.R).cwiseAbs() * half;
                     buffers->found.clear();
                     mesh.boxes.overlap(x - size, x + size, &buffers->found);
                     std::sort(buffers->found.begin(), buffers->found.end());
                     for (const int t : buffers->found)
                       add(cell_in_query(soft, mesh.cells[static_cast<std::size_t>(t)], &cell));
                     return;
                   }
                   for (std::size_t i = 0; i < pieces.size(); ++i) {
                     if (!reaches_box(pieces, i, surface.X_QS.R, middle, half)) continue;
                     cell.clear();
                     append_cell(pieces, i, &cell);
                     add(pieces[i]);
                   }
                 });
  return energy;
}

double energy_behind_triangle(const PressureQuery& query, bool surface_is_A, const Vec3 (&corners)[3],
                              const FieldPieces& facets, Buffers* buffers) {
  const PressureSide& soft = surface_is_A ? query.B : query.A;
  const Vec3& middle = soft.X_QS.p;
  const Vec3 outward = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  const double above = outward.dot(middle - corners[0]), sign = above > 0.0 ? 1.0 : -1.0;
  FieldPieces &cell = buffers->cell, &prism = buffers->prism;
  prism.clear();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 across = sign * (corners[(i + 1) % 3] - middle).cross(corners[i] - middle);
    const double length = across.norm();
    // Seen from an edge it hides nothing.
    if (!(length > 0.0)) return 0.0;
    prism.push_back({-across / length, -across.dot(middle) / length, 0});
  }
  append_cube(soft.X_QS.R, query.radius, &prism);
  const Vec3 facing = sign * outward;
  const FieldPiece below{facing, facing.dot(corners[0]), 0};
  double energy = 0.0;
  for (std::size_t i = 0; i < facets.size(); ++i) {
    cell = prism;
    append_cell(facets, i, &cell);
    energy += sign * energy_below(query, surface_is_A, facets[i], below, cell, buffers);
  }
  return energy;
}

double energy_of_middle(const PressureQuery& query, bool surface_is_A, Buffers* buffers) {
  const PressureSide &surface = surface_is_A ? query.A : query.B, &soft = surface_is_A ? query.B : query.A;
  // How often a ray upwards leaves the solid more than it enters it.
  const Vec3 x = surface.X_QS.inverse() * soft.X_QS.p;
  const Upwards up(surface.field->shape, x, 0.0);
  gather_surface(surface.field->shape, up.lower, up.upper, &buffers->region);
  int turns = 0;
  for (const RegionTriangle& triangle : buffers->region.triangles) {
    const auto& c = triangle.corners;
    const Vec3 across = (c[1] - c[0]).cross(c[2] - c[0]);
    const double along = across.dot(up.e), sign = along > 0.0 ? 1.0 : -1.0;
    bool is_above = sign * across.dot(c[0] - x) > 0.0;
    for (std::size_t i = 0; i < 3 && is_above; ++i)
      is_above = sign * (c[(i + 1) % 3] - c[i]).cross(up.e).dot(c[i] - x) > 0.0;
    if (is_above) turns += along > 0.0 ? 1 : -1;
  }
  return turns > 0 ? soft.field->kappa() * whole_depth(soft.field->shape) : 0.0;
}

}  // namespace stiction
