#pragma once
// The analytic derivatives of contact_conditions.h.
//
// Columns: rotation of A (rad, in W, about its origin), displacement of A (m), its angular velocity, its
// velocity; the same for B; then the unknowns of the contact. Only first and second derivatives of the
// implicit functions are needed.

#include "stiction/simulation/scheme/geometric/contact_conditions.h"

namespace stiction {

inline constexpr int kMotionColumns = 24;
inline constexpr int kMostContactColumns = kMotionColumns + kMostContactUnknowns;

struct ContactJacobian {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostContactUnknowns,
                             kMostContactColumns>;
  using SixRows = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMostContactColumns>;
  Rows F;
  SixRows on_A, on_B;
};

void contact_jacobian(const ContactSetup& s, const ContactLayout& at, const BodyState& A, const BodyState& B,
                      const double* z, ContactJacobian* out);

}  // namespace stiction
