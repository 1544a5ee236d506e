// Projected Gauss-Seidel as C has it (Algs. 1, 2 and 6), for comparison with pgs, which solves every contact
// completely: one projected step a contact and sweep, with D the block of W + R on the diagonal and s the
// velocity at the present impulses,
//
//   pyramid_lcp, coulomb_ncp   lambda_n := max(0, lambda_n - s_n / D_nn),                        C Algs. 1, 6
//                              lambda_t := P(lambda_t - s_t / min(D_xx, D_yy)) on the section
//                              of the pyramid or the cone at mu lambda_n, s_t with the new lambda_n
//   convex_cone, sap           lambda := P(lambda - 3 / tr(D) s) on the cone                     C Alg. 2
//   a scalar row               lambda := clamp(lambda - s / D, lower, upper)                     (ours)
//
// relaxed by omega = 0.8 times DualOptions::relaxation, lambda := lambda + omega (step - lambda). Torsion and
// rolling, which C does not have, take steps 1/D_ii in Algs. 1 and 6, and 3 becomes the number of rows in
// Alg. 2. No acceleration.
//
// Where the paper slips:
// - both steps may be longer than 2 over the largest eigenvalue of D, beyond which a step moves away from the
//   solution: 1/min(D_xx, D_yy) where the block is anisotropic, 3/tr(D) where one eigenvalue has more than
//   two thirds of the trace. Then a single contact does not converge. Robots have such blocks;
// - eq. 25 gives the weight alpha to the iterate of before: with alpha = 0.8 a fifth of a step would be made,
//   and alpha > 1 would go backwards. The text (alpha > 1 extrapolates) has it the other way round, and so
//   does this;
// - Alg. 7, line 2, sets g_N from g_T; it concerns `staggered`, which has g_N.

#include "stiction/contact/dual/gauss_seidel.h"

namespace stiction {
namespace {

constexpr double kRelaxation = 0.8;  // C III-E

class PlainBlocks {
 public:
  explicit PlainBlocks(LawKind law) : law_(law) {}

  void begin(const DualProblem& problem, const DualOptions& options) {
    problem_ = &problem;
    measure_ = options.measure(law_);
  }

  double error(int b, const double* x, const double* s) const {
    return problem_->block_error(measure_, b, x, s);
  }

  double step(int b, const double* s, double* x) const {
    const DualBlock& block = problem_->blocks[b];
    const double before = error(b, x, s);
    const int n = block.size(), m = block.tangents;
    const LawKind law = block.law_under(law_);
    if (!block.is_contact() || law == LawKind::convex_cone) {
      for (int i = 0; i < n; ++i) x[i] -= block.rho * s[i];  // rho = n / tr D
      project(b, x);
      return before;
    }
    const double* W = problem_->diagonal_block(b);
    const auto D = [&](int i) { return W[i * n + i] + problem_->R[block.begin + i]; };
    const double old = x[m];
    x[m] = std::max(0.0, x[m] - s[m] / D(m));
    for (int i = 0; i < m; ++i) {
      const double stiffness = i < 2 ? std::min(D(0), D(1)) : D(i);
      x[i] -= (s[i] + W[i * n + m] * (x[m] - old)) / stiffness;
    }
    project_on_section(law, measure_.pyramid, block.friction * x[m], m, x);
    return before;
  }

  void project(int b, double* x) const {
    const DualBlock& block = problem_->blocks[b];
    const int m = block.tangents;
    const LawKind law = block.law_under(law_);
    if (!block.is_contact()) {
      x[0] = std::clamp(x[0], block.lower, block.upper);
    } else if (law == LawKind::convex_cone) {
      project_on_cone(block.friction, m, x);
    } else {
      x[m] = std::max(0.0, x[m]);
      project_on_section(law, measure_.pyramid, block.friction * x[m], m, x);
    }
  }

 private:
  LawKind law_;
  const DualProblem* problem_ = nullptr;
  ErrorMeasure measure_;
};

class PlainGaussSeidel final : public DualSolver {
 public:
  explicit PlainGaussSeidel(LawKind law) : blocks_(law) {}

  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override {
    DualOptions plain = options;
    plain.accelerates = false;
    plain.relaxation *= kRelaxation;
    return sweeps_.solve(problem, plain, &blocks_, lambda);
  }

 private:
  PlainBlocks blocks_;
  GaussSeidel sweeps_;
};

}  // namespace

std::unique_ptr<DualSolver> make_pgs_plain(LawKind law) { return std::make_unique<PlainGaussSeidel>(law); }

}  // namespace stiction
