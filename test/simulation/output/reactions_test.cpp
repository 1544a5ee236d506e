#include "stiction/simulation/output/reactions.h"

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/output/row_forces.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"
#include "test/multibody/joint_reactions.h"
#include "test/multibody/random_state.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

TEST(Reactions, OfAHangingChainAreTheWeightOfAllThatHangsBelow) {
  // Links of 1 to 6 kg; every other one is fixed to the one above it.
  ModelBuilder builder("chain");
  std::string above = "world";
  for (int i = 1; i <= 6; ++i) {
    const std::string link = "link" + std::to_string(i);
    builder.add_body(link, above, translation(0, 0, -0.3), point_mass(i, Vec3(0, 0, -0.1)));
    if (i % 2 == 1) {
      Joint hinge;
      hinge.name = link;
      hinge.axis = i % 4 == 1 ? Vec3::UnitX() : Vec3::UnitY();
      builder.add_joint(link, hinge);
    }
    above = link;
  }
  const Model model = builder.build();
  Kinematics kinematics(model.forest);
  const VecX rest = VecX::Zero(model.num_v());
  compute_positions(model.forest, model.q0.data(), &kinematics);
  compute_velocities(model.forest, rest.data(), &kinematics);
  Reactions reactions(model.forest);
  compute_reactions(model.forest, kinematics, rest.data(), {}, &reactions);
  for (int i = 1; i <= 6; ++i) {
    double below = 0.0;
    for (int k = i; k <= 6; ++k) below += k;
    const Vec6& reaction = reactions.of_bodies[model.body("link" + std::to_string(i))];
    EXPECT_LT((reaction - stack<double>(Vec3::Zero(), Vec3(0, 0, below * kGravity))).norm(), 1e-12 * below)
        << i;
  }
}

TEST(Reactions, AgreeWithThePlainSumInAnyMotion) {
  for (const char* scene : {"all_joints_free", "humanoid", "free_bodies_and_arms"}) {
    const Model model = make_scene(scene);
    Random random(5);
    Kinematics kinematics(model.forest);
    const VecX q = random_positions(model.forest, &random), v = random_vector(model.num_v(), 1.0, &random),
               vdot = random_vector(model.num_v(), 1.0, &random);
    compute_positions(model.forest, q.data(), &kinematics);
    compute_velocities(model.forest, v.data(), &kinematics);
    std::vector<BodyWrench> wrenches;
    for (int b = 0; b < static_cast<int>(model.forest.bodies.size()); b += 2)
      wrenches.push_back({b, Vec3(0.1 * b, 0.2, 0.3), Vec6(random_vector(6, 10.0, &random))});
    std::vector<Vec6> plain;
    joint_reactions(model.forest, kinematics, vdot.data(), wrenches, &plain);
    Reactions reactions(model.forest);
    compute_reactions(model.forest, kinematics, vdot.data(), wrenches, &reactions);
    // Sums of tens of terms that are at most 1e3 in size.
    for (std::size_t b = 0; b < plain.size(); ++b)
      EXPECT_LT((reactions.of_bodies[b] - plain[b]).norm(), 1e-10 * (1.0 + plain[b].norm()))
          << scene << " " << b;
  }
}

TEST(Reactions, OfAFixedBodyOnATurntableAreCentripetal) {
  // 2 kg at 0.5 m on a plate that turns at 3 rad/s.
  ModelBuilder builder("turntable");
  builder.add_body("plate", "world", {}, solid_cylinder(1.0, 0.6, 0.02));
  builder.add_joint("plate", {.name = "spindle", .axis = Vec3::UnitZ()});
  builder.add_body("cup", "plate", translation(0.5, 0, 0), point_mass(2.0));
  builder.set_initial_velocity("spindle", {3.0});
  World world(builder.build());
  world.step();
  const Vec3 force = world.reaction("cup").tail<3>();
  // In the position at the start of the step: on the x axis.
  EXPECT_NEAR(force.x(), -2.0 * 3.0 * 3.0 * 0.5, 1e-12);
  EXPECT_NEAR(force.y(), 0.0, 1e-12);
  EXPECT_NEAR(force.z(), 2.0 * kGravity, 1e-12);
}

TEST(Reactions, AlongAJointsAxisAreTheForceInTheJoint) {
  WorldOptions options;
  options.formulation.finds_contacts = false;
  World world(make_scene("arm"), options);
  const Forest& forest = world.model().forest;
  for (std::size_t j = 0; j < forest.joints.size(); ++j)
    if (forest.joints[j].num_v == 1)
      world.set_joint_force(forest.joint(static_cast<int>(j)).name, 0.3 + 0.1 * double(j));
  // Joints at their limits are solved for, as exactly as doubles allow.
  world.options().formulation.newton.relative_tolerance = 1e-13;
  world.step();
  const VecX v0 = VecX::Zero(world.model().num_v());
  const StepRecord& r = world.record();
  VecX of_limits;
  row_joint_forces(r, &of_limits);
  for (std::size_t j = 0; j < forest.joints.size(); ++j) {
    const JointIndices& place = forest.joints[j];
    const Joint& joint = forest.joint(static_cast<int>(j));
    if (joint.type != JointType::revolute) continue;
    const Pose X = body_pose(forest, r.kinematics, place.body);
    const Vec6 R = world.reaction(forest.bodies[place.body].name);
    const Vec3 moment = R.head<3>() - (X.R * joint.p_BJ).cross(R.tail<3>());
    const int d = place.v_begin;
    const double vdot = (r.v_next[d] - v0[d]) / r.h;
    const double in_joint =
        r.joint_forces[d] + of_limits[d] - joint.damping[0] * r.v_next[d] - joint.armature[0] * vdot;
    // The scheme solves for v_next to round-off of the mass matrix, over h = 2 ms.
    EXPECT_NEAR(moment.dot(X.R * joint.axis), in_joint, 1e-9) << joint.name;
  }
}

