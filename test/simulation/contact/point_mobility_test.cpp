// The inverse mass of contact points against the dense J A^-1 J'.

#include "stiction/simulation/contact/point_mobility.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/random.h"
#include "stiction/base/shared_files.h"
#include "stiction/io/model_file.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/world.h"
#include "test/base/fewer.h"

namespace stiction {
namespace {

struct Compared {
  int points = 0, in_one_tree = 0;
  double worst = 0.0;  // relative

  void operator+=(const Compared& other) {
    points += other.points;
    in_one_tree += other.in_one_tree;
    worst = std::max(worst, other.worst);
  }
};

// A of a tree as a dense matrix.
MatX dense_A(const ContactProblem& problem, int t) {
  const ProblemTree& tree = problem.trees[t];
  const double* A = problem.A_of(t);
  MatX out(tree.num_v, tree.num_v);
  for (int i = 0; i < tree.num_v; ++i)
    for (int j = 0; j < tree.num_v; ++j)
      out(i, j) = tree.is_free_body ? A[8 * i + (j < 3 ? j : j + 1)] : A[i * tree.num_v + j];
  return out;
}

// J += sign times the velocity of a body at the arm r, over all velocities of the problem.
void add_jacobian(const ContactProblem& problem, int index, const Vec3& r, double sign, MatX* J) {
  const ProblemBody& body = problem.bodies[index];
  if (body.tree < 0) return;
  const ProblemTree& tree = problem.trees[body.tree];
  const auto add = [&](int dof, const Vec3& w, const Vec3& v) {
    J->col(tree.v_begin + dof) += sign * (v + w.cross(r));
  };
  if (tree.is_free_body) {
    for (int c = 0; c < 3; ++c) {
      add(c, Vec3::Unit(c), Vec3::Zero());
      add(3 + c, Vec3::Zero(), Vec3::Unit(c));
    }
  }
  for (int c = body.column_begin; c < body.column_begin + body.columns; ++c) {
    const double* S = problem.columns.data() + 8 * c;
    add(problem.column_dofs[c], Eigen::Map<const Vec3>(S), Eigen::Map<const Vec3>(S + 4));
  }
}

Compared compare_inverse_masses(const StepRecord& r) {
  const ContactProblem& problem = r.contact.problem;
  Compared out;
  MatX inverse = MatX::Zero(problem.v_free.size(), problem.v_free.size());
  for (const int t : problem.island_trees) {
    const int begin = problem.trees[t].v_begin, n = problem.trees[t].num_v;
    inverse.block(begin, begin, n, n) = dense_A(problem, t).llt().solve(MatX::Identity(n, n));
  }
  for (std::size_t k = 0; k < r.collision.pairs.size(); ++k) {
    const ContactPairMap& place = r.contact.places[k];
    if (place.begin < 0) continue;
    const ShapePair& pair = r.collision.pairs[k];
    for (int i = 0; i < pair.end - pair.begin; ++i) {
      const int p = place.begin + i;
      const PointFrame& frame = problem.frames[p];
      // Each body at its own surface.
      const Vec3 out_of_a =
          0.5 * r.collision.points[pair.begin + i].distance * Vec3(Eigen::Map<const Vec3>(frame.n));
      const int a = problem.body_a[p], b = problem.body_b[p];
      MatX J = MatX::Zero(3, problem.v_free.size());
      add_jacobian(problem, b, Vec3(Eigen::Map<const Vec3>(frame.r_B)) + out_of_a, 1.0, &J);
      add_jacobian(problem, a, Vec3(Eigen::Map<const Vec3>(frame.r_A)) - out_of_a, -1.0, &J);
      const double w = (J * inverse * J.transpose()).norm() / 3.0;
      out.worst = std::max(out.worst, std::abs(problem.inverse_masses[p] / w - 1.0));
      ++out.points;
      out.in_one_tree += problem.bodies[a].tree >= 0 && problem.bodies[a].tree == problem.bodies[b].tree;
    }
  }
  return out;
}

// In random positions near the initial ones, in which limbs and fingers meet each other too.
Compared compare_in_random_states(Model model, int states) {
  World world(std::move(model));
  const Forest& forest = world.model().forest;
  Random random(17);
  Compared all;
  for (int i = 0; i < states; ++i) {
    State state = world.state();
    VecX change(forest.num_v);
    for (Eigen::Index d = 0; d < change.size(); ++d) change[d] = random.uniform(-1.0, 1.0);
    const VecX q = i == 0 ? state.q : world.model().q0;
    integrate_positions(forest, q.data(), change.data(), i == 0 ? 0.0 : 1.0, state.q.data());
    state.v.setZero();
    World there(world.model());
    there.set_state(state);
    there.step();
    all += compare_inverse_masses(there.record());
  }
  return all;
}

TEST(PointMobility, OfScenesIsThatOfTheWholeTree) {
  Compared all;
  for (const char* scene : {"humanoid", "quadruped", "hand", "arm"}) {
    const Compared found = compare_in_random_states(make_scene(scene), 20);
    EXPECT_LT(found.worst, 1e-10) << scene;
    all += found;
  }
  EXPECT_GT(all.points, 20);
}

TEST(PointMobility, OfSharedRobotsIsThatOfTheWholeTreeBetweenTheirFingersToo) {
  int robots = 0;
  Compared all;
  for (const char* name :
       {"franka_emika_panda/scene.xml", "kuka_iiwa_14/scene.xml", "robotiq_2f85/scene.xml",
        "wonik_allegro/scene_right.xml", "shadow_hand/scene_right.xml", "google_barkour_vb/scene.xml",
        "agility_cassie/scene.xml", "pal_talos/scene_position.xml", "unitree_go1/scene.xml",
        "anybotics_anymal_c/scene.xml"}) {
    const auto file = shared_file(std::string("models/") + name);
    if (!file || robots == fewer(10, 3)) continue;
    const Compared found = compare_in_random_states(load_model_file(*file), fewer(8, 4));
    EXPECT_LT(found.worst, 1e-10) << name;
    all += found;
    ++robots;
  }
  if (robots == 0) GTEST_SKIP() << missing_shared_file("models");
  EXPECT_GT(all.points, fewer(100));
  EXPECT_GT(all.in_one_tree, fewer(10));
  std::printf("[ inverse mass ] %d robots, %d points, %d of two bodies of one tree: off by %.1e at most\n",
              robots, all.points, all.in_one_tree, all.worst);
}

}  // namespace
}  // namespace stiction
