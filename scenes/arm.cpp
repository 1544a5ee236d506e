#include "scenes/arm.h"

#include <numbers>
#include <string>

#include "scenes/solids.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

// A link: its pose on the one before, the axis of its hinge, its rod (m, kg), and its motor.
struct Link {
  const char* name;
  Vec3 p_PB;
  Vec3 axis;
  Vec3 rod_end;
  double radius, mass, reach;  // m, kg, rad on either side
  Motor motor;
};

}  // namespace

Model arm() {
  ModelBuilder builder("arm");
  builder.add_body("base", "world", {});
  add_part("base", "base", translation(0.0, 0.0, 0.07), Cylinder{0.09, 0.14}, 5.2, &builder);

  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const Motor shoulder{0.32, 0.9, 110.0}, elbow{0.21, 0.6, 75.0}, wrist{0.07, 0.25, 28.0};
  const Link links[] = {
      {"turntable", Vec3(0.0, 0.0, 0.14), z, Vec3(0.0, -0.015, 0.17), 0.075, 4.1, 2.9, shoulder},
      {"upper_arm", Vec3(0.0, 0.0, 0.19), y, Vec3(0.01, 0.02, 0.21), 0.065, 3.6, 2.0, shoulder},
      {"upper_roll", Vec3(0.0, 0.0, 0.22), z, Vec3(0.015, 0.0, 0.17), 0.06, 2.8, 2.9, elbow},
      {"forearm", Vec3(0.02, 0.0, 0.19), -y, Vec3(-0.02, 0.015, 0.2), 0.055, 2.4, 2.3, elbow},
      {"forearm_roll", Vec3(-0.02, 0.0, 0.21), z, Vec3(0.0, 0.01, 0.14), 0.05, 1.7, 2.9, wrist},
      {"wrist", Vec3(0.0, 0.0, 0.17), y, Vec3(0.06, 0.0, 0.04), 0.045, 1.3, 2.1, wrist},
      {"flange", Vec3(0.07, 0.0, 0.03), x, Vec3(0.05, 0.0, 0.0), 0.04, 0.6, 3.0, wrist},
  };
  std::string parent = "base";
  int number = 1;
  for (const Link& link : links) {
    builder.add_body(link.name, parent, translation(link.p_PB));
    builder.add_joint(link.name, motor_hinge("joint" + std::to_string(number++), link.axis, -link.reach,
                                             link.reach, link.motor));
    add_rod(link.name, link.name, Vec3::Zero(), link.rod_end, link.radius, link.mass, &builder);
    parent = link.name;
  }
  builder.add_frame("tool", "flange",
                    {rotation_about<double>(y, 0.5 * std::numbers::pi), Vec3(0.09, 0.0, 0.0)});
  // The turntable begins inside the base that it turns on, the flange beside the rod that its wrist goes round.
  builder.exclude_contacts("base", "turntable").exclude_contacts("forearm_roll", "flange");
  builder.set_initial("joint2", {0.5});
  builder.set_initial("joint4", {-1.1});
  builder.set_initial("joint6", {0.4});
  return builder.build();
}

}  // namespace stiction::scenes
