#include "stiction/simulation/scheme/geometric/contact_jacobian.h"

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/math/dual.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/scheme/geometric/stepper.h"
#include "stiction/simulation/world.h"
#include "test/geometry/pair_contract.h"

namespace stiction {

// Levels of dual places, by the first and second derivatives that test/geometry/convex/implicit_test.cpp judges.
LevelT<Dual> level_of(const CollisionShape& shape, int i, const Vec3T<Dual>& y) {
  Vec3 at, along;
  for (int k = 0; k < 3; ++k) {
    at[k] = y[k].value;
    along[k] = y[k].derivative;
  }
  const ImplicitValue value = implicit(shape, i, at);
  LevelT<Dual> out;
  out.f = Dual(value.f, value.gradient.dot(along));
  const Vec3 turned = value.hessian * along;
  for (int k = 0; k < 3; ++k) out.gradient[k] = Dual(value.gradient[k], turned[k]);
  return out;
}

namespace {

std::vector<CollisionShape> all_shapes() {
  std::vector<CollisionShape> shapes;
  shapes.push_back(plain_shape(ShapeKind::sphere, Vec3(0.2, 0, 0)));
  shapes.push_back(plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0)));
  shapes.push_back(plain_shape(ShapeKind::ellipsoid, Vec3(0.3, 0.2, 0.1)));
  shapes.push_back(super_shape(Vec3(0.3, 0.2, 0.25), 0.5, 0.7));
  shapes.push_back(plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0)));
  shapes.push_back(plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0), 0.05));
  shapes.push_back(plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1)));
  shapes.push_back(plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1), 0.05));
  shapes.push_back(hull_shape(Vec3(0.3, 0.2, 0.4), 16));
  shapes.push_back(plain_shape(ShapeKind::half_space, Vec3::Zero()));
  return shapes;
}

Vec3 random_vec(Random* random) {
  return Vec3(random->uniform(-1, 1), random->uniform(-1, 1), random->uniform(-1, 1));
}

BodyState random_state(Random* random) {
  BodyState body;
  body.X = random_pose(random, 0.5);
  body.w = random_vec(random);
  body.v = random_vec(random);
  return body;
}

void set_layer(Random* random, SoftLayer* layer) {
  layer->is_soft = true;
  layer->K = 1e3 * Mat3::Identity() + 1e2 * skew(random_vec(random));
  layer->C = 3.0 * Mat3::Identity();
  layer->most = 0.01;
  layer->d0 = 1e-3 * random_vec(random);
}

ContactSetup random_setup(const CollisionShape& A, const CollisionShape& B, bool is_soft, Random* random) {
  ContactSetup s;
  s.shape_A = &A;
  s.shape_B = &B;
  s.X_NA = random_pose(random, 0.2);
  s.X_NB = random_pose(random, 0.2);
  const auto some = [random](const CollisionShape& shape) {
    FunctionSet set;
    set.count = std::min(num_implicit_functions(shape), 1 + random->uniform_int(0, 4));
    for (int i = 0; i < set.count; ++i) set.index[i] = i;
    return set;
  };
  s.functions_A = some(A);
  s.functions_B = some(B);
  s.h = 0.01;
  s.mu = 0.4;
  s.mu_t = random->uniform() < 0.5 ? 0.03 : 0.0;
  s.friction_tensor = Mat3::Identity() + 0.3 * Vec3::UnitX() * Vec3::UnitX().transpose();
  s.belt = random_vec(random);
  s.bounces = random->uniform() < 0.3;
  s.target = 0.1;
  s.rebound = random->uniform(-1, 1);
  s.speed = 2.0;
  s.mass = random->uniform(0.1, 2.0);
  s.rho = random->uniform(0.1, 2.0);
  s.length = 0.3;
  s.y_A0 = 0.1 * random_vec(random);
  s.R_A0 = random_pose(random, 0.0).R;
  s.frame = random_pose(random, 0.0).R;
  if (is_soft) set_layer(random, &s.soft_A);
  if (is_soft && random->uniform() < 0.7) set_layer(random, &s.soft_B);
  return s;
}

