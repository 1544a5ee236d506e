#include "stiction/contact/solver/newton.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <new>

#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/contact/solver/patch_hessian.h"
#include "stiction/math/root_finding.h"
#include "stiction/math/simd.h"
#include "stiction/math/supernodal_cholesky.h"

namespace stiction {

const char* name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::max_iterations:
      return "max iterations";
    case SolveStatus::not_finite:
      return "not finite";
  }
  return "";
}

// What all islands share; each writes only to its own trees and bodies.
struct NewtonSolver::Shared {
  AlignedVector<BodyVelocity> velocity, direction, wrench;  // by body of the problem
  std::vector<int> local_tree;                              // of a tree in its island
  Island everything;                                        // all islands as one, for use_islands = false
};

struct NewtonSolver::IslandWork {
  PointArrays points;
  std::vector<int> sizes, offset;  // of the island's trees: velocities, and the first one in v
  std::vector<BlockPair> pairs;    // of trees that share a patch
  std::vector<int> pair_of_patch;  // -1: only one tree moves, or both are the same
  // Vectors over the island's velocities, all in one array: VecX would allocate each time an island grows or
  // shrinks.
  using Vector = Eigen::Map<VecX>;
  AlignedVector<double> numbers;
  Vector v{nullptr, 0}, v_free{nullptr, 0}, momentum{nullptr, 0}, Av{nullptr, 0}, contact{nullptr, 0},
      gradient{nullptr, 0}, dv{nullptr, 0}, A_dv{nullptr, 0}, scale{nullptr, 0};
  BlockSparseMatrix H;
  SupernodalCholesky cholesky;
  PackedVector packed;

  // The columns of a patch that touches a robot.
  struct Column {
    int tree;  // local
    int dof;   // in its tree
    Vec6 motion, force;
  };
  std::vector<Column> columns;

  void begin(const ContactProblem& problem, const Island& island, Shared* shared);
  void find_body_velocities(const ContactProblem& problem, const Island& island, const Shared& shared,
                            const Vector& from, BodyVelocity* to) const;
  void multiply(const ContactProblem& problem, const Island& island, const Vector& x, Vector* y) const;
  double evaluate(const ContactProblem& problem, const Island& island, Shared* shared);
  void assemble(const ContactProblem& problem, const Island& island, const Shared& shared);
  void add_general_patch(const ContactProblem& problem, const Shared& shared, const Patch& patch, int pair,
                         const PatchMatrix& K, const double* d);
  bool factorise(const ContactProblem& problem, const Island& island, const Shared& shared,
                 IslandReport* report);
  double search(const ContactProblem& problem, const Island& island, const NewtonOptions& options,
                IslandReport* report) const;
  IslandReport iterate(const ContactProblem& problem, const Island& island, const NewtonOptions& options,
                       Shared* shared);
};

void NewtonSolver::IslandWork::begin(const ContactProblem& problem, const Island& island, Shared* shared) {
  points.resize(island.point_end - island.point_begin);
  set_normals(problem, island, &points);
  sizes.clear();
  offset.clear();
  int n = 0;
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const int t = problem.island_trees[i];
    shared->local_tree[t] = i - island.tree_begin;
    sizes.push_back(problem.trees[t].num_v);
    offset.push_back(n);
    n += problem.trees[t].num_v;
  }
  pairs.clear();
  pair_of_patch.clear();
  for (int k = island.patch_begin; k < island.patch_end; ++k) {
    const int a = problem.bodies[problem.patches[k].a].tree, b = problem.bodies[problem.patches[k].b].tree;
    const bool couples = a >= 0 && a != b;
    pair_of_patch.push_back(couples ? static_cast<int>(pairs.size()) : -1);
    if (couples) pairs.push_back({shared->local_tree[b], shared->local_tree[a]});
  }
  Vector* const vectors[] = {&v, &v_free, &momentum, &Av, &contact, &gradient, &dv, &A_dv, &scale};
  const int stride = (n + 3) / 4 * 4;
  numbers.resize(std::size(vectors) * static_cast<std::size_t>(stride));
  // Eigen's way to let a map look elsewhere.
  for (std::size_t i = 0; i < std::size(vectors); ++i)
    new (vectors[i]) Vector(numbers.data() + i * static_cast<std::size_t>(stride), n);
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const int t = problem.island_trees[i], at = offset[i - island.tree_begin];
    const ProblemTree& tree = problem.trees[t];
    v.segment(at, tree.num_v) = problem.v_start.segment(tree.v_begin, tree.num_v);
    v_free.segment(at, tree.num_v) = problem.v_free.segment(tree.v_begin, tree.num_v);
    const double* A = problem.A_of(t);
    for (int d = 0; d < tree.num_v; ++d) {
      const double diagonal = tree.is_free_body ? A[8 * d + lane_of(d)] : A[d * tree.num_v + d];
      scale[at + d] = 1.0 / std::sqrt(diagonal);
    }
  }
}

