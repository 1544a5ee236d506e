// Longer than other files: one iteration, whose steps share the scaling of the blocks.
#include "stiction/contact/dual/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"

namespace stiction {
namespace {

constexpr double kNoBound = 1e300;
constexpr double kShare = 0.99;  // of the way to the boundary of the cones
// The least sigma. A step of length 0.99 leaves a hundredth of the deviation from the central path, so that
// mu should not fall much faster.
constexpr double kLeastSigma = 0.05;
// A step only centres where mu has fallen by this factor in an iteration, and the error by less than this
// power of it: on the central path the error is proportional to mu.
constexpr double kFalls = 4.0, kLinearFall = 0.75;
constexpr double kNear = 1e-3;         // error below which a step may only centre
constexpr double kRegular = 1e-6;      // of the mean diagonal of a block of W + R: added to E in the factor
constexpr int kRefinements = 20;       // at most, of the linear system
constexpr double kRefined = 1e-14;     // of its right-hand side: nothing is left to refine
constexpr double kShortest = 1e-10;    // step, below which nothing moves any more
constexpr int kInVain = 30;            // iterations without a better error
constexpr int kDoubt = 10;             // iterations between tests whether the problem is infeasible
constexpr double kNothingLeft = 1e-3;  // round-off relative to the free velocities
constexpr double kRoundOff = 16.0 * std::numeric_limits<double>::epsilon();

// sqrt(x_n^2 - |x_t|^2) of a vector inside the cone |t| < n.
double hyperbolic_norm(const double* x, int m) {
  const double t = norm_of(x, m);
  return std::sqrt((x[m] - t) * (x[m] + t));
}

// y := M x, M of n x n numbers.
void multiply(const double* M, int n, const double* x, double* y) {
  for (int i = 0; i < n; ++i) {
    y[i] = 0.0;
    for (int j = 0; j < n; ++j) y[i] += M[i * n + j] * x[j];
  }
}

// M := factor (2 v v' - J).
void set_reflection(const double* v, int m, double factor, double* M) {
  const int n = m + 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M[i * n + j] = factor * 2.0 * v[i] * v[j];
  for (int i = 0; i < m; ++i) M[i * n + i] += factor;
  M[m * n + m] -= factor;
}

// z := x o y, the product of the cone.
void jordan_product(const double* x, const double* y, int m, double* z) {
  double sum = x[m] * y[m];
  for (int i = 0; i < m; ++i) {
    sum += x[i] * y[i];
    z[i] = x[m] * y[i] + y[m] * x[i];
  }
  z[m] = sum;
}

// y with x o y = z; x inside the cone.
void jordan_divide(const double* x, const double* z, int m, double* y) {
  double along = x[m] * z[m];
  for (int i = 0; i < m; ++i) along -= x[i] * z[i];
  const double norm = hyperbolic_norm(x, m);
  y[m] = along / (norm * norm);
  for (int i = 0; i < m; ++i) y[i] = (z[i] - y[m] * x[i]) / x[m];
}

// B := B^-1 of a symmetric positive definite matrix of n x n numbers, by Cholesky.
void invert(double* B, int n) {
  double L[kMostRows * kMostRows] = {};
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      double sum = B[i * n + j];
      for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = i == j ? std::sqrt(sum) : sum / L[j * n + j];
    }
  }
  for (int c = 0; c < n; ++c) {
    double x[kMostRows] = {};
    for (int i = 0; i < n; ++i) {
      double sum = i == c ? 1.0 : 0.0;
      for (int k = 0; k < i; ++k) sum -= L[i * n + k] * x[k];
      x[i] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
      double sum = x[i];
      for (int k = i + 1; k < n; ++k) sum -= L[k * n + i] * x[k];
      x[i] = sum / L[i * n + i];
    }
    for (int i = 0; i < n; ++i) B[i * n + c] = x[i];
  }
}

