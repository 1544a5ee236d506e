// The barriers of I IX against their formulas, written out here in long double, and against differences.

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/contact/law/compliant_laws.h"

namespace stiction {
namespace {

constexpr double kStep = 2e-3;  // s
constexpr Elasticity kBarriers[] = {Elasticity::log_barrier, Elasticity::ipc_barrier};

struct Formula {
  long double energy, force;
};
Formula formula(Elasticity elasticity, double kappa, double dh, double at) {
  const long double phi = at, near = std::min<long double>(at, dh), D = dh - near, x = near / dh;
  if (elasticity == Elasticity::log_barrier) return {-kappa * std::log(phi / dh), kappa / phi};
  return {-kappa * D * D * std::log(x), kappa * D * (D / near - 2.0L * std::log(x))};
}

double log_uniform(Random* random, double low, double high) {
  return std::exp(random->uniform(std::log(low), std::log(high)));
}

NormalImpulse<double> impulse(Elasticity elasticity, double phi0, double kappa, double d, double dh,
                              double v) {
  return elasticity == Elasticity::log_barrier
             ? barrier_normal_impulse<Elasticity::log_barrier>(phi0, kappa, d, dh, v, kStep)
             : barrier_normal_impulse<Elasticity::ipc_barrier>(phi0, kappa, d, dh, v, kStep);
}

TEST(Barrier, ForceAndPotentialAreThoseOfTheFormulas) {
  Random random(1);
  for (const Elasticity elasticity : kBarriers) {
    for (int trial = 0; trial < 10000; ++trial) {
      const double kappa = log_uniform(&random, 1e-6, 1e8), dh = log_uniform(&random, 1e-4, 1e-2);
      const double phi = dh * log_uniform(&random, 1e-6, 1.5);
      const Formula expected = formula(elasticity, kappa, dh, phi);
      const ElasticForce<double> force = elastic_force(elasticity, kappa, dh, phi);
      ASSERT_NEAR(force.force, double(expected.force), 1e-12 * double(expected.force));
      ASSERT_NEAR(force.energy, double(expected.energy), 1e-12 * std::abs(double(expected.energy)));
    }
  }
}

TEST(Barrier, ForceIsMinusTheSlopeOfThePotentialOfEveryElasticity) {
  // Central differences with a step of 1e-4 of the distance: (1e-4)^2 for the third derivative.
  for (const Elasticity elasticity :
       {Elasticity::linear, Elasticity::hertz, Elasticity::log_barrier, Elasticity::ipc_barrier}) {
    const double k = 1e5, dh = 1e-3;
    for (const double share : {0.9, 0.5, 0.1, 0.01}) {
      const double phi = (is_barrier(elasticity) ? 1.0 : -1.0) * share * dh, e = 1e-4 * share * dh;
      const auto at = [&](double x) { return elastic_force(elasticity, k, dh, x); };
      EXPECT_NEAR((at(phi - e).energy - at(phi + e).energy) / (2.0 * e), at(phi).force, 1e-6 * at(phi).force);
      EXPECT_NEAR((at(phi + e).force - at(phi - e).force) / (2.0 * e), at(phi).slope,
                  1e-6 * std::abs(at(phi).slope));
    }
  }
}

TEST(Barrier, ImpulseIsTheForceLawTimesTheStep) {
  Random random(2);
  for (const Elasticity elasticity : kBarriers) {
    for (int trial = 0; trial < 10000; ++trial) {
      const double kappa = log_uniform(&random, 1e-6, 1e8), dh = log_uniform(&random, 1e-4, 1e-2);
      const double phi0 = dh * log_uniform(&random, 1e-3, 2.0), phi = dh * log_uniform(&random, 1e-3, 1.5);
      const double d = random.uniform() < 0.3 ? 0.0 : log_uniform(&random, 1e-2, 1e3);
      const double v = (phi - phi0) / kStep;
      const long double damping = std::max(0.0L, 1.0L - (long double)d * v);
      const long double expected = kStep * formula(elasticity, kappa, dh, phi).force * damping;
      // v carries phi to its round-off relative to phi0, at most 2000 times phi here.
      ASSERT_NEAR(impulse(elasticity, phi0, kappa, d, dh, v).n, double(expected),
                  1e-12 * (double(expected) + kStep * kappa / dh * 1e-9));
    }
  }
}

TEST(Barrier, SlopeAndCostOfTheImpulseAreThoseOfItsDifferences) {
  for (const Elasticity elasticity : kBarriers) {
    for (const double d : {0.0, 50.0}) {
      const double kappa = elasticity == Elasticity::log_barrier ? 1e-4 : 1e6, dh = 1e-3, phi0 = 2e-3;
      for (const double phi : {0.8e-3, 1e-4, 1e-5, -1e-6}) {  // the last one beyond the floor
        const double v = (phi - phi0) / kStep, e = 1e-4 * std::abs(phi) / kStep;
        const auto at = [&](double u) { return impulse(elasticity, phi0, kappa, d, dh, u); };
        const auto here = at(v);
        EXPECT_NEAR((at(v + e).n - at(v - e).n) / (2.0 * e), here.slope, 1e-6 * std::abs(here.slope));
        EXPECT_NEAR((at(v + e).N - at(v - e).N) / (2.0 * e), here.n, 1e-6 * here.n);
        EXPECT_LT(here.slope, 0.0);
      }
    }
  }
}

TEST(Barrier, IsZeroBeyondItsDistanceAndWhereDissipationEndsIt) {
  EXPECT_EQ(impulse(Elasticity::ipc_barrier, 0.9e-3, 1e6, 0.0, 1e-3, 0.1).n, 0.0);
  for (const Elasticity elasticity : kBarriers) {
    const auto beyond = impulse(elasticity, 1e-5, 1.0, 50.0, 1e-3, 0.021);  // 1/d = 0.02 m/s
    EXPECT_EQ(beyond.n, 0.0);
    EXPECT_EQ(beyond.slope, 0.0);
    EXPECT_GT(impulse(elasticity, 1e-5, 1.0, 50.0, 1e-3, 0.019).n, 0.0);
  }
}

TEST(Barrier, GivesFourPointsAtOnceWhatItGivesEachAlone) {
  Random random(3);
  for (const Elasticity elasticity : kBarriers) {
    for (const LawKind law : {LawKind::icf_lagged, LawKind::icf_similar}) {
      for (int trial = 0; trial < 1000; ++trial) {
        LawParameters<simd::Pack> p;
        simd::Pack vn, vt2;
        LawValue<double> alone[4];
        for (int l = 0; l < 4; ++l) {
          // Half of the points overlap and take the linear law.
          const bool overlaps = random.uniform() < 0.5;
          const double dh = 1e-3, phi0 = dh * log_uniform(&random, 1e-2, 2.0), s = 40.0;
          const IcfParameters<double> one = {overlaps ? s * 1e-3 / kStep : phi0,
                                             overlaps ? -s : log_uniform(&random, 1e-4, 1e4),
                                             0.0,
                                             overlaps ? 1e-3 / kStep : dh,
                                             random.uniform(0.0, 1.0),
                                             1e-4};
          for (int i = 0; i < kLawParameters; ++i) p.x[i][l] = one.stored().x[i];
          vn[l] = random.uniform(-0.9, 0.5) * phi0 / kStep;
          vt2[l] = log_uniform(&random, 1e-12, 1e-8);
          alone[l] = law_value(law, elasticity, kStep, one.stored(), double(vn[l]), double(vt2[l]));
        }
        const LawValue<simd::Pack> all = law_value(law, elasticity, kStep, p, vn, vt2);
        for (int l = 0; l < 4; ++l) {
          // Fused multiply-adds may round once where the scalar code rounds twice.
          ASSERT_NEAR(all.gn[l], alone[l].gn, 1e-12 * (std::abs(alone[l].gn) + 1e-6));
          ASSERT_NEAR(all.c[l], alone[l].c, 1e-12 * (std::abs(alone[l].c) + 1e-6));
          ASSERT_NEAR(all.cost[l], alone[l].cost, 1e-12 * (std::abs(alone[l].cost) + 1e-6));
        }
      }
    }
  }
}

}  // namespace
}  // namespace stiction
