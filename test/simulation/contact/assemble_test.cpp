#include "stiction/simulation/contact/assemble.h"

#include <cmath>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// Two arms of boxes on hinges over a floor, a free box on one of them, and a kinematic paddle, all in touch.
Model mixed_model() {
  ModelBuilder builder("mixed");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_body("upper", "world", translation(0, 0, 0.4), Inertia{});
  builder.add_joint("upper", {.name = "shoulder", .axis = Vec3::UnitY()});
  builder.add_solid("upper", "upper", translation(0.2, 0, 0), Box{Vec3(0.2, 0.03, 0.03)}, 500.0);
  builder.add_body("lower", "upper", translation(0.4, 0, 0), Inertia{});
  builder.add_joint("lower", {.name = "elbow", .axis = Vec3::UnitY()});
  builder.add_solid("lower", "lower", translation(0, 0, -0.2), Box{Vec3(0.03, 0.03, 0.2005)}, 500.0);
  builder.add_free_body("box", translation(0.15, 0.01, 0.479), Inertia{});
  builder.add_solid("box", "box", {}, Box{Vec3::Constant(0.05)}, 1000.0);
  builder.add_kinematic_body("paddle", translation(0.15, 0.0, 0.5785));
  builder.add_shape("paddle", "paddle", {}, Box{Vec3(0.1, 0.1, 0.05)});
  return builder.build();
}

struct PosedProblem {
  Model model = mixed_model();
  World world{model};
  PosedProblem() {
    State state = world.state();
    for (int i = 0; i < state.v.size(); ++i) state.v[i] = 0.05 * std::sin(1.0 + i);
    world.set_state(state);
    PrescribedMotion paddle;
    paddle.X_WB = translation(0.15, 0.0, 0.5785);
    paddle.V = stack<double>(Vec3(0.1, 0.0, 0.2), Vec3(0.3, 0.0, -0.1));
    world.input().prescribed = {paddle};
    world.step();
  }
};

// The Jacobian of a body's point, in columns of all velocities.
Eigen::Matrix3Xd dense_jacobian(const Model& model, const Kinematics& kinematics, int body, const Vec3& p) {
  Eigen::Matrix3Xd out = Eigen::Matrix3Xd::Zero(3, model.num_v());
  const int node = model.forest.places[body].node;
  if (node < 0) return out;
  const Tree& tree = model.forest.trees[model.forest.nodes[node].tree];
  TreeJacobian J;
  point_jacobian(model.forest, kinematics, body, p, &J);
  out.middleCols(tree.v_begin, tree.num_v()) = J.bottomRows<3>();
  return out;
}

TEST(AssembleProblem, HasThePointsOfEveryKindOfPair) {
  const PosedProblem posed;
  int arm_floor = 0, box_arm = 0, box_paddle = 0;
  for (const ShapePair& pair : posed.world.record().collision.pairs) {
    const std::string a = posed.model.shapes[pair.shape_A].name, b = posed.model.shapes[pair.shape_B].name;
    const int points = pair.end - pair.begin;
    if (a == "floor" && b == "lower") arm_floor += points;
    if (a == "upper" && b == "box") box_arm += points;
    if (a == "box" && b == "paddle") box_paddle += points;
  }
  EXPECT_GT(arm_floor, 0);
  EXPECT_GT(box_arm, 0);
  EXPECT_GT(box_paddle, 0);
}

TEST(AssembleProblem, GradientOfTheCostIsTheBalanceOfMomentumWithDenseJacobians) {
  const PosedProblem posed;
  const StepRecord& r = posed.world.record();
  const ContactProblem& problem = r.contact.problem;
  NewtonSolver check_residual;
  VecX gradient;
  check_residual.evaluate(problem, r.contact.solution.v, &gradient, nullptr);
  // A (v - v_free) - J' gamma with the mass matrix and Jacobians of the multibody layer.
  VecX dense = r.contact.solution.v - r.v_free;
  MatX A = MatX::Zero(posed.model.num_v(), posed.model.num_v());
  for (std::size_t t = 0; t < posed.model.forest.trees.size(); ++t) {
    const Tree& tree = posed.model.forest.trees[t];
    for (int d = tree.v_begin; d < tree.v_end; ++d) {
      const Dof& dof = posed.model.forest.dofs[d];
      for (int k = 0; k <= dof.depth; ++k) {
        const int e = k < dof.depth ? posed.model.forest.ancestor_dofs[dof.ancestors + k] : d;
        A(d, e) = A(e, d) = r.mass.rows[dof.row + k] + (e == d ? r.added_diagonal[d] : 0.0);
      }
    }
  }
  dense = (A * dense).eval();
  double size = 0.0;
  for (std::size_t p = 0; p < r.collision.pairs.size(); ++p) {
    const ShapePair& pair = r.collision.pairs[p];
    if (r.contact.places[p].begin < 0) continue;
    for (int k = pair.begin; k < pair.end; ++k) {
      const ContactPoint& point = r.collision.points[k];
      const Vec3 at = 0.5 * (point.p_A + point.p_B());
      const Vec3 impulse = r.h * contact_force(r, static_cast<int>(p), k - pair.begin);
      dense -= (dense_jacobian(posed.model, r.kinematics, pair.body_B, at) -
                dense_jacobian(posed.model, r.kinematics, pair.body_A, at))
                   .transpose() *
               impulse;
      size += impulse.norm();
    }
  }
  EXPECT_GT(size, 0.0);
  EXPECT_LT((gradient - dense).norm(), 1e-12 * size);
}

