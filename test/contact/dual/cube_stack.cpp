#include "test/contact/dual/cube_stack.h"

#include <Eigen/Eigenvalues>

namespace stiction {
namespace {

constexpr double kEdge = 0.2;      // m
constexpr double kGravity = 9.81;  // m/s^2

void put(const Vec3& x, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
  to[3] = 0.0;
}

}  // namespace

DualProblem make_dual(const CubeStack& stack) {
  const int cubes = static_cast<int>(stack.masses.size());
  ContactProblem problem;
  problem.h = stack.h;
  problem.law = LawKind::coulomb_ncp;
  ProblemTree tree;
  tree.num_v = 6;
  tree.is_free_body = true;
  problem.set_trees(std::vector<ProblemTree>(static_cast<std::size_t>(cubes), tree));
  problem.bodies.emplace_back();
  std::vector<PatchPlan> plans;
  for (int k = 0; k < cubes; ++k) {
    double* A = problem.A_of(k);
    std::fill(A, A + 48, 0.0);
    for (int i = 0; i < 3; ++i) {
      A[8 * i + i] = stack.masses[k] * kEdge * kEdge / 6.0;
      A[8 * (3 + i) + 4 + i] = stack.masses[k];
    }
    const bool is_top = k == cubes - 1;
    const Vec3 push = is_top ? stack.push : Vec3::Zero(), start = is_top ? stack.velocity : Vec3::Zero();
    const Vec3 v = start + stack.h * (push / stack.masses[k] - Vec3(0.0, 0.0, kGravity));
    problem.v_free.segment(6 * k, 6) << 0.0, 0.0, 0.0, v;
    problem.v_start.segment(6 * k, 6).setZero();
    ProblemBody body;
    body.tree = k;
    problem.bodies.push_back(body);
    plans.push_back({k, k + 1, 4});
  }
  problem.set_patches(plans);
  for (int k = 0; k < cubes; ++k) {
    const Patch& patch = problem.patches[problem.patch_of_plan[k]];
    for (int c = 0; c < 4; ++c) {
      const Vec3 corner(c % 2 == 0 ? -0.5 : 0.5, c < 2 ? -0.5 : 0.5, -0.5);
      PointFrame& frame = problem.frames[patch.begin + c];
      put(kEdge * corner, frame.r_B);
      put(k == 0 ? Vec3::Zero() : Vec3(kEdge * Vec3(corner.x(), corner.y(), 0.5)), frame.r_A);
      put(Vec3::UnitZ(), frame.n);
      put(Vec3::Zero(), frame.bias);
      problem.body_a[patch.begin + c] = k;
      problem.body_b[patch.begin + c] = k + 1;
      problem.law_parameters[kReference][patch.begin + c] = 0.0;
      problem.law_parameters[kNormalCompliance][patch.begin + c] = stack.R;
      problem.law_parameters[kTangentialCompliance][patch.begin + c] = stack.R;
      problem.law_parameters[kRigidFriction][patch.begin + c] = stack.friction[k];
    }
  }
  DualProblem dual;
  dual.begin(problem, problem.islands.front());
  return dual;
}

VecX velocity_after(const DualProblem& problem, const VecX& lambda) {
  VecX v = problem.v_free;
  for (int b = 0; b < problem.num_blocks(); ++b)
    problem.add_velocity(b, lambda.data() + problem.blocks[b].begin, v.data());
  return v;
}

double internal_impulse(const DualProblem& problem, const VecX& lambda) {
  const Eigen::SelfAdjointEigenSolver<MatX> pairs(problem.dense());
  const double largest = pairs.eigenvalues().maxCoeff();
  double sum = 0.0;
  for (int i = 0; i < lambda.size(); ++i)
    if (pairs.eigenvalues()[i] < 1e-12 * largest) sum += std::pow(pairs.eigenvectors().col(i).dot(lambda), 2);
  return std::sqrt(sum);
}

}  // namespace stiction
