#include "stiction/simulation/output/sensors.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

// Bodies, sensors and what stands between them.
Model model_of(const std::string& bodies, const std::string& sensors, const std::string& rest = "") {
  return parse_mjcf("<mujoco><worldbody>" + bodies + "</worldbody>" + rest + "<sensor>" + sensors +
                    "</sensor></mujoco>");
}

double number(const World& world, std::string_view sensor) {
  const std::span<const double> values = world.sensor(sensor);
  EXPECT_EQ(values.size(), 1u);
  return values[0];
}

Vec3 vector(const World& world, std::string_view sensor) {
  const std::span<const double> values = world.sensor(sensor);
  EXPECT_EQ(values.size(), 3u);
  return Vec3(values[0], values[1], values[2]);
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LT((a - b).norm(), tolerance) << a;
}

TEST(Accelerometer, AtRestReadsGravityUpwardsInItsOwnAxes) {
  // Turned by 90 degrees about y: its x axis points down.
  World world(model_of("<body><geom size='0.1'/><site name='s' euler='0 90 0'/></body>",
                       "<accelerometer name='a' site='s'/>"));
  expect_near(vector(world, "a"), Vec3(-kGravity, 0, 0), 1e-12);
  world.step();
  expect_near(vector(world, "a"), Vec3(-kGravity, 0, 0), 1e-12);
}

TEST(Accelerometer, InFreeFallReadsNothing) {
  World world(
      model_of("<body pos='0 0 5'><freejoint/><geom size='0.1'/><site name='s' pos='0.05 0 0'/></body>",
               "<accelerometer name='a' site='s'/>"));
  world.simulate(0.1);
  // Velocities of 1 m/s to round-off, over h = 2 ms.
  expect_near(vector(world, "a"), Vec3::Zero(), 1e-12);
}

TEST(Accelerometer, OnATurntableReadsTheCentripetalAcceleration) {
  World world(model_of(
      "<body><joint name='j'/><geom type='cylinder' size='1 0.1'/><site name='s' pos='0.4 0 0'/></body>",
      "<accelerometer name='a' site='s'/><gyro name='g' site='s'/><velocimeter name='v' site='s'/>"));
  world.set_velocity("j", 3.0);
  world.step();
  expect_near(vector(world, "a"), Vec3(-3.0 * 3.0 * 0.4, 0, kGravity), 1e-9);
  expect_near(vector(world, "g"), Vec3(0, 0, 3.0), 1e-12);
  expect_near(vector(world, "v"), Vec3(0, 3.0 * 0.4, 0), 1e-12);
}

TEST(ForceSensor, AboveAHangingMassReadsItsWeightAlsoAcrossAFixedJoint) {
  // 1 kg on a hinge, 2 kg fixed to it; the sensor's axes are turned about x by 90 degrees.
  World world(model_of(
      "<body><joint axis='0 1 0'/><geom size='0.1' pos='0 0 -0.5' mass='1'/><site name='upper'/>"
      "<body pos='0 0 -1'><geom size='0.1' mass='2'/><site name='lower' euler='90 0 0'/></body></body>",
      "<force name='all' site='upper'/><force name='below' site='lower'/>"));
  world.step();
  expect_near(vector(world, "all"), Vec3(0, 0, 3.0 * kGravity), 1e-9);
  expect_near(vector(world, "below"), Vec3(0, 2.0 * kGravity, 0), 1e-9);
}

TEST(TorqueSensor, AtTheRootOfABeamReadsWeightTimesLever) {
  World world(
      model_of("<body><geom size='0.1' pos='0.7 0 0' mass='2'/><site name='root'/><site name='mid' pos='0.3 "
               "0 0'/></body>",
               "<torque name='root' site='root'/><torque name='mid' site='mid'/>"));
  world.step();
  // The beam is held against its weight, which turns it about +y.
  expect_near(vector(world, "root"), Vec3(0, -0.7 * 2.0 * kGravity, 0), 1e-9);
  expect_near(vector(world, "mid"), Vec3(0, -0.4 * 2.0 * kGravity, 0), 1e-9);
}

