// Robots of the shared folder, where it is present: they run, hold their pose, close their loops, grasp.

#include <cmath>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/shared_files.h"
#include "stiction/constraint/attached_frame.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/settle.h"
#include "stiction/simulation/world.h"
#include "test/base/fewer.h"

namespace stiction {
namespace {

World world_of(Model model) {
  WorldOptions options;
  options.h = model.elements.options.timestep;
  World world(std::move(model), options);
  if (!world.model().elements.keyframes.empty()) world.reset_to_keyframe("0");
  return world;
}

double weight(const World& world) {
  const Forest& forest = world.model().forest;
  double mass = 0.0;
  for (std::size_t b = 1; b < forest.bodies.size(); ++b) {
    if (forest.places[b].node >= 0) mass += forest.bodies[b].inertia.mass;
  }
  return mass * forest.gravity.norm();
}

// The largest distance (m) between the two ends of a loop closure.
double opened(const World& world) {
  const Forest& forest = world.model().forest;
  Kinematics kinematics(forest);
  set_prescribed(forest, {}, &kinematics);
  compute_positions(forest, world.state().q.data(), &kinematics);
  double most = 0.0;
  for (const Constraint& constraint : world.model().tables().constraints->constraints)
    if (const LoopClosure* closure = constraint.loop_closure())
      most = std::max(most, (point_of(kinematics, closure->a) - point_of(kinematics, closure->b)).norm());
  return most;
}

// Seconds that scenes run: more than here in `make soak`.
double run_time() {
  const char* seconds = std::getenv("STICTION_SCENE_SECONDS");
  return seconds != nullptr ? std::atof(seconds) : kSanitized ? 0.05 : 0.5;
}

class SharedScene : public testing::TestWithParam<const char*> {};

TEST_P(SharedScene, RunsFromItsFirstKeyframe) {
  const std::string name = std::string("models/") + GetParam();
  const auto file = shared_file(name);
  if (!file) GTEST_SKIP() << missing_shared_file(name);
  World world = world_of(load_model_file(*file));
  const double start = world.time();
  int unconverged = 0;
  while (world.time() < start + run_time()) unconverged += world.step().status != StepStatus::done;
  EXPECT_TRUE(world.state().q.allFinite() && world.state().v.allFinite());
  EXPECT_EQ(unconverged, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, SharedScene,
    testing::Values("franka_emika_panda/scene.xml", "franka_emika_panda/mjx_single_cube.xml",
                    "kuka_iiwa_14/scene.xml", "kinova_gen3/scene.xml", "robotiq_2f85/scene.xml",
                    "wonik_allegro/scene_left.xml", "wonik_allegro/scene_right.xml",
                    "shadow_hand/scene_left.xml", "shadow_hand/scene_right.xml",
                    "google_barkour_vb/scene.xml", "agility_cassie/scene.xml", "pal_talos/scene_position.xml",
                    "pal_talos/scene_motor.xml", "mujoco/humanoid/humanoid.xml",
                    "mujoco/humanoid/22_humanoids.xml", "mujoco/car/car.xml", "mujoco/cards/cards.xml",
                    "mujoco/replicate/bowl.xml", "mujoco/replicate/helix.xml",
                    "mujoco/replicate/stonehenge.xml", "mujoco/replicate/tendon.xml",
                    "mujoco/replicate/particle_free.xml", "mujoco/replicate/newton_cradle.xml",
                    "mujoco/replicate/leaves.xml", "mujoco/replicate/cylinder.xml",
                    "mujoco/replicate/particle_free2d.xml", "mujoco/replicate/bunnies.xml",
                    "mujoco/humanoid/humanoid100.xml", "anybotics_anymal_c/scene.xml",
                    "unitree_go1/scene.xml", "google_robot/scene.xml", "shadow_dexee/scene.xml"),
    [](const auto& parameter) {
      std::string name = parameter.param;
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      return name;
    });

TEST(SharedArm, RestsOffItsKeyframeByWhatItsGainsSay) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  // kp (control - q) = what gravity asks for at q, joint by joint.
  for (const char* arm :
       {"franka_emika_panda/panda.xml", "kuka_iiwa_14/iiwa14.xml", "kinova_gen3/gen3.xml"}) {
    SCOPED_TRACE(arm);
    const auto file = shared_file(std::string("models/") + arm);
    if (!file) GTEST_SKIP() << missing_shared_file(std::string("models/") + arm);
    World world = world_of(load_model_file(*file));
    world.simulate(4.0);
    const Model& model = world.model();
    for (std::size_t i = 0; i < model.elements.actuators.size(); ++i) {
      const Actuator& servo = model.elements.actuators[i];
      if (servo.transmission != TransmissionKind::joint) continue;
      const int dof = model.forest.joints[model.joint(servo.target)].v_begin;
      const double load = world.record().bias[dof] - world.record().passive[dof],
                   kp = -servo.bias_parameters[1];
      const double off =
          servo.gain_parameters[0] / kp * world.input().controls[static_cast<Eigen::Index>(i)] -
          world.position(servo.target);
      EXPECT_NEAR(off, load / kp, 1e-5 + 1e-3 * std::abs(load / kp)) << servo.target;
      EXPECT_LT(std::abs(off), 0.05) << servo.target;
    }
  }
}

TEST(Cassie, ClosesItsLoopsAndCarriesItsWeight) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  const auto file = shared_file("models/agility_cassie/scene.xml");
  if (!file) GTEST_SKIP() << missing_shared_file("models/agility_cassie/scene.xml");
  World world = world_of(load_model_file(*file));
  world.simulate(6.0);
  EXPECT_LT(world.state().v.cwiseAbs().maxCoeff(), 1e-2);
  EXPECT_LT(opened(world), 1e-6);
  EXPECT_NEAR(static_contact_force(world.model(), world.record()).z(), weight(world), 0.01 * weight(world));
}

TEST(SharedRobot, ThatStandsCarriesItsWeight) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  for (const char* robot : {"google_barkour_vb/scene.xml", "pal_talos/scene_position.xml"}) {
    SCOPED_TRACE(robot);
    const auto file = shared_file(std::string("models/") + robot);
    if (!file) GTEST_SKIP() << missing_shared_file(std::string("models/") + robot);
    World world = world_of(load_model_file(*file));
    world.simulate(4.0);
    EXPECT_NEAR(static_contact_force(world.model(), world.record()).z(), weight(world), 0.01 * weight(world));
  }
}

