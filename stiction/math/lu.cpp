#include "stiction/math/lu.h"

#include <cmath>
#include <utility>

#include "stiction/math/simd.h"

namespace stiction {

using namespace simd;

int lu_factorise(int n, int stride, double* A, int* pivots) {
  for (int k = 0; k < n; ++k) {
    // The largest entry of the column becomes the pivot.
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i * stride + k]) > std::abs(A[best * stride + k])) best = i;
    pivots[k] = best;
    double* row_k = A + k * stride;
    if (best != k)
      for (int j = 0; j < n; ++j) std::swap(row_k[j], A[best * stride + j]);
    const double pivot = row_k[k];
    if (!(std::abs(pivot) > 0.0)) return k;

    // Rows below lose their multiple of row k, in whole packs from the one that holds column k + 1.
    const int first = (k + 1) & ~(kLanes - 1);
    for (int i = k + 1; i < n; ++i) {
      double* row_i = A + i * stride;
      const double factor = row_i[k] / pivot;
      for (int j = k + 1; j < first + kLanes && j < n; ++j) row_i[j] -= factor * row_k[j];
      for (int j = first + kLanes; j < n; j += kLanes)
        store(row_i + j, load(row_i + j) - factor * load(row_k + j));
      row_i[k] = factor;
    }
  }
  return -1;
}

void lu_solve(int n, int stride, const double* LU, const int* pivots, double* x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivots[k]]);
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < i; ++j) x[i] -= LU[i * stride + j] * x[j];
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= LU[i * stride + j] * x[j];
    x[i] /= LU[i * stride + i];
  }
}

}  // namespace stiction
