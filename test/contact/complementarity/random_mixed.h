#pragma once
// Random mixed complementarity problems, built around a known solution z*:
//
//   F(z) = g(z) - g(z*) + r,   g_i = sum_j A_ij z_j + z_i^3 / 3 + p_i z_j z_k,
//
// r_i >= 0 where z*_i is at its lower bound, <= 0 at its upper one, 0 between; sparse A with a strong
// diagonal, products of neighbours that make g neither monotone nor a gradient. All kinds of bounds occur.

#include <vector>

#include "stiction/contact/complementarity/mixed_problem.h"

namespace stiction {

class RandomMixedProblem : public MixedProblem {
 public:
  // Of each row `neighbours` numbers beside the diagonal; `product` is the largest |p_i|.
  RandomMixedProblem(int n, int neighbours, double product, unsigned seed);

  bool evaluate(const VecX& z, VecX* F) override;
  bool linearise(const VecX& z, VecX* F, SparseRows* jacobian) override;

  VecX solution;

 private:
  double g(int i, const VecX& z) const;

  SparseRows A_;  // with the columns of the product in its pattern
  struct Product {
    double p;
    int j, k;
  };
  std::vector<Product> products_;
  VecX offset_;
};

}  // namespace stiction
