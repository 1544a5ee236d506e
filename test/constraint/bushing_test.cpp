// A bushing between two free bodies, stretched and turned.

#include "stiction/constraint/bushing.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/multibody/jacobian.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// Two bricks without gravity, some centimetres apart from where their bushing rests, turned against each other by half a radian.
Model tied_bricks() {
  ModelBuilder builder("tied_bricks");
  builder.set_gravity(Vec3::Zero());
  builder.add_free_body("a", {}, Inertia{});
  builder.add_solid("a", "a", {}, Box{Vec3(0.05, 0.1, 0.15)}, 500.0);
  builder.add_free_body("b", Pose{rotation_exp<double>(Vec3(0.3, -0.4, 0.3)), Vec3(0.5, 0.1, -0.1)},
                        Inertia{});
  builder.add_solid("b", "b", {}, Box{Vec3(0.1, 0.05, 0.05)}, 500.0);
  builder.exclude_contacts("a", "b");
  builder.add_frame("end_a", "a", translation(Vec3(0.2, 0.05, 0.0)));
  builder.add_frame("end_b", "b", translation(Vec3(-0.3, 0.0, 0.1)));
  Model model = builder.build();
  Bushing bushing;
  bushing.name = "bushing";
  bushing.frame1 = "end_a";
  bushing.frame2 = "end_b";
  bushing.stiffness = Vec3(300.0, 100.0, 900.0);
  bushing.turn_stiffness = Vec3(20.0, 50.0, 10.0);
  model.elements.bushings.push_back(bushing);
  return model;
}

TEST(Bushing, PullsBothBodiesAlongOneLine) {
  // The momenta that it gives the two bodies in the first step cancel, about the origin too.
  const Model model = tied_bricks();
  World world(model, {});
  world.step();
  Kinematics start(model.forest);
  compute_positions(model.forest, model.q0.data(), &start);
  compute_velocities(model.forest, world.state().v.data(), &start);
  const Totals both = totals(model.forest, start);
  const double size = std::sqrt(both.mass * 2.0 * kinetic_energy(model.forest, start));
  EXPECT_GT(size, 0.01);
  EXPECT_LT(both.momentum.norm(), 1e-12 * size);
  EXPECT_LT(both.angular_momentum.norm(), 1e-12 * size);
}

TEST(Bushing, HasRatesThatAreThoseOfItsDeflection) {
  const Pose X_A{rotation_exp<double>(Vec3(0.3, 0.2, -0.9)), Vec3(0.1, 0.2, 0.3)};
  const Pose X_B{rotation_exp<double>(Vec3(-0.4, 1.1, 0.2)), Vec3(-0.2, 0.5, 0.1)};
  Vec6 V_A, V_B;
  V_A << 0.3, -1.0, 0.7, 0.2, 0.5, -0.4;
  V_B << -0.6, 0.4, 1.2, -0.3, 0.1, 0.8;
  const auto moved = [](const Pose& X, const Vec6& V, double t) {
    return Pose{rotation_exp<double>(Vec3(t * V.head<3>())) * X.R, X.p + t * V.tail<3>()};
  };
  const double t = 1e-5;
  const Vec6 difference = (deflection(moved(X_A, V_A, t), moved(X_B, V_B, t)) -
                           deflection(moved(X_A, V_A, -t), moved(X_B, V_B, -t))) /
                          (2.0 * t);
  EXPECT_LT((deflection_rate(X_A, X_B, V_A, V_B) - difference).norm(), 1e-8);
}

TEST(Bushing, KeepsTheEnergyOfItsBodiesToSecondOrderAtTheMidpoint) {
  const auto drift = [](double h) {
    WorldOptions options;
    options.h = h;
    options.formulation.scheme = &find_scheme("midpoint");
    World world(tied_bricks(), options);
    const double start = world.energies().total();
    double most = 0.0, fastest = 0.0;
    while (world.time() < 0.25) {
      world.step();
      const Energies now = world.energies();
      most = std::max(most, std::abs(now.total() - start));
      fastest = std::max(fastest, now.kinetic);
    }
    EXPECT_GT(fastest, 0.1 * start);
    return most;
  };
  EXPECT_NEAR(std::log2(drift(1.0 / 512) / drift(1.0 / 1024)), 2.0, 0.2);
}

}  // namespace
}  // namespace stiction
