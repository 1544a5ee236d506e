#include "stiction/simulation/scheme/geometric/contact_guess.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double kOnSurface = 1e-6;  // fraction of the length: a point this near to a surface is on it
constexpr double kSlips = 0.999;     // fraction of the friction cone

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

// d of a layer that bears s, by its law (G 33).
Vec3 deflection_under(const Vec3& s, const SoftLayer& layer, double h) {
  return (h * layer.K + layer.C).inverse() * (s + layer.C * layer.d0);
}

// The deflections of the layers and what they bear; the rest of the unknowns but the multipliers of the functions.
void guess_layers(const ContactGuess& guess, const BodyState& A, const BodyState& B, const ContactSetup& s,
                  const ContactLayout& at, double* z) {
  const Pose X_A = shape_pose(A, s.X_NA), X_B = shape_pose(B, s.X_NB);
  const Vec3 &n = guess.closest.normal, a_A = guess.closest.p_A, a_B = guess.closest.p_B();
  const auto tangents = s.frame.rightCols<2>();
  const Vec3 u = relative_velocity(A, B, a_A, a_B, s);
  Vec3 borne = borne_by_layers(guess, A, B, s);

  // What friction bears of it.
  Vec3 w = Vec3::Zero();
  const double most = s.mu * borne[0];
  if (most > 0.0) {
    w = -s.friction_tensor.inverse() * (tangents * borne.tail<2>()) / most;
    w /= std::max(1.0, w.norm());
  }
  borne.tail<2>() = -most * tangents.transpose() * (s.friction_tensor * w);

  // Deflections; the core bears the rest of what presses a layer flat.
  double recess_A = 0.0, recess_B = 0.0;
  Vec3 slip = u - n * n.dot(u);
  const auto put_layer = [&](const SoftLayer& layer, int d, int core, double* recess) {
    if (!layer.is_soft) return;
    Vec3 deflection = deflection_under(borne, layer, s.h);
    if (deflection[0] > layer.most) {
      deflection[0] = layer.most;
      const Vec3 held = s.h * layer.K * deflection + layer.C * (deflection - layer.d0);
      z[core] = std::max(0.0, borne[0] - held[0]);
    }
    *recess = deflection[0];
    slip -= tangents * (deflection - layer.d0).tail<2>() / s.h;
    Eigen::Map<Vec3>(z + d) = deflection;
  };
  put_layer(s.soft_A, at.d_A, at.core_A, &recess_A);
  put_layer(s.soft_B, at.d_B, at.core_B, &recess_B);
  z[at.p] = borne[0];
  if (at.w >= 0) {
    // Where nothing presses, w is against the slip.
    const Vec3 slips = s.friction_tensor * slip;
    if (!(borne[0] > 0.0) && slips.norm() > 0.0) w = -slips.normalized();
    const double turn = at.turn >= 0 ? z[at.turn] : 0.0;
    const double held = std::max(1.0, std::sqrt(w.squaredNorm() + turn * turn));
    Eigen::Map<Vec3>(z + at.w) = w / held;
    if (at.turn >= 0) z[at.turn] = turn / held;
    z[at.slip] = w.norm() > kSlips ? slips.norm() : 0.0;
  }

  // The surfaces that have receded touch, or their gap remains.
  Eigen::Map<Vec3>(z + at.y_A) = X_A.inverse() * Vec3(a_A - recess_A * n);
  Eigen::Map<Vec3>(z + at.y_B) = X_B.inverse() * Vec3(a_B + recess_B * n);
}

}  // namespace

Vec3 relative_velocity(const BodyState& A, const BodyState& B, const Vec3& a_A, const Vec3& a_B,
                       const ContactSetup& s) {
  return B.v + B.w.cross(a_B - B.X.p) - A.v - A.w.cross(a_A - A.X.p) + s.belt;
}

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

Mat3 layer_compliance(const ContactSetup& s) {
  Mat3 compliance = Mat3::Zero();
  for (const SoftLayer* layer : {&s.soft_A, &s.soft_B})
    if (layer->is_soft) compliance += (s.h * layer->K + layer->C).inverse();
  return compliance;
}