TEST(Rangefinder, ReadsTheDistanceToTheNearestSurfaceAlongItsAxis) {
  // Two walls in front of a sensor that looks along x; their faces are at 1.9 and 3.9 m.
  const std::string walls =
      "<geom type='box' size='0.1 1 1' pos='2 0 0'/><geom type='box' size='0.1 1 1' pos='4 0 0'/>";
  World world(model_of(
      walls + "<body><geom size='0.3'/><joint name='j' axis='0 0 1'/><site name='s' euler='0 90 0'/></body>",
      "<rangefinder name='r' site='s'/>"));
  EXPECT_NEAR(number(world, "r"), 1.9, 1e-12);
  // Turned by 20 degrees it still meets the near wall; turned by 90 nothing.
  world.set_position("j", std::numbers::pi / 9.0);
  EXPECT_NEAR(number(world, "r"), 1.9 / std::cos(std::numbers::pi / 9.0), 1e-12);
  world.set_position("j", std::numbers::pi / 2.0);
  EXPECT_EQ(number(world, "r"), -1.0);
}

TEST(Rangefinder, InsideASolidReadsTheWayOut) {
  World world(model_of("<geom type='sphere' size='1'/><body pos='0.2 0 0'><site name='s'/></body>",
                       "<rangefinder name='r' site='s'/>"));
  EXPECT_NEAR(number(world, "r"), std::sqrt(1.0 - 0.04), 1e-12);
}

TEST(SubtreeSensors, OfAPairThatSpinsReadItsCentreItsVelocityAndItsMomentum) {
  // Two point-like balls of 2 kg, 0.6 m apart on a bar without mass, on a cart that rolls along x at 1.5 m/s.
  World world(
      model_of("<body name='cart'><joint name='roll' type='slide' axis='1 0 0'/><joint name='spin'/>"
               "<geom size='0.1' pos='0.3 0 0' mass='2'/><geom size='0.1' pos='-0.3 0 0' mass='2'/></body>",
               "<subtreecom name='c' body='cart'/><subtreelinvel name='v' body='cart'/>"
               "<subtreeangmom name='L' body='cart'/>"));
  world.set_velocity("roll", 1.5);
  world.set_velocity("spin", 4.0);
  const double own = 0.4 * 2.0 * 0.1 * 0.1;  // of a ball about its centre
  expect_near(vector(world, "c"), Vec3::Zero(), 1e-12);
  expect_near(vector(world, "v"), Vec3(1.5, 0, 0), 1e-12);
  expect_near(vector(world, "L"), Vec3(0, 0, 2.0 * (own + 2.0 * 0.09) * 4.0), 1e-12);
}

TEST(Touch, UnderABoxAtRestReadsItsWeight) {
  World world(model_of(
      "<geom type='plane' size='1 1 1'/><body name='b' pos='0 0 0.1'><freejoint/>"
      "<geom type='box' size='0.1 0.1 0.1' mass='2'/><site name='sole' type='box' size='0.11 0.11 0.02' "
      "pos='0 0 -0.1'/>"
      "<site name='half' type='box' size='0.06 0.11 0.02' pos='0.06 0 -0.1'/>"
      "<site name='side' type='box' size='0.02 0.11 0.05' pos='0.2 0 0'/></body>",
      "<touch name='sole' site='sole'/><touch name='half' site='half'/><touch name='side' site='side'/>"));
  world.simulate(1.0);
  // The solver's tolerance of 1e-6, times a few.
  EXPECT_NEAR(number(world, "sole"), 2.0 * kGravity, 1e-3);
  EXPECT_NEAR(number(world, "half"), 1.0 * kGravity, 1e-3);
  EXPECT_EQ(number(world, "side"), 0.0);
}

