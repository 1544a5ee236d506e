#include "stiction/constraint/bushing.h"

#include "stiction/math/rotation.h"
#include "stiction/multibody/passive_forces.h"

namespace stiction {
namespace {

// Row i is the gradient of phi_r,i by the rotation of B relative to A, in the axes of A.
Mat3 inverse_left_jacobian(const Vec3& r) {
  const Mat3 K = skew(r);
  return Mat3::Identity() - 0.5 * K + rotation_jacobian_coefficient(r.norm()) * K * K;
}

Vec3 rotation_between(const Pose& X_A, const Pose& X_B) {
  return quaternion_log<double>(quaternion_from_rotation(X_A.R.transpose() * X_B.R));
}

}  // namespace

void write_rows(const BushingSprings& bushing, const RowCompliance&, int index, RowWriter* rows) {
  LoopClosureRows closure(bushing, index, rows);
  const Mat3& R_A = closure.X_A.R;
  const Vec3 rotation = rotation_between(closure.X_A, closure.X_B);
  const Mat3 about = R_A * inverse_left_jacobian(rotation).transpose();
  for (int i = 0; i < 6; ++i) {
    if (bushing.springs[i].is_rigid()) continue;  // a free direction
    if (i < 3)
      closure.along(R_A.col(i), -1.0);
    else
      closure.about(about.col(i - 3), -1.0);
    closure.end_spring(i < 3 ? -R_A.col(i).dot(closure.apart) : rotation[i - 3], i, bushing.springs[i]);
  }
}

Vec6 wrench_on_first(const BushingSprings&, const Pose& X_A, const Pose& X_B, int component, double force) {
  if (component >= 3) {
    const Mat3 about = X_A.R * inverse_left_jacobian(rotation_between(X_A, X_B)).transpose();
    return axis_wrench(about.col(component - 3), component, -force);
  }
  const Vec3 on_A = -force * X_A.R.col(component);
  return stack<double>(Vec3((X_B.p - X_A.p).cross(on_A)), on_A);
}

Vec6 deflection(const Pose& X_A, const Pose& X_B) {
  return stack<double>(Vec3(X_A.R.transpose() * (X_B.p - X_A.p)), rotation_between(X_A, X_B));
}

Vec6 deflection_rate(const Pose& X_A, const Pose& X_B, const Vec6& V_A, const Vec6& V_B) {
  const Vec3 w_A = V_A.head<3>(), w = V_B.head<3>() - w_A;
  const Vec3 v = V_B.tail<3>() - V_A.tail<3>() - w_A.cross(X_B.p - X_A.p);
  const Mat3 to_A = X_A.R.transpose();
  return stack<double>(Vec3(to_A * v), Vec3(inverse_left_jacobian(rotation_between(X_A, X_B)) * (to_A * w)));
}

double spring_energy(const BushingSprings& bushing, const Vec6& phi) {
  double energy = 0.0;
  for (int i = 0; i < 6; ++i) energy += 0.5 * bushing.springs[i].stiffness * phi[i] * phi[i];
  return energy;
}

}  // namespace stiction
