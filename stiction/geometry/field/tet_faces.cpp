#include <algorithm>
#include <cmath>

#include "stiction/geometry/field/facet_phase.h"
#include "stiction/geometry/field/pressure_query.h"
#include "stiction/geometry/field/tet_mesh.h"

namespace stiction {
namespace {

// The pressure of one tetrahedron in Q, and its inner sides as depths.
FieldPiece pressure_in_query(const PressureSide& side, const TetCell& cell) {
  const double kappa = side.field->kappa();
  return moved_piece({kappa * cell.pressure.slope, kappa * cell.pressure.value, cell.pressure.id}, side.X_QS);
}
void append_sides(const PressureSide& side, const TetCell& cell, FieldPieces* cuts) {
  for (int i = 0; i < cell.num_sides; ++i)
    cuts->push_back(moved_piece(cell.sides[static_cast<std::size_t>(i)], side.X_QS));
}
FieldPiece cell_in_query(const PressureSide& side, const TetCell& cell, FieldPieces* cuts) {
  cuts->clear();
  append_sides(side, cell, cuts);
  return pressure_in_query(side, cell);
}

// Whether a ball lies beyond one of the sides from `begin` on, which have unit slopes.
bool is_beyond(const FieldPieces& sides, std::size_t begin, const Vec3& centre, double radius) {
  for (std::size_t i = begin; i < sides.size(); ++i)
    if (sides[i].value - sides[i].slope.dot(centre) < -radius) return true;
  return false;
}

// Whether the plane where two linear functions are equal (of one alone: where it is 0) passes a ball by.
bool misses(const Vec3& slope, double value, const Vec3& centre, double radius) {
  const double at_centre = value - slope.dot(centre);
  return at_centre * at_centre > radius * radius * slope.squaredNorm();
}

class TetFaces {
 public:
  TetFaces(const PressureQuery& query, bool tets_are_A, Buffers* buffers, PressurePatch* patch)
      : query_(query),
        tets_are_A_(tets_are_A),
        own_(tets_are_A ? query.A : query.B),
        other_(tets_are_A ? query.B : query.A),
        buffers_(*buffers),
        patch_(*patch) {}

  void run() {
    const Vec3 centre = own_.X_QS.inverse().p, reach = Vec3::Constant(query_.radius);
    switch (other_.field->shape.kind) {
      case ShapeKind::box:
      case ShapeKind::hull:
      case ShapeKind::half_space:
        find_cells(centre - reach, centre + reach);
        against_planes();
        break;
      case ShapeKind::sphere:
      case ShapeKind::capsule:
      case ShapeKind::cylinder:
      case ShapeKind::ellipsoid:
        find_cells(centre - reach, centre + reach);
        against_round();
        break;
      case ShapeKind::mesh:
      case ShapeKind::height_field:
        if (other_.field->tets)
          against_tets(centre - reach, centre + reach);
        else
          against_surface();
        break;
      case ShapeKind::superellipsoid:
        break;
    }
  }

 private:
  const TetMesh& mesh() const { return *own_.field->tets; }

  void find_cells(const Vec3& lower, const Vec3& upper) {
    buffers_.found.clear();
    mesh().boxes.overlap(lower, upper, &buffers_.found);
    std::sort(buffers_.found.begin(), buffers_.found.end());
  }

  // Whether the sheet of two pieces passes by a ball; a rigid side's is its own plane.
  bool misses_sheet(const FieldPiece& own, const FieldPiece& other, const Vec3& centre, double radius) const {
    return other_.is_rigid ? misses(other.slope, other.value, centre, radius)
                           : misses(own.slope - other.slope, own.value - other.value, centre, radius);
  }

  // Whether the sheet lies in a side that two tetrahedra share, which have it with the same bits and opposite signs: then
  // it belongs to the one on this side alone, and not to both.
  bool is_of_neighbour(const FieldPiece& own, const FieldPiece& other) const {
    const Vec3 m = other_.is_rigid ? other.slope : Vec3(own.slope - other.slope);
    const double length = m.norm(), value = other_.is_rigid ? other.value : own.value - other.value;
    const Vec3 normal = m / length;
    return std::any_of(buffers_.cell.begin(), buffers_.cell.end(), [&](const FieldPiece& side) {
      return side.slope == -normal && side.value == -value / length;
    });
  }

