#include "stiction/contact/dual/one_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace stiction {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Smallest eigenvalue, of a block's trace: round-off of s (about 1e-16 of its terms) then changes the impulse
// along a null direction by no more than 1e-6 of itself.
constexpr double kLeastStiffness = 1e-10;
// Steps for the root in n: secant steps take four to eight, bisection some fifty; the bracket grows tenfold
// at most over the range of doubles.
constexpr int kQuickSteps = 10, kMostSteps = 500;

// Eigenvalues and vectors (columns of Q) of the symmetric n x n matrix A, which is overwritten: Jacobi's
// method.
void diagonalise(int n, double* A, double* Q) {
  for (int i = 0; i < n * n; ++i) Q[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  for (int round = 0; round < 30; ++round) {
    double off = 0.0, on = 0.0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) (i == j ? on : off) += A[i * n + j] * A[i * n + j];
    if (off <= kEpsilon * kEpsilon * on) return;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (A[p * n + q] == 0.0) continue;
        const double theta = (A[q * n + q] - A[p * n + p]) / (2.0 * A[p * n + q]);
        const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(1.0 + theta * theta));
        const double c = 1.0 / std::sqrt(1.0 + t * t), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double x = A[k * n + p], y = A[k * n + q];
          A[k * n + p] = c * x - s * y;
          A[k * n + q] = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = A[p * n + k], y = A[q * n + k];
          A[p * n + k] = c * x - s * y;
          A[q * n + k] = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = Q[k * n + p], y = Q[k * n + q];
          Q[k * n + p] = c * x - s * y;
          Q[k * n + q] = s * x + c * y;
        }
      }
    }
  }
}

// The inverse of a positive definite matrix; false if a pivot is below the least.
bool invert(int n, const double* D, double least, double* inverse) {
  double L[kMostRows * kMostRows];
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      double sum = D[i * n + j];
      for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      if (i == j) {
        if (!(sum >= least)) return false;
        L[j * n + j] = std::sqrt(sum);
      } else {
        L[i * n + j] = sum / L[j * n + j];
      }
    }
  }
  for (int c = 0; c < n; ++c) {
    double x[kMostRows];
    for (int i = 0; i < n; ++i) {
      double sum = i == c ? 1.0 : 0.0;
      for (int k = 0; k < i; ++k) sum -= L[i * n + k] * x[k];
      x[i] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
      double sum = x[i];
      for (int k = i + 1; k < n; ++k) sum -= L[k * n + i] * x[k];
      x[i] = sum / L[i * n + i];
      inverse[i * n + c] = x[i];
    }
  }
  return true;
}

// D := Q max(d, least) Q' with the eigenvalues d of D, and its inverse.
void raise(int n, double least, double* D, double* inverse) {
  double A[kMostRows * kMostRows], Q[kMostRows * kMostRows];
  std::copy_n(D, n * n, A);
  diagonalise(n, A, Q);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      D[i * n + j] = inverse[i * n + j] = 0.0;
      for (int k = 0; k < n; ++k) {
        const double value = std::max(A[k * n + k], least), product = Q[i * n + k] * Q[j * n + k];
        D[i * n + j] += product * value;
        inverse[i * n + j] += product / value;
      }
    }
  }
}

// s_n at (t, n).
double normal_velocity(const LocalContact& contact, const double* g, double n, const double* t) {
  const double* row = contact.D + contact.tangents * contact.rows();
  double sum = g[contact.tangents] + row[contact.tangents] * n;
  for (int i = 0; i < contact.tangents; ++i) sum += row[i] * t[i];
  return sum;
}

// The minimum of 1/2 t' A t + b' t over the polygon of that radius, A the first two rows and columns of D.
void best_in_polygon(const LocalContact& contact, const PolygonEdges& edges, const double* b, double radius,
                     double* t) {
  const double a11 = contact.D[0], a12 = contact.D[1], a22 = contact.D[contact.rows() + 1];
  const double apothem = radius * edges.apothem, half = radius * edges.half_length;
  const double determinant = a11 * a22 - a12 * a12;
  t[0] = (a12 * b[1] - a22 * b[0]) / determinant;
  t[1] = (a12 * b[0] - a11 * b[1]) / determinant;
  const int count = static_cast<int>(edges.directions.size()) / 2;
  bool is_inside = true;
  for (int k = 0; k < count && is_inside; ++k)
    is_inside = edges.directions[2 * k] * t[0] + edges.directions[2 * k + 1] * t[1] <= apothem;
  if (is_inside) return;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < count; ++k) {
    // Along the edge: apothem e + z e', e' perpendicular to e.
    const double c = edges.directions[2 * k], s = edges.directions[2 * k + 1];
    const double x = apothem * c, y = apothem * s;
    const double slope = c * (b[1] + a12 * x + a22 * y) - s * (b[0] + a11 * x + a12 * y);
    const double curvature = s * s * a11 - 2.0 * s * c * a12 + c * c * a22;
    const double z = std::clamp(-slope / curvature, -half, half);
    const double px = x - z * s, py = y + z * c;
    const double energy = px * (b[0] + 0.5 * a11 * px) + py * (b[1] + 0.5 * a22 * py) + a12 * px * py;
    if (energy < best) {
      best = energy;
      t[0] = px;
      t[1] = py;
    }
  }
}

}  // namespace

