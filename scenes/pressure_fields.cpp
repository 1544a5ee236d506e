#include "scenes/pressure_fields.h"

#include <cmath>
#include <numbers>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

ContactMaterial field(double modulus, double dissipation, double mu) {
  ContactMaterial material;
  material.pressure_modulus = modulus;
  material.dissipation = dissipation;
  material.static_friction = mu;
  return material;
}

Pose turned(double angle, const Vec3& axis, const Vec3& p) {
  return {Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), p};
}

}  // namespace

Model soft_pile() {
  constexpr double kDensity = 1000.0;
  ModelBuilder builder("soft_pile");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  const std::vector<Vec3> wedge = {Vec3(-0.05, -0.04, -0.03), Vec3(0.05, -0.04, -0.03),
                                   Vec3(-0.05, 0.04, -0.03),  Vec3(0.05, 0.04, -0.03),
                                   Vec3(-0.05, -0.04, 0.03),  Vec3(-0.05, 0.04, 0.03)};
  const Shape shapes[] = {Box{Vec3(0.05, 0.04, 0.03)},
                          Sphere{0.04},
                          Capsule{0.025, 0.06},
                          Cylinder{0.04, 0.06},
                          Ellipsoid{Vec3(0.05, 0.04, 0.03)},
                          std::make_shared<const ConvexHull>(convex_hull(wedge)),
                          Box{Vec3(0.03, 0.03, 0.03)}};
  const char* names[] = {"box", "ball", "capsule", "cylinder", "ellipsoid", "wedge", "rigid_box"};
  for (int i = 0; i < 7; ++i) {
    const Vec3 p(0.03 * (i % 2), 0.02 * (i % 3), 0.06 + 0.1 * i);
    builder.add_free_body(names[i], turned(0.4 * i, Vec3(1, i % 3, 2), p), Inertia{});
    builder.add_solid(names[i], names[i], {}, shapes[i], kDensity);
    if (i < 6) builder.set_material(names[i], field(1e6, 10.0, 0.5));
  }
  return builder.build();
}

Model bubble_gripper() {
  constexpr double kOpening = 0.01,
                   kHeight = 0.25;  // m: of the bubbles' surfaces from the middle; of the handle
  const Vec3 radii(0.0625, 0.04165, 0.04165);
  ModelBuilder builder("bubble_gripper");
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0.0 ? "left" : "right";
    builder.add_body(name, "world", translation(0, side * (radii.y() + kOpening), kHeight),
                     {0.05, Vec3::Zero(), 2e-5 * Mat3::Identity()});
    Joint slide;
    slide.name = name;
    slide.type = JointType::prismatic;
    slide.axis = Vec3::UnitY();
    builder.add_joint(name, slide);
    builder.add_shape(name + "_bubble", name, {}, Ellipsoid{radii});
    builder.set_material(name + "_bubble", field(1e5, 5.0, 1.0));
    Actuator motor;
    motor.name = motor.target = name;
    builder.add_actuator(motor);
  }
  // A rod of 0.3 m along x about its centre of mass.
  const Vec3 com(0.0208, 0, 0.0006);
  const Mat3 I = Vec3(2e-5, 5.1e-4, 5.1e-4).asDiagonal();
  builder.add_free_body("spatula", translation(0, 0, kHeight), {0.068, com, I});
  builder.add_shape("handle", "spatula", turned(0.5 * std::numbers::pi, Vec3::UnitY(), Vec3::Zero()),
                    Cylinder{0.015, 0.11});
  builder.set_material("handle", field(1e8, 5.0, 1.0));
  return builder.build();
}

namespace {

constexpr double kPeriod = 6.0, kFirmTime = 4.5;  // s
constexpr double kFirm = 16.0, kLoose = 1.0;      // N

}  // namespace

double grip_at(double time) {
  constexpr double kRoundOff = 1e-9;  // times are sums of steps
  return std::fmod(time + kRoundOff, kPeriod) < kFirmTime ? kFirm : kLoose;
}

InputSchedule grip_of_bubbles(const Model& model) {
  constexpr int kPeriods = 10;
  std::vector<double> times, left, right;
  for (int i = 0; i < kPeriods; ++i)
    for (const double begin : {kPeriod * i, kPeriod * i + kFirmTime}) {
      times.push_back(begin);
      left.push_back(grip_at(begin));
      right.push_back(-left.back());
    }
  InputSchedule schedule;
  schedule.controls.push_back({model.actuator("left"), table_signal(times, left, true)});
  schedule.controls.push_back({model.actuator("right"), table_signal(times, right, true)});
  return schedule;
}

}  // namespace stiction::scenes
