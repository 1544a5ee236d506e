// The laws over a million random velocities, most of them near nonsmooth points: between stick and slip,
// where the contact opens, at zero slip.

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/math/matrix.h"
#include "test/base/fewer.h"
#include "test/contact/law_kinds.h"

namespace stiction {
namespace {

constexpr double kStep = 2e-3;  // s

// Of each law.
int trials() { return fewer(1000000, 20) / static_cast<int>(law_cases().size()) + 1; }

template <class T>
LawValue<T> evaluate(const LawCase& c, const LawParameters<T>& p, const T& vn, const T& vt2) {
  return law_value(c.law, c.elasticity, kStep, p, vn, vt2);
}

double log_uniform(Random* random, double low, double high) {
  return std::exp(random->uniform(std::log(low), std::log(high)));
}

// The numbers that a step would set for a random point of a random material.
LawParameters<double> random_numbers(const LawCase& c, Random* random) {
  ContactOptions options;
  options.law = c.law;
  options.elasticity = c.elasticity;
  const int kind = random->uniform_int(0, 2);
  options.dissipation = kind == 0   ? Dissipation::none
                        : kind == 1 ? Dissipation::hunt_crossley
                                    : Dissipation::kelvin_voigt;
  options.v_s = log_uniform(random, 1e-5, 1e-2);
  const PointState<double> at{random->uniform(-1e-3, 3e-4), random->uniform(0.05, 1.0),
                              random->uniform(-1.0, 1.0)};
  const PointMaterial<double> material{log_uniform(random, 1e2, 1e12), log_uniform(random, 1e-2, 1e3),
                                       log_uniform(random, 1e-5, 1e-1),
                                       random->uniform() < 0.05 ? 0.0 : random->uniform(0.0, 10.0)};
  return contact_row(options, kStep, at, material, log_uniform(random, 1e-3, 1e3)).numbers;
}

// Slip and normal velocity beside a boundary of the law, no nearer to it than a share `nearest`, or anywhere.
void random_velocity(const LawCase& c, const LawParameters<double>& p, double nearest, Random* random,
                     double* slip, double* vn) {
  constexpr double kBeside[] = {0.0, 1e-15, 1e-9, 1e-3};
  const double sign = random->uniform() < 0.5 ? -1.0 : 1.0;
  const double side = 1.0 + sign * std::max(nearest, kBeside[random->uniform_int(0, 3)]);
  const double inside = log_uniform(random, std::max(nearest, 1e-9), 1.0);
  *slip = random->uniform() < 0.1 ? 0.0 : log_uniform(random, 1e-9, 1.0);
  *vn = random->uniform(-1.0, 1.0) * log_uniform(random, 1e-4, 1.0);
  const double choice = random->uniform();
  if (is_projected(c.law)) {
    // Stick and slip meet where u/R_t = mu (vhat - vn)/R_n, slip and nothing where vn = vhat + mu u.
    if (choice < 0.4) {
      *vn = p.x[kBias] - inside;
      *slip = side * p.x[kMu] * p.x[kNormal] * (p.x[kBias] - *vn) / p.x[kTangential];
    } else if (choice < 0.8) {
      *vn = side * (p.x[kBias] + p.x[kMu] * *slip);
    }
    return;
  }
  const double v_break = std::clamp(p.x[kBreak], -10.0, 10.0);
  const double soft_norm = std::sqrt(*slip * *slip + p.x[kEpsilon] * p.x[kEpsilon]) - p.x[kEpsilon];
  const double glide = slip_opens(c.law) ? p.x[kFriction] * soft_norm : 0.0;
  if (choice < 0.4) {
    *vn = side * (v_break + glide);
  } else if (choice < 0.8) {
    *vn = v_break + glide - inside;
    *slip *= p.x[kEpsilon];  // where friction turns from stiff to saturated
  }
}

TEST(ContactLaw, IsConvexAtAMillionVelocitiesMostlyOnItsBoundaries) {
  Random random(21);
  const int most = trials();
  for (const LawCase& c : law_cases()) {
    SCOPED_TRACE(c.name);
    for (int trial = 0; trial < most; ++trial) {
      const LawParameters<double> p = random_numbers(c, &random);
      double slip = 0.0, vn = 0.0;
      random_velocity(c, p, 0.0, &random, &slip, &vn);
      const LawValue<double> value = evaluate(c, p, vn, slip * slip);
      // G (without the term f of laws without a cost) in the axes (across the slip, along it, normal) is a
      // and a 2 x 2 block.
      const double tt = value.a + value.b * slip * slip, tn = value.e * slip, nn = value.c;
      const double middle = 0.5 * (tt + nn), radius = std::hypot(0.5 * (tt - nn), tn);
      const double largest = std::max(value.a, middle + radius);
      ASSERT_GE(value.a, -1e-12 * largest);
      ASSERT_GE(middle - radius, -1e-12 * largest) << "slip " << slip << " vn " << vn;
      ASSERT_LE(value.gt, 0.0);  // friction opposes slip
      ASSERT_GE(value.gn, 0.0);  // nothing sticks
    }
  }
}

TEST(ContactLaw, HasTheDerivativesOfDualNumbersAtAMillionVelocities) {
  Random random(22);
  const int most = trials();
  for (const LawCase& c : law_cases()) {
    SCOPED_TRACE(c.name);
    for (int trial = 0; trial < most; ++trial) {
      const LawParameters<double> p = random_numbers(c, &random);
      double slip = 0.0, vn = 0.0;
      random_velocity(c, p, 1e-3, &random, &slip, &vn);  // away from nonsmooth points
      const double angle = random.uniform(0.0, 6.283);
      const Vec3 v(slip * std::cos(angle), slip * std::sin(angle), vn);
      LawParameters<Dual> as_dual;
      for (int i = 0; i < kLawParameters; ++i) as_dual.x[i] = p.x[i];
      const double vt2 = v.x() * v.x() + v.y() * v.y();
      // No slip at all: sap takes a root there that has no derivative; the Hessian is checked on either side.
      if (is_projected(c.law) && vt2 == 0.0) continue;
      const LawValue<double> value = evaluate(c, p, v.z(), vt2);
      const Vec3 gamma(value.gt * v.x(), value.gt * v.y(), value.gn);
      const Vec3 n = Vec3::UnitZ(), t(v.x(), v.y(), 0.0);
      const Mat3 G = value.a * (Mat3::Identity() - n * n.transpose()) + value.b * t * t.transpose() +
                     value.c * n * n.transpose() + value.e * (t * n.transpose() + n * t.transpose()) +
                     value.f * t * n.transpose();
      // What gradient and Hessian are made of, before terms cancel near the break: those of a deeper point.
      const LawValue<double> deeper = evaluate(c, p, v.z() - std::abs(v.z()) - 1e-6, vt2);
      const double slope = std::max(value.a, deeper.a) * t.norm();
      const double terms = slope + std::max(value.gn, deeper.gn);
      const double entries = std::max(value.a, deeper.a) + std::max(value.c, deeper.c) +
                             std::abs(value.b) * vt2 + (std::abs(value.e) + std::abs(deeper.f)) * t.norm();
      for (int i = 0; i < 3; ++i) {
        Vec3T<Dual> x = v.cast<Dual>();
        x[i].derivative = 1.0;
        const LawValue<Dual> moved = evaluate<Dual>(c, as_dual, x.z(), x.x() * x.x() + x.y() * x.y());
        // On a boundary the two may round to either side of it.
        if ((moved.gn.value > 0.0) != (value.gn > 0.0) || (moved.e.value == 0.0) != (value.e == 0.0))
          continue;
        const Vec3T<Dual> moved_gamma(moved.gt * x.x(), moved.gt * x.y(), moved.gn);
        if (has_cost(c.law)) {
          ASSERT_NEAR(-moved.cost.derivative, gamma[i], 1e-10 * std::max(terms, 1e-12)) << v.transpose();
        }
        for (int j = 0; j < 3; ++j)
          ASSERT_NEAR(-moved_gamma[j].derivative, G(j, i), 1e-10 * std::max(entries, 1e-12)) << v.transpose();
      }
    }
  }
}

}  // namespace
}  // namespace stiction