struct Stance {
  const char* scene;
  const char* base;
  double height;  // m, of MuJoCo 4.0 after 5 s
};

// ANYmal starts 10.5 mm in the floor: a foot that lost friction there would let it do the splits (0.344 m).
TEST(SharedRobot, StandsAsHighAsInMuJoCo) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  for (const Stance& stance : {Stance{"anybotics_anymal_c/scene.xml", "base", 0.6101},
                               Stance{"unitree_go1/scene.xml", "trunk", 0.2649}}) {
    SCOPED_TRACE(stance.scene);
    const auto file = shared_file(std::string("models/") + stance.scene);
    if (!file) GTEST_SKIP() << missing_shared_file(std::string("models/") + stance.scene);
    World world = world_of(load_model_file(*file));
    // MuJoCo's sinks by 1 mm in 4 s, of creeping friction.
    world.simulate(std::max(run_time(), 2.0));
    EXPECT_NEAR(world.body_pose(stance.base).p.z(), stance.height, 0.02 * stance.height);
    EXPECT_GT(world.body_pose(stance.base).R(2, 2), 0.999);
  }
}

// The fingers start 8 mm in each other. Their springs of 7,000 N/m carry what the controllers press with, at
// points whose weights sum to 1/2 at least where faces or edges meet.
TEST(ShadowDexee, FingersRestOnEachOther) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  const auto file = shared_file("models/shadow_dexee/scene.xml");
  if (!file) GTEST_SKIP() << missing_shared_file("models/shadow_dexee/scene.xml");
  World world = world_of(load_model_file(*file));
  world.simulate(2.0);
  EXPECT_LT(world.state().v.cwiseAbs().maxCoeff(), 0.01);
  const auto forces = contact_forces(world.record());
  int touching = 0;
  for (const ContactForce& deepest : forces) {
    Vec3 total = Vec3::Zero();
    for (const ContactForce& other : forces)
      if (other.shape_A == deepest.shape_A && other.shape_B == deepest.shape_B) total += other.force;
    if (!(deepest.distance < 0.0)) continue;
    ++touching;
    EXPECT_LT(-deepest.distance, std::abs(total.dot(deepest.n)) / (0.5 * 7000.0) + 1e-5);
    EXPECT_LT(-deepest.distance, 1e-3);
  }
  EXPECT_GT(touching, 0);
}

