#include "stiction/math/spatial.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "test/math/random_rotations.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-14;  // a few dozen operations on numbers of order one

Pose random_pose(Random* random) {
  return {rotation_from_quaternion(random_quaternion(random)), random_vector(random)};
}

Vec6 random_six(Random* random) {
  Vec6 V;
  V.head<3>() = random_vector(random);
  V.tail<3>() = random_vector(random);
  return V;
}

// The motion V at A's origin in A's axes, of a frame at X_AB, read at B's origin in B's axes.
Vec6 seen_in(const Pose& X_AB, const Vec6& V) {
  Vec6 out = motion_at<double>(V, X_AB.p);
  out.head<3>() = (X_AB.R.transpose() * out.head<3>()).eval();
  out.tail<3>() = (X_AB.R.transpose() * out.tail<3>()).eval();
  return out;
}

// A handful of point masses: inertia by summing.
struct Cloud {
  std::vector<double> masses;
  std::vector<Vec3> points;

  Inertia inertia() const {
    Inertia sum;
    for (std::size_t i = 0; i < masses.size(); ++i) sum = sum + point_mass(masses[i], points[i]);
    return sum;
  }
};

Cloud random_cloud(Random* random) {
  Cloud cloud;
  for (int i = 0; i < 5; ++i) {
    cloud.masses.push_back(random->uniform(0.2, 2.0));
    cloud.points.push_back(random_vector(random));
  }
  return cloud;
}

TEST(Pose, ComposesAsFunctionsOfPoints) {
  Random random(1);
  const Pose X_AB = random_pose(&random), X_BC = random_pose(&random);
  const Vec3 p_C = random_vector(&random);
  EXPECT_LT(((X_AB * X_BC) * p_C - X_AB * (X_BC * p_C)).norm(), kRoundOff);
}

TEST(Pose, InverseUndoesIt) {
  Random random(2);
  const Pose X = random_pose(&random);
  const Vec3 p = random_vector(&random);
  EXPECT_LT((X.inverse() * (X * p) - p).norm(), kRoundOff);
}

TEST(SpatialMotion, AtAPointIsTheVelocityOfThatPoint) {
  // A frame that rotates and translates: the velocity of a point fixed to it, by dual numbers.
  Random random(3);
  const Vec6 V = random_six(&random);
  const Vec3 p = random_vector(&random);
  const PoseT<Dual> X{rotation_exp(along<3>(Vec3::Zero(), V.head<3>())), along<3>(Vec3::Zero(), V.tail<3>())};
  const Vec3T<Dual> moving = X * Vec3T<Dual>(p.cast<Dual>());
  EXPECT_LT((motion_at(V, p).tail<3>() - derivative_of(moving)).norm(), kRoundOff);
}

TEST(SpatialCross, OfMotionsIsTheRateOfAMotionCarriedByAFrame) {
  // M fixed to a frame that moves with V: d/dt of what is seen from the fixed frame is V x M.
  Random random(4);
  const Vec6 V = random_six(&random), M = random_six(&random);
  const PoseT<Dual> X{rotation_exp(along<3>(Vec3::Zero(), V.head<3>())), along<3>(Vec3::Zero(), V.tail<3>())};
  const Vec3T<Dual> w = X.R * Vec3T<Dual>(M.head<3>().cast<Dual>());
  const Vec3T<Dual> v = X.R * Vec3T<Dual>(M.tail<3>().cast<Dual>()) + X.p.cross(w);
  Vec6 rate;
  rate.head<3>() = derivative_of(w);
  rate.tail<3>() = derivative_of(v);
  EXPECT_LT((cross_motion(V, M) - rate).norm(), kRoundOff);
}

TEST(SpatialCross, OfAMotionWithItselfIsZero) {
  Random random(6);
  const Vec6 V = random_six(&random);
  EXPECT_LT(cross_motion(V, V).norm(), kRoundOff);
}

TEST(InertiaOfACloud, HasTheMomentumOfItsPoints) {
  Random random(7);
  const Cloud cloud = random_cloud(&random);
  const Vec6 V = random_six(&random);
  Vec6 momentum = Vec6::Zero();
  for (std::size_t i = 0; i < cloud.masses.size(); ++i) {
    const Vec3 velocity = V.tail<3>() + Vec3(V.head<3>()).cross(cloud.points[i]);
    momentum.head<3>() += cloud.masses[i] * cloud.points[i].cross(velocity);
    momentum.tail<3>() += cloud.masses[i] * velocity;
  }
  EXPECT_LT((cloud.inertia().about_origin() * V - momentum).norm(), 10.0 * kRoundOff);
}

