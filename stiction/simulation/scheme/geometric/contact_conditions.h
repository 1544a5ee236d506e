#pragma once
// The conditions of one contact at the end of a geometrically implicit step: closest points by the KKT
// conditions on the implicit functions of the two shapes, Signorini's condition on their distance, and
// Coulomb's friction with torsion. G: N. Chakraborty, S. Berard, S. Akella, J. C. Trinkle, "A Geometrically
// Implicit Time-Stepping Method for Multibody Systems with Intermittent Contact".
//
// f_i <= 0 are the functions of A, g_j <= 0 those of B, y the closest points in the axes of the shapes and a
// the same in W.
//
//   a_A - a_B + l N_A = 0,          N_A = R_A (grad f_k + sum over i != k of l_i grad f_i)        (G 28)
//   N_A + N_B = 0,                  N_B = R_B (sum over j of l_j grad g_j)                        (G 29)
//   f_k(y_A) = 0,  0 <= l_i, -f_i(y_A) >= 0,  0 <= l_j, -g_j(y_B) >= 0                            (G 30, 31)
//   0 <= p, phi >= 0,               phi = l |N_A|                                                 (G 32)
//   (w, w_r) = x / max(1, |x|),   sigma = max(0, |x| - 1)/rho,                                    (G 7)
//   x = (P (w - rho S u_t), w_r - rho e u_r)
//
// Every pair of inequalities is complementary. For a shape of one function k is that function.
// n = N_A / |N_A| points from A into B; u_t is the tangential velocity of B relative to A at the closest
// points and u_r = n . (w_B - w_A). The impulse on B at a_B is p (n + mu P S w) with P = 1 - n n', the moment
// mu_t p w_r n; the opposite acts on A at a_A.
//
// What we changed:
//
// - l of the function k is signed and f_k = 0 is an equation, so that phi is the signed distance and Newton's
// method can pass through overlap. G requires max f_i(a_B) >= 0, which has the sign of l.
//
// - w is the friction impulse divided by mu p, i.e. eq. 7 divided by mu p, which stays regular at p = 0. It
// is written as a fixed point of the projection on the unit ball, which has the same solutions,
//
//   sigma w + S u_t = 0,  sigma w_r + e u_r = 0,  0 <= sigma,  1 - |w|^2 - w_r^2 >= 0,
//
// but Newton's method also converges between sticking and slipping, where it would otherwise alternate
// between sigma = 0 and |w| = 1. rho > 0 is any number of the order of 1/(speed that friction can change); with
// a larger one a step of Newton's method that carries the slip past zero takes w to the other side. Of a layer the
// speed is that at which it yields to friction within a step, many times that of the bodies.
// e = mu_t / mu is e_r of G eq. 5. The symmetric friction tensor S (1 along the friction direction, e_o
// across it) has its e_t and e_o. w has three components, of which that along n is zero, so that no tangent
// vectors have to be rotated along with n.
//
// - Closest points that the shapes do not determine (a face on a face, a line on a plane) are determined by
// the balance of momentum: the contact point of a flat contact is its centre of pressure. If that does not
// determine them either (planar motions), a regularisation kNear (y - y0)/L is added to N_A + N_B, y0 being
// the initial guess; and if more faces meet at a corner than needed, -g_j + kNear L l_j >= 0 distributes the
// multipliers.
//
// - Impulses that rigid bodies do not determine (more contacts than degrees of freedom) are kept near their
// initial guess p0, w0 by a proximal regularisation: a contact yields by kYield h (p - p0)/m, m being its
// effective mass, and a sticking contact slips by c (w - w0)/rho. These shifts are removed by solving again
// from p0 = p, w0 = w (geometric/stepper.h). Bodies wedged between sticking contacts cannot have both zero
// distance and zero velocity at the end of the step: if a solve fails, it is repeated with larger c.
//
// - For fast impacts with restitution e, the smaller of phi/h and n . u + e vn0 replaces phi, as in the rigid
// laws.
//
// Quasi-rigid shapes (G 5) recede by their deflection: f(y + d_n n_f) with n_f = grad f/|grad f| at y
// replaces f(y) (G 34, 35). With the deflection d = (d_n, d_t1, d_t2) of a layer, d0 its value before the
// step, and the tangents t1, t2 at the initial guess,
//
//   (p, -p_t1, -p_t2) = h K d + C (d - d0) + (core, 0, 0),   0 <= core, d_max - d_n >= 0           (G 33, 36)
//
// for each of the two shapes that is soft. The slip is u_t minus the rates of the shear deflections: G eq. 37
// has u_t alone, which leaves the tangential springs without any effect on the motion.

#include <array>
#include <limits>

#include "stiction/geometry/convex/implicit.h"
#include "stiction/math/spatial.h"

