// Entries of the energy books against closed forms, and that nothing can be left out of them.

#include "stiction/simulation/energy_audit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/contact/law/icf.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kG = 9.81;       // m/s^2
constexpr double kStep = 0.01;    // s
constexpr double kExact = 1e-12;  // of the largest entry

WorldOptions options_of(const std::string& scheme, double h = kStep) {
  WorldOptions options;
  options.h = h;
  options.formulation.scheme = &find_scheme(scheme);
  return options;
}

const char* const kSchemes[] = {"explicit_euler", "symplectic_euler", "semi_implicit_euler",
                                "implicit_euler", "midpoint",         "theta:0.7,0.4"};

// theta_vq of those: 0, 1, 1, 1, 0.5, 0.4; and theta.
StepTheta theta_of(const std::string& scheme) { return find_scheme(scheme).theta(); }

// A mass of 2 kg on a vertical slide.
ModelBuilder slider(Joint joint, const char* name = "slider") {
  ModelBuilder builder(name);
  builder.add_body("mass", "world", {}, {2.0, Vec3::Zero(), Mat3::Identity()});
  joint.name = "slide";
  joint.type = JointType::prismatic;
  joint.axis = Vec3::UnitZ();
  builder.add_joint("mass", joint);
  return builder;
}

TEST(EnergyBooks, OfAThrownBodyAreClosedUnderEveryScheme) {
  for (const char* scheme : kSchemes) {
    SCOPED_TRACE(scheme);
    ModelBuilder builder("brick");
    builder.add_free_body("brick", {}, Inertia{});
    builder.add_solid("brick", "brick", {}, Box{Vec3(0.05, 0.1, 0.2)}, 1000.0);
    builder.set_initial_velocity("brick", {3.0, -5.0, 8.0, 1.0, 2.0, 3.0});
    World world(builder.build(), options_of(scheme));
    for (int i = 0; i < 20; ++i) {
      world.step();
      EXPECT_LE(world.energy_books().relative_error(), kExact);
    }
  }
}

TEST(EnergyBooks, HaveHalfDvMDvWhereABodyFalls) {
  // Positions move along v_q, so the loss is (theta_vq - 1/2) m (g h)^2.
  for (const char* scheme : kSchemes) {
    SCOPED_TRACE(scheme);
    World world(slider({}).build(), options_of(scheme));
    world.set_velocity("slide", 0.7);
    world.step();
    const EnergyBooks books = world.energy_books();
    const double expected = (theta_of(scheme).theta_vq - 0.5) * 2.0 * std::pow(kG * kStep, 2);
    EXPECT_NEAR(books.numerical.velocities, expected, 1e-14);
    EXPECT_NEAR(books.numerical.total(), expected, 1e-14);
    EXPECT_LE(books.relative_error(), kExact);
  }
}

TEST(EnergyBooks, HaveHalfOfKTimesTheStepSquaredOfAnImplicitSpring) {
  const double k = 300.0, v0 = 0.7;
  Joint joint;
  joint.stiffness[0] = k;
  World world(slider(joint).build(), options_of("semi_implicit_euler"));
  world.set_velocity("slide", v0);
  world.step();
  const double v = world.velocity("slide");
  const EnergyBooks books = world.energy_books();
  EXPECT_NEAR(books.numerical.springs, 0.5 * k * std::pow(kStep * v, 2), 1e-14);
  EXPECT_NEAR(books.numerical.velocities, 0.5 * 2.0 * std::pow(v - v0, 2), 1e-14);
  EXPECT_NEAR(books.after.springs, 0.5 * k * std::pow(kStep * v, 2), 1e-14);
  EXPECT_LE(books.relative_error(), kExact);
}

