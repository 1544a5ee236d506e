#include "stiction/multibody/tree.h"

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/multibody/positions.h"

namespace stiction {
namespace {

Body world() {
  Body body;
  body.name = "world";
  return body;
}

Body body(const char* name, int parent, std::vector<Joint> joints, Inertia inertia = solid_sphere(1.0, 0.1)) {
  Body b;
  b.name = name;
  b.parent = parent;
  b.X_PB = translation(0.1, 0.2, 0.3);
  b.inertia = inertia;
  b.joints = std::move(joints);
  return b;
}

Joint hinge(const char* name) { return {.name = name}; }
Joint of_type(const char* name, JointType type) { return {.name = name, .type = type}; }

// The message that make_forest refuses the bodies with.
std::string refusal(std::vector<Body> bodies) {
  try {
    make_forest(std::move(bodies));
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Forest, NumbersVelocitiesOfATreeDepthFirstWhateverTheOrderOfTheBodies) {
  // Two arms of two links on one base, given in layers: 1, 2 on the base, 3 on 1, 4 on 2.
  const Forest forest =
      make_forest({world(), body("a1", 0, {hinge("a1")}), body("b1", 1, {hinge("b1")}),
                   body("c1", 1, {hinge("c1")}), body("b2", 2, {hinge("b2")}), body("c2", 3, {hinge("c2")})});
  ASSERT_EQ(forest.trees.size(), 1u);
  const auto v = [&](const char* joint) { return forest.joints[forest.find_joint(joint)].v_begin; };
  EXPECT_EQ(v("a1"), 0);
  EXPECT_EQ(v("b1"), 1);
  EXPECT_EQ(v("b2"), 2);
  EXPECT_EQ(v("c1"), 3);
  EXPECT_EQ(v("c2"), 4);
  // The ancestors of c2 are a1, c1, c2: two ranges.
  const Dof& dof = forest.dofs[4];
  EXPECT_EQ(dof.depth, 2);
  ASSERT_EQ(dof.range_end - dof.range_begin, 2);
  EXPECT_EQ(forest.ranges[dof.range_begin].begin, 0);
  EXPECT_EQ(forest.ranges[dof.range_begin + 1].begin, 3);
  EXPECT_EQ(forest.dofs[0].subtree_end, 5);
  EXPECT_EQ(forest.dofs[1].subtree_end, 3);
}

TEST(Forest, MergesBodiesThatAreFixedToEachOtherAndKeepsTheirNamesAndPlaces) {
  const Forest forest =
      make_forest({world(), body("pedestal", 0, {}), body("arm", 1, {hinge("hinge")}),
                   body("tool", 2, {of_type("flange", JointType::fixed)}), body("tip", 3, {})});
  EXPECT_EQ(forest.nodes.size(), 1u);
  EXPECT_EQ(forest.constants[0].mass, 3.0);
  EXPECT_TRUE(forest.places[forest.find_body("pedestal")].is_static());
  EXPECT_GE(forest.find_joint("flange"), 0);
  Kinematics kinematics(forest);
  const double angle = 1.0;
  compute_positions(forest, &angle, &kinematics);
  const Pose X = translation(0.1, 0.2, 0.3);
  const Pose turned = X * X * Pose{rotation_about<double>(Vec3::UnitZ(), angle), Vec3::Zero()};
  EXPECT_LT((body_pose(forest, kinematics, forest.find_body("tip")).p - (turned * X * X).p).norm(), 1e-15);
}

TEST(Forest, FreeBodiesAreTreesOfTheirOwnWithABlockDiagonalMassMatrix) {
  Inertia inertia = solid_box(2.0, Vec3(0.1, 0.2, 0.3));
  inertia.com = Vec3(0.5, -0.4, 0.3);
  const Forest forest = make_forest({world(), body("a", 0, {of_type("a", JointType::free)}, inertia),
                                     body("b", 0, {of_type("b", JointType::free)})});
  ASSERT_EQ(forest.trees.size(), 2u);
  EXPECT_TRUE(forest.trees[0].is_free_body);
  Kinematics kinematics(forest);
  const VecX q = reference_positions(forest);
  compute_positions(forest, q.data(), &kinematics);
  MassMatrix M(forest);
  compute_mass_matrix(forest, kinematics, &M);
  MatX expected = MatX::Zero(6, 6);
  expected.topLeftCorner(3, 3) = inertia.I_com;
  expected.bottomRightCorner(3, 3) = 2.0 * Mat3::Identity();
  EXPECT_LT((dense_mass_matrix(forest, M, 0) - expected).norm(), 1e-15);
}

TEST(Forest, ReferencePositionsPutFreeBodiesWhereTheirPoseSays) {
  Body b = body("b", 0, {of_type("b", JointType::free)});
  b.X_PB.R = rotation_about<double>(Vec3::UnitX(), 0.4);
  const Forest forest = make_forest({world(), b});
  Kinematics kinematics(forest);
  compute_positions(forest, reference_positions(forest).data(), &kinematics);
  const Pose X = body_pose(forest, kinematics, 1);
  EXPECT_LT((X.R - b.X_PB.R).norm(), 1e-15);
  EXPECT_LT((X.p - b.X_PB.p).norm(), 1e-15);
}

TEST(Forest, RefusesWhatCannotBeAndNamesIt) {
  EXPECT_EQ(
      refusal({world(), body("arm", 0, {hinge("h")}), body("box", 1, {of_type("float", JointType::free)})}),
      "joint 'float': a free joint must connect to the world, but the parent of body 'box' is 'arm'");
  EXPECT_EQ(refusal({world(), body("box", 0, {of_type("float", JointType::free), hinge("h")})}),
            "joint 'float': a free joint must be the only joint of body 'box'");
  EXPECT_EQ(refusal({world(), body("rod", 0, {hinge("h")}, Inertia{})}),
            "joint 'h' moves body 'rod', which has neither mass nor armature");
  EXPECT_NE(refusal({world(), body("bead", 0, {hinge("h")}, point_mass(1.0))}).find("no inertia about it"),
            std::string::npos);
  EXPECT_NE(
      refusal({world(), body("bob", 0, {of_type("b", JointType::ball)}, point_mass(1.0, Vec3(0, 0, 1)))})
          .find("no inertia about it"),
      std::string::npos);
  EXPECT_EQ(refusal({world(), body("rod", 0, {hinge("h")}, Inertia{-1.0, Vec3::Zero(), Mat3::Identity()})}),
            "body 'rod' has negative mass -1.000000 kg");
  Joint slanted = hinge("h");
  slanted.axis = Vec3(0, 0, 2);
  EXPECT_EQ(refusal({world(), body("rod", 0, {slanted})}),
            "joint 'h' of body 'rod': axis (0, 0, 2) is not a unit vector");
  Joint planar = of_type("p", JointType::planar);
  planar.axis2 = planar.axis;
  EXPECT_EQ(refusal({world(), body("rod", 0, {planar})}),
            "joint 'p' of body 'rod': axis2 of a planar joint must be normal to axis");
  Body platform = body("platform", 0, {hinge("h")});
  platform.motion = BodyMotion::kinematic;
  EXPECT_EQ(refusal({world(), platform}), "body 'platform' is kinematic and cannot have joints");
  Body ragged = body("rod", 0, {hinge("h")});
  ragged.X_PB.R *= 2.0;
  EXPECT_EQ(refusal({world(), ragged}), "body 'rod': the orientation of its pose is not a rotation");
  Joint negative = hinge("h");
  negative.armature = per_dof(-1.0);
  EXPECT_EQ(refusal({world(), body("rod", 0, {negative})}),
            "joint 'h': armature must be finite and not negative");
}

TEST(Forest, AcceptsABeadOnItsAxisIfTheJointHasArmature) {
  Joint geared = hinge("h");
  geared.armature = per_dof(0.1);
  EXPECT_EQ(refusal({world(), body("bead", 0, {geared}, point_mass(1.0))}), "accepted");
}

}  // namespace
}  // namespace stiction
