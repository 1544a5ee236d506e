#include "stiction/multibody/positions.h"

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/multibody/kinematics.h"
#include "test/multibody/random_state.h"

namespace stiction {
namespace {

TEST(Positions, DifferenceUndoesIntegration) {
  Random random(5);
  for (const char* name : {"all_joints", "all_joints_free", "humanoid"}) {
    const Model model = make_scene(name);
    const VecX q0 = random_positions(model.forest, &random), v = random_vector(model.num_v(), 2.0, &random);
    VecX q1(model.num_q()), back(model.num_v());
    integrate_positions(model.forest, q0.data(), v.data(), 0.3, q1.data());
    position_difference(model.forest, q0.data(), q1.data(), 0.3, back.data());
    EXPECT_LT((back - v).norm(), 1e-13 * v.norm()) << name;
  }
}

TEST(Positions, MoveBodiesAtTheirVelocities) {
  // Central difference of the poses along integrate_positions against the velocities of the kinematics.
  Random random(6);
  const Model model = make_scene("all_joints_free");
  const Forest& forest = model.forest;
  const VecX q = random_positions(forest, &random), v = random_vector(model.num_v(), 1.0, &random);
  Kinematics k(forest), ahead(forest), behind(forest);
  compute_positions(forest, q.data(), &k);
  compute_velocities(forest, v.data(), &k);
  constexpr double kStep = 1e-5;  // error of the difference: kStep^2 = 1e-10 and round-off 1e-16 / kStep
  VecX moved(model.num_q());
  integrate_positions(forest, q.data(), v.data(), kStep, moved.data());
  compute_positions(forest, moved.data(), &ahead);
  integrate_positions(forest, q.data(), v.data(), -kStep, moved.data());
  compute_positions(forest, moved.data(), &behind);
  for (size_t b = 1; b < forest.bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    const Pose X1 = body_pose(forest, ahead, body), X0 = body_pose(forest, behind, body);
    const Vec6 V = body_velocity(forest, k, body);
    EXPECT_LT(((X1.p - X0.p) / (2 * kStep) - V.tail<3>()).norm(), 1e-8);
    EXPECT_LT((rotation_log(X1.R * X0.R.transpose()) / (2 * kStep) - V.head<3>()).norm(), 1e-8);
  }
}

TEST(Positions, QuaternionsStayUnitOverManySteps) {
  const Model model = make_scene("all_joints_free");
  Random random(8);
  VecX q = reference_positions(model.forest);
  for (int i = 0; i < 10000; ++i) {
    const VecX v = random_vector(model.num_v(), 20.0, &random);
    integrate_positions(model.forest, q.data(), v.data(), 1e-2, q.data());
  }
  for (const Node& node : model.forest.nodes) {
    if (node.kind == NodeKind::axis) continue;
    EXPECT_NEAR(q.segment<4>(node.q_begin).norm(), 1.0, 1e-15);
  }
}

TEST(Positions, AQuaternionWithoutDirectionIsRefused) {
  const Model model = make_scene("spinning_body");
  VecX q = VecX::Zero(7);
  EXPECT_FALSE(normalise_quaternions(model.forest, q.data()));
  q[2] = 3.0;
  EXPECT_TRUE(normalise_quaternions(model.forest, q.data()));
  EXPECT_EQ(q[2], 1.0);
}

}  // namespace
}  // namespace stiction
