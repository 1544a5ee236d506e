#include "stiction/contact/law/force_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// The overlap of a polygon of points at a force; beyond the last point along the last segment.
double overlap_of(std::span<const ForcePoint> points, double f) {
  std::size_t i = 1;
  while (i + 1 < points.size() && points[i][1] < f) ++i;
  const auto& [x0, f0] = points[i - 1];
  const auto& [x1, f1] = points[i];
  return x0 + (x1 - x0) * (f - f0) / (f1 - f0);
}

// s in [0, width] at which a rising piece has the force f. Newton's method, which halves the bracket instead where
// it would leave it or does not halve its steps; knots are so near each other that this is seldom.
double width_at(const ForcePiece& p, double width, double f_end, double f) {
  constexpr int kMost = 100;
  double low = 0.0, high = width, step = width;
  double s = width * ((f - p.c0) / (f_end - p.c0));
  for (int i = 0; i < kMost; ++i) {
    const double missing = f - (p.c0 + s * (p.c1 + s * (p.c2 + s * p.c3)));
    const double slope = p.c1 + s * (2.0 * p.c2 + s * (3.0 * p.c3));
    const double newton = missing / slope, round_off = std::numeric_limits<double>::epsilon() * (p.x + s);
    if (missing == 0.0 || std::abs(newton) <= round_off) break;
    (missing > 0.0 ? low : high) = s;
    const bool is_good = s + newton > low && s + newton < high && 2.0 * std::abs(newton) < step;
    const double next = is_good ? s + newton : 0.5 * (low + high);
    step = std::abs(next - s);
    s = next;
    if (step <= round_off) break;
  }
  return s;
}

}  // namespace

ForceTable::ForceTable(std::vector<ForceKnot> knots) : knots_(std::move(knots)) {
  for (std::size_t i = 0; i < knots_.size(); ++i) {
    const ForceKnot& k = knots_[i];
    ForcePiece piece = {k.x, k.f, k.slope, 0.0, 0.0};
    if (i + 1 < knots_.size()) {
      const ForceKnot& next = knots_[i + 1];
      const double width = next.x - k.x, secant = (next.f - k.f) / width;
      piece.c2 = (3.0 * secant - 2.0 * k.slope - next.slope) / width;
      piece.c3 = (k.slope + next.slope - 2.0 * secant) / (width * width);
    }
    if (i > 0) {
      const ForcePiece& last = pieces_.back();
      const double s = k.x - last.x;
      const auto end =
          detail::cubic<double>(k.x, s, last.c0, last.c1, last.c2, last.c3, last.F, last.G, last.x);
      piece.F = end.F;
      piece.G = end.G;
    }
    pieces_.push_back(piece);
  }
  list_cells();
}

void ForceTable::list_cells() {
  constexpr std::size_t kMost = 2048;
  constexpr double kRoundOff = 1e-9;  // of a cell: round-off may take an overlap into the next one
  const int last = static_cast<int>(pieces_.size()) - 1;
  if (last <= 0) {
    cells_ = {{0, 1}};
    return;
  }
  const std::size_t count = std::min(kMost, 2 * pieces_.size());
  last_cell_ = static_cast<double>(count);
  cells_per_x_ = last_cell_ / pieces_.back().x;
  int first = 0, reached = 0;
  for (std::size_t k = 0; k <= count; ++k) {
    const double begin = (static_cast<double>(k) - kRoundOff) / cells_per_x_;
    const double end = (static_cast<double>(k) + 1.0 + kRoundOff) / cells_per_x_;
    while (first < last && pieces_[first + 1].x <= begin) ++first;
    while (reached < last && pieces_[reached + 1].x <= end) ++reached;
    cells_.push_back({first, reached - first + 1});
  }
  // Behind all knots there is no end.
  cells_.back().count = last - cells_.back().first + 1;
}

double ForceTable::force(double x) const { return table_force<double>(this, 0.0, x).f; }

double ForceTable::overlap(double f) const {
  if (!(f > 0.0)) return 0.0;
  const auto above = std::upper_bound(knots_.begin() + 1, knots_.end(), f,
                                      [](double force, const ForceKnot& knot) { return force < knot.f; });
  const ForceKnot& below = above[-1];
  if (above == knots_.end()) return below.slope > 0.0 ? below.x + (f - below.f) / below.slope : below.x;
  return below.x + width_at(pieces_[above - knots_.begin() - 1], above->x - below.x, above->f, f);
}

void check_force_points(std::span<const ForcePoint> points, const std::string& owner) {
  STICTION_USER_CHECK(points.size() >= 2 && points.size() <= kMostForcePoints,
                      "the force table of {} has {} points; it needs 2 to {}", owner, points.size(),
                      kMostForcePoints);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [x, f] = points[i];
    STICTION_USER_CHECK(std::isfinite(x) && std::isfinite(f),
                        "point {} of the force table of {} is not finite", i + 1, owner);
    if (i == 0) {
      STICTION_USER_CHECK(x == 0.0 && f == 0.0, "the force table of {} begins at ({} m, {} N), not at (0, 0)",
                          owner, x, f);
      continue;
    }
    STICTION_USER_CHECK(x > points[i - 1][0] && f > points[i - 1][1],
                        "point {} of the force table of {}, ({} m, {} N), does not lie above the one before, "
                        "({} m, {} N)",
                        i + 1, owner, x, f, points[i - 1][0], points[i - 1][1]);
  }
}

ForceTable make_force_table(std::span<const ForcePoint> points) {
  const std::size_t n = points.size();
  std::vector<double> width(n - 1), secant(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    width[i] = points[i + 1][0] - points[i][0];
    secant[i] = (points[i + 1][1] - points[i][1]) / width[i];
  }
  std::vector<ForceKnot> knots(n);
  for (std::size_t i = 0; i < n; ++i) {
    knots[i] = {points[i][0], points[i][1], 0.0};
    if (i == 0 || i + 1 == n) continue;
    // A weighted harmonic mean of the secants on either side.
    const double a = 2.0 * width[i] + width[i - 1], b = width[i] + 2.0 * width[i - 1];
    knots[i].slope = (a + b) / (a / secant[i - 1] + b / secant[i]);
  }
  // At the ends a parabola through three points, within what keeps the cubic monotone.
  const auto end_slope = [](double d0, double d1, double w0, double w1, double least) {
    const double slope = ((2.0 * w0 + w1) * d0 - w0 * d1) / (w0 + w1);
    return std::clamp(slope, least, 3.0 * d0);
  };
  // Beyond the last point the force must go on to rise.
  knots[0].slope = n > 2 ? end_slope(secant[0], secant[1], width[0], width[1], 0.0) : secant[0];
  knots[n - 1].slope =
      n > 2 ? end_slope(secant[n - 2], secant[n - 3], width[n - 2], width[n - 3], secant[n - 2]) : secant[0];
  return ForceTable(std::move(knots));
}

std::vector<ForcePoint> tables_in_series(std::span<const ForcePoint> a, std::span<const ForcePoint> b) {
  std::vector<double> forces;
  for (const auto& points : {a, b})
    for (const ForcePoint& point : points) forces.push_back(point[1]);
  std::sort(forces.begin(), forces.end());
  forces.erase(std::unique(forces.begin(), forces.end()), forces.end());
  std::vector<ForcePoint> out;
  for (const double f : forces) out.push_back({overlap_of(a, f) + overlap_of(b, f), f});
  return out;
}

}  // namespace stiction