TEST(EnergyBooks, TakeADampersWorkWhereItsForceIs) {
  const double d = 7.0, v0 = 0.7;
  for (const char* scheme : kSchemes) {
    SCOPED_TRACE(scheme);
    Joint joint;
    joint.damping[0] = d;
    World world(slider(joint).build(), options_of(scheme));
    world.set_velocity("slide", v0);
    world.step();
    const StepTheta at = theta_of(scheme);
    const double v = world.velocity("slide"), force = d * (at.theta * v + (1.0 - at.theta) * v0);
    const EnergyBooks books = world.energy_books();
    EXPECT_NEAR(books.dissipated.joint_dampers, kStep * force * (at.theta_vq * v + (1.0 - at.theta_vq) * v0),
                1e-14);
    EXPECT_LE(books.relative_error(), kExact);
  }
}

TEST(EnergyBooks, MissExactlyAForceThatIsLeftOut) {
  // A sphere in honey: Stokes's force 6 pi r beta v on the sphere of its inertia.
  ModelBuilder builder("drop");
  builder.add_free_body("drop", {}, Inertia{});
  builder.add_solid("drop", "drop", {}, Sphere{0.05}, 1000.0);
  builder.set_initial_velocity("drop", {0.0, 0.0, 0.0, 1.0, 0.0, 0.0});
  Model model = builder.build();
  model.elements.options.viscosity = 10.0;
  for (const char* scheme : kSchemes) {
    SCOPED_TRACE(scheme);
    World world(model, options_of(scheme));
    world.step();
    EnergyAudit audit(world.model());
    const Formulation& f = world.options().formulation;
    const EnergyBooks books = audit.audit(world.record(), world.state(), world.input(), f);
    EXPECT_LE(books.relative_error(), kExact);
    EXPECT_LT(books.work.fluid, 0.0);
    StepRecord forgetful = world.record();
    forgetful.body_forces.fluid.setZero();
    const EnergyBooks without = audit.audit(forgetful, world.state(), world.input(), f);
    EXPECT_NEAR(without.error(), -books.work.fluid, 1e-12 * std::abs(books.work.fluid));
    if (theta_of(scheme).theta == 0.0) {
      // At the velocity at the start, 1 m/s; a box with the inertia of the sphere has sqrt(3/5) of its radius.
      const double expected = -kStep * 6.0 * std::numbers::pi * std::sqrt(0.6) * 0.05 * 10.0;
      const double v_q = theta_of(scheme).theta_vq == 0.0 ? 1.0 : world.state().v[3];
      EXPECT_NEAR(books.work.fluid, expected * v_q, 1e-6 * std::abs(expected));
    }
  }
}

TEST(EnergyBooks, ListWhatGravityCompensationDoes) {
  Model model = slider({}).build();
  model.elements.gravity_compensation.push_back({"mass", 0.5});
  for (const char* scheme : kSchemes) {
    SCOPED_TRACE(scheme);
    World world(model, options_of(scheme));
    world.set_velocity("slide", 0.7);
    const double q = world.position("slide");
    world.step();
    const EnergyBooks books = world.energy_books();
    EXPECT_NEAR(books.work.gravity_compensation, 0.5 * 2.0 * kG * (world.position("slide") - q), 1e-13);
    EXPECT_LE(books.relative_error(), kExact);
  }
}

TEST(EnergyBooks, StoreTheOverlapOfABallUnderCompliantLaws) {
  const double k = 2e4, depth = 1e-3;
  for (const char* law : {"icf_lagged", "icf_similar", "sap"}) {
    SCOPED_TRACE(law);
    ModelBuilder builder("ball");
    builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.add_free_body("ball", Pose{Mat3::Identity(), Vec3(0.0, 0.0, 0.05 - depth)}, Inertia{});
    builder.add_solid("ball", "ball", {}, Sphere{0.05}, 1000.0);
    ContactMaterial material;
    material.stiffness = k;
    builder.set_material("floor", material);
    WorldOptions options = options_of("semi_implicit_euler", 1e-3);
    set_formulation(law, &options.formulation.contact);
    World world(builder.build(), options);
    EXPECT_NEAR(world.energies().contacts, 0.5 * k * depth * depth, 1e-12);
    for (int i = 0; i < 50; ++i) {
      world.step();
      const EnergyBooks books = world.energy_books();
      EXPECT_LE(books.relative_error(), 1e-11);
      // A ball on a plane: the gap is linear in the motion, nothing is left to geometry.
      EXPECT_NEAR(books.numerical.geometry, 0.0, 1e-15);
      EXPECT_GE(books.dissipated.contact_normal, -1e-15);
      EXPECT_GE(books.numerical.contacts, -1e-15);
    }
  }
}