void NewtonSolver::IslandWork::find_body_velocities(const ContactProblem& problem, const Island& island,
                                                    const Shared& shared, const Vector& from,
                                                    BodyVelocity* to) const {
  for (int i = island.body_begin; i < island.body_end; ++i) {
    const int index = problem.island_bodies[i];
    const ProblemBody& body = problem.bodies[index];
    const double* x = from.data() + offset[shared.local_tree[body.tree]];
    BodyVelocity& V = to[index];
    if (problem.trees[body.tree].is_free_body) {
      simd::store(V.w, simd::Pack{x[0], x[1], x[2], 0.0});
      simd::store(V.v, simd::Pack{x[3], x[4], x[5], 0.0});
      continue;
    }
    simd::Pack w = simd::zero(), linear = simd::zero();
    for (int c = body.column_begin; c < body.column_begin + body.columns; ++c) {
      const double rate = x[problem.column_dofs[c]];
      w += simd::load(problem.columns.data() + 8 * c) * rate;
      linear += simd::load(problem.columns.data() + 8 * c + 4) * rate;
    }
    simd::store(V.w, w);
    simd::store(V.v, linear);
  }
}

void NewtonSolver::IslandWork::multiply(const ContactProblem& problem, const Island& island, const Vector& x,
                                        Vector* y) const {
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const int at = offset[i - island.tree_begin];
    multiply_A(problem, problem.island_trees[i], x.data() + at, y->data() + at);
  }
}

// Cost and gradient at v; the law's numbers stay in `points`.
double NewtonSolver::IslandWork::evaluate(const ContactProblem& problem, const Island& island,
                                          Shared* shared) {
  find_body_velocities(problem, island, *shared, v, shared->velocity.data());
  sweep_velocities(problem, island, shared->velocity.data(), &points);
  const double contact_cost = sweep_law(problem, island, &points);

  // J' gamma: a wrench per patch, a wrench per body, then the trees.
  for (int i = island.body_begin; i < island.body_end; ++i)
    std::memset(&shared->wrench[problem.island_bodies[i]], 0, sizeof(BodyVelocity));
  for (int k = island.patch_begin; k < island.patch_end; ++k) {
    const Patch& patch = problem.patches[k];
    simd::Pack force = simd::zero(), moment = simd::zero();
    for (int p = patch.begin; p < patch.end; ++p) {
      const int i = p - island.point_begin;
      const PointFrame& frame = problem.frames[p];
      const simd::Pack t = {points.tx[i], points.ty[i], points.tz[i], 0.0};
      const simd::Pack gamma = simd::load(frame.n) * points.gn[i] + t * points.gt[i];
      force += gamma;
      moment += simd::cross(simd::load(frame.r_B), gamma);
    }
    BodyVelocity& on_b = shared->wrench[patch.b];
    simd::store(on_b.w, simd::load(on_b.w) + moment);
    simd::store(on_b.v, simd::load(on_b.v) + force);
    if (patch.a == 0) continue;
    const PointFrame& frame = problem.frames[patch.begin];
    const simd::Pack d = simd::load(frame.r_A) - simd::load(frame.r_B);
    BodyVelocity& on_a = shared->wrench[patch.a];
    simd::store(on_a.w, simd::load(on_a.w) - moment - simd::cross(d, force));
    simd::store(on_a.v, simd::load(on_a.v) - force);
  }
  contact.setZero();
  for (int i = island.body_begin; i < island.body_end; ++i) {
    const int index = problem.island_bodies[i];
    const ProblemBody& body = problem.bodies[index];
    const BodyVelocity& F = shared->wrench[index];
    double* to = contact.data() + offset[shared->local_tree[body.tree]];
    if (problem.trees[body.tree].is_free_body) {
      for (int j = 0; j < 3; ++j) {
        to[j] += F.w[j];
        to[3 + j] += F.v[j];
      }
      continue;
    }
    for (int c = body.column_begin; c < body.column_begin + body.columns; ++c) {
      const double* S = problem.columns.data() + 8 * c;
      to[problem.column_dofs[c]] +=
          simd::sum(simd::load(S) * simd::load(F.w) + simd::load(S + 4) * simd::load(F.v));
    }
  }

  // Momentum.
  dv = v - v_free;
  multiply(problem, island, dv, &momentum);
  gradient = momentum - contact;
  return 0.5 * dv.dot(momentum) + contact_cost;
}

