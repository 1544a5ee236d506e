#include "stiction/contact/dual/rigid_solver.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/parallel.h"
#include "stiction/contact/dual/minimum_norm.h"
#include "stiction/contact/law/law_list.h"

namespace stiction {

namespace {

constexpr double kGain = 1e-5;   // of motion_scale()^2: energy that numerical errors may add
constexpr double kHard = 10.0;   // a large normal impulse, over the one that stops velocity_scale()
constexpr int kPolish = 20;      // sweeps over an island that is not solved
constexpr double kClose = 1e-3;  // relative error: contradicting contacts leave one of the order of 1

}  // namespace

struct RigidSolver::IslandWork {
  DualProblem dual;
  LawKind law = LawKind::coulomb_ncp;
  bool is_compliant = false;
  std::string_view name;
  MinimumNorm minimum_norm;
  std::unique_ptr<DualSolver> solver, polisher;
  VecX lambda, start, v, s;
  std::vector<char> is_dropped;  // by block

  void choose(LawKind new_law, std::string_view new_name) {
    is_compliant = new_law == LawKind::sap;
    new_law = dual_law(new_law);
    if (solver && law == new_law && name == new_name) return;
    law = new_law;
    name = new_name;
    solver = make_dual_solver(law, name);
    polisher.reset();
  }
  void set_start(const ImpulseGuess& guess);
  IslandReport solve(const ContactProblem& problem, const DualOptions& options);
  void run(DualSolver* with, const DualOptions& options, IslandReport* report);
  bool is_sound(const IslandReport& report);
  int drop_stabilisation(const ContactProblem& problem, const DualOptions& options, bool from_all);
  void polish(const DualOptions& options, IslandReport* report);
  void take_no_energy(const DualOptions& options, IslandReport* report);
  void take_least_norm(const DualOptions& options, IslandReport* report);
  double error(const DualOptions& options);
  double relative_error(const DualOptions& options);
  void write(const ContactProblem& problem, const Island& island, ContactSolution* solution);
};

RigidSolver::RigidSolver() = default;
RigidSolver::~RigidSolver() = default;
RigidSolver::RigidSolver(RigidSolver&&) noexcept = default;
RigidSolver& RigidSolver::operator=(RigidSolver&&) noexcept = default;

// lambda from impulses in world axes.
void RigidSolver::IslandWork::set_start(const ImpulseGuess& guess) {
  lambda.setZero(dual.num_rows());
  for (const DualBlock& block : dual.blocks) {
    if (!block.is_contact()) {
      if (!guess.rows.empty()) lambda[block.begin] = guess.rows[block.source];
      continue;
    }
    if (block.is_group) {
      if (guess.rows.empty()) continue;
      std::copy_n(guess.rows.begin() + block.source, block.tangents, lambda.begin() + block.begin);
      const int normal = block.begin + block.tangents;
      lambda[normal] = -dual.r[normal] / dual.R[normal];
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

double RigidSolver::IslandWork::error(const DualOptions& options) {
  dual.velocities(lambda, &s);
  return dual.error(options.measure(law), lambda, s);
}

double RigidSolver::IslandWork::relative_error(const DualOptions& options) {
  dual.velocities(lambda, &s);
  return dual.error({law, options.pyramid, false}, lambda, s);
}

// Solved, and lambda . s, which no law lets be positive, exceeds zero by no more than a small share of the
// energy: with large internal impulses even small errors of velocity add energy.
bool RigidSolver::IslandWork::is_sound(const IslandReport& report) {
  if (!is_solved(report.status)) return false;
  dual.velocities(lambda, &s);
  const double power = lambda.dot(s);
  if (power <= 0.0) return true;
  const double scale = dual.motion_scale();
  return power <= kGain * scale * scale;
}

// Runs a solver from the present lambda. If it fails with a worse lambda than it was given, that one is
// restored.
void RigidSolver::IslandWork::run(DualSolver* with, const DualOptions& options, IslandReport* report) {
  start = lambda;
  const IslandReport next = with->solve(dual, options, &lambda);
  report->iterations += next.iterations;
  report->factorisations += next.factorisations;
  report->products += next.products;
  report->penalty = next.penalty;
  report->status = next.status;
  report->residual = next.residual;
  if (is_solved(next.status) || next.status == SolveStatus::infeasible || law_row(law).has_own_criterion)
    return;
  lambda.swap(start);
  const double before = error(options);
  if (before < next.residual || !std::isfinite(next.residual))
    report->residual = before;
  else
    lambda.swap(start);
}

// Drops penetration recovery and restitution at the points that are not solved or have large impulses, or at
// all points. Without them rest satisfies all contacts. Returns how many points.
int RigidSolver::IslandWork::drop_stabilisation(const ContactProblem& problem, const DualOptions& options,
                                                bool from_all) {
  const double velocity = dual.velocity_scale();
  dual.velocities(lambda, &s);
  int count = 0;
  for (int b = 0; b < dual.num_blocks(); ++b) {
    const DualBlock& block = dual.blocks[b];
    if (!block.is_contact() || block.is_group || is_dropped[b] || !(block.rho > 0.0)) continue;
    const double reference = problem.law_parameters[kReference][block.source];
    if (!(reference > 0.0)) continue;
    const double *x = lambda.data() + block.begin, *u = s.data() + block.begin;
    const bool is_solved_here = dual.block_error(options.measure(law), b, x, u) <= options.goal();
    if (!from_all && is_solved_here && x[block.tangents] <= kHard * block.rho * velocity) continue;
    dual.r[block.begin + block.tangents] += reference;
    is_dropped[b] = 1;
    ++count;
  }
  return count;
}

// A few sweeps of Gauss-Seidel, kept if they are better; from zero where the impulses would add energy.
void RigidSolver::IslandWork::polish(const DualOptions& options, IslandReport* report) {
  DualOptions sweeps = options;
  sweeps.max_iterations = kPolish;
  sweeps.history = nullptr;
  const SolveStatus status = report->status;
  dual.velocities(lambda, &s);
  if (lambda.dot(s) > 0.0) lambda.setZero();
  if (!polisher) polisher = law == LawKind::raisim ? make_bisection() : make_pgs(law);
  run(polisher.get(), sweeps, report);
  if (!is_solved(report->status)) report->status = status;
}

// lambda := t lambda with the t <= 1 of least energy, which stays in all cones and all boxes that contain
// zero. Then lambda . s <= 0, and the change of the kinetic energy is
//
//   E(v) - E(v_free) = 1/2 lambda' W lambda + lambda' J v_free <= lambda' (c* - bias) - 1/2 lambda' W lambda:
//
// no more than penetration recovery, restitution and moving surfaces supply.
void RigidSolver::IslandWork::take_no_energy(const DualOptions& options, IslandReport* report) {
  dual.velocities(lambda, &s);
  const double power = lambda.dot(s), along = lambda.dot(dual.r);
  if (power <= 0.0) return;
  lambda *= std::max(0.0, -along / (power - along));
  report->residual = error(options);
  if (is_solved(report->status) && report->residual > options.goal()) report->status = SolveStatus::stalled;
}

void RigidSolver::IslandWork::take_least_norm(const DualOptions& options, IslandReport* report) {
  start = lambda;
  if (!minimum_norm.apply(dual, &lambda)) return;
  const double now = error(options);
  if (now <= std::max(options.goal(), report->residual))
    report->residual = now;
  else
    lambda.swap(start);
}

// The solver's answer if it is sound, else the remedies listed in the header, one after the other.
IslandReport RigidSolver::IslandWork::solve(const ContactProblem& problem, const DualOptions& options) {
  IslandReport report;
  const bool is_remembered = !lambda.isZero(0.0);
  run(solver.get(), options, &report);
  if (is_sound(report)) {
    if (options.minimum_norm) take_least_norm(options, &report);
    return report;
  }
  // A solver that stalls close to an answer is slow: the problem has one.
  const auto has_no_answer = [&] {
    if (is_compliant) return false;
    if (report.status == SolveStatus::stalled && relative_error(options) <= kClose)
      return dual.is_contradicted_by(lambda);
    return report.status != SolveStatus::max_iterations || dual.is_contradicted_by(lambda);
  };
  if (is_remembered && (is_solved(report.status) || dual.is_contradicted_by(lambda))) {
    lambda.setZero();
    run(solver.get(), options, &report);
    if (is_sound(report)) return report;
  }
  is_dropped.assign(dual.blocks.size(), 0);
  for (const bool from_all : {false, true}) {
    if (!has_no_answer()) break;
    const int count = drop_stabilisation(problem, options, from_all);
    if (count == 0) continue;
    report.dropped_stabilisation += count;
    lambda.setZero();
    run(solver.get(), options, &report);
    if (is_sound(report)) return report;
  }
  if (is_solved(report.status)) report.status = SolveStatus::stalled;
  polish(options, &report);
  take_no_energy(options, &report);
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
    if (block.is_group) {
      std::copy_n(lambda.begin() + block.begin, block.tangents,
                  solution->row_impulses.begin() + block.source);
      continue;
    }
    Vec3 impulse = Vec3::Zero(), moment = Vec3::Zero();
    for (int i = block.begin; i < block.begin + block.size(); ++i) {
      impulse += lambda[i] * dual.linear[i];
      moment += lambda[i] * dual.angular[i];
    }
    Eigen::Map<Vec3>(solution->impulses.data() + 4 * block.source) = impulse;
    if (!problem.friction_lengths.empty())
      Eigen::Map<Vec3>(solution->moments.data() + 4 * block.source) = moment;
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
  // Trees without contact move freely.
  solution->v = problem.v_free;
  solution->impulses.assign(4 * problem.frames.size(), 0.0);
  solution->moments.assign(4 * problem.friction_lengths.size(), 0.0);
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
    const int smallest_tree = problem.island_trees[island.tree_begin];
    work.dual.penalty = guess.penalties.empty() ? 0.0 : guess.penalties[smallest_tree];
    if (!work.dual.r.allFinite()) {
      solution->islands[i] = {};
      solution->islands[i].status = SolveStatus::not_finite;
      return;
    }
    work.set_start(guess);
    solution->islands[i] = work.solve(problem, options);
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