TEST(Reactions, OfATableAreItsOwnWeightAndThatOfWhatLiesOnIt) {
  ModelBuilder builder("table");
  builder.add_body("leg", "world", translation(0, 0, 0.5), solid_box(3.0, Vec3(0.05, 0.05, 0.2)));
  builder.add_body("top", "leg", translation(0, 0, 0.3), solid_box(4.0, Vec3(0.3, 0.3, 0.02)));
  builder.add_shape("top", "top", {}, Box{Vec3(0.3, 0.3, 0.02)});
  builder.add_free_body("box", translation(0.1, 0, 0.87), solid_box(1.5, Vec3::Constant(0.05)));
  builder.add_shape("box", "box", {}, Box{Vec3::Constant(0.05)});
  World world(builder.build());
  world.simulate(1.0);
  // The solver's tolerance of 1e-6, times a few, is left after a second of rest.
  EXPECT_NEAR(world.reaction("top")[5], (4.0 + 1.5) * kGravity, 1e-3);
  EXPECT_NEAR(world.reaction("leg")[5], (3.0 + 4.0 + 1.5) * kGravity, 1e-3);
  // The box leans on the table at x = 0.1 m.
  EXPECT_NEAR(world.reaction("top")[1], -0.1 * 1.5 * kGravity, 1e-3);
}

TEST(Reactions, OfABarOnTwoSupportsAreHalfItsWeightEach) {
  // Hinged at its left end; the right end is closed to the world by a constraint.
  World world(
      parse_mjcf("<mujoco><worldbody><body name='bar'><joint name='j' axis='0 1 0'/>"
                 "<geom type='capsule' size='0.01' fromto='0 0 0 1 0 0' mass='3'/></body></worldbody>"
                 "<equality><connect body1='bar' anchor='1 0 0'/></equality></mujoco>"));
  world.options().formulation.newton.relative_tolerance = 1e-12;
  world.simulate(0.5);
  const Vec6 reaction = world.reaction("bar");
  // The solver's tolerance of 1e-6 of the forces, times a few.
  EXPECT_NEAR(reaction[5], 1.5 * kGravity, 1e-4);
  EXPECT_NEAR(reaction[1], 0.0, 1e-4);
}

TEST(Reactions, OfAGuideAreNothingWhereARopeCarriesTheWeight) {
  World world(parse_mjcf(
      "<mujoco><worldbody><site name='hook' pos='0 0 1'/><body name='load'>"
      "<joint name='guide' type='slide' axis='0 0 1'/><geom size='0.1' mass='3'/>"
      "<site name='eye' pos='0 0 0.1'/></body></worldbody><tendon><spatial name='rope' limited='true' "
      "range='0 0.9'><site site='hook'/><site site='eye'/></spatial></tendon>"
      "<sensor><tendonlimitfrc name='pull' tendon='rope'/></sensor></mujoco>"));
  world.simulate(0.5);
  EXPECT_NEAR(world.sensor("pull")[0], 3.0 * kGravity, 1e-4);
  EXPECT_NEAR(world.reaction("load")[5], 0.0, 1e-4);
}

TEST(Reactions, WrenchesOfATendonActOnTheJointsAsItsRow) {
  // Around a drum on one body to a site on the next, through a pulley.
  const Model model = parse_mjcf(
      "<mujoco><worldbody><site name='a' pos='0.3 0 1'/><body pos='0 0 0.5'><joint axis='0 1 0'/><joint "
      "axis='1 0 0'/>"
      "<geom name='drum' type='cylinder' size='0.1 0.2' euler='90 0 0'/><site name='b' pos='-0.2 0.1 0'/>"
      "<body pos='0.1 0 -0.5'><joint type='ball'/><geom size='0.1'/><site name='c' pos='0.3 0.02 "
      "0'/></body></body>"
      "</worldbody><tendon><spatial><site site='a'/><geom geom='drum'/><site site='c'/><pulley divisor='2'/>"
      "<site site='a'/><site site='b'/></spatial></tendon></mujoco>");
  const ActuationModel actuation(model);
  TransmissionState state(actuation.transmissions);
  Kinematics kinematics(model.forest);
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const VecX q = random_positions(model.forest, &random);
    compute_positions(model.forest, q.data(), &kinematics);
    actuation.transmissions.compute(kinematics, q.data(), &state);
    const double force = 7.0;
    std::vector<BodyWrench> wrenches;
    actuation.transmissions.add_tendon_wrenches(kinematics, &force, &wrenches);
    VecX tau = VecX::Zero(model.num_v());
    for (const BodyWrench& w : wrenches)
      add_wrench(model.forest, kinematics, w.body, w.p_W, w.wrench, tau.data());
    EXPECT_LT((tau - force * state.tendon_rows.dense(0, model.num_v())).norm(), 1e-13 * force) << i;
  }
}

TEST(Reactions, AllocateNothing) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world(make_scene("humanoid"));
  world.step();
  world.reaction("pelvis");
  const AllocationCounter counter;
  world.reaction("pelvis");
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