void NewtonSolver::IslandWork::add_general_patch(const ContactProblem& problem, const Shared& shared,
                                                 const Patch& patch, int pair, const PatchMatrix& K,
                                                 const double* d) {
  // Every velocity that moves B against A, as a motion at O_B, and the force K makes of it.
  columns.clear();
  const Vec3 arm(d[0], d[1], d[2]);
  for (const int side : {patch.b, patch.a}) {
    const ProblemBody& body = problem.bodies[side];
    if (body.tree < 0) continue;
    const bool is_a = side == patch.a;
    const int count = problem.trees[body.tree].is_free_body ? 6 : body.columns;
    for (int c = 0; c < count; ++c) {
      Column column;
      column.tree = shared.local_tree[body.tree];
      if (problem.trees[body.tree].is_free_body) {
        column.dof = c;
        column.motion = Vec6::Unit(c);
      } else {
        const double* S = problem.columns.data() + 8 * (body.column_begin + c);
        column.dof = problem.column_dofs[body.column_begin + c];
        for (int j = 0; j < 3; ++j) {
          column.motion[j] = S[j];
          column.motion[3 + j] = S[4 + j];
        }
      }
      if (is_a) {
        const Vec3 w = column.motion.head<3>();
        column.motion.tail<3>() += w.cross(arm);
        column.motion = -column.motion;
      }
      column.force.setZero();
      for (int j = 0; j < 6; ++j) {
        for (int i = 0; i < 6; ++i) column.force[i] += K.column[j][lane_of(i)] * column.motion[j];
      }
      columns.push_back(column);
    }
  }
  for (const Column& x : columns) {
    const BlockView diagonal = H.diagonal_block(x.tree);
    for (const Column& y : columns) {
      if (y.tree == x.tree) {
        // Both (x, y) and (y, x) come by; the lower triangle takes each once.
        if (x.dof >= y.dof) diagonal(x.dof, y.dof) += x.motion.dot(y.force);
        continue;
      }
      if (x.tree != pairs[pair].row) continue;
      const BlockView block = H.pair_block(pair);
      const double entry = x.motion.dot(y.force);
      if (block.transposed)
        block(y.dof, x.dof) += entry;
      else
        block(x.dof, y.dof) += entry;
    }
  }
}

void NewtonSolver::IslandWork::assemble(const ContactProblem& problem, const Island& island,
                                        const Shared& shared) {
  H.set_pattern(sizes, pairs);
  H.set_zero();
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const int t = problem.island_trees[i], n = problem.trees[t].num_v;
    const BlockView block = H.diagonal_block(i - island.tree_begin);
    const double* A = problem.A_of(t);
    if (problem.trees[t].is_free_body) {
      std::memcpy(block.columns, A, 48 * sizeof(double));
      continue;
    }
    for (int c = 0; c < n; ++c) {
      for (int r = c; r < n; ++r) block(r, c) = A[c * n + r];
    }
  }
  for (int k = island.patch_begin; k < island.patch_end; ++k) {
    const Patch& patch = problem.patches[k];
    const int a = problem.bodies[patch.a].tree, b = problem.bodies[patch.b].tree;
    const int pair = pair_of_patch[k - island.patch_begin];
    const PatchMatrix K = patch_matrix(problem, patch, points, island.point_begin);
    const PointFrame& frame = problem.frames[patch.begin];
    const double d[3] = {frame.r_A[0] - frame.r_B[0], frame.r_A[1] - frame.r_B[1],
                         frame.r_A[2] - frame.r_B[2]};
    const bool all_free = (a < 0 || problem.trees[a].is_free_body) && problem.trees[b].is_free_body;
    if (!all_free) {
      add_general_patch(problem, shared, patch, pair, K, d);
      continue;
    }
    add_to(K, 1.0, H.diagonal_block(shared.local_tree[b]).columns);
    if (a < 0) continue;
    const PatchMatrix K_Phi = shifted_right(K, d);
    add_to(shifted_left(K_Phi, d), 1.0, H.diagonal_block(shared.local_tree[a]).columns);
    // pair_block is H(b, a), or its transpose.
    const BlockView block = H.pair_block(pair);
    add_to(block.transposed ? shifted_left(K, d) : K_Phi, -1.0, block.columns);
  }
}

