#include "stiction/math/supernodal_lu.h"

#include <Eigen/SparseLU>

namespace stiction {

struct SupernodalLu::Factor {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
};

SupernodalLu::SupernodalLu() : factor_(std::make_unique<Factor>()) {}
SupernodalLu::~SupernodalLu() = default;

bool SupernodalLu::factorise(const Eigen::SparseMatrix<double>& A) {
  factor_->lu.compute(A);
  return factor_->lu.info() == Eigen::Success;
}

VecX SupernodalLu::solve(const VecX& b) const { return factor_->lu.solve(b); }

}  // namespace stiction