// The alpha at which x + alpha d leaves the cone |t| <= n, x inside; infinite if it never does.
double step_to_boundary(const double* x, const double* d, int m) {
  const double norm = hyperbolic_norm(x, m), c = norm * norm, t = norm_of(d, m);
  const double a = (d[m] - t) * (d[m] + t);
  double b = x[m] * d[m];
  for (int i = 0; i < m; ++i) b -= x[i] * d[i];
  // a alpha^2 + 2 b alpha + c = 0, the smallest positive root.
  if (a >= 0.0 && b >= 0.0) return kNoBound;  // d points into the cone
  // Otherwise the line leaves the cone: where the root is double, through the apex, round-off must not hide
  // it.
  const double discriminant = std::max(0.0, b * b - a * c);
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  double least = kNoBound;
  for (const double alpha : {a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0})
    if (alpha > 0.0) least = std::min(least, alpha);
  return least;
}

}  // namespace

bool InteriorPoint::Interval::has_lower() const { return lower > -kNoBound; }
bool InteriorPoint::Interval::has_upper() const { return upper < kNoBound; }

InteriorPoint::Interval InteriorPoint::interval_of(int b) const {
  const DualBlock& block = problem_->blocks[b];
  if (kinds_[b] == Kind::normal_only) return {block.begin + block.tangents, 0.0, kNoBound};
  return {block.begin, block.lower, block.upper};
}

// Under convex_cone the friction of a group of rows would widen its ball by s_t/R_n (problem.h). With R_n and
// r_n so much larger the ball keeps its radius to round-off. False: there are no groups, nothing is copied.
bool InteriorPoint::stiffen_groups() {
  constexpr double kStiffer = 1e10;
  const auto is_group = [](const DualBlock& block) { return block.is_group; };
  if (std::none_of(problem_->blocks.begin(), problem_->blocks.end(), is_group)) return false;
  stiffened_ = *problem_;
  for (const DualBlock& block : stiffened_.blocks) {
    if (!block.is_group) continue;
    stiffened_.R[block.begin + block.tangents] *= kStiffer;
    stiffened_.r[block.begin + block.tangents] *= kStiffer;
  }
  problem_ = &stiffened_;
  return true;
}

// Kinds of the blocks, the impulses that are fixed, sizes.
void InteriorPoint::begin(VecX* lambda) {
  const DualProblem& problem = *problem_;
  factor_.begin(problem);
  kinds_.clear();
  at_.clear();
  int numbers = 0;
  cones_ = 0;
  for (const DualBlock& block : problem.blocks) {
    Kind kind = Kind::row;
    if (!(block.rho > 0.0)) {
      kind = Kind::left_out;
    } else if (block.is_contact()) {
      kind = block.tangents > 0 && block.friction > 0.0 ? Kind::cone : Kind::normal_only;
      ++cones_;
    } else if (block.lower >= block.upper) {
      kind = Kind::left_out;
      (*lambda)[block.begin] = block.lower;
    } else {
      cones_ += (block.lower > -kNoBound) + (block.upper < kNoBound);
    }
    if (kind == Kind::normal_only)
      for (int i = 0; i < block.tangents; ++i) (*lambda)[block.begin + i] = 0.0;
    kinds_.push_back(kind);
    at_.push_back(numbers);
    numbers += block.size() * block.size();
  }
  for (std::vector<double>* matrices : {&E_, &inverses_, &G_, &G_inverse_, &B_})
    matrices->assign(static_cast<std::size_t>(numbers), 0.0);
  for (VecX* x : {&z_,       &z_low_,     &z_high_, &l_,         &g_,       &g_low_, &g_high_,
                  &dlambda_, &dz_,        &dz_low_, &dz_high_,   &s_,       &d_,     &rhs_,
                  &rest_,    &last_rest_, &near_,   &conjugate_, &product_, &moved_, &pushed_})
    x->setZero(problem.num_rows());
}

