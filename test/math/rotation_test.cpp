#include "stiction/math/rotation.h"

#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "test/math/random_rotations.h"

namespace stiction {
namespace {

constexpr int kSamples = 200;
constexpr double kRoundOff = 2e-15;  // a few operations on numbers of order one

// The exponential by its power series, for |r| up to about pi.
Mat3 exponential_series(const Vec3& r) {
  Mat3 sum = Mat3::Identity(), term = Mat3::Identity();
  for (int n = 1; n < 60; ++n) {
    term = (term * skew<double>(r) / n).eval();
    sum += term;
  }
  return sum;
}

void expect_rotation(const Mat3& R) {
  EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 5e-15);
  EXPECT_NEAR(R.determinant(), 1.0, 5e-15);
}

TEST(Rotation, SkewMakesTheCrossProduct) {
  Random random(1);
  const Vec3 a = random_vector(&random), b = random_vector(&random);
  EXPECT_LT((skew<double>(a) * b - a.cross(b)).norm(), kRoundOff);
}

TEST(Rotation, OfAQuaternionAgreesWithEigen) {
  Random random(2);
  for (int i = 0; i < kSamples; ++i) {
    const Vec4 q = random_quaternion(&random);
    const Mat3 R = rotation_from_quaternion(q);
    EXPECT_LT((R - Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()).norm(), kRoundOff);
  }
}

TEST(Rotation, OfAQuaternionDoesNotDependOnItsLength) {
  Random random(3);
  const Vec4 q = random_quaternion(&random);
  EXPECT_LT((rotation_from_quaternion<double>(3.7 * q) - rotation_from_quaternion(q)).norm(), kRoundOff);
}

TEST(Rotation, ProductOfQuaternionsIsTheProductOfRotations) {
  Random random(4);
  for (int i = 0; i < kSamples; ++i) {
    const Vec4 a = random_quaternion(&random), b = random_quaternion(&random);
    const Mat3 product = rotation_from_quaternion(a) * rotation_from_quaternion(b);
    EXPECT_LT((rotation_from_quaternion(quaternion_product(a, b)) - product).norm(), kRoundOff);
  }
}

TEST(Rotation, ConjugateOfAQuaternionTurnsBack) {
  Random random(5);
  const Vec4 q = random_quaternion(&random);
  EXPECT_LT((quaternion_product(q, quaternion_conjugate(q)) - Vec4(1, 0, 0, 0)).norm(), kRoundOff);
}

TEST(Rotation, ExponentialIsThePowerSeries) {
  Random random(6);
  for (double size : {1e-9, 1e-4, 0.9 * kSmallAngle, 1.1 * kSmallAngle, 0.3, 1.0}) {
    const Vec3 r = size * random_vector(&random);
    EXPECT_LT((rotation_exp(r) - exponential_series(r)).norm(), kRoundOff) << size;
  }
}

TEST(Rotation, AboutAnAxisIsTheExponentialOfTheTurnedVector) {
  Random random(7);
  for (int i = 0; i < kSamples; ++i) {
    const Vec3 axis = random_vector(&random).normalized();
    const double angle = random.uniform(-3.0, 3.0);
    const Vec3 r = axis * angle;
    EXPECT_LT((rotation_about<double>(axis, angle) - rotation_exp(r)).norm(), kRoundOff);
  }
}

TEST(Rotation, LogarithmUndoesTheExponential) {
  Random random(8);
  for (double angle :
       {0.0, 1e-9, 1e-4, 0.9 * kSmallAngle, 1.1 * kSmallAngle, 2.1 * kSmallAngle, 0.5, 2.0, 3.1}) {
    const Vec3 r = angle * random_vector(&random).normalized();
    EXPECT_LT((quaternion_log(quaternion_exp(r)) - r).norm(), kRoundOff * (1.0 + angle)) << angle;
    EXPECT_LT((rotation_log(rotation_exp(r)) - r).norm(), 2.0 * kRoundOff * (1.0 + angle)) << angle;
  }
}

TEST(Rotation, LogarithmTakesTheShortWay) {
  Random random(9);
  const Vec3 axis = random_vector(&random).normalized();
  const Vec3 r = 5.0 * axis, expected = (5.0 - 2.0 * std::numbers::pi) * axis;
  EXPECT_LT((quaternion_log(quaternion_exp(r)) - expected).norm(), 2.0 * kRoundOff);
}

TEST(Rotation, LogarithmOfAHalfTurnHasLengthPi) {
  for (const Vec3& axis : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
    const Mat3 R = 2.0 * axis * axis.transpose() - Mat3::Identity();
    EXPECT_NEAR(rotation_log(R).norm(), std::numbers::pi, kRoundOff);
    EXPECT_LT(rotation_log(R).cross(axis).norm(), kRoundOff);
  }
}

TEST(Rotation, QuaternionOfARotationUndoesTheRotationOfAQuaternion) {
  Random random(10);
  for (int i = 0; i < kSamples; ++i) {
    const Mat3 R = rotation_from_quaternion(random_quaternion(&random));
    const Vec4 q = quaternion_from_rotation(R);
    EXPECT_GE(q[0], 0.0);
    EXPECT_NEAR(q.norm(), 1.0, kRoundOff);
    EXPECT_LT((rotation_from_quaternion(q) - R).norm(), kRoundOff);
  }
}

TEST(Rotation, FixedAxisAnglesTurnFirstAboutXThenAboutYThenAboutZ) {
  const Mat3 R = (Eigen::AngleAxisd(0.7, Vec3::UnitZ()) * Eigen::AngleAxisd(-0.4, Vec3::UnitY()) *
                  Eigen::AngleAxisd(0.3, Vec3::UnitX()))
                     .toRotationMatrix();
  EXPECT_LT((rotation_from_roll_pitch_yaw(0.3, -0.4, 0.7) - R).norm(), kRoundOff);
}

TEST(Rotation, FrameWithZIsARotationWithThatThirdColumn) {
  Random random(11);
  for (int i = 0; i < kSamples; ++i) {
    const Vec3 z = random_vector(&random).normalized();
    const Mat3 frame = frame_with_z(z);
    EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), kRoundOff);
    EXPECT_GT(frame.determinant(), 0.0);
    EXPECT_EQ(Vec3(frame_with_z(z).col(2)), z);
  }
  for (const Vec3& z :
       {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)})
    expect_rotation(frame_with_z(z));
}

