#include "stiction/math/rotation.h"

#include <Eigen/LU>

namespace stiction {

Vec4 quaternion_from_rotation(const Mat3& R) {
  // Solve for the largest of the four components first: no cancellation (Shepperd).
  const double trace = R.trace();
  Vec4 q;
  if (trace >= R.diagonal().maxCoeff()) {
    q << 1.0 + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1);
  } else {
    int i = 0;
    R.diagonal().maxCoeff(&i);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = R(k, j) - R(j, k);
    q[1 + i] = 1.0 + R(i, i) - R(j, j) - R(k, k);
    q[1 + j] = R(i, j) + R(j, i);
    q[1 + k] = R(i, k) + R(k, i);
  }
  q.normalize();
  return q[0] < 0.0 ? Vec4(-q) : q;
}

Vec3 rotation_log(const Mat3& R) { return quaternion_log(quaternion_from_rotation(R)); }

Mat3 rotation_from_roll_pitch_yaw(double roll, double pitch, double yaw) {
  return rotation_about<double>(Vec3::UnitZ(), yaw) * rotation_about<double>(Vec3::UnitY(), pitch) *
         rotation_about<double>(Vec3::UnitX(), roll);
}

Mat3 frame_with_z(const Vec3& z) {
  // The shortest rotation that takes e_x to z, with its columns relabelled (x, y, z) -> (y, z, x).
  Mat3 frame;
  const double across = z.y() * z.y() + z.z() * z.z();
  // 1 / (1 + x), without the cancellation near x = -1; exactly there any frame will do.
  const double s = z.x() > 0.0 ? 1.0 / (1.0 + z.x()) : across > 0.0 ? (1.0 - z.x()) / across : 0.0;
  frame.col(0) << -z.y(), 1.0 - s * z.y() * z.y(), -s * z.y() * z.z();
  frame.col(1) << -z.z(), -s * z.y() * z.z(), 1.0 - s * z.z() * z.z();
  frame.col(2) = z;
  if (s == 0.0) frame.col(1) = -frame.col(1);
  return frame;
}

Mat3 orthonormalised(const Mat3& R) {
  // Newton for the polar factor: quadratic, so that two rounds from 1e-5 reach round-off.
  Mat3 Q = R;
  for (int round = 0; round < 3; ++round) Q = (0.5 * (Q + Q.inverse().transpose())).eval();
  return Q;
}

}  // namespace stiction
