#include "stiction/contact/dual/alart_curnier.h"

#include <algorithm>

namespace stiction {
namespace {

void fill_diagonal(int n, double value, double* G) {
  std::fill(G, G + n * n, 0.0);
  for (int i = 0; i < n; ++i) G[i * (n + 1)] = value;
}

BlockPiece project_row(const DualBlock& block, double z, double* p, double* G) {
  *p = std::clamp(z, block.lower, block.upper);
  const bool is_inside = *p == z && block.lower < block.upper;
  if (G) *G = is_inside ? 1.0 : 0.0;
  return is_inside ? BlockPiece::sticking : BlockPiece::open;
}

}  // namespace

BlockPiece project_block(LawKind law, const DualBlock& block, const double* z, double* p, double* G) {
  if (!block.is_contact()) return project_row(block, *z, p, G);
  const int m = block.tangents, n = m + 1;
  const bool is_convex = block.law_under(law) == LawKind::convex_cone;
  const double mu = block.friction, normal = z[m], length = norm_of(z, m);

  // Open. (A point on the axis of the cone sticks even without friction.)
  if (is_convex ? normal <= -mu * length : normal <= 0.0) {
    std::fill(p, p + n, 0.0);
    if (G) std::fill(G, G + n * n, 0.0);
    return BlockPiece::open;
  }
  if (length <= mu * normal) {
    std::copy_n(z, n, p);
    if (G) fill_diagonal(n, 1.0, G);
    return BlockPiece::sticking;
  }

  // Sliding, with |z_t| > 0.
  const double pressure = is_convex ? (normal + mu * length) / (1.0 + mu * mu) : normal;
  const double share = mu * pressure / length;
  for (int i = 0; i < m; ++i) p[i] = share * z[i];
  p[m] = pressure;
  if (!G) return BlockPiece::sliding;
  fill_diagonal(n, share, G);
  const double square = length * length;
  // Derivatives of the normal impulse with respect to |z_t| and to z_n.
  const double by_normal = is_convex ? 1.0 / (1.0 + mu * mu) : 1.0,
               by_length = is_convex ? mu * by_normal : 0.0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) G[i * n + j] += (mu * by_length - share) * z[i] * z[j] / square;
    G[i * n + m] = mu * by_normal * z[i] / length;
    G[m * n + i] = by_length * z[i] / length;
  }
  G[m * n + m] = by_normal;
  return BlockPiece::sliding;
}

}  // namespace stiction
