#pragma once
// Anderson acceleration, type II, of a fixed point iteration x := x + g(x): the linear combination of the
// last steps that would have had the smallest g. With dx_j = x_{j+1} - x_j and dg_j = g_{j+1} - g_j,
//
//   theta = argmin | g - sum_j theta_j dg_j |,     next x = x + g - sum_j theta_j (dx_j + dg_j),
//
// in a weighted norm. Where g is affine this is as good as GMRES over the same directions; near a solution of
// a contact problem it is affine once no contact changes between open, sticking and sliding. The next x is a
// combination of earlier ones, so that x stays in any subspace that the iteration does not leave.
//
// The differences dg_j are held as Q R: a new one is orthogonalised against Q twice, the oldest one is
// removed by Givens rotations. Old ones are also removed as long as the new one depends on them linearly
// (kDependent).
//
// H. F. Walker, P. Ni, "Anderson acceleration for fixed-point iterations", SIAM J. Numer. Anal. 49, 2011.

#include <array>

#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"

namespace stiction {

class Anderson {
 public:
  static constexpr int kMemory = 20;

  // Sets the size and forgets all steps.
  void begin(int size);
  // Forgets all steps.
  void clear();
  // The next x after the step g at x. The norm is |weights .* g|; weights must stay the same until clear().
  // False: there is nothing to combine, and next is x + g.
  bool mix(const VecX& x, const VecX& g, const VecX& weights, VecX* next);

 private:
  // A difference is dependent if less than this share of its length is orthogonal to the others.
  static constexpr double kDependent = 1e-12;
  // Of a step's length: a combination that moves x by less is rejected.
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