namespace stiction {

inline constexpr int kMostFunctions = 8;  // of a shape in one contact
inline constexpr int kMostContactUnknowns = 6 + 2 * kMostFunctions + 6 + 8;
inline constexpr double kNear = 1e-10, kYield = 1e-9;  // see above

// The functions of a shape that are part of the contact.
struct FunctionSet {
  int count = 1;
  std::array<int, kMostFunctions> index = {};  // the first one of A is k
};

struct SoftLayer {
  bool is_soft = false;
  Mat3 K = Mat3::Zero(), C = Mat3::Zero();  // N/m, N s/m
  double most = std::numeric_limits<double>::infinity();
  Vec3 d0 = Vec3::Zero();  // m
  bool has_core() const { return is_soft && most < std::numeric_limits<double>::infinity(); }
};

// Data that does not change during a solve.
struct ContactSetup {
  const CollisionShape* shape_A = nullptr;
  const CollisionShape* shape_B = nullptr;
  Pose X_NA, X_NB;  // shapes in the frames of their bodies
  FunctionSet functions_A, functions_B;
  double h = 0.0;                           // s
  double mu = 0.0;                          // of sliding friction
  double mu_t = 0.0;                        // m, of torsional friction
  Mat3 friction_tensor = Mat3::Identity();  // S
  Vec3 belt = Vec3::Zero();                 // m/s, of the surface of B relative to that of A, in W
  double target = 0.0;                      // m, smallest allowed distance
  bool bounces = false;
  double rebound = 0.0;              // m/s, smallest normal velocity if it rebounds
  double speed = 1.0, length = 1.0;  // m/s, m: scales
  double mass = 1.0;                 // kg, effective mass of the contact
  double rho = 1.0;                  // s/m, of friction
  double proximal = 1e-8;            // c
  double p0 = 0.0, turn0 = 0.0;      // N s, -
  Vec3 w0 = Vec3::Zero();
  Vec3 y_A0 = Vec3::Zero();       // initial guess
  Mat3 R_A0 = Mat3::Identity();   // orientation of A at the initial guess
  Mat3 frame = Mat3::Identity();  // (n, t1, t2) at the initial guess, in W
  SoftLayer soft_A, soft_B;

  bool has_friction() const { return mu > 0.0; }
  bool has_torsion() const { return mu > 0.0 && mu_t > 0.0; }
};

// Indices of the unknowns of a contact among its own, and of its conditions; -1: not present.
struct ContactLayout {
  static constexpr int y_A = 0, y_B = 3, l = 6, l_A = 7;
  int l_B = 0, p = 0, w = -1, turn = -1, slip = -1;
  int d_A = -1, core_A = -1, d_B = -1, core_B = -1;
  int size = 0;

