#include "stiction/simulation/scheme/geometric/contact_jacobian.h"

#include <cmath>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Differentials of vectors and scalars, one column for each variable.
using Vectors = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, kMostContactColumns>;
using Numbers = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, kMostContactColumns>;

// Column indices of a body.
struct BodyColumns {
  int turn, move, w, v;
};
constexpr BodyColumns kOfA = {0, 3, 6, 9}, kOfB = {12, 15, 18, 21};

// The functions of one shape: their values, and N with its differential.
struct Side {
  Vec3 r = Vec3::Zero(), N = Vec3::Zero();
  Vectors dr, dN;
};

// f(y + d n_f) and its derivatives by y and d.
struct Receded {
  Vec3 by_y = Vec3::Zero();
  double by_d = 0.0;
};
Receded receded_slopes(const CollisionShape& shape, int i, const Vec3& y, const ImplicitValue& at, double d) {
  const double size = at.gradient.norm();
  const Vec3 n = at.gradient / size;
  const Vec3 further = implicit(shape, i, y + d * n).gradient;
  // d n_f = (1 - n n') H dy / |grad f|.
  const Vec3 across = further - n * n.dot(further);
  return {further + at.hessian * across * (d / size), further.dot(n)};
}

void set_side(const CollisionShape& shape, const Pose& X_NS, const FunctionSet& functions,
              const SoftLayer& soft, const BodyColumns& columns, const BodyState& body, int y, int l,
              bool is_A, int d, double length, const double* z, Side* side, ContactJacobian* out) {
  constexpr int kZ = kMotionColumns;
  const Vec3 at(z[y], z[y + 1], z[y + 2]);
  const Mat3 R = body.X.R * X_NS.R;
  side->r = body.X.R * X_NS.p + R * at;
  Vec3 g = Vec3::Zero();
  Mat3 H = Mat3::Zero();
  for (int i = 0; i < functions.count; ++i) {
    const int index = functions.index[i], place = l + i;
    const bool is_k = is_A && i == 0, is_equation = is_k || (!is_A && functions.count == 1);
    const ImplicitValue value = implicit(shape, index, at);
    const double weight = is_k ? 1.0 : z[place], sign = is_k ? 1.0 : -1.0;
    g += weight * value.gradient;
    H += weight * value.hessian;
    if (!is_k) side->dN.col(kZ + place) = R * value.gradient;
    Receded slopes{value.gradient, 0.0};
    if (soft.is_soft) slopes = receded_slopes(shape, index, at, value, z[d]);
    out->F.block<1, 3>(place, kZ + y) = sign * slopes.by_y.transpose();
    if (soft.is_soft) out->F(place, kZ + d) = sign * slopes.by_d;
    if (!is_equation) out->F(place, kZ + place) = kNear * length;
  }
  side->N = R * g;
  side->dN.middleCols<3>(columns.turn) = -skew(side->N);
  side->dN.middleCols<3>(kZ + y) = R * H;
  side->dr.middleCols<3>(columns.turn) = -skew(side->r);
  side->dr.middleCols<3>(kZ + y) = R;
}

}  // namespace

