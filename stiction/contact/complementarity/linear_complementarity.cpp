#include "stiction/contact/complementarity/linear_complementarity.h"

#include <algorithm>
#include <numeric>

#include "stiction/math/eigenvalues.h"

namespace stiction {
namespace {

// Eigenvalues of the symmetric part above this, relative to the largest, count as nonnegative.
constexpr double kSemidefinite = -1e-13;
constexpr int kPolishSteps = 8;

bool is_ordinary(const LinearComplementarity& problem) {
  return (problem.lower.array() == 0.0).all() && (problem.upper.array() == kNoBound).all();
}

bool is_positive_semidefinite(const MatX& M) {
  const VecX values = eigenvalues(M + M.transpose());
  return values[0] >= kSemidefinite * values.cwiseAbs().maxCoeff();
}

LinearStatus status_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved:
      return LinearStatus::solved;
    case LcpStatus::ray:
      return LinearStatus::ray;
    case LcpStatus::max_pivots:
      return LinearStatus::max_iterations;
    case LcpStatus::singular:
      return LinearStatus::stalled;
    case LcpStatus::not_finite:
      return LinearStatus::not_finite;
  }
  return LinearStatus::stalled;
}

}  // namespace

void LinearComplementarity::set_bounds(const std::vector<char>& is_complementary) {
  const int n = static_cast<int>(is_complementary.size());
  lower.resize(n);
  upper.setConstant(n, kNoBound);
  for (int i = 0; i < n; ++i) lower[i] = is_complementary[i] ? 0.0 : -kNoBound;
}

void LinearMixedProblem::set(const LinearComplementarity& problem) {
  const int n = problem.size();
  lower = problem.lower;
  upper = problem.upper;
  q_ = problem.q;
  M_.row_begin.assign(1, 0);
  M_.columns.clear();
  M_.values.clear();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (problem.M(i, j) == 0.0) continue;
      M_.columns.push_back(j);
      M_.values.push_back(problem.M(i, j));
    }
    M_.row_begin.push_back(static_cast<int>(M_.columns.size()));
  }
}

bool LinearMixedProblem::evaluate(const VecX& z, VecX* F) {
  *F = q_;
  for (int i = 0; i < size(); ++i)
    for (int e = M_.row_begin[i]; e < M_.row_begin[i + 1]; ++e) (*F)[i] += M_.values[e] * z[M_.columns[e]];
  return true;
}

bool LinearMixedProblem::linearise(const VecX& z, VecX* F, SparseRows* jacobian) {
  *jacobian = M_;
  return evaluate(z, F);
}

LinearStatus LcpSolver::lemke(const LinearComplementarity& problem, VecX* z) {
  const int most = options_.max_pivots_per_unknown * std::max(1, problem.size());
  LinearStatus status = LinearStatus::stalled;
  if (is_ordinary(problem)) {
    const LcpReport report = lemke_.solve(problem.M, problem.q, most, z);
    report_.pivots += report.pivots;
    status = status_of(report.status);
    if (status == LinearStatus::solved) status = newton(MixedMethod::min_map, z);
    if (status == LinearStatus::solved || status == LinearStatus::not_finite) return status;
  }
  const LcpReport report = mixed_lemke_.solve(problem.M, problem.q, problem.lower, problem.upper, most, z);
  report_.pivots += report.pivots;
  status = status_of(report.status);
  return status == LinearStatus::solved ? newton(MixedMethod::min_map, z) : status;
}

LinearStatus LcpSolver::pivot(const LinearComplementarity& problem, VecX* z) {
  pivoting_.lower = problem.lower;
  pivoting_.upper = problem.upper;
  pivoting_.begin(problem.M, problem.q, *z);
  order_.resize(problem.size());
  std::iota(order_.begin(), order_.end(), 0);
  const LcpReport report =
      pivoting_.solve(order_, options_.max_pivots_per_unknown * std::max(1, problem.size()));
  report_.pivots += report.pivots;
  if (report.status != LcpStatus::solved) return status_of(report.status);
  pivoting_.solution(z);
  return newton(MixedMethod::min_map, z);
}