  explicit ContactLayout(const ContactSetup& s) {
    l_B = l_A + s.functions_A.count - 1;
    p = l_B + s.functions_B.count;
    size = p + 1;
    const auto add = [this](bool is_there, int count) {
      if (!is_there) return -1;
      size += count;
      return size - count;
    };
    w = add(s.has_friction(), 3);
    turn = add(s.has_torsion(), 1);
    slip = add(s.has_friction(), 1);
    d_A = add(s.soft_A.is_soft, 3);
    core_A = add(s.soft_A.has_core(), 1);
    d_B = add(s.soft_B.is_soft, 3);
    core_B = add(s.soft_B.has_core(), 1);
  }
};

// Pose and motion of a body at the end of the step; v is the velocity of its origin, at X.p.
template <class T>
struct BodyStateT {
  PoseT<T> X;
  Vec3T<T> w = Vec3T<T>::Zero(), v = Vec3T<T>::Zero();
};
using BodyState = BodyStateT<double>;

template <class T>
struct LevelT {
  T f;
  Vec3T<T> gradient;
};

inline LevelT<double> level_of(const CollisionShape& shape, int i, const Vec3& y) {
  const ImplicitValue value = implicit(shape, i, y);
  return {value.f, value.gradient};
}

// f(y + d n_f).
template <class T>
T receded(const CollisionShape& shape, int i, const Vec3T<T>& y, const LevelT<T>& at, const T& d) {
  using std::sqrt;
  const Vec3T<T> further = y + at.gradient * (d / sqrt(at.gradient.squaredNorm()));
  return level_of(shape, i, further).f;
}

// F: the conditions in the order of the unknowns z, in SI units. on_A, on_B: (moment about the body's origin,
// impulse) on the bodies.
template <class T>
void contact_conditions(const ContactSetup& s, const ContactLayout& at, const BodyStateT<T>& A,
                        const BodyStateT<T>& B, const T* z, T* F, Vec6T<T>* on_A, Vec6T<T>* on_B) {
  using std::sqrt;
  using Vec = Vec3T<T>;
  const auto vec = [z](int i) { return Vec(z[i], z[i + 1], z[i + 2]); };
  const auto put = [F](int i, const Vec& x) {
    for (int k = 0; k < 3; ++k) F[i + k] = x[k];
  };
  const Mat3T<T> R_A = A.X.R * s.X_NA.R.template cast<T>(), R_B = B.X.R * s.X_NB.R.template cast<T>();
  const Vec y_A = vec(at.y_A), y_B = vec(at.y_B);
  const Vec r_A = A.X.R * s.X_NA.p.template cast<T>() + R_A * y_A;
  const Vec r_B = B.X.R * s.X_NB.p.template cast<T>() + R_B * y_B;

  // The functions, shifted by the deflection of soft shapes.
  Vec g_A = Vec::Zero(), g_B = Vec::Zero();
  for (int i = 0; i < s.functions_A.count; ++i) {
    const int index = s.functions_A.index[i];
    const LevelT<T> level = level_of(*s.shape_A, index, y_A);
    const T f = s.soft_A.is_soft ? receded(*s.shape_A, index, y_A, level, z[at.d_A]) : level.f;
    const int place = at.l + i;
    g_A += i == 0 ? level.gradient : Vec(level.gradient * z[place]);
    F[place] = i == 0 ? f : -f + T(kNear * s.length) * z[place];
  }
  for (int j = 0; j < s.functions_B.count; ++j) {
    const int index = s.functions_B.index[j];
    const LevelT<T> level = level_of(*s.shape_B, index, y_B);
    const T f = s.soft_B.is_soft ? receded(*s.shape_B, index, y_B, level, z[at.d_B]) : level.f;
    const int place = at.l_B + j;
    g_B += level.gradient * z[place];
    F[place] = s.functions_B.count == 1 ? -f : -f + T(kNear * s.length) * z[place];
  }

  // The closest points.
  const Vec N_A = R_A * g_A, N_B = R_B * g_B;
  const T size = sqrt(N_A.squaredNorm());
  const Vec n = N_A / size;
  put(at.y_A, A.X.p + r_A - B.X.p - r_B + N_A * z[at.l]);
  const Vec moved = s.R_A0.template cast<T>() * (y_A - s.y_A0.template cast<T>());
  put(at.y_B, N_A + N_B + moved * T(kNear / s.length));

  // Signorini's condition.
  const Vec u = B.v + B.w.cross(r_B) - A.v - A.w.cross(r_A) + s.belt.template cast<T>();
  const T un = n.dot(u), p = z[at.p];
  const T phi = z[at.l] * size - T(s.target) + T(kYield * s.h / s.mass) * (p - T(s.p0));
  F[at.p] = phi;
  if (s.bounces) F[at.p] = phi / T(s.h) < un - T(s.rebound) ? phi / T(s.h) : un - T(s.rebound);

  // Friction.
  Vec impulse = n * p, moment = Vec::Zero(), friction = Vec::Zero();
  if (at.w >= 0) {
    const Mat3T<T> S = s.friction_tensor.template cast<T>();
    const Vec w = vec(at.w), Sw = S * w;
    friction = (Sw - n * n.dot(Sw)) * (T(s.mu) * p);
    impulse += friction;
    Vec slip = u - n * un;
    const auto take_shear = [&](const SoftLayer& layer, int d) {
      if (!layer.is_soft) return;
      for (int k = 1; k < 3; ++k)
        slip -= s.frame.col(k).template cast<T>() * ((z[d + k] - T(layer.d0[k])) / T(s.h));
    };
    take_shear(s.soft_A, at.d_A);
    take_shear(s.soft_B, at.d_B);
    const Vec y = w * T(1.0 - s.proximal) + s.w0.template cast<T>() * T(s.proximal) - S * slip * T(s.rho);
    Vec x = y - n * n.dot(y);
    T square = x.squaredNorm(), turned = T(0);
    if (at.turn >= 0) {
      turned = z[at.turn] * T(1.0 - s.proximal) + T(s.proximal * s.turn0) -
               T(s.rho * s.mu_t / s.mu) * n.dot(B.w - A.w);
      square += turned * turned;
      moment = n * (T(s.mu_t) * p * z[at.turn]);
    }
    const bool slips = square > T(1);
    const T length = slips ? sqrt(square) : T(1);
    put(at.w, w - x / length);
    if (at.turn >= 0) F[at.turn] = z[at.turn] - turned / length;
    F[at.slip] = z[at.slip] - (length - T(1)) / T(s.rho);
  }

  // The layers.
  const auto put_layer = [&](const SoftLayer& layer, int d, int core) {
    if (!layer.is_soft) return;
    const Vec deflection = vec(d);
    Vec held = layer.K.template cast<T>() * deflection * T(s.h) +
               layer.C.template cast<T>() * (deflection - layer.d0.template cast<T>());
    if (core >= 0) {
      held[0] += z[core];
      F[core] = T(layer.most) - deflection[0];
    }
    const Vec pushed(p, -friction.dot(s.frame.col(1).template cast<T>()),
                     -friction.dot(s.frame.col(2).template cast<T>()));
    put(d, held - pushed);
  };
  put_layer(s.soft_A, at.d_A, at.core_A);
  put_layer(s.soft_B, at.d_B, at.core_B);

  *on_B = stack<T>(r_B.cross(impulse) + moment, impulse);
  *on_A = stack<T>(-r_A.cross(impulse) - moment, -impulse);
}

}  // namespace stiction
