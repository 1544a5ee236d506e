#include "stiction/contact/complementarity/mixed_problem.h"

#include <cmath>

namespace stiction {

double natural_residual(const MixedProblem& problem, const VecX& z, const VecX& F) {
  double largest = 0.0;
  for (int i = 0; i < problem.size(); ++i) {
    if (std::isnan(z[i]) || std::isnan(F[i])) return kNoBound;
    largest = std::max(largest, std::abs(min_map(z[i], F[i], problem.lower[i], problem.upper[i])));
  }
  return largest;
}

}  // namespace stiction