  // One piece of the tetrahedra against one of the other shape, inside buffers_.cell.
  void add(const FieldPiece& own, const FieldPiece& other, const Vec3* corners) {
    if (is_of_neighbour(own, other)) return;
    const FieldPiece &f = tets_are_A_ ? own : other, &g = tets_are_A_ ? other : own;
    add_element_faces(query_, f, g, buffers_.cell, corners, &buffers_, &patch_);
    if (query_.options.wants_energy && !corners)
      patch_.energy += element_energy(query_, f, g, buffers_.cell, &buffers_);
  }

  // Keeps where piece j of a list is the least one.
  void add_cuts_of_list(const FieldPieces& pieces, std::size_t j, std::size_t keep) {
    buffers_.cell.resize(keep);
    for (std::size_t k = 0; k < pieces.size(); ++k)
      if (k != j)
        buffers_.cell.push_back({pieces[k].slope - pieces[j].slope, pieces[k].value - pieces[j].value, 0});
  }

  void against_planes() {
    FieldPieces& planes = buffers_.pieces_B;
    planes.clear();
    for (const FieldPiece& piece : other_.field->pieces) planes.push_back(moved_piece(piece, other_.X_QS));
    keep_relevant(query_.reach(), &planes);
    const double least = other_.is_rigid ? -query_.options.margin : query_.least_pressure;
    for (const int t : buffers_.found) {
      const TetCell& cell = mesh().cells[static_cast<std::size_t>(t)];
      const Vec3 centre = own_.X_QS * cell.centre;
      const bool is_outside = std::any_of(planes.begin(), planes.end(), [&](const FieldPiece& plane) {
        const double reach = cell.radius + query_.options.margin;
        return plane.value - plane.slope.dot(centre) + reach * plane.slope.norm() < least;
      });
      if (is_outside) continue;
      const FieldPiece p = cell_in_query(own_, cell, &buffers_.cell);
      const std::size_t keep = buffers_.cell.size();
      for (std::size_t j = 0; j < planes.size(); ++j) {
        if (!query_.options.wants_energy &&
            misses_sheet(p, planes[j], centre, cell.radius + query_.options.margin))
          continue;
        add_cuts_of_list(planes, j, keep);
        add(p, planes[j], nullptr);
      }
    }
  }

  void against_round() {
    const PressureField& round = *other_.field;
    FieldPieces& facets = buffers_.facets;
    const Pose X_OT = other_.X_QS.inverse() * own_.X_QS;
    for (const int t : buffers_.found) {
      const TetCell& cell = mesh().cells[static_cast<std::size_t>(t)];
      // Apart from the box of the round shape.
      const Vec3 from_box = ((X_OT * cell.centre - round.shape.box_centre).cwiseAbs() - round.shape.box_half)
                                .cwiseMax(Vec3::Zero());
      const double reach = cell.radius + query_.options.margin;
      if (from_box.squaredNorm() > reach * reach) continue;
      const FieldPiece p = cell_in_query(own_, cell, &buffers_.cell);
      const double length = p.slope.norm();
      if (!(length > 0.0)) continue;
      const Vec3 outward = p.slope / length, centre = own_.X_QS * cell.centre;
      const int rings = query_.rings_of(round);
      // Facets around the tetrahedron, or around the normal of its pressure, whichever cover less.
      const double lowest =
          outward.dot(other_.X_QS.p) - reach_of(round, other_.X_QS.R.transpose() * -outward);
      const double overlap = p.value / length - lowest + query_.options.margin;
      if (!(overlap > 0.0)) continue;
      const double by_plane = facet_angle(round, other_.X_QS, -outward, overlap);
      facets.clear();
      const Vec3 to_cell = centre - other_.X_QS.p;
      const Vec3 direction = to_cell.squaredNorm() > 0.0 ? Vec3(to_cell.normalized()) : Vec3(-outward);
      const double angle =
          append_facets_around(round, other_.X_QS, centre, cell.radius + query_.options.margin,
                               phase_on(own_, direction), by_plane, rings, &facets);
      // Cells whose pressure has one gradient get one set of facets, with the phase of that gradient.
      if (angle > by_plane)
        append_facets(round, other_.X_QS, -outward, overlap, centre, phase_on(own_, -outward), rings,
                      &facets);
      const std::size_t keep = buffers_.cell.size();
      for (std::size_t j = 0; j < facets.size(); ++j) {
        if (!query_.options.wants_energy && misses_sheet(p, facets[j], centre, reach)) continue;
        add_cuts_of_list(facets, j, keep);
        add(p, facets[j], nullptr);
      }
    }
  }

