#pragma once
// Dense LU with row pivoting in place, for the small unsymmetric systems of the implicit schemes: P A = L U,
// row by row, row i at A + i * stride. Stride is a multiple of four and A is aligned; allocates nothing.

namespace stiction {

// Returns the first column without a usable pivot, or -1.
int lu_factorise(int n, int stride, double* A, int* pivots);

// x <- A^-1 x.
void lu_solve(int n, int stride, const double* LU, const int* pivots, double* x);

}  // namespace stiction