// The start lies on the axes of the cones, with the same product of impulse and velocity everywhere. Both are
// at least as large as it takes to stop the free velocities.
void InteriorPoint::set_start() {
  double heaviest = 0.0;
  for (int b = 0; b < problem_->num_blocks(); ++b)
    if (kinds_[b] != Kind::left_out) heaviest = std::max(heaviest, problem_->blocks[b].rho);
  // sqrt(J). No row may be asked for more than its part of this, or its first steps would end at the
  // boundary.
  double size = problem_->velocity_scale() * std::sqrt(heaviest);
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    const int rows = block.is_group ? block.tangents : block.size();
    if (kinds_[b] != Kind::left_out)
      size = std::max(size, std::sqrt(block.rho) * norm_of(problem_->r.data() + block.begin, rows));
  }
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    if (kinds_[b] == Kind::left_out) continue;
    const double impulse = size * std::sqrt(block.rho), velocity = size / std::sqrt(block.rho);
    if (kinds_[b] == Kind::cone) {
      for (int i = block.begin; i < block.begin + block.size(); ++i) lambda_[i] = z_[i] = 0.0;
      // x_n z_n = impulse velocity in the coordinates of the cone.
      const int normal = block.begin + block.tangents;
      lambda_[normal] = block.is_group ? -problem_->r[normal] / problem_->R[normal] : impulse;
      z_[normal] = velocity;
      continue;
    }
    const Interval I = interval_of(b);
    double& x = lambda_[I.row];
    // The impulse nearest to zero that is well inside.
    const double inset = std::min(impulse, 0.49 * (I.upper - I.lower));
    x = std::clamp(0.0, I.lower + inset, I.upper - inset);
    z_low_[I.row] = I.has_lower() ? impulse * velocity / (x - I.lower) : 0.0;
    z_high_[I.row] = I.has_upper() ? impulse * velocity / (I.upper - x) : 0.0;
    z_[I.row] = z_low_[I.row] - z_high_[I.row];
  }
}

// G, its inverse and l of a cone.
void InteriorPoint::scale_cone(int b) {
  const DualBlock& block = problem_->blocks[b];
  const int m = block.tangents, n = m + 1;
  const double mu = block.friction;
  double x[kMostRows] = {}, z[kMostRows] = {}, v[kMostRows] = {};
  std::copy_n(lambda_.data() + block.begin, n, x);
  std::copy_n(z_.data() + block.begin, n, z);
  x[m] *= mu;
  z[m] /= mu;
  const double x_norm = hyperbolic_norm(x, m), z_norm = hyperbolic_norm(z, m);
  double along = 0.0;
  for (int i = 0; i < n; ++i) along += x[i] / x_norm * (z[i] / z_norm);
  const double c2 = 2.0 * std::sqrt(0.5 * (1.0 + along));
  for (int i = 0; i < m; ++i) v[i] = (x[i] / x_norm - z[i] / z_norm) / c2;
  v[m] = (x[m] / x_norm + z[m] / z_norm) / c2 + 1.0;
  const double root = std::sqrt(2.0 * v[m]), eta = std::sqrt(x_norm / z_norm);
  for (int i = 0; i < n; ++i) v[i] /= root;
  double M[kMostRows * kMostRows] = {}, M_inverse[kMostRows * kMostRows] = {};
  set_reflection(v, m, eta, M);
  multiply(M, n, z, l_.data() + block.begin);
  for (int i = 0; i < m; ++i) v[i] = -v[i];
  set_reflection(v, m, 1.0 / eta, M_inverse);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      G_[at_[b] + i * n + j] = M[i * n + j] / (i == m ? mu : 1.0);
      G_inverse_[at_[b] + i * n + j] = M_inverse[i * n + j] * (i == m ? mu : 1.0);
    }
  }
}

void InteriorPoint::scale_interval(int b) {
  const Interval I = interval_of(b);
  const DualBlock& block = problem_->blocks[b];
  const int at = at_[b] + (I.row - block.begin) * (block.size() + 1);
  double N = 0.0;
  if (I.has_lower()) N += z_low_[I.row] / (lambda_[I.row] - I.lower);
  if (I.has_upper()) N += z_high_[I.row] / (I.upper - lambda_[I.row]);
  // A row without bounds has no N: any scale will do.
  G_[at] = 1.0 / std::sqrt(N > 0.0 ? N : kRegular / block.rho);
  G_inverse_[at] = N > 0.0 ? std::sqrt(N) : 0.0;
  l_[I.row] = G_[at] * z_[I.row];
}