Vec3 borne_by_layers(const ContactGuess& guess, const BodyState& A, const BodyState& B,
                     const ContactSetup& s) {
  const Mat3 stiffness = layer_compliance(s).inverse();
  const auto borne_at = [&](double distance, const Vec3& velocity) -> Vec3 {
    const Vec3 u = s.frame.transpose() * velocity;
    Vec3 D(-distance, s.h * u[1], s.h * u[2]);
    for (const SoftLayer* layer : {&s.soft_A, &s.soft_B}) {
      if (!layer->is_soft) continue;
      D.tail<2>() += layer->d0.tail<2>();
      D -= deflection_under(Vec3::Zero(), *layer, s.h);
    }
    return stiffness * D;
  };
  const ContactPoint& closest = guess.closest;
  Vec3 borne = borne_at(closest.distance, relative_velocity(A, B, closest.p_A, closest.p_B(), s));
  const Vec3 at_free = borne_at(guess.free_distance, guess.free_velocity);
  if ((at_free[0] > 0.0) != (borne[0] > 0.0)) borne = at_free;
  if (!(borne[0] > 0.0)) return Vec3::Zero();
  const double most = std::max(closest.normal.dot(guess.impulse), s.mass * s.speed);
  return borne * std::min(1.0, most / borne[0]);
}

void guess_unknowns(const ContactGuess& guess, const BodyState& A, const BodyState& B, const ContactSetup& s,
                    const ContactLayout& at, double* z) {
  const Pose X_A = shape_pose(A, s.X_NA), X_B = shape_pose(B, s.X_NB);
  const Vec3& n = guess.closest.normal;
  std::fill(z, z + at.size, 0.0);
  const auto put = [z](int i, const Vec3& x) { Eigen::Map<Vec3>(z + i) = x; };
  // Points.
  Vec3 a_A = guess.closest.p_A, a_B = guess.closest.p_B();
  const Vec3 y_A = X_A.inverse() * a_A, y_B = X_B.inverse() * a_B;
  put(at.y_A, y_A);
  put(at.y_B, y_B);

  // Impulses.
  const double p = std::max(0.0, n.dot(guess.impulse));
  z[at.p] = p;
  if (at.w >= 0) {
    const Vec3 u = relative_velocity(A, B, a_A, a_B, s);
    const Vec3 slip = s.friction_tensor * Vec3(u - n * n.dot(u));
    const double turning = at.turn >= 0 ? s.mu_t / s.mu * n.dot(B.w - A.w) : 0.0;
    const double fast = std::sqrt(slip.squaredNorm() + turning * turning);
    Vec3 w = Vec3::Zero();
    double turn = 0.0;
    constexpr double kFast = 1e-3;  // fraction of the speed that friction can change: below it no direction
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

  if (s.soft_A.is_soft || s.soft_B.is_soft) guess_layers(guess, A, B, s, at, z);

  // Multipliers, of the gradients where layers have receded to.
  const ActiveFunctions of_A = active_functions(*s.shape_A, y_A, X_A.R.transpose() * n, s.length);
  const ActiveFunctions of_B = active_functions(*s.shape_B, y_B, -(X_B.R.transpose() * n), s.length);
  const auto weight = [z](const CollisionShape& shape, const ActiveFunctions& of, int i, const Vec3& y,
                          int receded) {
    const auto slope = [&](const Vec3& at_y) {
      return implicit(shape, of.set.index[i], at_y).gradient.norm();
    };
    // In the middle of a ball there is none.
    const double there = slope(Eigen::Map<const Vec3>(z + receded));
    return there > 0.0 ? of.weights[i] * (slope(y) / there) : of.weights[i];
  };
  const double size = 1.0 / weight(*s.shape_A, of_A, 0, y_A, at.y_A);  // |N_A|
  const double recess = (at.d_A >= 0 ? z[at.d_A] : 0.0) + (at.d_B >= 0 ? z[at.d_B] : 0.0);
  z[at.l] = (guess.closest.distance + recess) / size;
  for (int i = 1; i < s.functions_A.count; ++i) z[at.l + i] = size * weight(*s.shape_A, of_A, i, y_A, at.y_A);
  for (int j = 0; j < s.functions_B.count; ++j)
    z[at.l_B + j] = size * weight(*s.shape_B, of_B, j, y_B, at.y_B);
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
