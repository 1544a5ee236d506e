#include <cmath>

#include "stiction/geometry/field/pressure_query.h"

namespace stiction {
namespace {

// The integral of p over the cell where all `cuts` are positive, J. Over a cell with faces j at the outward
// distances d_j from the origin, with areas A_j and pressures p_j in their centroids,
//   integral of p dV = sum_j d_j A_j/3 (p(0) + 3 p_j)/4,
// the sum over pyramids with the tip 0.
double cell_integral(const PressureQuery& query, const FieldPieces& cuts, const FieldPiece& p,
                     PlanePolygon* polygon) {
  double energy = 0.0;
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    const double length = cuts[j].slope.norm();
    if (!(length > 0.0)) continue;
    const PlaneFrame frame = plane_frame(cuts[j].slope / length, cuts[j].value / length);
    polygon->set_square(2.0 * query.radius);
    bool is_left = true;
    for (std::size_t i = 0; is_left && i < cuts.size(); ++i) {
      if (i == j) continue;
      const OnPlane c = restricted(cuts[i], frame);
      // Of two faces in one plane the first counts.
      const double scale = cuts[i].slope.norm();
      if (std::abs(c.c) <= 1e-13 * scale * query.radius && std::hypot(c.cu, c.cv) <= 1e-13 * scale) {
        is_left = i > j;
        continue;
      }
      is_left = polygon->cut(-c.c, -c.cu, -c.cv);
    }
    if (!is_left) continue;
    const PolygonMoments m = polygon->moments();
    const double at_face = p.value - p.slope.dot(frame.at(m.u, m.v));
    energy += cuts[j].value / length * m.area / 12.0 * (p.value + 3.0 * at_face);
  }
  return energy;
}

}  // namespace

double overlap_energy(const PressureQuery& query, const FieldPieces& pieces_A, const FieldPieces& pieces_B,
                      Buffers* buffers, int only_A, int only_B) {
  // Cells in which one piece is the least pressure.
  double energy = 0.0;
  FieldPieces& cuts = buffers->cuts;
  const auto add_least = [&](const FieldPieces& pieces, std::size_t least) {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (i != least) cuts.push_back(difference(pieces[i], pieces[least]));
  };
  // Cells of A's pieces below B's field, and of B's below A's. A rigid side only bounds.
  const auto add_side = [&](const FieldPieces& own, int only_own, const FieldPieces& other, int only_other,
                            bool other_is_rigid) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (only_own >= 0 && only_own != static_cast<int>(i)) continue;
      cuts.clear();
      cuts.push_back(own[i]);
      add_least(own, i);
      for (std::size_t j = 0; j < other.size(); ++j) {
        if (only_other >= 0 && only_other != static_cast<int>(j)) continue;
        if (other_is_rigid)
          cuts.push_back(other[j]);
        else
          cuts.push_back(difference(other[j], own[i]));
      }
      if (only_other >= 0) add_least(other, static_cast<std::size_t>(only_other));
      energy += cell_integral(query, cuts, own[i], &buffers->polygon);
    }
  };
  if (!query.A.is_rigid) add_side(pieces_A, only_A, pieces_B, only_B, query.B.is_rigid);
  if (!query.B.is_rigid) add_side(pieces_B, only_B, pieces_A, only_A, query.A.is_rigid);
  return energy;
}

double element_energy(const PressureQuery& query, const FieldPiece& f, const FieldPiece& g,
                      const FieldPieces& cuts, Buffers* buffers) {
  double energy = 0.0;
  FieldPieces& cell = buffers->cuts;
  const auto add = [&](const FieldPiece& own, const FieldPiece& other, bool other_is_rigid) {
    cell = cuts;
    cell.push_back(own);
    cell.push_back(other_is_rigid ? other : difference(other, own));
    energy += cell_integral(query, cell, own, &buffers->polygon);
  };
  if (!query.A.is_rigid) add(f, g, query.B.is_rigid);
  if (!query.B.is_rigid) add(g, f, query.A.is_rigid);
  return energy;
}

}  // namespace stiction