// A body that moves by one of twelve: turn, move, change of angular velocity, change of velocity.
BodyStateT<Dual> moving(const BodyState& body, int direction) {
  BodyStateT<Dual> out;
  Vec3T<Dual> turn = Vec3T<Dual>::Zero();
  out.X.p = body.X.p.cast<Dual>();
  out.w = body.w.cast<Dual>();
  out.v = body.v.cast<Dual>();
  if (direction >= 0) {
    Vec3T<Dual>* const parts[] = {&turn, &out.X.p, &out.w, &out.v};
    (*parts[direction / 3])[direction % 3].derivative = 1.0;
  }
  out.X.R = rotation_exp<Dual>(turn) * body.X.R.cast<Dual>();
  return out;
}

void expect_jacobian_of_dual_numbers(const ContactSetup& s, Random* random) {
  const ContactLayout at(s);
  const BodyState A = random_state(random), B = random_state(random);
  double z[kMostContactUnknowns];
  for (int i = 0; i < at.size; ++i) z[i] = random->uniform(0.05, 0.5);
  for (const int d : {at.d_A, at.d_B})
    for (int k = 0; d >= 0 && k < 3; ++k) z[d + k] = random->uniform(-0.01, 0.01);
  ContactJacobian jacobian;
  contact_jacobian(s, at, A, B, z, &jacobian);
  for (int column = 0; column < kMotionColumns + at.size; ++column) {
    Dual dual_z[kMostContactUnknowns], F[kMostContactUnknowns];
    for (int i = 0; i < at.size; ++i) dual_z[i] = Dual(z[i], column - kMotionColumns == i ? 1.0 : 0.0);
    Vec6T<Dual> on_A, on_B;
    contact_conditions<Dual>(s, at, moving(A, column < 12 ? column : -1),
                             moving(B, column >= 12 && column < 24 ? column - 12 : -1), dual_z, F, &on_A,
                             &on_B);
    constexpr double kRoundOff = 1e-10;
    for (int i = 0; i < at.size; ++i)
      ASSERT_NEAR(jacobian.F(i, column), F[i].derivative, kRoundOff * (1.0 + std::abs(F[i].derivative)))
          << i << " " << column;
    for (int i = 0; i < 6; ++i) {
      ASSERT_NEAR(jacobian.on_A(i, column), on_A[i].derivative, kRoundOff) << i << " " << column;
      ASSERT_NEAR(jacobian.on_B(i, column), on_B[i].derivative, kRoundOff) << i << " " << column;
    }
  }
}

TEST(GeometricJacobian, IsTheDerivativeByDualNumbersForEveryPairOfShapes) {
  Random random(1);
  const std::vector<CollisionShape> shapes = all_shapes();
  for (const CollisionShape& A : shapes) {
    for (const CollisionShape& B : shapes) {
      for (int k = 0; k < 10; ++k) {
        const ContactSetup setup = random_setup(A, B, k % 2 == 1, &random);
        expect_jacobian_of_dual_numbers(setup, &random);
        ASSERT_FALSE(HasFatalFailure()) << name_of(A.kind) << " " << name_of(B.kind) << " " << k;
      }
    }
  }
}

TEST(GeometricJacobian, TurnsOfFreeBodiesAreThoseOfTheExponentialMapByDualNumbers) {
  Random random(2);
  for (const double size : {1e-6, 1e-3, 0.1, 3.0}) {
    const Vec3 r = size * random_vec(&random);
    const Mat3 J = left_jacobian(r), R = rotation_exp<double>(r);
    for (int k = 0; k < 3; ++k) {
      Vec3T<Dual> dual = r.cast<Dual>();
      dual[k].derivative = 1.0;
      const Mat3T<Dual> turned = rotation_exp<Dual>(dual);
      Mat3 slope;
      for (int i = 0; i < 9; ++i) slope(i / 3, i % 3) = turned(i / 3, i % 3).derivative;
      // dR = [J e_k] R.
      EXPECT_LT((slope - skew<double>(J.col(k)) * R).norm(), 1e-12) << size;
    }
  }
}

