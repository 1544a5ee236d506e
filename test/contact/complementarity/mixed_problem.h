#pragma once
// A mixed complementarity problem from F alone, a template in the number type; its derivatives are computed
// with dual numbers, one direction at a time. Default bounds: 0 <= z.
//
//   struct Parabola {
//     template <class T>
//     static void evaluate(const VecXT<T>& z, VecXT<T>* F) { (*F)[0] = z[0] * z[0] - 2.0; }
//   };
//   DualMixedProblem<Parabola> problem(1);

#include "stiction/contact/complementarity/mixed_problem.h"
#include "stiction/math/dual.h"

namespace stiction {

template <class Function>
class DualMixedProblem : public MixedProblem {
 public:
  explicit DualMixedProblem(int n) {
    lower.setZero(n);
    upper.setConstant(n, kNoBound);
  }

  bool evaluate(const VecX& z, VecX* F) override {
    F->resize(size());
    Function::template evaluate<double>(z, F);
    return F->allFinite();
  }

  bool linearise(const VecX& z, VecX* F, SparseRows* jacobian) override {
    const int n = size();
    if (!evaluate(z, F)) return false;
    jacobian->row_begin.resize(n + 1);
    jacobian->columns.resize(n * n);
    jacobian->values.resize(n * n);
    for (int i = 0; i <= n; ++i) jacobian->row_begin[i] = n * i;
    VecXT<Dual> z_dual(n), F_dual(n);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) z_dual[i] = Dual(z[i], i == j ? 1.0 : 0.0);
      Function::template evaluate<Dual>(z_dual, &F_dual);
      for (int i = 0; i < n; ++i) {
        jacobian->columns[n * i + j] = j;
        jacobian->values[n * i + j] = F_dual[i].derivative;
      }
    }
    return true;
  }
};

}  // namespace stiction