  void gather_surface(const Vec3& lower, const Vec3& upper) {
    if (other_.field->shape.kind == ShapeKind::mesh)
      gather(*other_.field->shape.mesh, lower, upper, &buffers_.region);
    else
      gather(*other_.field->shape.field, lower, upper, &buffers_.region);
  }

  void against_surface() {
    MeshRegion& region = buffers_.region;
    const Vec3 centre = other_.X_QS.inverse().p, reach = Vec3::Constant(query_.radius);
    if (query_.options.wants_energy) add_energy_inside(centre, reach);
    gather_surface(centre - reach, centre + reach);
    const Pose X_TS = own_.X_QS.inverse() * other_.X_QS;
    for (const RegionTriangle& triangle : region.triangles) {
      Vec3 corners[3];
      Eigen::AlignedBox3d box;
      for (int i = 0; i < 3; ++i) {
        corners[i] = other_.X_QS * triangle.corners[static_cast<std::size_t>(i)];
        box.extend(X_TS * triangle.corners[static_cast<std::size_t>(i)]);
      }
      const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
      if (!(across.norm() > 0.0)) continue;
      const Vec3 outward = across.normalized(), margin = Vec3::Constant(query_.options.margin);
      find_cells(box.min() - margin, box.max() + margin);
      for (const int t : buffers_.found) {
        const FieldPiece p = cell_in_query(own_, mesh().cells[static_cast<std::size_t>(t)], &buffers_.cell);
        add(p, {outward, outward.dot(corners[0]), triangle.id}, corners);
      }
    }
  }

  // The integral of the pressure over what is inside the surface. A ray along e from a point inside leaves the solid
  // once more than it enters it, so the solid is the sum of the prisms below its triangles, seen along e, positive
  // where a triangle looks along e and negative where it looks against it. Within the cube around the query, in which
  // the overlap lies. e is nearly the axis of the surface along which its bounds are nearest, z of terrain: turned away
  // a little, so that the sides of prisms do not lie in those of tetrahedra.
  void add_energy_inside(const Vec3& centre, const Vec3& reach) {
    const CollisionShape& shape = other_.field->shape;
    Vec3 lower = centre - reach, upper = centre + reach;
    int axis = 2;
    double sign = 1.0;
    if (shape.kind == ShapeKind::mesh) {
      const Vec3 up = shape.box_centre + shape.box_half - centre,
                 down = centre - shape.box_centre + shape.box_half;
      int to_top = 0, to_bottom = 0;
      const double top = up.minCoeff(&to_top), bottom = down.minCoeff(&to_bottom);
      axis = top <= bottom ? to_top : to_bottom;
      sign = top <= bottom ? 1.0 : -1.0;
    }
    const double end = shape.box_centre[axis] + sign * shape.box_half[axis];
    if (sign > 0.0)
      upper[axis] = std::max(upper[axis], end);
    else
      lower[axis] = std::min(lower[axis], end);
    constexpr double kTurned = 0.0137, kAcross = 0.0071;  // any small numbers without a ratio
    // How far a prism of this length leans sideways.
    const auto lean = [axis](double length) {
      Vec3 out = Vec3::Constant((kTurned + kAcross) * length);
      out[axis] = 0.0;
      return out;
    };
    const Vec3 aside = lean(upper[axis] - lower[axis]);
    gather_surface(lower - aside, upper + aside);

    const Mat3& R = other_.X_QS.R;
    Vec3 e_S = sign * Vec3::Unit(axis);
    e_S[(axis + 1) % 3] = kTurned;
    e_S[(axis + 2) % 3] = kAcross;
    const Vec3 e = R * e_S.normalized();
    const Pose X_TS = own_.X_QS.inverse() * other_.X_QS;
    const double half = query_.radius;
    for (const RegionTriangle& triangle : buffers_.region.triangles) {
      Vec3 corners[3];
      Eigen::AlignedBox3d box;
      for (int i = 0; i < 3; ++i) {
        corners[i] = other_.X_QS * triangle.corners[static_cast<std::size_t>(i)];
        box.extend(triangle.corners[static_cast<std::size_t>(i)]);
      }
      const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
      const double along = across.dot(e);
      if (!(std::abs(along) > 1e-14 * across.norm())) continue;
      // The prism within the cube, in axes of the surface, then its bounds in those of the tetrahedra.
      if (sign > 0.0)
        box.extend(Vec3(box.min() - (box.max()[axis] - (centre - reach)[axis]) * e_S));
      else
        box.extend(Vec3(box.max() - ((centre + reach)[axis] - box.min()[axis]) * e_S));
      const Vec3 sideways = lean(box.sizes()[axis]);
      const Vec3 least = (box.min() - sideways).cwiseMax(centre - reach),
                 most = (box.max() + sideways).cwiseMin(centre + reach);
      if (!(least.array() < most.array()).all()) continue;
      const Vec3 middle = X_TS * (0.5 * (least + most)), size = X_TS.R.cwiseAbs() * (0.5 * (most - least));
      find_cells(middle - size, middle + size);
      const Vec3 facing = (along > 0.0 ? across : Vec3(-across)).normalized();
      for (const int t : buffers_.found) {
        const FieldPiece p = cell_in_query(own_, mesh().cells[static_cast<std::size_t>(t)], &buffers_.cell);
        for (std::size_t i = 0; i < 3; ++i) {
          const Vec3 outward =
              (along > 0.0 ? 1.0 : -1.0) * (corners[(i + 1) % 3] - corners[i]).cross(e).normalized();
          buffers_.cell.push_back({outward, outward.dot(corners[i]), 0});
        }
        for (int i = 0; i < 3; ++i) {
          buffers_.cell.push_back({R.col(i), half, 0});
          buffers_.cell.push_back({-R.col(i), half, 0});
        }
        const FieldPiece below{facing, facing.dot(corners[0]), triangle.id};
        const FieldPiece &f = tets_are_A_ ? p : below, &g = tets_are_A_ ? below : p;
        patch_.energy += (along > 0.0 ? 1.0 : -1.0) * element_energy(query_, f, g, buffers_.cell, &buffers_);
      }
    }
  }

