#include "bench/claims/rigid_random.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include "stiction/base/random.h"
#include "stiction/contact/law/sap.h"

namespace stiction::claims {
namespace {

constexpr double kSize = 0.1;  // m, of a body

void put(const Vec3& x, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
  to[3] = 0.0;
}

Vec3 random_vector(Random* random) { return {random->normal(), random->normal(), random->normal()}; }

// The block of A of a free body with its centre at O: six columns of (angular, 0, linear, 0).
void set_inertia(int tree, Random* random, ContactProblem* problem) {
  const double mass = std::pow(10.0, random->uniform(-1.0, 1.0));
  // Of a cuboid with random edges and axes.
  const Vec3 edges =
      kSize * Vec3(random->uniform(0.5, 2.0), random->uniform(0.5, 2.0), random->uniform(0.5, 2.0));
  const Vec3 square = edges.cwiseAbs2();
  const Mat3 R = Eigen::Quaterniond(random->normal(), random->normal(), random->normal(), random->normal())
                     .normalized()
                     .toRotationMatrix();
  const Vec3 principal = mass / 12.0 * (Vec3::Constant(square.sum()) - square);
  const Mat3 I = R * principal.asDiagonal() * R.transpose();
  double* A = problem->A_of(tree);
  std::fill(A, A + 48, 0.0);
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < 3; ++i) A[8 * c + i] = I(i, c);
    A[8 * (3 + c) + 4 + c] = mass;
  }
}

}  // namespace

RandomContacts random_contacts(std::uint64_t seed) {
  Random random(seed);
  RandomContacts out;
  ContactProblem& problem = out.problem;
  problem.h = 1e-3;
  problem.law = LawKind::coulomb_ncp;
  const int bodies = random.uniform_int(1, 3);
  ProblemTree tree;
  tree.is_free_body = true;
  tree.num_v = 6;
  problem.set_trees(std::vector<ProblemTree>(static_cast<std::size_t>(bodies), tree));
  problem.bodies.emplace_back();
  for (int t = 0; t < bodies; ++t) {
    set_inertia(t, &random, &problem);
    ProblemBody body;
    body.tree = t;
    problem.bodies.push_back(body);
    problem.v_free.segment<3>(6 * t) = random_vector(&random) / kSize;
    problem.v_free.segment<3>(6 * t + 3) = random_vector(&random);
  }
  problem.v_start = problem.v_free;

  // Every body rests on the one before it, the first one on the world; every second one on the world as well.
  std::vector<PatchPlan> plans;
  for (int b = 1; b <= bodies; ++b) {
    plans.push_back({b - 1, b, random.uniform_int(1, 4)});
    if (b % 2 == 0) plans.push_back({0, b, random.uniform_int(1, 4)});
  }
  problem.set_patches(plans);
  for (const Patch& patch : problem.patches) {
    const double mu = random.uniform();
    const Vec3 n = random_vector(&random).normalized();
    const Vec3 from_a = kSize * random_vector(&random);  // from the centre of B to that of A
    for (int p = patch.begin; p < patch.end; ++p) {
      PointFrame& frame = problem.frames[p];
      const Vec3 arm = kSize * random_vector(&random);
      put(arm, frame.r_B);
      put(patch.a == 0 ? Vec3::Zero() : Vec3(arm - from_a), frame.r_A);
      // A patch is nearly flat.
      put((n + 0.1 * random_vector(&random)).normalized(), frame.n);
      put(Vec3::Zero(), frame.bias);
      for (AlignedVector<double>& numbers : problem.law_numbers) numbers[p] = 0.0;
      problem.law_numbers[kRigidFriction][p] = mu;
    }
  }
  out.dual.begin(problem, problem.islands.front());
  return out;
}

void make_primal(double normal_share, double tangential_share, RandomContacts* contacts) {
  ContactProblem& problem = contacts->problem;
  problem.law = LawKind::convex_cone;
  for (int b = 0; b < contacts->dual.num_blocks(); ++b) {
    const DualBlock& block = contacts->dual.blocks[b];
    const double w = norm_of(contacts->dual.diagonal_block(b), block.size() * block.size()) / 3.0;
    const double Rn = normal_share * w, Rt = tangential_share * w, mu = block.friction;
    problem.law_numbers[kBias][block.source] = 0.0;
    problem.law_numbers[kNormal][block.source] = 1.0 / Rn;
    problem.law_numbers[kTangential][block.source] = 1.0 / Rt;
    problem.law_numbers[kMu][block.source] = mu;
    problem.law_numbers[kSliding][block.source] = 1.0 / (Rn + mu * mu * Rt);
  }
}

}  // namespace stiction::claims
