#include "stiction/geometry/shape/polytope_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

constexpr double kVerticesPerCell = 0.7;
constexpr int kMaxSide = 24;
constexpr int kMaxNear = 32;        // faces listed as near
constexpr double kDeepNear = 0.05;  // of the radius of the inscribed ball: list faces at least this deep
constexpr double kFarAway = 1e300;
constexpr double kRoundOff = 1e-12;  // relative; bounds are loosened by this much

// The directions of a cell: its corners, its centre and the midpoints of its sides, in this order.
struct Cell {
  static constexpr int kDirections = 9;
  std::array<Vec3, kDirections> d;
  Vec3 middle;    // unit
  double radius;  // largest chord from the middle to a direction of the cell

  Cell(int side, int number) {
    const int j = number % side, i = number / side % side, face = number / (side * side), k = face / 2;
    const auto direction = [&](double u, double v) {
      Vec3 out;
      out[k] = face % 2 == 1 ? 1.0 : -1.0;
      out[(k + 1) % 3] = 2.0 * (i + u) / side - 1.0;
      out[(k + 2) % 3] = 2.0 * (j + v) / side - 1.0;
      return out;
    };
    constexpr std::array<std::array<double, 2>, kDirections> kPlaces{
        {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0.5, 0.5}, {0.5, 0}, {0, 0.5}, {1, 0.5}, {0.5, 1}}};
    for (int m = 0; m < kDirections; ++m) d[m] = direction(kPlaces[m][0], kPlaces[m][1]);
    middle = d[4].normalized();
    radius = 0.0;
    for (int m = 0; m < 4; ++m) radius = std::max(radius, (d[m].normalized() - middle).norm());
  }
};

// A linear function of the direction, evaluated at the directions of a cell.
using Values = std::array<double, Cell::kDirections>;
Values values_of(const Cell& cell, const Vec3& x) {
  Values out;
  for (int m = 0; m < Cell::kDirections; ++m) out[m] = cell.d[m].dot(x);
  return out;
}

struct Candidate {
  int number;
  Values values;
};

// The candidates that are best in some direction of a cell: the others are compared with these.
struct Tops {
  std::vector<Values> values;
  std::array<double, 4> length;  // of the directions of the corners

  Tops(const Cell& cell, const std::vector<Candidate>& candidates) {
    for (int m = 0; m < Cell::kDirections; ++m) {
      const auto best =
          std::max_element(candidates.begin(), candidates.end(),
                           [m](const Candidate& a, const Candidate& b) { return a.values[m] < b.values[m]; });
      if (std::find(values.begin(), values.end(), best->values) == values.end())
        values.push_back(best->values);
    }
    for (int k = 0; k < 4; ++k) length[k] = (1.0 + kRoundOff) * cell.d[k].norm();
  }
  // Whether x is below one of them by more than `window` times the length of d all over the cell.
  bool dominate(const Values& x, double window) const {
    return std::any_of(values.begin(), values.end(), [&](const Values& top) {
      return top[0] - x[0] > window * length[0] && top[1] - x[1] > window * length[1] &&
             top[2] - x[2] > window * length[2] && top[3] - x[3] > window * length[3];
    });
  }
};

void append(const std::vector<Candidate>& candidates, CellLists* lists) {
  if (candidates.size() <= PolytopeCells::kMaxListed) {
    for (const Candidate& c : candidates) lists->numbers.push_back(c.number);
    while (lists->numbers.size() % 4 != 0) lists->numbers.push_back(candidates.back().number);
  }
  lists->begin.push_back(static_cast<int>(lists->numbers.size()));
}

class Builder {
 public:
  Builder(const Polytope& P, PolytopeCells* cells)
      : P_(P),
        cells_(*cells),
        seen_(P.vertices.size(), -1),
        seen_faces_(P.faces.size(), -1),
        faces_(P.faces.size()),
        numbers_(P.faces.size()) {
    for (const PolytopeFace& face : P.faces)
      cells_.farthest_face = std::max(cells_.farthest_face, face.offset - face.normal.dot(P.centre));
    for (CellLists* lists : {&cells_.vertices, &cells_.facing, &cells_.near}) lists->begin.push_back(0);
  }