TEST(AssembleProblem, RelativeVelocityIsThatOfTheTwoBodiesAtThePoint) {
  const PosedProblem posed;
  const StepRecord& r = posed.world.record();
  const ContactProblem& problem = r.contact.problem;
  const VecX v = VecX::LinSpaced(posed.model.num_v(), -1.0, 1.0);
  int compared = 0;
  for (std::size_t p = 0; p < r.collision.pairs.size(); ++p) {
    const ShapePair& pair = r.collision.pairs[p];
    const ContactPairMap& place = r.contact.places[p];
    if (place.begin < 0) continue;
    for (int k = pair.begin; k < pair.end; ++k) {
      const ContactPoint& point = r.collision.points[k];
      const Vec3 at = 0.5 * (point.p_A + point.p_B());
      const auto velocity_of = [&](int body) -> Vec3 {
        const BodyPlace& where = posed.model.forest.places[body];
        if (where.kinematic < 0) return dense_jacobian(posed.model, r.kinematics, body, at) * v;
        const PrescribedMotion& motion = r.kinematics.prescribed[where.kinematic];
        const Vec3 w = motion.V.head<3>();
        return motion.V.tail<3>() + w.cross(at - motion.X_WB.p);
      };
      const Vec3 expected = velocity_of(pair.body_B) - velocity_of(pair.body_A);

      // As the problem says it: two body velocities, arms and the bias.
      const int i = place.begin + k - pair.begin;
      const PointFrame& frame = problem.frames[i];
      const auto field = [&](int b, const double* arm) -> Vec3 {
        const ProblemBody& body = problem.bodies[b];
        if (body.tree < 0) return Vec3::Zero();
        const ProblemTree& tree = problem.trees[body.tree];
        Vec3 w = Vec3::Zero(), linear = Vec3::Zero();
        if (tree.is_free_body) {
          w = v.segment<3>(tree.v_begin);
          linear = v.segment<3>(tree.v_begin + 3);
        }
        for (int c = body.column_begin; c < body.column_begin + body.columns; ++c) {
          const double rate = v[tree.v_begin + problem.column_dofs[c]];
          w += rate * Eigen::Map<const Vec3>(problem.columns.data() + 8 * c);
          linear += rate * Eigen::Map<const Vec3>(problem.columns.data() + 8 * c + 4);
        }
        return linear + w.cross(Vec3(Eigen::Map<const Vec3>(arm)));
      };
      const Vec3 vc = field(problem.body_b[i], frame.r_B) - field(problem.body_a[i], frame.r_A) +
                      Eigen::Map<const Vec3>(frame.bias);
      EXPECT_LT((vc - (place.is_swapped ? -1.0 : 1.0) * expected).norm(), 1e-12);
      const Vec3 n = Eigen::Map<const Vec3>(frame.n);
      EXPECT_LT((n - (place.is_swapped ? -1.0 : 1.0) * point.normal).norm(), 1e-15);
      ++compared;
    }
  }
  EXPECT_GT(compared, 6);
}

TEST(AssembleProblem, MovesTheSurfaceOfABeltAgainstItsBody) {
  // A belt on a body that is turned by a quarter: its +x runs along W's +y.
  ModelBuilder builder("belt");
  builder.add_body("bed", "world",
                   {rotation_about<double>(Vec3::UnitZ(), std::acos(0.0)), Vec3(0, 0, -0.05)});
  builder.add_shape("belt", "bed", {}, Box{Vec3(1.0, 1.0, 0.05)});
  builder.set_surface_velocity("belt", Vec3(0.5, 0, 0));
  builder.add_free_body("box", translation(0, 0, 0.05), Inertia{});
  builder.add_solid("box", "box", {}, Box{Vec3::Constant(0.05)}, 1000.0);
  World world(builder.build());
  world.simulate(1.0);
  EXPECT_LT((world.body_velocity("box").tail<3>() - Vec3(0, 0.5, 0)).norm(), 1e-4);
}

TEST(AssembleProblem, InverseMassOfAFreeBodyIsTheNormOfItsDelassusBlock) {
  World world(make_scene("bowling"));
  world.step();
  ASSERT_GE(world.record().contact.problem.inverse_masses.size(), 1u);
  // Sphere, arm R along the normal: W = diag(1 + 5/2, 1 + 5/2, 1)/m.
  const double m = 6.0;
  EXPECT_NEAR(world.record().contact.problem.inverse_masses[0], std::sqrt(2.0 * 3.5 * 3.5 + 1.0) / (3.0 * m),
              1e-9);
}

}  // namespace
}  // namespace stiction
