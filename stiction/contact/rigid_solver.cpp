#include "stiction/contact/rigid_solver.h"

#include <cmath>

#include "stiction/base/parallel.h"

namespace stiction {

struct RigidSolver::IslandWork {
  DualProblem dual;
  LawKind law = LawKind::coulomb_ncp;
  std::string_view name;
  std::unique_ptr<DualSolver> solver;
  VecX lambda, start, v, s;

  void choose(LawKind new_law, std::string_view new_name) {
    if (solver && law == new_law && name == new_name) return;
    law = new_law;
    name = new_name;
    solver = make_dual_solver(law, name);
  }
  void set_start(const ImpulseGuess& guess);
  IslandReport solve(const DualOptions& options);
  void write(const ContactProblem& problem, const Island& island, ContactSolution* solution);
};

RigidSolver::RigidSolver() = default;
RigidSolver::~RigidSolver() = default;
RigidSolver::RigidSolver(RigidSolver&&) noexcept = default;
RigidSolver& RigidSolver::operator=(RigidSolver&&) noexcept = default;

// Impulses in the world to those along the rows.
void RigidSolver::IslandWork::set_start(const ImpulseGuess& guess) {
  lambda.setZero(dual.num_rows());
  for (const DualBlock& block : dual.blocks) {
    if (!block.is_contact()) {
      if (!guess.rows.empty()) lambda[block.begin] = guess.rows[block.source];
      continue;
    }
    for (int i = block.begin; i < block.begin + block.size(); ++i) {
      const bool is_linear = i < block.begin + 2 || i == block.begin + block.tangents;
      const AlignedVector<double>& from = is_linear ? guess.impulses : guess.moments;
      if (from.empty()) continue;
      const Vec3& along = is_linear ? dual.linear[i] : dual.angular[i];
      const double square = along.squaredNorm();
      if (square > 0.0)
        lambda[i] = Eigen::Map<const Vec3>(from.data() + 4 * block.source).dot(along) / square;
    }
  }
}

// A solver that fails may return worse than it was given.
IslandReport RigidSolver::IslandWork::solve(const DualOptions& options) {
  start = lambda;
  IslandReport report = solver->solve(dual, options, &lambda);
  if (is_solved(report.status) || law == LawKind::raisim) return report;
  dual.velocities(start, &s);
  const double error = dual.natural_error(law, options.pyramid, start, s) / dual.velocity_scale();
  if (error < report.residual || !std::isfinite(report.residual)) {
    lambda = start;
    report.residual = error;
  }
  return report;
}

void RigidSolver::IslandWork::write(const ContactProblem& problem, const Island& island,
                                    ContactSolution* solution) {
  v = dual.v_free;
  for (int b = 0; b < dual.num_blocks(); ++b) {
    const DualBlock& block = dual.blocks[b];
    dual.add_velocity(b, lambda.data() + block.begin, v.data());
    if (!block.is_contact()) {
      solution->row_impulses[block.source] = lambda[block.begin];
      continue;
    }
    Vec3 impulse = Vec3::Zero(), moment = Vec3::Zero();
    for (int i = block.begin; i < block.begin + block.size(); ++i) {
      impulse += lambda[i] * dual.linear[i];
      moment += lambda[i] * dual.angular[i];
    }
    Eigen::Map<Vec3>(solution->impulses.data() + 4 * block.source) = impulse;
    if (!problem.levers.empty()) Eigen::Map<Vec3>(solution->moments.data() + 4 * block.source) = moment;
  }
  for (int k = island.tree_begin; k < island.tree_end; ++k) {
    const ProblemTree& tree = problem.trees[problem.island_trees[k]];
    solution->v.segment(tree.v_begin, tree.num_v) =
        v.segment(dual.tree_offsets[k - island.tree_begin], tree.num_v);
  }
}

void RigidSolver::solve(const ContactProblem& problem, std::string_view solver, const DualOptions& options,
                        const ImpulseGuess& guess, ContactSolution* solution) {
  if (works_.size() < problem.trees.size()) works_.resize(problem.trees.size());
  // Trees that nothing touches move freely.
  solution->v = problem.v_free;
  solution->impulses.assign(4 * problem.frames.size(), 0.0);
  solution->moments.assign(4 * problem.levers.size(), 0.0);
  solution->row_impulses.assign(problem.rows.size(), 0.0);
  solution->report = {};
  const int count = static_cast<int>(problem.islands.size());
  solution->islands.resize(problem.islands.size());
  for (const Island& island : problem.islands) {
    std::unique_ptr<IslandWork>& work = works_[problem.island_trees[island.tree_begin]];
    if (!work) work = std::make_unique<IslandWork>();
    work->choose(problem.law, solver);
  }
  parallel_for(count, 1, [&](int i) {
    const Island& island = problem.islands[i];
    IslandWork& work = *works_[problem.island_trees[island.tree_begin]];
    work.dual.begin(problem, island);
    if (!work.dual.r.allFinite()) {
      solution->islands[i] = {};
      solution->islands[i].status = SolveStatus::not_finite;
      return;
    }
    work.set_start(guess);
    solution->islands[i] = work.solve(options);
    if (!work.lambda.allFinite()) solution->islands[i].status = SolveStatus::not_finite;
    work.write(problem, island, solution);
  });
  solution->report.islands = count;
  for (int i = 0; i < count; ++i)
    add_to_report(solution->islands[i], problem.island_trees[problem.islands[i].tree_begin],
                  &solution->report);
}

const DualProblem& RigidSolver::dual(const ContactProblem& problem, int island) const {
  return works_[problem.island_trees[problem.islands[island].tree_begin]]->dual;
}

const VecX& RigidSolver::lambda(const ContactProblem& problem, int island) const {
  return works_[problem.island_trees[problem.islands[island].tree_begin]]->lambda;
}

}  // namespace stiction