  void add_cell(int number) {
    const Cell cell(cells_.side, number);
    list_vertices(cell, number);
    list_facing(cell);
    list_near(cell);
  }

 private:
  // v can be farthest along some d of the cell only if, along the central direction m, it is below the
  // farthest vertex w by no more than |d - m| |w - v|. Vertices above a height are connected along edges.
  void list_vertices(const Cell& cell, int number) {
    start_ = climb(P_, cell.middle, start_);
    cells_.first_vertex.push_back(start_);
    const Vec3& w = P_.vertices[start_];
    const double least = cell.middle.dot(w) - (cell.radius + kRoundOff) * P_.size;
    candidates_.clear();
    front_.assign(1, start_);
    seen_[start_] = number;
    while (!front_.empty()) {
      const int v = front_.back();
      front_.pop_back();
      const Vec3& p = P_.vertices[v];
      if (cell.middle.dot(w - p) <= cell.radius * (w - p).norm() + kRoundOff * P_.size)
        candidates_.push_back({v, values_of(cell, p)});
      for (int i = P_.neighbour_begin[v]; i < P_.neighbour_begin[v + 1]; ++i) {
        const int next = P_.neighbours[i];
        if (seen_[next] == number) continue;
        seen_[next] = number;
        if (cell.middle.dot(P_.vertices[next]) >= least) front_.push_back(next);
      }
    }
    const Tops tops(cell, candidates_);
    std::erase_if(candidates_, [&](const Candidate& c) { return tops.dominate(c.values, 0.0); });
    append(candidates_, &cells_.vertices);
  }

  void list_facing(const Cell& cell) {
    const int count =
        aligned_faces(P_.groups, cell.middle, 2.0 * (kAlignmentWindow + cell.radius + kRoundOff),
                      faces_.data(), numbers_.data());
    facing_ = faces_[0];
    const Vec3& first = P_.faces[facing_].normal;
    candidates_.clear();
    for (int i = 0; i < count; ++i) {
      const Vec3& n = P_.faces[faces_[i]].normal;
      const double largest = kAlignmentWindow * 2.0 + cell.radius * (n - first).norm() + kRoundOff;
      if (numbers_[0] - numbers_[i] <= largest) candidates_.push_back({faces_[i], values_of(cell, n)});
    }
    // Faces that may be best in the cell, and how far the others are from them.
    const Tops tops(cell, candidates_);
    best_.clear();
    for (const Candidate& c : candidates_)
      if (!tops.dominate(c.values, 0.0)) best_.push_back(c.number);
    std::erase_if(candidates_, [&](const Candidate& c) {
      double chord2 = 0.0;
      for (const int f : best_)
        chord2 = std::max(chord2, (P_.faces[f].normal - P_.faces[c.number].normal).squaredNorm());
      return tops.dominate(c.values, kAlignmentWindow * std::sqrt(chord2) + kRoundOff);
    });
    append(candidates_, &cells_.facing);
  }

  // Distance from the centre along d to the plane of a face; very large if d does not intersect it.
  double distance_to(int f, const Vec3& d) const {
    const PolytopeFace& face = P_.faces[f];
    const double rate = face.normal.dot(d), way = face.offset - face.normal.dot(P_.centre);
    return rate > 1e-6 ? way / rate : kFarAway;
  }

  // Walks from a face to the one that the ray along d leaves through, over neighbours that are nearer.
  int face_along(const Vec3& d, int face) const {
    double least = distance_to(face, d);
    for (bool moves = true; moves;) {
      moves = false;
      for (int c = P_.faces[face].begin; c < P_.faces[face].end; ++c) {
        const double way = distance_to(P_.corner_across[c], d);
        if (!(way < least)) continue;
        least = way, face = P_.corner_across[c], moves = true;
        break;
      }
    }
    return face;
  }

