#pragma once
// GMRES: A x = b for an unsymmetric A that is given as a product only. After k products x is the vector of
// the Krylov space b, A b, ..., A^(k-1) b with the smallest |b - A x|; where A is the unit matrix and a term
// of rank r, r + 1 products give the solution.
//
// The basis is orthogonalised by modified Gram-Schmidt, the small least squares problem solved by Givens
// rotations as it grows. It is restarted when the basis is full. Workspaces grow to the largest system seen.
//
// Y. Saad, M. H. Schultz, GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear
// systems, SIAM J. Sci. Stat. Comput. 7 (1986).

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

class Gmres {
 public:
  struct Result {
    int products;
    double residual;  // |b - A x| / |b|
  };

  // For systems of n unknowns nothing allocates afterwards.
  void reserve(Eigen::Index n) { basis_.reserve(static_cast<std::size_t>((kBasis + 2) * n)); }

  // x := an approximate solution with |b - A x| <= tolerance |b|, if it is found within that many products.
  // apply(p, y): y := A p. All vectors are Eigen maps or vectors of the same size; b may not be x.
  template <class Apply, class Vector>
  Result solve(const Apply& apply, const Vector& b, double tolerance, int most_products, Vector* x) {
    using Map = Eigen::Map<VecX>;
    const auto n = b.size();
    const int most = static_cast<int>(std::min<Eigen::Index>(kBasis, n + 1));
    basis_.resize(static_cast<std::size_t>((kBasis + 2) * n));
    const auto column = [&](int k) { return Map(basis_.data() + k * n, n); };
    Map product = column(kBasis + 1);
    x->setZero();
    const double size = b.norm();
    Result result{0, 0.0};
    if (!(size > 0.0)) return result;
    for (;;) {
      // The residual begins the basis.
      Map first = column(0);
      first = b;
      if (result.products > 0) {
        apply(*x, &product);
        ++result.products;
        first -= product;
      }
      double left = first.norm();
      result.residual = left / size;
      if (!(left > tolerance * size) || result.products >= most_products) return result;
      first /= left;
      rhs_[0] = left;
      int k = 0;
      while (k < most && result.products < most_products) {
        apply(column(k), &product);
        ++result.products;
        const double before = product.norm();
        double* h = column_of_H(k);
        for (int i = 0; i <= k; ++i) {
          h[i] = column(i).dot(product);
          product -= h[i] * column(i);
        }
        h[k + 1] = product.norm();
        // A product inside the span of the basis: the solution lies in it.
        constexpr double kRoundOff = 1e-14;
        const bool is_last = !(h[k + 1] > kRoundOff * before);
        if (!is_last) column(k + 1) = product / h[k + 1];
        rotate(k, h);
        left = std::abs(rhs_[k + 1]);
        ++k;
        if (is_last || !(left > tolerance * size)) break;
      }
      // y of the triangular system, and x.
      for (int i = k - 1; i >= 0; --i) {
        double sum = rhs_[i];
        for (int j = i + 1; j < k; ++j) sum -= column_of_H(j)[i] * y_[j];
        const double pivot = column_of_H(i)[i];
        y_[i] = pivot != 0.0 ? sum / pivot : 0.0;
      }
      for (int i = 0; i < k; ++i) *x += y_[i] * column(i);
      result.residual = left / size;
      if (k < most || result.products >= most_products) return result;
    }
  }

 private:
  static constexpr int kBasis = 40;

  double* column_of_H(int k) { return H_ + k * (kBasis + 1); }
  void rotate(int k, double* h) {
    for (int i = 0; i < k; ++i) {
      const double up = cos_[i] * h[i] + sin_[i] * h[i + 1];
      h[i + 1] = cos_[i] * h[i + 1] - sin_[i] * h[i];
      h[i] = up;
    }
    const double length = std::hypot(h[k], h[k + 1]);
    cos_[k] = length > 0.0 ? h[k] / length : 1.0;
    sin_[k] = length > 0.0 ? h[k + 1] / length : 0.0;
    h[k] = length;
    h[k + 1] = 0.0;
    rhs_[k + 1] = -sin_[k] * rhs_[k];
    rhs_[k] *= cos_[k];
  }

  std::vector<double> basis_;
  double H_[(kBasis + 1) * (kBasis + 1)], cos_[kBasis], sin_[kBasis], rhs_[kBasis + 1], y_[kBasis];
};

}  // namespace stiction