LinearStatus LcpSolver::sweep(const LinearComplementarity& problem, VecX* z) {
  const int n = problem.size();
  for (int i = 0; i < n; ++i)
    if (!(problem.M(i, i) > 0.0)) return LinearStatus::zero_diagonal;
  while (report_.sweeps < options_.max_sweeps) {
    ++report_.sweeps;
    for (int i = 0; i < n; ++i) {
      const double w = problem.M.row(i).dot(*z) + problem.q[i];
      (*z)[i] = std::clamp((*z)[i] - w / problem.M(i, i), problem.lower[i], problem.upper[i]);
    }
    if (!z->allFinite()) return LinearStatus::not_finite;
    mixed_.evaluate(*z, &w_);
    report_.residual = natural_residual(mixed_, *z, w_);
    if (report_.residual <= options_.tolerance) return LinearStatus::solved;
  }
  return LinearStatus::max_iterations;
}

// Newton's method from z, which after pivoting is mostly a solution but for round-off.
LinearStatus LcpSolver::newton(MixedMethod method, VecX* z) {
  MixedOptions options;
  options.tolerance = options_.tolerance;
  options.method = method;
  if (method == MixedMethod::min_map) {
    options.max_iterations = kPolishSteps;
    options.restarts = 0;
  }
  const MixedReport report = newton_.solve(mixed_, options, z);
  report_.newton_steps += report.iterations;
  report_.residual = report.residual;
  switch (report.status) {
    case MixedStatus::converged:
      return LinearStatus::solved;
    case MixedStatus::max_iterations:
      return LinearStatus::max_iterations;
    case MixedStatus::not_defined:
      return LinearStatus::not_finite;
    case MixedStatus::infeasible:
      return LinearStatus::infeasible;
    case MixedStatus::stalled:
      return LinearStatus::stalled;
  }
  return LinearStatus::stalled;
}

LinearStatus LcpSolver::solve_by(LinearMethod method, const LinearComplementarity& problem, VecX* z) {
  report_.method = method;
  switch (method) {
    case LinearMethod::lemke:
      return lemke(problem, z);
    case LinearMethod::pivoting:
      return pivot(problem, z);
    case LinearMethod::pgs:
      return sweep(problem, z);
    case LinearMethod::newton:
      return newton(MixedMethod::automatic, z);
    case LinearMethod::automatic:
      break;
  }
  LinearStatus first = LinearStatus::stalled;
  for (const LinearMethod one : {LinearMethod::lemke, LinearMethod::newton, LinearMethod::pivoting}) {
    answer_ = *z;
    const LinearStatus status = solve_by(one, problem, &answer_);
    if (one == LinearMethod::lemke) first = status;
    if (status == LinearStatus::solved || status == LinearStatus::infeasible) {
      *z = answer_;
      return status;
    }
    if (one == LinearMethod::lemke && status == LinearStatus::ray && is_positive_semidefinite(problem.M))
      return LinearStatus::infeasible;
  }
  return first;
}

LinearReport LcpSolver::solve(const LinearComplementarity& problem, const LinearOptions& options, VecX* z) {
  options_ = options;
  report_ = {};
  const int n = problem.size();
  if (z->size() != n) z->setZero(n);
  const auto stop = [&](LinearStatus status) {
    report_.status = status;
    return report_;
  };
  report_.residual = kNoBound;
  if (!problem.M.allFinite() || !problem.q.allFinite()) return stop(LinearStatus::not_finite);
  if (!(problem.lower.array() <= problem.upper.array()).all()) return stop(LinearStatus::infeasible);
  *z = z->cwiseMax(problem.lower).cwiseMin(problem.upper);
  if (n == 0) report_.residual = 0.0;
  if (n == 0) return stop(LinearStatus::solved);
  mixed_.set(problem);
  const LinearStatus status = solve_by(options.method, problem, z);
  mixed_.evaluate(*z, &w_);
  report_.residual = natural_residual(mixed_, *z, w_);
  return stop(status);
}

LinearReport solve_linear_complementarity(const LinearComplementarity& problem, const LinearOptions& options,
                                          VecX* z) {
  LcpSolver solver;
  return solver.solve(problem, options, z);
}

}  // namespace stiction
