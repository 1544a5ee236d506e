#include "scenes/pendulums.h"

#include <numbers>
#include <string>

#include "scenes/solids.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

Joint hinge(const std::string& name, const Vec3& axis) {
  Joint joint;
  joint.name = name;
  joint.axis = axis;
  return joint;
}

}  // namespace

Model pendulum() {
  ModelBuilder builder("pendulum");
  builder.add_body("rod", "world", translation(0.0, 0.0, 1.5));
  builder.add_joint("rod", hinge("hinge", Vec3::UnitY()));
  add_rod("rod", "rod", Vec3::Zero(), Vec3(0.0, 0.0, -1.0), 0.02, 1.0, &builder);
  builder.add_frame("tip", "rod", translation(0.0, 0.0, -1.0));
  builder.set_initial("hinge", {30.0 * kDegree});
  return builder.build();
}

Model double_pendulum() {
  ModelBuilder builder("double_pendulum");
  const Vec3 end(0.0, 0.0, -1.0);
  builder.add_body("upper", "world", translation(0.0, 0.0, 2.5));
  builder.add_joint("upper", hinge("shoulder", Vec3::UnitY()));
  add_rod("upper", "upper", Vec3::Zero(), end, 0.02, 1.0, &builder);
  builder.add_body("lower", "upper", translation(end));
  builder.add_joint("lower", hinge("elbow", Vec3::UnitY()));
  add_rod("lower", "lower", Vec3::Zero(), end, 0.02, 1.0, &builder);
  builder.add_frame("tip", "lower", translation(end));
  builder.set_initial("shoulder", {-90.0 * kDegree});
  return builder.build();
}

Model chain() {
  constexpr int kLinks = 50;
  constexpr double kLength = 0.1;  // m
  ModelBuilder builder("chain");
  std::string parent = "world";
  Pose X_PB = translation(0.0, 0.0, 3.0);
  for (int i = 0; i < kLinks; ++i) {
    const std::string link = "link" + std::to_string(i);
    builder.add_body(link, parent, X_PB);
    Joint joint = hinge("joint" + std::to_string(i), i % 2 == 0 ? Vec3::UnitY() : Vec3::UnitZ());
    joint.damping = per_dof(0.002);
    joint.armature = per_dof(1e-5);
    builder.add_joint(link, joint);
    add_rod(link, link, Vec3(0.012, 0.0, 0.0), Vec3(kLength - 0.012, 0.0, 0.0), 0.012, 0.1, &builder);
    parent = link;
    X_PB = translation(kLength, 0.0, 0.0);
  }
  builder.add_frame("tip", parent, X_PB);
  return builder.build();
}

Model spring_mass() {
  ModelBuilder builder("spring_mass");
  const Pose rest = translation(0.0, 0.0, 1.0);
  builder.add_body("block", "world", rest);
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::prismatic;
  slide.axis = Vec3::UnitZ();
  slide.stiffness = per_dof(200.0);
  builder.add_joint("block", slide);
  add_part("block", "block", {}, Box{Vec3::Constant(0.08)}, 2.0, &builder);
  builder.set_initial("slide", {-0.1});
  return builder.build();
}

Model spinning_body() {
  ModelBuilder builder("spinning_body");
  builder.set_gravity(Vec3::Zero());
  builder.add_free_body("brick", translation(0.0, 0.0, 1.0), Inertia{});
  add_part("brick", "brick", {}, Box{Vec3(0.05, 0.15, 0.3)}, 3.0, &builder);
  return builder.build();
}

}  // namespace stiction::scenes
