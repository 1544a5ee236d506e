#include "stiction/geometry/polytope/polytope_bounds.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using simd::Columns;
using simd::columns_of_rows;
using simd::Pack;

constexpr double kNone = -1e300;  // m, the bound of a face that has been removed

Pack height_above(Pack nx, Pack ny, Pack nz, Pack offset, const Vec3& p) {
  return nx * p.x() + ny * p.y() + nz * p.z() - offset;
}

// Bounds of the listed faces from all that is known; the face `known` and the padding are marked as removed.
void bound_faces(int known, PolytopeView* view) {
  for (int i = 0; i < view->num_faces; i += 4) {
    const Pack nx = simd::load(view->nx.data() + i), ny = simd::load(view->ny.data() + i),
               nz = simd::load(view->nz.data() + i), offset = simd::load(view->offset.data() + i);
    Pack bound = height_above(nx, ny, nz, offset, view->centre) - view->radius;
    for (int k = 0; k < view->count; ++k)
      bound = simd::smaller(bound, height_above(nx, ny, nz, offset, view->point(k)));
    const int* faces = view->faces.data() + i;
    const simd::IntPack is_out = (simd::IntPack{faces[0], faces[1], faces[2], faces[3]} == known + 0LL) |
                                 (simd::IntPack{i + 0LL, i + 1LL, i + 2LL, i + 3LL} >= view->num_faces + 0LL);
    simd::store(view->bound.data() + i, is_out ? simd::broadcast(kNone) : bound);
  }
}

// Which of the points are high enough above four faces for their edges to matter: one bit per point.
[[gnu::always_inline]] inline simd::IntPack points_above(const PolytopeView& view, const Columns& faces,
                                                         const WantedAxes& wanted) {
  const Pack miss2 = wanted.may_miss2(faces.x, faces.y, faces.z);
  simd::IntPack bits{0, 0, 0, 0}, bit{1, 1, 1, 1};
  for (int k = 0; k < view.count; ++k) {
    bits |= wanted.is_reached(height_above(faces.x, faces.y, faces.z, faces.w, view.point(k)), miss2) & bit;
    bit += bit;
  }
  return bits;
}

}  // namespace

double lowest_wanted(const AxisList& axes, double tolerance, double least_cosine) {
  constexpr double kLongestChord = 2.0, kWindow = 1.0 + kShareWindow * kLongestChord;
  const double s = std::max(axes.best.s, axes.floor);
  const double lowest = s > 0.0                   ? least_cosine * s
                        : -s < axes.deepest_share ? kWindow * s
                                                  : std::min(s, -kWindow * axes.deepest_share);
  return lowest - 2.0 * std::abs(tolerance);
}

void list_faces(const Polytope& P, double least, int known, PolytopeView* view) {
  const int count =
      faces_above(P, view->point(view->lowest), least, view->faces.data(), view->heights.data());
  view->num_faces = count;
  // The padding repeats the first.
  for (int i = count; count > 0 && i % 4 != 0; ++i) view->faces[i] = view->faces[0];
  for (int i = 0; i < count; i += 4) {
    const Columns columns = columns_of_rows(P.face_rows.data(), view->faces.data() + i);
    simd::store(view->nx.data() + i, columns.x);
    simd::store(view->ny.data() + i, columns.y);
    simd::store(view->nz.data() + i, columns.z);
    simd::store(view->offset.data() + i, columns.w);
  }
  bound_faces(known, view);
}

int next_face(const PolytopeView& view, const WantedAxes& wanted) {
  Pack most = simd::broadcast(kNone);
  simd::IntPack place{0, 1, 2, 3};
  for (long long i = 0; i < view.num_faces; i += 4) {
    const Pack bound = simd::load(view.bound.data() + i);
    const Pack miss2 = wanted.may_miss2(simd::load(view.nx.data() + i), simd::load(view.ny.data() + i),
                                        simd::load(view.nz.data() + i));
    const simd::IntPack is_higher = (bound > most) & wanted.is_reached(bound, miss2);
    most = is_higher ? bound : most;
    place = is_higher ? simd::IntPack{i, i + 1, i + 2, i + 3} : place;
  }
  const Pack top = simd::spread_largest(most);
  if (!(top[0] > kNone)) return -1;
  return static_cast<int>(place[__builtin_ctz(simd::lane_bits(most == top))]);
}

void settle_face(int place, const Vec3& p, PolytopeView* view) {
  view->add(p);
  for (long long i = 0; i < view->num_faces; i += 4) {
    double* bound = view->bound.data() + i;
    const Pack height = height_above(simd::load(view->nx.data() + i), simd::load(view->ny.data() + i),
                                     simd::load(view->nz.data() + i), simd::load(view->offset.data() + i), p);
    const simd::IntPack is_done = simd::IntPack{i, i + 1, i + 2, i + 3} == place + 0LL;
    simd::store(bound, is_done ? simd::broadcast(kNone) : simd::smaller(simd::load(bound), height));
  }
}

// An edge may matter only if every point is high enough above at least one of its two faces. It is found from
// a face above which the lowest point is high enough; if both are, from the first.
void list_edges(const Polytope& P, const WantedAxes& wanted, PolytopeView* view) {
  const long long all = (1LL << view->count) - 1, lowest = 1LL << view->lowest;
  Arcs& arcs = view->arcs;
  arcs.count = 0;
  for (int i = 0; i < view->num_faces; i += 4) {
    const Columns listed{simd::load(view->nx.data() + i), simd::load(view->ny.data() + i),
                         simd::load(view->nz.data() + i), simd::load(view->offset.data() + i)};
    alignas(32) std::array<long long, 4> of_f, of_g;
    const simd::IntPack above = points_above(*view, listed, wanted);
    simd::store(reinterpret_cast<double*>(of_f.data()), reinterpret_cast<Pack>(above));
    const unsigned there = view->num_faces - i >= 4 ? 0xfu : (1u << (view->num_faces - i)) - 1u;
    for (unsigned lanes = there & simd::lane_bits((above & lowest) != 0); lanes != 0; lanes &= lanes - 1) {
      const int lane = __builtin_ctz(lanes), f = view->faces[i + lane];
      const int begin = P.faces[f].begin, count = P.faces[f].end - begin;
      for (int c = 0; c < count; c += 4) {
        const int* ring = P.rings.data() + P.ring_begin[f] + c;
        const simd::IntPack around = points_above(*view, columns_of_rows(P.face_rows.data(), ring), wanted);
        simd::store(reinterpret_cast<double*>(of_g.data()), reinterpret_cast<Pack>(around));
        for (int k = 0; k < 4 && c + k < count; ++k) {
          const bool passes = (of_f[lane] | of_g[k]) == all,
                     is_first = (of_g[k] & lowest) == 0 || f < ring[k];
          arcs.edges[arcs.count] = P.corner_edge[begin + c + k];
          arcs.count += (passes & is_first) ? 1 : 0;
        }
      }
    }
  }
}

void list_edges_of(const Polytope& P, int face, Arcs* arcs) {
  arcs->count = 0;
  for (int c = P.faces[face].begin; c < P.faces[face].end; ++c) arcs->edges[arcs->count++] = P.corner_edge[c];
}

}  // namespace stiction