TEST(ContactSensor, ByPairReadsForceAndPlaceOnTheSecondOfTheTwo) {
  World world(
      model_of("<geom name='floor' type='plane' size='1 1 1'/><body name='b' pos='0.3 0.2 0.1'><freejoint/>"
               "<geom name='g' type='sphere' size='0.1' mass='2'/></body>",
               "<contact name='up' geom1='floor' body2='b' data='found force pos normal'/>"
               "<contact name='down' subtree1='b' geom2='floor' data='found force dist normal'/>"
               "<contact name='net' body1='b' data='found force pos' reduce='netforce'/>"));
  world.simulate(1.0);
  const std::span<const double> up = world.sensor("up");
  ASSERT_EQ(up.size(), 10u);
  EXPECT_EQ(up[0], 1.0);
  EXPECT_NEAR(up[1], 2.0 * kGravity, 1e-3);  // along the normal
  expect_near(Vec3(up[4], up[5], up[6]), Vec3(0.3, 0.2, 0.0), 1e-3);
  expect_near(Vec3(up[7], up[8], up[9]), Vec3::UnitZ(), 1e-12);
  const std::span<const double> down = world.sensor("down");
  EXPECT_NEAR(down[1], 2.0 * kGravity, 1e-3);
  EXPECT_LE(down[4], 0.0);
  expect_near(Vec3(down[5], down[6], down[7]), -Vec3::UnitZ(), 1e-12);
  // In world axes, on what the body touches.
  EXPECT_NEAR(world.sensor("net")[3], -2.0 * kGravity, 1e-3);
}

TEST(LimitSensors, OfAPendulumThatLeansOnItsLimitReadHowFarAndHowHard) {
  // A rod without mass along x, 2 kg at 0.5 m, that may not sink below the horizontal.
  World world(model_of(
      "<body><joint name='j' axis='0 1 0' range='-90 0'/><geom size='0.05' pos='0.5 0 0' mass='2'/></body>",
      "<jointlimitpos name='p' joint='j'/><jointlimitvel name='v' joint='j'/><jointlimitfrc name='f' "
      "joint='j'/>"));
  world.set_position("j", -0.5);
  EXPECT_EQ(number(world, "p"), 0.0);
  world.set_position("j", 0.1);
  world.set_velocity("j", 2.0);
  EXPECT_NEAR(number(world, "p"), -0.1, 1e-15);
  EXPECT_NEAR(number(world, "v"), -2.0, 1e-15);
  world.reset();
  world.simulate(1.0);  // twenty relaxation times of limits
  const double load = 2.0 * kGravity * 0.5;
  EXPECT_NEAR(number(world, "f"), load,
              NewtonOptions().relative_tolerance * load);  // of momentum, in a step at rest
}

TEST(ActuatorSensors, ReadLengthVelocityAndForceBehindTheGear) {
  World world(model_of("<body><joint name='j' type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/></body>",
                       "<actuatorpos name='l' actuator='m'/><actuatorvel name='v' actuator='m'/>"
                       "<actuatorfrc name='f' actuator='m'/><jointactuatorfrc name='t' joint='j'/>",
                       "<actuator><motor name='m' joint='j' gear='3' ctrlrange='-5 5'/></actuator>"));
  world.input().controls = VecX::Constant(1, 7.0);  // more than its range
  world.set_position("j", 0.2);
  world.set_velocity("j", 0.5);
  EXPECT_NEAR(number(world, "l"), 0.6, 1e-15);
  EXPECT_NEAR(number(world, "v"), 1.5, 1e-15);
  world.step();
  EXPECT_NEAR(number(world, "f"), 5.0, 1e-12);
  EXPECT_NEAR(number(world, "t"), 15.0, 1e-12);
}

TEST(DistanceSensors, OfTwoBallsReadTheGapItsDirectionAndItsEnds) {
  const Model model = model_of(
      "<geom name='a' size='0.1'/><geom name='b' size='0.2' pos='1 0 0'/>",
      "<distance name='d' geom1='a' geom2='b' cutoff='2'/><normal name='n' geom1='b' geom2='a' cutoff='2'/>"
      "<fromto name='f' geom1='a' geom2='b' cutoff='2'/><distance name='far' geom1='a' geom2='b' "
      "cutoff='0.5'/>");
  World world(model);
  EXPECT_NEAR(number(world, "d"), 0.7, 1e-15);
  EXPECT_EQ(number(world, "far"), 0.5);
  expect_near(vector(world, "n"), -Vec3::UnitX(), 1e-15);
  const std::span<const double> ends = world.sensor("f");
  EXPECT_NEAR(ends[0], 0.1, 1e-15);
  EXPECT_NEAR(ends[3], 0.8, 1e-15);
}

