#include <algorithm>
#include <cmath>

#include "stiction/geometry/field/facet_phase.h"
#include "stiction/geometry/field/pressure_query.h"
#include "stiction/geometry/field/round_direction.h"
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
    constexpr double kBeyond = 0.25;  // corners of facets reach beyond the shape's bounds
    switch (other_.field->shape.kind) {
      case ShapeKind::box:
      case ShapeKind::hull:
      case ShapeKind::half_space:
        find_cells_in_overlap(query_.least_overlap);
        against_planes();
        break;
      case ShapeKind::sphere:
      case ShapeKind::capsule:
      case ShapeKind::cylinder:
      case ShapeKind::ellipsoid:
        find_cells_in_overlap(kBeyond * query_.half.maxCoeff());
        against_round();
        break;
      case ShapeKind::mesh:
      case ShapeKind::height_field:
        if (other_.field->tets)
          against_tets();
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

  // Those that meet the box that holds the overlap, widened.
  void find_cells_in_overlap(double widened) {
    const Vec3 centre = own_.X_QS.inverse().p;
    const Vec3 half =
        (own_.X_QS.R.transpose() * query_.axes).cwiseAbs() * (query_.half + Vec3::Constant(widened));
    find_cells(centre - half, centre + half);
  }

  // Whether the sheet of two pieces passes by a ball; a rigid side's is its own plane.
  bool misses_sheet(const FieldPiece& own, const FieldPiece& other, const Vec3& centre, double radius) const {
    return other_.is_rigid ? misses(other.slope, other.value, centre, radius)
                           : misses(own.slope - other.slope, own.value - other.value, centre, radius);
  }

  // Whether the sheet lies, to round-off, in a side of the cell that is the border of a neighbour, or in a border between
  // two pieces of the other shape: it belongs to the one whose side looks out of its shape, along the sheet's normal from
  // there, and not to both. Of a rigid side the one that is inside it. own_sides: how many of buffers_.cell are sides of
  // the tetrahedra.
  bool is_of_neighbour(const FieldPiece& own, const FieldPiece& other, std::size_t own_sides) const {
    const FieldPiece out = other_.is_rigid ? other : difference(own, other);
    const double length = out.slope.norm();
    if (!(length > 0.0)) return false;
    const Vec3 normal = out.slope / length;
    for (std::size_t i = 0; i < buffers_.cell.size(); ++i) {
      const FieldPiece& side = buffers_.cell[i];
      const double along = side.slope.dot(normal);
      if (!((i < own_sides ? along : -along) < 0.0)) continue;
      constexpr double kNearlyParallel = 1.0 - 1e-9;
      if (along * along < kNearlyParallel * side.slope.squaredNorm()) continue;
      const PlaneFrame frame = plane_frame(normal, out.value / length);
      if (lies_in(query_, restricted(side, frame), side)) return true;
    }
    return false;
  }

  // One piece of the tetrahedra against one of the other shape, inside buffers_.cell, of which the first are own sides.
  void add(const FieldPiece& own, const FieldPiece& other, std::size_t own_sides, const Vec3* corners) {
    if (is_of_neighbour(own, other, own_sides)) return;
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
        add(p, planes[j], keep, nullptr);
      }
    }
  }

  void against_round() {
    FieldPieces &facets = buffers_.facets, &near = buffers_.pieces_B;
    // Around one direction for all tetrahedra of a convex volume, so that their faces meet; else for each of them.
    const bool is_convex = mesh().hull != nullptr;
    if (is_convex && !lay_facets_of_all(&facets)) return;
    for (const int t : buffers_.found) {
      const TetCell& cell = mesh().cells[static_cast<std::size_t>(t)];
      const double reach = cell.radius + query_.options.margin;
      if (!comes_near_box(cell, reach)) continue;
      const FieldPiece p = pressure_in_query(own_, cell);
      const Vec3 centre = own_.X_QS * cell.centre;
      const double length = p.slope.norm();
      if (!(length > 0.0) || p.value - p.slope.dot(centre) + reach * length < query_.least_pressure) continue;
      if (!is_convex && !lay_facets_of(cell, p, centre, &facets)) continue;
      if (!query_.options.wants_energy && !may_have_sheet(p, facets, centre, reach)) continue;
      keep_relevant_around(centre, reach, facets, &near);
      buffers_.cell.clear();
      append_sides(own_, cell, &buffers_.cell);
      const std::size_t keep = buffers_.cell.size();
      for (std::size_t j = 0; j < near.size(); ++j) {
        if (!query_.options.wants_energy && misses_sheet(p, near[j], centre, reach)) continue;
        add_cuts_of_list(near, j, keep);
        add(p, near[j], keep, nullptr);
      }
    }
  }

  // Whether a tetrahedron comes near the box of the round shape.
  bool comes_near_box(const TetCell& cell, double reach) const {
    const CollisionShape& round = other_.field->shape;
    const Vec3 x = other_.X_QS.inverse() * (own_.X_QS * cell.centre);
    return ((x - round.box_centre).cwiseAbs() - round.box_half).cwiseMax(Vec3::Zero()).squaredNorm() <=
           reach * reach;
  }

  // Facets around the direction from the round shape to the convex volume. False if they do not meet.
  bool lay_facets_of_all(FieldPieces* facets) {
    const PressureField& round = *other_.field;
    RoundDirection& direction = buffers_.direction;
    if (!buffers_.has_direction) {
      direction = direction_to(other_, {mesh().hull.get(), own_.X_QS, true});
      direction.near += query_.origin;
      buffers_.has_direction = true;
    }
    const Vec3 near = direction.near - query_.origin, &towards = direction.towards;
    const double overlap = towards.dot(other_.X_QS.p - near) + query_.options.margin +
                           reach_of(round, other_.X_QS.R.transpose() * towards);
    facets->clear();
    if (!(overlap > query_.least_overlap)) return false;
    append_facets(round, other_.X_QS, towards, overlap, near, phase_on(own_, towards), query_.rings_of(round),
                  facets);
    return true;
  }

  // Facets around a tetrahedron, or around the normal of its pressure, whichever cover less. False if it is out of reach.
  bool lay_facets_of(const TetCell& cell, const FieldPiece& p, const Vec3& centre, FieldPieces* facets) {
    const PressureField& round = *other_.field;
    const double length = p.slope.norm();
    const Vec3 outward = p.slope / length;
    const int rings = query_.rings_of(round);
    const double lowest = outward.dot(other_.X_QS.p) - reach_of(round, other_.X_QS.R.transpose() * -outward);
    const double overlap = p.value / length - lowest + query_.options.margin;
    if (!(overlap > 0.0)) return false;
    const double by_plane = facet_angle(round, other_.X_QS, -outward, overlap);
    facets->clear();
    const Vec3 to_cell = centre - other_.X_QS.p;
    const Vec3 direction = to_cell.squaredNorm() > 0.0 ? Vec3(to_cell.normalized()) : Vec3(-outward);
    const double angle = append_facets_around(round, other_.X_QS, centre, cell.radius + query_.options.margin,
                                              phase_on(own_, direction), by_plane, rings, facets);
    // Cells whose pressure has one gradient get one set of facets, with the phase of that gradient.
    if (angle > by_plane)
      append_facets(round, other_.X_QS, -outward, overlap, centre, phase_on(own_, -outward), rings, facets);
    return true;
  }

  // Whether the least of the facets can be equal to the pressure (of a rigid one: 0) somewhere in a ball.
  bool may_have_sheet(const FieldPiece& p, const FieldPieces& facets, const Vec3& centre,
                      double radius) const {
    double least = 1e300, most = 1e300;
    for (const FieldPiece& facet : facets) {
      const double at = facet.value - facet.slope.dot(centre), change = radius * facet.slope.norm();
      least = std::min(least, at - change);
      most = std::min(most, at + change);
    }
    const double at = p.value - p.slope.dot(centre), change = radius * p.slope.norm();
    return other_.is_rigid ? least <= 0.0 && most >= 0.0 : least <= at + change && most >= at - change;
  }

  // The pieces that can be the least one somewhere in a ball.
  static void keep_relevant_around(const Vec3& centre, double radius, const FieldPieces& pieces,
                                   FieldPieces* near) {
    std::size_t least = 0;
    double value = 1e300;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const double at = pieces[i].value - pieces[i].slope.dot(centre);
      if (at < value) {
        value = at;
        least = i;
      }
    }
    near->clear();
    for (const FieldPiece& piece : pieces) {
      const Vec3 slope = piece.slope - pieces[least].slope;
      if (piece.value - piece.slope.dot(centre) - value <= radius * slope.norm()) near->push_back(piece);
    }
  }

  void against_surface() {
    MeshRegion& region = buffers_.region;
    const Vec3 centre = other_.X_QS.inverse().p, reach = Vec3::Constant(query_.radius);
    if (query_.options.wants_energy) patch_.energy += energy_inside_surface(query_, !tets_are_A_, &buffers_);
    gather_surface(other_.field->shape, centre - reach, centre + reach, &region);
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
      const Vec3 outward = across.normalized(),
                 margin = Vec3::Constant(query_.options.margin + query_.least_overlap);
      find_cells(box.min() - margin, box.max() + margin);
      for (const int t : buffers_.found) {
        const FieldPiece p = cell_in_query(own_, mesh().cells[static_cast<std::size_t>(t)], &buffers_.cell);
        add(p, {outward, outward.dot(corners[0]), triangle.id}, buffers_.cell.size(), corners);
      }
    }
  }

  void against_tets() {
    find_cells_in_overlap(query_.least_overlap);
    const TetMesh& others = *other_.field->tets;
    const Pose X_OT = other_.X_QS.inverse() * own_.X_QS;
    const Mat3 size = X_OT.R.cwiseAbs();
    const double margin = query_.options.margin + query_.least_overlap;
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
        add(f, g, keep, nullptr);
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

FieldPiece cell_in_query(const PressureSide& side, const TetCell& cell, FieldPieces* cuts) {
  cuts->clear();
  append_sides(side, cell, cuts);
  return pressure_in_query(side, cell);
}

void add_tet_faces(const PressureQuery& query, Buffers* buffers, PressurePatch* patch) {
  TetFaces(query, query.A.field->tets != nullptr, buffers, patch).run();
}

}  // namespace stiction