// B = (1 + G' (R + D) G)^-1 with the D of the factor, and E^-1 = G B G'.
void InteriorPoint::set_weights(int b) {
  const DualBlock& block = problem_->blocks[b];
  const int n = block.size();
  const double *G = G_.data() + at_[b], regular = kRegular / block.rho;
  double* B = B_.data() + at_[b];
  double GB[kMostRows * kMostRows] = {};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (int k = 0; k < n; ++k)
        sum += G[k * n + i] * (problem_->R[block.begin + k] + regular) * G[k * n + j];
      B[i * n + j] = sum;
    }
  }
  invert(B, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) GB[i * n + j] += G[i * n + k] * B[k * n + j];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < n; ++k) sum += GB[i * n + k] * G[j * n + k];
      inverses_[at_[b] + i * n + j] = sum;
      // E = N + R + D, which only explicit problems need.
      double N = i == j ? problem_->R[block.begin + i] + regular : 0.0;
      for (int k = 0; k < n; ++k) N += G_inverse_[at_[b] + i * n + k] * G_inverse_[at_[b] + j * n + k];
      E_[at_[b] + i * n + j] = N;
    }
  }
}

// The scaling at the present point, and its factor. False: singular.
bool InteriorPoint::scale() {
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    if (kinds_[b] == Kind::left_out) continue;
    if (kinds_[b] == Kind::cone)
      scale_cone(b);
    else
      scale_interval(b);
    set_weights(b);
  }
  return factor_.factorise(E_, inverses_);
}

// y := F x block by block, or F' x; zero where left out.
void InteriorPoint::multiply_blocks(const std::vector<double>& F, bool transposed, const VecX& x,
                                    VecX* y) const {
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    const int n = block.size();
    const double* M = F.data() + at_[b];
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum += M[transposed ? j * n + i : i * n + j] * x[block.begin + j];
      (*y)[block.begin + i] = sum;
    }
  }
}

// y := (G' (W + R) G + 1) x; for rows without bounds without the 1.
void InteriorPoint::multiply_system(const VecX& x, VecX* y) {
  multiply_blocks(G_, false, x, &moved_);
  problem_->multiply(moved_, &pushed_);
  pushed_ += problem_->R.cwiseProduct(moved_);
  multiply_blocks(G_, true, pushed_, y);
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    for (int i = 0; i < block.size(); ++i)
      if (G_inverse_[at_[b] + i * (block.size() + 1)] != 0.0) (*y)[block.begin + i] += x[block.begin + i];
  }
}

// y := (G' (W + R + D) G + 1)^-1 x, by trees B - B G' J H^-1 J' G B with the H of factor.h.
void InteriorPoint::precondition(const VecX& x, VecX* y) {
  if (problem_->is_explicit()) {
    // G' (W + E) G with E = G^-1' B^-1 G^-1.
    multiply_blocks(G_inverse_, false, x, &moved_);
    for (int b = 0; b < problem_->num_blocks(); ++b) {
      const DualBlock& block = problem_->blocks[b];
      const int at = at_[b];
      if (kinds_[b] == Kind::row && G_inverse_[at] == 0.0) moved_[block.begin] = x[block.begin] / G_[at];
    }
    factor_.solve(&moved_);
    multiply_blocks(G_inverse_, true, moved_, y);
    for (int b = 0; b < problem_->num_blocks(); ++b) {
      const DualBlock& block = problem_->blocks[b];
      const int at = at_[b];
      if (kinds_[b] == Kind::row && G_inverse_[at] == 0.0 && G_[at] != 0.0)
        (*y)[block.begin] = moved_[block.begin] / G_[at];
    }
    return;
  }
  multiply_blocks(B_, false, x, y);
  multiply_blocks(G_, false, *y, &moved_);
  factor_.push_velocities(moved_, &pushed_);
  multiply_blocks(G_, true, pushed_, &moved_);
  multiply_blocks(B_, false, moved_, &pushed_);
  *y -= pushed_;
}

