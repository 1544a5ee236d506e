// The theta method of S eqs. 6 to 17 where every force depends on the motion: muscles, servos, a PID
// controller, tendons, a bushing, gravity compensation and a fluid.

#include "stiction/simulation/scheme/theta_method.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// A two-link arm in water: a spatial tendon with a spring, damper and a muscle on it, a servo, a velocity servo with
// a first-order filter, a PID controller, and a second arm that a bushing ties to the first.
const char* const kArm = R"(
<mujoco model="muscle_arm">
  <compiler angle="radian"/>
  <option density="1000" viscosity="0.1" gravity="0 0 -9.81"/>
  <extension><plugin plugin="mujoco.pid"/></extension>
  <worldbody>
    <site name="anchor" pos="0.1 0 0.15"/>
    <body name="upper" pos="0 0 0">
      <joint name="shoulder" type="hinge" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" density="2000" contype="0" conaffinity="0"/>
      <site name="on_upper" pos="0.2 0 0.05"/>
      <body name="lower" pos="0.3 0 0" gravcomp="0.4">
        <joint name="elbow" type="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.02" density="2000" fluidshape="ellipsoid"
              contype="0" conaffinity="0"/>
        <site name="on_lower" pos="0.1 0 0.04"/>
        <site name="hand" pos="0.25 0 0"/>
      </body>
    </body>
    <body name="other" pos="0.3 0.2 -0.2">
      <joint name="other" type="ball" pos="-0.2 0 0"/>
      <geom type="box" size="0.1 0.02 0.03" density="3000" contype="0" conaffinity="0"/>
      <site name="grip" pos="0.1 0 0"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="biceps" stiffness="60" damping="2" springlength="0.1">
      <site site="anchor"/><site site="on_upper"/><site site="on_lower"/>
    </spatial>
  </tendon>
  <actuator>
    <muscle name="muscle" tendon="biceps" force="30" lengthrange="0.1 0.6"/>
    <position name="servo" joint="elbow" kp="8" kv="0.3"/>
    <general name="slow" joint="shoulder" dyntype="filter" dynprm="0.1" gainprm="2" biastype="affine"
             biasprm="0 0 -0.2"/>
    <plugin name="pid" plugin="mujoco.pid" joint="shoulder">
      <config key="kp" value="10"/><config key="ki" value="40"/><config key="kd" value="0.5"/>
      <config key="slewmax" value="2"/>
    </plugin>
  </actuator>
</mujoco>)";

Model muscle_arm() {
  Model model = parse_model(kArm, "muscle_arm.xml");
  Bushing bushing;
  bushing.name = "bushing";
  bushing.frame1 = "hand";
  bushing.frame2 = "grip";
  bushing.stiffness = Vec3(40.0, 60.0, 80.0);
  bushing.damping = Vec3(0.5, 0.5, 0.5);
  bushing.turn_stiffness = Vec3(1.0, 2.0, 0.5);
  bushing.turn_damping = Vec3(0.02, 0.02, 0.02);
  model.elements.bushings.push_back(bushing);
  return model;
}

World arm_world(const std::string& scheme, double h) {
  WorldOptions options;
  options.h = h;
  options.formulation.scheme = &find_scheme(scheme);
  World world(muscle_arm(), options);
  world.set_control("muscle", 0.6);
  world.set_control("servo", 0.8);
  world.set_control("slow", 0.5);
  world.set_control("pid", 0.2);
  world.set_velocity("shoulder", 0.5);
  return world;
}

VecX end_of(const std::string& scheme, double h) {
  World world = arm_world(scheme, h);
  // The set point of the PID controller moves at its largest rate from a quarter of the time on to the end.
  for (int i = 0; i < static_cast<int>(std::lround(0.25 / h)); ++i) {
    if (i == static_cast<int>(std::lround(0.0625 / h))) world.set_control("pid", 0.9);
    world.step();
  }
  VecX all(world.state().q.size() + world.state().v.size() + world.state().activations.size());
  all << world.state().q, world.state().v, world.state().activations;
  return all;
}

double order_of(const std::string& scheme) {
  const VecX exact = end_of("midpoint", 1.0 / 8192);
  const double coarse = (end_of(scheme, 1.0 / 256) - exact).norm(),
               fine = (end_of(scheme, 1.0 / 512) - exact).norm();
  std::printf("[ order    ] %-28s %-20s errors %.3e %.3e slope %.3f\n", "arm with muscles in water",
              scheme.c_str(), coarse, fine, std::log2(coarse / fine));
  return std::log2(coarse / fine);
}

