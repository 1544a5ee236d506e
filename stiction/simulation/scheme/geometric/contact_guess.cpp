#include "stiction/simulation/scheme/geometric/contact_guess.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double kOnSurface = 1e-6;  // fraction of the length: a point this near to a surface is on it

struct Candidate {
  int index = 0;
  double f = 0.0;
  Vec3 gradient = Vec3::Zero();
};

// The nearest functions, of which there may be many.
int nearest_candidates(const CollisionShape& shape, const Vec3& y, const Vec3& d, Candidate* out) {
  constexpr double kBehind = -0.5;  // cosine: faces on the far side are never part of the contact
  int count = 0;
  for (int i = 0; i < num_implicit_functions(shape); ++i) {
    const ImplicitValue value = implicit(shape, i, y);
    if (value.gradient.dot(d) < kBehind * value.gradient.norm()) continue;
    int at = count;
    while (at > 0 && out[at - 1].f < value.f) --at;
    if (at >= kMostFunctions) continue;
    const int last = std::min(count, kMostFunctions - 1);
    for (int k = last; k > at; --k) out[k] = out[k - 1];
    out[at] = {i, value.f, value.gradient};
    count = std::min(count + 1, kMostFunctions);
  }
  return count;
}

Pose shape_pose(const BodyState& body, const Pose& X_NS) { return body.X * X_NS; }

}  // namespace

ActiveFunctions active_functions(const CollisionShape& shape, const Vec3& y, const Vec3& d, double length) {
  ActiveFunctions out;
  if (num_implicit_functions(shape) == 1) {
    out.weights[0] = 1.0 / implicit(shape, 0, y).gradient.norm();
    return out;
  }
  Candidate candidates[kMostFunctions];
  out.set.count = nearest_candidates(shape, y, d, candidates);
  // Non-negative least squares over the functions on whose surface the point is, by Gauss-Seidel.
  constexpr int kSweeps = 50;
  const double surface = candidates[0].f - kOnSurface * length;
  Vec3 rest = d;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int i = 0; i < out.set.count; ++i) {
      if (candidates[i].f < surface) continue;
      const Vec3& g = candidates[i].gradient;
      const double next = std::max(0.0, out.weights[i] + g.dot(rest) / g.squaredNorm());
      rest -= (next - out.weights[i]) * g;
      out.weights[i] = next;
    }
    if (rest.squaredNorm() < 1e-24) break;
  }
  for (int i = 0; i < out.set.count; ++i) out.set.index[i] = candidates[i].index;
  // Put the largest weight first.
  const auto heaviest = std::max_element(out.weights.begin(), out.weights.begin() + out.set.count);
  if (!(*heaviest > 0.0)) *heaviest = 1.0 / candidates[heaviest - out.weights.begin()].gradient.norm();
  std::swap(out.set.index[0], out.set.index[heaviest - out.weights.begin()]);
  std::swap(out.weights[0], *heaviest);
  return out;
}

void set_functions(const ContactGuess& guess, const BodyState& A, const BodyState& B, ContactSetup* s) {
  const Pose X_A = shape_pose(A, s->X_NA), X_B = shape_pose(B, s->X_NB);
  const Vec3& n = guess.closest.normal;
  s->y_A0 = X_A.inverse() * guess.closest.p_A;
  s->R_A0 = X_A.R;
  s->functions_A = active_functions(*s->shape_A, s->y_A0, X_A.R.transpose() * n, s->length).set;
  s->functions_B =
      active_functions(*s->shape_B, X_B.inverse() * guess.closest.p_B(), -(X_B.R.transpose() * n), s->length)
          .set;
  const Mat3 with_z = frame_with_z(n);
  s->frame << n, with_z.col(0), with_z.col(1);
}

