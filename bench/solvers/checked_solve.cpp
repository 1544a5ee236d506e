#include "bench/solvers/checked_solve.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "stiction/base/check.h"
#include "stiction/contact/law/law_list.h"

namespace stiction::solvers {
namespace {

constexpr int kMostRounds = 8;
constexpr double kLeastTolerance = 1e-16;  // of a solver: below it, round-off decides

// Of many islands: maps add up, errors of the pyramid do not.
class ErrorSum {
 public:
  ErrorSum(LawKind law, const Pyramid& pyramid) : law_(law), pyramid_(pyramid) {}

  void add(const DualProblem& problem, const VecX& lambda) {
    if (law_row(law_).has_own_criterion) return;
    VecX s;
    problem.velocities(lambda, &s);
    if (law_ == LawKind::pyramid_lcp) {
      keep_worst(problem.natural_error(law_, pyramid_, lambda, s) / problem.velocity_scale(), &worst_);
      return;
    }
    const DualProblem::NaturalMap squares = problem.natural_map(law_, lambda, s);
    sum_.map += squares.map;
    sum_.lambda += squares.lambda;
  }
  double relative() const {
    if (law_ == LawKind::pyramid_lcp) return worst_;
    return sum_.lambda > 0.0 ? std::sqrt(sum_.map / sum_.lambda) : std::sqrt(sum_.map);
  }

 private:
  LawKind law_;
  Pyramid pyramid_;
  DualProblem::NaturalMap sum_;
  double worst_ = 0.0;
};

// One island, from the answer of a first solve: solved again with smaller tolerances, until the residual
// check passes.
void refine(DualSolver* solver, LawKind law, const DualProblem& problem, const DualOptions& asked,
            VecX* lambda, IslandReport* report) {
  DualOptions options = asked;
  VecX best = *lambda;
  double error = law_error(law, asked.pyramid, problem, best), least = error;
  for (int round = 0; round < kMostRounds && least > asked.tolerance && is_solved(report->status); ++round) {
    options.tolerance *= std::clamp(0.3 * asked.tolerance / error, 1e-4, 0.3);
    options.max_iterations = asked.max_iterations - report->iterations;
    if (options.max_iterations <= 0 || options.tolerance < kLeastTolerance) break;
    const IslandReport more = solver->solve(problem, options, lambda);
    report->status = lambda->allFinite() ? more.status : SolveStatus::not_finite;
    report->iterations += more.iterations;
    error = law_error(law, options.pyramid, problem, *lambda);
    if (error < least) {
      least = error;
      best = *lambda;
    }
  }
  *lambda = best;
}

}  // namespace

double law_error(LawKind law, const Pyramid& pyramid, const DualProblem& problem, const VecX& lambda) {
  ErrorSum sum(law, pyramid);
  sum.add(problem, lambda);
  return sum.relative();
}

CheckedAnswer solve_and_check(const CatalogEntry& entry, std::span<const DualProblem> islands,
                              const DualOptions& options, Clock clock) {
  CheckedAnswer answer;
  const Stopwatch watch(clock);
  std::vector<std::unique_ptr<DualSolver>> dual_solvers;
  std::vector<IslandReport> reports;
  for (const DualProblem& problem : islands) {
    dual_solvers.push_back(make_dual_solver(entry.law, entry.solver));
    STICTION_ASSERT(dual_solvers.back() != nullptr);
    VecX lambda = VecX::Zero(problem.num_rows());
    reports.push_back(dual_solvers.back()->solve(problem, options, &lambda));
    if (!lambda.allFinite()) reports.back().status = SolveStatus::not_finite;
    answer.lambda.push_back(std::move(lambda));
  }
  const auto error_of = [&](LawKind law) {
    ErrorSum sum(law, options.pyramid);
    for (std::size_t i = 0; i < islands.size(); ++i) sum.add(islands[i], answer.lambda[i]);
    return sum.relative();
  };
  answer.error = error_of(entry.law);
  if (answer.error > options.tolerance) {
    for (std::size_t i = 0; i < islands.size(); ++i)
      refine(dual_solvers[i].get(), entry.law, islands[i], options, &answer.lambda[i], &reports[i]);
    answer.error = error_of(entry.law);
  }
  answer.seconds = watch.seconds();
  answer.coulomb = error_of(LawKind::coulomb_ncp);
  for (const IslandReport& report : reports) {
    answer.iterations = std::max(answer.iterations, report.iterations);
    answer.status = std::max(answer.status, report.status);
  }
  // Impulses that are good enough are good enough, whatever a solver thinks of them, and no others are.
  const bool is_good = answer.error <= options.tolerance;
  if (is_good && !law_row(entry.law).has_own_criterion) answer.status = SolveStatus::converged;
  if (!is_good && is_solved(answer.status)) answer.status = SolveStatus::stalled;
  return answer;
}

std::string status_name(const CheckedAnswer& answer, double tolerance) {
  if (!answer.holds()) return name_of(answer.status);
  return answer.coulomb <= tolerance ? name_of(SolveStatus::converged) : "solved_its_law";
}

std::vector<const CatalogEntry*> dual_formulations() {
  std::vector<const CatalogEntry*> entries;
  for (const CatalogEntry& entry : catalog())
    if (is_rigid(entry.law) && !find_solver(entry.solver).is_literal &&
        make_dual_solver(entry.law, entry.solver))
      entries.push_back(&entry);
  return entries;
}

const CatalogEntry& default_dual_formulation() {
  for (const char* name : {"coulomb_ncp+semismooth_newton", "coulomb_ncp+admm"})
    if (const CatalogEntry* entry = find_in_catalog(name)) return *entry;
  return *find_in_catalog(name_of(LawKind::coulomb_ncp));
}

}  // namespace stiction::solvers
