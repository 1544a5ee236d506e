// Balance of momentum and energy in scenes with contact.

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "scenes/piles.h"
#include "stiction/base/random.h"
#include "stiction/multibody/jacobian.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

// Boxes, balls and ellipsoids that fly at each other in empty space, soft enough to stay in touch for a
// while.
Model flying_bodies(int count, double stiffness) {
  ModelBuilder builder("flying_bodies");
  builder.set_gravity(Vec3::Zero());
  Random random(5);
  for (int i = 0; i < count; ++i) {
    const std::string name = "body" + std::to_string(i);
    const auto direction = random.unit_vector<3>(), axis = random.unit_vector<3>();
    const Vec3 d(direction[0], direction[1], direction[2]), a(axis[0], axis[1], axis[2]);
    const Vec3 p = (0.15 + 0.02 * i) * d;
    builder.add_free_body(name, {rotation_exp<double>(2.0 * a), p}, Inertia{});
    const Shape shapes[] = {Box{Vec3(0.04, 0.05, 0.06)}, Sphere{0.05}, Ellipsoid{Vec3(0.03, 0.05, 0.07)}};
    builder.add_solid(name, name, {}, shapes[i % 3], 1000.0);
    ContactMaterial material = friction_only(0.6);
    material.stiffness = stiffness;
    material.dissipation = 1.0;
    builder.set_material(name, material);
    const Vec3 v = -1.5 * d;
    builder.set_initial_velocity(name, {3.0 * a[1], 3.0 * a[2], 3.0 * a[0], v[0], v[1], v[2]});
  }
  return builder.build();
}

Totals totals_of(const Model& model, const State& state) {
  Kinematics kinematics(model.forest);
  compute_positions(model.forest, state.q.data(), &kinematics);
  compute_velocities(model.forest, state.v.data(), &kinematics);
  return totals(model.forest, kinematics);
}

// J' gamma of the whole problem at the solution, summed over all (free) bodies as a wrench about the origin.
Vec6 total_impulse(const World& world) {
  const ContactProblem& problem = world.record().contact.problem;
  const VecX& v = world.record().contact.solution.v;
  NewtonSolver check_residual;
  VecX gradient;
  check_residual.evaluate(problem, v, &gradient, nullptr);
  const Kinematics& kinematics = world.record().kinematics;
  Vec6 sum = Vec6::Zero();
  for (const int t : problem.island_trees) {
    const ProblemTree& tree = problem.trees[t];
    VecX x = v.segment(tree.v_begin, tree.num_v) - problem.v_free.segment(tree.v_begin, tree.num_v), y = x;
    multiply_A(problem, t, x.data(), y.data());
    const VecX impulse = y - gradient.segment(tree.v_begin, tree.num_v);
    const Vec3 O = Eigen::Map<const Vec3>(kinematics.origins.data() + 4 * t);
    const Vec3 linear = impulse.tail<3>();
    sum.head<3>() += impulse.head<3>() + O.cross(linear);
    sum.tail<3>() += linear;
  }
  return sum;
}

double sum_of_norms(const World& world) {
  double sum = 0.0;
  const AlignedVector<double>& impulses = world.record().contact.solution.impulses;
  for (std::size_t p = 0; p + 3 < impulses.size(); p += 4)
    sum += Eigen::Map<const Vec3>(impulses.data() + p).norm();
  return sum;
}

TEST(IsolatedScene, ContactImpulsesSumToNothing) {
  const Model model = flying_bodies(12, 1e5);
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(model, with_law(law));
    double worst = 0.0;
    int touching = 0;
    for (int i = 0; i < 200; ++i) {
      world.step();
      const double size = sum_of_norms(world);
      if (size == 0.0) continue;
      ++touching;
      worst = std::max(worst, total_impulse(world).norm() / size);
    }
    EXPECT_GT(touching, 20);
    EXPECT_LT(worst, 1e-13);
  }
}

