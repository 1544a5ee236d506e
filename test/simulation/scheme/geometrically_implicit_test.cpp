// A step that is taken in parts looks from outside like the whole: accelerations, contact forces, reactions and work
// are those of its h, not of its last part.

#include "stiction/simulation/scheme/geometrically_implicit.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/energy.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/output/row_forces.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kStep = 0.01, kGravity = 9.81, kMass = 2.0, kArm = 1.5;  // s, m/s^2, kg, kg

// A ball that hits the floor with an accelerometer in it, and a slider above it that a weld and a limit hold, standing
// on a post with a force sensor.
Model model() {
  return parse_mjcf(
      "<mujoco><option gravity='0 0 -9.81'/><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
      "<body name='ball' pos='0 0 0.1'><freejoint/><geom name='ball' size='0.1' mass='2'/><site "
      "name='imu'/></body>"
      "<body name='post' pos='1 0 0'><geom size='0.05' mass='0.5' pos='0 0 0.3'/><site name='root'/>"
      "<body name='slider' pos='0 0 1'><joint name='slide' type='slide' axis='0 0 1' limited='true' range='0 "
      "1'/>"
      "<geom size='0.05' mass='1.5'/></body></body></worldbody>"
      "<sensor><accelerometer name='acceleration' site='imu'/><force name='root' site='root'/>"
      "<jointlimitfrc name='limit' joint='slide'/></sensor></mujoco>");
}

// No solve is good enough, so that every step is taken in eighths, with the contact points at the start of each.
WorldOptions in_eighths() {
  WorldOptions options;
  options.h = kStep;
  options.formulation.contact.law = LawKind::geometric_ncp;
  options.formulation.geometric.tolerance = 0.0;
  options.formulation.geometric.max_iterations = 1;
  return options;
}

World struck_world() {
  World world(model(), in_eighths());
  Vec6 V = Vec6::Zero();
  V[5] = -3.0;  // m/s: down, on the floor
  world.set_body_velocity("ball", V);
  return world;
}

TEST(StepInParts, HasAnAccelerometerThatReadsTheChangeOfVelocityOverTheStep) {
  World world = struck_world();
  const double before = world.body_velocity("ball")[5];
  world.step();
  ASSERT_EQ(world.record().parts.size(), 8u);
  const double mean = (world.body_velocity("ball")[5] - before) / kStep;
  EXPECT_GT(mean, 100.0);  // it was stopped
  EXPECT_NEAR(world.sensor("acceleration")[2], mean + kGravity, 1e-9 * mean);
}

TEST(StepInParts, HasContactForcesWhoseImpulsesAreThoseOfAllParts) {
  World world = struck_world();
  const double before = world.body_velocity("ball")[5];
  world.step();
  const double after = world.body_velocity("ball")[5];
  // Newton's law over the whole step.
  const double impulse = kMass * (after - before) + kMass * kGravity * kStep;
  EXPECT_NEAR(world.contact_force("ball").z() * kStep, impulse, 1e-12 * impulse);
  EXPECT_NEAR(static_contact_force(world.model(), world.record()).z() * kStep, impulse, 1e-12 * impulse);
  double by_parts = 0.0;
  for (const StepRecord& part : world.record().parts)
    for (const ContactForce& contact : contact_forces(part)) by_parts += part.h * contact.force.z();
  EXPECT_NEAR(by_parts, impulse, 1e-12 * impulse);
  double listed = 0.0;
  for (const ContactForce& contact : contact_forces(world.record())) listed += kStep * contact.force.z();
  EXPECT_NEAR(listed, impulse, 1e-12 * impulse);
}

TEST(StepInParts, HasReactionsThatCarryWhatTheMotionAsksFor) {
  World world = struck_world();
  world.set_velocity("slide", -2.0);  // against its limit
  const double before = world.velocity("slide");
  world.step();
  ASSERT_FALSE(world.record().parts.empty());
  const double mean = (world.velocity("slide") - before) / kStep;
  EXPECT_GT(mean, 100.0);
  // The post gives the slider its weight and its acceleration; the floor's world gives the post both of theirs.
  const double slider = kArm * (mean + kGravity);
  EXPECT_NEAR(world.reaction("slider")[5], slider, 1e-9 * slider);
  EXPECT_NEAR(world.reaction("post")[5], slider + 0.5 * kGravity, 1e-9 * slider);
  EXPECT_NEAR(world.sensor("root")[2], slider + 0.5 * kGravity, 1e-9 * slider);
  EXPECT_NEAR(world.limit_force("slide")[0], slider, 1e-9 * slider);
  EXPECT_NEAR(world.sensor("limit")[0], slider, 1e-9 * slider);
}

TEST(StepInParts, HasTheBooksOfAllItsParts) {
  World world = struck_world();
  world.set_velocity("slide", -2.0);
  const double v = world.body_velocity("ball")[5], slide = world.velocity("slide");
  world.step();
  ASSERT_FALSE(world.record().parts.empty());
  const EnergyBooks books = world.energy_books();
  // Both come to rest within a part: 1/2 dv' M dv.
  EXPECT_GT(books.numerical.velocities, 0.4 * (kMass * v * v + kArm * slide * slide));
  EXPECT_LT(books.relative_error(), 1e-9);
}

TEST(StepInParts, HasTheStartAndTheEndOfTheWholeInItsRecord) {
  World world = struck_world();
  const State before = world.state();
  const StepReport report = world.step();
  const StepRecord& record = world.record();
  EXPECT_EQ(record.h, kStep);
  EXPECT_EQ(record.v_start, before.v);
  EXPECT_EQ(record.v_next, world.state().v);
  EXPECT_EQ(report.geometric.halvings, 7);
  EXPECT_EQ(report.time, before.time);
  EXPECT_EQ(world.state().acceleration, VecX((world.state().v - before.v) / kStep));
  double time = 0.0;
  for (const StepRecord& part : record.parts) time += part.h;
  EXPECT_DOUBLE_EQ(time, kStep);
}

// The largest error of the parts, each of which has its certificate.
double largest_of_parts(const StepRecord& record, Error ContactResidual::*error) {
  double largest = 0.0;
  for (const StepRecord& part : record.parts)
    largest = std::max(largest, (part.report.certificate->contact.*error).absolute);
  return largest;
}

TEST(StepInParts, HasACertificateWithTheLargestErrorOfItsParts) {
  WorldOptions options = in_eighths();
  options.formulation.certifies = true;
  World world(model(), options);
  world.set_body_velocity("ball", {0.0, 0.0, 0.0, 0.0, 0.0, -3.0});
  const StepReport report = world.step();
  const StepRecord& record = world.record();
  ASSERT_EQ(record.parts.size(), 8u);
  ASSERT_NE(report.certificate, nullptr);
  const ContactResidual& last = record.parts.back().report.certificate->contact;
  bool last_is_better = false;
  for (const auto error :
       {&ContactResidual::momentum, &ContactResidual::law, &ContactResidual::primal, &ContactResidual::dual,
        &ContactResidual::complementarity, &ContactResidual::signorini, &ContactResidual::dissipation}) {
    const double largest = largest_of_parts(record, error);
    EXPECT_EQ((report.certificate->contact.*error).absolute, largest);
    last_is_better |= (last.*error).absolute < largest;
  }
  // The ball is stopped in the first part and rests in the last, where less can go wrong.
  EXPECT_TRUE(last_is_better);
  EXPECT_EQ(record.report.certificate, report.certificate);
}

}  // namespace
}  // namespace stiction