// A ball on a floor, with every elasticity and dissipation: its energy and the two parts of its normal force by hand.
struct ElasticBall {
  static constexpr double kRadius = 0.05, k = 2e4, kModulus = 1e6, kappa = 1e4, kLog = 2e-3, dh = 1e-3;
  static constexpr double d = 0.7, tau = 2e-3;                                // s/m, s
  static constexpr double kHertz = 4.0 / 3.0 * kModulus / (1.0 - 0.3 * 0.3);  // Pa, times sqrt(R)
  Elasticity elasticity;

  Model model(double distance, double mu) const {
    ModelBuilder builder("ball");
    builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.add_free_body("ball", Pose{Mat3::Identity(), Vec3(0.0, 0.0, kRadius + distance)}, Inertia{});
    builder.add_solid("ball", "ball", {}, Sphere{kRadius}, 1000.0);
    ContactMaterial material;
    material.stiffness = k;
    material.modulus = kModulus;
    material.barrier_stiffness = kappa;
    material.barrier_energy = kLog;
    material.barrier_distance = dh;
    material.dissipation = d;
    material.relaxation_time = tau;
    material.static_friction = mu;
    builder.set_material("floor", material);
    return builder.build();
  }
  double energy(double phi) const {
    const double x = std::max(-phi, 0.0), near = std::max(dh - phi, 0.0);
    switch (elasticity) {
      case Elasticity::linear:
      case Elasticity::table:  // where there is none
        return 0.5 * k * x * x;
      case Elasticity::hertz:
        return 0.4 * kHertz * std::sqrt(kRadius) * std::pow(x, 2.5);
      case Elasticity::log_barrier:
        return -kLog * std::log(phi / dh);
      case Elasticity::ipc_barrier:
        return -kappa * near * near * std::log(std::min(phi, dh) / dh);
    }
    return 0.0;
  }
  double force(double phi) const {
    const double x = std::max(-phi, 0.0), near = std::max(dh - phi, 0.0);
    switch (elasticity) {
      case Elasticity::linear:
      case Elasticity::table:  // where there is none
        return k * x;
      case Elasticity::hertz:
        return kHertz * std::sqrt(kRadius) * std::pow(x, 1.5);
      case Elasticity::log_barrier:
        return kLog / phi;
      case Elasticity::ipc_barrier:
        return kappa * near * (near / phi - 2.0 * std::log(std::min(phi, dh) / dh));
    }
    return 0.0;
  }
};

constexpr Elasticity kElasticities[] = {Elasticity::linear, Elasticity::hertz, Elasticity::log_barrier,
                                        Elasticity::ipc_barrier};
constexpr Dissipation kDissipations[] = {Dissipation::none, Dissipation::kelvin_voigt,
                                         Dissipation::hunt_crossley};

TEST(EnergyBooks, HaveThePotentialsOfHertzAndOfTheBarriers) {
  for (const Elasticity elasticity : kElasticities) {
    const ElasticBall ball{elasticity};
    for (const double distance : {-1e-3, -2e-4, 2e-5, 3e-4, 9e-4}) {
      if (is_barrier(elasticity) && distance < 0.0) continue;
      for (const LawRow& row : kLawRows) {
        if (row.family != LawFamily::compliant) continue;
        const ElasticBall own{row.takes_elasticity() ? elasticity : Elasticity::linear};
        WorldOptions options = options_of("semi_implicit_euler", 1e-3);
        options.formulation.contact.law = row.kind;
        options.formulation.contact.elasticity = elasticity;
        const World world(ball.model(distance, 0.0), options);
        const double expected = own.energy(distance);
        EXPECT_NEAR(world.energies().contacts, expected, 1e-10 * std::abs(expected) + 1e-18)
            << row.name << ", elasticity " << static_cast<int>(elasticity) << ", " << distance << " m";
      }
    }
  }
}

