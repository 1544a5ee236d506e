#pragma once
// Conjugate gradients on H dv = -grad l, for islands whose factor would be too large.
//
// Preconditioned by the diagonal blocks of H, one per tree. H is never formed: a product goes from the
// velocities of the bodies through the 6x6 matrices of the patches to wrenches on the bodies. With a positive
// definite preconditioner every iterate is a descent direction, so that the iteration may stop early (inexact
// Newton).

#include "stiction/contact/newton/island_system.h"
#include "stiction/math/supernodal_cholesky.h"

namespace stiction {

class ConjugateGradient {
 public:
  // The preconditioner at the system's last evaluate(). False: a block is not positive definite even with its
  // diagonal enlarged; `regularisation` gets the share by which.
  bool prepare(IslandSystem* system, double* regularisation);
  // system->dv from system->gradient, until |D residual| <= tolerance |D gradient|, D = system->scale.
  // Returns the number of iterations.
  int solve(IslandSystem* system, double tolerance);

 private:
  void precondition(const IslandSystem::Vector& r, IslandSystem::Vector* z);

  BlockSparseMatrix diagonal_;
  SupernodalCholesky cholesky_;
  PackedVector packed_;
};

// Enlarges the diagonal of H by a share of itself.
void add_share_of_diagonal(double share, std::span<const int> sizes, BlockSparseMatrix* H);

// Shares to try one after the other when a factorisation fails; returns a negative number after the last.
double next_share(double share);

}  // namespace stiction
