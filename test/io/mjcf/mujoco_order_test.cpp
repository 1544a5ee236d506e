#include "stiction/io/mjcf/mujoco_order.h"

#include <cmath>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/io/mjcf/export/export.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/multibody/positions.h"

namespace stiction {
namespace {

VecX random_numbers(int count) { return VecX::Random(count); }

VecX random_positions(const Model& model) {
  VecX q = random_numbers(model.num_q());
  normalise_quaternions(model.forest, q.data());
  return q;
}

TEST(MujocoOrder, BackGivesTheSameNumbers) {
  for (const char* scene : {"all_joints", "humanoid", "clutter", "arm"}) {
    SCOPED_TRACE(scene);
    const Model model = make_scene(scene);
    const MujocoOrder order(model);
    const VecX q = random_positions(model), v = random_numbers(model.num_v());
    const VecX qpos = order.qpos(q), qvel = order.qvel(q, v);
    EXPECT_EQ(qpos.size(), order.num_qpos());
    EXPECT_EQ(qvel.size(), order.num_qvel());
    EXPECT_EQ(order.q(qpos), q);
    EXPECT_LT((order.v(qpos, qvel) - v).norm(), 1e-14 * v.norm());
  }
}

TEST(MujocoOrder, OfAFreeBodyIsPlaceAndQuaternionThenVelocityOfTheOriginAndTurningInTheBody) {
  const Model model = parse_mjcf(
      "<mujoco><worldbody><body><freejoint/><inertial pos='0 0.5 0' mass='1' diaginertia='1 1 1'/></body>"
      "</worldbody></mujoco>",
      "test.xml");
  const MujocoOrder order(model);
  const double s = std::sqrt(0.5);
  // A quarter turn about x: the body's y is the world's z, where the centre of mass is now.
  const VecX qpos = (VecX(7) << 1.0, 2.0, 3.0, s, s, 0.0, 0.0).finished();
  EXPECT_EQ(order.q(qpos), (VecX(7) << s, s, 0.0, 0.0, 1.0, 2.0, 3.0).finished());
  // Turning about the body's z, which is the world's -y, with 2 rad/s: the centre moves with (0, -2, 0) x (0, 0, 0.5).
  const VecX v = order.v(qpos, (VecX(6) << 0.1, 0.2, 0.3, 0.0, 0.0, 2.0).finished());
  EXPECT_LT((v - (VecX(6) << 0.0, -2.0, 0.0, 0.1 - 1.0, 0.2, 0.3).finished()).norm(), 1e-14);
}

TEST(MujocoOrder, NamesWhatDoesNotFit) {
  const Model model = make_scene("arm");
  const MujocoOrder order(model);
  EXPECT_THROW(order.qpos(VecX::Zero(3)), UserError);
  EXPECT_THROW(order.q(VecX::Zero(3)), UserError);
  EXPECT_THROW(order.v(VecX::Zero(7), VecX::Zero(3)), UserError);
}

}  // namespace
}  // namespace stiction