TEST(ThetaMethod, IsOfSecondOrderAtTheMidpointForARobotWithMusclesTendonsAndABushingInAFluid) {
  EXPECT_NEAR(order_of("midpoint"), 2.0, 0.15);
}

TEST(ThetaMethod, IsOfFirstOrderForOtherPairs) {
  for (const char* scheme : {"implicit_euler", "theta:0.75,0.5", "theta:0.5,1", "theta:0,0.5"})
    EXPECT_NEAR(order_of(scheme), 1.0, 0.2) << scheme;
}

TEST(ThetaMethod, HasBooksThatCloseForThatRobot) {
  for (const char* scheme : {"midpoint", "implicit_euler", "theta:0.75,0.5", "symplectic_euler",
                             "explicit_euler", "semi_implicit_euler"}) {
    World world = arm_world(scheme, 1.0 / 512);
    EnergyTotals totals;
    for (int i = 0; i < 50; ++i) {
      const double t = world.time();
      world.step();
      totals.add(world.energy_books(), t);
    }
    EXPECT_LT(totals.largest_error, 1e-10) << scheme;
    EXPECT_NE(totals.sum.work.fluid, 0.0);
    EXPECT_NE(totals.sum.work.gravity_compensation, 0.0);
    EXPECT_NE(totals.sum.after.tendons, 0.0);
    EXPECT_NE(totals.sum.after.bushings, 0.0);
  }
}

TEST(Schemes, CanHaveAnyPairOfSEquation6) {
  const Scheme& scheme = find_scheme("theta:0.75,0.5");
  EXPECT_STREQ(scheme.name(), "theta:0.75,0.5");
  EXPECT_EQ(scheme.theta().theta, 0.75);
  EXPECT_EQ(scheme.theta().theta_vq, 0.5);
  EXPECT_EQ(&find_scheme(scheme.name()), &scheme);
  EXPECT_EQ(&find_scheme("theta:0.5,0.5"), &find_scheme("midpoint"));
  EXPECT_EQ(&find_scheme("theta:1,1"), &find_scheme("implicit_euler"));
  EXPECT_EQ(&find_scheme("theta:0,1"), &find_scheme("symplectic_euler"));
  EXPECT_EQ(&find_scheme("theta:0,0"), &find_scheme("explicit_euler"));
  for (const char* bad : {"theta:", "theta:0.5", "theta:0.5,", "theta:0.5,0.5,1", "theta:a,1", "theta:1.5,1",
                          "theta:0.5,-0.1", "theta:nan,1"})
    EXPECT_THROW(find_scheme(bad), UserError) << bad;
}

TEST(Schemes, WithAPairScaleAreasOfThePhasePlaneAsTheirFormulaSays) {
  // q1 = q0 + h v^vq, v1 = v0 - h w^2 (q0 + theta h v^vq), so that areas of the phase plane grow in a step by
  //   (1 + h^2 w^2 (1 - theta) (1 - theta_vq)) / (1 + h^2 w^2 theta theta_vq).
  const double m = 1.5, k = 40.0, h = 0.02;
  for (const auto& [theta, theta_vq] : {std::pair(0.75, 0.5), std::pair(0.5, 1.0), std::pair(0.3, 0.2)}) {
    ModelBuilder builder("oscillator");
    builder.set_gravity(Vec3::Zero());
    builder.add_body("mass", "world", {}, {m, Vec3::Zero(), Mat3::Identity()});
    Joint joint;
    joint.name = "slide";
    joint.type = JointType::prismatic;
    joint.stiffness[0] = k;
    builder.add_joint("mass", joint);
    WorldOptions options;
    options.h = h;
    options.formulation.scheme = &theta_scheme(theta, theta_vq);
    // The map of one step on (1, 0) and (0, 1).
    double map[2][2];
    const Model model = builder.build();
    for (int i : {0, 1}) {
      World world(model, options);
      world.set_position("slide", i == 0 ? 1.0 : 0.0);
      world.set_velocity("slide", i == 0 ? 0.0 : 1.0);
      world.step();
      map[0][i] = world.position("slide");
      map[1][i] = world.velocity("slide");
    }
    const double s = h * h * k / m;
    EXPECT_NEAR(map[0][0] * map[1][1] - map[0][1] * map[1][0],
                (1.0 + s * (1.0 - theta) * (1.0 - theta_vq)) / (1.0 + s * theta * theta_vq), 1e-12);
  }
}

}  // namespace
}  // namespace stiction