// A force table that bends: the stored energy is the area under the forces that a ball at rest meets on its way in,
// and the books close along a bounce.
TEST(EnergyBooks, HaveThePotentialOfAForceTable) {
  constexpr double kRadius = 0.05, kDeepest = 3e-3;
  const auto model = [&](double depth, double d) {
    ModelBuilder builder("ball");
    builder.set_gravity(Vec3::Zero());
    builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.add_free_body("ball", Pose{Mat3::Identity(), Vec3(0.0, 0.0, kRadius - depth)}, Inertia{});
    builder.add_solid("ball", "ball", {}, Sphere{kRadius}, 1000.0);
    ContactMaterial material;
    material.force_table = {{0.0, 0.0}, {5e-4, 2.0}, {1e-3, 9.0}, {2e-3, 60.0}};
    material.dissipation = d;
    builder.set_material("floor", material);
    return builder.build();
  };
  for (const char* law : {"icf_lagged", "icf_lagged_plain"}) {
    SCOPED_TRACE(law);
    WorldOptions options = options_of("semi_implicit_euler", 1e-7);  // nothing moves in a step
    set_formulation(law, &options.formulation.contact);
    const auto force_at = [&](double depth) {
      World world(model(depth, 0.0), options);
      world.step();
      return world.contact_force("ball").z();
    };
    // Simpson's rule.
    constexpr int kParts = 600;
    const double part = kDeepest / kParts;
    double area = 0.0;
    for (int i = 0; i <= kParts; ++i) {
      const double weight = i == 0 || i == kParts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
      area += weight * part / 3.0 * force_at(part * i);
    }
    const double stored = World(model(kDeepest, 0.0), options).energies().contacts;
    EXPECT_GT(stored, 0.02);
    EXPECT_NEAR(stored, area, 1e-6 * area);
    for (const double d : {0.0, 0.7}) {
      options.h = 1e-3;
      World world(model(-1e-3, d), options);
      world.set_body_velocity("ball", stack<double>(Vec3(0, 3, 0), Vec3(0.4, 0, -0.3)));
      double most = 0.0;
      for (int i = 0; i < 60; ++i) {
        world.step();
        EXPECT_LE(world.energy_books().relative_error(), 1e-10);
        most = std::max(most, world.energy_books().after.contacts);
      }
      EXPECT_GT(most, 1e-3);
      options.h = 1e-7;
    }
  }
}

