#pragma once
// Anderson's acceleration of a fixed point iteration x := x + g(x), type II. Of the last steps, with
// differences dx_j = x_{j+1} - x_j and dg_j = g_{j+1} - g_j, the mixture that would have had the least step,
//
//   theta = argmin | g - sum_j theta_j dg_j |,     next x = x + g - sum_j theta_j (dx_j + dg_j),
//
// in a weighted norm. Where g is linear this is as good as GMRES over the same directions; near a solution of
// contact problems it is linear as soon as no contact changes between sticking, sliding and open. The next x
// is a combination of what was seen, so that x stays in any subspace that the iteration does not leave.
//
// The differences dg_j are held as Q R: a new one is orthogonalised against Q twice, the oldest one is taken
// away by Givens rotations; the oldest ones also go while a new one depends on them (kDependent).
//
// H. F. Walker, P. Ni, "Anderson acceleration for fixed-point iterations", SIAM J. Numer. Anal. 49, 2011.

#include <array>

#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"

namespace stiction {

class Anderson {
 public:
  static constexpr int kMemory = 20;

  // Forgets everything.
  void begin(int size);
  // Forgets the steps.
  void clear();
  // The next x after the step g at x. The norm is |weights .* g|; weights must stay the same until clear().
  // False: there is nothing to mix, and next is x + g.
  bool mix(const VecX& x, const VecX& g, const VecX& weights, VecX* next);

 private:
  // Of a difference's length: what is left of it beside the others, below which it depends on them.
  static constexpr double kDependent = 1e-12;
  // Of a step's length: a mixture that moves less is none.
  static constexpr double kStandstill = 1e-6;

  double* Q(int column) { return Q_.data() + column * size_; }
  double& R(int row, int column) { return R_[column * kMemory + row]; }
  bool append();
  void drop_oldest();

  int size_ = 0, columns_ = 0;
  bool has_last_ = false;
  VecX last_x_, last_g_, difference_, theta_;
  AlignedVector<double> Q_, moves_;  // by column; by slot: dx + dg
  std::array<double, kMemory * kMemory> R_;
  std::array<int, kMemory> slots_;  // of the moves of a column
};

}  // namespace stiction