  void against_tets(const Vec3& lower, const Vec3& upper) {
    find_cells(lower, upper);
    const TetMesh& others = *other_.field->tets;
    const Pose X_OT = other_.X_QS.inverse() * own_.X_QS;
    const Mat3 size = X_OT.R.cwiseAbs();
    const double margin = query_.options.margin;
    for (const int t : buffers_.found) {
      const TetCell& cell = mesh().cells[static_cast<std::size_t>(t)];
      const Vec3 middle = X_OT * cell.box_centre, reach = size * cell.box_half + Vec3::Constant(margin);
      buffers_.others.clear();
      others.boxes.overlap(middle - reach, middle + reach, &buffers_.others);
      if (buffers_.others.empty()) continue;
      std::sort(buffers_.others.begin(), buffers_.others.end());
      const FieldPiece f = cell_in_query(own_, cell, &buffers_.cell);
      const std::size_t keep = buffers_.cell.size();
      const Vec3 centre = own_.X_QS * cell.centre;
      for (const int o : buffers_.others) {
        const TetCell& other = others.cells[static_cast<std::size_t>(o)];
        const Vec3 other_centre = other_.X_QS * other.centre;
        const double both = cell.radius + other.radius + 2.0 * margin;
        if ((centre - other_centre).squaredNorm() > both * both) continue;
        const FieldPiece g = pressure_in_query(other_, other);
        if (!query_.options.wants_energy && (misses_sheet(f, g, centre, cell.radius + margin) ||
                                             misses_sheet(f, g, other_centre, other.radius + margin)))
          continue;
        buffers_.cell.resize(keep);
        if (is_beyond(buffers_.cell, 0, other_centre, other.radius + margin)) continue;
        append_sides(other_, other, &buffers_.cell);
        if (is_beyond(buffers_.cell, keep, centre, cell.radius + margin)) continue;
        add(f, g, nullptr);
      }
    }
  }

  const PressureQuery& query_;
  bool tets_are_A_;
  const PressureSide &own_, &other_;
  Buffers& buffers_;
  PressurePatch& patch_;
};

}  // namespace

void add_tet_faces(const PressureQuery& query, Buffers* buffers, PressurePatch* patch) {
  TetFaces(query, query.A.field->tets != nullptr, buffers, patch).run();
}

}  // namespace stiction
