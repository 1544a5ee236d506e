#include "stiction/simulation/contact/point_mobility.h"

#include <Eigen/LU>

namespace stiction {

BodyMobility body_mobility(const ContactProblem& problem, const ProblemBody& body) {
  const double* A = problem.A_of(body.tree);
  BodyMobility Y = {};
  if (problem.trees[body.tree].is_free_body) {
    Mat3 I;
    for (int c = 0; c < 3; ++c) I.col(c) = Eigen::Map<const Vec3>(A + 8 * c);
    const Mat3 inverse = I.inverse();
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 3; ++i) Y.moment_to_w[c][i] = inverse(i, c);
      Y.force_to_v[c][c] = 1.0 / A[8 * (c + 3) + c + 4];
    }
    return Y;
  }
  Y.couples = true;
  const int n = problem.trees[body.tree].num_v;
  for (int k = body.column_begin; k < body.column_begin + body.columns; ++k) {
    const double* S = problem.columns.data() + 8 * k;
    const int d = problem.column_dofs[k];
    const simd::Pack w = simd::load(S), v = simd::load(S + 4);
    const double inverse = 1.0 / A[d * n + d];
    const auto add = [inverse](double* to, simd::Pack motion, double part) {
      simd::store(to, simd::load(to) + motion * (inverse * part));
    };
    for (int c = 0; c < 3; ++c) {
      add(Y.moment_to_w[c], w, S[c]);
      add(Y.moment_to_v[c], v, S[c]);
      add(Y.force_to_w[c], w, S[4 + c]);
      add(Y.force_to_v[c], v, S[4 + c]);
    }
  }
  return Y;
}

}  // namespace stiction
