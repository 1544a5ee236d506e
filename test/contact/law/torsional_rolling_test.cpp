#include "stiction/contact/law/torsional_rolling.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/math/eigenvalues.h"
#include "stiction/math/spatial.h"
#include "test/base/fewer.h"
#include "test/contact/law_kinds.h"
#include "test/contact/one_body_problem.h"

namespace stiction {
namespace {

Vec3 random_vector(Random* random) { return {random->normal(), random->normal(), random->normal()}; }
double log_uniform(Random* random, double low, double high) {
  return std::exp(random->uniform(std::log(low), std::log(high)));
}
void put(const Vec3& x, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
  to[3] = 0.0;
}

// One free body of unit inertia, touched by the world at the arm r from its centre.
ContactProblem one_point(const LawCase& c, const Vec3& n, const Vec3& r) {
  ContactProblem problem = one_body_problem({.arm = r, .normal = n, .law = c.law});
  problem.elasticity = c.elasticity;
  return problem;
}

// The numbers of a point as a step sets them.
void set_numbers(const LawCase& c, const PointState<double>& at, double stiffness, double mu,
                 ContactProblem* problem) {
  ContactOptions options;
  options.law = c.law;
  options.elasticity = c.elasticity;
  options.v_s = 1e-3;
  const PointMaterial<double> material{stiffness, 2.0, 1e-3, mu};
  const LawParameters<double> numbers = contact_row(options, problem->h, at, material, 1.0).numbers;
  for (int i = 0; i < kLawParameters; ++i) problem->law_parameters[i][0] = numbers.x[i];
}

// A point with random torsional friction, with or without rolling friction, isotropic or anisotropic.
ContactProblem random_point(const LawCase& c, const Vec3& r, Random* random) {
  const Vec3 n = random_vector(random).normalized();
  ContactProblem problem = one_point(c, n, r);
  const double mu = random->uniform() < 0.1 ? 0.0 : random->uniform(0.1, 1.5);
  const double torsional = log_uniform(random, 1e-3, 0.3);
  const double rolling = random->uniform() < 0.3 ? 0.0 : log_uniform(random, 1e-3, 0.3);
  problem.friction_lengths.assign(problem.frames.size(), FrictionLengths{});
  problem.friction_lengths[0] = friction_lengths(mu, torsional, rolling);
  put(0.1 * random_vector(random), problem.friction_lengths[0].bias);
  if (random->uniform() < 0.5) {
    problem.friction_tensors.assign(problem.frames.size(), FrictionTensor{});
    problem.friction_tensors[0] =
        friction_tensor(n, random_vector(random), random->uniform(0.2, 2.0), random->uniform(0.2, 2.0));
  }
  const PointState<double> at{random->uniform(-1e-3, 3e-4), 1.0, random->uniform(-0.1, 0.1)};
  set_numbers(c, at, c.elasticity == Elasticity::hertz ? 1e7 : 1e5, friction_scale(mu, torsional, rolling),
              &problem);
  return problem;
}

Vec3 normal_of(const ContactProblem& problem) { return Eigen::Map<const Vec3>(problem.frames[0].n); }

// S and L of the only point, from their definitions.
Mat3 S_of(const ContactProblem& problem) {
  const Vec3 n = normal_of(problem);
  Mat3 S = Mat3::Identity() - n * n.transpose();
  if (!problem.friction_tensors.empty()) {
    const FrictionTensor& s = problem.friction_tensors[0];
    const Vec3 t1 = Eigen::Map<const Vec3>(s.t1), t2 = Eigen::Map<const Vec3>(s.t2);
    S = s.s1 * t1 * t1.transpose() + s.s2 * t2 * t2.transpose();
  }
  return problem.friction_lengths[0].slide * S;
}
Mat3 L_of(const ContactProblem& problem) {
  const Vec3 n = normal_of(problem);
  const FrictionLengths& L = problem.friction_lengths[0];
  return L.torsion * n * n.transpose() + L.roll * (Mat3::Identity() - n * n.transpose());
}

template <class T>
struct PointValue {
  T cost;
  Eigen::Matrix<T, 6, 1> wrench;  // (moment about the centre, force) on the body
};

// The law of the only point at the velocity V = (w, v of the centre), from the definition of the slip.
template <class T>
PointValue<T> value_at(const ContactProblem& problem, const Eigen::Matrix<T, 6, 1>& V) {
  const Vec3T<T> n = normal_of(problem).cast<T>();
  const Vec3T<T> r = Vec3(Eigen::Map<const Vec3>(problem.frames[0].r_B)).template cast<T>();
  const Vec3T<T> bias = Vec3(Eigen::Map<const Vec3>(problem.friction_lengths[0].bias)).template cast<T>();
  const Vec3T<T> w_body = V.template head<3>();
  const Vec3T<T> vc = V.template tail<3>() + w_body.cross(r), w = w_body + bias;
  const Eigen::Matrix<T, 3, 3> S = S_of(problem).cast<T>(), L = L_of(problem).cast<T>();
  const Vec3T<T> sliding = S * vc, turning = L * w;
  LawParameters<T> numbers;
  for (int i = 0; i < kLawParameters; ++i) numbers.x[i] = constant<T>(problem.law_parameters[i][0]);
  const LawValue<T> law = law_value(problem.law, problem.elasticity, problem.h, numbers, T(n.dot(vc)),
                                    T(sliding.dot(sliding) + turning.dot(turning)));
  const Vec3T<T> gamma = law.gn * n + law.gt * (S * sliding), moment = law.gt * (L * turning);
  PointValue<T> out;
  out.cost = law.cost;
  out.wrench.template head<3>() = r.cross(gamma) + moment;
  out.wrench.template tail<3>() = gamma;
  return out;
}

using DualVec6 = Eigen::Matrix<Dual, 6, 1>;

TEST(TorsionalRollingFriction, ImpulseAndMomentAreMinusTheGradientOfTheCost) {
  Random random(1);
  NewtonSolver solver;
  for (const LawCase& c : law_cases()) {
    if (!has_cost(c.law)) continue;
    SCOPED_TRACE(c.name);
    for (int trial = 0; trial < 500; ++trial) {
      const ContactProblem problem = random_point(c, random_vector(&random), &random);
      VecX V(6), gradient;
      for (int i = 0; i < 6; ++i) V[i] = 0.3 * random.normal();
      solver.evaluate(problem, V, &gradient, nullptr);
      const Vec6 wrench = V - gradient;  // A = 1
      for (int i = 0; i < 6; ++i) {
        DualVec6 x = Vec6(V).cast<Dual>();
        x[i].derivative = 1.0;
        const double expected = -value_at<Dual>(problem, x).cost.derivative;
        ASSERT_NEAR(wrench[i], expected, 1e-10 * std::max(wrench.norm(), 1.0));
      }
    }
  }
}

TEST(TorsionalRollingFriction, HessianIsMinusTheGradientOfImpulseAndMoment) {
  Random random(2);
  NewtonSolver solver;
  for (const LawCase& c : law_cases()) {
    SCOPED_TRACE(c.name);
    for (int trial = 0; trial < 500; ++trial) {
      const ContactProblem problem = random_point(c, random_vector(&random), &random);
      VecX V(6), gradient;
      MatX hessian;
      for (int i = 0; i < 6; ++i) V[i] = 0.3 * random.normal();
      solver.evaluate(problem, V, &gradient, &hessian);
      const MatX G = hessian - MatX::Identity(6, 6);
      for (int i = 0; i < 6; ++i) {
        DualVec6 x = Vec6(V).cast<Dual>();
        x[i].derivative = 1.0;
        const DualVec6 wrench = value_at<Dual>(problem, x).wrench;
        for (int j = 0; j < 6; ++j)
          ASSERT_NEAR(G(j, i), -wrench[j].derivative, 1e-10 * std::max(hessian.norm(), 1.0));
      }
    }
  }
}

// A velocity of a point at the centre of the body whose slip has the size `slip` in a random direction.
VecX velocity_of(const ContactProblem& problem, double vn, double slip, Random* random) {
  const Vec3 n = normal_of(problem);
  const auto plane = [&](const Vec3& x) { return Vec3(x - n.dot(x) * n); };
  const Mat3 S = S_of(problem), L = L_of(problem);
  Vec3 vt = plane(random_vector(random)), w = random_vector(random);
  const double size = std::hypot((S * vt).norm(), (L * w).norm());
  vt *= slip / size;
  w *= slip / size;
  w -= Eigen::Map<const Vec3>(problem.friction_lengths[0].bias);
  return stack<double>(w, Vec3(vt + vn * n));
}

TEST(TorsionalRollingFriction, IsConvexOnTheBoundariesOfStickSlipAndBreak) {
  Random random(3);
  NewtonSolver solver;
  constexpr double kBeside[] = {0.0, 1e-15, 1e-9, 1e-3};
  for (const LawCase& c : law_cases()) {
    if (!has_cost(c.law)) continue;
    SCOPED_TRACE(c.name);
    for (int trial = 0; trial < fewer(20000, 20); ++trial) {
      const ContactProblem problem = random_point(c, Vec3::Zero(), &random);
      const auto number = [&](int i) { return problem.law_parameters[i][0]; };
      const double side = 1.0 + (random.uniform() < 0.5 ? -1.0 : 1.0) * kBeside[random.uniform_int(0, 3)];
      double slip = log_uniform(&random, 1e-9, 1.0);
      double vn = random.uniform(-1.0, 1.0) * log_uniform(&random, 1e-4, 1.0);
      const double inside = log_uniform(&random, 1e-9, 1.0), choice = random.uniform();
      if (is_projected(c.law)) {
        // Stick and slip meet where |u|/R_t = mu (vhat - vn)/R_n, slip and nothing where vn = vhat + mu |u|.
        if (choice < 0.4) {
          vn = number(kBias) - inside;
          slip = side * number(kMu) * number(kNormal) * inside / number(kTangential);
        } else if (choice < 0.8) {
          vn = side * (number(kBias) + number(kMu) * slip);
        }
      } else {
        const double eps = number(kEpsilon), soft_norm = std::hypot(slip, eps) - eps;
        const double glide = slip_opens(c.law) ? number(kFriction) * soft_norm : 0.0;
        if (choice < 0.4) {
          vn = side * (number(kBreak) + glide);
        } else if (choice < 0.8) {
          vn = number(kBreak) + glide - inside;
          slip *= eps;
        }
      }
      VecX gradient;
      MatX hessian;
      const VecX V = velocity_of(problem, vn, slip, &random);
      solver.evaluate(problem, V, &gradient, &hessian);
      const MatX G = hessian - MatX::Identity(6, 6);
      const VecX values = eigenvalues(G);
      // Round-off of H, which is G + 1, and of the direction of the slip, a small part of the velocity.
      const double round_off = 1e-12 + 1e-15 * V.norm() / slip;
      ASSERT_GE(values[0], -round_off * (1.0 + values[5])) << "slip " << slip << " vn " << vn;
    }
  }
}

TEST(TorsionalRollingFriction, OfNoFrictionLengthsIsSlidingFriction) {
  Random random(4);
  NewtonSolver solver;
  for (const LawCase& c : law_cases()) {
    SCOPED_TRACE(c.name);
    ContactProblem problem = random_point(c, random_vector(&random), &random);
    problem.friction_lengths[0] = friction_lengths(0.5, 0.0, 0.0);
    ContactProblem plain = problem;
    plain.friction_lengths.clear();
    VecX V(6), g1, g2;
    MatX h1, h2;
    for (int i = 0; i < 6; ++i) V[i] = 0.3 * random.normal();
    solver.evaluate(problem, V, &g1, &h1);
    solver.evaluate(plain, V, &g2, &h2);
    EXPECT_LT((g1 - g2).norm(), 1e-13 * g1.norm());
    EXPECT_LT((h1 - h2).norm(), 1e-13 * h1.norm());
  }
}

// Impulse and moment of a point at the centre of the body, that is in contact with the normal z.
struct Friction {
  double normal = 0.0;
  Vec3 force, moment;
};
Friction friction_at(const LawCase& c, double mu, double torsional, double rolling, const Vec3& slide,
                     const Vec3& turn) {
  ContactProblem problem = one_point(c, Vec3::UnitZ(), Vec3::Zero());
  set_numbers(c, {-1e-3, 1.0, 0.0}, 1e5, friction_scale(mu, torsional, rolling), &problem);
  if (!is_projected(c.law)) problem.law_parameters[kEpsilon][0] = 1e-9;
  problem.friction_lengths.assign(problem.frames.size(), FrictionLengths{});
  problem.friction_lengths[0] = friction_lengths(mu, torsional, rolling);
  const VecX V = stack<double>(turn, slide);
  VecX gradient;
  NewtonSolver solver;
  solver.evaluate(problem, V, &gradient, nullptr);
  const Vec6 wrench = V - gradient;
  // The lagged law has the normal impulse of the start of the step, that of no normal velocity.
  return {wrench[5], Vec3(wrench[3], wrench[4], 0.0), wrench.head<3>()};
}

TEST(TorsionalRollingFriction, TakesFromTheEllipsoidWhatDissipatesMost) {
  // G eqs. 4 and 5: |f/mu|^2 + (m_z/mu_t)^2 + |m_xy/mu_r|^2 <= N^2.
  Random random(5);
  for (const LawKind law : convex_laws()) {
    const LawCase c = law_case(law);
    SCOPED_TRACE(c.name);
    for (const double mu : {0.7, 0.01, 0.0}) {
      const double torsional = 0.05, rolling = 0.02;
      for (int trial = 0; trial < 20; ++trial) {
        const Vec3 slide(random.normal(), random.normal(), 0.0), turn = 10.0 * random_vector(&random);
        const Friction f = friction_at(c, mu, torsional, rolling, slide, turn);
        const auto power = [&](const Vec3& force, const Vec3& moment) {
          return force.dot(slide) + moment.dot(turn);
        };
        const double share =
            std::hypot(mu > 0.0 ? f.force.norm() / mu : 0.0,
                       std::hypot(f.moment.z() / torsional, f.moment.head<2>().norm() / rolling));
        EXPECT_NEAR(share, f.normal, 1e-9 * f.normal);
        if (mu == 0.0) {
          EXPECT_EQ(f.force.norm(), 0.0);
        }
        for (int other = 0; other < 100; ++other) {
          Eigen::Matrix<double, 5, 1> s;
          for (int i = 0; i < 5; ++i) s[i] = random.normal();
          s *= f.normal / s.norm();
          const Vec3 force(mu * s[0], mu * s[1], 0.0),
              moment(rolling * s[2], rolling * s[3], torsional * s[4]);
          EXPECT_LE(power(f.force, f.moment), power(force, moment) + 1e-9 * f.normal);
        }
      }
    }
  }
}

TEST(TorsionalRollingFriction, OfSapIsTheProjectionOnTheEllipsoidalCone) {
  // gamma is nearest to y in the metric R iff (gamma - y)' R (z - gamma) >= 0 for every z of the cone.
  Random random(6);
  NewtonSolver solver;
  for (int trial = 0; trial < 200; ++trial) {
    ContactProblem problem = random_point(law_case(LawKind::sap), Vec3::Zero(), &random);
    const double mu = problem.law_parameters[kMu][0];
    if (problem.friction_lengths[0].slide == 0.0 || problem.friction_lengths[0].roll == 0.0)
      continue;  // no inverse
    VecX V(6), gradient;
    const double size = log_uniform(&random, 1e-5, 1.0);  // stick as well as slip
    for (int i = 0; i < 6; ++i) V[i] = size * random.normal();
    solver.evaluate(problem, V, &gradient, nullptr);
    const Vec6 wrench = V - gradient;
    const Vec3 n = normal_of(problem), moment = wrench.head<3>(), gamma = wrench.tail<3>();
    const Vec3 w = V.head<3>() + Vec3(Eigen::Map<const Vec3>(problem.friction_lengths[0].bias)),
               vc = V.tail<3>();
    const double Rn = 1.0 / problem.law_parameters[kNormal][0],
                 Rt = 1.0 / problem.law_parameters[kTangential][0];
    const Mat3 N = n * n.transpose(), S = S_of(problem), L = L_of(problem);
    // R = R_t (S^-2, L^-2) and R_n; y has R y = vhat - (vc, w).
    const Mat3 R_force = Rt * (S * S + N).inverse() * (Mat3::Identity() - N) + Rn * N;
    const Mat3 R_moment = Rt * (L * L).inverse();
    const Vec3 force_slope = R_force * gamma + vc - problem.law_parameters[kBias][0] * n;
    const Vec3 moment_slope = R_moment * moment + w;
    const double scale = force_slope.norm() * gamma.norm() + moment_slope.norm() * moment.norm() + 1e-9;
    for (int other = 0; other < 100; ++other) {
      Vec3 s = random_vector(&random), t = random_vector(&random);
      s -= n.dot(s) * n;
      const double share = random.uniform() / std::sqrt(s.squaredNorm() + t.squaredNorm());
      const double zn = gamma.norm() * random.uniform(0.0, 2.0);
      const Vec3 z_force = zn * (n + mu * share * S * s), z_moment = zn * mu * share * (L * t);
      EXPECT_GE(force_slope.dot(z_force - gamma) + moment_slope.dot(z_moment - moment), -1e-11 * scale);
    }
  }
}

TEST(TorsionalRollingFriction, HasTheSameEllipsoidWhateverItIsMeasuredBy) {
  for (const double mu : {1.0, 0.02, 0.001, 0.0}) {
    const double torsional = 0.03, rolling = 0.004, scale = friction_scale(mu, torsional, rolling);
    const FrictionLengths lengths = friction_lengths(mu, torsional, rolling);
    EXPECT_NEAR(scale * lengths.slide, mu, 1e-17);
    EXPECT_NEAR(scale * lengths.torsion, torsional, 1e-17);
    EXPECT_NEAR(scale * lengths.roll, rolling, 1e-17);
    EXPECT_LE(std::max(lengths.torsion, lengths.roll), kLongestFrictionLength);
  }
}

}  // namespace
}  // namespace stiction