bool NewtonSolver::IslandWork::factorise(const ContactProblem& problem, const Island& island,
                                         const Shared& shared, IslandReport* report) {
  constexpr double kFirstShare = 1e-12, kLargestShare = 1e-2;
  for (double share = 0.0; share <= kLargestShare; share = std::max(kFirstShare, 100.0 * share)) {
    assemble(problem, island, shared);
    if (share > 0.0) {
      for (std::size_t t = 0; t < sizes.size(); ++t) {
        const BlockView block = H.diagonal_block(static_cast<int>(t));
        for (int r = 0; r < sizes[t]; ++r) block(r, r) *= 1.0 + share;
      }
    }
    ++report->factorisations;
    if (cholesky.factorise(&H).is_positive_definite()) {
      report->regularisation = std::max(report->regularisation, share);
      return true;
    }
  }
  return false;
}

double NewtonSolver::IslandWork::search(const ContactProblem& problem, const Island& island,
                                        const NewtonOptions& options, IslandReport* report) const {
  // l(alpha) = kinetic quadratic + contact; its slope is -|grad . dv| at 0 and vanishes at the minimum.
  const double kinetic_slope = momentum.dot(dv), kinetic_curvature = dv.dot(A_dv);
  const double slope_0 = gradient.dot(dv);
  const auto line = [&](double alpha) {
    ++report->line_evaluations;
    LineValue value = sweep_line(problem, island, points, alpha);
    value.cost += alpha * (kinetic_slope + 0.5 * alpha * kinetic_curvature);
    value.slope += kinetic_slope + alpha * kinetic_curvature;
    value.curvature += kinetic_curvature;
    return value;
  };

  if (options.line_search == LineSearch::armijo) {
    constexpr double kLargest = 1.25, kShrink = 0.8, kShare = 1e-4;  // S IV-B
    constexpr int kMaxTries = 100;
    const double start = sweep_line(problem, island, points, 0.0).cost;
    double alpha = kLargest;
    for (int i = 0; i < kMaxTries; ++i, alpha *= kShrink) {
      if (line(alpha).cost < start + kShare * alpha * slope_0) break;
    }
    return alpha;
  }

  constexpr double kSlopeLeft = 1e-8;  // of the slope at 0: as good as zero
  const LineValue full = line(1.0);
  if (!(full.slope > kSlopeLeft * -slope_0)) return 1.0;
  // The minimum lies before 1. Start from that of the cubic through costs and slopes at both ends.
  const double start = sweep_line(problem, island, points, 0.0).cost;
  const double rise = full.cost - start;
  const double c3 = slope_0 + full.slope - 2.0 * rise, c2 = 3.0 * rise - 2.0 * slope_0 - full.slope;
  const double discriminant = std::max(c2 * c2 - 3.0 * c3 * slope_0, 0.0);
  const double guess = std::clamp(-slope_0 / (c2 + std::sqrt(discriminant)), 1e-3, 1.0);
  RootTolerance tolerance;
  tolerance.value = kSlopeLeft * -slope_0;
  tolerance.relative = 1e-8;
  RootSearch root(0.0, slope_0, 1.0, full.slope, std::isfinite(guess) ? guess : 0.5, tolerance);
  while (!root.done()) {
    const LineValue value = line(root.x());
    root.tell({value.slope, value.curvature});
  }
  return root.result().x;
}