void contact_jacobian(const ContactSetup& s, const ContactLayout& at, const BodyState& A, const BodyState& B,
                      const double* z, ContactJacobian* out) {
  constexpr int kZ = kMotionColumns;
  const int columns = kZ + at.size;
  out->F.setZero(at.size, columns);
  out->on_A.setZero(6, columns);
  out->on_B.setZero(6, columns);
  const auto vec = [z](int i) { return Vec3(z[i], z[i + 1], z[i + 2]); };

  // The functions.
  Side a, b;
  for (Side* side : {&a, &b}) {
    side->dr.setZero(3, columns);
    side->dN.setZero(3, columns);
  }
  set_side(*s.shape_A, s.X_NA, s.functions_A, s.soft_A, kOfA, A, at.y_A, at.l, true, at.d_A, s.length, z, &a,
           out);
  set_side(*s.shape_B, s.X_NB, s.functions_B, s.soft_B, kOfB, B, at.y_B, at.l_B, false, at.d_B, s.length, z,
           &b, out);
  const double l = z[at.l], size = a.N.norm();
  const Vec3 n = a.N / size;
  const Numbers dsize = n.transpose() * a.dN;
  Vectors dn = a.dN;
  dn.noalias() -= n * dsize;
  dn /= size;

  // The closest points.
  auto apart = out->F.middleRows<3>(at.y_A);
  apart = a.dr - b.dr + l * a.dN;
  apart.middleCols<3>(kOfA.move) += Mat3::Identity();
  apart.middleCols<3>(kOfB.move) -= Mat3::Identity();
  apart.col(kZ + at.l) += a.N;
  auto opposed = out->F.middleRows<3>(at.y_B);
  opposed = a.dN + b.dN;
  opposed.middleCols<3>(kZ + at.y_A) += kNear / s.length * s.R_A0;

  // Signorini's condition.
  const Vec3 u = B.v + B.w.cross(b.r) - A.v - A.w.cross(a.r) + s.belt;
  Vectors du = skew(B.w) * b.dr - skew(A.w) * a.dr;
  du.middleCols<3>(kOfB.v) += Mat3::Identity();
  du.middleCols<3>(kOfA.v) -= Mat3::Identity();
  du.middleCols<3>(kOfB.w) -= skew(b.r);
  du.middleCols<3>(kOfA.w) += skew(a.r);
  const double un = n.dot(u), p = z[at.p];
  Numbers dun = n.transpose() * du;
  dun.noalias() += u.transpose() * dn;
  const double yield = kYield * s.h / s.mass;
  if (s.bounces && !((l * size - s.target + yield * (p - s.p0)) / s.h < un - s.rebound)) {
    out->F.row(at.p) = dun;
  } else {
    const double per = s.bounces ? 1.0 / s.h : 1.0;
    out->F.row(at.p) = per * l * dsize;
    out->F(at.p, kZ + at.l) += per * size;
    out->F(at.p, kZ + at.p) += per * yield;
  }

  // Friction.
  Vec3 impulse = p * n;
  Vectors dimpulse = p * dn, dfriction;
  dimpulse.col(kZ + at.p) += n;
  Vectors dmoment;
  if (at.w >= 0) {
    const Vec3 w = vec(at.w), Sw = s.friction_tensor * w;
    const double across = n.dot(Sw);
    const Vec3 held = Sw - across * n;
    // d(P S w) = P S dw - dn (n . S w) - n (dn . S w).
    dfriction = (-s.mu * p * across) * dn;
    dfriction.noalias() -= (s.mu * p * n) * (Sw.transpose() * dn);
    dfriction.middleCols<3>(kZ + at.w) +=
        s.mu * p * (s.friction_tensor - n * (n.transpose() * s.friction_tensor));
    dfriction.col(kZ + at.p) += s.mu * held;
    dimpulse += dfriction;
    impulse += s.mu * p * held;
    // The slip.
    Vec3 slip = u - un * n;
    Vectors dslip = du - un * dn;
    dslip.noalias() -= n * dun;
    const auto take_shear = [&](const SoftLayer& layer, int d) {
      if (!layer.is_soft) return;
      for (int k = 1; k < 3; ++k) {
        slip -= s.frame.col(k) * ((z[d + k] - layer.d0[k]) / s.h);
        dslip.col(kZ + d + k) -= s.frame.col(k) / s.h;
      }
    };
    take_shear(s.soft_A, at.d_A);
    take_shear(s.soft_B, at.d_B);
    // x = P y, and about the normal.
    const Vec3 y = (1.0 - s.proximal) * w + s.proximal * s.w0 - s.rho * (s.friction_tensor * slip);
    const double along = n.dot(y);
    const Vec3 x = y - along * n;
    Vectors dx = (-s.rho) * (s.friction_tensor * dslip);
    dx.middleCols<3>(kZ + at.w) += (1.0 - s.proximal) * Mat3::Identity();
    const Numbers dalong = n.transpose() * dx + y.transpose() * dn;
    dx.noalias() -= n * dalong;
    dx -= along * dn;
    double square = x.squaredNorm(), turned = 0.0;
    Numbers dturned;
    if (at.turn >= 0) {
      const double turn = z[at.turn], rho_length = s.rho * s.mu_t / s.mu;
      turned = (1.0 - s.proximal) * turn + s.proximal * s.turn0 - rho_length * n.dot(B.w - A.w);
      square += turned * turned;
      dturned = -rho_length * ((B.w - A.w).transpose() * dn);
      dturned.segment<3>(kOfB.w) -= rho_length * n.transpose();
      dturned.segment<3>(kOfA.w) += rho_length * n.transpose();
      dturned[kZ + at.turn] += 1.0 - s.proximal;
      dmoment = (s.mu_t * p * turn) * dn;
      dmoment.col(kZ + at.p) += s.mu_t * turn * n;
      dmoment.col(kZ + at.turn) += s.mu_t * p * n;
    }
    const bool slips = square > 1.0;
    const double length = slips ? std::sqrt(square) : 1.0;
    Numbers dlength = Numbers::Zero(1, columns);
    if (slips) {
      dlength.noalias() = (x / length).transpose() * dx;
      if (at.turn >= 0) dlength += (turned / length) * dturned;
    }
    auto rows = out->F.middleRows<3>(at.w);
    rows = dx * (-1.0 / length);
    rows.noalias() += (x / (length * length)) * dlength;
    rows.middleCols<3>(kZ + at.w) += Mat3::Identity();
    if (at.turn >= 0) {
      out->F.row(at.turn) = dturned * (-1.0 / length) + (turned / (length * length)) * dlength;
      out->F(at.turn, kZ + at.turn) += 1.0;
    }
    out->F.row(at.slip) = dlength * (-1.0 / s.rho);
    out->F(at.slip, kZ + at.slip) += 1.0;
  }

  // The layers.
  const auto set_layer = [&](const SoftLayer& layer, int d, int core) {
    if (!layer.is_soft) return;
    out->F.block<3, 3>(d, kZ + d) = s.h * layer.K + layer.C;
    out->F(d, kZ + at.p) -= 1.0;
    if (at.w >= 0)
      for (int k = 1; k < 3; ++k) out->F.row(d + k) += s.frame.col(k).transpose() * dfriction;
    if (core < 0) return;
    out->F(d, kZ + core) += 1.0;
    out->F(core, kZ + d) = -1.0;
  };
  set_layer(s.soft_A, at.d_A, at.core_A);
  set_layer(s.soft_B, at.d_B, at.core_B);

  // The wrenches on the bodies.
  out->on_B.topRows<3>().noalias() = skew(b.r) * dimpulse;
  out->on_B.topRows<3>().noalias() -= skew(impulse) * b.dr;
  out->on_A.topRows<3>().noalias() = skew(impulse) * a.dr;
  out->on_A.topRows<3>().noalias() -= skew(a.r) * dimpulse;
  if (at.turn >= 0) {
    out->on_B.topRows<3>() += dmoment;
    out->on_A.topRows<3>() -= dmoment;
  }
  out->on_B.bottomRows<3>() = dimpulse;
  out->on_A.bottomRows<3>() = -dimpulse;
}

}  // namespace stiction
