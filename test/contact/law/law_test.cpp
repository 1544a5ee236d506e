#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/math/matrix.h"
#include "test/base/fewer.h"
#include "test/contact/law_kinds.h"

namespace stiction {
namespace {

constexpr double kStep = 2e-3;  // s

template <class T>
LawValue<T> value_of(const LawCase& c, const LawParameters<T>& p, const T& vn, const T& vt2) {
  return law_value(c.law, c.elasticity, kStep, p, vn, vt2);
}

double uniform(Random* random, double low, double high) { return low + (high - low) * random->uniform(); }
double log_uniform(Random* random, double low, double high) {
  return std::exp(uniform(random, std::log(low), std::log(high)));
}

// Numbers of a point as a step would set them: any stiffness, any dissipation, touching or not yet.
LawParameters<double> random_numbers(const LawCase& law, Random* random) {
  LawParameters<double> p{};
  const double h = kStep, k = log_uniform(random, 1e2, 1e9), phi = uniform(random, -1e-3, 1e-3);
  const double mu = uniform(random, 0.0, 2.0);
  if (is_projected(law.law)) {
    const double tau = log_uniform(random, 1e-5, 1e-1), Rt = log_uniform(random, 1e-5, 1e-2);
    const double Rn = 1.0 / (h * k * (h + tau));
    p.x[kBias] = -phi / (h + tau);
    p.x[kNormal] = 1.0 / Rn;
    p.x[kTangential] = 1.0 / Rt;
    p.x[kMu] = mu;
    p.x[kSliding] = 1.0 / (Rn * (1.0 + mu * mu * Rt / Rn));
    return p;
  }
  p.x[kHuntCrossley] = random->uniform() < 0.3 ? 0.0 : log_uniform(random, 1e-2, 1e3);
  if (law.elasticity == Elasticity::hertz) {
    p.x[kJ0] = -phi;
    p.x[kSlope] = h * k;
    p.x[kBreak] = std::min(-phi / h, p.x[kHuntCrossley] > 0.0 ? 1.0 / p.x[kHuntCrossley] : kNeverBreaks);
  } else {
    const double damping = random->uniform() < 0.5 ? 0.0 : k * log_uniform(random, 1e-5, 1e-2);
    p.x[kJ0] = -h * k * phi;
    p.x[kSlope] = h * (h * k + damping);
    p.x[kBreak] = linear_break_velocity(p.x[kJ0], p.x[kSlope], p.x[kHuntCrossley]);
  }
  p.x[kFriction] = mu * (takes_mu(law_row(law.law).point) ? 1.0 : log_uniform(random, 1e-6, 10.0));
  p.x[kEpsilon] = log_uniform(random, 1e-5, 1e-2);
  return p;
}

Vec3 random_velocity(const LawParameters<double>& p, const LawCase& law, Random* random) {
  const double slip = log_uniform(random, 1e-6, 1.0), angle = uniform(random, 0.0, 6.283);
  double vn = uniform(random, -1.0, 1.0) * log_uniform(random, 1e-4, 1.0);
  // Half of them near where the law changes its mind.
  if (random->uniform() < 0.5) vn += is_projected(law.law) ? p.x[kBias] : std::clamp(p.x[kBreak], -1.0, 1.0);
  return {slip * std::cos(angle), slip * std::sin(angle), vn};
}

LawParameters<Dual> as_dual(const LawParameters<double>& p) {
  LawParameters<Dual> out;
  for (int i = 0; i < kLawParameters; ++i) out.x[i] = p.x[i];
  return out;
}

// Impulse and Hessian with n = z.
Vec3 impulse(const LawValue<double>& value, const Vec3& v) {
  return {value.gt * v.x(), value.gt * v.y(), value.gn};
}
Mat3 hessian(const LawValue<double>& value, const Vec3& v) {
  const Vec3 n = Vec3::UnitZ(), t(v.x(), v.y(), 0.0);
  return value.a * (Mat3::Identity() - n * n.transpose()) + value.b * t * t.transpose() +
         value.c * n * n.transpose() + value.e * (t * n.transpose() + n * t.transpose()) +
         value.f * t * n.transpose();
}

TEST(ContactLaw, ImpulseIsMinusTheGradientOfTheCostAndTheHessianMinusTheGradientOfTheImpulse) {
  for (const LawCase& law : law_cases()) {
    Random random(1);
    SCOPED_TRACE(law.name);
    for (int trial = 0; trial < fewer(20000, 20); ++trial) {
      const LawParameters<double> p = random_numbers(law, &random);
      const Vec3 v = random_velocity(p, law, &random);
      const LawValue<double> value = value_of(law, p, v.z(), v.x() * v.x() + v.y() * v.y());
      const Vec3 gamma = impulse(value, v);
      const Mat3 G = hessian(value, v);
      // What the impulse is made of before terms cancel where the contact opens: that of a deeper point, to
      // which round-off is relative (as in law_boundaries_test.cpp).
      const double slip = std::hypot(v.x(), v.y());
      const LawValue<double> deeper = value_of(law, p, v.z() - std::abs(v.z()) - 1e-6, slip * slip);
      const double terms = std::max(value.a, deeper.a) * slip + std::max(value.gn, deeper.gn);
      for (int i = 0; i < 3; ++i) {
        Vec3T<Dual> x = v.cast<Dual>();
        x[i].derivative = 1.0;
        const LawValue<Dual> moved = value_of<Dual>(law, as_dual(p), x.z(), x.x() * x.x() + x.y() * x.y());
        const Vec3T<Dual> moved_gamma(moved.gt * x.x(), moved.gt * x.y(), moved.gn);
        if (has_cost(law.law)) {
          ASSERT_NEAR(-moved.cost.derivative, gamma[i], 1e-10 * std::max(terms, 1e-12));
        }
        for (int j = 0; j < 3; ++j)
          ASSERT_NEAR(-moved_gamma[j].derivative, G(j, i), 1e-10 * std::max(G.norm(), 1e-12));
      }
    }
  }
}

TEST(ContactLaw, CostIsConvexOnEitherSideOfStickSlipAndBreak) {
  for (const LawCase& law : law_cases()) {
    Random random(2);
    if (!has_cost(law.law)) continue;
    SCOPED_TRACE(law.name);
    for (int trial = 0; trial < fewer(200000, 20); ++trial) {
      const LawParameters<double> p = random_numbers(law, &random);
      const Vec3 v = random_velocity(p, law, &random);
      const Mat3 G = hessian(value_of(law, p, v.z(), v.x() * v.x() + v.y() * v.y()), v);
      Eigen::SelfAdjointEigenSolver<Mat3> eigen;
      eigen.computeDirect(G, Eigen::EigenvaluesOnly);
      // computeDirect is good to about 1e-8 of the largest where eigenvalues meet; doubtful cases are redone.
      if (eigen.eigenvalues()[0] >= -1e-12 * eigen.eigenvalues()[2]) continue;
      eigen.compute(G, Eigen::EigenvaluesOnly);
      ASSERT_GE(eigen.eigenvalues()[0], -1e-12 * eigen.eigenvalues()[2]);
    }
  }
}

TEST(ContactLaw, GivesFourPointsAtOnceWhatItGivesEachAlone) {
  for (const LawCase& law : law_cases()) {
    Random random(3);
    SCOPED_TRACE(law.name);
    for (int trial = 0; trial < 1000; ++trial) {
      LawParameters<simd::Pack> p;
      simd::Pack vn, vt2;
      LawValue<double> alone[4];
      for (int l = 0; l < 4; ++l) {
        const LawParameters<double> q = random_numbers(law, &random);
        const Vec3 v = random_velocity(q, law, &random);
        for (int i = 0; i < kLawParameters; ++i) p.x[i][l] = q.x[i];
        vn[l] = v.z();
        vt2[l] = v.x() * v.x() + v.y() * v.y();
        alone[l] = value_of(law, q, vn[l], vt2[l]);
      }
      const LawValue<simd::Pack> all = value_of<simd::Pack>(law, p, vn, vt2);
      for (int l = 0; l < 4; ++l) {
        // Fused multiply-adds may round once where the scalar code rounds twice.
        const auto same = [](double a, double b, double scale) { return std::abs(a - b) <= 1e-13 * scale; };
        ASSERT_TRUE(same(all.gn[l], alone[l].gn, std::abs(alone[l].gn) + 1e-15));
        ASSERT_TRUE(same(all.gt[l], alone[l].gt, std::abs(alone[l].gt) + 1e-15));
        ASSERT_TRUE(same(all.c[l], alone[l].c, std::abs(alone[l].c) + 1e-15));
        ASSERT_TRUE(same(all.f[l], alone[l].f, std::abs(alone[l].f) + 1e-15));
      }
    }
  }
}

TEST(HuntCrossley, ImpulseIsTheForceLawTimesTheStep) {
  const double k = 1e5, d = 3.0, phi = -1e-4, h = kStep;
  for (const double v : {-0.5, -0.01, 0.0, 0.02, 0.04}) {
    const double j0 = -h * k * phi, s = h * h * k;
    const double force = k * std::max(-(phi + h * v), 0.0) * std::max(1.0 - d * v, 0.0);
    EXPECT_NEAR(linear_normal_impulse(j0, s, d, linear_break_velocity(j0, s, d), v).n, h * force, 1e-14);
  }
}

TEST(HuntCrossley, IsAForceThatDistanceDoesNotChangeWhereTheStiffnessIsZero) {
  const double j0 = 0.02, v_break = linear_break_velocity(j0, 0.0, 0.0);
  EXPECT_EQ(linear_normal_impulse(j0, 0.0, 0.0, v_break, -3.0).n, j0);
  EXPECT_EQ(linear_normal_impulse(j0, 0.0, 0.0, v_break, 3.0).n, j0);
}

TEST(Sap, SticksWithTheComplianceOfItsRegularisationAndSlidesOnTheCone) {
  LawParameters<double> p{};
  const double Rn = 1e-3, Rt = 1e-4, mu = 0.5;
  p.x[kNormal] = 1.0 / Rn;
  p.x[kTangential] = 1.0 / Rt;
  p.x[kMu] = mu;
  p.x[kSliding] = 1.0 / (Rn * (1.0 + mu * mu * Rt / Rn));
  const LawValue<double> sticks = sap(SapParameters<double>::from(p), -0.1, 1e-8);
  EXPECT_NEAR(sticks.gn, 0.1 / Rn, 1e-12);
  EXPECT_NEAR(sticks.gt * 1e-4, -1e-4 / Rt, 1e-12);
  const double slip = 0.3;
  const LawValue<double> slides = sap(SapParameters<double>::from(p), -0.1, slip * slip);
  EXPECT_NEAR(-slides.gt * slip, mu * slides.gn, 1e-12);
  // S V-A: the normal impulse in sliding, with its spurious mu |vt|.
  EXPECT_NEAR(slides.gn, (0.1 + mu * slip) / Rn / (1.0 + mu * mu * Rt / Rn), 1e-9);
}

}  // namespace
}  // namespace stiction
