#include "stiction/multibody/joint.h"

#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Joint, HasAsManyPositionsAndVelocitiesAsItsMotionNeeds) {
  const std::map<std::string, std::pair<int, int>> expected = {
      {"fixed", {0, 0}},     {"revolute", {1, 1}}, {"continuous", {1, 1}},
      {"prismatic", {1, 1}}, {"screw", {1, 1}},    {"ball", {4, 3}},
      {"universal", {2, 2}}, {"planar", {3, 3}},   {"free", {7, 6}}};
  ASSERT_EQ(kJointTypeNames.size(), expected.size());
  for (int i = 0; i < kNumJointTypes; ++i) {
    const JointType type = static_cast<JointType>(i);
    SCOPED_TRACE(name_of(type));
    EXPECT_EQ(num_positions(type), expected.at(name_of(type)).first);
    EXPECT_EQ(num_velocities(type), expected.at(name_of(type)).second);
    // A quaternion has one number more than its angular velocity.
    EXPECT_EQ(has_quaternion(type), num_positions(type) == num_velocities(type) + 1);
  }
}

TEST(Joint, DoesNotMoveItsBodyAtTheReferencePosition) {
  for (int i = 0; i < kNumJointTypes; ++i) {
    Joint joint;
    joint.type = static_cast<JointType>(i);
    joint.p_BJ = Vec3(0.1, -0.2, 0.3);
    joint.pitch = 0.5;
    joint.reference = 0.7;
    const auto q = reference_position(joint);
    const Pose X = joint_motion<double>(joint, q.data());
    EXPECT_EQ(X.R, Mat3::Identity()) << name_of(joint.type);
    EXPECT_EQ(X.p, Vec3::Zero()) << name_of(joint.type);
  }
}

}  // namespace
}  // namespace stiction
