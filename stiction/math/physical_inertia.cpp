#include "stiction/math/physical_inertia.h"

#include "stiction/math/eigenvalues.h"

namespace stiction {

bool violates_triangle_inequality(const Inertia& inertia) {
  if (inertia_defect(inertia).empty()) return false;
  // A multiple of the identity added to I_com leaves the differences of the moments, adds to A + B what makes
  // the rule hold, and hides no other defect as long as no moment is negative.
  if (!inertia.I_com.allFinite()) return false;
  const Mat3 symmetric = 0.5 * (inertia.I_com + inertia.I_com.transpose());
  const Vec3 moments = principal_moments(symmetric);
  if (moments[0] < 0.0) return false;
  Inertia raised = inertia;
  raised.I_com += moments[2] * Mat3::Identity();
  return inertia_defect(raised).empty();
}

Inertia balanced_inertia(const Inertia& inertia) {
  Inertia balanced = inertia;
  balanced.I_com = inertia.I_com.trace() / 3.0 * Mat3::Identity();
  return balanced;
}

}  // namespace stiction