TEST(Rotation, FrameWithZIsARotationCloseToItsSingularDirectionToo) {
  for (double tilt : {1e-3, 1e-5, 3e-7, 1e-7, 1e-9, 1e-12}) {
    SCOPED_TRACE(tilt);
    const Mat3 frame = frame_with_z(Vec3(-std::cos(tilt), std::sin(tilt), 0.0));
    EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), kRoundOff);
  }
}

TEST(Rotation, OrthonormalisedIsTheClosestRotation) {
  Random random(12);
  for (int i = 0; i < kSamples; ++i) {
    const Mat3 exact = rotation_from_quaternion(random_quaternion(&random));
    Mat3 R = exact;
    for (int k = 0; k < 9; ++k) R(k) += random.uniform(-1e-5, 1e-5);
    // The polar factor U V' of R = U S V' is the closest rotation.
    const Eigen::JacobiSVD<Mat3> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
    EXPECT_LT((orthonormalised(R) - svd.matrixU() * svd.matrixV().transpose()).norm(), 5e-15);
  }
}

TEST(RotationDerivative, OfAboutAnAxisIsTheAxisCrossTheRotation) {
  Random random(13);
  const Vec3 axis = random_vector(&random).normalized();
  const Mat3T<Dual> R = rotation_about<Dual>(axis.cast<Dual>(), Dual(0.8, 1.0));
  EXPECT_LT((derivative_of(R) - skew<double>(axis) * value_of(R)).norm(), kRoundOff);
}

TEST(RotationDerivative, OfTheExponentialAgreesWithDifferences) {
  Random random(14);
  constexpr double kStep = 1e-5, kDifferenceError = 1e-9;  // h^2 and round-off / h
  for (double size : {1e-4, 0.9 * kSmallAngle, 1.1 * kSmallAngle, 0.5, 2.5}) {
    const Vec3 r = size * random_vector(&random).normalized(), dr = random_vector(&random);
    const Mat3 slope =
        (rotation_exp<double>(r + kStep * dr) - rotation_exp<double>(r - kStep * dr)) / (2.0 * kStep);
    EXPECT_LT((derivative_of(rotation_exp(along<3>(r, dr))) - slope).norm(), kDifferenceError) << size;
  }
}

TEST(RotationDerivative, OfTheExponentialAtZeroIsTheSkewMatrix) {
  const Vec3 dr(0.3, -0.8, 0.5);
  const Mat3T<Dual> R = rotation_exp(along<3>(Vec3::Zero(), dr));
  EXPECT_LT((derivative_of(R) - skew<double>(dr)).norm(), kRoundOff);
}

TEST(RotationDerivative, OfTheLogarithmUndoesThatOfTheExponential) {
  Random random(15);
  for (double size : {0.0, 1e-4, 0.9 * kSmallAngle, 1.1 * kSmallAngle, 2.1 * kSmallAngle, 0.5, 2.5}) {
    const Vec3 r = size * random_vector(&random).normalized(), dr = random_vector(&random);
    const Vec3T<Dual> there_and_back = quaternion_log(quaternion_exp(along<3>(r, dr)));
    // The fourth-order series leaves size^6 in the value and six times size^5 in the slope.
    EXPECT_LT((derivative_of(there_and_back) - dr).norm(), 1e-12 * dr.norm()) << size;
  }
}

TEST(RotationDerivative, OfAQuaternionThatTurnsIsTheAngularVelocityCrossTheRotation) {
  // dq/dt = (0, w) q / 2 with w in the fixed frame.
  Random random(16);
  const Vec4 q = random_quaternion(&random);
  const Vec3 w = random_vector(&random);
  const Vec4 dq = 0.5 * quaternion_product<double>(Vec4(0.0, w.x(), w.y(), w.z()), q);
  const Mat3T<Dual> R = rotation_from_quaternion(along<4>(q, dq));
  EXPECT_LT((derivative_of(R) - skew<double>(w) * value_of(R)).norm(), 2.0 * kRoundOff);
}

}  // namespace
}  // namespace stiction
