#include "stiction/geometry/polytope/polygon.h"

#include <algorithm>
#include <array>

#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {
namespace {

double many_corner_weights(const PolygonCorner* polygon, int count, double* weights) {
  double sum = 0.0, before = 0.0;
  for (int i = 0; i < count; ++i) {
    const PolygonCorner &from = polygon[i], &to = polygon[i + 1 < count ? i + 1 : 0];
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    weights[i] = before + length;
    before = length;
    sum += length;
  }
  weights[0] += before;
  const double scale = sum > 0.0 ? 0.5 / sum : 0.0;
  for (int i = 0; i < count; ++i) weights[i] = sum > 0.0 ? scale * weights[i] : 1.0 / count;
  return sum;
}

}  // namespace

int cut_polygon(const PolygonCorner* polygon, int count, double ax, double ay, double bx, double by,
                int label, PolygonCorner* out) {
  const double dx = bx - ax, dy = by - ay;
  const auto height = [&](const PolygonCorner& c) { return dx * (c.y - ay) - dy * (c.x - ax); };
  // Due to round-off a side along the line can cross it more than twice; corners that do not fit are within
  // round-off of those already there.
  const int room = count + 1;
  int kept = 0;
  const PolygonCorner* from = &polygon[count - 1];
  double h_from = height(*from);
  for (int i = 0; i < count; ++i) {
    const PolygonCorner* to = &polygon[i];
    const double h_to = height(*to);
    if ((h_from < 0.0) != (h_to < 0.0) && kept < room) {
      const double t = h_from / (h_from - h_to);
      // Where it leaves the half-plane the outline continues along the line, where it enters along its old
      // side.
      out[kept++] = {from->x + t * (to->x - from->x), from->y + t * (to->y - from->y),
                     h_to < 0.0 ? label : from->side};
    }
    if (h_to >= 0.0 && kept < room) out[kept++] = *to;
    from = to;
    h_from = h_to;
  }
  return kept;
}

int intersect_polygons(const PolygonCorner* a, int a_count, const PolygonCorner* b, int b_count,
                       PolygonCorner* scratch, PolygonCorner* out) {
  // Each cut moves the polygon from one buffer to the other, unless it cuts nothing off.
  const PolygonCorner* polygon = b;
  int count = b_count;
  for (int i = 0; i < a_count && count > 0; ++i) {
    const PolygonCorner &from = a[i], &to = a[i + 1 < a_count ? i + 1 : 0];
    const double dx = to.x - from.x, dy = to.y - from.y;
    double lowest = 0.0;
    for (int k = 0; k < count; ++k)
      lowest = std::min(lowest, dx * (polygon[k].y - from.y) - dy * (polygon[k].x - from.x));
    if (lowest >= 0.0) continue;
    PolygonCorner* next = polygon == out ? scratch : out;
    count = cut_polygon(polygon, count, from.x, from.y, to.x, to.y, from.side, next);
    polygon = next;
  }
  if (polygon != out) std::copy(polygon, polygon + count, out);
  return count;
}

double corner_weights(const PolygonCorner* polygon, int count, double* weights) {
  constexpr int kMost = 16;
  if (count > kMost) return many_corner_weights(polygon, count, weights);
  // Four sides at once; the padding has no length.
  std::array<simd::Pack, kMost / 4> length;
  const int packs = (count + 3) / 4;
  simd::Pack total = simd::zero();
  for (int p = 0; p < packs; ++p) {
    simd::Pack dx = simd::zero(), dy = simd::zero();
    for (int k = 0; k < 4 && 4 * p + k < count; ++k) {
      const int i = 4 * p + k, next = i + 1 < count ? i + 1 : 0;
      dx[k] = polygon[next].x - polygon[i].x;
      dy[k] = polygon[next].y - polygon[i].y;
    }
    length[p] = simd::square_root(dx * dx + dy * dy);
    total += length[p];
  }
  const double sum = simd::sum(total);
  if (!(sum > 0.0)) {
    std::fill(weights, weights + count, 1.0 / count);
    return sum;
  }
  const double scale = 0.5 / sum;
  double before = length[packs - 1][(count - 1) & 3];
  for (int p = 0; p < packs; ++p) {
    const simd::Pack shifted = __builtin_shufflevector(length[p], simd::broadcast(before), 4, 0, 1, 2);
    const simd::Pack weight = scale * (shifted + length[p]);
    before = length[p][3];
    for (int k = 0; k < 4 && 4 * p + k < count; ++k) weights[4 * p + k] = weight[k];
  }
  return sum;
}

double outline_length(const PolygonCorner* polygon, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    const PolygonCorner &from = polygon[i], &to = polygon[i + 1 < count ? i + 1 : 0];
    sum += std::hypot(to.x - from.x, to.y - from.y);
  }
  return sum;
}

}  // namespace stiction