void guess_unknowns(const ContactGuess& guess, const BodyState& A, const BodyState& B, const ContactSetup& s,
                    const ContactLayout& at, double* z) {
  const Pose X_A = shape_pose(A, s.X_NA), X_B = shape_pose(B, s.X_NB);
  const Vec3& n = guess.closest.normal;
  std::fill(z, z + at.size, 0.0);
  const auto put = [z](int i, const Vec3& x) { Eigen::Map<Vec3>(z + i) = x; };
  // Points and multipliers.
  Vec3 a_A = guess.closest.p_A, a_B = guess.closest.p_B();
  const Vec3 y_A = X_A.inverse() * a_A, y_B = X_B.inverse() * a_B;
  const ActiveFunctions of_A = active_functions(*s.shape_A, y_A, X_A.R.transpose() * n, s.length);
  const ActiveFunctions of_B = active_functions(*s.shape_B, y_B, -(X_B.R.transpose() * n), s.length);
  put(at.y_A, y_A);
  put(at.y_B, y_B);
  const double size = 1.0 / of_A.weights[0];  // |N_A|
  z[at.l] = guess.closest.distance / size;
  for (int i = 1; i < s.functions_A.count; ++i) z[at.l + i] = size * of_A.weights[i];
  for (int j = 0; j < s.functions_B.count; ++j) z[at.l_B + j] = size * of_B.weights[j];

  // Impulses.
  const double p = std::max(0.0, n.dot(guess.impulse));
  z[at.p] = p;
  if (at.w >= 0) {
    const Vec3 r_A = a_A - A.X.p, r_B = a_B - B.X.p;
    const Vec3 u = B.v + B.w.cross(r_B) - A.v - A.w.cross(r_A) + s.belt;
    const Vec3 slip = s.friction_tensor * Vec3(u - n * n.dot(u));
    const double turning = at.turn >= 0 ? s.mu_t / s.mu * n.dot(B.w - A.w) : 0.0;
    const double fast = std::sqrt(slip.squaredNorm() + turning * turning);
    Vec3 w = Vec3::Zero();
    double turn = 0.0;
    constexpr double kSlips = 0.999;  // fraction of the friction cone
    constexpr double kFast = 1e-3;    // fraction of the speed that friction can change: below it no direction
    if (p > 0.0) {
      w = s.friction_tensor.inverse() * Vec3(guess.impulse - p * n) / (s.mu * p);
      if (at.turn >= 0) turn = guess.turning / (s.mu_t * p);
    }
    const double held = std::sqrt(w.squaredNorm() + turn * turn);
    if ((p <= 0.0 || held > kSlips) && fast * s.rho > kFast) {
      w = -slip / fast;
      turn = -turning / fast;
      z[at.slip] = fast;
    } else if (held > 1.0) {
      w /= held;
      turn /= held;
    }
    put(at.w, w);
    if (at.turn >= 0) z[at.turn] = turn;
  }

  // Layers: the deflection equals the overlap, shared in proportion to their compliances.
  if (!s.soft_A.is_soft && !s.soft_B.is_soft) return;
  const double k_A = s.soft_A.is_soft ? 1.0 / s.soft_A.K(0, 0) : 0.0;
  const double k_B = s.soft_B.is_soft ? 1.0 / s.soft_B.K(0, 0) : 0.0;
  const double overlap = std::max(0.0, -guess.closest.distance);
  const auto put_layer = [&](const SoftLayer& layer, int d, double share, const Vec3& deflection,
                             double* recess) {
    if (!layer.is_soft) return;
    *recess = std::min(overlap * share / (k_A + k_B), layer.most);
    put(d, Vec3(overlap > 0.0 ? *recess : deflection[0], deflection[1], deflection[2]));
  };
  double recess_A = 0.0, recess_B = 0.0;
  put_layer(s.soft_A, at.d_A, k_A, guess.deflection_A, &recess_A);
  put_layer(s.soft_B, at.d_B, k_B, guess.deflection_B, &recess_B);
  if (overlap > 0.0) {
    // The receded surfaces touch where the overlap is shared.
    put(at.y_A, X_A.inverse() * Vec3(a_A - recess_A * n));
    put(at.y_B, X_B.inverse() * Vec3(a_B + recess_B * n));
    z[at.l] = (guess.closest.distance + recess_A + recess_B) / size;
  }
}

bool leaves_functions(const ContactSetup& s, const ContactLayout& at, const double* z) {
  constexpr double kLeft = 1e-9;  // fraction of the length
  const auto is_left = [&](const CollisionShape& shape, const FunctionSet& set, const SoftLayer& soft, int y,
                           int d) {
    const int count = num_implicit_functions(shape);
    if (count <= set.count) return false;
    const Vec3 at_y(z[y], z[y + 1], z[y + 2]);
    for (int i = 0; i < count; ++i) {
      if (std::find(set.index.begin(), set.index.begin() + set.count, i) != set.index.begin() + set.count)
        continue;
      const LevelT<double> level = level_of(shape, i, at_y);
      const double f = soft.is_soft ? receded(shape, i, at_y, level, z[d]) : level.f;
      if (f > kLeft * s.length) return true;
    }
    return false;
  };
  return is_left(*s.shape_A, s.functions_A, s.soft_A, at.y_A, at.d_A) ||
         is_left(*s.shape_B, s.functions_B, s.soft_B, at.y_B, at.d_B);
}

}  // namespace stiction