void LocalContacts::begin(const DualProblem& problem) {
  problem_ = &problem;
  begin_.clear();
  numbers_.clear();
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    begin_.push_back(static_cast<int>(numbers_.size()));
    if (!block.is_contact() || !(block.rho > 0.0)) continue;
    const int n = block.size(), m = block.tangents;
    numbers_.resize(numbers_.size() + static_cast<std::size_t>(2 * n * n + m * m + m));
    double *D = numbers_.data() + begin_.back(), *inverse = D + n * n, *axes = inverse + n * n;
    const double* W = problem.diagonal_block(b);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        D[i * n + j] = 0.5 * (W[i * n + j] + W[j * n + i]) + (i == j ? problem.R[block.begin + i] : 0.0);
    const double least = kLeastStiffness * n / block.rho;
    if (!invert(n, D, least, inverse)) raise(n, least, D, inverse);
    double A[kMostTangents * kMostTangents];
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) A[i * m + j] = D[i * n + j];
    diagonalise(m, A, axes);
    for (int i = 0; i < m; ++i) axes[m * m + i] = std::max(A[i * m + i], least);
  }
}

LocalContact LocalContacts::of(int b) const {
  const DualBlock& block = problem_->blocks[b];
  LocalContact out;
  out.tangents = block.tangents;
  out.friction = block.friction;
  out.D = numbers_.data() + begin_[b];
  out.inverse = out.D + block.size() * block.size();
  out.axes = out.inverse + block.size() * block.size();
  out.values = out.axes + block.tangents * block.tangents;
  return out;
}

void PolygonEdges::begin(const Pyramid& pyramid) {
  directions.clear();
  for (int k = 0; k < pyramid.facets; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / pyramid.facets;
    directions.push_back(std::cos(angle));
    directions.push_back(std::sin(angle));
  }
  apothem = pyramid.apothem();
  half_length = apothem * std::tan(std::numbers::pi / pyramid.facets);
}

void free_velocity(const LocalContact& contact, const double* lambda, const double* s, double* g) {
  const int n = contact.rows();
  for (int i = 0; i < n; ++i) {
    g[i] = s[i];
    for (int j = 0; j < n; ++j) g[i] -= contact.D[i * n + j] * lambda[j];
  }
}

void sticking_impulse(const LocalContact& contact, const double* g, double* x) {
  const int n = contact.rows();
  for (int i = 0; i < n; ++i) {
    x[i] = 0.0;
    for (int j = 0; j < n; ++j) x[i] -= contact.inverse[i * n + j] * g[j];
  }
}

bool is_in_cone(LawKind law, const PolygonEdges& edges, double friction, int tangents, const double* x) {
  const double n = x[tangents], radius = friction * n;
  if (!(n >= 0.0)) return false;
  if (law != LawKind::pyramid_lcp) return norm_of(x, tangents) <= radius;
  for (std::size_t k = 0; tangents >= 2 && k < edges.directions.size(); k += 2)
    if (edges.directions[k] * x[0] + edges.directions[k + 1] * x[1] > radius * edges.apothem) return false;
  for (int i = 2; i < tangents; ++i)
    if (std::abs(x[i]) > radius) return false;
  return true;
}

double impulse_in_disc(const LocalContact& contact, const double* g, double n, double* t) {
  const int m = contact.tangents, rows = contact.rows();
  const double radius = contact.friction * n;
  const double* d = contact.values;
  double b[kMostTangents] = {}, push = 0.0, rest = 0.0, stiffest = 0.0;
  for (int i = 0; i < m; ++i) {
    for (int k = 0; k < m; ++k) b[i] += contact.axes[k * m + i] * (g[k] + contact.D[k * rows + m] * n);
    push += b[i] * b[i];
    rest += b[i] * b[i] / (d[i] * d[i]);
    stiffest = std::max(stiffest, d[i]);
  }
  push = std::sqrt(push);
  std::fill(t, t + m, 0.0);
  if (!(radius > 0.0)) return push;

  // |t(sigma)| = radius, sigma > 0, from the left: 1/|t| is concave and nearly linear in sigma.
  double sigma = 0.0, length = std::sqrt(rest);
  const bool slides = length > radius;
  if (slides) {
    sigma = std::max(0.0, push / radius - stiffest);
    for (int k = 0; k < 50; ++k) {
      double square = 0.0, cube = 0.0;
      for (int i = 0; i < m; ++i) {
        const double y = b[i] / (d[i] + sigma);
        square += y * y;
        cube += y * y / (d[i] + sigma);
      }
      length = std::sqrt(square);
      const double step = (length - radius) / radius * square / cube;
      sigma += step;
      if (!(std::abs(step) > 4.0 * kEpsilon * (sigma + stiffest))) break;
    }
    sigma = std::max(sigma, 0.0);
  }
  double y[kMostTangents];
  for (int i = 0; i < m; ++i) y[i] = -b[i] / (d[i] + sigma);
  if (slides) {
    // Exactly on the circle.
    const double share = radius / norm_of(y, m);
    for (int i = 0; i < m; ++i) y[i] *= share;
  }
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < m; ++i) t[k] += contact.axes[k * m + i] * y[i];
  return sigma * radius;
}

