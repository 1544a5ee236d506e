#include "stiction/geometry/shape/face_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stiction/geometry/shape/polytope.h"
#include "stiction/geometry/simd/box_packs.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {
namespace {

using simd::broadcast;
using simd::Pack;

constexpr int kSize = FaceGroups::kSize;
constexpr double kRoundOff = 1e-12;  // relative; bounds are loosened by this much
constexpr double kBelowAll = -1e300;
// With this many groups or fewer, evaluating all faces is faster than computing bounds.
constexpr int kMaxScan = 4;

// Halves the range along the axis in which its normals differ most, down to the size of one group.
void split(const std::vector<PolytopeFace>& faces, int* begin, int* end) {
  const int count = static_cast<int>(end - begin);
  if (count <= kSize) return;
  Vec3 low = faces[*begin].normal, high = low;
  for (const int* f = begin; f != end; ++f) {
    low = low.cwiseMin(faces[*f].normal);
    high = high.cwiseMax(faces[*f].normal);
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  const int groups = (count + kSize - 1) / kSize;
  int* middle = begin + (groups + 1) / 2 * kSize;
  std::nth_element(begin, middle, end, [&](int a, int b) {
    const double x = faces[a].normal[axis], y = faces[b].normal[axis];
    return x != y ? x < y : a < b;
  });
  split(faces, begin, middle);
  split(faces, middle, end);
}

// Bounds of n . v over the faces of four groups, `length` is that of v.
Pack bounds_of(const FaceGroups& groups, int g, Pack vx, Pack vy, Pack vz, Pack length) {
  const double* b = groups.bounds.data() + g;
  const int stride = groups.stride;
  const Pack along = simd::load(b) * vx + simd::load(b + stride) * vy + simd::load(b + 2 * stride) * vz;
  const Pack cosine = simd::load(b + 3 * stride), sine = simd::load(b + 4 * stride);
  const Pack across = simd::square_root(simd::larger(length * length - along * along, simd::zero()));
  return along >= length * cosine ? length : along * cosine + across * sine;
}

}  // namespace

FaceGroups face_groups(const std::vector<PolytopeFace>& faces, const Vec3& centre, double size) {
  FaceGroups groups;
  const int count = static_cast<int>(faces.size());
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  split(faces, order.data(), order.data() + count);

  groups.count = (count + kSize - 1) / kSize;
  groups.stride = simd::padded(groups.count);
  groups.centre = centre;
  groups.slack = kRoundOff * (size + centre.cwiseAbs().maxCoeff());
  groups.bounds.assign(6 * groups.stride, 0.0);
  groups.rows.assign(4 * kSize * groups.count, 0.0);
  groups.faces.assign(kSize * groups.count, -1);
  for (int g = 0; g < groups.stride; ++g) {
    double* bound = groups.bounds.data() + g;
    const auto set = [&](int row, double value) { bound[row * groups.stride] = value; };
    set(3, 1.0);
    set(5, -kBelowAll);
    if (g >= groups.count) continue;
    const int begin = kSize * g, end = std::min(begin + kSize, count);
    Vec3 mean = Vec3::Zero();
    for (int i = begin; i < end; ++i) mean += faces[order[i]].normal;
    mean = mean.norm() > 0.1 ? Vec3(mean.normalized()) : faces[order[begin]].normal;
    double cosine = 1.0, least_r = std::numeric_limits<double>::infinity();
    double* row = groups.rows.data() + 4 * kSize * g;
    for (int i = begin; i < end; ++i) {
      const PolytopeFace& face = faces[order[i]];
      cosine = std::min(cosine, mean.dot(face.normal));
      least_r = std::min(least_r, face.offset - face.normal.dot(centre));
      for (int k = 0; k < 3; ++k) row[kSize * k + i - begin] = face.normal[k];
      row[3 * kSize + i - begin] = face.offset;
      groups.faces[i] = order[i];
    }
    for (int i = end; i < begin + kSize; ++i) row[3 * kSize + i - begin] = -kBelowAll;
    cosine = std::max(-1.0, cosine - kRoundOff);
    for (int k = 0; k < 3; ++k) set(k, mean[k]);
    set(3, cosine);
    set(4, std::sqrt(1.0 - cosine * cosine));
    set(5, least_r);
  }
  return groups;
}

int faces_above(const FaceGroups& groups, const Vec3& p, double least, int* faces, double* heights) {
  const Pack px = broadcast(p.x()), py = broadcast(p.y()), pz = broadcast(p.z());
  int count = 0;
  const auto look_at = [&](int g) {
    const double* row = groups.rows.data() + 4 * kSize * g;
    for (int k = 0; k < kSize; k += 4) {
      const Pack height = simd::load(row + k) * px + simd::load(row + kSize + k) * py +
                          simd::load(row + 2 * kSize + k) * pz - simd::load(row + 3 * kSize + k);
      unsigned above = simd::lane_bits(height >= broadcast(least));
      if (above == 0) continue;
      alignas(32) double h[4];
      simd::store(h, height);
      for (; above != 0; above &= above - 1) {
        const int i = __builtin_ctz(above), face = groups.faces[kSize * g + k + i];
        if (face < 0) continue;
        faces[count] = face;
        heights[count++] = h[i];
      }
    }
  };
  if (groups.count <= kMaxScan) {
    for (int g = 0; g < groups.count; ++g) look_at(g);
    return count;
  }
  const Vec3 v = p - groups.centre;
  const Pack vx = broadcast(v.x()), vy = broadcast(v.y()), vz = broadcast(v.z());
  const Pack length = broadcast((1.0 + kRoundOff) * v.norm()), limit = broadcast(least - groups.slack);
  const double* least_r = groups.bounds.data() + 5 * groups.stride;
  for (int g = 0; g < groups.stride; g += 4) {
    const Pack bound = bounds_of(groups, g, vx, vy, vz, length) - simd::load(least_r + g);
    for (unsigned bits = simd::lane_bits(bound >= limit); bits != 0; bits &= bits - 1) {
      const int at = g + __builtin_ctz(bits);
      if (at < groups.count) look_at(at);
    }
  }
  return count;
}

int aligned_faces(const FaceGroups& groups, const Vec3& d, double window, int* faces, double* cosines) {
  const Pack dx = broadcast(d.x()), dy = broadcast(d.y()), dz = broadcast(d.z());
  int count = 0;
  double best = -2.0;
  const auto look_at = [&](int g) {
    const double* row = groups.rows.data() + 4 * kSize * g;
    for (int k = 0; k < kSize; k += 4) {
      const Pack cosine =
          simd::load(row + k) * dx + simd::load(row + kSize + k) * dy + simd::load(row + 2 * kSize + k) * dz;
      unsigned near = simd::lane_bits(cosine >= broadcast(best - window));
      if (near == 0) continue;
      alignas(32) double c[4];
      simd::store(c, cosine);
      for (; near != 0; near &= near - 1) {
        const int i = __builtin_ctz(near), face = groups.faces[kSize * g + k + i];
        if (face < 0) continue;
        faces[count] = face;
        cosines[count++] = c[i];
        best = std::max(best, c[i]);
      }
    }
  };
  if (groups.count <= kMaxScan) {
    for (int g = 0; g < groups.count; ++g) look_at(g);
  } else {
    // The group with the highest bound first: its faces rule out most others.
    const Pack one = broadcast(1.0 + kRoundOff);
    Pack top = broadcast(-3.0);
    int first = 0;
    for (int g = 0; g < groups.stride; g += 4) {
      const double* b = groups.bounds.data() + g;
      const Pack along =
          simd::load(b) * dx + simd::load(b + groups.stride) * dy + simd::load(b + 2 * groups.stride) * dz;
      const unsigned larger = simd::lane_bits(along > top);
      if (larger == 0) continue;
      for (int k = 0; k < 4; ++k)
        if (along[k] > top[0]) top = broadcast(along[k]), first = g + k;
    }
    first = std::min(first, groups.count - 1);
    look_at(first);
    const Pack limit = broadcast(best - window - kRoundOff);
    for (int g = 0; g < groups.stride; g += 4) {
      const Pack bound = bounds_of(groups, g, dx, dy, dz, one);
      for (unsigned bits = simd::lane_bits(bound >= limit); bits != 0; bits &= bits - 1) {
        const int at = g + __builtin_ctz(bits);
        if (at != first && at < groups.count) look_at(at);
      }
    }
  }
  if (count == 0) {  // d is not a number
    faces[0] = 0;
    cosines[0] = best;
    return 1;
  }
  // Drop those that fell below the window; move the best to the front.
  int kept = 0, first = 0;
  for (int i = 0; i < count; ++i) {
    if (cosines[i] < best - window) continue;
    faces[kept] = faces[i];
    cosines[kept] = cosines[i];
    if (cosines[kept] == best && (cosines[first] != best || faces[kept] < faces[first])) first = kept;
    ++kept;
  }
  std::swap(faces[0], faces[first]);
  std::swap(cosines[0], cosines[first]);
  return kept;
}

}  // namespace stiction