// The Jacobian of the whole problem of a step against central differences: momentum, joints and rows
// included.
void expect_jacobian_of_differences(World* world) {
  GeometricProblem& problem = world->workspace().geometric->last_problem();
  Random random(3);
  VecX z = world->workspace().geometric->last_unknowns();
  ASSERT_EQ(z.size(), problem.size());
  for (double& x : z) x += 1e-3 * random.uniform(-1, 1);
  VecX F, up, down;
  SparseRows J;
  ASSERT_TRUE(problem.linearise(z, &F, &J));
  MatX dense = MatX::Zero(z.size(), z.size());
  for (int i = 0; i < problem.size(); ++i)
    for (int e = J.row_begin[i]; e < J.row_begin[i + 1]; ++e) dense(i, J.columns[e]) = J.values[e];
  constexpr double kStep = 1e-5;
  for (int j = 0; j < problem.size(); ++j) {
    VecX moved = z;
    moved[j] = z[j] + kStep;
    ASSERT_TRUE(problem.evaluate(moved, &up));
    moved[j] = z[j] - kStep;
    ASSERT_TRUE(problem.evaluate(moved, &down));
    const VecX slope = (up - down) / (2.0 * kStep);
    // Third derivatives times the square of the step, and round-off over it.
    ASSERT_LT((slope - dense.col(j)).lpNorm<Eigen::Infinity>(), 1e-6 * (1.0 + slope.norm())) << j;
  }
}

WorldOptions geometric(double h) {
  WorldOptions options;
  options.h = h;
  set_formulation("geometric_ncp", &options.formulation.contact);
  return options;
}

TEST(GeometricJacobian, OfAStepOfFreeBodiesIsItsDerivative) {
  ModelBuilder builder("two");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("a", translation(0, 0, 0.1), solid_ellipsoid(1.0, Vec3(0.2, 0.15, 0.1)));
  builder.add_shape("a", "a", {}, Ellipsoid{Vec3(0.2, 0.15, 0.1)});
  builder.add_free_body("b", translation(0, 0, 0.3), solid_sphere(2.0, 0.1));
  builder.add_shape("b", "b", {}, Sphere{0.1});
  builder.set_initial_velocity("b", {1.0, 2.0, 0.5, 0.1, 0.2, -0.5});
  World world(builder.build(), geometric(0.01));
  world.step();
  ASSERT_EQ(world.record().geometric_contacts.size(), 2u);
  expect_jacobian_of_differences(&world);
}

TEST(GeometricJacobian, OfAStepOfAnArticulatedTreeIsItsDerivative) {
  for (const bool is_free : {false, true}) {
    ModelBuilder builder("tree");
    builder.add_shape("floor", "world", translation(0.0, 0.0, -0.45), HalfSpace{});
    if (is_free)
      builder.add_free_body("base", {}, solid_sphere(1.0, 0.1));
    else
      builder.add_body("base", "world");
    Joint ball;
    ball.type = JointType::ball;
    builder.add_body("upper", "base", {}, solid_sphere(1.0, 0.1).in_frame(translation(0.1, 0.0, -0.1)));
    builder.add_joint("upper", ball);
    Joint hinge;
    hinge.axis = Vec3(0.6, 0.8, 0.0);
    builder.add_body("lower", "upper", translation(0.1, 0.0, -0.2),
                     solid_sphere(1.0, 0.1).in_frame(translation(0.05, 0.0, -0.1)));
    builder.add_joint("lower", hinge);
    Joint slide;
    slide.type = JointType::prismatic;
    slide.axis = Vec3(0.0, 0.6, 0.8);
    builder.add_body("foot", "lower", translation(0.05, 0.0, -0.15), solid_sphere(0.5, 0.1));
    builder.add_joint("foot", slide);
    builder.add_shape("foot", "foot", translation(0.02, 0.01, 0.0), Ellipsoid{Vec3(0.12, 0.1, 0.1)});
    World world(builder.build(), geometric(0.01));
    for (int i = 0; i < 5; ++i) world.step();
    ASSERT_EQ(world.record().geometric_contacts.size(), 1u) << is_free;
    expect_jacobian_of_differences(&world);
  }
}

}  // namespace
}  // namespace stiction