IslandReport NewtonSolver::IslandWork::iterate(const ContactProblem& problem, const Island& island,
                                               const NewtonOptions& options, Shared* shared) {
  IslandReport report;
  begin(problem, island, shared);
  double last = 0.0;
  bool has_factor = false;
  for (report.iterations = 0;; ++report.iterations) {
    evaluate(problem, island, shared);
    multiply(problem, island, v, &Av);
    // The start is judged by what changes in the step alone: beside the momentum of a fast body the impulse
    // of a short step would be nothing, and its motion would freeze.
    const double moves = (report.iterations == 0 ? momentum : Av).cwiseProduct(scale).norm();
    const double size = std::max(moves, contact.cwiseProduct(scale).norm());
    const double now = gradient.cwiseProduct(scale).norm();
    report.residual = size > 0.0 ? now / size : 0.0;
    const double bound = options.absolute_tolerance + options.relative_tolerance * size;
    if (!std::isfinite(now)) {
      report.status = SolveStatus::not_finite;
      break;
    }
    if (now <= bound) break;
    if (report.iterations == options.max_iterations) {
      report.status = SolveStatus::max_iterations;
      break;
    }

    // A new factor, unless the old one will do for one more step.
    const bool falls_fast = has_factor && now < 0.1 * last && now * (now / last) <= bound;
    if (!(options.reuse_factor && falls_fast)) {
      if (!factorise(problem, island, *shared, &report)) {
        report.status = SolveStatus::not_finite;
        break;
      }
      has_factor = true;
    }
    last = now;
    dv = -gradient;
    H.pack(dv, &packed);
    cholesky.solve(H, &packed);
    H.unpack(packed, dv);

    multiply(problem, island, dv, &A_dv);
    find_body_velocities(problem, island, *shared, dv, shared->direction.data());
    sweep_direction(problem, island, shared->direction.data(), &points);
    const double alpha = search(problem, island, options, &report);
    // The step test: a whole Newton step that double precision does not resolve has found the minimum, also
    // where round-off in stiff contacts keeps the gradient above its bound. A shortened one has not.
    constexpr double kRoundOff = 1e-14;
    const double resolved = kRoundOff * v.cwiseQuotient(scale).norm(), whole = dv.cwiseQuotient(scale).norm();
    v += alpha * dv;
    if (alpha * whole <= resolved) {
      if (whole > resolved) report.status = SolveStatus::stalled;
      evaluate(problem, island, shared);  // the impulses of these velocities
      break;
    }
  }
  return report;
}

NewtonSolver::NewtonSolver() : shared_(std::make_unique<Shared>()) {}
NewtonSolver::~NewtonSolver() = default;
NewtonSolver::NewtonSolver(NewtonSolver&&) noexcept = default;
NewtonSolver& NewtonSolver::operator=(NewtonSolver&&) noexcept = default;

namespace {

Island all_islands(const ContactProblem& problem) {
  const Island &first = problem.islands.front(), &last = problem.islands.back();
  return {first.tree_begin,  last.tree_end,  first.body_begin,  last.body_end,
          first.patch_begin, last.patch_end, first.point_begin, last.point_end};
}

}  // namespace