TEST(InertiaOfACloud, InAnotherFrameIsThatOfTheMovedPoints) {
  Random random(8);
  const Cloud cloud = random_cloud(&random);
  const Pose X_AB = random_pose(&random);
  Cloud moved = cloud;
  for (Vec3& point : moved.points) point = X_AB * point;
  EXPECT_LT((cloud.inertia().in_frame(X_AB).about_origin() - moved.inertia().about_origin()).norm(),
            10.0 * kRoundOff);
}

TEST(InertiaOfACloud, HasTheSameEnergyInEveryFrame) {
  Random random(9);
  const Inertia in_B = random_cloud(&random).inertia();
  const Pose X_AB = random_pose(&random);
  const Vec6 V_A = random_six(&random), V_B = seen_in(X_AB, V_A);
  EXPECT_NEAR(V_A.dot(in_B.in_frame(X_AB).about_origin() * V_A), V_B.dot(in_B.about_origin() * V_B),
              100.0 * kRoundOff);
}

TEST(Inertia, OfTwoHalvesIsThatOfTheWhole) {
  // A box of 2 x 2 x 4 cut in two cubes.
  const Inertia cube = solid_box(1.5, Vec3(1.0, 1.0, 1.0));
  const Inertia both = cube.in_frame(translation(0, 0, 1)) + cube.in_frame(translation(0, 0, -1));
  const Inertia whole = solid_box(3.0, Vec3(1.0, 1.0, 2.0));
  EXPECT_LT((both.about_origin() - whole.about_origin()).norm(), kRoundOff);
}

TEST(Inertia, AddedToNothingStaysTheSame) {
  Random random(10);
  const Inertia inertia = random_cloud(&random).inertia();
  EXPECT_LT(((inertia + Inertia{}).about_origin() - inertia.about_origin()).norm(), 10.0 * kRoundOff);
  EXPECT_LT(((Inertia{} + inertia).about_origin() - inertia.about_origin()).norm(), 10.0 * kRoundOff);
}

TEST(Inertia, OfACapsuleWithoutLengthIsThatOfASphere) {
  EXPECT_LT((solid_capsule(2.0, 0.3, 0.0).I_com - solid_sphere(2.0, 0.3).I_com).norm(), kRoundOff);
}

TEST(Inertia, OfAnEllipsoidWithEqualRadiiIsThatOfASphere) {
  EXPECT_LT((solid_ellipsoid(2.0, Vec3::Constant(0.3)).I_com - solid_sphere(2.0, 0.3).I_com).norm(),
            kRoundOff);
}

TEST(InertiaDefect, IsEmptyForMatter) {
  Random random(11);
  EXPECT_EQ(inertia_defect(random_cloud(&random).inertia()), "");
  EXPECT_EQ(inertia_defect(Inertia{}), "");
  EXPECT_EQ(inertia_defect(point_mass(1.0)), "");
  EXPECT_EQ(inertia_defect(solid_box(1.0, Vec3(1.0, 1e-9, 1e-9))),
            "");  // a rod: on the edge of the inequality
}

TEST(InertiaDefect, NamesWhatCannotBeMatter) {
  const auto defect = [](double mass, const Mat3& I) { return inertia_defect({mass, Vec3::Zero(), I}); };
  const Mat3 one = Mat3::Identity();
  EXPECT_NE(defect(-1.0, one).find("negative mass"), std::string::npos);
  EXPECT_NE(defect(std::nan(""), one).find("not finite"), std::string::npos);
  EXPECT_NE(defect(1.0, Vec3(1.0, 1.0, 2.1).asDiagonal()).find("triangle inequality"), std::string::npos);
  EXPECT_NE(defect(1.0, Vec3(-0.5, 1.0, 1.0).asDiagonal()).find("negative principal moment"),
            std::string::npos);
  Mat3 lopsided = one;
  lopsided(0, 1) = 0.1;
  EXPECT_NE(defect(1.0, lopsided).find("not symmetric"), std::string::npos);
}

}  // namespace
}  // namespace stiction