TEST(Panda, ClosesOnACubeAndHoldsIt) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  const auto file = shared_file("models/franka_emika_panda/panda.xml");
  if (!file) GTEST_SKIP() << missing_shared_file("models/franka_emika_panda/panda.xml");
  constexpr double kMass = 0.1, kSide = 0.04, kPad = 0.1034;  // kg, m; from the hand's frame to the pads
  const Model panda = load_model_file(*file);
  const VecX home = panda.elements.keyframes.at(0).q;
  World arm = world_of(panda);
  const Pose X_WC = arm.body_pose("hand") * translation(0, 0, kPad);
  ModelBuilder builder;
  builder.attach(panda, "world", {}, "");
  builder.add_free_body("cube", X_WC, Inertia{});
  builder.add_solid("cube", "cube", {}, Box{Vec3::Constant(kSide / 2)}, kMass / (kSide * kSide * kSide));
  World world(builder.build());
  State state = world.state();
  state.q.head(home.size()) = home;
  world.set_state(state);
  // Held in the air until the fingers have closed.
  world.input().controls = arm.input().controls;
  world.set_control("actuator8", 0.0);
  world.lock_joint("cube");
  world.simulate(1.0);
  world.unlock_joint("cube");
  world.simulate(1.0);
  const double z = world.body_pose("cube").p.z();
  world.simulate(1.0);
  EXPECT_NEAR(world.body_pose("cube").p.z(), z, 1e-3);  // creep of regularised friction
  EXPECT_NEAR(world.contact_force("cube").z(), kMass * 9.81, 0.01 * kMass * 9.81);
  EXPECT_GT(world.contact_force("cube", {.of_body = "left_finger"}).norm(), 1.0);
}

// Every joint with limits a tenth outside, without gravity, actuators and contacts: the largest violation over tau
// bounds the speeds, but for what joints without limits take from the others.
TEST(SharedRobots, AreNotFiredOffByTheirLimits) {
  for (const char* name :
       {"anybotics_anymal_c/scene.xml", "unitree_go1/scene.xml", "google_robot/scene.xml"}) {
    SCOPED_TRACE(name);
    const auto file = shared_file(std::string("models/") + name);
    if (!file) GTEST_SKIP() << missing_shared_file(std::string("models/") + name);
    Model model = load_model_file(*file);
    model.forest.gravity = Vec3::Zero();
    model.elements.options.disabled.push_back("actuation");
    WorldOptions options;
    options.h = model.elements.options.timestep;
    options.formulation.finds_contacts = false;
    World world(model, options);
    State state = world.state();
    double largest = 0.0;
    for (const JointIndices& joint : model.forest.joints) {
      const Joint& one = model.forest.bodies[joint.body].joints[joint.index_in_body];
      if (!one.limited || joint.num_q != 1) continue;
      state.q[joint.q_begin] = one.upper[0] + 0.1 * std::min(1.0, one.upper[0] - one.lower[0]);
      largest = std::max(largest, 0.1 * std::min(1.0, one.upper[0] - one.lower[0]));
    }
    world.set_state(state);
    world.step();
    EXPECT_LT(world.state().v.cwiseAbs().maxCoeff(), 1.05 * largest / kDefaultRelaxationTime + 0.5);
  }
}

TEST(SharedRobots, SettlingLiftsAnymalOutOfTheFloor) {
  const auto file = shared_file("models/anybotics_anymal_c/scene.xml");
  if (!file) GTEST_SKIP() << missing_shared_file("models/anybotics_anymal_c/scene.xml");
  World world(load_model_file(*file));
  const VecX posture = world.state().q.tail(12);
  const double height = world.body_pose("base").p.z();
  const SettleReport report = settle(&world);
  EXPECT_TRUE(report.settled()) << report.text();
  EXPECT_NEAR(world.body_pose("base").p.z() - height, report.overlap_before, 1e-3);
  EXPECT_LT((world.state().q.tail(12) - posture).cwiseAbs().maxCoeff(), 0.01);
}

}  // namespace
}  // namespace stiction