// d with (G' (W + R) G + 1) d = share G' (z - s) - l + g, and dz.
void InteriorPoint::find_direction(double share) {
  moved_ = z_ - s_;
  multiply_blocks(G_, true, moved_, &rhs_);
  rhs_ = share * rhs_ - l_ + g_;
  // Conjugate gradients with the factor as preconditioner; round-off makes it unsymmetric, so that beta is
  // that of Polak and Ribiere.
  d_.setZero();
  rest_ = rhs_;
  const double goal = kRefined * rhs_.norm();
  double along = 0.0;
  for (int k = 0; k < kRefinements && rest_.norm() > goal; ++k) {
    precondition(rest_, &near_);
    const double now = rest_.dot(near_), beta = k > 0 ? (now - last_rest_.dot(near_)) / along : 0.0;
    along = now;
    if (k > 0)
      conjugate_ = near_ + beta * conjugate_;
    else
      conjugate_ = near_;
    multiply_system(conjugate_, &product_);
    const double curvature = conjugate_.dot(product_);
    if (!(curvature > 0.0)) break;
    const double step = rest_.dot(conjugate_) / curvature;
    last_rest_ = rest_;
    d_ += step * conjugate_;
    rest_ -= step * product_;
  }
  multiply_blocks(G_, false, d_, &dlambda_);
  dz_ = g_ - l_ - d_;
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    if (kinds_[b] != Kind::normal_only && kinds_[b] != Kind::row) continue;
    const Interval I = interval_of(b);
    const int r = I.row;
    if (I.has_lower()) dz_low_[r] = g_low_[r] - z_low_[r] - z_low_[r] / (lambda_[r] - I.lower) * dlambda_[r];
    if (I.has_upper())
      dz_high_[r] = g_high_[r] - z_high_[r] + z_high_[r] / (I.upper - lambda_[r]) * dlambda_[r];
  }
}

// Mean of lambda . z over the cones.
double InteriorPoint::complementarity() const {
  double sum = 0.0;
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    if (kinds_[b] == Kind::left_out) continue;
    if (kinds_[b] == Kind::cone) {
      for (int i = block.begin; i < block.begin + block.size(); ++i) sum += l_[i] * l_[i];
      continue;
    }
    const Interval I = interval_of(b);
    if (I.has_lower()) sum += (lambda_[I.row] - I.lower) * z_low_[I.row];
    if (I.has_upper()) sum += (I.upper - lambda_[I.row]) * z_high_[I.row];
  }
  return cones_ > 0 ? sum / cones_ : 0.0;
}

// To the boundary of the cones; that of l + alpha d is where lambda + alpha dlambda meets its own.
double InteriorPoint::longest_step() const {
  double least = kNoBound;
  const auto positive = [&least](double x, double d) {
    if (d < 0.0) least = std::min(least, -x / d);
  };
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    if (kinds_[b] == Kind::left_out) continue;
    if (kinds_[b] == Kind::cone) {
      const double* l = l_.data() + block.begin;
      for (const VecX* d : {&d_, &dz_})
        least = std::min(least, step_to_boundary(l, d->data() + block.begin, block.tangents));
      continue;
    }
    const Interval I = interval_of(b);
    const int r = I.row;
    if (I.has_lower()) {
      positive(lambda_[r] - I.lower, dlambda_[r]);
      positive(z_low_[r], dz_low_[r]);
    }
    if (I.has_upper()) {
      positive(I.upper - lambda_[r], -dlambda_[r]);
      positive(z_high_[r], dz_high_[r]);
    }
  }
  return least;
}

// g: l \ (tau e - d o dz) at the predictor's direction, in the scaled variables.
void InteriorPoint::set_second_order(double tau) {
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    const int n = block.size(), m = block.tangents;
    if (kinds_[b] == Kind::left_out) continue;
    if (kinds_[b] == Kind::cone) {
      double w[kMostRows] = {};
      jordan_product(d_.data() + block.begin, dz_.data() + block.begin, m, w);
      for (int i = 0; i < n; ++i) w[i] = (i == m ? tau : 0.0) - w[i];
      jordan_divide(l_.data() + block.begin, w, m, g_.data() + block.begin);
      continue;
    }
    const Interval I = interval_of(b);
    const int r = I.row;
    if (I.has_lower()) g_low_[r] = (tau - dlambda_[r] * dz_low_[r]) / (lambda_[r] - I.lower);
    if (I.has_upper()) g_high_[r] = (tau + dlambda_[r] * dz_high_[r]) / (I.upper - lambda_[r]);
    g_[r] = (g_low_[r] - g_high_[r]) * G_[at_[b] + (r - block.begin) * (n + 1)];
  }
}

// lambda and z along the direction.
void InteriorPoint::advance(double alpha) {
  lambda_ += alpha * dlambda_;
  multiply_blocks(G_inverse_, false, dz_, &moved_);
  z_ += alpha * moved_;
  z_low_ += alpha * dz_low_;
  z_high_ += alpha * dz_high_;
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    if (kinds_[b] != Kind::normal_only && kinds_[b] != Kind::row) continue;
    const int r = interval_of(b).row;
    z_[r] = z_low_[r] - z_high_[r];
  }
}

