#include "bench/claims/rigid_random.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include "stiction/base/random.h"
#include "stiction/contact/law/sap.h"

namespace stiction::claims {
namespace {

constexpr double kSize = 0.1;                 // m, of a body
constexpr double kTilt = 0.8, kUneven = 0.2;  // together below 1
constexpr int kMostContacts = 200, kMostPointsOfPair = 12, kMostBodies = 60;

void put(const Vec3& x, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
  to[3] = 0.0;
}

Vec3 random_vector(Random* random) { return {random->normal(), random->normal(), random->normal()}; }

// The block of A of a free body with its centre at O: six columns of (angular, 0, linear, 0). The mass is ten
// to the power of a number between the two.
void set_inertia(int tree, double least, double most, Random* random, ContactProblem* problem) {
  const double mass = std::pow(10.0, random->uniform(least, most));
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

// Free bodies, [0] of `bodies` being the world; all of them move into whatever is around.
void add_bodies(int bodies, double least_power, double most_power, Random* random, ContactProblem* problem) {
  problem->h = 1e-3;
  problem->law = LawKind::coulomb_ncp;
  ProblemTree tree;
  tree.is_free_body = true;
  tree.num_v = 6;
  problem->set_trees(std::vector<ProblemTree>(static_cast<std::size_t>(bodies), tree));
  problem->bodies.emplace_back();
  for (int t = 0; t < bodies; ++t) {
    set_inertia(t, least_power, most_power, random, problem);
    ProblemBody body;
    body.tree = t;
    problem->bodies.push_back(body);
    problem->v_free.segment<3>(6 * t) = random_vector(random) / kSize;
    problem->v_free.segment<3>(6 * t + 3) = random_vector(random);
  }
  problem->v_start = problem->v_free;
}

// A unit vector at an angle to n, in a random direction.
Vec3 tilted(const Vec3& n, double angle, Random* random) {
  const Vec3 across = n.cross(random_vector(random)).normalized();
  return std::cos(angle) * n + std::sin(angle) * across;
}

void set_point(const Vec3& arm, const Vec3& other_arm, const Vec3& n, double mu, int p,
               ContactProblem* problem) {
  PointFrame& frame = problem->frames[p];
  put(arm, frame.r_B);
  put(other_arm, frame.r_A);
  put(n, frame.n);
  put(Vec3::Zero(), frame.bias);
  for (AlignedVector<double>& numbers : problem->law_parameters) numbers[p] = 0.0;
  problem->law_parameters[kRigidFriction][p] = mu;
}

}  // namespace

RandomContacts random_contacts(std::uint64_t seed) {
  Random random(seed);
  RandomContacts out;
  ContactProblem& problem = out.problem;
  const int bodies = random.uniform_int(1, 3);
  add_bodies(bodies, -1.0, 1.0, &random, &problem);

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
      const Vec3 arm = kSize * random_vector(&random);
      // A patch is nearly flat.
      const Vec3 normal = (n + 0.1 * random_vector(&random)).normalized();
      set_point(arm, patch.a == 0 ? Vec3::Zero() : Vec3(arm - from_a), normal, mu, p, &problem);
    }
  }
  out.dual.begin(problem, problem.islands.front());
  return out;
}

RandomContacts hard_random_contacts(std::uint64_t seed) {
  Random random(seed);
  RandomContacts out;
  ContactProblem& problem = out.problem;
  // As many small problems as large ones.
  const int most = static_cast<int>(std::exp(random.uniform(0.0, std::log(kMostContacts + 0.99))));
  const int points = random.uniform_int(1, kMostPointsOfPair);
  const int bodies = std::clamp(most / std::max(points, 1), 1, kMostBodies);
  const bool is_extreme = random.uniform_int(1, 4) == 1;
  add_bodies(bodies, is_extreme ? -3.0 : -1.0, is_extreme ? 3.0 : 1.0, &random, &problem);

  // A tower (each body on the last one), a pile (on any earlier one) or a heap (on the world first of all),
  // then more pairs until there are enough contacts.
  const int shape = random.uniform_int(0, 2);
  std::vector<PatchPlan> plans;
  int contacts = 0;
  const auto add = [&](int a, int b) {
    const int count = std::min(random.uniform_int(1, points), most - contacts);
    if (count <= 0) return;
    plans.push_back({a, b, count});
    contacts += count;
  };
  for (int b = 1; b <= bodies; ++b) {
    const int below = shape == 0 ? b - 1 : random.uniform_int(0, b - 1);
    add(shape == 2 && b % 2 == 0 ? 0 : below, b);
  }
  while (contacts < most) {
    const int b = random.uniform_int(1, bodies);
    add(random.uniform_int(0, b - 1), b);
  }
  problem.set_patches(plans);
  for (const Patch& patch : problem.patches) {
    const double mu = random.uniform_int(1, 8) == 1 ? 0.0 : random.uniform(0.0, 2.0);
    // Tilted by less than what would let it jam: bodies that all move up, the later ones faster, open every
    // contact faster than it slides.
    const double steepest = kTilt * std::atan2(1.0, mu);
    const Vec3 n = tilted(Vec3::UnitZ(), random.uniform(0.0, steepest), &random);
    const Vec3 from_a = kSize * random_vector(&random);  // from the centre of B to that of A
    const Vec3 middle = kSize * random_vector(&random);
    const bool is_flat = random.uniform_int(0, 1) == 0;
    for (int p = patch.begin; p < patch.end; ++p) {
      const Vec3 around = kSize * random_vector(&random);
      const Vec3 arm = middle + (is_flat ? Vec3(around - around.dot(n) * n) : around);
      const Vec3 normal = is_flat ? n : tilted(n, random.uniform(0.0, kUneven * steepest), &random);
      set_point(arm, patch.a == 0 ? Vec3::Zero() : Vec3(arm - from_a), normal, mu, p, &problem);
    }
  }
  // The largest island; bodies that nothing joins to it are alone.
  const auto largest =
      std::max_element(problem.islands.begin(), problem.islands.end(), [](const Island& a, const Island& b) {
        return a.point_end - a.point_begin < b.point_end - b.point_begin;
      });
  out.dual.begin(problem, *largest);
  return out;
}

void make_primal(double normal_share, double tangential_share, RandomContacts* contacts) {
  ContactProblem& problem = contacts->problem;
  problem.law = LawKind::convex_cone;
  for (int b = 0; b < contacts->dual.num_blocks(); ++b) {
    const DualBlock& block = contacts->dual.blocks[b];
    const double w = norm_of(contacts->dual.diagonal_block(b), block.size() * block.size()) / 3.0;
    const double Rn = normal_share * w, Rt = tangential_share * w, mu = block.friction;
    problem.law_parameters[kBias][block.source] = 0.0;
    problem.law_parameters[kNormal][block.source] = 1.0 / Rn;
    problem.law_parameters[kTangential][block.source] = 1.0 / Rt;
    problem.law_parameters[kMu][block.source] = mu;
    problem.law_parameters[kSliding][block.source] = 1.0 / (Rn + mu * mu * Rt);
  }
}

}  // namespace stiction::claims