void NewtonSolver::solve(const ContactProblem& problem, const NewtonOptions& options,
                         ContactSolution* solution) {
  Shared& shared = *shared_;
  shared.velocity.resize(problem.bodies.size());
  shared.direction.resize(problem.bodies.size());
  shared.wrench.resize(problem.bodies.size());
  if (!problem.bodies.empty()) {
    std::memset(&shared.velocity[0], 0, sizeof(BodyVelocity));
    std::memset(&shared.direction[0], 0, sizeof(BodyVelocity));
  }
  shared.local_tree.resize(problem.trees.size());
  if (works_.size() < problem.trees.size()) works_.resize(problem.trees.size());

  // Trees that nothing touches move freely.
  solution->v = problem.v_free;
  solution->impulses.resize(4 * problem.frames.size());
  solution->report = {};
  const bool is_one = !options.use_islands && !problem.islands.empty();
  if (is_one) shared.everything = all_islands(problem);
  const Island* islands = is_one ? &shared.everything : problem.islands.data();
  const int count = is_one ? 1 : static_cast<int>(problem.islands.size());
  solution->islands.resize(static_cast<std::size_t>(count));

  for (int i = 0; i < count; ++i) {
    std::unique_ptr<IslandWork>& work = works_[problem.island_trees[islands[i].tree_begin]];
    if (!work) work = std::make_unique<IslandWork>();
  }
  parallel_for(count, 1, [&](int i) {
    const Island& island = islands[i];
    IslandWork& work = *works_[problem.island_trees[island.tree_begin]];
    solution->islands[i] = work.iterate(problem, island, options, &shared);
    for (int k = island.tree_begin; k < island.tree_end; ++k) {
      const ProblemTree& tree = problem.trees[problem.island_trees[k]];
      solution->v.segment(tree.v_begin, tree.num_v) =
          work.v.segment(work.offset[k - island.tree_begin], tree.num_v);
    }
    for (int p = island.point_begin; p < island.point_end; ++p) {
      const int j = p - island.point_begin;
      const simd::Pack t = {work.points.tx[j], work.points.ty[j], work.points.tz[j], 0.0};
      simd::store(solution->impulses.data() + 4 * p,
                  simd::load(problem.frames[p].n) * work.points.gn[j] + t * work.points.gt[j]);
    }
  });

  SolveReport& report = solution->report;
  report.islands = count;
  for (int i = 0; i < count; ++i) {
    const IslandReport& island = solution->islands[i];
    const bool is_worse = island.status > report.status ||
                          (island.status == report.status && island.residual > report.residual);
    if (is_worse || report.worst_tree < 0) report.worst_tree = problem.island_trees[islands[i].tree_begin];
    report.status = std::max(report.status, island.status);
    report.iterations = std::max(report.iterations, island.iterations);
    report.total_iterations += island.iterations;
    report.factorisations += island.factorisations;
    report.line_evaluations += island.line_evaluations;
    report.residual = std::max(report.residual, island.residual);
  }
}

double NewtonSolver::evaluate(const ContactProblem& problem, const VecX& v, VecX* gradient, MatX* hessian) {
  Shared& shared = *shared_;
  NewtonOptions options;
  options.max_iterations = 0;
  options.use_islands = false;
  ContactSolution nothing;
  solve(problem, options, &nothing);  // sizes everything
  const auto n = problem.v_free.size();
  gradient->setZero(n);
  if (hessian) hessian->setZero(n, n);
  double cost = 0.0;
  for (std::size_t t = 0; t < problem.trees.size(); ++t) {
    const ProblemTree& tree = problem.trees[t];
    const VecX x = (v - problem.v_free).segment(tree.v_begin, tree.num_v);
    VecX y(tree.num_v);
    multiply_A(problem, static_cast<int>(t), x.data(), y.data());
    cost += 0.5 * x.dot(y);
    gradient->segment(tree.v_begin, tree.num_v) = y;
    for (int c = 0; hessian && c < tree.num_v; ++c) {
      const VecX unit = VecX::Unit(tree.num_v, c);
      multiply_A(problem, static_cast<int>(t), unit.data(), y.data());
      hessian->block(tree.v_begin, tree.v_begin + c, tree.num_v, 1) = y;
    }
  }
  if (problem.islands.empty()) return cost;

  const Island& island = shared.everything;
  IslandWork& work = *works_[problem.island_trees[island.tree_begin]];
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const ProblemTree& tree = problem.trees[problem.island_trees[i]];
    const int at = work.offset[i - island.tree_begin];
    work.v.segment(at, tree.num_v) = v.segment(tree.v_begin, tree.num_v);
    cost -= 0.5 * (v - problem.v_free)
                      .segment(tree.v_begin, tree.num_v)
                      .dot(gradient->segment(tree.v_begin, tree.num_v));
  }
  cost += work.evaluate(problem, island, &shared);
  MatX H;
  if (hessian) {
    work.assemble(problem, island, shared);
    H = work.H.to_dense();
  }
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const ProblemTree& row = problem.trees[problem.island_trees[i]];
    const int at = work.offset[i - island.tree_begin];
    gradient->segment(row.v_begin, row.num_v) = work.gradient.segment(at, row.num_v);
    for (int j = island.tree_begin; hessian && j < island.tree_end; ++j) {
      const ProblemTree& col = problem.trees[problem.island_trees[j]];
      hessian->block(row.v_begin, col.v_begin, row.num_v, col.num_v) =
          H.block(at, work.offset[j - island.tree_begin], row.num_v, col.num_v);
    }
  }
  return cost;
}

}  // namespace stiction
