#include "test/contact/random_problem.h"

#include <algorithm>

#include "stiction/base/random.h"
#include "stiction/contact/law/icf.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/contact/law/sap.h"

namespace stiction {
namespace {

Vec3 random_vector(Random* random) { return {random->normal(), random->normal(), random->normal()}; }

void put(const Vec3& x, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
  to[3] = 0.0;
}

MatX random_spd(int n, Random* random) {
  MatX B(n, n);
  for (int i = 0; i < n * n; ++i) B.data()[i] = random->normal();
  return B * B.transpose() / n + MatX::Identity(n, n);
}

// Rows of one to three trees: equalities, limits, friction and drives by turns.
void add_rows(int count, Random* random, ContactProblem* problem) {
  const int num_trees = static_cast<int>(problem->trees.size());
  for (int i = 0; i < count; ++i) {
    RowLaw law;
    law.slope = random->uniform(0.1, 100.0);
    law.offset = law.slope * 0.3 * random->normal();
    if (i % 4 == 1) law.lower = 0.0;
    if (i % 4 >= 2) {
      law.lower = -random->uniform(0.0, 2.0);
      law.upper = random->uniform(0.0, 2.0);
    }
    problem->begin_row(law);
    const int first = random->uniform_int(0, num_trees - 1), parts = std::min(1 + i % 3, num_trees);
    for (int t = 0; t < parts; ++t) {
      const int tree = (first + t * (1 + num_trees / 4)) % num_trees;
      problem->begin_row_part(tree);
      for (int d = 0; d < problem->trees[tree].num_v; ++d) {
        if (random->uniform() < 0.5) problem->add_row_entry(d, random->normal());
      }
    }
  }
}

void add_column(int dof, bool turns, Random* random, ContactProblem* problem) {
  double column[8];
  put(turns ? random_vector(random) : Vec3(0, 0, 0), column);
  put(random_vector(random), column + 4);
  problem->columns.insert(problem->columns.end(), column, column + 8);
  problem->column_dofs.push_back(dof);
}

// The velocities of a branch and of its ancestors, the deepest first.
std::vector<int> path_of(const ContactProblem& problem, const ProblemTree& tree, int branch) {
  std::vector<int> path;
  for (; branch >= 0; branch = problem.branches[tree.branch_begin + branch].parent) {
    const ProblemBranch& here = problem.branches[tree.branch_begin + branch];
    for (int d = here.end - 1; d >= here.begin; --d) path.push_back(d);
  }
  return path;
}

}  // namespace

ContactProblem random_problem(LawKind law, int num_trees, int num_patches, std::uint64_t seed, int num_rows,
                              bool are_particles) {
  Random random(seed);
  ContactProblem problem;
  problem.h = 2e-3;
  problem.law = law;
  std::vector<ProblemTree> trees;
  for (int t = 0; t < num_trees; ++t) {
    ProblemTree tree;
    tree.is_free_body = random.uniform() < 0.7 && !are_particles;
    tree.num_v = tree.is_free_body ? 6 : random.uniform_int(1, are_particles ? 3 : 13);
    trees.push_back(tree);
  }
  problem.set_trees(trees);
  for (int t = 0; t < num_trees; ++t) {
    const MatX A = random_spd(problem.trees[t].num_v, &random);
    double* to = problem.A_of(t);
    for (int c = 0; c < A.cols(); ++c) {
      for (int r = 0; r < A.rows(); ++r) {
        if (problem.trees[t].is_free_body)
          to[8 * c + (r < 3 ? r : r + 1)] = A(r, c);
        else
          to[c * A.rows() + r] = A(r, c);
      }
      if (problem.trees[t].is_free_body) to[8 * c + 3] = to[8 * c + 7] = 0.0;
    }
  }
  for (int i = 0; i < problem.v_free.size(); ++i) {
    problem.v_free[i] = 0.3 * random.normal();
    problem.v_start[i] = 0.3 * random.normal();
  }

  // Two bodies on every robot, one on every free body.
  problem.bodies.emplace_back();
  for (int t = 0; t < num_trees; ++t) {
    const int bodies = problem.trees[t].is_free_body || are_particles ? 1 : 2;
    for (int b = 0; b < bodies; ++b) {
      ProblemBody body;
      body.tree = t;
      body.column_begin = static_cast<int>(problem.column_dofs.size());
      if (!problem.trees[t].is_free_body) {
        for (int d = 0; d < problem.trees[t].num_v; ++d) {
          if (random.uniform() < 0.3) continue;
          add_column(d, !are_particles, &random, &problem);
        }
        body.columns = static_cast<int>(problem.column_dofs.size()) - body.column_begin;
      }
      problem.bodies.push_back(body);
    }
  }
  std::vector<PatchPlan> plans;
  const int num_bodies = static_cast<int>(problem.bodies.size());
  while (static_cast<int>(plans.size()) < num_patches) {
    PatchPlan plan;
    plan.a = plans.size() % 3 == 0 ? 0 : random.uniform_int(1, num_bodies - 1);
    plan.b = random.uniform_int(1, num_bodies - 1);
    plan.points = random.uniform_int(0, 5);
    if (plan.a != plan.b) plans.push_back(plan);
  }
  add_rows(num_rows, &random, &problem);
  problem.set_patches(plans);
  for (const Patch& patch : problem.patches) {
    // Bodies of one tree have one point O; every other time here they have not, which is allowed.
    const bool is_own = problem.bodies[patch.a].tree == problem.bodies[patch.b].tree;
    const bool has_one_point = patch.a == 0 || (is_own && patch.begin % 2 == 0);
    const Vec3 offset = has_one_point ? Vec3(0, 0, 0) : random_vector(&random);
    for (int p = patch.begin; p < patch.end; ++p) {
      PointFrame& frame = problem.frames[p];
      const Vec3 r = random_vector(&random);
      put(r, frame.r_B);
      put(Vec3(r + offset), frame.r_A);
      put(random_vector(&random).normalized(), frame.n);
      put(0.1 * random_vector(&random), frame.bias);
      const double h = problem.h, k = 1e5, phi = random.uniform(-1e-3, 3e-4), mu = random.uniform(0.0, 1.5);
      double numbers[kLawParameters] = {};
      if (law == LawKind::sap) {
        const double tau = 1e-3, Rn = 1.0 / (h * k * (h + tau)), Rt = 1e-3;
        numbers[kBias] = -phi / (h + tau);
        numbers[kNormal] = 1.0 / Rn;
        numbers[kTangential] = 1.0 / Rt;
        numbers[kMu] = mu;
        numbers[kSliding] = 1.0 / (Rn * (1.0 + mu * mu * Rt / Rn));
      } else {
        numbers[kJ0] = -h * k * phi;
        numbers[kSlope] = h * h * k;
        numbers[kHuntCrossley] = 2.0;
        numbers[kBreak] = linear_break_velocity(numbers[kJ0], numbers[kSlope], numbers[kHuntCrossley]);
        // Lagged laws have mu times the normal impulse of the step before there.
        const bool is_lagged = law_row(law).sliding_gap == SlidingGapTime::none;
        numbers[kFriction] = is_lagged ? mu * random.uniform(0.0, 0.2) : mu;
        numbers[kEpsilon] = 1e-3;
      }
      for (int i = 0; i < kLawParameters; ++i) problem.law_parameters[i][p] = numbers[i];
    }
  }
  return problem;
}

void let_bodies_carry_others(std::uint64_t seed, ContactProblem* problem) {
  Random random(seed);
  problem->columns.clear();
  problem->column_dofs.clear();
  for (std::size_t b = 1; b < problem->bodies.size(); ++b) {
    ProblemBody& body = problem->bodies[b];
    const ProblemTree& tree = problem->trees[body.tree];
    if (tree.is_free_body) continue;
    const bool is_carried = problem->bodies[b - 1].tree == body.tree;
    const ProblemBody parent = problem->bodies[b - 1];
    body.column_begin = static_cast<int>(problem->column_dofs.size());
    const int first = is_carried ? parent.columns : 0, last = is_carried ? tree.num_v : (tree.num_v + 1) / 2;
    for (int d = first; d < last; ++d) {
      add_column(d, true, &random, problem);
    }
    for (int k = 0; k < first; ++k) {
      const double* column = problem->columns.data() + 8 * (parent.column_begin + k);
      const std::vector<double> copy(column, column + 8);
      problem->columns.insert(problem->columns.end(), copy.begin(), copy.end());
      problem->column_dofs.push_back(problem->column_dofs[parent.column_begin + k]);
    }
    body.columns = static_cast<int>(problem->column_dofs.size()) - body.column_begin;
    body.parent = is_carried ? static_cast<int>(b) - 1 : 0;
  }
}

void add_friction_lengths(std::uint64_t seed, ContactProblem* problem) {
  Random random(seed);
  problem->friction_lengths.assign(problem->frames.size(), FrictionLengths{});
  for (const Patch& patch : problem->patches) {
    for (int p = patch.begin; p < patch.end; ++p) {
      if (random.uniform() < 0.5) continue;
      problem->friction_lengths[p] =
          friction_lengths(1.0, random.uniform(0.0, 0.3), random.uniform(0.0, 0.1));
      put(0.1 * random_vector(&random), problem->friction_lengths[p].bias);
    }
  }
}

void split_into_branches(std::uint64_t seed, ContactProblem* problem) {
  Random random(seed);
  problem->branches.clear();
  for (std::size_t t = 0; t < problem->trees.size(); ++t) {
    ProblemTree& tree = problem->trees[t];
    tree.branch_begin = tree.branch_end = static_cast<int>(problem->branches.size());
    if (tree.is_free_body) continue;
    const int n = tree.num_v;
    MatX A = MatX::Identity(n, n);
    for (int begin = 0; begin < n;) {
      const int branch = tree.branch_end - tree.branch_begin;
      const int end = std::min(n, begin + random.uniform_int(1, 4));
      problem->branches.push_back({begin, end, random.uniform_int(-1, branch - 1)});
      ++tree.branch_end;
      const std::vector<int> path = path_of(*problem, tree, branch);
      for (int k = 0; k < 2 * n; ++k) {
        VecX J = VecX::Zero(n);
        for (const int d : path) J[d] = random.normal();
        A += J * J.transpose() / (2.0 * n);
      }
      begin = end;
    }
    std::copy(A.data(), A.data() + A.size(), problem->A_of(static_cast<int>(t)));
  }
  problem->columns.clear();
  problem->column_dofs.clear();
  for (ProblemBody& body : problem->bodies) {
    if (body.tree < 0 || problem->trees[body.tree].is_free_body) continue;
    const ProblemTree& tree = problem->trees[body.tree];
    body.column_begin = static_cast<int>(problem->column_dofs.size());
    const int branch = random.uniform_int(0, tree.branch_end - tree.branch_begin - 1);
    for (const int d : path_of(*problem, tree, branch)) {
      if (random.uniform() < 0.8) add_column(d, true, &random, problem);
    }
    body.columns = static_cast<int>(problem->column_dofs.size()) - body.column_begin;
    body.parent = 0;
  }
}

}  // namespace stiction