// The first step of a ball that slides, rolls and presses: damping -h f_d vn and energies from the motion alone.
TEST(EnergyBooks, HaveTheDampingOfEveryLawItself) {
  constexpr double h = 1e-4, mu = 0.5;  // s
  for (const Elasticity elasticity : kElasticities) {
    for (const Dissipation dissipation : kDissipations) {
      for (const LawRow& row : kLawRows) {
        if (row.family != LawFamily::compliant) continue;
        for (const double vz : {-0.3, -0.02, 0.02, 2.0}) {
          SCOPED_TRACE(testing::Message()
                       << row.name << ", elasticity " << static_cast<int>(elasticity) << ", dissipation "
                       << static_cast<int>(dissipation) << ", " << vz << " m/s");
          const bool takes = row.takes_elasticity(), is_similar = row.sliding_gap == SlidingGapTime::step;
          const ElasticBall ball{takes ? elasticity : Elasticity::linear};
          const double distance = is_barrier(ball.elasticity) ? 3e-4 : -1e-3;
          WorldOptions options = options_of("semi_implicit_euler", h);
          options.formulation.contact.law = row.kind;
          options.formulation.contact.elasticity = elasticity;
          options.formulation.contact.dissipation = dissipation;
          set_tolerance(1e-13, &options.formulation);
          World world(ball.model(distance, mu), options);
          Vec6 V = Vec6::Zero();
          V[1] = 3.0;
          V[3] = 0.4;
          V[5] = vz;
          world.set_body_velocity("ball", V);
          world.step();
          const EnergyBooks books = world.energy_books();
          EXPECT_LE(books.relative_error(), 1e-10);
          const Vec6 after = world.body_velocity("ball");
          const double vn = after[5];
          const Vec3 arm(0.0, 0.0, -(ElasticBall::kRadius + 0.5 * distance));
          const Vec3 vc = after.tail<3>() + Vec3(after.head<3>()).cross(arm);
          const double slip2 = vc.x() * vc.x() + vc.y() * vc.y();
          double z = vn, expected = 0.0;
          if (row.kind == LawKind::sap) {
            // n = h k (x - (h + tau) z), from what stopped the ball.
            const double m = 1000.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(ElasticBall::kRadius, 3);
            const double force = m * ((vn - vz) / h + kG);
            if (force < 1e-9) {
              EXPECT_NEAR(books.dissipated.contact_normal, h * ball.force(distance + h * vn) * vn, 1e-12);
              continue;
            }
            z = (-distance - force / ElasticBall::k) / (h + ElasticBall::tau);
            expected = h * ElasticBall::k * ElasticBall::tau * z * vn;
          } else {
            const double v_s = options.formulation.contact.v_s;
            if (is_similar) {
              // eps is larger where icf_similar_regularised has an impact: from what the law gives.
              const auto p = IcfParameters<double>::from(world.record().contact.problem.parameters_at(0));
              EXPECT_GE(p.eps, v_s);
              z = vn - mu * (std::hypot(std::sqrt(slip2), p.eps) - p.eps);
            }
            const double elastic = ball.force(distance + h * z);
            if (dissipation == Dissipation::hunt_crossley)
              expected = h * std::min(ElasticBall::d * z, 1.0) * elastic * vn;
            else if (dissipation == Dissipation::kelvin_voigt && ball.elasticity == Elasticity::linear)
              expected = h * std::min(ElasticBall::k * ElasticBall::tau * z, elastic) * vn;
          }
          EXPECT_NEAR(books.dissipated.contact_normal, expected, 1e-9 * std::abs(expected) + 1e-14);
          EXPECT_NEAR(books.after.contacts, ball.energy(distance + h * vn),
                      1e-9 * std::abs(books.after.contacts) + 1e-14);
        }
      }
    }
  }
}

TEST(EnergyBooks, CloseAlongABounceWithEveryElasticityAndDissipation) {
  for (const Elasticity elasticity : kElasticities) {
    for (const Dissipation dissipation : kDissipations) {
      for (const char* law : {"icf_lagged", "icf_similar"}) {
        SCOPED_TRACE(testing::Message() << law << ", elasticity " << static_cast<int>(elasticity)
                                        << ", dissipation " << static_cast<int>(dissipation));
        WorldOptions options = options_of("semi_implicit_euler", 1e-3);
        set_formulation(law, &options.formulation.contact);
        options.formulation.contact.elasticity = elasticity;
        options.formulation.contact.dissipation = dissipation;
        World world(ElasticBall{elasticity}.model(5e-3, 0.5), options);
        world.set_body_velocity("ball", stack<double>(Vec3(0, 3, 0), Vec3(0.4, 0, -0.2)));
        double stored = 0.0;
        for (int i = 0; i < 60; ++i) {
          world.step();
          const EnergyBooks books = world.energy_books();
          EXPECT_LE(books.relative_error(), 1e-10);
          stored = std::max(stored, books.after.contacts);
        }
        EXPECT_GT(stored, 1e-5);
      }
    }
  }
}