IslandReport InteriorPoint::solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) {
  STICTION_ASSERT(lambda->size() == problem.num_rows());
  problem_ = &problem;
  const bool has_groups = stiffen_groups();
  IslandReport report;
  const ErrorMeasure measure = options.measure(LawKind::convex_cone);
  // Leaves s_ at x.
  const auto error_of = [&](const VecX& x) {
    problem.velocities(x, &s_);
    const double seen = problem.error(measure, x, s_);
    if (has_groups) problem_->velocities(x, &s_);
    return seen;
  };
  // The round-off of the natural map, in the measure of the error.
  const auto round_off_by = [&](const ErrorMeasure& by, const VecX& x) {
    double most = 0.0;
    for (const DualBlock& block : problem.blocks) {
      if (!(block.rho > 0.0)) continue;
      const double size = norm_of(x.data() + block.begin, block.size());
      most = std::max(most, problem.error_of_velocity(by, block, kRoundOff * size / block.rho, size));
    }
    return most;
  };
  const auto finish = [&](SolveStatus status, double residual) {
    report.status = status;
    report.residual = residual;
    return report;
  };
  // Is the start good enough?
  double error = error_of(*lambda);
  if (!std::isfinite(error)) return finish(SolveStatus::not_finite, error);
  if (error <= options.goal()) return finish(SolveStatus::converged, error);
  if (options.max_iterations <= 0) return finish(SolveStatus::max_iterations, error);

  best_ = *lambda;
  double best_error = error;
  lambda_ = *lambda;
  begin(&lambda_);
  set_start();
  problem_->velocities(lambda_, &s_);
  SolveStatus status = SolveStatus::max_iterations;
  int in_vain = 0;
  bool has_centred = false;
  double last_mu = 0.0, last_error = 0.0;
  while (report.iterations < options.max_iterations) {
    ++report.factorisations;
    if (!scale()) {
      status = SolveStatus::stalled;
      break;
    }
    ++report.iterations;
    const double mu = complementarity();
    // Where the error falls with the root of mu, the iterates are off the central path: a step that only
    // centres.
    const bool centres = !has_centred && error < kNear && last_mu > kFalls * mu &&
                         last_error < error * std::pow(last_mu / mu, kLinearFall);
    for (VecX* x : {&g_, &g_low_, &g_high_, &d_, &dz_, &dlambda_, &dz_low_, &dz_high_}) x->setZero();
    if (centres) {
      set_second_order(mu);
      find_direction(1.0);
    } else {
      find_direction(1.0);
      if (cones_ > 0) {
        const double ahead = std::min(1.0, longest_step());
        const double sigma = std::max(kLeastSigma, std::pow(1.0 - ahead, 3));
        set_second_order(sigma * mu);
        find_direction(1.0 - sigma);
      }
    }
    has_centred = centres;
    last_mu = mu;
    last_error = error;
    const double alpha = std::min(1.0, kShare * longest_step());
    if (!dlambda_.allFinite() || !dz_.allFinite()) {
      status = SolveStatus::stalled;
      break;
    }
    advance(alpha);
    error = error_of(lambda_);
    if (options.history != nullptr) options.history->push_back(error);
    ++in_vain;
    // The impulses grow without bound, and s is nothing but their round-off.
    if (round_off_by({measure.law, measure.pyramid}, lambda_) > kNothingLeft) {
      status = SolveStatus::stalled;
      break;
    }
    if (error < best_error) {
      best_error = error;
      best_ = lambda_;
      in_vain = 0;
    }
    if (best_error <= options.goal()) {
      status = SolveStatus::converged;
      break;
    }
    if (report.iterations % kDoubt == 0 && problem.is_contradicted_by(lambda_)) {
      best_ = lambda_;  // which proves it
      best_error = error;
      status = SolveStatus::infeasible;
      break;
    }
    if (alpha < kShortest || in_vain == kInVain) {
      status = best_error <= round_off_by(measure, best_) ? SolveStatus::round_off : SolveStatus::stalled;
      break;
    }
  }
  *lambda = best_;
  return finish(status, best_error);
}

std::unique_ptr<DualSolver> make_interior_point() { return std::make_unique<InteriorPoint>(); }

}  // namespace stiction