TEST(FrameSensors, InAReferenceThatMovesReadWhatIsSeenFromThere) {
  // Seen from a turntable, a thing at rest beside it circles the other way.
  World world(model_of(
      "<site name='post' pos='2 0 0'/><body><joint name='j'/><geom size='0.1'/><site name='table'/></body>",
      "<framelinvel name='v' objtype='site' objname='post' reftype='site' refname='table'/>"
      "<framepos name='p' objtype='site' objname='post' reftype='site' refname='table'/>"));
  world.set_position("j", 0.3);
  world.set_velocity("j", 1.5);
  expect_near(vector(world, "p"), 2.0 * Vec3(std::cos(0.3), -std::sin(0.3), 0), 1e-14);
  expect_near(vector(world, "v"), -3.0 * Vec3(std::sin(0.3), std::cos(0.3), 0), 1e-14);
}

TEST(FrameSensors, QuaternionsFollowAJointThroughAllItsTurnsWithoutAJump) {
  World world(model_of("<body><joint name='j'/><geom size='0.1'/><site name='s' euler='10 20 30'/></body>",
                       "<framequat name='q' objtype='site' objname='s'/>"));
  Vec4 last = Vec4::Zero();
  for (int i = 0; i <= 100; ++i) {
    world.set_position("j", 0.1 * i);
    const std::span<const double> values = world.sensor("q");
    const Vec4 now(values[0], values[1], values[2], values[3]);
    // Half of 0.1 rad from one to the next.
    if (i > 0) {
      EXPECT_NEAR(now.dot(last), std::cos(0.05), 1e-12) << i;
    }
    last = now;
  }
}

TEST(EnergySensors, ReadHeightAndSpeed) {
  World world(model_of("<body pos='0 0 3'><freejoint/><geom size='0.1' mass='2'/></body>",
                       "<e_potential name='p'/><e_kinetic name='k'/><clock name='t'/>"));
  EXPECT_NEAR(number(world, "p"), 2.0 * kGravity * 3.0, 1e-12);
  world.simulate(0.25);
  EXPECT_NEAR(number(world, "k"), 0.5 * 2.0 * std::pow(kGravity * 0.25, 2), 1e-9);
  EXPECT_EQ(number(world, "t"), 0.25);
}

TEST(InsideSite, ReadsOneInsideAndZeroOutside) {
  World world(model_of(
      "<site name='gate' type='cylinder' size='0.5 0.2'/><body name='b'><joint name='j' type='slide'/>"
      "<geom size='0.1'/></body>",
      "<insidesite name='in' site='gate' objtype='xbody' objname='b'/>"));
  EXPECT_EQ(number(world, "in"), 1.0);
  world.set_position("j", 0.21);
  EXPECT_EQ(number(world, "in"), 0.0);
}

TEST(Sensors, AreCutOffWhereTheySaySo) {
  World world(model_of("<body><joint name='j'/><geom size='0.1'/></body>",
                       "<jointpos name='p' joint='j' cutoff='0.5'/>"));
  world.set_position("j", -3.0);
  EXPECT_EQ(number(world, "p"), -0.5);
}

