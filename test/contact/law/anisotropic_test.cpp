#include "stiction/contact/law/anisotropic.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/contact/newton/newton.h"
#include "test/contact/law_kinds.h"
#include "test/contact/one_body_problem.h"

namespace stiction {
namespace {

Vec3 random_vector(Random* random) { return {random->normal(), random->normal(), random->normal()}; }

// One free body of unit inertia, touched by the world in its centre.
ContactProblem one_point(LawKind law, const Vec3& n, Random* random) {
  ContactProblem problem = one_body_problem({.normal = n, .law = law});
  const double h = problem.h, k = 1e5, phi = random->uniform(-1e-3, 3e-4), mu = random->uniform(0.1, 1.5);
  const double Rn = 1.0 / (h * k * h), Rt = 1e-3;
  double numbers[kLawParameters] = {-h * k * phi, h * h * k, 2.0, 0.0, mu, 1e-3};
  numbers[kBreak] = linear_break_velocity(numbers[kJ0], numbers[kSlope], numbers[kHuntCrossley]);
  // Lagged laws have mu times the normal impulse of the step before there.
  if (law_row(law).sliding_gap == SlidingGapTime::none) numbers[kFriction] *= 0.1;
  if (law == LawKind::sap) {
    numbers[kBias] = -phi / h;
    numbers[kNormal] = 1.0 / Rn;
    numbers[kTangential] = 1.0 / Rt;
    numbers[kMu] = mu;
    numbers[kSliding] = 1.0 / (Rn + mu * mu * Rt);
  }
  for (int i = 0; i < kLawParameters; ++i) problem.law_parameters[i][0] = numbers[i];
  return problem;
}

template <class T>
LawValue<T> value_at(const ContactProblem& problem, const T& vn, const T& vt2) {
  LawParameters<T> numbers;
  for (int i = 0; i < kLawParameters; ++i) numbers.x[i] = constant<T>(problem.law_parameters[i][0]);
  return law_value(problem.law, problem.elasticity, problem.h, numbers, vn, vt2);
}

// The cost of the point, from the definition: the isotropic law at S vt.
Dual cost(const ContactProblem& problem, const Mat3& S, const Vec3& n, const Vec3T<Dual>& vc) {
  const Vec3T<Dual> stretched = S.cast<Dual>() * vc;  // S n = 0
  return value_at<Dual>(problem, n.cast<Dual>().dot(vc), stretched.dot(stretched)).cost;
}

Mat3 tensor(const FrictionTensor& S) {
  const Vec3 t1 = Eigen::Map<const Vec3>(S.t1), t2 = Eigen::Map<const Vec3>(S.t2);
  return S.s1 * t1 * t1.transpose() + S.s2 * t2 * t2.transpose();
}

// One point with a random tensor of friction.
ContactProblem point_with_friction_tensor(LawKind law, const Vec3& n, Random* random) {
  ContactProblem problem = one_point(law, n, random);
  problem.friction_tensors.assign(problem.frames.size(), FrictionTensor{});
  problem.friction_tensors[0] =
      friction_tensor(n, random_vector(random), random->uniform(0.2, 2.0), random->uniform(0.2, 2.0));
  return problem;
}

TEST(AnisotropicFriction, ImpulseIsMinusTheGradientOfTheCost) {
  Random random(1);
  NewtonSolver solver;
  for (const LawKind law : compliant_laws()) {
    if (!has_cost(law)) continue;
    for (int trial = 0; trial < 500; ++trial) {
      const Vec3 n = random_vector(&random).normalized();
      const ContactProblem problem = point_with_friction_tensor(law, n, &random);
      const Mat3 S = tensor(problem.friction_tensors[0]);
      VecX v = VecX::Zero(6), gradient;
      v.tail<3>() = 0.3 * random_vector(&random);
      solver.evaluate(problem, v, &gradient, nullptr);
      const Vec3 impulse = v.tail<3>() - gradient.tail<3>();
      for (int i = 0; i < 3; ++i) {
        Vec3T<Dual> vc = Vec3(v.tail<3>()).cast<Dual>();
        vc[i].derivative = 1.0;
        ASSERT_NEAR(-cost(problem, S, n, vc).derivative, impulse[i], 1e-10 * std::max(impulse.norm(), 1.0));
      }
    }
  }
}

TEST(AnisotropicFriction, HessianIsMinusTheGradientOfTheImpulse) {
  Random random(2);
  NewtonSolver solver;
  for (const LawKind law : compliant_laws()) {
    for (int trial = 0; trial < 500; ++trial) {
      const Vec3 n = random_vector(&random).normalized();
      const ContactProblem problem = point_with_friction_tensor(law, n, &random);
      const Mat3 S = tensor(problem.friction_tensors[0]);
      VecX v = VecX::Zero(6), gradient;
      MatX hessian;
      v.tail<3>() = 0.3 * random_vector(&random);
      solver.evaluate(problem, v, &gradient, &hessian);
      const Mat3 G = hessian.bottomRightCorner<3, 3>() - Mat3::Identity();
      for (int i = 0; i < 3; ++i) {
        Vec3T<Dual> vc = Vec3(v.tail<3>()).cast<Dual>();
        vc[i].derivative = 1.0;
        const Vec3T<Dual> stretched = S.cast<Dual>() * vc;
        const LawValue<Dual> value =
            value_at<Dual>(problem, n.cast<Dual>().dot(vc), stretched.dot(stretched));
        const Vec3T<Dual> twice = S.cast<Dual>() * stretched;
        for (int j = 0; j < 3; ++j) {
          const Dual impulse = value.gn * Dual(n[j]) + value.gt * twice[j];
          ASSERT_NEAR(-impulse.derivative, G(j, i), 1e-10 * std::max(hessian.norm(), 1.0));
        }
      }
    }
  }
}

TEST(AnisotropicFriction, OfEqualNumbersIsIsotropic) {
  Random random(3);
  NewtonSolver solver;
  for (const LawKind law : compliant_laws()) {
    const Vec3 n = random_vector(&random).normalized();
    const ContactProblem plain = one_point(law, n, &random);
    ContactProblem round = plain;
    round.friction_tensors.assign(round.frames.size(), FrictionTensor{});
    round.friction_tensors[0] = friction_tensor(n, random_vector(&random), 1.0, 1.0);
    VecX v(6), g1, g2;
    for (int i = 0; i < 6; ++i) v[i] = 0.3 * random.normal();
    MatX h1, h2;
    solver.evaluate(plain, v, &g1, &h1);
    solver.evaluate(round, v, &g2, &h2);
    EXPECT_LT((g1 - g2).norm(), 1e-13 * g1.norm());
    EXPECT_LT((h1 - h2).norm(), 1e-13 * h1.norm());
  }
}

TEST(AnisotropicFriction, SlidesOnTheEllipseOfTheFrictionCone) {
  // I eq. 31: gamma_t = -gamma_n M (M vt)/|M vt| for a slip far above the tolerance, M = mu S.
  Random random(4);
  NewtonSolver solver;
  const Vec3 n = Vec3::UnitZ();
  ContactProblem problem = one_point(LawKind::icf_similar, n, &random);
  const double mu = 0.5;
  problem.law_parameters[kJ0][0] = 0.2;  // it touches
  problem.law_parameters[kBreak][0] = linear_break_velocity(0.2, problem.law_parameters[kSlope][0], 2.0);
  problem.law_parameters[kFriction][0] = mu;
  problem.law_parameters[kEpsilon][0] = 1e-9;
  problem.friction_tensors.assign(problem.frames.size(), FrictionTensor{});
  problem.friction_tensors[0] = friction_tensor(n, Vec3::UnitX(), 1.0, 3.0);
  VecX v = VecX::Zero(6), gradient;
  v.tail<3>() << 0.05, 0.02, -0.1;
  solver.evaluate(problem, v, &gradient, nullptr);
  const Vec3 impulse = v.tail<3>() - gradient.tail<3>();
  const Vec3 stretched(mu * 0.05, 3.0 * mu * 0.02, 0.0);
  const Vec3 direction = stretched.normalized();
  EXPECT_NEAR(impulse.x(), -impulse.z() * mu * direction.x(), 1e-6 * impulse.z());
  EXPECT_NEAR(impulse.y(), -impulse.z() * 3.0 * mu * direction.y(), 1e-6 * impulse.z());
}

TEST(AnisotropicFriction, OfADirectionAlongTheNormalIsTheMeanInAllDirections) {
  const FrictionTensor S = friction_tensor(Vec3::UnitZ(), Vec3(0.0, 0.0, 2.0), 1.0, 3.0);
  EXPECT_EQ(S.s1, 2.0);
  EXPECT_EQ(S.s2, 2.0);
}

}  // namespace
}  // namespace stiction
