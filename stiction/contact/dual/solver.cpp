#include "stiction/contact/dual/solver.h"

namespace stiction {

std::unique_ptr<DualSolver> make_dual_solver(LawKind law, std::string_view solver) {
  if (!is_rigid(law)) return nullptr;
  if (solver == "pgs" && law != LawKind::raisim) return make_pgs(law);
  if (solver == "bisection" && law == LawKind::raisim) return make_bisection();
  const bool is_cone = law == LawKind::convex_cone, is_coulomb = law == LawKind::coulomb_ncp,
             is_pyramid = law == LawKind::pyramid_lcp;
  if (solver == "admm" && (is_cone || is_coulomb)) return make_admm(law);
  if (solver == "staggered" && (is_coulomb || is_pyramid)) return make_staggered(law);
  if (solver == "semismooth_newton" && (is_cone || is_coulomb)) return make_semismooth_newton(law);
  if (solver == "lemke" && is_pyramid) return make_lemke();
  if (solver == "dantzig" && is_pyramid) return make_dantzig();
  return nullptr;
}

}  // namespace stiction
