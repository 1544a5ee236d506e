// Projected Gauss-Seidel for three rigid laws (C Algs. 1, 2 and 6): one contact after the other, with the
// impulses of the others fixed.
//
// The projected step of a block, rho its inverse stiffness and P the projection on its set, is
//
//   pyramid_lcp, coulomb_ncp   lambda_n := max(0, lambda_n - s_n / D_nn),
//                              lambda_t := P(lambda_t - rho_t s_t) on the section of the cone at mu lambda_n
//                              (a polygon; a disc)
//   convex_cone                lambda := P(lambda - rho s) on the cone,
//   a scalar row               lambda := clamp(lambda - s / D, lower, upper).
//
// The steps of the paper, rho = 3/tr D and rho_t = 1/min(D_xx, D_yy), diverge on a single contact with an
// anisotropic block: a step must be shorter than 2 over the largest eigenvalue. Here each contact is solved
// completely, which is the limit of repeating its step (one_contact.h): nonlinear block Gauss-Seidel
// (Jourdan, Alart, Jean 1998). For convex_cone this is block coordinate descent on the dual energy, and
// converges. The other two laws have no such energy and no guarantee (C III-D). Where the one-contact
// solution fails, which takes a block without full rank, one projected step with rho_t = 1/(largest
// eigenvalue) is made.
//
// Limits: convergence is linear, and slow for large mass ratios and long chains of contacts where
// acceleration (gauss_seidel.h) does not help; in hyperstatic problems the internal forces depend on the
// order of the contacts.

#include "stiction/contact/dual/gauss_seidel.h"
#include "stiction/contact/dual/one_contact.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {
namespace {

class ProjectedBlocks {
 public:
  explicit ProjectedBlocks(LawKind law) : law_(law) {}

  void begin(const DualProblem& problem, const DualOptions& options) {
    problem_ = &problem;
    pyramid_ = options.pyramid;
    measure_ = options.measure(law_);
    edges_.begin(pyramid_);
    models_.begin(problem);
  }

  double error(int b, const double* x, const double* s) const {
    return problem_->block_error(measure_, b, x, s);
  }

  double step(int b, const double* s, double* x) const {
    const DualBlock& block = problem_->blocks[b];
    const double before = error(b, x, s);
    if (before == 0.0) return before;
    if (!block.is_contact()) {
      x[0] = std::clamp(x[0] - block.rho * s[0], block.lower, block.upper);  // rho = 1/D
      return before;
    }
    const LocalContact contact = models_.of(b);
    double g[kMostRows];
    free_velocity(contact, x, s, g);
    const LawKind law = block.law_under(law_);
    if (!solve_contact(law, contact, edges_, g, x)) projected_step(law, contact, s, x);
    return before;
  }

  void project(int b, double* x) const {
    const DualBlock& block = problem_->blocks[b];
    if (!block.is_contact()) {
      x[0] = std::clamp(x[0], block.lower, block.upper);
    } else if (block.law_under(law_) == LawKind::convex_cone) {
      project_on_cone(block.friction, block.tangents, x);
    } else {
      x[block.tangents] = std::max(0.0, x[block.tangents]);
      project_on_section(law_, pyramid_, block.friction * x[block.tangents], block.tangents, x);
    }
  }

 private:
  void projected_step(LawKind law, const LocalContact& contact, const double* s, double* x) const {
    const int m = contact.tangents;
    const double Dnn = contact.D[m * contact.rows() + m];
    const double stiffest = *std::max_element(contact.values, contact.values + m);
    if (law == LawKind::convex_cone) {
      for (int i = 0; i <= m; ++i) x[i] -= s[i] / (stiffest + Dnn);  // at least the largest eigenvalue
      project_on_cone(contact.friction, m, x);
      return;
    }
    x[m] = std::max(0.0, x[m] - s[m] / Dnn);
    for (int i = 0; i < m; ++i) x[i] -= s[i] / stiffest;
    project_on_section(law, pyramid_, contact.friction * x[m], m, x);
  }

  LawKind law_;
  const DualProblem* problem_ = nullptr;
  Pyramid pyramid_;
  ErrorMeasure measure_;
  PolygonEdges edges_;
  LocalContacts models_;
};

class ProjectedGaussSeidel final : public DualSolver {
 public:
  explicit ProjectedGaussSeidel(LawKind law) : blocks_(law) {}

  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override {
    return sweeps_.solve(problem, options, &blocks_, lambda);
  }

 private:
  ProjectedBlocks blocks_;
  GaussSeidel sweeps_;
};

}  // namespace

std::unique_ptr<DualSolver> make_pgs(LawKind law) { return std::make_unique<ProjectedGaussSeidel>(law); }

}  // namespace stiction
