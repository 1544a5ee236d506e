#include "test/contact/dual/samples.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/base/random.h"

namespace stiction {
namespace {

void put(const Vec3& x, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
  to[3] = 0.0;
}

Vec3 random_vector(Random* random) { return {random->normal(), random->normal(), random->normal()}; }

void add_rows(int count, Random* random, ContactProblem* problem) {
  const int bodies = static_cast<int>(problem->trees.size());
  for (int i = 0; i < count; ++i) {
    RowLaw law;
    law.slope = random->uniform(1.0, 100.0);
    if (i % 3 == 1) law.lower = 0.0;
    if (i % 3 == 2) {
      law.lower = -0.1;
      law.upper = 0.1;
    }
    problem->begin_row(law);
    for (int t = 0; t < std::min(2, bodies); ++t) {
      problem->begin_row_part((i + t) % bodies);
      for (int d = 0; d < 6; ++d) problem->add_row_entry(d, random->normal());
    }
  }
}

}  // namespace

DualBlock contact_block(double friction, int tangents) {
  DualBlock block;
  block.tangents = tangents;
  block.friction = friction;
  return block;
}

DualBlock scalar_block(double lower, double upper) {
  DualBlock block;
  block.lower = lower;
  block.upper = upper;
  return block;
}

DualProblem dense_problem(const std::vector<DualBlock>& blocks, const MatX& W, const VecX& r, const VecX& R) {
  DualMatrix matrix;
  matrix.row_begin.assign(1, 0);
  int row = 0;
  for (const DualBlock& a : blocks) {
    int column = 0;
    for (std::size_t c = 0; c < blocks.size(); ++c) {
      matrix.columns.push_back(static_cast<int>(c));
      matrix.begin.push_back(static_cast<int>(matrix.values.size()));
      for (int i = 0; i < a.size(); ++i)
        for (int j = 0; j < blocks[c].size(); ++j) matrix.values.push_back(W(row + i, column + j));
      column += blocks[c].size();
    }
    row += a.size();
    matrix.row_begin.push_back(static_cast<int>(matrix.columns.size()));
  }
  DualProblem problem;
  problem.begin_explicit(blocks, matrix, r, R);
  return problem;
}

DualProblem dense_problem(const std::vector<DualBlock>& blocks, const MatX& W, const VecX& r) {
  return dense_problem(blocks, W, r, VecX::Zero(r.size()));
}

DualProblem block_on_ground(const Vec3& v, double mu) {
  return dense_problem({contact_block(mu)}, 0.5 * MatX::Identity(3, 3), v);
}

MatX random_spd(int n, std::uint64_t seed) {
  Random random(seed);
  MatX B(n, n);
  for (int i = 0; i < n * n; ++i) B.data()[i] = random.normal();
  return B * B.transpose() / n + 0.1 * MatX::Identity(n, n);
}

DualProblem random_bodies(const BodiesSpec& spec, std::uint64_t seed) {
  Random random(seed);
  ContactProblem problem;
  problem.h = 1e-3;
  problem.law = LawKind::coulomb_ncp;
  std::vector<ProblemTree> trees(static_cast<std::size_t>(spec.bodies));
  for (ProblemTree& tree : trees) {
    tree.is_free_body = true;
    tree.num_v = 6;
  }
  problem.set_trees(trees);
  problem.bodies.emplace_back();
  for (int t = 0; t < spec.bodies; ++t) {
    const MatX A = random_spd(6, 100 * seed + t) + MatX::Identity(6, 6);
    for (int c = 0; c < 6; ++c)
      for (int i = 0; i < 8; ++i) problem.A_of(t)[8 * c + i] = i % 4 == 3 ? 0.0 : A(i < 3 ? i : i - 1, c);
    ProblemBody body;
    body.tree = t;
    problem.bodies.push_back(body);
  }
  for (int i = 0; i < problem.v_free.size(); ++i) problem.v_free[i] = random.normal();
  problem.v_start = problem.v_free;
  add_rows(spec.rows, &random, &problem);

  // A chain, so that all is one island: every second patch touches the world.
  std::vector<PatchPlan> plans;
  for (int k = 0; k < spec.patches; ++k) {
    PatchPlan plan;
    plan.b = 1 + (k / 2 + k % 2) % spec.bodies;
    plan.a = k % 2 == 0 || spec.bodies == 1 ? 0 : 1 + (k / 2) % spec.bodies;
    plan.points = spec.points;
    plans.push_back(plan);
  }
  problem.set_patches(plans);
  STICTION_ASSERT(problem.islands.size() == 1);
  if (spec.turns) problem.friction_lengths.assign(problem.frames.size(), FrictionLengths{});
  int count = 0;
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p, ++count) {
      PointFrame& frame = problem.frames[p];
      put(random_vector(&random), frame.r_B);
      put(patch.a == 0 ? Vec3(0, 0, 0) : random_vector(&random), frame.r_A);
      put(random_vector(&random).normalized(), frame.n);
      put(Vec3::Zero(), frame.bias);
      const double mu = spec.friction >= 0.0 ? spec.friction : (count % 5 == 4 ? 0.0 : random.uniform());
      problem.law_parameters[kReference][p] = 0.0;
      problem.law_parameters[kNormalCompliance][p] = spec.R;
      problem.law_parameters[kTangentialCompliance][p] = 0.1 * spec.R;
      problem.law_parameters[kRigidFriction][p] = mu;
      if (spec.turns && count % 2 == 0) {
        problem.friction_lengths[p].torsion = 0.1;
        problem.friction_lengths[p].roll = 0.05;
      }
    }
  }
  DualProblem out;
  out.begin(problem, problem.islands[0]);
  return out;
}

}  // namespace stiction
