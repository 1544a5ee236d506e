#include "stiction/constraint/contact_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/math/matrix.h"
#include "test/contact/law_kinds.h"

namespace stiction {
namespace {

// Everything that the impulse of one point depends on, beside its velocity.
enum Parameter {
  kPhi0,
  kVn0,
  kStiffness,
  kDissipation,
  kRelaxation,
  kFrictionOf,
  kVs,
  kInverseMass,
  kBarrierDistance,
  kCount
};
constexpr const char* kNames[kCount] = {"phi0", "vn0", "k", "d", "tau", "mu", "v_s", "w", "dh"};

struct Case {
  LawKind law;
  Elasticity elasticity;
  Dissipation dissipation;
};

constexpr Case kCases[] = {
    {LawKind::icf_lagged, Elasticity::linear, Dissipation::hunt_crossley},
    {LawKind::icf_lagged, Elasticity::linear, Dissipation::kelvin_voigt},
    {LawKind::icf_lagged, Elasticity::linear, Dissipation::none},
    {LawKind::icf_lagged, Elasticity::hertz, Dissipation::hunt_crossley},
    {LawKind::icf_coupled, Elasticity::linear, Dissipation::hunt_crossley},
    {LawKind::icf_coupled, Elasticity::linear, Dissipation::kelvin_voigt},
    {LawKind::icf_coupled, Elasticity::hertz, Dissipation::hunt_crossley},
    {LawKind::icf_lagged_plain, Elasticity::linear, Dissipation::hunt_crossley},
    {LawKind::icf_similar, Elasticity::linear, Dissipation::hunt_crossley},
    {LawKind::icf_similar, Elasticity::linear, Dissipation::kelvin_voigt},
    {LawKind::icf_similar, Elasticity::hertz, Dissipation::hunt_crossley},
    {LawKind::icf_similar_regularised, Elasticity::linear, Dissipation::hunt_crossley},
    {LawKind::icf_similar_regularised, Elasticity::hertz, Dissipation::hunt_crossley},
    {LawKind::sap, Elasticity::linear, Dissipation::kelvin_voigt},
};

// These act from a distance.
constexpr Case kBarrierCases[] = {
    {LawKind::icf_lagged, Elasticity::log_barrier, Dissipation::hunt_crossley},
    {LawKind::icf_lagged, Elasticity::ipc_barrier, Dissipation::hunt_crossley},
    {LawKind::icf_coupled, Elasticity::log_barrier, Dissipation::hunt_crossley},
    {LawKind::icf_coupled, Elasticity::ipc_barrier, Dissipation::none},
    {LawKind::icf_similar, Elasticity::log_barrier, Dissipation::none},
    {LawKind::icf_similar, Elasticity::ipc_barrier, Dissipation::hunt_crossley},
};

constexpr double kStep = 2e-3;  // s

// The impulse on B with n = z, through the numbers that the law reads. v_s is the one number that the options
// hold as a double: it enters the law as eps where nothing larger takes its place.
template <class T>
Vec3T<T> impulse(const Case& c, const T (&x)[kCount], const Vec3& v) {
  ContactOptions options;
  options.law = c.law;
  options.elasticity = c.elasticity;
  options.dissipation = c.dissipation;
  options.v_s = 0.0;
  PointState<T> at{x[kPhi0], constant<T>(0.25), x[kVn0]};
  PointMaterial<T> material{x[kStiffness],  x[kDissipation],  x[kRelaxation],
                            x[kFrictionOf], constant<T>(0.0), x[kBarrierDistance]};
  PointRow<T> row = contact_row(options, kStep, at, material, x[kInverseMass]);
  const T vn = constant<T>(v.z()), vt2 = constant<T>(v.x() * v.x() + v.y() * v.y());
  if (c.law != LawKind::sap) row.numbers.x[kEpsilon] = maximum(row.numbers.x[kEpsilon], x[kVs]);
  const LawValue<T> value = law_value(c.law, c.elasticity, kStep, row.numbers, vn, vt2);
  return {value.gt * T(v.x()), value.gt * T(v.y()), value.gn};
}

TEST(ContactRow, ImpulseHasTheDerivativesOfCentralDifferencesInEveryParameter) {
  Random random(11);
  std::vector<Case> cases(std::begin(kCases), std::end(kCases));
  cases.insert(cases.end(), std::begin(kBarrierCases), std::end(kBarrierCases));
  for (const Case& c : cases) {
    int compared = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      double x[kCount];
      x[kPhi0] = random.uniform(-2e-3, 5e-4);
      x[kVn0] = random.uniform(-0.3, 0.3);
      x[kStiffness] = std::exp(random.uniform(std::log(1e3), std::log(1e7)));
      x[kDissipation] = random.uniform(0.1, 20.0);
      x[kRelaxation] = random.uniform(1e-4, 1e-2);
      x[kFrictionOf] = random.uniform(0.1, 1.5);
      x[kVs] = std::exp(random.uniform(std::log(1e-5), std::log(1e-2)));
      x[kInverseMass] = random.uniform(0.1, 10.0);
      x[kBarrierDistance] = 1e-3;
      if (is_barrier(c.elasticity)) x[kPhi0] = random.uniform(-5e-4, 2e-3);
      const Vec3 v(0.1 * random.normal(), 0.1 * random.normal(), 0.3 * random.normal());
      for (int i = 0; i < kCount; ++i) {
        Dual seeded[kCount];
        for (int j = 0; j < kCount; ++j) seeded[j] = x[j];
        seeded[i].derivative = 1.0;
        const Vec3T<Dual> gamma = impulse<Dual>(c, seeded, v);
        const auto moved = [&](double by) {
          double y[kCount];
          for (int j = 0; j < kCount; ++j) y[j] = x[j];
          y[i] += by;
          return Vec3(impulse<double>(c, y, v));
        };
        // Steps of 1e-6 and twice that: where the two differences disagree, a kink lies between them.
        const double step = 1e-6 * std::max(std::abs(x[i]), 1e-4);
        const Vec3 difference = (moved(step) - moved(-step)) / (2.0 * step);
        const Vec3 wider = (moved(2.0 * step) - moved(-2.0 * step)) / (4.0 * step);
        const Vec3 derivative(gamma.x().derivative, gamma.y().derivative, gamma.z().derivative);
        const double value = moved(0.0).norm();
        // Round-off 1e-16 over the relative step 1e-6, and truncation 1e-12 times the third derivative.
        const double size = std::max(derivative.norm(), value / std::max(std::abs(x[i]), 1e-4));
        if ((difference - wider).norm() > 1e-7 * size) continue;
        ++compared;
        ASSERT_LT((derivative - difference).norm(), 1e-6 * size + 1e-18)
            << static_cast<int>(c.law) << " " << kNames[i] << " " << derivative.transpose() << " : "
            << difference.transpose();
      }
    }
    EXPECT_GT(compared, 0.97 * 2000 * static_cast<int>(kCount));
  }
}

TEST(ContactRow, OfEveryCompliantLawIsAmongTheCasesOfTheseTests) {
  for (const LawKind law : compliant_laws()) {
    const auto is_of_law = [law](const Case& c) { return c.law == law; };
    EXPECT_TRUE(std::any_of(std::begin(kCases), std::end(kCases), is_of_law)) << name_of(law);
  }
}

TEST(ContactRow, HasNoFrictionAndNoForceBeforeItTouches) {
  // A speculative point 1 mm away at rest: it acts only once it closes faster than phi/h.
  for (const Case& c : kCases) {
    double x[kCount] = {1e-3, 0.0, 1e6, 10.0, 1e-3, 0.5, 1e-4, 1.0, 1e-3};
    EXPECT_EQ(impulse<double>(c, x, Vec3(0.2, 0.0, -0.2)).z(), 0.0);
    if (law_row(c.law).sliding_gap != SlidingGapTime::none) continue;  // mu |vt| closes the gap too
    EXPECT_EQ(impulse<double>(c, x, Vec3(0.2, 0.0, -0.2)).norm(), 0.0);
    double coming[kCount] = {1e-3, -0.2, 1e6, 10.0, 1e-3, 0.5, 1e-4, 1.0};
    EXPECT_EQ(impulse<double>(c, coming, Vec3(0.2, 0.0, -0.2)).norm(), 0.0);
    EXPECT_GT(impulse<double>(c, x, Vec3(0.2, 0.0, -0.6)).z(), 0.0);
  }
}

TEST(ContactRow, OfTheRegularisedLawsSoftensFrictionWithTheImpulseAtTheStart) {
  // I eq. 26 and section XII-A: eps = max(v_s, sigma w mu n0), n0 = h k overlap (1 - d vn0).
  constexpr double k = 1e5, d = 2.0, mu = 0.7, w = 3.0, overlap = 1e-3, vn0 = -0.1;
  const double n0 = kStep * k * overlap * (1.0 - d * vn0);
  for (const double sigma : {1e-6, 1e-2}) {
    ContactOptions options;
    options.sigma = sigma;
    const PointState<double> at{-overlap, 1.0, vn0};
    const PointMaterial<double> material{k, d, 0.0, mu};
    const auto epsilon = [&](LawKind law) {
      options.law = law;
      return contact_row(options, kStep, at, material, w).numbers.x[kEpsilon];
    };
    const double regularised = std::max(options.v_s, sigma * w * mu * n0);
    EXPECT_DOUBLE_EQ(epsilon(LawKind::icf_lagged), regularised);
    EXPECT_DOUBLE_EQ(epsilon(LawKind::icf_similar_regularised), regularised);
    EXPECT_EQ(epsilon(LawKind::icf_lagged_plain), options.v_s);
    EXPECT_EQ(epsilon(LawKind::icf_similar), options.v_s);
    EXPECT_EQ(epsilon(LawKind::icf_coupled), options.v_s);
    // Only the larger one shows the difference.
    EXPECT_EQ(regularised > options.v_s, sigma == 1e-2);
  }
}

TEST(ContactRow, SaysWhereTheNearRigidRuleOfSapOverridesTheStiffness) {
  // w/(4 pi^2) against 1/(h k (h + tau)): the border lies at k = 4 pi^2/(w h (h + tau)).
  const double w = 2.0, tau = 1e-3, border = 4.0 * 9.8696044010893586 / (w * kStep * (kStep + tau));
  ContactOptions options;
  options.law = LawKind::sap;
  for (const double factor : {0.99, 1.01}) {
    PointMaterial<double> material{factor * border, 0.0, tau, 0.5};
    const PointRow<double> row =
        contact_row(options, kStep, PointState<double>{-1e-4, 1.0, 0.0}, material, w);
    EXPECT_EQ(row.is_near_rigid, factor > 1.0);
    const double Rn = 1.0 / row.numbers.x[kNormal];
    EXPECT_NEAR(Rn, std::max(w / (4.0 * 9.8696044010893586), 1.0 / (kStep * factor * border * (kStep + tau))),
                1e-12 * Rn);
  }
}

TEST(ContactRow, SoftensFrictionOfIcfLaggedInImpactsAlone) {
  // I eq. 26: eps = max(v_s, sigma w mu n0).
  ContactOptions options;
  const PointMaterial<double> material{1e6, 0.0, 0.0, 0.8};
  for (const double overlap : {1e-6, 1e-2}) {
    const PointRow<double> row =
        contact_row(options, kStep, PointState<double>{-overlap, 1.0, 0.0}, material, 3.0);
    const double n0 = kStep * 1e6 * overlap;
    EXPECT_DOUBLE_EQ(row.numbers.x[kEpsilon], std::max(1e-4, 1e-3 * 3.0 * 0.8 * n0));
    EXPECT_DOUBLE_EQ(row.numbers.x[kFriction], 0.8 * n0);
  }
}

}  // namespace
}  // namespace stiction