  void list_near(const Cell& cell) {
    std::array<int, Cell::kDirections> tops;
    tops[4] = face_along(cell.middle, facing_);
    for (int m = 0; m < Cell::kDirections; ++m)
      if (m != 4) tops[m] = face_along(cell.d[m], tops[4]);
    std::sort(tops.begin(), tops.end());
    const auto end = std::unique(tops.begin(), tops.end());

    // The pyramids below them: distances to their planes along the corner directions.
    std::array<std::array<double, 4>, Cell::kDirections> distances;
    int pyramids = 0;
    for (auto g = tops.begin(); g != end; ++g) {
      for (int k = 0; k < 4; ++k) distances[pyramids][k] = distance_to(*g, cell.d[k]);
      if (*std::max_element(distances[pyramids].begin(), distances[pyramids].end()) < kFarAway) ++pyramids;
    }
    const auto bound_of = [&](int f) {
      const Vec3& n = P_.faces[f].normal;
      std::array<double, 4> rate;
      for (int k = 0; k < 4; ++k) rate[k] = n.dot(cell.d[k]);
      double bound = kFarAway;
      for (int g = 0; g < pyramids; ++g) {
        double most = 0.0;  // the centre
        for (int k = 0; k < 4; ++k) most = std::max(most, distances[g][k] * rate[k]);
        bound = std::min(bound, most);
      }
      return bound - (P_.faces[f].offset - n.dot(P_.centre));
    };

    // Every face whose bound is above a height is above it at a corner of the first pyramid.
    double missing = kFarAway;
    bounds_.clear();
    // Go deeper until there are enough faces.
    for (double deep = kDeepNear; pyramids > 0 && deep < 100.0 && bounds_.size() < kMaxNear; deep *= 4.0) {
      bounds_.clear();
      ++sweep_;
      const double lowest = -deep * P_.inner_radius;
      for (int k = 0; k < 4; ++k) {
        const Vec3 corner = P_.centre + distances[0][k] * cell.d[k];
        const int count = faces_above(P_.groups, corner, lowest, faces_.data(), numbers_.data());
        for (int i = 0; i < count; ++i) {
          if (seen_faces_[faces_[i]] == sweep_) continue;
          seen_faces_[faces_[i]] = sweep_;
          bounds_.push_back({faces_[i], bound_of(faces_[i])});
        }
      }
      missing = bounds_.size() == P_.faces.size() ? -kFarAway : lowest;
    }
    const auto larger = [](const Bound& a, const Bound& b) {
      return a.bound != b.bound ? a.bound > b.bound : a.face < b.face;
    };
    if (bounds_.size() > kMaxNear) {
      std::nth_element(bounds_.begin(), bounds_.begin() + kMaxNear, bounds_.end(), larger);
      missing = std::max(missing, bounds_[kMaxNear].bound);
      bounds_.resize(kMaxNear);
    }
    std::sort(bounds_.begin(), bounds_.end(), larger);
    for (const Bound& b : bounds_) {
      cells_.near.numbers.push_back(b.face);
      cells_.near_bounds.push_back(b.bound);
    }
    while (cells_.near.numbers.size() % 4 != 0) {
      cells_.near.numbers.push_back(0);
      cells_.near_bounds.push_back(-kFarAway);
    }
    cells_.near.begin.push_back(static_cast<int>(cells_.near.numbers.size()));
    cells_.missing_below.push_back(missing);
  }

  struct Bound {
    int face;
    double bound;
  };

  const Polytope& P_;
  PolytopeCells& cells_;
  std::vector<int> seen_, seen_faces_, front_, faces_, best_;
  std::vector<double> numbers_;
  std::vector<Candidate> candidates_;
  std::vector<Bound> bounds_;
  int sweep_ = 0;
  int start_ = 0, facing_ = 0;  // farthest vertex and most aligned face of the current cell
};

}  // namespace

PolytopeCells polytope_cells(const Polytope& P) {
  PolytopeCells cells;
  const double wanted = std::sqrt(static_cast<double>(P.vertices.size()) / (6.0 * kVerticesPerCell));
  cells.side = std::clamp(static_cast<int>(std::lround(wanted)), 1, kMaxSide);
  Builder builder(P, &cells);
  for (int i = 0; i < 6 * cells.side * cells.side; ++i) builder.add_cell(i);
  return cells;
}

}  // namespace stiction
