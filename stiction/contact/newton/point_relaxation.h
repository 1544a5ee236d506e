#pragma once
// Gauss-Seidel sweeps over the contact points of an island of free bodies: where a law without a cost is likely
// to stick, slide and open, before Newton's method begins (coupled_newton.h).
//
// Every point in turn gets the impulse of icf_coupled, all others standing still. With W = J A^-1 J' of the
// point, gamma its impulse so far and v its velocity with it,
//
//   n(u) = gn + (u - vn)/Wnn,                       one step of Newton's method for u, from the visit before
//   gt   := (gt - vt/w) min(1, mu n(u)/|gt - vt/w|),  w the larger eigenvalue of W in the contact plane
//
// and the velocities of the two bodies change at once. A stuck point creeps as where the law is linear, by eps/(mu n)
// per impulse: then w + eps/(mu n) is in the place of w. Forty sweeps take the time of some five iterations of
// Newton's method.
//
// Piles converge slowly, since an impulse travels by one body a sweep; the sweeps go forward and backward in
// turn. What they are for does not need convergence: impulses of the right size, and the set of points that
// stick, which Newton's method finds last.

#include <vector>

#include "stiction/contact/newton/point_sweeps.h"
#include "stiction/contact/problem.h"
#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"
#include "stiction/math/simd.h"

namespace stiction {

class PointRelaxation {
 public:
  // Up to this size nothing allocates afterwards.
  void reserve(std::size_t points, std::size_t trees) {
    points_.reserve(points);
    bodies_.reserve(trees);
  }
  // At the free velocities, without impulses. False where sweeps are not for this island: a tree is no free
  // body, there are rows, a barrier, or friction that is not the same in all directions. local_tree: the number
  // of a tree of the problem in its island.
  bool begin(const ContactProblem& problem, const Island& island, const std::vector<int>& local_tree);
  // At most so many more sweeps; fewer where the impulses change by less than `tolerance` of their largest
  // change in one sweep, in the norm of energy. Returns their number.
  int sweep(int most, double tolerance);
  // The velocities of the island, tree by tree.
  void velocities(Eigen::Map<VecX>* v) const;
  // What evaluating the law at these velocities does not know (point_sweeps.h): the points that stick into
  // `mark`, normal impulses into `expected` and `factor`.
  void predict(PointArrays* points) const;

 private:
  struct alignas(32) Point {
    simd::Pack W_n, W_nt;  // W n, and its part in the contact plane
    simd::Pack gt;         // N s
    double gn;
    double u, n, rate;  // m/s; n(u); 1/(1 + Wnn |n'(u)|)
    double w_n, inverse_w_n, w_t;
    double mu, eps;
    int index;  // in the problem
    int a, b;   // local trees; a may be -1
    LawParameters<double> numbers;
  };
  struct alignas(32) Body {
    double inverse[6][8];  // of its A, by columns
    double V[8];
  };

  void add_point(int index, int a, int b);
  void push(const Point& point, simd::Pack impulse);
  template <class Law>
  double visit(Law law, Point* point);

  const ContactProblem* problem_ = nullptr;
  const Island* island_ = nullptr;
  AlignedVector<Point> points_;
  AlignedVector<Body> bodies_;
  bool is_backward_ = false;
  double largest_ = 0.0;
};

}  // namespace stiction