TEST(EnergyBooks, SayWhatABeltPutsIn) {
  // Friction mu m g on a box that slides on the belt, times the belt's speed.
  World world(make_scene("conveyor"), options_of("semi_implicit_euler", 1e-3));
  EnergyTotals totals;
  for (int i = 0; i < 200; ++i) {
    const double t = world.time();
    world.step();
    totals.add(world.energy_books(), t);
  }
  EXPECT_GT(totals.sum.work.belts, 0.0);
  EXPECT_LE(totals.largest_error, 1e-10);
  // What the belt put in is what the box has and what friction took.
  EXPECT_NEAR(totals.sum.work.belts,
              totals.sum.after.total() - totals.sum.before.total() + totals.sum.dissipated.total() +
                  totals.sum.numerical.total(),
              1e-9 * totals.sum.work.belts);
}

TEST(EnergyBooks, SayWhatAPusherPutsIn) {
  // A kinematic wall that pushes a box over a floor: the force times its speed.
  ModelBuilder builder("pusher");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_kinematic_body("wall", Pose{Mat3::Identity(), Vec3(-0.15, 0.0, 0.1)});
  builder.add_shape("wall", "wall", {}, Box{Vec3(0.05, 0.2, 0.09)});
  builder.add_free_body("box", Pose{Mat3::Identity(), Vec3(0.0, 0.0, 0.1)}, Inertia{});
  builder.add_solid("box", "box", {}, Box{Vec3(0.1, 0.1, 0.1)}, 500.0);
  for (const char* law : {"icf_lagged", "sap", "coulomb_ncp"}) {
    SCOPED_TRACE(law);
    WorldOptions options = options_of("semi_implicit_euler", 1e-3);
    set_formulation(law, &options.formulation.contact);
    World world(builder.build(), options);
    const double speed = 0.3;
    Vec6 V = Vec6::Zero();
    V[3] = speed;
    double pushed = 0.0, force = 0.0;
    for (int i = 0; i < 100; ++i) {
      world.set_kinematic_motion("wall", Pose{Mat3::Identity(), Vec3(-0.15 + speed * world.time(), 0.0, 0.1)},
                                 V);
      world.step();
      const EnergyBooks books = world.energy_books();
      EXPECT_LE(books.relative_error(), 1e-10);
      pushed += books.work.prescribed_motion;
      force += 1e-3 * world.contact_force("box", {.of_body = "wall"}).x();
    }
    EXPECT_GT(pushed, 0.1);
    EXPECT_NEAR(pushed, speed * force, 1e-9 * pushed);
  }
}

TEST(EnergyBooks, OfATreeOnAMovingBaseCloseToFirstOrder) {
  // A pendulum on a trolley that drives and climbs.
  ModelBuilder builder("trolley");
  builder.add_kinematic_body("trolley");
  builder.add_body("rod", "trolley", {}, {1.0, Vec3(0.2, 0.0, 0.0), 0.02 * Mat3::Identity()});
  builder.add_joint("rod", {.name = "hinge", .axis = Vec3::UnitY()});
  const Model model = builder.build();
  const auto missing = [&](double h) {
    World world(model, options_of("semi_implicit_euler", h));
    Vec6 V = Vec6::Zero();
    V[3] = 1.5;
    V[5] = 0.5;
    double sum = 0.0, work = 0.0;
    for (int i = 0; i < static_cast<int>(std::lround(0.5 / h)); ++i) {
      world.set_kinematic_motion("trolley", Pose{Mat3::Identity(), Vec3(1.5, 0.0, 0.5) * world.time()}, V);
      world.step();
      sum += world.energy_books().error();
      work += world.energy_books().work.prescribed_motion;
    }
    EXPECT_GT(std::abs(work), 0.5);
    return std::abs(sum);
  };
  EXPECT_NEAR(std::log2(missing(1.0 / 512) / missing(1.0 / 1024)), 1.0, 0.2);
}

}  // namespace
}  // namespace stiction