void impulse_in_polygon(const LocalContact& contact, const PolygonEdges& edges, const double* g, double n,
                        double* t) {
  const int m = contact.tangents, rows = contact.rows();
  const double radius = contact.friction * n;
  const double* D = contact.D;
  std::fill(t, t + m, 0.0);
  if (!(radius > 0.0)) return;
  // Sliding and the torsional and rolling rows alternately; sliding alone takes one pass.
  const int most = m > 2 ? 200 : 1;
  for (int round = 0; round < most; ++round) {
    double change = 0.0, b[2];
    const double old[2] = {t[0], t[1]};
    for (int i = 0; i < 2; ++i) {
      b[i] = g[i] + D[i * rows + m] * n;
      for (int j = 2; j < m; ++j) b[i] += D[i * rows + j] * t[j];
    }
    best_in_polygon(contact, edges, b, radius, t);
    for (int i = 0; i < 2; ++i) change = std::max(change, std::abs(t[i] - old[i]));
    for (int i = 2; i < m; ++i) {
      double s = g[i] + D[i * rows + m] * n;
      for (int j = 0; j < m; ++j) s += D[i * rows + j] * t[j];
      const double next = std::clamp(t[i] - s / D[i * rows + i], -radius, radius);
      change = std::max(change, std::abs(next - t[i]));
      t[i] = next;
    }
    if (change <= kEpsilon * radius) break;
  }
}

bool solve_contact(LawKind law, const LocalContact& contact, const PolygonEdges& edges, const double* g,
                   double* x) {
  const int m = contact.tangents;
  const double mu = contact.friction, Dnn = contact.D[m * contact.rows() + m];
  if (m == 0 || !(mu > 0.0)) {
    std::fill(x, x + m, 0.0);
    x[m] = std::max(0.0, -g[m] / Dnn);
    return true;
  }
  const bool is_convex = law == LawKind::convex_cone;

  // Does it open? Does it stick?
  const double at_zero = is_convex ? g[m] - mu * norm_of(g, m) : g[m];
  if (at_zero >= 0.0) {
    std::fill(x, x + m + 1, 0.0);
    return true;
  }
  double stuck[kMostRows] = {};
  sticking_impulse(contact, g, stuck);
  if (is_in_cone(law, edges, mu, m, stuck)) {
    std::copy_n(stuck, m + 1, x);
    return true;
  }

  // It slides.
  double t[kMostRows];
  const auto f = [&](double n) {
    double slip = 0.0;
    if (law == LawKind::pyramid_lcp)
      impulse_in_polygon(contact, edges, g, n, t);
    else
      slip = impulse_in_disc(contact, g, n, t);
    return normal_velocity(contact, g, n, t) - (is_convex ? mu * slip : 0.0);
  };
  // Secant steps inside the bracket, from the guess or from the frictionless normal impulse; the middle of
  // the bracket where a step would leave it, and in every second step after kQuickSteps.
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  double low = 0.0, high = kUnbounded, before = 0.0, value_before = at_zero;
  double n = x[m] > 0.0 ? x[m] : std::abs(at_zero) / Dnn;
  for (int k = 0;; ++k) {
    const double value = f(n);
    if (!std::isfinite(value) || k == kMostSteps) return false;
    (value < 0.0 ? low : high) = n;
    const double fine = 4.0 * kEpsilon * (std::abs(at_zero) + Dnn * n);
    if (std::abs(value) <= fine || high - low <= 4.0 * kEpsilon * n) break;
    double next = n - value * (n - before) / (value - value_before);
    if (high == kUnbounded) {
      next = next > n && next < 10.0 * n ? next : 10.0 * n;
    } else if (!(next > low && next < high) || (k > kQuickSteps && k % 2 == 0)) {
      next = 0.5 * (low + high);
    }
    before = n;
    value_before = value;
    n = next;
  }
  std::copy_n(t, m, x);  // of the last n
  x[m] = n;
  return true;
}

}  // namespace stiction
