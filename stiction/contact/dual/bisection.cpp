// The per-contact bisection of RaiSim (C Alg. 5, eqs. 23 and 24; Hwangbo, Lee, Hutter 2018): one contact
// after the other, as in pgs.cpp, gets the impulse that stops it or, if that is outside its cone, the one of
// least energy among those with s_n = 0:
//
//   opens    g_n > 0          lambda = 0
//   sticks   -D^-1 g in K     lambda = -D^-1 g
//   slides   otherwise        lambda = argmin 1/2 lambda' D lambda + g' lambda   over K and s_n = 0
//
// with s = D lambda + g, D and g of one_contact.h.
//
// Two tangents. In the plane of t, with n = a + c't from s_n = 0 (a = -g_n/D_nn, c = -D_nt/D_nn), the set is
// C = {|t| <= mu n}, convex, with the boundary in polar coordinates
//
//   t = mu n u,    n = a / (1 - mu c.u),    |u| = 1,    outward normal N = u - mu c,
//
// an ellipse if mu |c| < 1. The energy is the distance from the sticking impulse t0 in the metric of D with
// the normal impulse eliminated; s_t is its gradient. The nearest point of C is searched for along the
// boundary, starting where the line from 0 to t0 crosses it. Of the half circle of directions on the downhill
// side the part that is visible from t0, N . (t0 - t) > 0, comes first and contains the minimum, where the
// slope along the boundary changes its sign once. So a direction is beyond the minimum if the slope has
// changed its sign, if the point is not visible, or if C has no boundary there (mu c.u >= 1). The interval of
// directions is bisected to round-off. At the end s_t is along -N, which is eq. 24.
//
// Five tangents. There is no polar angle; but the minimum is that of 1/2 lambda' D lambda + (g + nu D_n)'
// lambda over K alone (convex_cone of one_contact.h) with the multiplier nu for which s_n = 0. s_n falls with
// nu (the dual function is concave), from mu |s_t| at nu = 0; nu is found by bisection.
//
// Limits: the impulse of least energy is not the one of most dissipation, so that a contact with nonzero D_nt
// slides in another direction than under Coulomb's law. The sweeps minimise nothing and may cycle. They stop
// by their own fixed point: the error of a block is how far solve_one would move it, over rho. (The natural
// map error of coulomb_ncp does not go to zero.)

#include "stiction/contact/dual/gauss_seidel.h"
#include "stiction/contact/dual/one_contact.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {
namespace {

constexpr int kHalvings = 60;  // of the half circle of directions, down to round-off

// A point of the boundary of C.
struct EdgePoint {
  double u[2];
  double t[2], n;  // N s
  bool is_beyond;  // no boundary there, or not visible from t0
  double slope;    // of the energy along the boundary, counter-clockwise; not normalised
};

EdgePoint edge_point(const LocalContact& contact, const double* g, const double* t0, double ux, double uy) {
  const double *D = contact.D, mu = contact.friction;
  const double c[2] = {-D[6] / D[8], -D[7] / D[8]};
  EdgePoint p{{ux, uy}, {0.0, 0.0}, 0.0, true, 0.0};
  const double share = 1.0 - mu * (c[0] * ux + c[1] * uy);
  if (!(share > 0.0)) return p;
  p.n = -g[2] / D[8] / share;
  p.t[0] = mu * p.n * ux;
  p.t[1] = mu * p.n * uy;
  const double N[2] = {ux - mu * c[0], uy - mu * c[1]};
  p.is_beyond = !(N[0] * (t0[0] - p.t[0]) + N[1] * (t0[1] - p.t[1]) > 0.0);
  const double sx = g[0] + D[0] * p.t[0] + D[1] * p.t[1] + D[2] * p.n;
  const double sy = g[1] + D[3] * p.t[0] + D[4] * p.t[1] + D[5] * p.n;
  p.slope = N[0] * sy - N[1] * sx;
  return p;
}

void slide_on_ellipse(const LocalContact& contact, const double* g, const double* stuck, double* x) {
  const double length = norm_of(stuck, 2);
  EdgePoint near = edge_point(contact, g, stuck, stuck[0] / length, stuck[1] / length);
  // Downhill; the far end is 180 degrees away, the first midpoint 90.
  const double turn = near.slope < 0.0 ? 1.0 : -1.0;
  double far[2] = {-near.u[0], -near.u[1]};
  for (int k = 0; k < kHalvings; ++k) {
    double middle[2] = {near.u[0] + far[0], near.u[1] + far[1]};
    const double size = norm_of(middle, 2);
    if (k == 0) {
      middle[0] = -turn * near.u[1];
      middle[1] = turn * near.u[0];
    } else {
      middle[0] /= size;
      middle[1] /= size;
    }
    if (middle[0] == near.u[0] && middle[1] == near.u[1]) break;
    const EdgePoint p = edge_point(contact, g, stuck, middle[0], middle[1]);
    if (p.is_beyond || turn * p.slope > 0.0) {
      far[0] = middle[0];
      far[1] = middle[1];
    } else {
      near = p;
    }
  }
  x[0] = near.t[0];
  x[1] = near.t[1];
  x[2] = near.n;
}

// False, and x as it was, if no multiplier is found.
bool slide_on_ellipsoid(const LocalContact& contact, const double* g, double* x) {
  const int rows = contact.rows(), m = contact.tangents;
  const double* Dn = contact.D + m * rows;
  const PolygonEdges none;
  double y[kMostRows] = {}, shifted[kMostRows];
  std::copy_n(x, rows, y);
  const auto normal_velocity = [&](double nu) {
    for (int i = 0; i < rows; ++i) shifted[i] = g[i] + nu * Dn[i];
    if (!solve_contact(LawKind::convex_cone, contact, none, shifted, y)) return -1.0;
    double s = g[m];
    for (int i = 0; i < rows; ++i) s += Dn[i] * y[i];
    return s;
  };
  double low = 0.0, high = -g[m] / Dn[m];  // N s; at the upper end g_n + nu D_nn = 0
  for (int k = 0; normal_velocity(high) > 0.0; ++k) {
    if (k == kHalvings) return false;
    low = high;
    high *= 2.0;
  }
  for (int k = 0; k < kHalvings && high - low > 1e-16 * high; ++k) {
    const double middle = 0.5 * (low + high);
    (normal_velocity(middle) > 0.0 ? low : high) = middle;
  }
  normal_velocity(0.5 * (low + high));
  std::copy_n(y, rows, x);
  return true;
}

class BisectedBlocks {
 public:
  void begin(const DualProblem& problem, const DualOptions& options) {
    problem_ = &problem;
    measure_ = options.measure(LawKind::raisim);
    models_.begin(problem);
  }

