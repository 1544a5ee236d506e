#pragma once
// Linear complementarity problems z >= 0, M z + q >= 0, z . (M z + q) = 0, in one call.

#include "stiction/contact/complementarity/lcp_lemke.h"

namespace stiction {

// Lemke::solve with a temporary workspace and at most 100 n pivots.
inline LcpReport lcp_lemke(const MatX& M, const VecX& q, VecX* z) {
  return Lemke().solve(M, q, 100 * static_cast<int>(q.size()), z);
}

// Largest |min(z, M z + q)|: zero at a solution.
inline double lcp_error(const MatX& M, const VecX& q, const VecX& z) {
  return z.size() > 0 ? z.cwiseMin(M * z + q).cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace stiction