TEST(Sensors, HaveNoNoiseUnlessAskedForAndThenTheSameForTheSameSeed) {
  const Model model = model_of("<body><joint name='j'/><geom size='0.1'/></body>",
                               "<jointpos name='p' joint='j' noise='0.2'/>");
  World world(model);
  EXPECT_EQ(number(world, "p"), 0.0);
  world.options().sensor_noise = 7;
  const double first = number(world, "p");
  EXPECT_NE(first, 0.0);
  EXPECT_EQ(number(world, "p"), first);
  EXPECT_EQ(world.sensors()[0], first);
  // Over many steps its mean and its standard deviation are those asked for, to three standard errors.
  constexpr int kSteps = 4000;
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    world.step();
    const double noise = number(world, "p") - world.position("j");
    sum += noise;
    squares += noise * noise;
  }
  EXPECT_NEAR(sum / kSteps, 0.0, 3.0 * 0.2 / std::sqrt(kSteps));
  EXPECT_NEAR(std::sqrt(squares / kSteps), 0.2, 3.0 * 0.2 / std::sqrt(2.0 * kSteps));
}

TEST(Sensors, GoByNameOrByNumberAndUnknownNamesThrow) {
  World world(model_of("<body><joint name='j'/><geom size='0.1'/></body>",
                       "<jointpos name='angle' joint='j'/><clock/>"));
  EXPECT_EQ(world.sensors().size(), 2u);
  EXPECT_EQ(world.sensor("1").data(), world.sensors().data() + 1);
  EXPECT_THROW(world.sensor("angel"), UserError);
}

TEST(Sensors, OfAnAttachedModelGoByTheirNewNames) {
  const Model finger = model_of("<body name='f'><joint name='j'/><geom size='0.1' pos='0.2 0 0'/></body>",
                                "<jointpos name='angle' joint='j'/><subtreecom name='centre' body='f'/>");
  ModelBuilder builder("hand");
  for (const char* side : {"left/", "right/"}) builder.attach(finger, "world", translation(0, 0, 1), side);
  World world(builder.build());
  world.set_position("right/j", 0.3);
  EXPECT_EQ(number(world, "left/angle"), 0.0);
  EXPECT_EQ(number(world, "right/angle"), 0.3);
  expect_near(vector(world, "right/centre"), Vec3(0.2 * std::cos(0.3), 0.2 * std::sin(0.3), 1.0), 1e-15);
}

TEST(Sensors, ThatAreNotSimulatedAreReportedAndGiveNoNumbers) {
  CompatibilityReport report;
  const Model model = parse_mjcf(
      "<mujoco><worldbody><geom name='g' size='0.1'/></worldbody><sensor><user name='mine' dim='3'/>"
      "<clock name='t' nsample='3'/></sensor></mujoco>",
      "test.xml", {}, &report);
  std::string ignored;
  for (const CompatibilityEntry& entry : report.entries)
    if (entry.status == Compatibility::ignored) ignored += entry.element + "." + entry.attribute + " ";
  EXPECT_EQ(ignored, "user. user.name user.dim clock.nsample ");
  World world(model);
  EXPECT_EQ(world.sensors().size(), 1u);
  EXPECT_THROW(world.sensor("mine"), UserError);
}

TEST(Sensors, AllocateNothingWhenTheyAreRead) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world(model_of(
      "<geom name='floor' type='plane' size='1 1 1'/><site name='eye' pos='0 0 2' euler='180 0 0'/>"
      "<body name='b' pos='0 0 0.1'><freejoint/><geom name='g' type='box' size='0.1 0.1 0.1'/>"
      "<site name='s' size='0.2'/><body pos='0 0 0.2'><joint name='j'/><geom name='h' "
      "size='0.1'/></body></body>",
      "<accelerometer site='s'/><force site='s'/><touch site='s'/><contact body1='b' num='4' data='found "
      "force' reduce='maxforce'/>"
      "<rangefinder site='eye'/><distance geom1='g' geom2='floor' cutoff='1'/><subtreeangmom body='b'/>"
      "<framequat objtype='site' objname='s'/><jointactuatorfrc joint='j'/><e_potential/>",
      "<actuator><motor joint='j'/></actuator>"));
  for (int i = 0; i < 20; ++i) {
    world.step();
    world.sensors();
  }
  for (int i = 0; i < 10; ++i) {
    world.step();
    const AllocationCounter counter;
    world.sensors();
    world.sensor("3");
    EXPECT_EQ(counter.count(), 0);
  }
}

}  // namespace
}  // namespace stiction