TEST(IsolatedScene, KeepsItsLinearMomentumToRoundOff) {
  const Model model = flying_bodies(12, 1e5);
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(model, with_law(law));
    const Totals start = totals_of(world.model(), world.state());
    world.simulate(0.4);
    // 200 steps of round-off of momenta of 1.5 m/s.
    const double size = 1.5 * start.mass;
    EXPECT_LT((totals_of(world.model(), world.state()).momentum - start.momentum).norm(), 1e-13 * size);
  }
}

// log2 of the fall of an error over the last of two halvings of h; printed like the orders of the schemes.
template <class Error>
double order_of(const char* what, const char* law, double h, const Error& error) {
  const double coarse = error(h), fine = error(h / 2), finest = error(h / 4);
  const double slope = std::log2(fine / finest);
  std::printf("[ order    ] %-28s %-20s errors %.3e %.3e %.3e slope %.3f\n", what, law, coarse, fine, finest,
              slope);
  return slope;
}

TEST(IsolatedScene, AngularMomentumDriftsAtFirstOrder) {
  // Two ellipsoids in one soft oblique impact of some 20 ms.
  ModelBuilder builder("two_stones");
  builder.set_gravity(Vec3::Zero());
  ContactMaterial material = friction_only(0.5);
  material.stiffness = 2e4;
  material.dissipation = 0.5;
  for (const int i : {0, 1}) {
    const std::string name = "stone" + std::to_string(i);
    builder.add_free_body(name, translation(0.13 * i, 0.03 * i, 0.02 * i), Inertia{});
    builder.add_solid(name, name, {}, Ellipsoid{Vec3(0.06, 0.04, 0.05)}, 1000.0);
    builder.set_material(name, material);
  }
  builder.set_initial_velocity("stone0", {0, 1, 2, 1.0, 0, 0});
  const Model model = builder.build();
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    const auto drift = [&](double h) {
      World world(model, with_law(law, h));
      const Vec3 start = totals_of(model, world.state()).angular_momentum;
      world.simulate(0.125);
      return (totals_of(model, world.state()).angular_momentum - start).norm() / start.norm();
    };
    // The impact itself begins somewhere inside a step: a fifth of an order.
    EXPECT_NEAR(order_of("angular momentum", law.name, 1.0 / 2048, drift), 1.0, 0.3);
  }
}

// The books of a motion.
EnergyTotals audit(const Model& model, const WorldOptions& options, double duration) {
  World world(model, options);
  EnergyTotals totals;
  for (int i = 0; i < static_cast<int>(std::lround(duration / options.h)); ++i) {
    const double t = world.time();
    world.step();
    totals.add(world.energy_books(), t);
  }
  return totals;
}

TEST(EnergyAudit, HasANumericalLossOfFirstOrder) {
  // What the time stepping takes out of a motion that dissipates little.
  for (const NamedLaw& law : every_law()) {
    for (const char* scene : {"rolling_sphere", "spring_cylinder", "newtons_cradle"}) {
      const Model model = make_scene(scene);
      const auto loss = [&](double h) {
        return std::abs(audit(model, with_law(law, h), 0.125).sum.numerical.total());
      };
      EXPECT_NEAR(order_of(scene, law.name, 1.0 / 1024, loss), 1.0, 0.2) << scene << " " << law.name;
    }
  }
}

TEST(EnergyAudit, ClosesInEverySceneWithContact) {
  for (const char* scene :
       {"clutter", "box_stack", "card_house", "arch", "dominoes", "slope", "sliding_block", "push",
        "conveyor", "falling_sphere", "sliding_rod", "three_point_plate", "rolling_sphere", "bowling",
        "newtons_cradle", "rattleback", "lawn_ball", "spinning_top"}) {
    const Model model = make_scene(scene);
    for (const NamedLaw& law : every_law()) {
      const EnergyTotals result = audit(model, with_law(law, 1e-3), 0.05);
      std::printf("[ audit    ] %-18s %-18s missing %.3e of %.3e J\n", scene, law.name, result.sum.error(),
                  result.sum.turnover());
      EXPECT_LT(result.largest_error, 1e-10)
          << scene << " " << law.name << " at " << result.worst_time << " s";
    }
  }
}

}  // namespace
}  // namespace stiction
