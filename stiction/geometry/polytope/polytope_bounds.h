#pragma once
// Which faces and edges of a polytope P can have an axis that matters, given points of the other one, Q.
//
// For any point p of Q, and for a ball (c, r) inside Q, the separation along the normal of a face is
//   s(n_f) <= n_f . p - offset_f,            s(n_f) <= n_f . c - r - offset_f.
// On the arc between two faces, at n = ((1 - t) n_f + t n_g)/L with cos(alpha/2) <= L <= 1, alpha the angle
// between the two, the height of the point p is
//   h = ((1 - t) h_f + t h_g)/L,
// and the chord |n - n_*| to any n_* is at most ((1 - t) c_f + t c_g)/sqrt(L). An axis matters beside the
// best known one, n_* with s_*, if it shares with it (polytope_axes.h),
//   s > s_* (1 + kShareWindow |n - n_*|),
// or, where nothing is shared, if it exceeds it. So if p is too low for that above both faces, it is too low
// on the whole arc; where s_* is positive, if it is below cos(alpha/2) s_*.

#include <array>
#include <vector>

#include "stiction/geometry/polytope/polytope_axes.h"
#include "stiction/geometry/simd/row_products.h"

namespace stiction {

// Rows padded to multiples of four; they only grow.
using Numbers = AlignedVector<double>;

// Edges that may belong to an axis that matters.
struct Arcs {
  int count = 0;
  std::vector<int> edges;
};

// P with what is known of Q so far; everything in P's frame.
struct PolytopeView {
  static constexpr int kMaxPoints = 8;

  // Points of Q, mostly vertices, as (x, y, z, 0), m: written and read in one width (pose_packs.h).
  alignas(32) std::array<double, 4 * kMaxPoints> points{};
  Vec3 centre = Vec3::Zero();  // of the inscribed ball of Q
  double radius = 0.0;
  int count = 0, lowest = 0;  // `lowest`: the point known to be deepest in P
  // Faces that may matter: their normals, offsets, and bounds of their separation, one row each.
  int num_faces = 0;
  std::vector<int> faces;
  std::vector<double> heights;  // m, of the lowest point
  Numbers nx, ny, nz, offset, bound;
  Arcs arcs;

  void make_room(const Polytope& P) {
    if (faces.size() >= P.faces.size() + 4) return;
    faces.resize(P.faces.size() + 4);
    heights.resize(P.faces.size() + 4);
    for (Numbers* numbers : {&nx, &ny, &nz, &offset, &bound})
      numbers->resize(simd::padded(int(P.faces.size())));
    arcs.edges.resize(P.edges.size() + 1);
  }
  void begin(const Vec3& ball, double ball_radius, const Vec3& p) {
    centre = ball;
    radius = ball_radius;
    count = 0;
    add(p);
  }
  Vec3 point(int k) const { return {points[4 * k], points[4 * k + 1], points[4 * k + 2]}; }
  void set(int k, const Vec3& p) { simd::store(points.data() + 4 * k, simd::pack_of(p)); }
  void add(const Vec3& p) {
    if (count < kMaxPoints) set(count++, p);
  }
  // Sets `lowest` to the point that is lowest along d.
  void find_lowest(const Vec3& d) {
    lowest = 0;
    for (int k = 1; k < count; ++k)
      if (d.dot(point(k)) < d.dot(point(lowest))) lowest = k;
  }
  // Up to four corners of a face of Q.
  void add_corners(const Polytope& Q, int face, const Pose& X_PQ) {
    const int begin = Q.faces[face].begin, number = Q.faces[face].end - begin, wanted = std::min(number, 4);
    for (int k = 0; k < wanted; ++k) add(X_PQ * Q.vertices[Q.corner_vertex[begin + k * number / wanted]]);
  }
  void set_lowest(const Vec3& p) {
    lowest = std::min(count, kMaxPoints - 1);
    count = lowest + 1;
    set(lowest, p);
  }
};

// The separation that an axis must have to matter.
struct WantedAxes {
  Vec3 best;      // n_*, in the frame of the faces and along their normals
  double least;   // m, of an axis with the same normal
  double slope2;  // m^2, square of how much less is enough per unit of chord

  // An axis must be better by `tolerance`, m.
  WantedAxes(const AxisList& axes, const Vec3& n, double tolerance, double least_cosine) : best(n) {
    const double s = std::max(axes.best.s, axes.floor);
    least = s > 0.0 ? least_cosine * s : s + tolerance;
    slope2 = s < 0.0 && -s < axes.deepest_share ? s * s * kShareWindow * kShareWindow : 0.0;
  }
  // The square of the amount by which faces may be below `least`.
  [[gnu::always_inline]] simd::Pack may_miss2(simd::Pack nx, simd::Pack ny, simd::Pack nz) const {
    const simd::Pack x = nx - best.x(), y = ny - best.y(), z = nz - best.z();
    return slope2 * (x * x + y * y + z * z);
  }
  [[gnu::always_inline]] simd::IntPack is_reached(simd::Pack height, simd::Pack miss2) const {
    const simd::Pack above = height - least;
    return (above >= simd::zero()) | (above * above <= miss2);
  }
};

// A height above a face, m, below which a face never matters, now or after better axes are found, round-off
// included.
double lowest_wanted(const AxisList& axes, double tolerance, double least_cosine);

// Lists the (few) faces above which the lowest point has at least the height `least`, with bounds of their
// separation from all that is known. The face `known` has been evaluated already.
void list_faces(const Polytope& P, double least, int known, PolytopeView* view);

// The position in the list of the face with the highest bound, among those that may matter; -1: none.
int next_face(const PolytopeView& view, const WantedAxes& wanted);

// Removes a face and tightens the bounds of the others by p, the vertex of Q farthest against it.
void settle_face(int place, const Vec3& p, PolytopeView* view);

// Lists the edges of P whose arcs may contain an axis that matters.
void list_edges(const Polytope& P, const WantedAxes& wanted, PolytopeView* view);

// Lists the edges around a face.
void list_edges_of(const Polytope& P, int face, Arcs* arcs);

}  // namespace stiction