  double error(int b, const double* x, const double* s) const {
    double y[kMostRows];
    std::copy_n(x, problem_->blocks[b].size(), y);
    return step(b, s, y);
  }

  double step(int b, const double* s, double* x) const {
    const DualBlock& block = problem_->blocks[b];
    const double rho = block.rho;
    if (!block.is_contact()) {
      const double before = problem_->block_error(measure_, b, x, s);
      x[0] = std::clamp(x[0] - rho * s[0], block.lower, block.upper);  // rho = 1/D
      return before;
    }
    // Every comparison with NaN is false: the search below would end at some impulse.
    for (int i = 0; i < block.size(); ++i)
      if (!std::isfinite(s[i])) return std::numeric_limits<double>::quiet_NaN();
    double old[kMostRows], square = 0.0;
    std::copy_n(x, block.size(), old);
    solve_one(models_.of(b), s, x);
    for (int i = 0; i < block.size(); ++i) square += (x[i] - old[i]) * (x[i] - old[i]);
    const double change = std::sqrt(square);
    if (measure_.is_absolute) return std::max(change, change / rho) / problem_->h;
    return problem_->error_of_velocity(measure_, block, change / rho, 0.0);
  }

  void project(int b, double* x) const {
    const DualBlock& block = problem_->blocks[b];
    if (!block.is_contact()) {
      x[0] = std::clamp(x[0], block.lower, block.upper);
      return;
    }
    x[block.tangents] = std::max(0.0, x[block.tangents]);
    project_on_ball(block.friction * x[block.tangents], block.tangents, x);
  }

 private:
  static void solve_one(const LocalContact& contact, const double* s, double* x) {
    const int m = contact.tangents;
    double g[kMostRows] = {}, stuck[kMostRows] = {};
    free_velocity(contact, x, s, g);
    if (g[m] >= 0.0) {
      std::fill(x, x + m + 1, 0.0);
      return;
    }
    if (m == 0 || !(contact.friction > 0.0)) {
      std::fill(x, x + m, 0.0);
      x[m] = -g[m] / contact.D[m * contact.rows() + m];
      return;
    }
    sticking_impulse(contact, g, stuck);
    if (stuck[m] >= 0.0 && norm_of(stuck, m) <= contact.friction * stuck[m]) {
      std::copy_n(stuck, m + 1, x);
    } else if (m == 2) {
      slide_on_ellipse(contact, g, stuck, x);
    } else {
      slide_on_ellipsoid(contact, g, x);
    }
  }

  const DualProblem* problem_ = nullptr;
  ErrorMeasure measure_;
  LocalContacts models_;
};

class Bisection final : public DualSolver {
 public:
  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override {
    return sweeps_.solve(problem, options, &blocks_, lambda);
  }

 private:
  BisectedBlocks blocks_;
  GaussSeidel sweeps_;
};

}  // namespace

std::unique_ptr<DualSolver> make_bisection() { return std::make_unique<Bisection>(); }

}  // namespace stiction
