#pragma once
// A normal force by table: any monotone law f(x) of the overlap x >= 0 (I eq. 8), as knots with the tangents of
// a cubic Hermite spline, so that the force is C1 beyond x = 0. Behind the last knot it goes on as its tangent.
//
//   on a piece, s = x - x_i:    f = c0 + c1 s + c2 s^2 + c3 s^3
//   energy                      F = integral of f dx from 0,
//   moment                      G = integral of x f dx from 0,
//
// both closed forms of the piece. A contact with x = x0 - h v, Hunt & Crossley's factor 1 - d v and the force
// S f has, as Hertz's law (normal_force.h),
//
//   n(v) = h S f(x) (1 - d v),    N(v) = -S [ (1 - d x0/h) F(x) + (d/h) G(x) ].
//
// Tangents of a table that is given as points are those of F. N. Fritsch and J. Butland, A method for
// constructing local monotone piecewise cubic interpolants, SIAM J. Sci. Stat. Comput. 5 (1984): the spline
// rises wherever the points do.

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "stiction/math/lanes.h"

namespace stiction {

// An overlap (m) and the force there (N).
using ForcePoint = std::array<double, 2>;

struct ForceKnot {
  double x = 0.0;      // m
  double f = 0.0;      // N; of tables that are scaled: in the unit of their scale
  double slope = 0.0;  // N/m
  bool operator==(const ForceKnot&) const = default;
};

// The cubic between two knots; the last one, behind all knots, is a line.
struct ForcePiece {
  double x = 0.0;           // where it begins
  double c0, c1, c2, c3;    // f
  double F = 0.0, G = 0.0;  // up to its beginning
};

class ForceTable {
 public:
  ForceTable() = default;
  // The first knot is at x = 0; x ascends.
  explicit ForceTable(std::vector<ForceKnot> knots);

  const std::vector<ForceKnot>& knots() const { return knots_; }

  // The piece that holds x > 0.
  const ForcePiece& piece_at(double x) const {
    // This order of arguments sends what is no number to some cell.
    const double cell = std::min(last_cell_, std::max(0.0, x) * cells_per_x_);
    const Cell& pieces = cells_[static_cast<std::size_t>(cell)];
    // Few pieces are left. Branches are seldom foreseen here: halve their range without them.
    const ForcePiece* at = pieces_.data() + pieces.first;
    for (int n = pieces.count; n > 1;) {
      const int half = n / 2;
      at = at[half].x <= x ? at + half : at;
      n -= half;
    }
    return *at;
  }
  double force(double x) const;
  // The overlap at which the force is f >= 0.
  double overlap(double f) const;

  bool operator==(const ForceTable& other) const { return knots_ == other.knots_; }

 private:
  std::vector<ForceKnot> knots_;
  std::vector<ForcePiece> pieces_;  // as many as knots
  // Cells of equal width up to the last knot, and one behind it, with the pieces that reach into each.
  struct Cell {
    int first, count;
  };
  std::vector<Cell> cells_;
  double cells_per_x_ = 0.0, last_cell_ = 0.0;

  void list_cells();
};

// Throws UserError, which begins with the owner, unless there are two points or more, the first is (0, 0), all
// are finite, overlaps ascend and forces ascend.
void check_force_points(std::span<const ForcePoint> points, const std::string& owner);
// At most this many points: a table is searched at every evaluation.
inline constexpr std::size_t kMostForcePoints = 1000;

// The table through points that have been checked.
ForceTable make_force_table(std::span<const ForcePoint> points);

// Two tables in series: the overlaps at a force add up.
std::vector<ForcePoint> tables_in_series(std::span<const ForcePoint> a, std::span<const ForcePoint> b);

// f, f', F and G at an overlap; zeros for x <= 0.
template <class T>
struct TableForce {
  T f, slope, F, G;
};

namespace detail {
template <class T>
[[gnu::always_inline]] inline TableForce<T> cubic(const T& x, const T& s, const T& c0, const T& c1,
                                                  const T& c2, const T& c3, const T& F, const T& G,
                                                  const T& begin) {
  const auto number = [](double c) { return constant<T>(c); };
  TableForce<T> out;
  out.f = c0 + s * (c1 + s * (c2 + s * c3));
  out.slope = c1 + s * (number(2.0) * c2 + s * (number(3.0) * c3));
  const T rise =
      s * (c0 + s * (number(1.0 / 2.0) * c1 + s * (number(1.0 / 3.0) * c2 + s * (number(0.25) * c3))));
  const T turn =
      s * s *
      (number(0.5) * c0 + s * (number(1.0 / 3.0) * c1 + s * (number(0.25) * c2 + s * (number(0.2) * c3))));
  out.F = F + rise;
  out.G = G + begin * rise + turn;
  const T zero = number(0.0);
  const auto overlaps = x > zero;
  out.f = select(overlaps, out.f, zero);
  out.slope = select(overlaps, out.slope, zero);
  out.F = select(overlaps, out.F, zero);
  out.G = select(overlaps, out.G, zero);
  return out;
}

inline double value_of(double x) { return x; }
inline double value_of(const Dual& x) { return x.value; }
}  // namespace detail

template <class T>
inline TableForce<T> table_force(const ForceTable* tables, const T& index, const T& x) {
  const double at = detail::value_of(x);
  const ForcePiece& p = tables[static_cast<int>(detail::value_of(index))].piece_at(at);
  const auto number = [](double c) { return constant<T>(c); };
  return detail::cubic<T>(x, x - number(p.x), number(p.c0), number(p.c1), number(p.c2), number(p.c3),
                          number(p.F), number(p.G), number(p.x));
}
// Four points, each with its own table.
template <>
inline TableForce<simd::Pack> table_force(const ForceTable* tables, const simd::Pack& index,
                                          const simd::Pack& x) {
  using simd::Pack;
  const ForcePiece* p[4];
  for (int l = 0; l < 4; ++l) p[l] = &tables[static_cast<int>(index[l])].piece_at(x[l]);
  const auto gather = [&](double ForcePiece::*member) {
    return Pack{p[0]->*member, p[1]->*member, p[2]->*member, p[3]->*member};
  };
  const Pack begin = gather(&ForcePiece::x);
  return detail::cubic<Pack>(x, x - begin, gather(&ForcePiece::c0), gather(&ForcePiece::c1),
                             gather(&ForcePiece::c2), gather(&ForcePiece::c3), gather(&ForcePiece::F),
                             gather(&ForcePiece::G), begin);
}

}  // namespace stiction
