#include "stiction/contact/newton/conjugate_gradient.h"

#include <algorithm>

namespace stiction {

void add_share_of_diagonal(double share, std::span<const int> sizes, BlockSparseMatrix* H) {
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    const BlockView block = H->diagonal_block(static_cast<int>(t));
    for (int r = 0; r < sizes[t]; ++r) block(r, r) *= 1.0 + share;
  }
}

double next_share(double share) {
  constexpr double kFirst = 1e-12, kLargest = 1e-2;
  const double next = std::max(kFirst, 100.0 * share);
  return next <= kLargest ? next : -1.0;
}

bool ConjugateGradient::prepare(IslandSystem* system, double* regularisation) {
  for (double share = 0.0; share >= 0.0; share = next_share(share)) {
    system->assemble_diagonal(&diagonal_);
    if (share > 0.0) add_share_of_diagonal(share, system->block_sizes(), &diagonal_);
    if (!cholesky_.factorise(&diagonal_).is_positive_definite()) continue;
    *regularisation = share;
    return true;
  }
  return false;
}

void ConjugateGradient::precondition(const IslandSystem::Vector& r, IslandSystem::Vector* z) {
  diagonal_.pack(r, &packed_);
  cholesky_.solve(diagonal_, &packed_);
  diagonal_.unpack(packed_, *z);
}

int ConjugateGradient::solve(IslandSystem* system, double tolerance) {
  IslandSystem::Vector &r = system->work[0], &z = system->work[1], &p = system->work[2],
                       &Hp = system->work[3], &x = system->dv;
  x.setZero();
  r = -system->gradient;
  precondition(r, &z);
  p = z;
  double rz = r.dot(z);
  const double bound = tolerance * r.cwiseProduct(system->scale).norm();
  // In exact arithmetic as many iterations as velocities suffice; with round-off it may take more.
  const int most = static_cast<int>(std::min<Eigen::Index>(10 * x.size(), 20000));
  for (int i = 1; i <= most; ++i) {
    system->multiply_H(p, &Hp);
    const double curvature = p.dot(Hp);
    if (!(curvature > 0.0)) return i;  // round-off, or NaN: the iterate so far is a descent direction
    const double alpha = rz / curvature;
    x += alpha * p;
    r -= alpha * Hp;
    if (!(r.cwiseProduct(system->scale).norm() > bound)) return i;
    precondition(r, &z);
    const double next = r.dot(z);
    p = z + (next / rz) * p;
    rz = next;
  }
  return most;
}

}  // namespace stiction
